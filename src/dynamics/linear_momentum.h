#pragma once

#include <percussion/algebra/pair_matrix.h>
#include <percussion/dynamics/momentum.h>

namespace percussion {

/// Balance of linear and rigid bodies by any TimeRule; with the θ-rule
///
///   M (v1 − v0) + h K q_θ + h C v_θ = h F_θ + Hᵀ p ,
///
/// which in v_θ reads Â v_θ = M v0 + hθ (F_θ − K q0) + θ Hᵀ p with Â = M + hθ C + h²θ² K (AC24
/// (97)). The first v_θ is zero, and one correction is the solution if the statuses of contacts are
/// consistent. Â is constant if h is constant.
///
/// The numerical work of other rules is the energy stored by M and K minus the work of their
/// impulses in the balance, ΔT + ΔU − v̄ · (impulses).
///
/// The factor of Â has additions_for_loose_bodies(): corrections with the residual of Â itself
/// follow until it is round-off. If a larger residual remains because contacts do not hold a body,
/// renew() omits the additions in the interval. Without inertia they cannot be omitted, because
/// Â is singular; the interval then fails.
///
/// Rigid bodies in 3D have the additional torque Ω × I Ω, and start from their velocities: their
/// blocks of Â are the tangent there, and corrections continue until the residual is round-off.
template <int dim>
class LinearMomentum final : public Momentum<dim> {
public:
  /// Factorises Â. Throws RunError if it is not positive definite.
  LinearMomentum(const System<dim> &bodies, const StepChoices &choices, const Trace<dim> &trace,
                 bool may_share_nodes);

  void complete(State<dim> &state) override;
  bool is_nonlinear() const override { return false; }
  typename Momentum<dim>::Balance balance(ContactProgress contacts) override;
  MomentumMemory memory() override {
    return {factored_length, false, this->contact_system->interface_dofs(), {}, 0};
  }
  void restore(const MomentumMemory &memory) override;
  bool renew() override;

private:
  std::optional<Failure> start() override;
  bool evaluate() override;
  bool refactor() override;
  void account(State<dim> &state, const Vector &velocity_change, Works &works) override;
  void apply_operators(State<dim> &state);
  typename Momentum<dim>::Balance balance_of_rotations(bool converged);
  typename Momentum<dim>::Balance balance_of_loose_bodies(bool converged);
  double rounding_of_internal_impulse() const;
  bool push_free_bodies(const Vector &imbalance);
  std::string body_without_support(const Vector &imbalance) const;
  void find_residual();
  void accelerate(State<dim> &state);
  const Vector &viscous_velocity(const State<dim> &state, const Vector &change);
  void find_impulses(const State<dim> &state, const Vector &change);
  void find_residual_of_rigid_bodies();
  const Vector &spin_velocity() const;

  double factored_length = 0; ///< h of the factor of Â
  bool has_additions = false; ///< true if the factor has additions for loose bodies
  double push = 1; ///< factor of the residual of bodies without contact forces in a correction
  bool omits_additions = false; ///< true if additions are omitted for the rest of the interval
  PairMatrix mass, stiffness;
  Vector right_side, Av; ///< right-hand side and product of Â v_θ = …, for additions
  Vector deformation, Mv0, Kq0, Cv_theta, torque, of_start, a0, Ma0;
  Vector spin; ///< Ω_s of TimeRule in the rows of rigid bodies, unless it equals the mean velocity
  Vector inertial_impulse, internal_impulse; ///< impulses of rules other than the θ-rule
};

} // namespace percussion
