#pragma once

#include <cstddef>
#include <iterator>

namespace percussion {

/// Works of one step or, summed, of a run [energy]; positive if the bodies gain energy.
struct Works {
  double external = 0; ///< external work h v_θᵀ F_θ
  double viscous = 0;  ///< viscous work −h v_θᵀ f_visc
  /// Numerical work; with the θ-rule (½ − θ)(‖v1 − v0‖²_M + ‖q1 − q0‖²_K), the last term for linear
  /// cells.
  double numerical = 0;
  double contact_normal = 0;     ///< normal contact work Σ u_θ,N p_N, and work of joints' limits
  double contact_tangential = 0; ///< tangential contact work Σ u_θ,T · p_T, and friction in joints
  double prescribed = 0;         ///< work of reactions at prescribed motions and of moving surfaces
  double position_correction = 0; ///< work of position corrections against the loads: −F · δ
  double plastic = 0;             ///< plastic work without the energy that hardening stores: ≤ 0
  double fracture = 0;            ///< work of damage in bonds: ≤ 0
  double contact_rolling = 0;     ///< work Σ ω_θ · m of rolling and spinning friction: ≤ 0

  /// Returns the change of energy in a step.
  double sum() const;
  /// Adds the works of another step.
  Works &operator+=(const Works &second);
};

/// Row of the table of works.
struct WorkEntry {
  double Works::*work;
  const char *name;        ///< column of energy.csv, entry of summary.json, attribute in Python
  const char *description; ///< description for the documentation
};
/// All works. The results contain each of them, in this order.
inline constexpr WorkEntry work_entries[] = {
    {&Works::external, "work_external", "work of gravity, tractions and forces"},
    {&Works::viscous, "work_viscous", "work of viscosity, Maxwell branches and dashpots"},
    {&Works::numerical, "work_numerical",
     "work of the time integration: zero for θ = ½, negative for larger θ. With contact springs on "
     "curved surfaces it includes the error of their energy, without inertia the work of the "
     "curvature of the paths of contacts, of any sign"},
    {&Works::contact_normal, "work_contact_normal",
     "work of the normal percussions, and of the limits of joints"},
    {&Works::contact_tangential, "work_contact_tangential",
     "work of friction of contacts and in joints"},
    {&Works::prescribed, "work_prescribed",
     "work of the forces that impose prescribed motions on regions, bodies and surfaces"},
    {&Works::position_correction, "work_position_correction",
     "energy that `Contact/Position correction = projection` adds when it moves bodies against the "
     "loads. For rigid bodies the loads do the opposite work on these displacements, in "
     "`work_external`"},
    {&Works::plastic, "work_plastic",
     "work of plastic flow: minus its loss; the energy that hardening stores is in `strain`"},
    {&Works::fracture, "work_fracture",
     "work of damage in bonds: minus the fracture energy of the areas that have broken; the energy "
     "that bonds store is in `contact_potential`"},
    {&Works::contact_rolling, "work_contact_rolling", "work of rolling and spinning friction"}};
static_assert(sizeof(Works) == std::size(work_entries) * sizeof(double),
              "a work has no row in the table");

inline double Works::sum() const {
  double sum = 0;
  for (const WorkEntry &entry : work_entries)
    sum += this->*entry.work;
  return sum;
}

inline Works &Works::operator+=(const Works &second) {
  for (const WorkEntry &entry : work_entries)
    this->*entry.work += second.*entry.work;
  return *this;
}

} // namespace percussion
