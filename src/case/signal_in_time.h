#pragma once

#include <percussion/base/expression.h>

#include <deal.II/base/point.h>

#include <algorithm>
#include <array>
#include <vector>

namespace percussion {

/// Formula of time, evaluated at one point.
class Signal {
public:
  template <int dim>
  Signal(const Expression &formula, const dealii::Point<dim> &point) : f(formula), x{} {
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = point[d];
  }
  double operator()(double t) const { return f(t, x); }

  /// Returns the values at n + 1 evenly spaced times.
  std::vector<double> sampled(double begin, double end, unsigned int n) const {
    std::vector<double> values;
    for (unsigned int i = 0; i <= n; ++i)
      values.push_back((*this)(begin + (end - begin) * i / n));
    return values;
  }

private:
  const Expression &f;
  std::array<double, 3> x;
};

/// Returns the difference between the largest and the smallest value.
inline double range(const std::vector<double> &values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

/// Returns the index of the first of the two neighbouring values that differ most.
inline std::size_t largest_change(const std::vector<double> &values) {
  std::size_t index = 0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    if (std::abs(values[i + 1] - values[i]) > std::abs(values[index + 1] - values[index]))
      index = i;
  return index;
}

} // namespace percussion
