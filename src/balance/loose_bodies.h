#pragma once

#include <percussion/algebra/matrix_rows.h>
#include <percussion/body/system.h>

#include <utility>
#include <vector>

namespace percussion {

/// Ratio of an addition for a loose body to the diagonal entry [1]. A correction multiplies a
/// residual by about this number times the square of the number of nodes across a body.
constexpr double addition_of_loose_bodies = 1e-6;

/// Returns additions to diagonal entries of Â of linear bodies, as pairs of degree of freedom and
/// addition, for a factor that keeps its digits; empty if Â itself does.
///
/// A body that only contacts hold has rigid motions in which Â consists of its inertia. If the
/// inertia is less than 1e-8 of the stiffness of the nodes, due to a long step or a low density,
/// percussions found with Â⁻¹ lose as many digits. The additions, 1e-6 of the diagonal on the
/// degrees of freedom of contacts, bound the loss to six digits; corrections with the factor of the
/// sum, and with the residual of Â, restore these digits if contacts hold the body. A process has
/// the additions to the rows that it stores; either all processes have additions or none.
/// Collective.
template <int dim>
std::vector<std::pair<unsigned int, double>>
additions_for_loose_bodies(const System<dim> &system, const MatrixRows &A,
                           const std::vector<unsigned int> &may_touch);

} // namespace percussion
