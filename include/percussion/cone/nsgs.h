#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Block Gauss–Seidel method over the contacts, each solved exactly in turn (Jourdan, Alart & Jean
/// 1998).
///
/// `p`, of length d n_c, is the initial guess and the result. Returns the number of sweeps. Ends as
/// soon as natural_map_residual() meets `tolerance`, a sweep changes no percussion, `max_sweeps` is
/// reached or the deadline has passed.
template <int d>
unsigned int nsgs(const FrictionContactProblem &problem, double tolerance, unsigned int max_sweeps,
                  std::vector<double> &p, const Deadline &deadline = {});

/// nsgs() with Anderson acceleration: each sweep starts from a combination of the last sweeps. Ends
/// also when sweeps make no progress. The last sweep need not have the smallest residual.
template <int d>
unsigned int accelerated_nsgs(const FrictionContactProblem &problem, double tolerance,
                              unsigned int max_sweeps, std::vector<double> &p,
                              const Deadline &deadline = {});

/// Block Gauss–Seidel method that solves a contact again only after a neighbour has changed: by
/// more than the `tolerance` of nsgs() permits each contact on average. The cost depends on the
/// contacts that change, not on all. Returns the number of solved contacts divided by the number of
/// contacts, rounded up; `max_sweeps` is its limit.
template <int d>
unsigned int relax(const FrictionContactProblem &problem, double tolerance, unsigned int max_sweeps,
                   std::vector<double> &p, const Deadline &deadline = {});

} // namespace percussion
