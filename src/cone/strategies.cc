#include <percussion/base/instantiate.h>
#include <percussion/cone/residual.h>

#include "attempts.h"
#include "delassus_operator.h"
#include "vectors.h"
#include <limits>

namespace percussion {

namespace {

/// Conditions on which attempts of a run depend.
template <int d>
class Conditions {
public:
  explicit Conditions(const MethodRuns<d> &method_runs) : run(method_runs), W(method_runs.problem) {
    const std::size_t n = W.n_contacts;
    const bool is_cold = run.solution.status.empty();
    const bool is_dense_crowd = !is_cold && n > 300 && W.rigid_bodies() && !W.is_dense &&
                                W.largest_rank() < d * n && !run.is_patch;
    lasting_conditions =
        set(planar, d == 2) | set(tiny_planar, d == 2 && n <= 4) | set(few_contacts, n <= 50) |
        set(many_contacts, n > 300) | set(small_planar, d == 2 && n <= 300) |
        set(known_bodies, W.bodies()) | set(rigid_bodies, W.rigid_bodies()) |
        set(sparse_matrix, !W.is_dense) | set(cold_start, is_cold) |
        set(loose_crowd, !is_cold && n > 50 && W.rigid_bodies() && W.largest_rank() == d * n) |
        set(dense_crowd, is_dense_crowd) |
        set(swept_crowd, is_dense_crowd && run.options.tolerance >= 3e-5) |
        set(start_at_rest, is_cold && vanishes(run.solution.p)) |
        set(loose_tolerance, run.options.tolerance >= (d == 2 && !W.is_dense ? 1e-6 : 1e-4));
  }

  /// Returns true if all required and none of the excluded conditions hold.
  bool hold(unsigned int required_conditions, unsigned int excluded_conditions) {
    const double residual = run.solution.residual;
    unsigned int valid_conditions = lasting_conditions | run.conditions() |
                                    set(nearly_converged, residual <= 10. * run.options.tolerance) |
                                    set(accurate_residual, residual <= 1e-6) |
                                    set(useful_residual, residual <= 1e-4) |
                                    set(rough_residual, residual <= 2e-3);
    const unsigned int all_conditions = required_conditions | excluded_conditions,
                       long_ones = near_solution | near_crowd | costly_factors;
    if ((required_conditions & ~valid_conditions & ~long_ones) != 0 ||
        (excluded_conditions & valid_conditions) != 0)
      return false;
    if ((all_conditions & (near_solution | near_crowd)) != 0) {
      const double percussion_residual = natural_map_residual(run.problem, run.solution.p);
      valid_conditions |= set(near_solution, percussion_residual <= 1e-2) |
                          set(near_crowd, percussion_residual <= 0.1);
    }
    if ((all_conditions & costly_factors) != 0)
      valid_conditions |= set(costly_factors, has_costly_factors());
    return (required_conditions & ~valid_conditions) == 0 &&
           (excluded_conditions & valid_conditions) == 0;
  }

private:
  static unsigned int set(Condition condition, bool holds) { return holds ? condition : 0U; }

  bool has_costly_factors() {
    constexpr double few_blocks = 16.; // per row of a factor
    if ((lasting_conditions & many_contacts) == 0 || (lasting_conditions & rigid_bodies) != 0)
      return false;
    if (d == 3 && fill == 0.)
      fill = W.fill_per_row();
    return d == 2 || !(fill < few_blocks);
  }

  const MethodRuns<d> &run;
  DelassusOperator<d> W;
  unsigned int lasting_conditions = 0; ///< conditions that do not change during the run
  double fill = 0.;                    ///< blocks per row of a factor; zero until it is needed
};

/// Makes the attempts of a table, one after the other, until one succeeds.
template <int d>
void make_attempts(const std::vector<Stage<d>> &stages, MethodRuns<d> &run) {
  Conditions<d> conditions(run);
  for (const Stage<d> &stage : stages) {
    if (!conditions.hold(stage.required_conditions, stage.excluded_conditions))
      continue;
    for (const Attempt<d> &attempt : stage.attempts) {
      if (!run.is_excluded(attempt.call) &&
          conditions.hold(attempt.required_conditions, attempt.excluded_conditions) &&
          run.run(attempt.call, attempt.start))
        return;
    }
  }
}

} // namespace

template <int d>
void solve_by(ConeMethod method, MethodRuns<d> &run) {
  const bool is_warm = !run.solution.status.empty();
  const std::vector<double> guess = is_warm ? run.solution.p : std::vector<double>();
  make_attempts(attempts_of<d>(method), run);
  if (run.solution.residual == std::numeric_limits<double>::infinity())
    run.complete_solution("none"); // no method has produced a result
  run.restore_best();
  if (is_warm && !run.solution.converged &&
      natural_map_residual(run.problem, guess) < run.solution.residual) {
    run.solution.p = guess;
    run.complete_solution("none");
  }
}

PERCUSSION_INSTANTIATE(solve_by);

} // namespace percussion
