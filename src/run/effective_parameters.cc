#include <percussion/run/case.h>
#include <percussion/run/effective_parameters.h>

#include <deal.II/base/utilities.h>

#include <filesystem>
#include <sstream>

namespace percussion {

std::string effective_parameters(ParameterFile file, bool with_documentation) {
  namespace fs = std::filesystem;
  const Parameters given(declare_case(&file), file);
  given.problems().throw_if_any();
  const fs::path folder = fs::path(file.name()).parent_path();
  std::string meshes;
  bool is_clear = true; // '#' would begin a comment, ',' another mesh
  for (const auto &mesh : dealii::Utilities::split_string_list(given.get("Mesh/File"), ',')) {
    const std::string path = fs::absolute(folder / mesh).lexically_normal().string();
    is_clear = is_clear && path.find_first_of("#,") == std::string::npos;
    meshes += (meshes.empty() ? "" : ", ") + path;
  }
  if (!meshes.empty() && is_clear)
    file.override_with("Mesh/File=" + meshes, "absolute names");
  std::ostringstream text;
  Parameters(declare_case(&file), file).print(text, with_documentation);
  return text.str();
}

} // namespace percussion
