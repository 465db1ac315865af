#pragma once

#include <percussion/algebra/pair_matrix.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/link_forces.h>
#include <percussion/dynamics/mixing.h>
#include <percussion/dynamics/momentum.h>

#include <limits>

namespace percussion {

/// Balance of bodies with hyperelastic cells or links: the discrete-gradient stress in hyperelastic
/// cells (BBDM24 (3.2)–(3.5)), and K q_θ, C v_θ in linear cells.
///
/// The consistent tangent M + h²θ ∂f/∂q1 + … is not symmetric: its unsymmetric part is due to F_½ᵀ
/// … F₁ and of the order of |F₁ − F₀|. Corrections use its symmetric part, whose Cholesky factor
/// serves all contacts at once. They are mixed, because they converge slowly if cells deform
/// strongly in a step (fine meshes behind an impact). The factor is rebuilt if corrections still
/// converge slowly, and kept from step to step otherwise: their limit does not depend on the
/// factor.
///
/// Without inertia (StepChoices::has_inertia) stresses follow from q1, not from the discrete
/// gradient, which would alternate about the equilibrium from step to step. The numerical work is
/// then ΔU − (q1 − q0) · f(q1), and Â is rebuilt in each step; if a body is held by contacts only,
/// it has additions on the degrees of freedom of contacts, as in additions_for_loose_bodies().
///
/// Pressures that follow the body (FollowerPressure) are part of the internal force, and their work
/// is part of the work of loads.
template <int dim>
class NonlinearMomentum final : public Momentum<dim> {
public:
  NonlinearMomentum(const System<dim> &bodies, const StepChoices &choices, const Trace<dim> &trace);

  void complete(State<dim> &state) override;
  bool is_nonlinear() const override { return true; }
  bool renew() override;
  typename Momentum<dim>::Balance balance(ContactProgress contacts) override;
  double round_off(const State<dim> &end) const override {
    return Momentum<dim>::round_off(end) + accepted_power +
           std::numeric_limits<double>::epsilon() * links.work_scale_of_joints();
  }
  MomentumMemory memory() override;
  void restore(const MomentumMemory &memory) override;

private:
  /// Residual −θ r + θ Hᵀ p on the free degrees of freedom of an elastic body or, with links, of
  /// all rigid bodies.
  struct Residual {
    double norm;      ///< norm of all entries
    double scale;     ///< norm of the largest term of the balance
    double round_off; ///< smallest norm that corrections can be expected to reach
    double power;     ///< product with v_θ, over θ [energy]: error of the energy balance
    double power_round_off;
  };

  std::optional<Failure> start() override;
  bool evaluate() override;
  bool refactor() override;
  void mix(ContactProgress contacts, Vector &delta, std::vector<double> &p) override;
  void relocate() override;
  void add_constant_part();
  void add_pressures();
  void add_pressure_tangents();
  void hold_loose_bodies();
  /// Tangent of the internal force in Â.
  enum class Tangent { of_beginning, of_iterate, definite };
  void fill_factor(Tangent tangent);
  void account(State<dim> &state, const Vector &velocity_change, Works &works) override;
  void tie();
  void measure_rigid_bodies(std::vector<double> &arm);
  bool joints_hold() const;
  double norm_of_linear_cells(int body) const;
  Residual measure(int body);
  double strain_energy(State<dim> &state);

  PairMatrix mass;
  std::vector<FiniteStrain<dim>> strains; ///< strains of each hyperelastic material
  LinkForces<dim> links;
  std::vector<double> joint_impulse; ///< impulses Λ of the joints [impulse]
  double factored_length = 0;
  std::vector<double> stiffness_norms; ///< norm of each group's stiffness [force / length]
  std::vector<unsigned int> group_begins, group_sizes; ///< degrees of freedom of each group
  /// Group of the balance in which each free degree of freedom is measured: its elastic body or,
  /// with links, the group of rigid bodies after the elastic bodies. Else −1.
  std::vector<int> group_of;
  /// Factors of each degree of freedom that relate forces and velocities of rotations to the radius
  /// of gyration: 1 / radius and radius; 1 for translations, 0 if it is not measured.
  std::vector<double> force_units, speed_units;
  Mixing mixing;
  /// Number of corrections of a factor with which no further step may begin.
  static constexpr unsigned int unfit_factor = std::numeric_limits<unsigned int>::max();
  unsigned int n_corrections = 0; ///< number of corrections with the current factor
  bool is_renewed = false;        ///< true if the factor was rebuilt at an iterate
  double accepted_power = 0;      ///< energy that the last correction may have left [energy]
  double last_power = 0;          ///< power of the last residual in the current substep
  /// Configuration of the last computation of Â in this attempt at an interval; once it is
  /// `beginning`, it stays.
  enum class FactorOf { step_before, iterate, beginning };
  FactorOf factor_of = FactorOf::step_before;
  bool is_inside_out = false; ///< true if the last v_θ inverts an element
  Vector q1, force, Mv_theta, deformation, Kq1, Cv_theta;
  Vector contact_force;          ///< θ Hᵀ p; zero except while the balance is measured
  std::vector<double> pressures; ///< pressure of each load that follows its body in the step
  Vector pressure_force;         ///< their force
  /// Degrees of freedom of contacts on bodies that prescribed motions do not hold; empty with
  /// inertia.
  std::vector<unsigned int> loose_dofs;
  /// Position in Â of each pair of degrees of freedom of each cell of each material.
  std::vector<std::vector<int>> entry_positions;
  std::vector<double> cell_tangent;
  std::vector<double> constant_values; ///< entries of M, K and C in Â, for the factored length
};

} // namespace percussion
