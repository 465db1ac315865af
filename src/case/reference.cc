#include <percussion/base/nearest_name.h>
#include <percussion/base/text_search.h>
#include <percussion/case/case.h>
#include <percussion/case/reference.h>
#include <percussion/version.h>

#include <deal.II/base/utilities.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace percussion {
namespace {

const char *const conventions[] = {
    "<region>, <body>, <name>, <link> and <probe> stand for subsections that a case names: regions",
    "of its mesh, rigid bodies, contacts, links and probes of its own; <constant> for entries that",
    "it names.",
    "Units are the user's own, consistent: [M, L, T] are mass, length and time, [1] is none.",
    "Formulas have the constants pi, e and the entries of the subsection Constants, operators",
    "+ - * / ^ == != < > <= >= && || ?:, functions sin cos tan asin acos atan atan2 sinh cosh",
    "tanh asinh acosh atanh exp ln log log2 log10 sqrt abs sign rint floor ceil mod min max sum",
    "avg, if(condition, a, b), and table(\"file.csv\", t), linear between the points of a file.",
    "Entries that are numbers may be formulas of numbers and constants, e.g. pi/6.",
    "AC24: Acary and Collins-Craft 2024; AC23: its preprint of 2023. BBDM24: Barboteu, Bonaldi,",
    "Dumont and Mahmoud 2024. JM91: Jean and Moreau 1991."};

const char *const page_head = R"(# Parameters

<!-- Written by: percussion --print-parameters --markdown -->

A case is a parameter file (`.prm`): subsections with entries, comments from `#` to the end of the line.

    subsection Time
      set Step = 1e-5         # a comment
    end

`percussion --print-parameters` writes this reference as such a file, `percussion --print-parameters case.prm` the values
of a case.

`include FILE` reads another file at this line; the name is relative to the file that includes. Entries of an included
file can be set again after the `include`, and `--set "Time/Step=1e-5"` on the command line overrides both. Within one
file an entry is set once.

`<region>`, `<body>` and others in angle brackets below stand for names of a case. Components z are for 3D. Entries
without a default may be left out, unless their text requires them.

Units are any consistent ones: [M, L, T] are mass, length and time, [1] is none.

## Formulas

Formulas have

* the constants `pi`, `e` and the entries of the subsection `Constants`;
* the operators `+ - * / ^`, `== != < > <= >=` (1 or 0), `&& ||` and `condition ? a : b`;
* the functions `sin cos tan asin acos atan atan2`, `sinh cosh tanh asinh acosh atanh`, `exp ln log log2 log10` (`log` is the
  natural one), `sqrt abs sign`, `rint floor ceil`, `mod(a, b)` (of the sign of b), `min max sum avg` of any number of values,
  `if(condition, a, b)`;
* `table("file.csv", t)`: linear between the points of a file, with lines of two numbers, separated by commas,
  semicolons or blanks, the first ascending; `#` begins a comment, and the first line may be a header. From a file
  with several columns `table("file.csv:name", t)` takes the column of this name. Beyond the first and the last point
  a table has no value, which is an error. A relative name starts at the folder of the case.

Entries that are numbers, or lists of them, may be formulas of numbers and constants: `pi/6`, `2*mm`.

## Sources

AC24: Acary and Collins-Craft 2024; AC23: its preprint of 2023. BBDM24: Barboteu, Bonaldi, Dumont and Mahmoud 2024.
JM91: Jean and Moreau 1991.
)";

/// Returns the formula with absolute paths of its tables.
std::string make_tables_absolute(const std::string &formula, const std::filesystem::path &folder) {
  std::string result;
  std::size_t position = 0;
  for (const auto &[first, last] : files_of_tables(formula)) {
    const std::filesystem::path file = folder / formula.substr(first, last - first);
    result += formula.substr(position, first - position) +
              std::filesystem::absolute(file).lexically_normal().string();
    position = last;
  }
  return result + formula.substr(position);
}

using Json = nlohmann::ordered_json;

