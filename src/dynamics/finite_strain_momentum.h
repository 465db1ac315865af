#pragma once

#include <percussion/algebra/lu_system.h>
#include <percussion/body/finite_strain.h>
#include <percussion/dynamics/momentum.h>

namespace percussion {

/// The balance of a hyperelastic body with the discrete-gradient stress (BBDM24 (3.2)–(3.5)).
///
/// Corrections are made by the consistent tangent Â = M + h²θ ∂f/∂q1, which is not symmetric. It is
/// made anew where the corrections shrink slowly, and kept from step to step else: what they
/// converge to does not depend on it.
template <int dim>
class FiniteStrainMomentum final : public Momentum<dim> {
public:
  FiniteStrainMomentum(const System<dim> &bodies, const StepChoices &choices,
                       const std::vector<unsigned int> &contact_dofs);

  bool is_linear() const override { return false; }
  void complete(State<dim> &state) override;
  void set_length(double h) override;
  Outcome predict(const State<dim> &state, const Vector &force_theta,
                  const std::vector<double> &prescribed, FirstGuess guess,
                  Vector &v_theta) override;
  bool evaluate(const State<dim> &state, const Vector &force_theta, const Vector &v_theta) override;
  bool refactor() override;
  LuSystem &system() override { return lu; }
  typename Momentum<dim>::Residual residual(const State<dim> &state,
                                            const std::vector<double> &contact_force,
                                            const Vector &v_theta) const override;
  void finish(State<dim> &state, const Vector &force_theta, const Vector &v_theta,
              const Vector &velocity_change, Works &works) override;

  MomentumMemory memory() const override { return {h, factor_is_stale, lu.memory()}; }
  void restore(const MomentumMemory &memory) override;

private:
  void find_places();
  bool is_measured(unsigned int dof) const;

  const System<dim> &bodies;
  double h = 0, theta;
  bool factor_is_stale = true; ///< made for another step length
  FiniteStrain<dim> strains;
  LuSystem lu;
  Vector q1, force, Mv_theta;
  // Squared norms of the terms of the balance on the free degrees of freedom.
  double momentum_square = 0, momentum_change_square = 0, internal_square = 0, external_square = 0;

  /// Where the mass, and each pair of degrees of freedom of each cell, stand in the matrix.
  std::vector<double> mass_values;
  std::vector<int> place_of_pair;
  std::vector<double> cell_tangent;
};

} // namespace percussion
