#pragma once

#include <percussion/algebra/vector.h>

#include <cstring>

namespace percussion::test {

inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline bool same_bits(const Vector &a, const Vector &b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

} // namespace percussion::test
