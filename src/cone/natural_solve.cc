#include <percussion/cone/global.h>
#include <percussion/cone/natural_solve.h>
#include <percussion/cone/natural_units.h>
#include <percussion/cone/solver.h>

namespace percussion {

void solve_in_natural_units(const FrictionContactProblem &problem, const ConeOptions &options,
                            ConeSolution &solution) {
  const NaturalUnits units = natural_units(problem);
  into_units(units, solution);
  ConeSolver(options).solve(to_units(units, problem), solution);
  out_of_units(units, solution);
}

void solve_in_natural_units(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                            GlobalConeSolution &solution) {
  const NaturalUnits units = natural_units(reduced_problem(problem));
  into_units(units, solution);
  for (double &v : solution.v)
    v /= units.velocity;
  solve_global(to_units(units, problem), options, solution);
  out_of_units(units, solution);
  for (double &v : solution.v)
    v *= units.velocity;
}

const char *outcome_name(const ConeOutcome outcome) {
  switch (outcome) {
  case ConeOutcome::not_solved:
    return "not solved";
  case ConeOutcome::converged:
    return "converged";
  case ConeOutcome::stagnated:
    return "stagnated";
  case ConeOutcome::out_of_sweeps:
    return "out of sweeps";
  case ConeOutcome::out_of_time:
    return "out of time";
  case ConeOutcome::no_solution:
    return "no solution";
  case ConeOutcome::not_applicable:
    return "not applicable";
  }
  return "unknown";
}

} // namespace percussion
