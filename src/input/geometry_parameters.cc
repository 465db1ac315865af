#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/nearest_name.h>
#include <percussion/input/geometry_parameters.h>
#include <percussion/input/parameters.h>
#include <percussion/input/patterns.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <filesystem>
#include <regex>

namespace percussion {
namespace {

namespace fs = std::filesystem;
using dealii::Utilities::trim;

std::vector<std::smatch> matches(const std::string &text, const std::regex &pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

/// Searches a geometry for the names in DefineConstant, because Gmsh 4.8 does not list them.
void collect_constants(const fs::path &file, int depth, std::vector<std::string> &names) {
  static const std::regex comment("//[^\n]*"), quoted("\"[^\"]*\""),
      include("Include\\s*\"([^\"]*)\""), constants("DefineConstant\\s*[\\[(]([^\\])]*)"),
      name("([A-Za-z_]\\w*)\\s*=\\s*\\{?\\s*[^\\s{\"]");
  const auto content = read_file(file.string());
  if (!content || depth > 8) // files may include each other
    return;
  const std::string script = std::regex_replace(*content, comment, "");
  for (const auto &found : matches(script, include))
    collect_constants(file.parent_path() / found[1].str(), depth + 1, names);
  const std::string code = std::regex_replace(script, quoted, "\"\"");
  for (const auto &list : matches(code, constants)) {
    const std::string items = list[1];
    for (const auto &found : matches(items, name))
      names.push_back(found[1]);
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
