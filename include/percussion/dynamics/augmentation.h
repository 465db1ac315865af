#pragma once

#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// The augmented Lagrangian of CA (eqs. 157 to 162), in velocities (eqs. 179 to 185): multipliers λ
/// of the nodes and forces r of the quadrature points of the faces with
///
///     r = P_K(λ − ρ û) at each point ,   ∫ (λ − r) δλ = 0 .
///
/// The second makes λ = Π r the L2 projection of r, and the first is
/// −(û + (r − Π r)/ρ) ∈ N_K(r): Signorini's and Coulomb's law with the symmetric, positive
/// semi-definite compliance (1 − Π)/ρ, which lets through what multipliers of the nodes do not
/// feel. Without it more points than nodes would be held. Multipliers of friction are tractions,
/// not CA's semi-multipliers Λ = λ_τ/(μ λ_n).
template <int dim>
void add_augmentation(PosedLaw<dim> &law, const Interval &interval, const Boundary<dim> &boundary,
                      const StepChoices &choices);

} // namespace percussion
