#pragma once

#include <percussion/base/error.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdlib.h>
#include <string>

namespace percussion::test {

/// An empty folder, removed with its contents at the end of its lifetime.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string name = std::filesystem::temp_directory_path() / "percussion-test-XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~ScratchFolder() { std::filesystem::remove_all(path); }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  std::string operator/(const std::string &name) const { return (path / name).string(); }

  /// Returns the number of files and folders in it.
  std::size_t n_entries() const {
    const std::filesystem::directory_iterator begin(path), end;
    return static_cast<std::size_t>(std::distance(begin, end));
  }

  std::filesystem::path path;
};

inline std::string content_of(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::string &file, const std::string &content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// Returns the message of a RunError; empty if there is none.
inline std::string error_of(const std::function<void()> &action) {
  try {
    action();
  } catch (const RunError &error) {
    return error.what();
  }
  return "";
}

} // namespace percussion::test
