#include <percussion/io/nearest_name.h>
#include <percussion/io/parameters.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <locale>
#include <optional>
#include <ostream>
#include <sstream>

namespace percussion {
namespace {
using dealii::ExcMessage;
using dealii::Patterns::PatternBase;

/// Up to the first full stop before a capital letter, so that "e.g. this" does not end it.
std::string first_sentence(const std::string &text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i)
    if (text[i] == '.' && std::isspace(static_cast<unsigned char>(text[i + 1])) &&
        std::isupper(static_cast<unsigned char>(text[i + 2])))
      return text.substr(0, i + 1);
  return text;
}

/// "Subsections here: Mesh, Time", or "" without names.
std::string listed(const std::string &title, const std::vector<std::string> &names) {
  return names.empty() ? "" : " " + title + ": " + joined(names, ", ") + ".";
}

std::string unknown_subsection(const ParameterDeclarations &declared, const ParameterPath &path) {
  const auto siblings = declared.subsection_names(parent(path));
  const std::string hint = declared.find(path) ? "; '" + path.back() + "' is an entry: use 'set'"
                                               : did_you_mean(path.back(), siblings);
  const std::string of = path.size() == 1 ? "" : " of subsection " + to_string(parent(path));
  return "unknown subsection '" + to_string(path) + "'" + (hint.empty() ? "." : hint) +
         listed("Subsections" + of, siblings);
}

std::string unknown_entry(const ParameterDeclarations &declared, const ParameterPath &path) {
  const auto siblings = declared.entry_names(parent(path));
  std::vector<std::string> elsewhere;
  for (const ParameterDeclaration &other : declared.all())
    if (other.path.back() == path.back())
      elsewhere.push_back(other.path.size() == 1 ? "the top level"
                                                 : "subsection " + to_string(parent(other.path)));
  std::string hint = did_you_mean(path.back(), siblings);
  if (declared.has_subsection(path))
    hint = "; '" + path.back() + "' is a subsection.";
  else if (!elsewhere.empty())
    hint = "; '" + path.back() + "' is an entry of " + joined(elsewhere, ", ") + ".";
  const std::string of =
      path.size() == 1 ? "outside subsections" : "of subsection " + to_string(parent(path));
  return "unknown entry '" + to_string(path) + "'" + (hint.empty() ? "." : hint) +
         (siblings.empty() ? listed("No entries " + of + ". Subsections",
                                    declared.subsection_names(parent(path)))
                           : listed("Entries " + of, siblings));
}

std::string wrong_value(const ParameterDeclaration &declaration, const std::string &value) {
  const std::string hint =
      did_you_mean(value, alternatives(declaration.pattern->description(PatternBase::Machine)));
  const std::string sentence = first_sentence(declaration.documentation);
  return "'" + to_string(declaration.path) + "' is '" + value + "': allowed is " +
         plain_words(*declaration.pattern) + hint +
         (sentence.empty() ? "" : (hint.empty() ? "; " : " ") + sentence);
}

/// Each paragraph of @p text as comment lines of at most 100 columns.
void print_comment(std::ostream &out, const std::string &indent, const std::string &text) {
  const std::string start = indent + "# ";
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    std::string line;
    for (std::string word; words >> word;) {
      if (!line.empty() && start.size() + line.size() + 1 + word.size() > 100) {
        out << start << line << '\n';
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty())
      out << start << line << '\n';
  }
}
} // namespace

void ParameterDeclarations::enter(const std::string &subsection) {
  AssertThrow(!subsection.empty() && subsection.find_first_of("/#\n") == std::string::npos,
              ExcMessage("not a name for a subsection: '" + subsection + "'"));
  open.push_back(subsection);
  AssertThrow(!find(open), ExcMessage("an entry has the name " + to_string(open)));
  if (!has_subsection(open))
    subsections.push_back(open);
}

void ParameterDeclarations::leave() {
  AssertThrow(!open.empty(), ExcMessage("no subsection is open"));
  open.pop_back();
}

void ParameterDeclarations::declare(const std::string &name, const std::string &default_value,
                                    const PatternBase &pattern, const std::string &documentation) {
  ParameterDeclaration added{open, default_value, pattern.clone(), documentation};
  added.path.push_back(name);
  const std::string text = to_string(added.path);
  AssertThrow(!name.empty() && name.find_first_of("/#=\n") == std::string::npos,
              ExcMessage("not a name for an entry: '" + text + "'"));
  AssertThrow(!find(added.path) && !has_subsection(added.path), ExcMessage(text + " exists"));
  AssertThrow(pattern.match(default_value), ExcMessage("default of " + text + " is not allowed"));
  AssertThrow(dealii::Utilities::trim(default_value) == default_value &&
                  default_value.find_first_of("#\n") == std::string::npos &&
                  (default_value.empty() || default_value.back() != '\\'),
              ExcMessage("default of " + text + " cannot stand in a parameter file"));
  declarations.push_back(std::move(added));
}

const ParameterDeclaration *ParameterDeclarations::find(const ParameterPath &path) const {
  for (const ParameterDeclaration &declaration : declarations)
    if (declaration.path == path)
      return &declaration;
  return nullptr;
}

bool ParameterDeclarations::has_subsection(const ParameterPath &path) const {
  return path.empty() ||
         std::find(subsections.begin(), subsections.end(), path) != subsections.end();
}

