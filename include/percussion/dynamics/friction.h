#pragma once

#include <percussion/dynamics/contact_account.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// Coefficients of friction of contacts at the beginning of a substep. The energy theorem requires
/// μ ≥ 0 of each contact and substep, and nothing else; a formula may therefore depend on all that
/// the beginning of the substep determines.
template <int dim>
class FrictionCoefficients {
public:
  /// Stores references to the state, its velocity over the trace, and the boundary, which must not
  /// change during use.
  FrictionCoefficients(const State<dim> &s, const TraceField &v, const Boundary<dim> &b);

  /// Returns μ of a contact whose key is in State::found. Throws RunError if a formula is negative
  /// or not finite.
  double operator()(const Contact<dim> &contact) const {
    const ContactPoint<dim> &point = boundary.points[contact.point];
    const FrictionFormula *const formula =
        point.has_friction ? boundary.pairs[contact.key.pair].friction_formula.get() : nullptr;
    return formula != nullptr ? value(*formula, contact.key) : point.friction;
  }

private:
  double value(const FrictionFormula &formula, const ContactKey &key) const;

  const State<dim> &state;
  const TraceField &v0;
  TraceField q0; ///< displacements over the trace; empty if no pair has a formula
  const Boundary<dim> &boundary;
};

/// Returns the directions of the rows of contacts with elliptic friction cones, see
/// PosedLaw::directions; empty if there are none. Throws RunError if the direction of friction is
/// normal to the surface at a contact.
template <int dim>
std::vector<std::array<dealii::Tensor<1, dim>, dim>>
friction_directions(const ContactList<dim> &list, const Boundary<dim> &boundary);

/// Adds the slips of a substep to the history, for pairs whose friction depends on the slip.
template <int dim>
void add_slips(const std::vector<ContactAccount<dim>> &accounts, const Boundary<dim> &boundary,
               ContactHistory<dim> &history);

} // namespace percussion