/// Returns the object of a parameter.
Json json_of(const ParameterDeclaration &declared) {
  const EntryMeaning &entry = *declared.entry;
  Json object = {{"path", to_string(declared.path())},
                 {"name", entry.name},
                 {"default", entry.default_value},
                 {"allowed", plain_words(*entry.pattern)},
                 {"documentation", entry.documentation}};
  if (const UsedIf &condition = entry.used_if; !condition.entry.empty())
    object["used_if"] = {{"entry", condition.entry},
                         {condition.negates ? "is_none_of" : "is_one_of", condition.values}};
  return object;
}

void write_json(std::ostream &stream, Json parameters) {
  const Json document = {{"version", PERCUSSION_VERSION}, {"parameters", std::move(parameters)}};
  stream << document.dump(2) << '\n';
}

/// True if the names are equal but for the case of letters.
bool is_same(const std::string &a, const std::string &b) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char c, char d) { return lower(c) == lower(d); });
}

/// True for a name in angle brackets, which stands for names of a case.
bool is_placeholder(const std::string &declared) {
  return declared.size() > 2 && declared.front() == '<';
}

/// True if a name in a path, or a placeholder that stands for it, is this name.
bool is_name(const std::string &declared, const std::string &name) {
  return is_placeholder(declared) || is_same(declared, name);
}

/// True if the names are the whole path, in which placeholders of subsections may be left out.
bool is_whole_path(const ParameterPath &path, const ParameterPath &names) {
  if (names.size() < 2 || !is_same(path.front(), names.front()) ||
      !is_name(path.back(), names.back()))
    return false;
  std::size_t i = 1;
  for (std::size_t k = 1; k + 1 < path.size(); ++k)
    if (i + 1 < names.size() && is_name(path[k], names[i]))
      ++i;
    else if (!is_placeholder(path[k]))
      return false;
  return i + 1 == names.size();
}

/// True if `names` are at the end of the path, or at its beginning and name a subsection.
bool is_named(const ParameterPath &path, const ParameterPath &names) {
  if (names.empty() || names.size() > path.size())
    return false;
  const auto agree_from = [&](std::size_t first) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!is_name(path[first + i], names[i]))
        return false;
    return true;
  };
  const bool is_at_end =
      is_same(path.back(), names.back()) && agree_from(path.size() - names.size());
  return is_at_end ||
         (names.size() < path.size() && is_same(path.front(), names.front()) && agree_from(0));
}

/// Returns the declarations that a path names: if it is a whole path, the parameter of this path
/// alone.
std::vector<const ParameterDeclaration *> named_parameters(const ParameterDeclarations &all,
                                                           const ParameterPath &names) {
  for (const auto agree : {is_whole_path, is_named}) {
    std::vector<const ParameterDeclaration *> found;
    for (const ParameterDeclaration &declared : all.all())
      if (agree(declared.path(), names))
        found.push_back(&declared);
    if (!found.empty())
      return found;
  }
  return {};
}

/// Returns as many words of a name as another name has.
std::string leading_words(const std::string &name, const std::string &other_name) {
  std::size_t end = 0;
  for (auto n = std::count(other_name.begin(), other_name.end(), ' ') + 1;
       n > 0 && end != std::string::npos; --n)
    end = name.find(' ', end + 1);
  return name.substr(0, end);
}

/// Returns the end of a message on a path that names no parameter: the nearest name, by its first
/// words, too; with its path if the path that was given has a section. Parameters of this section
/// come first.
std::string hint_for(const ParameterDeclarations &all, const ParameterPath &names) {
  if (names.empty())
    return "";
  std::vector<std::string> sections;
  for (const ParameterDeclaration &declared : all.all())
    sections.push_back(declared.path().front());
  const bool has_section = names.size() > 1;
  const auto section = has_section ? nearest_name(names.front(), sections) : std::nullopt;
  for (const auto &searched : {section, std::optional<std::string>()}) {
    std::vector<std::string> words, suggestions;
    for (const ParameterDeclaration &declared : all.all()) {
      const std::string &name = declared.entry->name;
      if (searched && declared.path().front() != *searched)
        continue;
      for (const std::string &word : {name, leading_words(name, names.back())}) {
        words.push_back(word);
        suggestions.push_back(has_section ? to_string(declared.path()) : name);
      }
    }
    if (const auto nearest = nearest_name(names.back(), words)) {
      const auto position = std::find(words.begin(), words.end(), *nearest) - words.begin();
      return "; did you mean '" + suggestions[static_cast<std::size_t>(position)] + "'?";
    }
  }
  return "";
}

} // namespace

