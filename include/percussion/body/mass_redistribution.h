#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/space.h>

#include <vector>

namespace percussion {

/// Take the inertia from the contact nodes and give it to their neighbourhood (mass redistribution:
/// Khenous, Laborde & Renard 2008, Eur. J. Mech. A/Solids 27; "equivalent mass matrix").
///
/// `mass` is the consistent mass matrix over all degrees of freedom [mass], the same for each
/// component and without coupling between them. Afterwards the rows and columns of `contact_nodes`
/// are zero, no entry is nonzero that was not, the matrix is symmetric and positive definite on the
/// other nodes, and each connected part of the body keeps its mass, centre and second moments about
/// the undeformed positions, hence its moments of inertia, to round-off.
///
/// What a contact node has goes to the diagonal of its neighbours. That displaces the centre and
/// the second moments; with x̂ = (1, x) at each node, they are restored by
///
///     δM_ij = M_ij ψ_i ψ_j x̂_iᵀ Λ x̂_j ,   ψ = (1 − d/16)² ,
///
/// the smallest change in the sense Σ δM_ij² / (M_ij ψ_i ψ_j) that does so. Λ is symmetric, one for
/// each connected part; d is the number of element edges (in quadrilaterals also diagonals) to the
/// nearest contact node: from the sixteenth layer of nodes on nothing changes.
///
/// A correction within two layers, which leaves no choice, makes heavy nodes that ring against the
/// wall; one over the whole body changes waves far from it. Largest standard deviation of the force
/// of a bar of 200 elements on a rigid wall, between 10 and 90 % of the impact, over several first
/// gaps, in steps of 4 and of 1 times what a wave takes through an element: 11 and 1 % with two
/// layers, 0.21 and 0.006 % with sixteen, 0.35 and 0.09 % over the whole bar with ψ = 1, 0.34 and
/// 0.002 % without correction.
///
/// In a body of few layers that correction can leave a motion of the other nodes with less than a
/// tenth of its kinetic energy, or with none. Then the mass of each contact node moves with the
/// linear extrapolation from the nearest element without contact nodes instead, which leaves only
/// second moments to be restored, and last 4 takes the place of 16.
///
/// Throws InputError where a connected part with contact nodes has no element without (what is left
/// could lie on a line), or where none of this keeps the matrix definite.
template <int dim>
void remove_contact_inertia(const Space<dim> &space, const std::vector<unsigned int> &contact_nodes,
                            SparseMatrix &mass);

} // namespace percussion
