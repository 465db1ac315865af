#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace fuzz {

/// A folder in memory of this process alone: readers also look at what stands beside a file.
inline std::filesystem::path own_folder() {
  const char *const given = std::getenv("TMPDIR");
  const auto folder = std::filesystem::path(given ? given : "/dev/shm") /
                      ("percussion_fuzz_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  return folder;
}

} // namespace fuzz
