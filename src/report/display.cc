#include <percussion/base/error.h>
#include <percussion/report/display.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace percussion::report {
namespace {
/// Set in the environment of the second start to prevent a third.
constexpr const char *guard = "PERCUSSION_REPORT_XVFB";
} // namespace

bool display_answers() {
  const char *name = std::getenv("DISPLAY");
  if (name == nullptr || *name == '\0')
    return false;
  // VTK would abort the program where no server answers. The X library that VTK has loaded is
  // asked, so that this file needs none of its own.
  using Open = void *(*)(const char *);
  const auto open = reinterpret_cast<Open>(dlsym(RTLD_DEFAULT, "XOpenDisplay"));
  return open == nullptr || open(name) != nullptr;
}

void ensure_display(char **arguments) {
  if (display_answers())
    return;
  if (std::getenv(guard) != nullptr)
    throw RunError("there is no X display to draw on, not even under xvfb-run");
  setenv(guard, "1", 1);

  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words = {"xvfb-run", "-a", self};
  for (char **argument = arguments + 1; *argument != nullptr; ++argument)
    words.emplace_back(*argument);
  std::vector<char *> pointers;
  for (auto &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  throw RunError(std::string("there is no X display to draw on, and xvfb-run cannot be started (") +
                 std::strerror(errno) +
                 "): install it (Debian: apt install xvfb xauth) or set DISPLAY");
}

} // namespace percussion::report
