#pragma once

#include <percussion/body/finite_strain.h>
#include <percussion/body/link_forces.h>
#include <percussion/dynamics/failure.h>
#include <percussion/dynamics/iterate.h>
#include <percussion/dynamics/record.h>

#include "follower_pressures.h"
#include <optional>

namespace percussion {

/// Internal force of bodies with hyperelastic cells or links over an interval: the
/// discrete-gradient stress in hyperelastic cells (BBDM24 (3.2)–(3.5)), K q_θ and C v_θ in linear
/// cells, links, and pressures that follow the bodies. Without inertia (StepChoices::has_inertia)
/// stresses follow from q1, not from the discrete gradient, which would alternate about the
/// equilibrium from step to step.
template <int dim>
struct InternalForce {
  /// Stores references, which must outlive this object.
  InternalForce(const System<dim> &bodies, const StepChoices &choices);

  /// Begins an interval, with the loads (1−f) p(t0) + f p(t1).
  void begin(const Iterate<dim> &iterate, double f);
  /// Computes the force at v_θ. Fails if the interval inverts an element.
  [[nodiscard]] std::optional<Failure> evaluate(const Iterate<dim> &iterate);
  /// Returns the displacements from which stresses and pressures of the interval start.
  const Vector &initial(const Iterate<dim> &iterate) const {
    return choices.has_inertia ? iterate.start->q : q1;
  }
  /// Returns the strain energy of a state, and computes K q of linear cells.
  double strain_energy(State<dim> &state);
  /// Adds the works of loads, viscosity and dashpots in the interval.
  void add_works(const Iterate<dim> &iterate, Works &works) const;
  /// Returns the force without pressures and viscosity of linear cells.
  Vector elastic_force() const;

  const System<dim> &bodies;
  const StepChoices &choices;
  std::vector<FiniteStrain<dim>> strains; ///< strains of each hyperelastic material, body by body
  LinkForces<dim> links;
  std::vector<double> joint_impulse; ///< impulses Λ of the joints [impulse]
  FollowerPressures<dim> pressures;
  Vector q1, deformation, Kq1; ///< displacements at the end; of linear cells, and K times them
  Vector viscous_force, force; ///< C v_θ, and the sum of all forces
  bool is_inside_out = false;  ///< true if the last v_θ inverts an element
};

} // namespace percussion
