#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solves a problem in 3D, whose bodies are known, where its residual is largest: in each round the
/// contacts that have most of the residual, with the contacts between their bodies and the
/// neighbours of these, form patches without common bodies. Each patch is solved by itself, with
/// all other percussions constant; accelerated sweeps follow. In a crowd bodies lean against each
/// other in many places, and the iterations of a patch do not depend on other places. If most of
/// the residual is in regions of at most a third of the contacts, a round solves these as
/// problems of their own, without the other contacts, until such a round reduces the residual by
/// less than a tenth.
///
/// `p` is the guess and the result with the smallest residual. Returns the number of sweeps and of
/// iterations of patches, weighted by their fraction of all contacts. Ends at the tolerance or the
/// number of iterations of the options, when eight rounds reduce the residual by less than a tenth,
/// or after 150 iterations if the residual is still above 1e-4.
unsigned int solve_patches(const FrictionContactProblem &problem, const ConeOptions &options,
                           unsigned int max_rounds, const Deadline &deadline,
                           std::vector<double> &p);

} // namespace percussion
