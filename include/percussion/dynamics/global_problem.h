#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/cone/problem.h>
#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// Cone problem of posed contacts with the entire Â, for contacts whose W = θ H Â⁻¹ Hᵀ would be too
/// large:
///
///     Â x / θ − Hᵀ p = −Hᵀ p0 ,     û = H x + u + a ,
///
/// with the percussion factor θ of the rule of integration, the velocities u of the contacts under
/// the percussions p0, and the change x of velocities by other percussions. A compliance c of the
/// contacts adds an unknown s = c∘p to each of their rows: û = H x + s + u + a. Natural units are
/// used: the unit of velocity makes the largest entry of u + a one, the unit of percussion makes
/// the mean diagonal entry of H diag(Â)⁻¹ Hᵀ θ one.
struct GlobalPose {
  GlobalFrictionContactProblem problem;
  double velocity_unit, percussion_unit; ///< natural units [velocity], [impulse]
};

/// Poses the problem of GlobalPose with the velocities u + a. The system must use the degrees of
/// freedom of H and have a factor.
template <int dim>
GlobalPose pose_globally(const PosedLaw<dim> &law, const std::vector<double> &velocity,
                         const std::vector<double> &p0, double percussion_factor,
                         ContactSystem &system);

} // namespace percussion
