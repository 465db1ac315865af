// Derivatives by reverse accumulation: numbers that record the operations which made them.

#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace percussion {

/// Record of operations, in the order of their execution. Each thread has one.
class Tape {
public:
  /// Number of results that are differentiated together.
  static constexpr unsigned int width = 2;
  /// Derivatives of the results with respect to a number.
  using Adjoints = std::array<double, width>;

  /// Returns the tape of this thread.
  static Tape &current() {
    static thread_local Tape *current_tape = nullptr; // costs less than the guard of the tape
    if (current_tape == nullptr) {
      static thread_local Tape tape;
      current_tape = &tape;
    }
    return *current_tape;
  }
  /// Removes all operations. Numbers made before must not be used any more.
  void clear() { operations.resize(1); }
  /// Adds an operation with its arguments and the derivatives with respect to them; returns the
  /// index of its result. The index 0 stands for all constants.
  std::uint32_t add(std::uint32_t first, double first_slope, std::uint32_t second,
                    double second_slope) {
    operations.push_back({first, second, first_slope, second_slope});
    return static_cast<std::uint32_t>(operations.size() - 1);
  }
  /// Sets all adjoints to zero.
  void start() { adjoints.assign(operations.size(), Adjoints{}); }
  /// Adds the derivative of a result with respect to a number.
  void seed(std::uint32_t index, unsigned int result, double derivative) {
    adjoints[index][result] += derivative;
  }
  /// Computes the derivatives of the results with respect to all numbers.
  void accumulate() {
    for (std::size_t i = operations.size(); --i > 0;) {
      const Operation &operation = operations[i];
      const Adjoints adjoint = adjoints[i];
      for (unsigned int k = 0; k < width; ++k)
        adjoints[operation.first][k] += operation.first_slope * adjoint[k];
      for (unsigned int k = 0; k < width; ++k)
        adjoints[operation.second][k] += operation.second_slope * adjoint[k];
    }
  }
  const Adjoints &adjoint(std::uint32_t index) const { return adjoints[index]; }

private:
  struct Operation {
    std::uint32_t first, second;
    double first_slope, second_slope;
  };
  std::vector<Operation> operations = std::vector<Operation>(1);
  std::vector<Adjoints> adjoints;
};

/// Number on the tape of its thread, or constant.
struct Traced {
  double value = 0;
  std::uint32_t index = 0; ///< index on the tape; 0: constant

  Traced() = default;
  Traced(double constant) : value(constant) {}
  Traced(double number, std::uint32_t tape_index) : value(number), index(tape_index) {}

  /// Returns a number with respect to which results can be differentiated.
  static Traced variable(double value) { return {value, Tape::current().add(0, 0., 0, 0.)}; }
};

inline double value_of(double x) { return x; }
inline double value_of(const Traced &x) { return x.value; }

/// Returns f(a, b) with this value and these derivatives.
inline Traced traced(double value, const Traced &a, double slope_a, const Traced &b,
                     double slope_b) {
  return a.index == 0 && b.index == 0
             ? Traced(value)
             : Traced(value, Tape::current().add(a.index, slope_a, b.index, slope_b));
}
/// Returns f(a) with this value and this derivative.
inline Traced traced(double value, const Traced &a, double slope_a) {
  return traced(value, a, slope_a, Traced(), 0.);
}

inline Traced operator+(const Traced &a, const Traced &b) {
  return traced(a.value + b.value, a, 1., b, 1.);
}
inline Traced operator-(const Traced &a, const Traced &b) {
  return traced(a.value - b.value, a, 1., b, -1.);
}
inline Traced operator*(const Traced &a, const Traced &b) {
  return traced(a.value * b.value, a, b.value, b, a.value);
}
inline Traced operator/(const Traced &a, const Traced &b) {
  const double quotient = a.value / b.value;
  return traced(quotient, a, 1. / b.value, b, -quotient / b.value);
}
inline Traced operator-(const Traced &a) { return traced(-a.value, a, -1.); }
inline Traced &operator+=(Traced &a, const Traced &b) { return a = a + b; }
inline Traced &operator-=(Traced &a, const Traced &b) { return a = a - b; }
inline Traced &operator*=(Traced &a, const Traced &b) { return a = a * b; }
inline Traced &operator/=(Traced &a, const Traced &b) { return a = a / b; }
inline bool operator<(const Traced &a, const Traced &b) { return a.value < b.value; }
inline bool operator>(const Traced &a, const Traced &b) { return a.value > b.value; }
inline bool operator<=(const Traced &a, const Traced &b) { return a.value <= b.value; }
inline bool operator>=(const Traced &a, const Traced &b) { return a.value >= b.value; }
inline bool operator==(const Traced &a, const Traced &b) { return a.value == b.value; }
inline bool operator!=(const Traced &a, const Traced &b) { return a.value != b.value; }

/// Returns the root; its derivative at zero, where only distances of coincident points and covered
/// fractions at a kink have it, is zero.
inline Traced sqrt(const Traced &x) {
  const double root = std::sqrt(x.value);
  return traced(root, x, root > 0. ? 0.5 / root : 0.);
}
inline Traced abs(const Traced &x) { return x.value < 0. ? -x : x; }

} // namespace percussion
