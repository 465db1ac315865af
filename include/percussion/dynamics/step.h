#pragma once

#include <percussion/algebra/condensed_system.h>
#include <percussion/cone/solver.h>
#include <percussion/contact/surface_motion.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/dynamics/state.h>
#include <percussion/dynamics/stopwatch.h>

namespace percussion {

/// The one time step of all schemes (AC24 (72)):
///
///   M (v1 − v0) + h K q_θ + h C v_θ = h F_θ + Hᵀ p
///   q1 = q0 + h v_θ ,   v_θ = (1−θ) v0 + θ v1
///   0 ∈ û + μ‖û_T‖ n + N_K(p) ,   û = u1 + e∘u0 ,   u = H v − velocity of the surface
///
/// In v_θ the momentum reads Â v_θ = M v0 + hθ (F_θ − K q0) + θ Hᵀ p with Â = M + hθ C + h²θ² K
/// (AC24 (97)), and θ û = u_θ + a(u0) (LawOffset), so the cone problem has W = θ H Â⁻¹ Hᵀ.
template <int dim>
class Step {
public:
  Step(const ElasticBody<dim> &body, const Contacts<dim> &contacts, const StepChoices &choices,
       const ConeOptions &solver);

  /// Complete a state whose step, time, q and v are given.
  void initialise(State<dim> &state);

  /// Take the state from t_k to t_k+1.
  /// Throws RunError where the cone problem is not solved to its tolerance or a number overflows.
  const StepRecord<dim> &advance(State<dim> &state, double end_time);

  /// What the last step did.
  const StepRecord<dim> &last() const { return record; }

  const CondensedSystem &system() const { return condensed; }
  /// The cone problem of the last step, posed in natural units of velocity and percussion.
  const FrictionContactProblem &cone_problem() const { return problem; }
  /// Its W is that of the contacts times this [impulse / velocity].
  double unit_of_delassus() const { return delassus_unit; }
  const PhaseTimes &times() const { return stopwatch.times; }

private:
  void forecast(const State<dim> &state);
  void pose(const State<dim> &state);
  void solve(const State<dim> &state);
  void advance_motion(State<dim> &state);
  void account(State<dim> &state);

  void apply_operators(State<dim> &state);
  void build_candidate_delassus();
  void take_active_delassus();
  void pose_velocities(const State<dim> &state);
  std::string step_name(const State<dim> &state) const;
  void account_contacts(Works &works);
  double work_of_reactions(const State<dim> &state);
  void measure_penetration(const State<dim> &state);
  [[noreturn]] void report_unsolved(const State<dim> &state) const;

  const ElasticBody<dim> &body;
  const Contacts<dim> &contacts;
  StepChoices choices;
  std::vector<LawOffset> law;                     ///< of each contact pair
  std::vector<SurfaceMotion<dim>> surface_motion; ///< of each contact pair
  CondensedSystem condensed;
  ConeSolver cone;
  Stopwatch stopwatch;

  ContactJacobian H;
  double delassus_unit = 1;               ///< gives W a mean diagonal of one [impulse / velocity]
  double percussion_unit = 1;             ///< of the cone problem [impulse]
  std::vector<double> candidate_delassus; ///< W of all candidates, row by row
  FrictionContactProblem problem;
  ConeSolution solution;
  StepRecord<dim> record;
  std::vector<unsigned int> previous_active;

  // Workspaces of one step.
  Vector rhs, force_theta, next_force, v_theta, velocity_jump, deformation, Mv0, Kq0, Cv_theta;
  std::vector<double> prescribed_velocity, contact_force;
  double end_time = 0;
};

} // namespace percussion
