// Normal rows that give the change of the gap over a step.

#pragma once

#include <percussion/contact/contact_list.h>

#include <optional>
#include <vector>

namespace percussion {

/// Motion of a substep, as contacts feel it.
template <int dim>
struct StepMotion {
  TraceField displacement; ///< h v_θ over the trace [length]
  /// Positions in the middle of the step of the nodes of elastic bodies on facets: q0 + h v_θ/2, by
  /// trace entry over dim [length].
  std::vector<dealii::Point<dim>> middle;
  unsigned int n_elastic; ///< number of trace entries of elastic bodies
};

/// Contact whose row is to give a change of its gap.
template <int dim>
struct SecantRow {
  Contact<dim> contact;              ///< contact in its base frame, with its new normal
  std::vector<Support<dim>> support; ///< support in the base frame, with the new row
};

/// Returns the resultant of the normal row of a contact on its own side: 1 up to round-off, except
/// of the gradient of a gap, and of rows with springs.
/// @param n_elastic number of trace entries of elastic bodies; other contacts have 1
template <int dim>
double row_resultant(const Contact<dim> &contact, const Support<dim> *support,
                     unsigned int n_elastic);

/// Divides the normal row of a contact by its resultant on the own side: percussions are then
/// forces, to which friction is in proportion. Returns the divisor.
template <int dim>
double scale_to_unit_force(const Contact<dim> &contact, Support<dim> *support,
                           unsigned int n_elastic);

/// Changes a normal row B so that row · D is the change of the gap over the step (a discrete
/// gradient in the sense of Gonzalez 1996), and returns the change that the row then gives.
///
/// Between nodes of elastic bodies alone, with weights w_k = |B_k|, the row has no moment about any
/// point in the middle of the step, and its correction is the relative motion
///
///     c_k = w_k (D_k − D̄ − ω × X_k) ,   row_k = B_k + c_k (Δg − B·D) / (c·D) ,
///
/// where D̄ and ω are the motion of a rigid body next to D: neither resultant nor moment changes.
/// Other contacts turn their normal in the direction of the relative displacement d of the
/// contact: n' = n + d (Δg − n·d) / d². The correction is at most 0.3 of the row, so that a contact
/// that jumps to another facet does not turn its force; the row then only drifts.
///
/// The normal of the contact becomes the direction of the force on its own side, to which friction
/// is perpendicular.
/// @param surface  displacement of the opposite surface; null if the opposite side is a body
/// @param change   change Δg of the geometric gap [length]; none if it is not known: the row then
///                 only loses its moment
/// @param rounding round-off of the change; the row stays if nothing moves by 10⁸ times as much
/// @param has_unit_force true to divide the row, and the change that it gives, by its resultant on
///                 the own side: percussions are then forces, to which friction is in proportion
template <int dim>
double correct_row(SecantRow<dim> &row, const StepMotion<dim> &motion,
                   const dealii::Tensor<1, dim> *surface, std::optional<double> change,
                   double rounding, bool has_unit_force);

/// Replaces the gradients of gaps in the normal rows of contacts between elastic bodies by the
/// normal with the tangential weights. Returns false if no row changes.
template <int dim>
bool omit_gradients(ContactList<dim> &list, unsigned int n_elastic);

} // namespace percussion
