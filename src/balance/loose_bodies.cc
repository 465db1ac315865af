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

/// Calls visit(dof, velocities) for the degrees of freedom of a body that are not prescribed, with
/// their velocities in its rigid motions about the mean of its nodes.
template <int dim, typename Visit>
void visit_rigid_velocities(const System<dim> &system, const ElasticBody<dim> &body,
                            const Visit &visit) {
  const Space<dim> &space = body.space;
  dealii::Tensor<1, dim> centre;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    centre += space.nodes[i] / static_cast<double>(space.n_nodes());
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    for (unsigned int d = 0; d < dim; ++d)
      if (const unsigned int dof = space.node_dofs[i][d]; !system.motion.is_prescribed(dof))
        visit(dof, rigid_velocities<dim>(space.nodes[i] - centre, d));
}

template <int dim>
using RigidMatrix = std::array<Motions<dim>, n_motions<dim>>;

/// Returns Zᵀ Â Z of each body, scaled to zᵀ diag(Â) z = 1; rows of prescribed motions are zero.
/// Bodies share products with Â, because it does not couple them.
template <int dim>
std::vector<RigidMatrix<dim>> scaled_rigid_matrices(const System<dim> &system,
                                                    const MatrixRows &A) {
  const Operators &operators = system.operators;
  std::vector<RigidMatrix<dim>> G(system.elastic.size());
  std::vector<Motions<dim>> diagonal_sums(G.size());
  Vector z = system.zero_field(), product = z, Az = z, diagonal = z;
  for (unsigned int dof = operators.partition.begin(); dof < operators.partition.end(); ++dof)
    diagonal[dof] = A.entry(dof, dof);
  operators.partition.gather(diagonal.data());
  for (unsigned int k = 0; k < n_motions<dim>; ++k) {
    for (const auto &body : system.elastic)
      visit_rigid_velocities(system, *body, [&](unsigned int dof, const Motions<dim> &velocities) {
        z[dof] = velocities[k];
      });
    Az = 0.;
    A.visit_terms([&](const SparseMatrix &matrix, double factor) {
      multiply(matrix, operators.partition, z, product);
      Az.add(factor, product);
    });
    for (std::size_t b = 0; b < G.size(); ++b)
      visit_rigid_velocities(system, *system.elastic[b],
                             [&](unsigned int dof, const Motions<dim> &velocities) {
                               for (unsigned int l = 0; l < n_motions<dim>; ++l)
                                 G[b][k][l] += velocities[l] * Az[dof];
                               diagonal_sums[b][k] += diagonal[dof] * velocities[k] * velocities[k];
                             });
  }
  for (std::size_t b = 0; b < G.size(); ++b)
    for (unsigned int k = 0; k < n_motions<dim>; ++k)
      for (unsigned int l = 0; l < n_motions<dim>; ++l) {
        const double scale = std::sqrt(diagonal_sums[b][k] * diagonal_sums[b][l]);
        G[b][k][l] = scale > 0. ? G[b][k][l] / scale : 0.;
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
  std::vector<std::pair<unsigned int, double>> additions;
  if (may_touch.empty() || system.elastic.empty())
    return additions;
  const std::vector<RigidMatrix<dim>> G = scaled_rigid_matrices(system, A);
  for (std::size_t b = 0; b < G.size(); ++b)
    if (least_pivot(G[b]) < min_ratio)
      for (const auto &dofs : system.elastic[b]->space.node_dofs)
        for (const unsigned int dof : dofs)
          if (is_touched[dof] && !system.motion.is_prescribed(dof) && system.operators.has_row(dof))
            additions.emplace_back(dof, addition_of_loose_bodies * A.entry(dof, dof));
  return additions;
}

template std::vector<std::pair<unsigned int, double>>
additions_for_loose_bodies(const System<2> &, const MatrixRows &,
                           const std::vector<unsigned int> &);
template std::vector<std::pair<unsigned int, double>>
additions_for_loose_bodies(const System<3> &, const MatrixRows &,
                           const std::vector<unsigned int> &);

} // namespace percussion
