#pragma once

#include <percussion/body/system.h>

#include <utility>
#include <vector>

namespace percussion {

/// Returns additions to diagonal entries of Â of linear bodies, as pairs of a degree of freedom and
/// an addition, for a factor that keeps its digits; empty if Â itself does.
///
/// A body that nothing but contacts hold has rigid motions in which Â is its inertia alone. Where
/// this is less than 1e-8 of the stiffness of the nodes, by a long step or a low density,
/// percussions found with Â⁻¹ lose as many digits. The additions, 1e-6 of the diagonal where
/// contacts may act, bound the loss to six digits; corrections with the factor of the sum, and with
/// the residual of Â, restore them if contacts hold the body.
template <int dim>
std::vector<std::pair<unsigned int, double>>
additions_for_loose_bodies(const System<dim> &system, const SparseMatrix &A,
                           const std::vector<unsigned int> &may_touch);

} // namespace percussion
