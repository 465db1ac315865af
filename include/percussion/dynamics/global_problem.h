#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/cone/problem.h>
#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// The cone problem of posed contacts on the whole of Â, for contacts so many that W = θ H Â⁻¹ Hᵀ
/// would be too large:
///
///     Â x / θ − Hᵀ p = −Hᵀ p0 ,     û = H x + u + a ,
///
/// where u are the velocities of the contacts under the percussions p0, and x is what other
/// percussions change. A compliance c of the contacts is a further unknown s = c∘p of each of their
/// rows: û = H x + s + u + a. In natural units: those of velocity make the largest entry of u + a
/// one, those of percussion the mean diagonal entry of H diag(Â)⁻¹ Hᵀ θ.
struct GlobalPose {
  GlobalFrictionContactProblem problem;
  double velocity_unit, percussion_unit;
};

/// See GlobalPose. The system must have the degrees of freedom of H in use and a factor.
template <int dim>
GlobalPose pose_globally(const PosedLaw<dim> &law, const std::vector<double> &u,
                         const std::vector<double> &p0, double theta, ContactSystem &system);

} // namespace percussion
