#pragma once

#include <cstring>

namespace percussion {

/// Two numbers, processed by one instruction of every x86-64.
using Two = double __attribute__((vector_size(2 * sizeof(double))));

/// Returns the two consecutive numbers at an address.
inline Two load_two(const double *address) {
  Two two;
  std::memcpy(&two, address, sizeof two);
  return two;
}

} // namespace percussion
