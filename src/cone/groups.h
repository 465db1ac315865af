#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>
#include <percussion/cone/solver.h>

namespace percussion {

/// Solves groups of bodies that do not touch each other one by one, each in its own unit of
/// velocity, so that fast groups do not degrade the accuracy of groups at rest. A group that does
/// not meet half of the tolerance in its unit within a limited number of iterations needs to meet
/// its fraction of the whole problem's tolerance only. A group that fails keeps its best
/// percussions; then `solution` need not meet the tolerance. Groups that `solved` has, if it is
/// given, stay as they are; those that are solved are added. Returns false, with `solution`
/// unchanged, if there is a single group, W is dense, or the bodies are not known.
bool solve_by_groups(const FrictionContactProblem &problem, const ConeOptions &options,
                     const Deadline &deadline, ConeSolution &solution, SolvedGroups *solved);

} // namespace percussion
