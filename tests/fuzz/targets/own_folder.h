#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace fuzz {

/// Returns a folder in memory for this process: readers also open files beside the file that they
/// read.
inline std::filesystem::path own_folder() {
  const char *const given = std::getenv("TMPDIR");
  const auto folder = std::filesystem::path(given ? given : "/dev/shm") /
                      ("percussion_fuzz_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  return folder;
}

} // namespace fuzz