void print_json(std::ostream &stream, const ParameterFile &file) {
  const Parameters parameters(declare_case(&file), file);
  parameters.problems().throw_if_any();
  Json list = Json::array();
  for (const ParameterDeclaration &declared : parameters.declarations().all()) {
    list.push_back(json_of(declared));
    list.back()["value"] = parameters.get(to_string(declared.path()));
  }
  write_json(stream, std::move(list));
}

void explain(std::ostream &stream, const std::string &path) {
  const ParameterPath names = to_path(path);
  const ParameterDeclarations declarations = declare_case(nullptr);
  const auto found = named_parameters(declarations, names);
  for (const ParameterDeclaration *const declared : found) {
    const EntryMeaning &entry = *declared->entry;
    stream << (declared == found.front() ? "" : "\n") << to_string(declared->path()) << '\n';
    for (const std::string &line :
         dealii::Utilities::break_text_into_lines(entry.documentation, 74))
      stream << "  " << line << '\n';
    stream << "  Default: " << (entry.default_value.empty() ? "empty" : entry.default_value)
           << "\n  Allowed: " << plain_words(*entry.pattern) << '\n';
    if (const UsedIf &condition = entry.used_if; !condition.entry.empty())
      stream << "  Used if: " << condition.entry << (condition.negates ? " is none of " : " is ")
             << listed(condition.values) << '\n';
  }
  if (!found.empty())
    return;
  const std::string hint = hint_for(declarations, names);
  throw InputError("there is no parameter '" + path + "'" +
                   (hint.empty() ? "; percussion --print-parameters lists all" : hint));
}

void print_reference(std::ostream &stream, ReferenceFormat format) {
  if (format == ReferenceFormat::json) {
    const ParameterDeclarations declarations = declare_case(nullptr);
    Json list = Json::array();
    for (const ParameterDeclaration &declared : declarations.all())
      list.push_back(json_of(declared));
    return write_json(stream, std::move(list));
  }
  if (format == ReferenceFormat::markdown) {
    stream << page_head;
    return print_markdown(stream, declare_case(nullptr));
  }
  stream << "# All parameters of Percussion " PERCUSSION_VERSION ".\n";
  for (const char *const line : conventions)
    stream << "# " << line << '\n';
  std::ostringstream text; // deal.II throws if it writes to a failed stream
  Parameters(declare_case(nullptr), ParameterFile::parse("", "percussion")).print(text, true);
  stream << '\n' << text.str();
}

std::string effective_parameters(ParameterFile file, bool has_documentation) {
  namespace fs = std::filesystem;
  const auto absolute = [](const fs::path &path) {
    return fs::absolute(path).lexically_normal().string();
  };
  const auto set = [&](const std::string &path, const std::string &value) {
    file.override_with(to_string(to_path(path)) + "=" + value, "absolute names");
  };
  const Parameters parameters(declare_case(&file), file);
  parameters.problems().throw_if_any();
  const fs::path folder = fs::path(file.name()).parent_path();
  std::string meshes;
  bool is_clear = true; // '#' begins a comment, ',' separates meshes
  for (const auto &mesh : dealii::Utilities::split_string_list(parameters.get("Mesh/File"), ',')) {
    const std::string path = absolute(folder / mesh);
    is_clear = is_clear && path.find_first_of("#,") == std::string::npos;
    meshes += (meshes.empty() ? "" : ", ") + path;
  }
  if (!meshes.empty() && is_clear)
    set("Mesh/File", meshes);
  if (const std::string start_folder = parameters.get("Initial state/From"); !start_folder.empty())
    set("Initial state/From", absolute(start_folder));
  for (const ParameterDeclaration &declared : parameters.declarations().all()) {
    const std::string path = to_string(declared.path()), value = parameters.get(path);
    if (names_file_of_bodies(path) && !value.empty())
      set(path, absolute(folder / value));
    else if (value.find("table") != std::string::npos)
      if (const std::string formula = make_tables_absolute(value, folder); formula != value)
        set(path, formula);
  }
  std::ostringstream text;
  Parameters(declare_case(&file), file).print(text, has_documentation);
  return text.str();
}

} // namespace percussion
