#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/dynamics/gyration.h>
#include <percussion/dynamics/posed_law.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/time_rule.h>

#include <memory>

namespace percussion {

/// What the balance of momentum carries from step to step besides the state.
struct MomentumMemory {
  double length = 0;                   ///< h of the last interval
  bool factor_is_stale = true;         ///< Â is to be made anew
  std::vector<unsigned int> interface; ///< of the factor of Â
  std::vector<double> values;     ///< of Â as it was factorised last, where it follows the state
  unsigned int n_corrections = 0; ///< that this factor has served
};

/// The momentum balance of all bodies over an interval as equations for v_θ with the percussions
/// left open,
///
///     θ r(v_θ) = M (v_θ − v0) + hθ (f_int(q0, q0 + h v_θ) + C v_θ − F_θ) = θ Hᵀ p ,
///
/// solved by corrections Â δ = −θ r + θ Hᵀ p with Â ≈ θ dr/dv_θ, symmetric. Each correction is
/// begun without knowing what the percussions change:
///
///     begin(…)                  at rest but for what is prescribed: as far from inverted elements
///                               as one can be; rigid bodies in space with their velocities
///     start_correction()        v_θ + δ under the percussions applied so far …
///     free_velocity()           … where contacts act
///     correct(H, …, p)          v_θ under these percussions instead
///     is_balanced(…)            whether nothing is left of the balance
///     finish(…)                 the state at the end, and the works
template <int dim>
class Momentum {
public:
  virtual ~Momentum() = default;

  /// Complete a state whose q and v are given: momentum, internal force, energies, and acceleration
  /// where it is a variable, by the external force.
  virtual void complete(State<dim> &state) = 0;

  /// Whether corrections may fail: one is not the solution.
  virtual bool may_fail() const = 0;

  /// Begin an interval from `state`, which must stay as it is until finish(). Returns why there is
  /// no such beginning: the prescribed motion turns an element inside out.
  std::string begin(const State<dim> &state, const Interval &interval, const Vector &force_theta);
  /// Have Â made anew in another attempt at an interval. False where it has been made in it.
  virtual bool renew() { return false; }

  /// Contacts act on these degrees of freedom, in ascending order, until the next call: Â is made
  /// for them where it has to be. Returns why that is not possible.
  std::string touch(const std::vector<unsigned int> &dofs);

  /// Start a correction; see above.
  void start_correction();
  /// v_θ + δ, over all degrees of freedom: to be read where contacts act.
  const Vector &free_velocity() const { return free; }
  /// End the correction with the percussions p of the contacts H, halved where it would turn an
  /// element inside out. False where no fraction of it is possible. Where the balance is not linear
  /// and the contacts have `settled`, v_θ and p become combinations with those of the corrections
  /// before.
  bool correct(const ContactRows &H, bool settled, std::vector<double> &p);

  /// How a correction has left the balance.
  enum class Balance { met, not_met, singular };
  /// Whether the balance is met so well that the energy is too, once the contacts have settled. If
  /// not, Â is made anew where that pays.
  virtual Balance is_balanced(bool settled) = 0;

  /// Take the state to the end of the interval: q, v and what follows, and add to the works what is
  /// not the contacts'.
  void finish(State<dim> &state, Works &works);

  /// The v_θ reached.
  const Vector &theta_velocity() const { return v_theta; }
  /// Impulses that hold the prescribed degrees of freedom in their motion, together with the
  /// percussions there, after finish().
  const std::vector<double> &reaction() const { return reactions; }
  /// Norms of what was left of the balance after each correction, relative to its largest term;
  /// empty where one correction is the solution.
  const std::vector<double> &residuals() const { return residual_history; }

  /// Energy that rounding may add to the balance of the interval, after finish() with its end:
  /// machine precision times the sum of the magnitudes of all products that make its terms, those
  /// of contact forces aside.
  virtual double round_off(const State<dim> &end) const;

  /// Â of the corrections.
  ContactSystem &system() { return *contact_system; }

  /// What the next steps depend on besides the state.
  virtual MomentumMemory memory() = 0;
  /// Go on as the balance would that had this memory, with contacts on these degrees of freedom.
  virtual void restore(const MomentumMemory &memory) = 0;

protected:
  Momentum(const System<dim> &bodies, const StepChoices &choices);

  /// Evaluate the defect where v_θ = 0 but for what is prescribed, and whether Â is to be made
  /// anew.
  virtual std::string start() = 0;
  /// Evaluate the defect at v_θ. False where the interval inverts an element.
  virtual bool evaluate() = 0;
  /// Make Â anew. False where it is not positive definite.
  virtual bool refactor() = 0;
  /// Combine v_θ + δ and its percussions with those of earlier corrections, by changing δ and p.
  virtual void mix(bool /*settled*/, Vector & /*delta*/, std::vector<double> & /*p*/) {}
  /// Â has got entries at other places.
  virtual void relocate() {}
  /// What is left of the balance of the bodies' rotations, relative to the largest term of each; 0
  /// where it is round-off.
  double unbalanced_rotation() const;
  /// Let v_θ of rigid bodies that have torques be what they begin with.
  void keep_spin();
  /// Write the part of Â that depends on the angular velocities Ω_s of TimeRule.
  void set_gyration_tangent(const Vector &spin);
  /// The same with new factors of the blocks. False where one is singular.
  bool refactor_blocks(const Vector &spin);
  static constexpr const char *too_fast = "a body spins too fast for the length of the step";

  /// What finish() has to add once q and v are those of the end, with v1 − v0.
  virtual void account(State<dim> &state, const Vector &velocity_change, Works &works) = 0;

  /// M, K and C, the prescribed motion and the rest of what the bodies are.
  const System<dim> &bodies;
  const StepChoices &choices;
  Gyration<dim> gyration;
  const TimeRule rule;
  std::unique_ptr<ContactSystem> contact_system;
  Vector v_theta, minus_residual; ///< minus_residual: −θ r(v_θ)

  const State<dim> *begun = nullptr; ///< where the interval begins
  const Vector *force_theta = nullptr;
  double length = 0;           ///< h of the interval
  bool factor_is_stale = true; ///< Â is to be made anew before the next correction
  bool is_at_rest = false; ///< v_θ is zero, whatever it holds: the next correction is all of it
  std::vector<double> prescribed; ///< velocity left to prescribe by the next correction
  std::vector<double> reactions, residual_history;
  std::vector<unsigned int> touched; ///< what contacts act on
  std::vector<double> applied;       ///< contact forces there that v_θ has already

private:
  void follow_acceleration(State<dim> &state, Vector &change);

  Vector right_side, correction, free;
  std::vector<unsigned int> massless_dofs; ///< of redistributed inertia
};

/// The balance of all bodies: with a constant Â if all cells are linear. `may_touch` are the
/// degrees of freedom that contacts may act on. Bodies and choices must live as long.
template <int dim>
std::unique_ptr<Momentum<dim>> make_momentum(const System<dim> &bodies, const StepChoices &choices,
                                             const std::vector<unsigned int> &may_touch);

} // namespace percussion
