#pragma once

#include <percussion/body/space.h>

#include <array>
#include <vector>

namespace percussion {

/// Gradients of the shape functions of cells, by their nodes, from the nodes alone: a run needs no
/// cells of deal.II.
template <int dim>
class CellGradients {
public:
  static constexpr unsigned int max_nodes = dim == 2 ? 9 : 27;
  using Gradients = std::array<dealii::Tensor<1, dim>, max_nodes>;

  /// Stores a reference to the space, which must outlive this object.
  CellGradients(const Space<dim> &space, const dealii::Quadrature<dim> &rule);
  /// Returns the mean gradients of a cell, by this rule of quadrature.
  Gradients mean(unsigned int cell) const { return means(cell, false).gradients; }

  /// Returns the volume of a cell; of a body of revolution over 2 π.
  double volume(unsigned int cell, bool is_revolved) const {
    return means(cell, is_revolved).volume;
  }

  /// Mean values over the volume of a cell of revolution.
  struct Revolved {
    Gradients gradients;
    std::array<double, max_nodes> hoops; ///< N/r [1 / length]
    double volume;                       ///< volume over 2 π, ∫ r dA [length³]
  };
  /// Returns these means of a cell of an axisymmetric body.
  Revolved mean_of_revolution(unsigned int cell) const { return means(cell, true); }

private:
  /// Quadrature point of the reference cell.
  struct Point {
    double weight;
    std::array<double, max_nodes> values; ///< values of the shape functions
    Gradients gradients;
    std::array<double, 1u << dim> vertex_values; ///< values of the linear functions of the vertices
    std::array<dealii::Tensor<1, dim>, 1u << dim> vertex_gradients;
  };
  Revolved means(unsigned int cell, bool is_revolved) const;

  const Space<dim> &space;
  std::vector<Point> points;
};

} // namespace percussion
