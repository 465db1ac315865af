#pragma once

#include <percussion/dynamics/reaction.h>

#include <vector>

namespace percussion {

/// Begins a reaction with the tangential restitutions of the law's first solution, without
/// percussions.
template <int dim>
Reaction first_reaction(const PosedLaw<dim> &law);

/// Solves the law for the velocities u of the contacts, and again with other tangential
/// restitutions until each contact has the one of its law (theory.md, Proposition 5a). If the
/// balance is not linear, later corrections solve it again.
template <int dim>
[[nodiscard]] std::optional<Failure>
solve_law(const PosedLaw<dim> &law, const std::vector<double> &u, ReactionSolver<dim> &solver,
          ContactSystem &system, CorrectionStage stage, Reaction &reaction);

/// Returns the solution before tangential restitutions changed.
ReactionGuess first_solution(const Reaction &reaction);

} // namespace percussion
