#pragma once

#include <percussion/base/error.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

namespace fuzz {

/// Runs the action. It may end or refuse its input with an InputError; every other outcome is a
/// finding.
template <typename Action>
void expect_input_error(const Action &action) {
  try {
    action();
  } catch (const percussion::InputError &) {
  } catch (const std::exception &error) {
    std::cerr << "finding: not an InputError: " << error.what() << '\n';
    std::abort();
  }
}

} // namespace fuzz
