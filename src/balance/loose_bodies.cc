#include "loose_bodies.h"

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Smallest ratio of zᵀ Â z to zᵀ diag(Â) z, for rigid motions z of a body, at which Â needs no
/// additions [1]. The relative error of percussions is machine precision divided by this ratio.
constexpr double min_ratio = 1e-8;

template <int dim>
constexpr unsigned int n_motions = dim + dim *(dim - 1) / 2;
template <int dim>
using Motions = std::array<double, n_motions<dim>>;

/// Returns the velocities of a degree of freedom in the rigid motions of a body about `centre`.
template <int dim>
Motions<dim> rigid_velocities(const dealii::Tensor<1, dim> &x, unsigned int component) {
  Motions<dim> velocities{};
  velocities[component] = 1.;
  for (unsigned int a = 0, k = dim; a < dim; ++a)
    for (unsigned int b = a + 1; b < dim; ++b, ++k)
      velocities[k] = component == a ? -x[b] : component == b ? x[a] : 0.;
  return velocities;
}

/// Returns the velocities of all elastic degrees of freedom in the rigid motions of their bodies
/// about the means of the nodes; zero for prescribed degrees of freedom.
template <int dim>
std::vector<Motions<dim>> rigid_velocities(const System<dim> &system) {
  std::vector<Motions<dim>> Z(system.n_elastic_dofs(), Motions<dim>{});
  for (const auto &body : system.elastic) {
    dealii::Tensor<1, dim> centre;
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i)
      centre += body->space.nodes[i] / static_cast<double>(body->space.n_nodes());
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i)
      for (unsigned int d = 0; d < dim; ++d)
        if (const unsigned int dof = body->space.node_dofs[i][d]; !system.motion.is_prescribed(dof))
          Z[dof] = rigid_velocities<dim>(body->space.nodes[i] - centre, d);
  }
  return Z;
}

/// Returns Zᵀ Â Z of a body, scaled to zᵀ diag(Â) z = 1; rows of prescribed motions are zero.
template <int dim>
std::array<Motions<dim>, n_motions<dim>>
scaled_rigid_matrix(const ElasticBody<dim> &body, const std::vector<Motions<dim>> &Z,
                    const MatrixRows &A, const Operators &operators) {
  const bool is_divided = operators.rows == StoredRows::owned;
  std::array<Motions<dim>, n_motions<dim>> G{};
  Motions<dim> diagonal_sum{};
  for (unsigned int i = 0; i < body.space.n_nodes(); ++i)
    for (const unsigned int dof : body.space.node_dofs[i]) {
      if (is_divided && !operators.partition.owns(dof))
        continue;
      const SparseRow entries = A.row(dof);
      Motions<dim> AZ{};
      double diagonal = 0;
      for (int e = 0; e < entries.size; ++e) {
        if (entries.column[e] == static_cast<int>(dof))
          diagonal = entries.value[e];
        for (unsigned int k = 0; k < n_motions<dim>; ++k)
          AZ[k] += entries.value[e] * Z[static_cast<unsigned int>(entries.column[e])][k];
      }
      for (unsigned int k = 0; k < n_motions<dim>; ++k) {
        diagonal_sum[k] += diagonal * Z[dof][k] * Z[dof][k];
        for (unsigned int l = 0; l < n_motions<dim>; ++l)
          G[k][l] += Z[dof][k] * AZ[l];
      }
    }
  if (is_divided) {
    operators.partition.add_up(G.front().data(), G.size() * G.size());
    operators.partition.add_up(diagonal_sum.data(), diagonal_sum.size());
  }
  for (unsigned int k = 0; k < n_motions<dim>; ++k)
    for (unsigned int l = 0; l < n_motions<dim>; ++l) {
      const double scale = std::sqrt(diagonal_sum[k] * diagonal_sum[l]);
      G[k][l] = scale > 0. ? G[k][l] / scale : 0.;
    }
  return G;
}

/// Returns the smallest pivot of a symmetric matrix, with the largest pivots first: approximately
/// the smallest eigenvalue. Rows of zeros are skipped.
template <std::size_t n>
double least_pivot(std::array<std::array<double, n>, n> G) {
  double least = 1.;
  std::array<bool, n> is_done{};
  for (std::size_t k = 0; k < n; ++k)
    is_done[k] = G[k][k] == 0.;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t p = n;
    for (std::size_t k = 0; k < n; ++k)
      if (!is_done[k] && (p == n || G[k][k] > G[p][p]))
        p = k;
    if (p == n)
      break;
    is_done[p] = true;
    least = std::min(least, G[p][p]);
    if (!(G[p][p] > 0.))
      break;
    for (std::size_t k = 0; k < n; ++k)
      if (const double factor = G[k][p] / G[p][p]; !is_done[k])
        for (std::size_t l = 0; l < n; ++l)
          G[k][l] -= factor * G[p][l];
  }
  return least;
}

} // namespace

template <int dim>
std::vector<std::pair<unsigned int, double>>
additions_for_loose_bodies(const System<dim> &system, const MatrixRows &A,
                           const std::vector<unsigned int> &may_touch) {
  std::vector<bool> is_touched(A.size(), false);
  for (const unsigned int dof : may_touch)
    is_touched[dof] = true;
  const std::vector<Motions<dim>> Z = rigid_velocities(system);
  std::vector<std::pair<unsigned int, double>> additions;
  for (const auto &body : system.elastic) {
    std::vector<unsigned int> touched;
    for (unsigned int i = 0; i < body->space.n_nodes(); ++i)
      for (const unsigned int dof : body->space.node_dofs[i])
        if (is_touched[dof] && !system.motion.is_prescribed(dof))
          touched.push_back(dof);
    if (touched.empty() ||
        !(least_pivot(scaled_rigid_matrix(*body, Z, A, system.operators)) < min_ratio))
      continue;
    for (const unsigned int dof : touched)
      if (A.row(dof).size > 0)
        additions.emplace_back(dof, addition_of_loose_bodies * A.entry(dof, dof));
  }
  return additions;
}

template std::vector<std::pair<unsigned int, double>>
additions_for_loose_bodies(const System<2> &, const MatrixRows &,
                           const std::vector<unsigned int> &);
template std::vector<std::pair<unsigned int, double>>
additions_for_loose_bodies(const System<3> &, const MatrixRows &,
                           const std::vector<unsigned int> &);

} // namespace percussion
