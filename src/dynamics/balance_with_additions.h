#pragma once

#include <percussion/dynamics/balance.h>

namespace percussion {

/// Balance of linear bodies whose factor has additions_for_loose_bodies(): corrections with the
/// residual of Â itself follow until it is round-off. If a larger residual remains because contacts
/// do not hold a body, omit() omits the additions in the interval. Without inertia they cannot be
/// omitted, because Â is singular; the interval then fails.
template <int dim>
class BalanceWithAdditions {
public:
  /// Stores references, which must outlive this object.
  BalanceWithAdditions(const System<dim> &bodies, const StepChoices &choices, const TimeRule &rule,
                       const Trace<dim> &trace);

  /// True if the factor has additions.
  bool has_additions() const { return is_needed; }
  /// Adds the additions to Â, unless they are omitted or `may_need` is false.
  void add_to(SparseMatrix &A, bool may_need);
  /// Omits the additions for the rest of the interval. Returns false if there are none, or if Â
  /// itself would be singular.
  bool omit();
  /// Ends the interval. Returns true if it has omitted additions: the next one tries them again.
  bool finish();

  /// Begins an interval; stores the right-hand side if the factor may have additions.
  void start(const Vector &b, bool may_have_additions);
  /// Computes the right-hand side minus Â v̄, without contact forces.
  void find_residual(Iterate<dim> &iterate);
  /// Returns the state of the balance, with a residual relative to the impulses of loads, elements
  /// and contacts in the free rows.
  BalanceVerdict judge(Iterate<dim> &iterate, bool converged);

private:
  bool push_free_bodies(const Vector &imbalance, Iterate<dim> &iterate);
  double rounding_of_internal_impulse(const Iterate<dim> &iterate) const;
  std::string body_without_support(const Vector &imbalance) const;

  const System<dim> &bodies;
  const StepChoices &choices;
  const TimeRule &rule;
  const Trace<dim> &trace;
  bool is_needed = false, is_omitted = false;
  double push = 1; ///< factor of the residual of bodies without contact forces in a correction
  Vector right_side, product; ///< right-hand side of Â v_θ = …, and a product of a matrix with v_θ
};

} // namespace percussion
