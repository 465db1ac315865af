#pragma once

#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// Adds the contacts whose friction depends on the slip speed of the step to a law. Their friction
/// opposes the mean velocity of the step: it has no tangential restitution.
template <int dim>
void add_rates(PosedLaw<dim> &law, const ContactSetting<dim> &setting);

/// Returns the slip speed of a contact with the velocities u of all rows.
template <int dim>
double slip_speed(const std::vector<double> &u, std::size_t contact);

/// Advances the states of these contacts, with the percussions p, over a time h; an open contact
/// does not slip. The states of other contacts stay.
template <int dim>
void advance_states(const PosedLaw<dim> &law, const std::vector<double> &p,
                    const TraceField &v_theta, double h, ContactHistory<dim> &history);

} // namespace percussion
