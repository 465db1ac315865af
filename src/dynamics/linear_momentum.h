#pragma once

#include <percussion/algebra/pair_matrix.h>
#include <percussion/dynamics/momentum.h>

namespace percussion {

/// The balance of linear and rigid bodies by any TimeRule; with the θ-rule
///
///   M (v1 − v0) + h K q_θ + h C v_θ = h F_θ + Hᵀ p ,
///
/// which in v_θ reads Â v_θ = M v0 + hθ (F_θ − K q0) + θ Hᵀ p with Â = M + hθ C + h²θ² K (AC24
/// (97)): the first v_θ is zero, and one correction is all of it, unless the contacts have not
/// settled. Â is constant while h is.
///
/// The numerical work of other rules is what M and K have stored less what their impulses in the
/// balance have received, ΔT + ΔU − v̄ · (impulses).
///
/// Rigid bodies in space have their torque Ω × I Ω besides, and begin with the velocities that they
/// have: their blocks of Â are the tangent there, and corrections go on until nothing is left.
template <int dim>
class LinearMomentum final : public Momentum<dim> {
public:
  /// Throws RunError where Â is not positive definite.
  LinearMomentum(const System<dim> &bodies, const StepChoices &choices,
                 const std::vector<unsigned int> &may_touch);

  void complete(State<dim> &state) override;
  bool may_fail() const override { return false; }
  typename Momentum<dim>::Balance is_balanced(bool settled) override;
  MomentumMemory memory() override {
    return {factored_length, false, this->contact_system->interface_dofs(), {}, 0};
  }
  void restore(const MomentumMemory &memory) override;

private:
  std::string start() override;
  bool evaluate() override;
  bool refactor() override;
  void account(State<dim> &state, const Vector &velocity_change, Works &works) override;
  void apply_operators(State<dim> &state);
  typename Momentum<dim>::Balance balance_of_rotations(bool settled);
  void accelerate(State<dim> &state);
  const Vector &viscous_velocity(const State<dim> &state, const Vector &change);
  void find_impulses(const State<dim> &state, const Vector &change);
  void find_residual_of_rigid_bodies();
  const Vector &spin_velocity() const;

  double factored_length = 0; ///< h of Â
  PairMatrix mass, stiffness;
  Vector deformation, Mv0, Kq0, Cv_theta, torque, of_start, a0, Ma0;
  Vector spin; ///< Ω_s of TimeRule in the rows of rigid bodies, where it is not that of v_θ
  Vector inertial_impulse, internal_impulse; ///< of rules other than the θ-rule
};

} // namespace percussion
