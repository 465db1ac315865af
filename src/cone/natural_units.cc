#include <percussion/cone/natural_units.h>
#include <percussion/cone/operators.h>

#include "vectors.h"
#include <cmath>

namespace percussion {
namespace {

/// Returns the unit if it is a positive finite number, otherwise 1.
double usable(double unit) { return unit > 0. && std::isfinite(unit) ? unit : 1.; }

} // namespace

NaturalUnits natural_units(const FrictionContactProblem &problem) {
  NaturalUnits units;
  units.velocity = usable(largest_of(problem.q));
  units.percussion =
      usable(units.velocity * static_cast<double>(problem.q.size()) / trace(problem));
  return units;
}

FrictionContactProblem to_units(const NaturalUnits &units, const FrictionContactProblem &problem) {
  FrictionContactProblem scaled = problem;
  scale(units.percussion / units.velocity, scaled);
  for (double &q : scaled.q)
    q /= units.velocity; // the inverse of the unit need not be finite
  return scaled;
}

GlobalFrictionContactProblem to_units(const NaturalUnits &units,
                                      GlobalFrictionContactProblem problem) {
  scale(units.velocity / units.percussion, problem.M.value);
  scale(1. / units.percussion, problem.q);
  scale(1. / units.velocity, problem.b);
  return problem;
}

void into_units(const NaturalUnits &units, ConeSolution &solution) {
  scale(1. / units.percussion, solution.p);
  scale(1. / units.velocity, solution.u);
}

void out_of_units(const NaturalUnits &units, ConeSolution &solution) {
  scale(units.percussion, solution.p);
  scale(units.velocity, solution.u);
}

} // namespace percussion
