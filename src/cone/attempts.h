#pragma once

#include "method_runs.h"
#include <vector>

namespace percussion {

/// Row of a table of attempts: a method, its budget, the solution from which it starts, and the
/// conditions on which it runs. It is the last one if the solution meets the tolerance; after exact
/// sweeps, if the solution is exact to round-off.
template <int d>
struct Attempt {
  Call<d> call;
  Start start = Start::current;
  unsigned int required_conditions = 0, excluded_conditions = 0; ///< sets of Condition

  Attempt starting_from(Start solution) const {
    return {call, solution, required_conditions, excluded_conditions};
  }
  Attempt if_all(unsigned int all) const {
    return {call, start, required_conditions | all, excluded_conditions};
  }
  Attempt if_none(unsigned int any) const {
    return {call, start, required_conditions, excluded_conditions | any};
  }
};

/// Attempts for a class of problems; their common conditions are evaluated once, before the first.
template <int d>
struct Stage {
  unsigned int required_conditions, excluded_conditions; ///< sets of Condition
  std::vector<Attempt<d>> attempts;
};

/// Returns the attempts of a method, in their order.
template <int d>
const std::vector<Stage<d>> &attempts_of(ConeMethod method);

/// Makes the attempts of a method until one succeeds, and leaves the best solution found, which is
/// the initial guess if none improves it.
template <int d>
void solve_by(ConeMethod method, MethodRuns<d> &run);

} // namespace percussion
