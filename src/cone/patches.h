#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Solves a problem in 3D, whose bodies are known, where its residual is largest: in each round the
/// contacts that have most of the residual, with the contacts between their bodies and the
/// neighbours of these, form patches without common bodies. Each patch is solved by itself, with
/// all other percussions constant; accelerated sweeps follow. In a crowd bodies that lean against
/// each other are in many places, and the iterations of a patch depend on its own.
///
/// `p` is the guess and the result with the smallest residual. Returns the number of sweeps and of
/// iterations of patches, weighted by their fraction of all contacts. Ends when rounds do not
/// reduce the residual, or take as long as other methods while it is large.
unsigned int solve_patches(const FrictionContactProblem &problem, double tolerance,
                           unsigned int max_rounds, const Deadline &deadline,
                           std::vector<double> &p);

} // namespace percussion
