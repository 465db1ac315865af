#pragma once

#include <percussion/balance/works.h>
#include <percussion/dynamics/posed_law.h>
#include <percussion/dynamics/reaction.h>

namespace percussion {

/// True if the contact has a bond that is not broken.
template <int dim>
bool has_bond(const ContactHistory<dim> &history, const ContactKey &key) {
  const ContactBond<dim> *const bond = find_key(history.bonds, key);
  return bond != nullptr && bond->damage < 1.;
}

/// Returns the bonds of the contacts of a state that are closed, without stress. Contacts of rigid
/// bodies alone have no area and no bond.
template <int dim>
std::vector<ContactBond<dim>> make_bonds(const ContactList<dim> &found,
                                         const Boundary<dim> &boundary);

/// Returns the bonds of a run before, and new bonds of the pairs that had none.
template <int dim>
std::vector<ContactBond<dim>> continued_bonds(std::vector<ContactBond<dim>> bonds,
                                              const ContactList<dim> &found,
                                              const Boundary<dim> &boundary);

/// Returns the energy that the bonds store [energy].
template <int dim>
double stored_by_bonds(const std::vector<ContactBond<dim>> &bonds, const Boundary<dim> &boundary);

/// Adds the bonds of the contacts to a law, and multiplies the friction of contacts by the damage
/// of their bonds: a bonded area does not slide. `offset` has the offsets of contacts whose law is
/// for the gap at the end, as in FramedContacts.
template <int dim>
void add_bonds(PosedLaw<dim> &law, const std::vector<std::optional<double>> &offset,
               const ContactSetting<dim> &setting);

/// Returns the opening of a posed bond at the end, by the rows of its contact, with the velocities
/// u of all rows over a time h.
template <int dim>
BondOpening<dim> end_opening(const PosedBond<dim> &bond, const std::vector<double> &u, double h);

/// Returns the step of a posed bond with the velocities u of all rows over a time h.
template <int dim>
BondStep<dim> step_of(const PosedBond<dim> &bond, const std::vector<double> &u, double h);

/// Adds the works of bonds in an interval, and writes their openings and damage at its end to the
/// state. A bond whose contact is not found any more is broken, and so is a tie at its time.
template <int dim>
void account_bonds(const PosedLaw<dim> &law, const Reaction &reaction, const TraceField &v_theta,
                   const Interval &interval, const Boundary<dim> &boundary, State<dim> &state,
                   Works &works);

} // namespace percussion
