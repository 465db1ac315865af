#pragma once

#include <cstring>

namespace percussion {

/// Two numbers at once, as every x86-64 computes them.
using Two = double __attribute__((vector_size(2 * sizeof(double))));

/// Those that follow each other from here on.
inline Two load_two(const double *from) {
  Two two;
  std::memcpy(&two, from, sizeof two);
  return two;
}

} // namespace percussion
