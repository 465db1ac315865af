#pragma once

#include <percussion/dynamics/advance_substep.h>

namespace percussion {

/// Computes the acceleration of all bodies at the time of a state with given q, v, force, contacts
/// and surface motions, from
///
///     M_ff a_f = f_f − M_fp a_p + Hᵀ p ,   f = F − K q − C v − Ω × I Ω ,
///
/// with the accelerations a_p of prescribed motions by their formulas, and the forces p of closed
/// contacts by Signorini's and Coulomb's law for accelerations: a contact that does not separate
/// has a_N ≥ 0, and sticks or slips on as it does. A body in equilibrium thus has none. Contacts
/// that approach have an impact in the first step and no force here; if the law has no solution,
/// the contacts have no forces either.
template <int dim>
void start_acceleration(State<dim> &state, Machinery<dim> &machinery);

} // namespace percussion
