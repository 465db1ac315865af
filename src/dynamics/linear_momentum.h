#pragma once

#include <percussion/algebra/condensed_system.h>
#include <percussion/dynamics/momentum.h>

namespace percussion {

/// The balance of a linear body,
///
///   M (v1 − v0) + h K q_θ + h C v_θ = h F_θ + Hᵀ p ,
///
/// which in v_θ reads Â v_θ = M v0 + hθ (F_θ − K q0) + θ Hᵀ p with Â = M + hθ C + h²θ² K (AC24
/// (97)): the first v_θ is zero, the correction is all of it.
template <int dim>
class LinearMomentum final : public Momentum<dim> {
public:
  LinearMomentum(const System<dim> &bodies, const StepChoices &choices,
                 const std::vector<unsigned int> &contact_dofs);

  bool is_linear() const override { return true; }
  void complete(State<dim> &state) override;
  void set_length(double h) override;
  Outcome predict(const State<dim> &state, const Vector &force_theta,
                  const std::vector<double> &prescribed, FirstGuess guess,
                  Vector &v_theta) override;
  bool evaluate(const State<dim> &, const Vector &, const Vector &) override { return true; }
  bool refactor() override { return true; }
  ContactSystem &system() override { return *condensed; }
  typename Momentum<dim>::Residual residual(const State<dim> &, const std::vector<double> &,
                                            const Vector &) const override {
    return {};
  }
  MomentumMemory memory() const override { return {h, false, {}}; }
  void restore(const MomentumMemory &memory) override { set_length(memory.length); }
  void finish(State<dim> &state, const Vector &force_theta, const Vector &v_theta,
              const Vector &velocity_change, Works &works) override;

private:
  void apply_operators(State<dim> &state);

  const System<dim> &bodies;
  double h, theta;
  std::vector<unsigned int> contact_dofs;
  std::unique_ptr<CondensedSystem> condensed;
  Vector deformation, Mv0, Kq0, Cv_theta;
};

} // namespace percussion
