#pragma once

#include <optional>
#include <string>

namespace percussion {

/// Failure of an attempt at a substep. A function that may fail inside a step returns
/// std::optional<Failure>, which has no value if the function has succeeded.
struct Failure {
  std::string reason; ///< clause for messages, without a full stop
};

} // namespace percussion
