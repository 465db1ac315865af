#include <percussion/cone/natural_units.h>

#include "delassus_operator.h"
#include <algorithm>
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

void scale(std::vector<double> &values, double factor) {
  for (double &value : values)
    value *= factor;
}

/// Returns the unit if it is a positive finite number, otherwise 1.
double usable(double unit) { return unit > 0. && std::isfinite(unit) ? unit : 1.; }

} // namespace

NaturalUnits natural_units(const FrictionContactProblem &problem) {
  double largest = 0.;
  for (const double q : problem.q)
    largest = std::max(largest, std::abs(q));
  NaturalUnits units;
  units.velocity = usable(largest);
  const double sum = problem.dimension == 2 ? trace(DelassusOperator<2>(problem))
                                            : trace(DelassusOperator<3>(problem));
  units.percussion = usable(units.velocity * static_cast<double>(problem.q.size()) / sum);
  return units;
}

FrictionContactProblem in_units(const NaturalUnits &units, const FrictionContactProblem &problem) {
  FrictionContactProblem scaled = problem;
  scale(scaled.W, units.percussion / units.velocity);
  scale(scaled.blocks.value, units.percussion / units.velocity);
  scale(scaled.bodies.mass, units.velocity / units.percussion);
  scale(scaled.bodies.compliance, units.percussion / units.velocity);
  for (double &q : scaled.q)
    q /= units.velocity; // the inverse of the unit need not be finite
  return scaled;
}

void into_units(const NaturalUnits &units, ConeSolution &solution) {
  scale(solution.p, 1. / units.percussion);
  scale(solution.u, 1. / units.velocity);
}

void out_of_units(const NaturalUnits &units, ConeSolution &solution) {
  scale(solution.p, units.percussion);
  scale(solution.u, units.velocity);
}

} // namespace percussion
