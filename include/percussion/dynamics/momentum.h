#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/dynamics/contact_route.h>
#include <percussion/dynamics/failure.h>
#include <percussion/dynamics/gyration.h>
#include <percussion/dynamics/posed_law.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/time_rule.h>

#include <memory>

namespace percussion {

/// Data that the balance of momentum carries from step to step besides the state.
struct MomentumMemory {
  double length = 0;                   ///< h of the last interval
  bool factor_is_stale = true;         ///< true if Â must be rebuilt
  std::vector<unsigned int> interface; ///< interface degrees of freedom in the factor of Â
  std::vector<double> values; ///< entries of Â at its last factorisation if Â depends on the state
  unsigned int n_corrections = 0; ///< number of corrections with this factor
};

/// State of the contacts in a correction.
struct ContactProgress {
  bool converged = true;     ///< true if the percussions satisfy the law
  bool have_new_law = false; ///< true if restitutions have been raised in this correction
};

/// Momentum balance of all bodies over an interval as equations for v_θ with open percussions,
///
///     θ r(v_θ) = M (v_θ − v0) + hθ (f_int(q0, q0 + h v_θ) + C v_θ − F_θ) = θ Hᵀ p ,
///
/// solved by corrections Â δ = −θ r + θ Hᵀ p with Â ≈ θ dr/dv_θ, symmetric. Each correction starts
/// before the changes of percussions are known:
///
///     begin(…)                  starts from zero velocity, apart from prescribed degrees of
///                               freedom, to avoid inverted elements; rigid bodies in 3D start
///                               from their velocities
///     start_correction()        computes v_θ + δ under the percussions applied so far …
///     free_velocity()           … on the entries of the trace that contacts act on
///     correct(H, …, p)          computes v_θ under new percussions instead
///     balance(…)                checks the residual of the balance
///     finish(…)                 computes the state at the end, and the works
template <int dim>
class Momentum {
public:
  virtual ~Momentum() = default;

  /// Completes a state with given q and v: momentum, internal force, energies and, if the
  /// acceleration is a variable, the acceleration due to the external force.
  virtual void complete(State<dim> &state) = 0;

  /// True if the problem is nonlinear, so that one correction is not enough.
  virtual bool is_nonlinear() const = 0;

  /// Begins an interval from `state`, which must not change until finish(). Fails, for example, if
  /// the prescribed motion inverts an element.
  [[nodiscard]] std::optional<Failure> begin(const State<dim> &state, const Interval &interval,
                                             const Vector &force_theta);
  /// Requests a new factorisation and a retry; false if Â is already up to date.
  virtual bool renew() { return false; }

  /// Sets the entries of the trace on which contacts act, in ascending order, until the next call;
  /// Â is factorised for them if necessary. Fails if it is not positive definite.
  [[nodiscard]] std::optional<Failure>
  set_contact_entries(const std::vector<unsigned int> &entries);

  /// Starts a correction, see above.
  void start_correction();
  /// Returns v_θ + δ over the trace, valid only for entries that contacts act on.
  const TraceField &free_velocity() const { return free; }
  /// Finishes the correction with the percussions p of the contacts H, halved if it would invert an
  /// element. Fails if no fraction of the correction is possible. If the balance is nonlinear and
  /// the contacts have converged under the law of the corrections before, v_θ and p become
  /// combinations with earlier corrections.
  [[nodiscard]] std::optional<Failure> correct(const ContactRows &H, ContactProgress contacts,
                                               std::vector<double> &p);

  static constexpr const char *tangent_not_positive_definite =
      "the tangent is not positive definite";
  /// State of the balance after a correction.
  struct Balance {
    bool is_satisfied = false;
    std::optional<Failure> failure; ///< reason why further corrections cannot satisfy it
  };
  /// Returns the state of the balance. The balance is met if its residual does not affect the
  /// energy balance and the statuses of contacts are consistent; otherwise Â is rebuilt if this
  /// pays.
  virtual Balance balance(ContactProgress contacts) = 0;

  /// Advances the state to the end of the interval: q, v and dependent quantities. Adds all works
  /// except contact works.
  void finish(State<dim> &state, Works &works);

  /// Returns the current v_θ over the trace.
  TraceField velocity_on_trace() const { return trace.gather(v_theta); }
  /// Returns the impulses r − Hᵀ p that maintain the motion of prescribed degrees of freedom, after
  /// finish() with these percussions.
  std::vector<double> holding_impulses(const ContactRows &H, const std::vector<double> &p) const;
  /// Returns their work.
  double work_of_reactions(const ContactRows &H, const std::vector<double> &p) const;
  /// Returns the norm of the residual after each correction, relative to the largest term of the
  /// balance; empty if one correction is the solution.
  const std::vector<double> &residuals() const { return residual_history; }

