#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Block Gauss–Seidel on the contacts, each solved exactly in its turn (Jourdan, Alart & Jean
/// 1998).
///
/// `p`, of length d n_c, is the warm start and the result. Returns the number of sweeps done: as
/// many as bring natural_map_residual() down to `tolerance`, but at most `max_sweeps`, no more once
/// a sweep changes nothing, and none after the deadline.
template <int d>
unsigned int nsgs(const FrictionContactProblem &problem, double tolerance, unsigned int max_sweeps,
                  std::vector<double> &p, const Deadline &deadline = {});

} // namespace percussion
