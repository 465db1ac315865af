#include <percussion/algebra/mixed_krylov.h>
#include <percussion/algebra/vector.h>
#include <percussion/base/flush_denormals.h>
#include <percussion/base/lanes.h>

#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/vector_memory.templates.h>

#include "gmres_options.h"
#include "owned_vector.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Reduction of the residual in single precision: the next digits would be round-off.
constexpr double single_reduction = 1e-4;
/// Largest ratio of successive true residuals with which iterations continue.
constexpr double stagnation = 0.5;

/// Computes direction = residual + ratio × direction.
PERCUSSION_WITH_AVX2 void add_residual(float ratio, const float *residual, float *direction,
                                       std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    direction[i] = residual[i] + ratio * direction[i];
}

/// Computes solution += step × direction and residual −= step × image.
PERCUSSION_WITH_AVX2 void take_step(float step, const float *direction, const float *image,
                                    float *solution, float *residual, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    solution[i] += step * direction[i];
    residual[i] -= step * image[i];
  }
}

/// Conjugate gradients between two replacements of the residual.
class ConjugateGradients {
public:
  ConjugateGradients(const MixedSystem &s, MixedVectors &v) : system(s), vectors(v) {
    square = product(vectors.residual, vectors.residual);
  }

  /// Iterates until the residual of the recurrence is at most `limit`. Returns false if the matrix
  /// is not positive definite.
  bool iterate(double limit, unsigned int max_iterations, MixedResult &result) {
    const FlushDenormals flush;
    while (square > limit * limit && result.n_iterations < max_iterations) {
      auto &[solution, residual, direction, image] = vectors;
      const auto ratio = static_cast<float>(last_square > 0. ? square / last_square : 0.);
      visit_ranges([&](std::size_t begin, std::size_t n) {
        add_residual(ratio, &residual[begin], &direction[begin], n);
      });
      system.multiply(direction, image);
      const double resistance = product(direction, image);
      if (!(resistance > 0.) || !std::isfinite(resistance))
        return false;
      const double step = square / resistance;
      last_square = square;
      square = system.partition.sum(residual.size(), [&](std::size_t begin, std::size_t end) {
        take_step(static_cast<float>(step), &direction[begin], &image[begin], &solution[begin],
                  &residual[begin], end - begin);
        return dot(&residual[begin], &residual[begin], static_cast<unsigned int>(end - begin));
      });
      result.squared_energy_norm += step * last_square; // the directions are conjugate
      ++result.n_iterations;
    }
    return true;
  }

  /// Replaces the residual by the true one, and returns its norm.
  double replace_residual() {
    system.correct(vectors.solution, vectors.residual);
    visit_ranges([&](std::size_t begin, std::size_t n) {
      std::fill_n(vectors.solution.begin() + static_cast<std::ptrdiff_t>(begin), n, 0.F);
    });
    square = product(vectors.residual, vectors.residual);
    return norm();
  }
  double norm() const { return std::sqrt(square); }

private:
  template <typename Function>
  void visit_ranges(const Function &f) {
    const std::size_t n_elastic = system.partition.size(), begin = system.partition.begin();
    f(begin, system.partition.end() - begin);
    if (vectors.residual.size() > n_elastic)
      f(n_elastic, vectors.residual.size() - n_elastic);
  }
  double product(const std::vector<float> &x, const std::vector<float> &y) const {
    return system.partition.sum(x.size(), [&](std::size_t begin, std::size_t end) {
      return dot(&x[begin], &y[begin], static_cast<unsigned int>(end - begin));
    });
  }

  const MixedSystem &system;
  MixedVectors &vectors;
  double square = 0, last_square = 0; ///< square of the norm of the residual, and the one before
};

void allocate(const MixedSystem &system, MixedVectors &vectors) {
  const std::size_t n = vectors.residual.size();
  for (auto *const vector : {&vectors.solution, &vectors.direction, &vectors.image})
    *vector = system.partition.zeros<float>(n);
}

} // namespace

MixedResult mixed_conjugate_gradients(const MixedSystem &system, double limit,
                                      unsigned int max_iterations, MixedVectors &vectors) {
  allocate(system, vectors);
  ConjugateGradients iterations(system, vectors);
  MixedResult result;
  for (double norm = result.residual = iterations.norm();
       norm > limit && result.n_iterations < max_iterations; norm = result.residual) {
    result.is_indefinite =
        !std::isfinite(norm) ||
        !iterations.iterate(std::max(limit, single_reduction * norm), max_iterations, result);
    result.residual = iterations.replace_residual();
    if (result.is_indefinite || !(result.residual <= stagnation * norm))
      break;
  }
  return result;
}

namespace {

using Values = OwnedVector<float>;

/// The system for solvers of deal.II.
struct Products {
  const MixedSystem &system;
  MixedVectors &vectors;

  struct Preconditioner {
    const Products &products;
    void vmult(Values &z, const Values &r) const {
      products.apply(products.system.precondition, r, z);
    }
  };
  void vmult(Values &y, const Values &x) const { apply(system.multiply, x, y); }
  void apply(const MixedSystem::Map &map, const Values &x, Values &y) const {
    if (!map) {
      y = x;
      return;
    }
    x.for_each([&](std::size_t i, const float &entry) { vectors.direction[i] = entry; });
    map(vectors.direction, vectors.residual); // the right-hand side is a copy of the residual
    y.for_each([&](std::size_t i, float &entry) { entry = vectors.residual[i]; });
  }
};

} // namespace

MixedResult mixed_gmres(const MixedSystem &system, double limit, unsigned int max_iterations,
                        MixedVectors &vectors) {
  const std::size_t n = vectors.residual.size();
  vectors.direction = system.partition.zeros<float>(n);
  Values right(system.partition, n), solution(system.partition, n);
  const Products products{system, vectors};
  const auto read_residual = [&] {
    right.for_each([&](std::size_t i, float &entry) { entry = vectors.residual[i]; });
    return right.l2_norm();
  };
  MixedResult result;
  for (double norm = result.residual = read_residual();
       norm > limit && result.n_iterations < max_iterations; norm = result.residual) {
    dealii::IterationNumberControl control(
        std::min(n_directions_of_gmres, max_iterations - result.n_iterations),
        std::max(limit, single_reduction * norm));
    solution = 0.;
    try {
      const FlushDenormals flush;
      dealii::SolverGMRES<Values>(control, gmres_options<Values>())
          .solve(products, solution, right, Products::Preconditioner{products});
    } catch (const dealii::SolverControl::NoConvergence &) { // numbers overflow: the caller sees r
      result.is_indefinite = true;
      return result;
    }
    result.n_iterations += control.last_step();
    solution.for_each([&](std::size_t i, const float &entry) { vectors.direction[i] = entry; });
    system.correct(vectors.direction, vectors.residual);
    result.residual = read_residual();
    if (!(result.residual < 0.9 * norm)) // the residual is round-off
      break;
  }
  return result;
}

void release_mixed_iteration_vectors() {
  dealii::GrowingVectorMemory<Values>::release_unused_memory();
}

} // namespace percussion
