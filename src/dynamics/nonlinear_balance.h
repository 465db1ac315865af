#pragma once

#include <percussion/algebra/pair_matrix.h>
#include <percussion/dynamics/balance.h>
#include <percussion/dynamics/gyration.h>
#include <percussion/dynamics/mixing.h>

#include "factor_age.h"
#include "nonlinear_tangent.h"
#include "residual_measure.h"

namespace percussion {

/// Balance of bodies with hyperelastic cells or links, with their InternalForce.
///
/// The consistent tangent M + h²θ ∂f/∂q1 + … is not symmetric: its unsymmetric part is due to F_½ᵀ
/// … F₁ and of the order of |F₁ − F₀|. Corrections use its symmetric part, whose Cholesky factor
/// serves all contacts at once. They are mixed, because they converge slowly if cells deform
/// strongly in a step (fine meshes behind an impact). The factor is rebuilt if corrections still
/// converge slowly, and kept from step to step otherwise: their limit does not depend on the
/// factor.
///
/// Without inertia (StepChoices::has_inertia) the numerical work is ΔU − (q1 − q0) · f(q1), and Â
/// is rebuilt in each step.
///
/// Pressures that follow the body (FollowerPressure) are part of the internal force, and their work
/// is part of the work of loads.
template <int dim>
class NonlinearBalance final : public Balance<dim> {
public:
  NonlinearBalance(const System<dim> &bodies, const StepChoices &choices, const Trace<dim> &trace);

  void complete(State<dim> &state) override;
  bool is_nonlinear() const override { return true; }
  std::optional<Failure> start(Iterate<dim> &iterate) override;
  std::optional<Failure> evaluate(Iterate<dim> &iterate) override;
  std::optional<Failure> update_factor(const Iterate<dim> &iterate, bool has_new_pattern) override;
  bool renew() override { return age.renew(internal.is_inside_out); }
  void mix(const Iterate<dim> &iterate, ContactProgress contacts, Vector &delta,
           std::vector<double> &p) override;
  BalanceVerdict judge(Iterate<dim> &iterate, ContactProgress contacts) override;
  std::vector<double> account(const Iterate<dim> &iterate, const Vector &velocity_change,
                              State<dim> &state, Works &works) override;
  double accepted_energy() const override;
  ContactSystem &system() override { return contact_system; }
  const ContactRoute &contact_route() const override { return route; }
  MomentumMemory memory() override;
  void restore(const MomentumMemory &memory) override;

private:
  [[nodiscard]] std::optional<Failure> refactor(const Iterate<dim> &iterate);
  bool factorise(typename NonlinearTangent<dim>::Kind kind, const Iterate<dim> &iterate);
  void tie(double h);

  const System<dim> &bodies;
  const StepChoices &choices;
  ContactRoute route;
  Gyration<dim> gyration;
  InternalForce<dim> internal;
  ContactSystem contact_system;
  NonlinearTangent<dim> tangent;
  FactorAge age;
  ResidualMeasure<dim> residual;
  Mixing mixing;
  PairMatrix mass;
  Vector Mv_theta;
  double accepted_power = 0; ///< energy that the last correction may have left [energy]
  double last_power = 0;     ///< power of the last residual in the current substep
};

} // namespace percussion
