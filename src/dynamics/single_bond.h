// A rigid bond with its contact, alone.

#pragma once

#include <percussion/dynamics/posed_law.h>

#include <deal.II/base/tensor.h>

namespace percussion {

/// Solution of a rigid bond and the contact without friction in its rows.
template <int dim>
struct SingleBond {
  bool holds = true;               ///< true if the bond keeps its opening
  dealii::Tensor<1, dim> opening;  ///< opening at the end [length]
  dealii::Tensor<1, dim> traction; ///< traction of the bond [stress]
  double pressure = 0;             ///< pressure of the contact if the bond opens [stress]
};

/// Solves the law of a rigid bond and its contact for sides that have the opening `free` at the end
/// without tractions, and B t less with the traction t. The traction follows from the size of the
/// opening, on which its strength depends, by one monotone equation.
template <int dim>
SingleBond<dim> solve_single_bond(const PosedBond<dim> &bond, const dealii::Tensor<2, dim> &B,
                                  const dealii::Tensor<1, dim> &free, double h);

} // namespace percussion
