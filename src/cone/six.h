#pragma once

namespace percussion {

/// Velocity or force of a body in 3D, or row of a 6 × 6 block, as pairs of numbers that processors
/// add and multiply at once: compilers find no pairs in loops to six.
struct Six {
  using Pair = double __attribute__((vector_size(16)));
  Pair a, b, c;

  explicit Six(const double *x) : a(pairs(x)[0]), b(pairs(x)[1]), c(pairs(x)[2]) {}

  void store(double *x) const {
    auto *const target = reinterpret_cast<PairAnywhere *>(x);
    target[0] = a;
    target[1] = b;
    target[2] = c;
  }

  Six &scale(double factor) {
    a *= factor;
    b *= factor;
    c *= factor;
    return *this;
  }

  Six &add(double factor, const Six &second) {
    a += factor * second.a;
    b += factor * second.b;
    c += factor * second.c;
    return *this;
  }

  double dot(const Six &second) const {
    const Pair sum = a * second.a + b * second.b + c * second.c;
    return sum[0] + sum[1];
  }

private:
  using PairAnywhere = double __attribute__((vector_size(16), aligned(8), may_alias));
  static const PairAnywhere *pairs(const double *x) {
    return reinterpret_cast<const PairAnywhere *>(x);
  }
};

} // namespace percussion
