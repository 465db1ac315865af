#pragma once

#include <percussion/body/material.h>

#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/full_matrix.h>

namespace percussion {

/// Adds bending modes to a quadrilateral or hexahedron: displacements (1 − ξ²) α₁ + (1 − η²) α₂,
/// in 3D + (1 − ζ²) α₃, of the cell alone, with the α eliminated that make its energy stationary
/// (R. L. Taylor, P. J. Beresford & E. L. Wilson 1976). Their gradients use the Jacobian J₀ at the
/// centre,
///
///     ∇N = (det J₀ / det J) J₀⁻ᵀ ∂N/∂ξ ,
///
/// so that their mean over the cell is zero: constant strains, hence mean stresses, do not change,
/// on distorted meshes, too.
///
/// Adds factor × (−K_uα K_αα⁻¹ K_αu) to the stiffness of a cell. The values must contain gradients,
/// Jacobians and weights at the points of Gauss' rule of 2 × 2 or 2 × 2 × 2.
template <int dim>
void add_incompatible_modes(const dealii::FEValues<dim> &values, const LinearElastic<dim> &law,
                            double factor, dealii::FullMatrix<double> &cell_matrix);

} // namespace percussion
