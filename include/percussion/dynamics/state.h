#pragma once

#include <percussion/algebra/types.h>
#include <percussion/contact/find.h>
#include <percussion/contact/history.h>
#include <percussion/contact/surface_motion.h>

namespace percussion {

/// Where the bodies are at t_k, and what follows from that alone or is remembered of the step
/// before.
template <int dim>
struct State {
  unsigned int step = 0; ///< number of steps done
  double time = 0;       ///< t_k
  double previous_h = 0; ///< length of the last part of a step
  Vector q;              ///< displacements
  Vector v;              ///< velocities
  /// What rounding has taken from v, so that it does not add up over many steps: of angular
  /// velocities in space; empty without.
  Vector rounding;

  Vector Mv;    ///< momentum M v
  Vector Kq;    ///< internal force K q of linear cells
  Vector force; ///< external force F(time)
  Vector a;     ///< acceleration; empty unless the integrator has it as a variable

  double kinetic = 0;           ///< ½ vᵀ M v
  double strain = 0;            ///< ½ qᵀ K q of linear cells and ∫ W of the others
  double contact_potential = 0; ///< of springs in place of contacts, see Penalty
  /// Total energy [energy].
  double energy() const { return kinetic + strain + contact_potential; }

  ContactList<dim> found;                         ///< contacts at q
  ContactHistory<dim> history;                    ///< of the last part of a step
  std::vector<SurfaceMotion<dim>> surface_motion; ///< of each contact pair
};

} // namespace percussion
