#include <percussion/cone/natural_units.h>

#include "delassus_operator.h"
#include <cmath>

namespace percussion {
namespace {

/// Returns the sum of the diagonal entries of W.
template <int d>
double trace(const DelassusOperator<d> &W) {
  double sum = 0.;
  for (std::size_t i = 0; i < W.n_contacts; ++i) {
    const local::Block<d> block = W.diagonal_block(i);
    for (std::size_t k = 0; k < d; ++k)
      sum += block[k][k];
  }
  return sum;
}

/// Returns the unit if it is a positive finite number, otherwise 1.
double usable(double unit) { return unit > 0. && std::isfinite(unit) ? unit : 1.; }

} // namespace

NaturalUnits natural_units(const FrictionContactProblem &problem) {
  NaturalUnits units;
  units.velocity = usable(largest_of(problem.q));
  const double sum = problem.dimension == 2 ? trace(DelassusOperator<2>(problem))
                                            : trace(DelassusOperator<3>(problem));
  units.percussion = usable(units.velocity * static_cast<double>(problem.q.size()) / sum);
  return units;
}

FrictionContactProblem to_units(const NaturalUnits &units, const FrictionContactProblem &problem) {
  FrictionContactProblem scaled = problem;
  scale(units.percussion / units.velocity, scaled.W);
  scale(units.percussion / units.velocity, scaled.blocks.value);
  scale(units.velocity / units.percussion, scaled.bodies.mass);
  scale(units.percussion / units.velocity, scaled.bodies.compliance);
  for (double &q : scaled.q)
    q /= units.velocity; // the inverse of the unit need not be finite
  return scaled;
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
