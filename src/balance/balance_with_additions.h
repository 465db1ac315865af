#pragma once

#include <percussion/balance/balance.h>

#include "indefinite_matrix.h"
#include "loose_bodies.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace percussion {

/// Returns the norm of the entries of a vector that belong to a body.
template <int dim>
double norm_on_body(const Vector &vector, const ElasticBody<dim> &body) {
  const double *const begin = vector.data() + body.space.first_dof, *const end =
                                                                        begin + body.n_dofs();
  return std::sqrt(std::inner_product(begin, end, begin, 0.));
}

/// Balance of linear bodies whose factor has additions_for_loose_bodies(): corrections with the
/// residual of Â itself follow until it is round-off. If a larger residual remains because contacts
/// do not hold a body, omit() omits the additions in the interval. Without inertia they cannot be
/// omitted, because Â is singular; the interval then fails.
template <int dim>
class BalanceWithAdditions {
public:
  /// Stores references, which must outlive this object.
  BalanceWithAdditions(const System<dim> &b, const BalanceChoices &c, const TimeRule &r,
                       const Trace<dim> &t)
      : bodies(b), choices(c), rule(r), trace(t) {}

  /// True if the factor has additions.
  bool has_additions() const { return is_needed; }
  /// Adds the additions to Â, unless they are omitted or `may_need` is false.
  void add_to(MatrixRows &A, bool may_need) {
    is_needed = false;
    if (is_omitted || !may_need)
      return;
    for (const auto &[dof, addition] : additions_for_loose_bodies(bodies, A, trace.dofs())) {
      A.add_to_diagonal(dof, addition);
      is_needed = true;
    }
    is_needed = bodies.operators.partition.any(is_needed);
  }

  /// Omits the additions for the rest of the interval. Returns false if there are none, or if Â
  /// itself would be singular.
  bool omit() {
    if (!is_needed || !choices.has_inertia)
      return false;
    return is_omitted = true;
  }

  /// Ends the interval. Returns true if it has omitted additions: the next one tries them again.
  bool finish() { return std::exchange(is_omitted, false); }

  /// Begins an interval; stores the right-hand side if the factor may have additions.
  void start(const Vector &b, bool may_have_additions) {
    push = 1.;
    if (may_have_additions)
      right_side = b;
  }

  /// Computes the right-hand side minus Â v̄, without contact forces.
  void find_residual(Iterate &iterate) {
    const double h = iterate.interval.h, factor = h * rule.percussion_factor;
    if (product.size() == 0)
      product.reinit(bodies.n_dofs());
    const auto subtract = [&](const SparseMatrix &matrix, double multiple) {
      multiply(matrix, bodies.operators.partition, iterate.v_theta, product);
      iterate.minus_residual.add(-multiple, product);
    };
    iterate.minus_residual = right_side;
    subtract(bodies.operators.mass, 1.);
    subtract(bodies.operators.stiffness, factor * h * rule.internal);
    if (bodies.operators.viscous)
      subtract(bodies.operators.viscosity, factor * rule.viscous);
  }

