#pragma once

namespace percussion {

/// Velocity or force of a body in 3D, or row of a 6 × 6 block, as pairs of numbers that processors
/// add and multiply at once: compilers find no pairs in loops to six.
struct Six {
  using Pair = double __attribute__((vector_size(16)));
  Pair a, b, c;

  explicit Six(const double *x) : a(pairs(x)[0]), b(pairs(x)[1]), c(pairs(x)[2]) {}

  void store(double *x) const {
    auto *const to = reinterpret_cast<PairAnywhere *>(x);
    to[0] = a;
    to[1] = b;
    to[2] = c;
  }

  Six &scale(double factor) {
    a *= factor;
    b *= factor;
    c *= factor;
    return *this;
  }

  Six &add(double factor, const Six &other) {
    a += factor * other.a;
    b += factor * other.b;
    c += factor * other.c;
    return *this;
  }

  double dot(const Six &other) const {
    const Pair sum = a * other.a + b * other.b + c * other.c;
    return sum[0] + sum[1];
  }

private:
  using PairAnywhere = double __attribute__((vector_size(16), aligned(8), may_alias));
  static const PairAnywhere *pairs(const double *x) {
    return reinterpret_cast<const PairAnywhere *>(x);
  }
};

} // namespace percussion
