#pragma once

#include "internal_force.h"

namespace percussion {

/// Matrix Â of the elastic bodies in a nonlinear balance: the symmetric part of M + hθ C + h²θ
/// ∂f/∂q1 at an iterate. Without inertia, a body that only contacts hold has additions on the
/// degrees of freedom of contacts, as in additions_for_loose_bodies().
template <int dim>
class NonlinearTangent {
public:
  /// Tangent of the internal force. Stiff materials have an approximation, whose geometric term is
  /// omitted at the beginning of a step; `definite` is the positive semidefinite part of the
  /// tangent of each cell of the other materials, without pressures.
  enum class Kind { of_beginning, of_iterate, definite };

  /// Stores references, which must outlive this object. Contacts act on the trace.
  NonlinearTangent(const System<dim> &bodies, const StepChoices &choices, const Trace<dim> &trace);

  /// Locates the entries of all cells in Â after its pattern has changed.
  void locate(const InternalForce<dim> &internal, const Cholesky &A);
  /// Fills Â at the iterate last evaluated.
  void fill(Kind kind, const Iterate<dim> &iterate, const InternalForce<dim> &internal,
            Cholesky &A);

private:
  /// Returns the factor of the symmetric part of a tangent, times ½. Without inertia, both ends of
  /// the step from which stresses follow move with q1.
  double tangent_factor(double h) const {
    return (choices.has_inertia ? 0.5 : 1.) * h * h * choices.theta;
  }
  void add_constant_part(double h, Cholesky &A);
  void add_cells(Kind kind, double h, const InternalForce<dim> &internal, std::vector<double> &A);

  const System<dim> &bodies;
  const StepChoices &choices;
  /// Degrees of freedom of contacts on bodies that prescribed motions do not hold; empty with
  /// inertia.
  std::vector<unsigned int> loose_dofs;
  /// Position in Â of each pair of degrees of freedom of each cell of each material, on one side of
  /// the diagonal, row by row.
  std::vector<std::vector<int>> entry_positions;
  std::vector<double> cell_tangent;
  std::vector<double> constant_values; ///< entries of M, K and C in Â, constant if h is constant
  double constant_length = 0;          ///< their h
};

} // namespace percussion