  /// Returns the energy that round-off may add to the balance of the interval, after finish() with
  /// its end: machine precision times the sum of the magnitudes of all products in its terms,
  /// without contact forces.
  virtual double round_off(const State<dim> &end) const;

  /// Returns the system with Â of the corrections.
  ContactSystem &system() { return *contact_system; }
  /// Returns the route for the contacts.
  const ContactRoute &contact_route() const { return route; }

  /// Returns the data, besides the state, on which the next steps depend.
  virtual MomentumMemory memory() = 0;
  /// Restores this memory and its degrees of freedom of contacts; later steps are as without
  /// interruption.
  virtual void restore(const MomentumMemory &memory) = 0;

protected:
  Momentum(const System<dim> &bodies, const StepChoices &choices, const Trace<dim> &trace);

  /// Evaluates the defect at v_θ = 0, apart from prescribed degrees of freedom, and decides if Â
  /// must be rebuilt.
  [[nodiscard]] virtual std::optional<Failure> start() = 0;
  /// Evaluates the defect at v_θ. Returns false if the interval inverts an element.
  virtual bool evaluate() = 0;
  /// Rebuilds Â. Returns false if it is not positive definite.
  virtual bool refactor() = 0;
  /// Combines v_θ + δ and its percussions with earlier corrections, by changes of δ and p.
  virtual void mix(ContactProgress /*contacts*/, Vector & /*delta*/, std::vector<double> & /*p*/) {}
  /// Updates the stored positions of entries after the pattern of Â has changed.
  virtual void relocate() {}
  /// Returns the residual of the balance of the bodies' rotations, relative to the largest term of
  /// each body; 0 if it is round-off.
  double unbalanced_rotation() const;
  /// Sets v_θ of rigid bodies with gyroscopic torques to their initial velocities.
  void keep_spin();
  /// Writes the entries of Â that depend on the angular velocities Ω_s of TimeRule.
  void set_gyration_tangent(const Vector &spin);
  /// Writes these entries and factorises their blocks. Fails if a block is singular.
  [[nodiscard]] std::optional<Failure> refactor_blocks(const Vector &spin);

  /// Completes the state and the works in finish(), when q and v have their final values;
  /// `velocity_change` is v1 − v0.
  virtual void account(State<dim> &state, const Vector &velocity_change, Works &works) = 0;

  /// Bodies with M, K and C and the prescribed motion.
  const System<dim> &bodies;
  const StepChoices &choices;
  const Trace<dim> &trace;
  Gyration<dim> gyration;
  const TimeRule rule;
  ContactRoute route;
  std::unique_ptr<ContactSystem> contact_system;
  Vector v_theta, minus_residual; ///< velocity v_θ and −θ r(v_θ)

  const State<dim> *initial_state = nullptr; ///< state at the beginning of the interval
  const Vector *force_theta = nullptr;
  double length = 0;                   ///< length h of the interval
  double begin_time = 0, end_time = 0; ///< its beginning and end [time]
  bool factor_is_stale = true;         ///< true if Â must be rebuilt before the next correction
  bool replaces_velocity =
      false; ///< true if the next correction replaces v_θ, which counts as zero
  std::vector<double> prescribed; ///< velocities that the next correction must prescribe
  std::vector<double> reactions, residual_history;
  /// Entries of the trace on which contacts act, and their degrees of freedom.
  std::vector<unsigned int> contact_entries, contact_dofs;
  std::vector<double> applied; ///< contact forces on them that v_θ contains

private:
  template <typename Visit>
  void for_prescribed(const ContactRows &H, const std::vector<double> &p, const Visit &visit) const;
  void follow_acceleration(State<dim> &state, Vector &change);

  Vector right_side, correction, q_before, v_before;
  TraceField free;
  /// Degrees of freedom without mass (redistributed inertia).
  std::vector<unsigned int> massless_dofs;
};

/// Creates the balance of all bodies, with a constant Â if all cells are linear and there are no
/// links. Contacts act on the trace, and may share nodes. Bodies, choices and trace must outlive
/// the balance.
template <int dim>
std::unique_ptr<Momentum<dim>> make_momentum(const System<dim> &bodies, const StepChoices &choices,
                                             const Trace<dim> &trace, bool may_share_nodes);

} // namespace percussion
