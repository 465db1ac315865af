#pragma once

#include <percussion/body/system.h>

#include <deal.II/lac/full_matrix.h>

#include "support/meshes.h"
#include "support/sparse_matrices.h"
#include <cmath>
#include <numeric>

/// Symmetric positive definite matrices of bodies, and their dense inverses.
namespace percussion::test {

inline Material<2> unit_material() {
  return {1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}};
}

/// Returns a M + b K; the diagonal of masses in the block of rigid bodies.
inline SparseMatrix combination(const System<2> &system, double a, double b) {
  SparseMatrix A = multiple(b, system.operators.stiffness);
  add_multiple(a, system.operators.mass, A);
  return A;
}

inline std::vector<unsigned int> dofs_of(const ElasticBody<2> &body, const std::string &region) {
  std::vector<unsigned int> dofs;
  for (const unsigned int v : body.space.mesh.region(region).nodes)
    for (const unsigned int dof : body.space.node_dofs[v])
      dofs.push_back(dof);
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

inline std::vector<unsigned int> numbers(std::size_t n) {
  std::vector<unsigned int> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

inline Vector some_vector(unsigned int n) {
  Vector x(n);
  for (unsigned int i = 0; i < n; ++i)
    x[i] = std::sin(1. + 3. * i);
  return x;
}

/// Returns the inverse of the block of A without these degrees of freedom, by dense elimination;
/// zero in the other rows and columns.
inline dealii::FullMatrix<double> dense_inverse(const SparseMatrix &A,
                                                const std::vector<unsigned int> &without) {
  dealii::FullMatrix<double> dense(A.n_rows(), A.n_rows());
  visit_entries(A, [&](unsigned int i, unsigned int j, double value) { dense(i, j) = value; });
  for (const unsigned int i : without)
    for (unsigned int j = 0; j < A.n_rows(); ++j)
      dense(i, j) = dense(j, i) = i == j ? 1. : 0.;
  dense.gauss_jordan();
  for (const unsigned int i : without)
    dense(i, i) = 0.;
  return dense;
}

} // namespace percussion::test
