#pragma once

#include <percussion/cone/natural_units.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Returns W of the problem, without the zeros of a dense W, except -0. Throws
/// std::invalid_argument if its size does not fit.
CompressedRows delassus(const FrictionContactProblem &problem);

/// Sets W of the problem, whose dimension and number of contacts are known: by blocks if there are
/// more than 50 contacts and these blocks make less than a third of W, otherwise dense.
void set_delassus(const CompressedRows &W, FrictionContactProblem &problem);

/// Returns the global problem in these units of velocity and percussion: M V / P, q / P and b / V,
/// so that W = Hᵀ M⁻¹ H becomes W P / V, as in to_units().
GlobalFrictionContactProblem to_units(const NaturalUnits &units,
                                      GlobalFrictionContactProblem problem);

} // namespace percussion
