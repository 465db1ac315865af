#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/body/material_history.h>

#include <vector>

namespace percussion {

/// Energies of the bodies and of springs that replace contacts, at one time [energy].
struct StateEnergies {
  double kinetic = 0; ///< kinetic energy ½ vᵀ M v
  double strain = 0;  ///< strain energy: ½ qᵀ K q of linear cells and ∫ W of the others
  double contact_potential = 0; ///< potential of springs that replace contacts

  /// Returns the total energy.
  double energy() const { return kinetic + strain + contact_potential; }
};

/// Motion of the bodies at t_k.
struct StateOfMotion {
  unsigned int step = 0; ///< number of completed steps
  double time = 0;       ///< time t_k
  double previous_h = 0; ///< length of the last substep [time]
  Vector q;              ///< displacements
  Vector v;              ///< velocities
  /// Compensation term of Kahan's summation for v: for angular velocities in 3D, else empty.
  Vector rounding;

  Vector Mv;    ///< momentum M v
  Vector Kq;    ///< internal force K q of linear cells
  Vector force; ///< external force F(time)
  Vector a;     ///< acceleration; empty unless it is a variable of the integrator

  MaterialHistory material_history; ///< histories of materials with memory
  /// Numbers of full turns in the angles of links (LinkForces), whose attitudes give an angle in
  /// (−π, π].
  std::vector<double> link_turns;
  /// Memories of the coordinates of joints with limits or friction, see BoundMemory; empty without.
  std::vector<double> bound_memory;
};

/// Motion of the bodies at t_k with its energies, without contacts.
struct BodyState : StateOfMotion, StateEnergies {};

} // namespace percussion
