#pragma once

#include <percussion/dynamics/advance_substep.h>

namespace percussion {

/// Substep of all bodies, from the state at its beginning to the percussions of its contacts.
template <int dim>
struct Substep {
  State<dim> &state;            ///< state at the beginning
  const Interval &interval;     ///< interval over which it advances
  Machinery<dim> &machinery;    ///< components of the step
  StepRecord<dim> &record;      ///< its record
  double appeared = 0;          ///< kinetic energy of the bodies that appear in it
  ContactList<dim> active = {}; ///< contacts that participate
  PosedLaw<dim> law = {};       ///< their law
  Reaction reaction = {};       ///< solution of the law
  /// Contacts that have become covered in it, which the state counts as closed at its beginning.
  std::vector<ContactKey> covered = {};

  /// Returns the law of the active contacts under these choices, with frames at the middle of a
  /// motion with the velocity v_θ; null: by the scheme's prediction.
  PosedLaw<dim> pose(const StepChoices &choices, const TraceField *v_theta = nullptr) const {
    return pose_law(active, v_theta, setting(choices));
  }
  /// Returns the setting in which contacts are forecast and their law is posed.
  ContactSetting<dim> setting(const StepChoices &choices) const {
    return {state, interval, machinery.contact_finder, machinery.boundary, choices};
  }
};

/// Finds velocities and percussions of a substep that balance the momentum and satisfy the law of
/// the contacts, which the function poses for the active contacts.
template <int dim>
[[nodiscard]] std::optional<Failure> solve_substep(Substep<dim> &substep);

} // namespace percussion
