#pragma once

#include <percussion/algebra/pair_matrix.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/link_forces.h>
#include <percussion/dynamics/mixing.h>
#include <percussion/dynamics/momentum.h>

#include <limits>

namespace percussion {

/// The balance of bodies of which some cells are hyperelastic, with the discrete-gradient stress
/// there (BBDM24 (3.2)–(3.5)) and K q_θ, C v_θ in the others, or which links connect.
///
/// The consistent tangent M + h²θ ∂f/∂q1 + … is not symmetric: its unsymmetric part is that of
/// F_½ᵀ … F₁, of the order of |F₁ − F₀|. Corrections are made by its symmetric part, whose Cholesky
/// factor answers for all contacts at once, and mixed, because they shrink slowly where cells
/// deform much in a step (fine meshes behind an impact). The factor is made anew where they shrink
/// slowly nevertheless, and kept from step to step else: what they converge to does not depend on
/// it.
template <int dim>
class NonlinearMomentum final : public Momentum<dim> {
public:
  NonlinearMomentum(const System<dim> &bodies, const StepChoices &choices,
                    const std::vector<unsigned int> &may_touch);

  void complete(State<dim> &state) override;
  bool may_fail() const override { return true; }
  bool renew() override;
  typename Momentum<dim>::Balance is_balanced(bool settled) override;
  double round_off(const State<dim> &end) const override {
    return Momentum<dim>::round_off(end) + accepted_power +
           std::numeric_limits<double>::epsilon() * links.work_scale_of_joints();
  }
  MomentumMemory memory() override;
  void restore(const MomentumMemory &memory) override;

private:
  /// What is left of −θ r + θ Hᵀ p on the free degrees of freedom of an elastic body, or of all
  /// rigid bodies where there are links.
  struct Residual {
    double norm;      ///< of all entries
    double scale;     ///< norm of the largest term of the balance
    double round_off; ///< norm that no correction can be expected to get below
    double power;     ///< product with v_θ, over θ [energy]: by this the energy balance fails
    double power_round_off;
  };

  std::string start() override;
  bool evaluate() override;
  bool refactor() override;
  void mix(bool settled, Vector &delta, std::vector<double> &p) override;
  void relocate() override;
  void add_constant_part();
  /// Which tangent of the internal force Â has.
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
  std::vector<FiniteStrain<dim>> strains; ///< of each hyperelastic material
  LinkForces<dim> links;
  std::vector<double> joint_impulse; ///< Λ of the joints [impulse]
  double factored_length = 0;
  std::vector<double> stiffness_norms;               ///< of each part [force / length]
  std::vector<unsigned int> part_begins, part_sizes; ///< degrees of freedom of each part
  /// Part of the balance that each degree of freedom is measured in, if it is free: its elastic
  /// body or, where there are links, the one after them. Else −1.
  std::vector<int> measured_in;
  /// Of each degree of freedom what makes forces and velocities of rotations those at the radius of
  /// gyration: 1 / radius and radius, else 1; 0 where it is not measured.
  std::vector<double> force_units, speed_units;
  Mixing mixing;
  /// Number of corrections of a factor that no further step is to begin with.
  static constexpr unsigned int worn_out = std::numeric_limits<unsigned int>::max();
  unsigned int n_corrections = 0; ///< with the present factor
  bool is_renewed = false;        ///< whether the factor had to be made anew at an iterate
  double accepted_power = 0;      ///< that the last correction may have left [energy]
  double last_power = 0;          ///< of the last residual, in the part under way
  /// When Â was last computed in this attempt at an interval; once at its beginning, that stays.
  enum class FactorOf { step_before, iterate, beginning };
  FactorOf factor_of = FactorOf::step_before;
  bool is_inside_out = false; ///< whether the last v_θ turns an element inside out
  Vector q1, force, Mv_theta, deformation, Kq1, Cv_theta;
  Vector contact_force; ///< θ Hᵀ p; zero but while the balance is measured
  /// Where each pair of degrees of freedom of each cell of each material stands in Â.
  std::vector<std::vector<int>> places;
  std::vector<double> cell_tangent;
  std::vector<double> constant_values; ///< what M, K and C add to Â, for the length it is made for
};

} // namespace percussion
