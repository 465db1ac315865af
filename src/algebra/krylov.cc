#include <percussion/algebra/krylov.h>
#include <percussion/algebra/mixed_krylov.h>

#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/vector_memory.templates.h>

#include "gmres_options.h"
#include "owned_vector.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

using Values = OwnedVector<double>;

/// The system D^(-½) A D^(-½) (D^½ x) = D^(-½) r: the Euclidean norm of its residual is the norm of
/// residuals. vmult() computes products, and vmult() of its preconditioner D^½ B⁻¹ D^½.
struct Scaled {
  const KrylovSystem &system;
  KrylovVectors &vectors;

  struct Preconditioner {
    const Scaled &scaled;
    void vmult(Values &z, const Values &r) const {
      scaled.apply(scaled.system.precondition, scaled.vectors.root, r, z);
    }
  };
  void vmult(Values &y, const Values &x) const {
    apply(system.multiply, vectors.inverse_root, x, y);
  }
  void apply(const KrylovSystem::Map &map, const std::vector<double> &factor, const Values &x,
             Values &y) const {
    x.for_each(
        [&](std::size_t i, const double &entry) { vectors.argument[i] = factor[i] * entry; });
    map(vectors.argument, vectors.image);
    y.for_each([&](std::size_t i, double &entry) { entry = factor[i] * vectors.image[i]; });
  }
};

/// Solves the scaled system from zero by `solve(scaled, solution, right side)`, adds the solution
/// to x and computes the residual anew.
template <typename Solve>
void correct(const KrylovSystem &system, KrylovVectors &vectors, std::vector<double> &x,
             std::vector<double> &r, const Solve &solve) {
  const std::size_t n = r.size();
  for (auto *const vector :
       {&vectors.argument, &vectors.image, &vectors.root, &vectors.inverse_root})
    if (vector->size() != n)
      *vector = system.partition.zeros(n);
  Values right(system.partition, n), solution(system.partition, n);
  right.for_each([&](std::size_t i, double &entry) {
    vectors.inverse_root[i] = std::sqrt(system.inverse_diagonal[i]);
    vectors.root[i] = 1. / vectors.inverse_root[i];
    entry = r[i] * vectors.inverse_root[i];
  });
  const Scaled scaled{system, vectors};
  try {
    solve(scaled, solution, right);
  } catch (const dealii::SolverControl::NoConvergence &) { // numbers overflow: the caller sees r
    return;
  }
  solution.for_each([&](std::size_t i, const double &entry) {
    vectors.argument[i] = entry * vectors.inverse_root[i];
    x[i] += vectors.argument[i];
  });
  system.multiply(vectors.argument, vectors.image);
  solution.for_each([&](std::size_t i, const double &) { r[i] -= vectors.image[i]; });
}

} // namespace

void release_iteration_vectors() {
  dealii::GrowingVectorMemory<Values>::release_unused_memory();
  release_mixed_iteration_vectors();
}

double residual_norm(const std::vector<double> &r, const std::vector<double> &inverse_diagonal,
                     const Partition &partition) {
  const auto sum = [&](std::size_t begin, std::size_t end) {
    double square = 0;
    for (std::size_t i = begin; i < end; ++i)
      square += r[i] * r[i] * inverse_diagonal[i];
    return square;
  };
  return std::sqrt(partition.sum(r.size(), sum));
}

unsigned int conjugate_gradients(const KrylovSystem &system, double limit,
                                 unsigned int max_iterations, KrylovVectors &vectors,
                                 std::vector<double> &x, std::vector<double> &r) {
  dealii::IterationNumberControl control(max_iterations, limit);
  correct(system, vectors, x, r, [&](const Scaled &scaled, Values &y, const Values &right) {
    dealii::SolverCG<Values>(control).solve(scaled, y, right, Scaled::Preconditioner{scaled});
  });
  return control.last_step();
}

unsigned int gmres(const KrylovSystem &system, double limit, unsigned int max_iterations,
                   KrylovVectors &vectors, std::vector<double> &x, std::vector<double> &r) {
  unsigned int iterations = 0;
  for (double norm = residual_norm(r, system.inverse_diagonal, system.partition);
       norm > limit && iterations < max_iterations;) {
    dealii::IterationNumberControl control(
        std::min(n_directions_of_gmres, max_iterations - iterations), limit);
    correct(system, vectors, x, r, [&](const Scaled &scaled, Values &y, const Values &right) {
      dealii::SolverGMRES<Values>(control, gmres_options<Values>())
          .solve(scaled, y, right, Scaled::Preconditioner{scaled});
    });
    iterations += control.last_step();
    const double reached = residual_norm(r, system.inverse_diagonal, system.partition);
    if (!(reached < 0.9 * norm)) // the residual is round-off
      break;
    norm = reached;
  }
  return iterations;
}

} // namespace percussion
