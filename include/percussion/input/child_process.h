#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace percussion {

/// What a child process may take; 0: as much as it wants.
struct ChildLimits {
  std::uint64_t memory = 0;  ///< bytes beyond what this process has
  std::uint64_t seconds = 0; ///< of computing
};

/// How a child process ended, and all it sent.
struct ChildOutcome {
  int signal = 0;     ///< 0: none ended it
  bool ended = false; ///< it did its work; otherwise something called exit()
  std::string answer;
};

/// Do the work in a copy of this process and return what it says. Nothing that the copy does to
/// itself reaches this one, and it says nothing on the terminal. The work must not throw.
/// Throws RunError if no process can be made.
ChildOutcome run_in_child(const std::function<std::string()> &work, const ChildLimits &limits);

} // namespace percussion
