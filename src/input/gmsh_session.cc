#include "gmsh_session.h"

#include <percussion/base/confinement.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/text_search.h>

#include <gmsh.h>

#include <filesystem>
#include <sstream>

namespace percussion {
namespace {

const char *const remedy = "; mesh it yourself if you trust it (gmsh -2 case.geo, in 3D gmsh -3), "
                           "and give the .msh file";

/// Returns the first denial of this process; empty if there was none. Gmsh logs that no shell
/// answers if it cannot start a process.
std::string denied_action() {
  for (const std::string &error : logged("Error: "))
    if (error.find("/bin/sh") != std::string::npos)
      return "start a program";
  return first_denial();
}

/// True for a line of a geometry with a command that starts programs or writes files.
bool has_denied_command(const std::string &line) {
  for (const char *const command : {"SystemCall", "OnelabRun", "CreateDir"})
    if (line.find(command) != std::string::npos)
      return true;
  const std::size_t printf = line.find("Printf");
  return !find_word(line, "Save").empty() || !find_word(line, "Print").empty() ||
         (printf != std::string::npos && line.find('>', printf) < line.find(';', printf));
}

/// Returns the line of a geometry, with its number, that has the command of a denied action; empty
/// if the command is in an included file.
std::string denied_line(const std::string &file, const std::string &action) {
  const auto quote = action.find('\''), end = action.rfind('\'');
  const std::string name =
      quote == std::string::npos
          ? ""
          : std::filesystem::path(action.substr(quote + 1, end - quote - 1)).filename().string();
  std::istringstream text(read_file(file).value_or(""));
  std::string found;
  unsigned int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const std::string code = line.substr(0, line.find("//"));
    const bool has_name = !name.empty() && line.find(name) != std::string::npos;
    if (has_name || (found.empty() && has_denied_command(code)))
      found = "line " + std::to_string(number) + ": " + line;
    if (has_name)
      break;
  }
  return found;
}

} // namespace

void start_gmsh(bool reads_geometry) {
  if (!confine_process() && reads_geometry)
    throw InputError(
        "this system cannot keep the commands of a geometry from starting programs and writing "
        "files (it has no filter of system calls)" +
        std::string(remedy));
  gmsh::initialize(0, nullptr, false);
  forget_denials(); // of Gmsh's own settings, which it would write into the home folder
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::option::setNumber("Mesh.RandomSeed", 1);
  gmsh::logger::start();
}

std::vector<std::string> logged(const std::string &label) {
  std::vector<std::string> log, lines;
  gmsh::logger::get(log);
  for (const auto &line : log)
    if (line.rfind(label, 0) == 0)
      lines.push_back(line.substr(label.size()));
  return lines;
}

void expect_success(const std::string &failure, const std::string &file,
                    const std::function<void()> &action) {
  std::string reason;
  try {
    action();
  } catch (const std::exception &error) {
    reason = error.what();
  } catch (...) { // Gmsh logs the text of its exceptions
    reason = "no reason given";
  }
  if (const std::string denied = denied_action(); !denied.empty()) {
    const std::string line = denied_line(file, denied);
    throw InputError("a geometry may read regular files only, and this one wants to " + denied +
                     (line.empty() ? "" : " (" + line + ")") + remedy);
  }
  if (const auto errors = logged("Error: "); !errors.empty())
    reason = errors.front();
  if (!reason.empty())
    throw InputError(failure + " (" + reason + ")");
}

} // namespace percussion
