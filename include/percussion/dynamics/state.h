#pragma once

#include <percussion/balance/body_state.h>
#include <percussion/contact/contact_list.h>
#include <percussion/contact/history.h>
#include <percussion/contact/surface_motion.h>

namespace percussion {

/// Contacts at t_k.
template <int dim>
struct StateOfContacts {
  ContactList<dim> found; ///< contacts at q
  /// Directions of rigid pieces at the beginning of the last substep, with which `found` was found.
  std::vector<EntryDirection<dim>> entries;
  ContactHistory<dim> history;                    ///< memories of contacts from the last substep
  std::vector<SurfaceMotion<dim>> surface_motion; ///< motion of the surface of each contact pair
};

/// State of the bodies at t_k: positions, velocities, dependent quantities, and memories of the
/// last step.
template <int dim>
struct State : BodyState, StateOfContacts<dim> {};

} // namespace percussion
