#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/text_search.h>
#include <percussion/input/geometry_parameters.h>
#include <percussion/input/parameters.h>
#include <percussion/input/patterns.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace percussion {
namespace {

namespace fs = std::filesystem;
using dealii::Utilities::trim;

/// Returns a geometry without comments to the ends of lines.
std::string without_comments(const std::string &script) {
  std::string code;
  for (std::size_t i = 0; i < script.size();) {
    const std::size_t comment = std::min(script.find("//", i), script.size());
    code += script.substr(i, comment - i);
    i = std::min(script.find('\n', comment), script.size());
  }
  return code;
}

/// Returns a geometry with empty texts in place of quoted ones.
std::string without_quoted(const std::string &script) {
  std::string code;
  bool is_quoted = false;
  for (const char c : script) {
    if (c == '"' || !is_quoted)
      code += c;
    is_quoted = is_quoted != (c == '"');
  }
  return code;
}

/// Returns the files that a geometry includes.
std::vector<std::string> included_files(const std::string &script) {
  const std::string command = "Include";
  std::vector<std::string> files;
  for (const std::size_t begin : find_word(script, command)) {
    const std::size_t quote = skip_blanks(script, begin + command.size());
    const std::size_t end = script.find('"', quote + 1);
    if (quote < script.size() && script[quote] == '"' && end != std::string::npos)
      files.push_back(script.substr(quote + 1, end - quote - 1));
  }
  return files;
}

/// Adds the names of numbers in a list 'name = value, name = {value, ...}' of constants.
void add_names(const std::string &list, std::vector<std::string> &names) {
  for (std::size_t i = list.find('='); i != std::string::npos; i = list.find('=', i + 1)) {
    std::size_t value = skip_blanks(list, i + 1);
    if (value < list.size() && list[value] == '{')
      value = skip_blanks(list, value + 1);
    if (value == list.size() || list[value] == '{' || list[value] == '"')
      continue;
    std::size_t end = i;
    while (end > 0 && std::isspace(static_cast<unsigned char>(list[end - 1])) != 0)
      --end;
    std::size_t begin = end;
    while (begin > 0 && is_of_word(list[begin - 1]))
      --begin;
    if (begin < end && std::isdigit(static_cast<unsigned char>(list[begin])) == 0)
      names.push_back(list.substr(begin, end - begin));
  }
}

/// Searches a geometry for the names in DefineConstant, because Gmsh 4.8 does not list them.
void collect_constants(const fs::path &file, int depth, std::vector<std::string> &names) {
  const std::string command = "DefineConstant";
  const auto content = read_file(file.string());
  if (!content || depth > 8) // files may include each other
    return;
  const std::string script = without_comments(*content), code = without_quoted(script);
  for (const std::string &included : included_files(script))
    collect_constants(file.parent_path() / included, depth + 1, names);
  for (const std::size_t begin : find_word(code, command)) {
    const std::size_t bracket = skip_blanks(code, begin + command.size());
    if (bracket < code.size() && (code[bracket] == '[' || code[bracket] == '('))
      add_names(code.substr(bracket + 1, code.find_first_of("])", bracket) - bracket - 1), names);
  }
}

} // namespace

std::map<std::string, double> geometry_parameters(const std::string &text,
                                                  const std::map<std::string, double> &constants) {
  std::map<std::string, double> parameters;
  if (trim(text).empty())
    return parameters;
  for (const std::string &item : items_between_commas(text)) {
    const std::size_t equals = item.find('=');
    const std::string name = trim(item.substr(0, equals));
    const std::string formula = equals == std::string::npos ? "" : trim(item.substr(equals + 1));
    if (name.empty() || formula.empty())
      throw InputError("'" + item +
                       "' is not of the form 'name = number'; separate several by commas");
    std::optional<double> value = to_number<double>(formula);
    try {
      if (!value)
        value = to_number<double>(evaluated(formula, constants));
    } catch (const InputError &error) {
      throw InputError("'" + item + "': " + error.what());
    }
    if (!value || !parameters.emplace(name, *value).second)
      throw InputError("'" + name + "' stands here twice; give it one value");
  }
  return parameters;
}

void check_geometry_parameters(const std::vector<std::string> &files,
                               const std::map<std::string, double> &parameters) {
  if (parameters.empty())
    return;
  std::vector<std::string> names;
  for (const std::string &file : files) {
    if (!fs::exists(file))
      return;
    std::vector<std::string> declared;
    collect_constants(file, 0, declared);
    for (const std::string &name : declared)
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  }
  for (const auto &parameter : parameters) {
    const std::string &name = parameter.first;
    if (std::find(names.begin(), names.end(), name) != names.end())
      continue;
    const std::string hint = did_you_mean(name, names);
    throw InputError("the geometry has no parameter '" + name + "'" + (hint.empty() ? "." : hint) +
                     (names.empty() ? " It declares none by DefineConstant."
                                    : " Its parameters: " + joined(names, ", ")));
  }
}

} // namespace percussion
