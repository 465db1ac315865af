#include <percussion/body/rotation.h>
#include <percussion/body/supports.h>

#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace percussion {
namespace {

template <std::size_t n>
using Matrix = std::array<std::array<double, n>, n>;

/// Returns the motion, in words, that a matrix of (displacements, rotations) resists by less than
/// round-off; empty if there is none.
std::string missing_components(const Matrix<3> &matrix) {
  dealii::SymmetricTensor<2, 3> sensed;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = i; j < 3; ++j)
      sensed[i][j] = matrix[i][j];
  if (sensed[0][0] == 0 || sensed[1][1] == 0)
    return std::string("move in the direction ") + (sensed[0][0] == 0 ? "x" : "y");
  if (dealii::determinant(sensed) <= 1e-12 * sensed[0][0] * sensed[1][1])
    return "rotate";
  return {};
}

std::string missing_components(const Matrix<6> &sensed) {
  for (unsigned int d = 0; d < 3; ++d)
    if (sensed[d][d] == 0)
      return std::string("move in the direction ") + "xyz"[d];
  dealii::LAPACKFullMatrix<double> matrix(6, 6);
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      matrix(i, j) = sensed[i][j];
  matrix.compute_eigenvalues();
  double smallest = std::numeric_limits<double>::max(), largest = 0;
  for (unsigned int i = 0; i < 6; ++i) {
    smallest = std::min(smallest, std::abs(matrix.eigenvalue(i)));
    largest = std::max(largest, std::abs(matrix.eigenvalue(i)));
  }
  return smallest <= 1e-12 * largest ? "rotate" : "";
}

} // namespace

template <int dim>
Supports<dim>::Supports(const System<dim> &bodies, const Preload &preload)
    : held(bodies.n_dofs(), false) {
  for (const unsigned int dof : bodies.motion.dofs())
    held[dof] = true;
  for (const auto &displacement : preload.displacements)
    held[displacement.first] = true;
}

template <int dim>
void Supports<dim>::add(const Trace<dim> &trace) {
  for (const unsigned int dof : trace.dofs())
    held[dof] = true;
}

/// Returns a free motion. A held degree of freedom resists a motion a + w × x by its row of (1, 0,
/// −y), (0, 1, x); motions that no row resists are free. Positions are relative to the first node
/// of the component, divided by its size.
template <int dim>
std::string Supports<dim>::free_motion(const ElasticBody<dim> &body) const {
  const Space<dim> &space = body.space;
  constexpr int n_motions = dim + n_rotations<dim>;
  const auto &component = space.component;
  for (unsigned int root = 0; root < component.size(); ++root) {
    if (component[root] != root)
      continue;
    const auto &origin = space.nodes[root];
    double size = 0;
    for (unsigned int node = 0; node < component.size(); ++node)
      if (component[node] == root)
        size = std::max(size, space.nodes[node].distance(origin));
    Matrix<n_motions> sensed{};
    for (unsigned int node = 0; node < component.size(); ++node)
      for (unsigned int d = 0; component[node] == root && d < dim; ++d)
        if (held[space.node_dofs[node][d]]) {
          const auto rotations =
              levers<dim>(dealii::Tensor<1, dim>((space.nodes[node] - origin) / size))[d];
          std::array<double, n_motions> row{};
          row[d] = 1;
          for (unsigned int r = 0; r < n_rotations<dim>; ++r)
            row[dim + r] = rotations[r];
          for (unsigned int i = 0; i < n_motions; ++i)
            for (unsigned int j = 0; j < n_motions; ++j)
              sensed[i][j] += row[i] * row[j];
        }
    if (body.materials.are_axisymmetric()) {
      if (sensed[1][1] == 0)
        return "move along the axis";
    } else if (const std::string motion = missing_components(sensed); !motion.empty())
      return motion;
  }
  return {};
}

template <int dim>
std::pair<std::size_t, std::size_t> Supports<dim>::components(const ElasticBody<dim> &body) const {
  std::map<unsigned int, bool> is_held;
  for (unsigned int node = 0; node < body.space.n_nodes(); ++node)
    for (const unsigned int dof : body.space.node_dofs[node]) {
      bool &component = is_held[body.space.component[node]];
      component = component || held[dof];
    }
  const auto n_loose = std::count_if(is_held.begin(), is_held.end(),
                                     [](const auto &component) { return !component.second; });
  return {is_held.size(), static_cast<std::size_t>(n_loose)};
}

template class Supports<2>;
template class Supports<3>;

} // namespace percussion
