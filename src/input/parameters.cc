#include <percussion/base/nearest_name.h>
#include <percussion/input/parameters.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>
#include <sstream>

namespace percussion {
using dealii::ExcMessage;
namespace Utilities = dealii::Utilities;

std::vector<std::string> items_between_commas(const std::string &text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (depth == 0 && c == ',')
      items.emplace_back();
    else
      items.back() += c;
  }
  for (std::string &item : items)
    item = Utilities::trim(item);
  return items;
}

ParameterPath ParameterDeclaration::path() const {
  ParameterPath path = *subsection;
  path.push_back(entry->name);
  return path;
}

bool UsedIf::is_met(const std::string &value) const {
  return entry.empty() ||
         (std::find(values.begin(), values.end(), value) != values.end()) != negates;
}

ParameterDeclarations::ParameterDeclarations() { sections[{}]; }

void ParameterDeclarations::enter(const std::string &subsection) {
  const ParameterPath above = open;
  open.push_back(subsection);
  if (!has_subsection(open)) {
    sections[above].subsections.push_back(subsection);
    sections[open];
  }
}

void ParameterDeclarations::leave() {
  AssertThrow(!open.empty(), ExcMessage("no subsection is open"));
  open.pop_back();
}

const EntryMeaning &ParameterDeclarations::shared(EntryMeaning meaning) {
  std::string key = meaning.name;
  for (const std::string &text :
       {meaning.default_value, meaning.documentation, meaning.pattern->description(),
        meaning.used_if.entry, joined(meaning.used_if.values, "|"),
        std::string(meaning.used_if.negates ? "not" : ""), meaning.used_if.advice})
    key += '\n' + text;
  return meanings.try_emplace(std::move(key), std::move(meaning)).first->second;
}

void ParameterDeclarations::declare(const std::string &name, const std::string &default_value,
                                    const dealii::Patterns::PatternBase &pattern,
                                    const std::string &documentation, const UsedIf &used_if) {
  ParameterPath path = open;
  path.push_back(name);
  AssertThrow(!find(path) && !has_subsection(path), ExcMessage(to_string(path) + " exists"));
  const EntryMeaning &meaning =
      shared({name, default_value, pattern.clone(), documentation, used_if});
  AssertThrow(pattern.match(default_value),
              ExcMessage(to_string(path) + " cannot be '" + default_value + "'"));
  const auto section = sections.find(open);
  section->second.entries.push_back(declarations.size());
  declarations.push_back({&section->first, &meaning});
}

const ParameterDeclaration *ParameterDeclarations::find(const ParameterPath &path) const {
  const auto section = path.empty() ? sections.end() : sections.find(parent(path));
  if (section != sections.end())
    for (const std::size_t i : section->second.entries)
      if (declarations[i].entry->name == path.back())
        return &declarations[i];
  return nullptr;
}

std::vector<ParameterDeclaration> ParameterDeclarations::below(const ParameterPath &path) const {
  std::vector<ParameterDeclaration> below;
  if (const auto section = sections.find(path); section != sections.end())
    for (const std::size_t i : section->second.entries)
      below.push_back(declarations[i]);
  return below;
}

std::vector<std::string> ParameterDeclarations::names_below(const ParameterPath &path,
                                                            const bool are_subsections) const {
  const auto section = sections.find(path);
  if (section != sections.end() && are_subsections)
    return section->second.subsections;
  std::vector<std::string> names;
  for (const ParameterDeclaration &declaration : below(path))
    names.push_back(declaration.entry->name);
  return names;
}

void ParameterDeclarations::set_other_dimension(const std::string &name,
                                                std::function<ParameterDeclarations()> declare) {
  other_dimension = name;
  declare_other_dimension = std::move(declare);
}

std::string ParameterDeclarations::dimension_with(const ParameterPath &path) const {
  if (!declare_other_dimension)
    return {};
  const auto is_like = [&](const ParameterPath &declared) {
    return declared.size() == path.size() && path.back() == declared.back() &&
           std::equal(path.begin(), path.end(), declared.begin(),
                      [](const std::string &name, const std::string &declared_name) {
                        return name == declared_name || declared_name[0] == '<';
                      });
  };
  const ParameterDeclarations other = declare_other_dimension();
  for (const auto &section : other.sections)
    if (is_like(section.first))
      return other_dimension;
  for (const ParameterDeclaration &declaration : other.declarations)
    if (is_like(declaration.path()))
      return other_dimension;
  return {};
}

namespace {
/// Returns the text up to the first full stop before a capital letter, so that "e.g. this" does not
/// end the sentence.
std::string first_sentence(const std::string &text) {
  std::smatch end;
  return std::regex_search(text, end, std::regex(R"(\.\s+[A-Z])")) ? end.prefix().str() + "."
                                                                   : text;
}

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

/// Returns a hint about an unknown name, with the names that exist in its subsection.
std::string hint_for(const ParameterDeclarations &declared, const ParameterPath &path,
                     const bool is_subsection) {
  const std::string &name = path.back();
  const auto allowed = declared.names_below(parent(path), is_subsection);
  const auto is_elsewhere = [&](const auto &declaration) {
    return declaration.entry->name == name;
  };
  const auto elsewhere = std::find_if(declared.all().begin(), declared.all().end(), is_elsewhere);
  std::string hint = did_you_mean(name, allowed);
  if (const std::string dimension = declared.dimension_with(path);
      !dimension.empty() && !declared.find(path) && !declared.has_subsection(path))
    hint = "; only cases in " + dimension + " have it, and this case is in " +
           (dimension == "2D" ? "3D." : "2D.");
  else if (declared.find(path))
    hint = "; it is an entry: use 'set'.";
  else if (declared.has_subsection(path))
    hint = "; it is a subsection.";
  else if (is_subsection && declared.has_subsection({name}))
    hint = "; '" + name + "' exists: is an 'end' missing before this line?";
  else if (!is_subsection && elsewhere != declared.all().end())
    hint = "; there is '" + to_string(elsewhere->path()) + "'.";
  return to_string(path) + "'" + (hint.empty() ? "." : hint) +
         (allowed.empty() ? "" : " Allowed here: " + listed(allowed) + ".");
}
} // namespace