  /// Returns the state of the balance, with a residual relative to the impulses of loads, elements
  /// and contacts in the free rows.
  BalanceVerdict judge(Iterate &iterate, bool converged) {
    const ContactForces &contact_forces = iterate.contact_forces;
    constexpr double round_off = 1e-15, tolerance = 1e-12, slow = 0.5;
    Vector imbalance = iterate.minus_residual;
    double contact_square = 0;
    for (std::size_t c = 0; c < contact_forces.dofs.size(); ++c) {
      imbalance[contact_forces.dofs[c]] += contact_forces.applied[c];
      contact_square += contact_forces.applied[c] * contact_forces.applied[c];
    }
    for (const unsigned int i : bodies.motion.dofs())
      imbalance[i] = 0.;
    const double impulse = iterate.interval.h * rule.percussion_factor;
    const double scale =
        std::max({impulse * iterate.force_theta->l2_norm(), impulse * iterate.start->Kq.l2_norm(),
                  std::sqrt(contact_square)});
    const double relative = scale > 0. ? imbalance.l2_norm() / scale : 0.;
    auto &history = iterate.residuals;
    const bool shrinks_slowly = !history.empty() && relative > slow * history.back();
    history.push_back(relative);
    if (converged && (relative <= round_off || (shrinks_slowly && relative <= tolerance)))
      return {true, {}};
    // The balance of a body without inertia that moves far in a step is round-off of K v̄.
    if (shrinks_slowly && converged && !choices.has_inertia &&
        imbalance.l2_norm() <= rounding_of_internal_impulse(iterate))
      return {true, {}};
    if (!shrinks_slowly || !converged)
      return {};
    if (choices.has_inertia)
      return {false, Failure{"the tangent is not positive definite"}};
    if (push_free_bodies(imbalance, iterate))
      return {};
    return {false, Failure{body_without_support(imbalance)}};
  }

private:
  /// Multiplies the residual of unbalanced bodies on which no contact acts, so that they move
  /// farther in each correction until they meet a contact: the additions permit only small steps of
  /// stiff bodies. Returns false if there are no such bodies, after a further correction of a body
  /// that has met one, or if a body meets no contact at all.
  bool push_free_bodies(const Vector &imbalance, Iterate &iterate) {
    constexpr double growth = 16., most = 1e15, least_fraction = 1e-3;
    const double least = least_fraction * imbalance.l2_norm(), next = push * growth;
    const ContactForces &contact_forces = iterate.contact_forces;
    bool is_pushed = false;
    for (const auto &body : bodies.elastic) {
      const unsigned int begin = body->space.first_dof, end = begin + body->n_dofs();
      bool is_touched = false;
      for (std::size_t c = 0; c < contact_forces.dofs.size(); ++c)
        is_touched =
            is_touched || (contact_forces.applied[c] != 0. && contact_forces.dofs[c] >= begin &&
                           contact_forces.dofs[c] < end);
      if (is_touched || norm_on_body(imbalance, *body) < least)
        continue;
      for (unsigned int dof = begin; dof < end; ++dof)
        iterate.minus_residual[dof] *= next;
      is_pushed = true;
    }
    const bool has_met_contact = !is_pushed && push > 1.;
    push = is_pushed ? next : 1.;
    return has_met_contact || (is_pushed && push < most);
  }

  /// Returns 4 ε ‖|K| |v̄|‖ in the units of the balance.
  double rounding_of_internal_impulse(const Iterate &iterate) const {
    const double *const v = iterate.v_theta.data();
    const double square = sum_over(iterate.v_theta.size(), [&](unsigned int i, double &sum) {
      const SparseRow K = bodies.operators.stiffness.row(i);
      double row_power = 0;
      for (int k = 0; k < K.size; ++k)
        row_power += std::abs(K.value[k] * v[K.column[k]]);
      sum += row_power * row_power;
    });
    return 4. * std::numeric_limits<double>::epsilon() * std::sqrt(square) * iterate.interval.h *
           iterate.interval.h * rule.percussion_factor * rule.internal;
  }

  /// Returns the reason why there is no quasi-static balance, with the name of the body with the
  /// largest imbalance.
  std::string body_without_support(const Vector &imbalance) const {
    std::string name;
    double largest = -1;
    for (const auto &body : bodies.elastic) {
      if (const double norm = norm_on_body(imbalance, *body); norm > largest) {
        largest = norm;
        name = name_of_body(bodies, *body);
      }
    }
    return "supports and closed contacts do not hold " + name +
           ", and without inertia its loads have no balance";
  }

  const System<dim> &bodies;
  const BalanceChoices &choices;
  const TimeRule &rule;
  const Trace<dim> &trace;
  bool is_needed = false, is_omitted = false;
  double push = 1; ///< factor of the residual of bodies without contact forces in a correction
  /// Right-hand side of Â v_θ = …, and a product of a matrix with v_θ; empty before the first use.
  Vector right_side, product;
};

} // namespace percussion
