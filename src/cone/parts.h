#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solve groups of bodies that do not touch each other one by one, each in its own unit of
/// velocity: a fast body elsewhere does not blur those at rest. A group that does not soon meet
/// half of the tolerance in its unit needs to meet its share of the whole's only. One that fails
/// keeps its best percussions; then `solution` need not meet the tolerance. False, with `solution`
/// untouched, if there is one group only, or W is dense, or the bodies are not known.
bool solve_in_parts(const FrictionContactProblem &problem, const ConeOptions &options,
                    const Deadline &deadline, ConeSolution &solution);

} // namespace percussion