Parameters::Parameters(ParameterDeclarations declarations, const ParameterFile &file)
    : declared(std::move(declarations)), filename(file.name()), found_problems(file.problems()) {
  for (const OpenedSubsection &subsection : file.opened_subsections())
    if (!declared.has_subsection(subsection.path) &&
        declared.has_subsection(parent(subsection.path)))
      found_problems.add({subsection.source, subsection.line,
                          "unknown subsection '" + hint_for(declared, subsection.path, true)});
  constant_values = read_constants(file, found_problems);
  for (const auto &[path, entry] : file.assignments())
    if (declared.has_subsection(parent(path))) // else the subsection is reported
      take(path, entry);
}

namespace {
/// True if a number of a list is too close to zero for full precision.
bool has_denormal_number(const std::string &value) {
  for (const std::string &points : Utilities::split_string_list(value, ';'))
    for (const std::string &number : Utilities::split_string_list(points, ',')) {
      errno = 0;
      const double x = std::strtod(number.c_str(), nullptr);
      if (errno == ERANGE && std::abs(x) < 1)
        return true;
    }
  return false;
}
} // namespace

void Parameters::take(const ParameterPath &path, const ParameterEntry &entry) {
  const ParameterDeclaration *const declared_parameter = declared.find(path);
  if (!declared_parameter) {
    found_problems.add(
        {entry.source, entry.line, "unknown entry '" + hint_for(declared, path, false)});
    return;
  }
  const EntryMeaning &meaning = *declared_parameter->entry;
  std::string value = entry.value, remark;
  if (!meaning.pattern->match(value))
    try {
      value = evaluated(entry.value, constant_values);
      remark = without_blanks(value) == without_blanks(entry.value) ? "" : " (= " + value + ")";
    } catch (const InputError &error) {
      if (entry.value.find_first_of("*/^()") != std::string::npos || !constant_values.empty())
        remark = " (" + std::string(error.what()) + ")";
    }
  if (has_denormal_number(value)) {
    std::ostringstream smallest;
    smallest << std::numeric_limits<double>::min();
    found_problems.add({entry.source, entry.line,
                        "'" + to_string(path) + "' is '" + entry.value + "'" + remark +
                            ": a number that is not zero must be at least " + smallest.str() +
                            " in magnitude; choose other units"});
    refused[path] = entry;
  } else if (meaning.pattern->match(value)) {
    given_values[path] = value;
    given_entries[path] = entry;
  } else {
    const auto choices = alternatives(*meaning.pattern);
    const std::string hint = did_you_mean(entry.value, choices);
    const std::string sentence = first_sentence(meaning.documentation);
    found_problems.add({entry.source, entry.line,
                        "'" + to_string(path) + "' is '" + entry.value + "'" +
                            (choices.empty() ? remark : "") + ": allowed is " +
                            plain_words(*meaning.pattern) + hint +
                            (sentence.empty() ? "" : (hint.empty() ? "; " : " ") + sentence)});
    refused[path] = entry;
  }
}

const ParameterDeclaration &Parameters::declaration(const std::string &path) const {
  const ParameterDeclaration *const found = declared.find(to_path(path));
  AssertThrow(found, ExcMessage("parameter '" + path + "' is not declared"));
  return *found;
}

std::string Parameters::get(const std::string &path) const {
  const auto given = given_values.find(to_path(path));
  return given == given_values.end() ? declaration(path).entry->default_value : given->second;
}

double Parameters::get_double(const std::string &path) const {
  return Utilities::string_to_double(get(path));
}

long Parameters::get_integer(const std::string &path) const {
  return Utilities::string_to_int(get(path));
}

bool Parameters::get_bool(const std::string &path) const { return get(path) == "true"; }

std::vector<double> Parameters::get_double_list(const std::string &path) const {
  return Utilities::string_to_double(Utilities::split_string_list(get(path), ','));
}

std::vector<std::pair<std::string, std::string>> Parameters::values() const {
  std::vector<std::pair<std::string, std::string>> all;
  all.reserve(declared.all().size());
  for (const ParameterDeclaration &entry : declared.all()) {
    std::string path = to_string(entry.path());
    std::string value = get(path);
    all.emplace_back(std::move(path), std::move(value));
  }
  return all;
}

bool Parameters::is_changed(const std::string &path) const {
  return get(path) != declaration(path).entry->default_value;
}

std::string Parameters::remark(const std::string &path, const std::string &reason) const {
  const Problem problem = complaint(path, reason);
  return location(problem.source, problem.line) + ": " + problem.message;
}

Problem Parameters::complaint(const std::string &path, const std::string &reason) const {
  const auto entry = given_entries.find(declaration(path).path());
  const std::string value = get(path);
  if (entry == given_entries.end())
    return {filename, 0, "'" + path + "' (default) is '" + value + "': " + reason};
  const std::string as_given = entry->second.value;
  return {entry->second.source, entry->second.line,
          "'" + path + "' is '" + as_given + "'" + (value == as_given ? "" : " (= " + value + ")") +
              ": " + reason};
}

void Parameters::report(const std::string &path, const std::string &reason,
                        Problems &problems) const {
  if (refused.count(to_path(path)) == 0)
    problems.add(complaint(path, reason));
}
} // namespace percussion
