// Positions of points, as they are or as variables of a tape.

#pragma once

#include <deal.II/base/point.h>

#include "traced.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace percussion {

/// Points and vectors: derivatives of a gap with respect to the positions of the points.
template <int dim>
using PointGradients = std::vector<std::pair<unsigned int, dealii::Tensor<1, dim>>>;

/// Adds the derivative with respect to a point; the points stay in ascending order.
template <int dim>
void add_gradient(PointGradients<dim> &gradients, unsigned int point,
                  const dealii::Tensor<1, dim> &gradient) {
  const auto position =
      std::lower_bound(gradients.begin(), gradients.end(), point,
                       [](const auto &entry, unsigned int i) { return entry.first < i; });
  if (position != gradients.end() && position->first == point)
    position->second += gradient;
  else
    gradients.insert(position, {point, gradient});
}

/// Positions of the points of a line or surface.
template <int dim, typename Number>
class Coordinates;

template <int dim>
class Coordinates<dim, double> {
public:
  /// Stores a reference.
  explicit Coordinates(const std::vector<dealii::Point<dim>> &all_points) : points(all_points) {}
  const dealii::Point<dim> &operator[](unsigned int i) const { return points[i]; }

private:
  const std::vector<dealii::Point<dim>> &points;
};

/// Positions as variables of the tape, from the first use of a point on.
template <int dim>
class Coordinates<dim, Traced> {
public:
  /// Stores a reference.
  explicit Coordinates(const std::vector<dealii::Point<dim>> &all_points) : points(all_points) {}

  dealii::Point<dim, Traced> operator[](unsigned int i) const {
    for (const auto &[point, x] : variables)
      if (point == i)
        return x;
    dealii::Point<dim, Traced> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = Traced::variable(points[i][d]);
    variables.emplace_back(i, x);
    return x;
  }

  /// Adds the derivatives of a result of the tape with respect to the points used.
  void add_gradients(unsigned int result, PointGradients<dim> &gradients) const {
    for (const auto &[point, x] : variables) {
      dealii::Tensor<1, dim> gradient;
      for (unsigned int d = 0; d < dim; ++d)
        gradient[d] = Tape::current().adjoint(x[d].index)[result];
      add_gradient(gradients, point, gradient);
    }
  }

private:
  const std::vector<dealii::Point<dim>> &points;
  mutable std::vector<std::pair<unsigned int, dealii::Point<dim, Traced>>> variables;
};

} // namespace percussion
