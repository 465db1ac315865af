#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solve groups of bodies that do not touch each other one by one, each in its own unit of velocity
/// and to half of the tolerance, which makes the whole meet it: a fast body elsewhere does not blur
/// those at rest. Returns whether it does. False, with `solution` untouched, too, if there is one
/// group only, or W is dense, or the bodies are not known.
bool solve_in_parts(const FrictionContactProblem &problem, const ConeOptions &options,
                    const Deadline &deadline, ConeSolution &solution);

} // namespace percussion
