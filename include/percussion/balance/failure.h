#pragma once

#include <optional>
#include <string>

namespace percussion {

/// Failure of an attempt at a substep, which a shorter substep may cure: std::optional<Failure> has
/// no value after a success. A RunError ends the run.
struct Failure {
  std::string reason;        ///< clause for messages, without a full stop
  bool is_of_length = false; ///< true if a shorter correction of the velocities may not fail
};

} // namespace percussion
