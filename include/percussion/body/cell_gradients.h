#pragma once

#include <percussion/body/space.h>

#include <array>
#include <vector>

namespace percussion {

/// Gradients of the shape functions of cells, by corners, from the nodes alone: a run needs no
/// cells of deal.II.
template <int dim>
class CellGradients {
public:
  using Gradients = std::array<dealii::Tensor<1, dim>, 1u << dim>;

  /// Stores a reference to the space, which must outlive this object.
  CellGradients(const Space<dim> &space, const dealii::Quadrature<dim> &rule);
  /// Returns the mean gradients of a cell, by this rule of quadrature.
  Gradients mean(unsigned int cell) const;

private:
  /// Quadrature point of the reference cell.
  struct Point {
    double weight;
    Gradients gradients;
  };
  const Space<dim> &space;
  std::vector<Point> points;
};

} // namespace percussion
