#pragma once

#include <percussion/algebra/contact_rows.h>
#include <percussion/balance/angular_momentum.h>
#include <percussion/balance/balance.h>
#include <percussion/balance/time_rule.h>

namespace percussion {

/// Momentum balance of all bodies over an interval as equations for v_θ with open percussions,
///
///     θ r(v_θ) = M (v_θ − v0) + hθ (f_int(q0, q0 + h v_θ) + C v_θ − F_θ) = θ Hᵀ p ,
///
/// solved by corrections Â δ = −θ r + θ Hᵀ p with Â ≈ θ dr/dv_θ, symmetric. Balance supplies r and
/// Â. Each correction starts before the changes of percussions are known:
///
///     begin(…)                  starts from zero velocity, apart from prescribed degrees of
///                               freedom, to avoid inverted elements; rigid bodies in 3D start
///                               from their velocities
///     begin_again(), apply(…)   start for another law of the contacts from the last v_θ and its
///                               percussions, if the balance is nonlinear
///     start_correction()        computes v_θ + δ under the percussions applied so far …
///     free_velocity()           … on the entries of the trace that contacts act on
///     correct(H, …, p)          computes v_θ under new percussions instead
///     judge(…)                  checks the residual of the balance
///     finish(…)                 computes the state at the end, and the works
template <int dim>
class Momentum {
public:
  /// Stores references to all but the balance, which must outlive this object.
  Momentum(std::unique_ptr<Balance<dim>> balance, const System<dim> &bodies,
           const BalanceChoices &choices, const Trace<dim> &trace);

  /// Returns the balance, whose residual the corrections reduce.
  Balance<dim> &balance() { return *equations; }
  const Balance<dim> &balance() const { return *equations; }
  /// Returns the system with Â of the corrections.
  ContactSystem &system() { return equations->system(); }

  /// Begins an interval from `state`, which must not change until finish(). Fails, for example, if
  /// the prescribed motion inverts an element.
  [[nodiscard]] std::optional<Failure> begin(const BodyState &state, const Interval &interval,
                                             const Vector &force_theta);
  /// Begins the same interval again for another law of the contacts, from the last v_θ if the
  /// balance is nonlinear. Fails likewise.
  [[nodiscard]] std::optional<Failure> begin_again();
  /// Sets the entries of the trace on which contacts act, in ascending order, until the next call;
  /// Â is factorised for them if necessary. Fails if it is not positive definite.
  [[nodiscard]] std::optional<Failure>
  set_contact_entries(const std::vector<unsigned int> &entries);

  /// Applies these percussions of the contacts H, whose entries were set, before the first
  /// correction.
  void apply(const ContactRows &H, const std::vector<double> &p);

  /// Starts a correction, see above.
  void start_correction();
  /// Returns v_θ + δ over the trace, valid only for entries that contacts act on.
  const TraceField &free_velocity() const { return free; }
  /// Finishes the correction with the percussions p of the contacts H, halved if it would invert an
  /// element. Fails if no fraction of the correction is possible. If the balance is nonlinear and
  /// the contacts have converged under the law of the corrections before, v_θ and p become
  /// combinations with earlier corrections.
  [[nodiscard]] std::optional<Failure> correct(const ContactRows &H, ContactProgress progress,
                                               std::vector<double> &p);
  /// Returns the state of the balance, see Balance::judge().
  BalanceVerdict judge(ContactProgress progress) { return equations->judge(iterate, progress); }

  /// Advances the state to the end of the interval: q, v and dependent quantities. Adds all works
  /// except contact works.
  void finish(BodyState &state, Works &works);

  /// Returns the current v_θ over the trace.
  TraceField velocity_on_trace() const { return trace.gather(iterate.v_theta); }
  /// Returns the impulses r − Hᵀ p that maintain the motion of prescribed degrees of freedom, after
  /// finish() with these percussions.
  std::vector<double> holding_impulses(const ContactRows &H, const std::vector<double> &p) const;
  /// Returns the work of these impulses [energy].
  double work_of_reactions(const ContactRows &H, const std::vector<double> &p) const;
  /// Returns the norm of the residual after each correction, relative to the largest term of the
  /// balance; empty if one correction is the solution.
  const std::vector<double> &residuals() const { return iterate.residuals; }

  /// Returns the energy that round-off may add to the balance of the interval, after finish() with
  /// its end: machine precision times the sum of the magnitudes of all products in its terms,
  /// without contact forces.
  double round_off(const BodyState &end) const;

private:
  [[nodiscard]] std::optional<Failure> start(bool is_again);
  void follow_acceleration(BodyState &state);
  template <typename Visit>
  void visit_prescribed(const ContactRows &H, const std::vector<double> &p,
                        const Visit &visit) const;

  const System<dim> &bodies;
  const BalanceChoices &choices;
  const Trace<dim> &trace;
  const TimeRule rule;
  std::unique_ptr<Balance<dim>> equations;
  Iterate iterate;
  Vector right_side;                  ///< −θ r + θ Hᵀ p; empty before the first use
  Vector correction, velocity_change; ///< δ and v1 − v0; the latter is empty if it is not needed
  TraceField free;
  std::vector<double> reactions; ///< impulses r of the balance on prescribed degrees of freedom
  AngularMomentum<dim> angular_momentum;
  /// Degrees of freedom without mass (redistributed inertia).
  std::vector<unsigned int> massless_dofs;
};

/// Creates the momentum of all bodies with the balance of make_balance().
template <int dim>
std::unique_ptr<Momentum<dim>> make_momentum(const System<dim> &bodies,
                                             const BalanceChoices &choices, const Trace<dim> &trace,
                                             const ContactRoute &route) {
  return std::make_unique<Momentum<dim>>(make_balance(bodies, choices, trace, route), bodies,
                                         choices, trace);
}

} // namespace percussion
