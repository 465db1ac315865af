#pragma once

#include <percussion/body/material.h>

#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/full_matrix.h>

namespace percussion {

/// Replaces the volume change of a cell by its mean, so that quadrilaterals, hexahedra and cells of
/// second order do not lock near incompressibility (J. C. Nagtegaal, D. M. Parks & J. R. Rice
/// 1974; T. J. R. Hughes 1980). With κ = λ + 2µ/3 and the row b u = ∫ div u dX,
///
///     ∫ κ (div u)² dX   becomes   κ (b u)² / V ,
///
/// and the deviatoric energy, hence the mean stress of the cell, does not change.
///
/// Adds factor × κ (bᵀ b / V − ∫ div N_i div N_j dX) to the stiffness of a cell of a body in 3D, in
/// plane strain, or of revolution. The values must contain shape values, gradients, weights and
/// positions.
template <int dim>
void add_mean_dilatation(const dealii::FEValues<dim> &values, const Material<dim> &material,
                         double factor, dealii::FullMatrix<double> &cell_matrix);

/// Linear macro-cell: triangles or tetrahedra whose volume change is replaced by its mean likewise.
template <int dim>
class MacroCell {
public:
  /// Adds a triangle or tetrahedron with the numbers of its degrees of freedom.
  void add_cell(const dealii::FEValues<dim> &values, const Material<dim> &material,
                const std::vector<dealii::types::global_dof_index> &cell_dofs);

  /// Returns the degrees of freedom of all cells, each once.
  const std::vector<dealii::types::global_dof_index> &dofs() const { return all_dofs; }
  /// Returns κ (bᵀ b / V − Σ V_c d_cᵀ d_c) with the volume V_c and the row d_c u = div u of each
  /// cell, b = Σ V_c d_c and V = Σ V_c.
  dealii::FullMatrix<double> matrix(double bulk) const;

private:
  std::vector<dealii::types::global_dof_index> all_dofs;
  std::vector<double> volumes;
  std::vector<std::vector<double>> divergences; ///< d_c by the order of `all_dofs`
};

} // namespace percussion
