#pragma once

#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/record.h>

namespace percussion {

/// Lists the moments of the active contacts of a law: of pairs with rolling or spinning friction,
/// if a body is round and may turn. Contacts without poses of their own have the poses of the
/// state.
template <int dim>
void find_moments(const State<dim> &state, const Boundary<dim> &boundary, PosedLaw<dim> &law);

/// Appends the rows of the moments of a law, with entries of the trace as columns.
template <int dim>
void append_moment_rows(const PosedLaw<dim> &law, const Boundary<dim> &boundary, ContactRows &rows);

/// Appends the law of the moments to a law that has their rows. Their tangential restitution is the
/// least one in all schemes, so that no moment does positive work.
template <int dim>
void append_moment_laws(PosedLaw<dim> &law, const ContactSetting<dim> &setting);

/// Replaces the law of the moments by the law for angular accelerations at the beginning of an
/// interval: offsets ω0/h let a body roll on.
template <int dim>
void make_moment_laws_of_accelerations(const State<dim> &state, const TraceField &v0, double h,
                                       PosedLaw<dim> &law);

/// Replaces the memories of the moments by the solution of a law.
template <int dim>
void remember_moments(const PosedLaw<dim> &law, const ReactionGuess &first,
                      const ReactionGuess &last, ContactHistory<dim> &history);

/// Records the moments of an interval and their works Σ ω_θ · m, after account_contacts().
template <int dim>
void account_moments(const PosedLaw<dim> &law, const Reaction &reaction, const TraceField &v_theta,
                     StepRecord<dim> &record);

} // namespace percussion
