#pragma once

#include <percussion/material/plane.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace percussion {

constexpr double round_off = std::numeric_limits<double>::epsilon();

/// Indices of the independent components of a 2D tensor.
constexpr std::array<std::array<unsigned int, 2>, 3> pairs = {{{{0, 0}}, {{1, 1}}, {{0, 1}}}};

inline PlaneTensor tensor(double xx, double yy, double xy) {
  PlaneTensor C;
  C[0][0] = xx;
  C[1][1] = yy;
  C[0][1] = xy;
  return C;
}

inline double smallest_eigenvalue(const PlaneTensor &C) {
  return 0.5 * trace(C) - std::hypot(0.5 * (C[0][0] - C[1][1]), C[0][1]);
}

/// Returns positive definite C: the reference, states close to it, and moderately and strongly
/// stretched and compressed states (principal values from 0.05 to 20).
inline std::vector<PlaneTensor> states() {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> entry(-1., 1.);
  std::vector<PlaneTensor> list = {tensor(1, 1, 0), tensor(2.5, 0.4, 0.3), tensor(0.3, 0.5, -0.1)};
  for (const double size : {1e-6, 1e-3, 0.1, 1.}) {
    for (int k = 0; k < 8; ++k) {
      const double angle = 3. * entry(generator), c = std::cos(angle), s = std::sin(angle);
      const double a = std::pow(20., size * entry(generator)),
                   b = std::pow(20., size * entry(generator));
      list.push_back(tensor(a * c * c + b * s * s, a * s * s + b * c * c, (a - b) * c * s));
    }
  }
  // makes C − I, the argument of the laws, exact
  const double last_digit = std::ldexp(1., -48);
  for (auto &C : list)
    for (const auto &[i, j] : pairs)
      C[i][j] = last_digit * std::round(C[i][j] / last_digit);
  return list;
}

/// Returns small A = C − I of this norm, with a determinant of C above 1, below 1 and, to first
/// order, equal to 1.
inline std::vector<PlaneTensor> small_strains(double norm) {
  std::vector<PlaneTensor> list = {tensor(1, 1, 0),      tensor(-1, -1, 0),    tensor(1, -1, 0),
                                   tensor(0, 0, 1),      tensor(1, 0, 0),      tensor(0, -1, 0),
                                   tensor(1, -0.3, 0.7), tensor(0.2, 0.3, 0.1)};
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> entry(-1., 1.);
  for (int k = 0; k < 16; ++k)
    list.push_back(tensor(entry(generator), entry(generator), entry(generator)));
  for (auto &A : list)
    A *= norm / A.norm();
  return list;
}

/// Returns the derivative of f at C if C[i][j] and C[j][i] change together, by differences of
/// fourth order.
template <typename Function>
auto slope(const Function &f, const PlaneTensor &C, const std::array<unsigned int, 2> &ij,
           double step) {
  const auto at = [&](double size) {
    PlaneTensor moved = C;
    moved[ij[0]][ij[1]] += size;
    return f(moved);
  };
  return (8. * (at(step) - at(-step)) - (at(2. * step) - at(-2. * step))) / (12. * step);
}

/// Returns the multiplicity of a component in a double contraction: 2 for a symmetric pair.
inline double multiplicity(const std::array<unsigned int, 2> &ij) {
  return ij[0] == ij[1] ? 1. : 2.;
}

} // namespace percussion
