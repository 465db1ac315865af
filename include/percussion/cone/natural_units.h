#pragma once

#include <percussion/cone/problem.h>

namespace percussion {

/// Units in which a contact problem's numbers are about one: W has a mean diagonal of one and the
/// largest of q is one. The natural map adds percussions to velocities and both to one, so that a
/// tolerance means the same for all problems only in such units.
struct NaturalUnits {
  double velocity = 1.;   ///< in the problem's unit of velocity
  double percussion = 1.; ///< in the problem's unit of percussion
};

/// The natural units of a problem.
NaturalUnits natural_units(const FrictionContactProblem &problem);

/// The problem in these units: W percussion / velocity, q / velocity. Its version is kept.
FrictionContactProblem in_units(const NaturalUnits &units, const FrictionContactProblem &problem);

/// The same for percussions and velocities of a solution, into and out of these units; all that
/// has no unit stays.
void into_units(const NaturalUnits &units, ConeSolution &solution);
/// The inverse of into_units().
void out_of_units(const NaturalUnits &units, ConeSolution &solution);

} // namespace percussion
