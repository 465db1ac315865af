#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solves the problem of a single contact from rest by its local solver only: in less time than any
/// method takes to set up, and without memory of its own. Returns false, with the start unchanged,
/// if there are several contacts or a warm start, or if the result is not exact to round-off.
/// Throws std::invalid_argument if the data are invalid.
bool solve_one_contact(const FrictionContactProblem &problem, const ConeOptions &options,
                       ConeSolution &solution);

} // namespace percussion
