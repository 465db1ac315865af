#pragma once

#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// The cone problem that a step has posed last, in natural units, and what came of it: times
/// `percussion_unit` and `velocity_unit` its percussions and velocities are those of the case.
struct PosedProblem {
  const FrictionContactProblem &problem; ///< in natural units
  const std::vector<double> &guess;      ///< percussions that the solver began with
  const ConeSolution &solution;          ///< in natural units; see its outcome
  double percussion_unit, velocity_unit;
  double length, end_time; ///< of the step, or of the part of it that was being taken
};

} // namespace percussion
