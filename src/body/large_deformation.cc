#include <percussion/base/instantiate.h>
#include <percussion/body/cell_gradients.h>
#include <percussion/body/large_deformation.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

constexpr double most_degrees = 5, most_stretch = 0.1, most_stretch_of_turned = 0.2;

/// Polar decomposition in 2D: with F = (a b; c d), tan angle = (c − b)/(a + d), and the principal
/// stretches are half the sum and difference of |(a + d, c − b)| and |(a − d, b + c)|.
LargeDeformation<2> deformation(const dealii::Tensor<2, 2> &F, const dealii::Point<2> &centre) {
  const double stretch_sum = std::hypot(F[0][0] + F[1][1], F[1][0] - F[0][1]),
               distortion = std::hypot(F[0][0] - F[1][1], F[0][1] + F[1][0]);
  const double larger = 0.5 * (stretch_sum + distortion),
               smaller = 0.5 * (stretch_sum - distortion);
  const double angle = std::atan2(F[1][0] - F[0][1], F[0][0] + F[1][1]);
  return {centre, std::abs(angle) * 180. / dealii::numbers::PI,
          std::max(std::abs(larger - 1.), std::abs(smaller - 1.)), smaller <= 0., false};
}

/// F = R U from the eigenvectors of U² = Fᵀ F; R turns by the angle whose sine is half the length
/// of its axial vector.
LargeDeformation<3> deformation(const dealii::Tensor<2, 3> &F, const dealii::Point<3> &centre) {
  const dealii::SymmetricTensor<2, 3> U_squared = symmetrize(transpose(F) * F);
  dealii::Tensor<2, 3> inverse_of_U;
  double stretch = 0;
  for (const auto &[square, axis] : eigenvectors(U_squared)) {
    const double length = std::sqrt(std::max(square, std::numeric_limits<double>::min()));
    inverse_of_U += outer_product(axis, axis) / length;
    stretch = std::max(stretch, std::abs(length - 1.));
  }
  const dealii::Tensor<2, 3> R = F * inverse_of_U;
  const dealii::Tensor<1, 3> axial({R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]});
  const double angle = std::atan2(0.5 * axial.norm(), 0.5 * (trace(R) - 1.));
  return {centre, angle * 180. / dealii::numbers::PI, stretch, determinant(F) <= 0., false};
}

/// Returns a measure of the deformation that is 1 at the limit of the law.
template <int dim>
double severity(const LargeDeformation<dim> &d) {
  return d.law_bears_rotation ? d.stretch / most_stretch_of_turned
                              : std::max(d.angle / most_degrees, d.stretch / most_stretch);
}

/// True if the nodes of a cell have so nearly the same displacement that the cell is far from the
/// limits: gradients are at most relative displacements over the heights of the cell, which are at
/// least a tenth of its edges.
template <int dim>
bool is_hardly_deformed(const Space<dim> &space, unsigned int cell, const double *q) {
  constexpr double small = 0.005; // of an edge
  const unsigned int *const nodes = space.nodes_of(cell);
  const auto &first = space.node_dofs[nodes[0]];
  double largest = 0, shortest = std::numeric_limits<double>::max();
  for (unsigned int v = 0; v < space.nodes_per_cell(); ++v) {
    for (unsigned int i = 0; i < dim; ++i)
      largest = std::max(largest, std::abs(q[space.node_dofs[nodes[v]][i]] - q[first[i]]));
    for (unsigned int w = 0; w < v && v < space.vertices_per_cell(); ++w)
      shortest = std::min(shortest, space.nodes[nodes[v]].distance_square(space.nodes[nodes[w]]));
  }
  return largest < small * std::sqrt(shortest);
}

template <int dim>
dealii::Point<dim> centre_of(const Space<dim> &space, unsigned int cell) {
  dealii::Tensor<1, dim> sum;
  for (unsigned int v = 0; v < space.vertices_per_cell(); ++v)
    sum += space.nodes[space.nodes_of(cell)[v]];
  return dealii::Point<dim>(sum / space.vertices_per_cell());
}

/// Takes the hoop stretch 1 + u_r/r at the centre of a cell into account.
template <int dim>
void add_hoop_stretch(const Space<dim> &space, unsigned int cell, const Vector &q,
                      LargeDeformation<dim> &result) {
  double displacement = 0;
  for (unsigned int v = 0; v < space.vertices_per_cell(); ++v)
    displacement += q[space.node_dofs[space.nodes_of(cell)[v]][0]] / space.vertices_per_cell();
  const double strain = displacement / result.centre[0];
  result.stretch = std::max(result.stretch, std::abs(strain));
  result.is_inverted = result.is_inverted || strain <= -1.;
}

} // namespace

template <int dim>
std::optional<LargeDeformation<dim>> beyond_linear_law(const ElasticBody<dim> &body,
                                                       const Vector &q) {
  const Space<dim> &space = body.space;
  const CellGradients<dim> gradients(
      space, dealii::Quadrature<dim>(space.element.reference_cell().template barycenter<dim>()));
  std::optional<LargeDeformation<dim>> worst;
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell) {
    const auto &law = body.materials.list[body.materials.number(cell)].finite_strain;
    if (law && !std::holds_alternative<StVenantKirchhoff>(law->law()))
      continue;
    if (!body.materials.are_axisymmetric() && is_hardly_deformed(space, cell, q.data()))
      continue;
    const auto mean_gradients = gradients.mean(cell);
    dealii::Tensor<2, dim> F = dealii::unit_symmetric_tensor<dim>();
    for (unsigned int v = 0; v < space.nodes_per_cell(); ++v)
      for (unsigned int i = 0; i < dim; ++i)
        F[i] += q[space.node_dofs[space.nodes_of(cell)[v]][i]] * mean_gradients[v];
    auto result = deformation(F, centre_of(space, cell));
    if (body.materials.are_axisymmetric())
      add_hoop_stretch(space, cell, q, result);
    result.law_bears_rotation = law.has_value();
    if (severity(result) > (worst ? severity(*worst) : 1.))
      worst = result;
  }
  return worst;
}

PERCUSSION_INSTANTIATE(beyond_linear_law);

} // namespace percussion
