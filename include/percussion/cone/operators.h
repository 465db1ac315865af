#pragma once

#include <percussion/cone/natural_units.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// W of the problem; if it is dense, without its zeros, -0 excepted. Throws std::invalid_argument
/// if its size does not fit.
CompressedRows delassus(const FrictionContactProblem &problem);

/// Sets W of the problem, whose dimension and number of contacts are known: by blocks if there are
/// more than 50 contacts and these blocks make less than a third of W, else dense.
void set_delassus(const CompressedRows &W, FrictionContactProblem &problem);

/// The global problem in these units of velocity and percussion: M V / P, q / P and b / V, so that
/// W = Hᵀ M⁻¹ H becomes W P / V, as in_units() has it.
GlobalFrictionContactProblem in_units(const NaturalUnits &units,
                                      GlobalFrictionContactProblem problem);

} // namespace percussion
