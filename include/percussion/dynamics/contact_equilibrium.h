#pragma once

#include <percussion/body/static_equilibrium.h>
#include <percussion/cone/solver.h>
#include <percussion/contact/boundary.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// Returns the state of static equilibrium at time t under a preload and the contacts of the
/// boundary, with their friction and their springs: q, zero velocities, and memories with the
/// forces of the contacts, from which a run with these choices starts without motion.
///
/// The equilibrium is the limit of quasi-static steps (CA, eq. 163) with θ = 1 from the undeformed
/// bodies, whose loads and displacements grow in the smallest number of increments that converges.
/// Steps with constant loads follow until the displacements stay, because the last contact forces
/// must balance in the frames that the run finds. Friction depends on the path of the loads. Rigid
/// bodies and surfaces stay in place, links, pressures and viscosity do not act.
///
/// Bodies and boundary are as before on return. Throws RunError with the reason if no equilibrium
/// is found.
template <int dim>
State<dim> contact_equilibrium(System<dim> &bodies, Boundary<dim> &boundary,
                               const StepChoices &choices, const ConeOptions &options,
                               const Preload &preload, double t);

} // namespace percussion
