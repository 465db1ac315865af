// Conjugate gradients with multigrid.

#include <percussion/algebra/multigrid.h>

#include <gtest/gtest.h>

#include "matrices.h"

namespace multigrid {

using namespace percussion;

/// A block in 3D, held at its bottom, with mass m and stiffness k.
struct Held {
  std::unique_ptr<Mesh<3>> mesh;
  System<3> system;
  SparseMatrix A;
  std::vector<bool> is_free;
  Partition partition;

  Held(CellShape shape, unsigned int n, double k)
      : mesh(test::box(shape, dealii::Point<3>(1, 1.5, 0.8), {n, n, n}, 0.1)),
        system(*mesh,
               Materials<3>(
                   Material<3>{1., 1., LinearElastic<3>::from_young(1., 0.3, Plane::strain), {}}),
               {}),
        is_free(system.n_dofs(), true), partition(system.n_dofs(), 3) {
    A = test::multiple(k, system.operators.stiffness);
    test::add_multiple(1., system.operators.mass, A);
    for (const unsigned int node : mesh->region("bottom").nodes)
      for (const unsigned int dof : system.elastic[0]->space.node_dofs[node])
        is_free[dof] = false;
  }
  std::vector<std::vector<double>> modes() const {
    std::vector<std::vector<double>> motions(6, std::vector<double>(system.n_dofs(), 0.));
    const auto &space = system.elastic[0]->space;
    for (unsigned int i = 0; i < space.n_nodes(); ++i)
      for (unsigned int d = 0; d < 3; ++d) {
        motions[d][space.node_dofs[i][d]] = 1.;
        motions[3 + d][space.node_dofs[i][(d + 1) % 3]] = -space.nodes[i][(d + 2) % 3];
        motions[3 + d][space.node_dofs[i][(d + 2) % 3]] = space.nodes[i][(d + 1) % 3];
      }
    return motions;
  }
  std::unique_ptr<Multigrid> solver(double tolerance) const {
    auto result = std::make_unique<Multigrid>(
        is_free, 3, [this] { return modes(); }, partition, tolerance);
    result->set_matrix(A);
    return result;
  }
};

/// The error is below the tolerance in the norm of A. The residual of a solution does hardly any
/// work on the solution: both are orthogonal as far as the preconditioner is symmetric.
TEST(Multigrid, KeepsItsToleranceInTheEnergy) {
  for (const auto shape : {CellShape::simplex, CellShape::hypercube})
    for (const double k : {1e-4, 1., 1e4}) {
      const Held held(shape, 6, k);
      const std::size_t n = held.is_free.size();
      std::vector<double> x(n), b(n), found(n);
      for (std::size_t i = 0; i < n; ++i)
        x[i] = held.is_free[i] ? std::cos(static_cast<double>(i)) : 0.;
      const auto times = [&](const std::vector<double> &y) {
        Vector in(static_cast<unsigned int>(n)), out = in;
        std::copy(y.begin(), y.end(), in.data());
        multiply(held.A, in, out);
        return std::vector<double>(out.data(), out.data() + n);
      };
      const auto product = [&](const std::vector<double> &y, const std::vector<double> &z) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i)
          sum += held.is_free[i] ? y[i] * z[i] : 0.;
        return sum;
      };
      b = times(x);
      const double energy = product(x, b);
      for (const double tolerance : {1e-3, 1e-6, 1e-12}) {
        const auto solver = held.solver(tolerance);
        EXPECT_NEAR(solver->solve(b.data(), found.data()), std::sqrt(energy),
                    2 * tolerance * std::sqrt(energy));
        std::vector<double> error = x, residual = b;
        const auto found_product = times(found);
        for (std::size_t i = 0; i < n; ++i) {
          error[i] -= found[i];
          residual[i] -= found_product[i];
          if (!held.is_free[i]) {
            EXPECT_EQ(found[i], 0.);
          }
        }
        EXPECT_LT(std::sqrt(product(error, times(error))), 3 * tolerance * std::sqrt(energy));
        EXPECT_LT(std::abs(product(found, residual)), (0.01 * tolerance + 1e-13) * energy);
      }
    }
}

/// The number of iterations does not grow with refinement, because rigid motions of aggregates are
/// represented.
TEST(Multigrid, TakesAsManyIterationsOnFineMeshes) {
  unsigned int iterations[2] = {0, 0};
  for (const bool is_fine : {false, true}) {
    const Held held(CellShape::hypercube, is_fine ? 20 : 8, 1e4);
    std::vector<double> b(held.is_free.size(), 1.), x(b.size());
    const auto solver = held.solver(1e-10);
    solver->solve(b.data(), x.data());
    iterations[is_fine] = solver->iterations();
  }
  EXPECT_LT(iterations[0], 40u);
  EXPECT_LT(iterations[1], 1.5 * iterations[0]);
}

} // namespace multigrid