std::vector<std::string> ParameterDeclarations::entry_names(const ParameterPath &path) const {
  std::vector<std::string> names;
  for (const ParameterDeclaration &declaration : declarations)
    if (parent(declaration.path) == path)
      names.push_back(declaration.path.back());
  return names;
}

std::vector<std::string> ParameterDeclarations::subsection_names(const ParameterPath &path) const {
  std::vector<std::string> names;
  for (const ParameterPath &subsection : subsections)
    if (parent(subsection) == path)
      names.push_back(subsection.back());
  return names;
}

Parameters::Parameters(ParameterDeclarations declarations, ParameterFile file)
    : declared(std::move(declarations)), filename(file.name()) {
  Problems problems = file.problems();
  for (const OpenedSubsection &subsection : file.opened_subsections())
    if (!declared.has_subsection(subsection.path) &&
        declared.has_subsection(parent(subsection.path)))
      problems.add(
          {subsection.source, subsection.line, unknown_subsection(declared, subsection.path)});
  for (const ParameterEntry &entry : file.entries()) {
    if (!declared.has_subsection(parent(entry.path)))
      continue; // the subsection is reported
    const ParameterDeclaration *declaration = declared.find(entry.path);
    if (!declaration)
      problems.add({entry.source, entry.line, unknown_entry(declared, entry.path)});
    else if (!declaration->pattern->match(entry.value))
      problems.add({entry.source, entry.line, wrong_value(*declaration, entry.value)});
    else
      given[entry.path] = entry;
  }
  problems.throw_if_any();
}

const ParameterDeclaration &Parameters::declaration(const std::string &path) const {
  const ParameterDeclaration *found = declared.find(to_path(path));
  AssertThrow(found, ExcMessage("parameter '" + path + "' is not declared"));
  return *found;
}

std::string Parameters::get(const std::string &path) const {
  const ParameterDeclaration &found = declaration(path);
  const auto entry = given.find(found.path);
  return entry == given.end() ? found.default_value : entry->second.value;
}

std::vector<std::pair<std::string, std::string>> Parameters::values() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const ParameterDeclaration &entry : declared.all())
    all.emplace_back(to_string(entry.path), get(to_string(entry.path)));
  return all;
}

double Parameters::get_double(const std::string &path) const {
  const auto number = to_number<double>(get(path));
  if (!number)
    fail(path, "this is not a number");
  return *number;
}

long Parameters::get_integer(const std::string &path) const {
  const auto number = to_number<long>(get(path));
  if (!number)
    fail(path, "this is not an integer");
  return *number;
}

bool Parameters::get_bool(const std::string &path) const {
  const std::string value = get(path);
  if (value != "true" && value != "false")
    fail(path, "allowed is true or false");
  return value == "true";
}

std::vector<std::string> Parameters::get_list(const std::string &path) const {
  return dealii::Utilities::split_string_list(get(path), ',');
}

std::vector<double> Parameters::get_double_list(const std::string &path) const {
  std::vector<double> numbers;
  for (const std::string &element : get_list(path)) {
    const auto number = to_number<double>(element);
    if (!number)
      fail(path, "'" + element + "' is not a number");
    numbers.push_back(*number);
  }
  return numbers;
}

bool Parameters::is_set(const std::string &path) const {
  return given.count(declaration(path).path) > 0;
}

bool Parameters::is_changed(const std::string &path) const {
  return get(path) != declaration(path).default_value;
}

std::string Parameters::where(const std::string &path) const {
  const auto entry = given.find(declaration(path).path);
  return entry == given.end() ? "default" : location(entry->second.source, entry->second.line);
}

void Parameters::report(const std::string &path, const std::string &why, Problems &problems) const {
  const auto entry = given.find(declaration(path).path);
  const bool is_default = entry == given.end();
  problems.add(
      {is_default ? filename : entry->second.source, is_default ? 0 : entry->second.line,
       "'" + path + "'" + (is_default ? " (default)" : "") + " is '" + get(path) + "': " + why});
}

void Parameters::fail(const std::string &path, const std::string &why) const {
  Problems problems;
  report(path, why, problems);
  problems.throw_if_any();
  AssertThrow(false, dealii::ExcInternalError());
}

void Parameters::print(std::ostream &out, const bool with_documentation) const {
  print_subsection(out, {}, with_documentation);
}

void Parameters::print_subsection(std::ostream &out, const ParameterPath &path,
                                  const bool with_documentation) const {
  const std::string indent(2 * path.size(), ' ');
  bool first = true;
  const auto separate = [&] {
    if (!first && with_documentation)
      out << '\n';
    first = false;
  };
  for (const ParameterDeclaration &declaration : declared.all()) {
    if (parent(declaration.path) != path)
      continue;
    separate();
    if (with_documentation) {
      print_comment(out, indent, declaration.documentation);
      print_comment(out, indent,
                    "Allowed: " + plain_words(*declaration.pattern) + ". Default: " +
                        (declaration.default_value.empty() ? "empty" : declaration.default_value));
    }
    out << indent << "set " << declaration.path.back() << " = " << get(to_string(declaration.path))
        << '\n';
  }
  for (const std::string &name : declared.subsection_names(path)) {
    separate();
    ParameterPath below = path;
    below.push_back(name);
    out << indent << "subsection " << name << '\n';
    print_subsection(out, below, with_documentation);
    out << indent << "end\n";
  }
}
} // namespace percussion
