#include <percussion/run/case.h>
#include <percussion/run/effective_parameters.h>

#include <filesystem>
#include <sstream>

namespace percussion {

std::string effective_parameters(ParameterFile file, bool with_documentation) {
  namespace fs = std::filesystem;
  const Parameters given(declare_case(&file), file);
  given.problems().throw_if_any();
  const fs::path mesh = given.get("Mesh/File"), folder = fs::path(file.name()).parent_path();
  if (!mesh.empty()) {
    const std::string path = fs::absolute(folder / mesh).lexically_normal().string();
    if (path.find('#') == std::string::npos) // would begin a comment
      file.override_with("Mesh/File=" + path);
  }
  std::ostringstream text;
  Parameters(declare_case(&file), file).print(text, with_documentation);
  return text.str();
}

} // namespace percussion
