#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solve the problem of a single contact from rest by its local solver alone: in less time than any
/// method takes to set up, and without memory of its own. False, with the same start left, if it is
/// no such problem, has a warm start or invalid data, or if the result is not exact to round-off.
bool solve_one_contact(const FrictionContactProblem &problem, const ConeOptions &options,
                       ConeSolution &solution);

} // namespace percussion
