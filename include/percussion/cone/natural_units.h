#pragma once

#include <percussion/cone/problem.h>

namespace percussion {

/// Units that make a contact problem of order one: the mean diagonal entry of W and the largest
/// entry of q are one. The natural map adds percussions, velocities and one, so only in such units
/// does a tolerance mean the same for all problems.
struct NaturalUnits {
  double velocity = 1.;   ///< in the problem's unit of velocity
  double percussion = 1.; ///< in the problem's unit of percussion
};

/// Returns the natural units of a problem.
NaturalUnits natural_units(const FrictionContactProblem &problem);

/// Returns the problem in these units: W percussion / velocity, q / velocity, same version.
FrictionContactProblem to_units(const NaturalUnits &units, const FrictionContactProblem &problem);

/// Returns the global problem in these units of velocity and percussion: M V / P, q / P and b / V,
/// so that W = Hᵀ M⁻¹ H becomes W P / V.
GlobalFrictionContactProblem to_units(const NaturalUnits &units,
                                      GlobalFrictionContactProblem problem);

/// Converts the percussions and velocities of a solution into these units.
void into_units(const NaturalUnits &units, ConeSolution &solution);
/// Converts them back; inverse of into_units().
void out_of_units(const NaturalUnits &units, ConeSolution &solution);

} // namespace percussion
