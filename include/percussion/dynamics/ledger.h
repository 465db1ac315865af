#pragma once

#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/record.h>

#include <optional>

namespace percussion {

/// Records the contacts of an interval and their works: of each contact Σ u_θ,N p_N and Σ u_θ,T ·
/// p_T with the velocity relative to the opposite side, and Σ p · w of moving surfaces (AC24
/// (65)–(67), BBDM24 (3.8)). Recorded normal percussions are the force on the own side, also if a
/// secant row is not of unit size; recorded velocities have the same work.
/// `n_elastic` is the number of trace entries of elastic bodies; `gap_rates` has the rate of the
/// gap of each contact whose work is that of the gap, see rates_of_gaps(), or is empty.
template <int dim>
void account_contacts(const PosedLaw<dim> &law, const Reaction &reaction, const TraceField &v_theta,
                      unsigned int n_elastic, const std::vector<std::optional<double>> &gap_rates,
                      StepRecord<dim> &record);

/// Returns the percussions on nodes of elastic bodies whose faces are touched or carry contacts at
/// quadrature points.
template <int dim>
std::vector<NodePercussion<dim>>
node_percussions(const PosedLaw<dim> &law, const Reaction &reaction, const Boundary<dim> &boundary);

/// Returns the deepest penetration of contacts [length].
template <int dim>
double deepest(const ContactList<dim> &found);

} // namespace percussion
