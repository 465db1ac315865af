#pragma once

#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// Adds the augmented Lagrangian of CA (eqs. 157 to 162), in velocities (eqs. 179 to 185):
/// multipliers λ of the nodes and forces r of the quadrature points of the faces with
///
///     r = P_K(λ − ρ û) at each point ,   ∫ (λ − r) δλ = 0 .
///
/// The second equation makes λ = Π r the L2 projection of r, and the first becomes −(û + (r − Π
/// r)/ρ) ∈ N_K(r): Signorini's and Coulomb's law with the symmetric, positive semi-definite
/// compliance (1 − Π)/ρ. This compliance permits penetration in the components that multipliers of
/// the nodes cannot represent. Without it, there would be more contact constraints than nodes.
/// Multipliers of friction are tractions, not the semi-multipliers Λ = λ_τ/(μ λ_n) of CA.
///
/// Between elastic bodies, integrals are over the region of the faces that is in front of the
/// opposite side: multipliers are functions of the nodes on this region.
template <int dim>
void add_augmentation(PosedLaw<dim> &law, const State<dim> &state, const Interval &interval,
                      const Boundary<dim> &boundary, const StepChoices &choices);

} // namespace percussion
