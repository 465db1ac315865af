#include <percussion/case/case.h>
#include <percussion/case/effective_parameters.h>

#include <deal.II/base/utilities.h>

#include <filesystem>
#include <regex>
#include <sstream>

namespace percussion {

namespace {

const std::string option = "absolute names";

/// Returns the formula with absolute paths of its tables.
std::string with_absolute_tables(const std::string &formula, const std::filesystem::path &folder) {
  static const std::regex call(R"re((\btable\s*\(\s*")([^"]*))re");
  std::string result;
  auto position = formula.cbegin();
  for (std::smatch found; std::regex_search(position, formula.cend(), found, call);
       position = found[0].second)
    result += found.prefix().str() + found[1].str() +
              std::filesystem::absolute(folder / found[2].str()).lexically_normal().string();
  return result + std::string(position, formula.cend());
}

} // namespace

std::string effective_parameters(ParameterFile file, bool with_documentation) {
  namespace fs = std::filesystem;
  const Parameters parameters(declare_case(&file), file);
  parameters.problems().throw_if_any();
  const fs::path folder = fs::path(file.name()).parent_path();
  std::string meshes;
  bool is_clear = true; // '#' begins a comment, ',' separates meshes
  for (const auto &mesh : dealii::Utilities::split_string_list(parameters.get("Mesh/File"), ',')) {
    const std::string path = fs::absolute(folder / mesh).lexically_normal().string();
    is_clear = is_clear && path.find_first_of("#,") == std::string::npos;
    meshes += (meshes.empty() ? "" : ", ") + path;
  }
  if (!meshes.empty() && is_clear)
    file.override_with("Mesh/File=" + meshes, option);
  if (const std::string start_folder = parameters.get("Initial state/From"); !start_folder.empty())
    file.override_with(
        "Initial state/From=" + fs::absolute(start_folder).lexically_normal().string(), option);
  for (const ParameterDeclaration &declared : parameters.declarations().all()) {
    const std::string path = to_string(declared.path()), value = parameters.get(path);
    if (names_file_of_bodies(path) && !value.empty())
      file.override_with(to_string(to_path(path)) + "=" +
                             fs::absolute(folder / value).lexically_normal().string(),
                         option);
    else if (value.find("table") != std::string::npos)
      if (const std::string absolute = with_absolute_tables(value, folder); absolute != value)
        file.override_with(to_string(to_path(path)) + "=" + absolute, option);
  }
  std::ostringstream text;
  Parameters(declare_case(&file), file).print(text, with_documentation);
  return text.str();
}

} // namespace percussion
