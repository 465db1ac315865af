#pragma once

#include <percussion/cone/solver.h>
#include <percussion/dynamics/momentum.h>
#include <percussion/dynamics/posed_problem.h>
#include <percussion/dynamics/stopwatch.h>

namespace percussion {

/// The one time step of all schemes (AC24 (72), BBDM24 (3.7)):
///
///     M (v1 − v0) + h f_int(q0, q1) + h f_visc = h F_θ + Hᵀ p
///     q1 = q0 + h v_θ ,   v_θ = (1−θ) v0 + θ v1
///     0 ∈ û + μ‖û_T‖ n + N_K(p) ,   û = u1 + e∘u0 ,   u = H v − velocity of the surface
///
/// In v_θ the momentum is corrected by Â δ = −θ r + θ Hᵀ p (Momentum), and θ û = u_θ + a(u0)
/// (LawOffset), so each correction poses a cone problem with W = θ H Â⁻¹ Hᵀ. Linear bodies need one
/// correction; for others it is repeated, with the statuses of all contacts updated once in each
/// (PDAS) or the cone problem solved in each (condensed route), until the statuses stand still and
/// the momentum is balanced.
///
/// A step of a hyperelastic body that fails is cut in two, again and again down to 2^−max_cuts of
/// it; after a part that succeeds the next is as long as its place allows. Adaptive steps are those
/// of any body, are cut for their energy error too, and keep their length for a while.
template <int dim>
class Step {
public:
  /// Bodies and contacts must live as long as the step. Throws RunError where the system of a
  /// linear body cannot be factorised.
  Step(const System<dim> &bodies, const Contacts<dim> &contacts, const StepChoices &choices,
       const ConeOptions &solver);

  /// Complete a state whose step, time, q and v are given.
  void initialise(State<dim> &state);

  /// Take the state from t_k to t_k+1.
  /// Throws RunError where no cut helps, naming the step, what failed and what to try, or where a
  /// formula has no value. State and last() are then those of the parts that succeeded, and count
  /// as the step, if there are any.
  const StepRecord<dim> &advance(State<dim> &state, double end_time);

  /// What the last step did.
  const StepRecord<dim> &last() const { return record; }

  /// What the next step depends on besides the state.
  StepMemory<dim> memory() const;
  /// Instead of initialise(): go on where a step of the same case has come to. All of the state is
  /// given but its force and gaps.
  void restore(State<dim> &state, const StepMemory<dim> &memory);

  /// The balance of the bodies, which a checkpoint and benchmarks look at.
  Momentum<dim> &momentum() { return *balance; }
  /// The cone problem of the last correction, posed in natural units of velocity and percussion.
  const FrictionContactProblem &cone_problem() const { return problem; }
  /// Its W is that of the contacts times this [impulse / velocity].
  double unit_of_delassus() const { return delassus_unit; }
  /// The same with its units and what the solver made of it.
  PosedProblem posed() const {
    return {problem, posed_guess, solution, percussion_unit, velocity_unit, h, end_time};
  }
  /// Whether the last attempt at a step failed although it had posed a cone problem of contacts.
  bool failed_with_contacts() const {
    return !failure.empty() && is_posed && problem.n_contacts > 0;
  }
  /// Wall times of all steps so far.
  const PhaseTimes &times() const { return stopwatch.times; }

private:
  void place(State<dim> &state);
  bool may_cut() const;
  void advance_in_parts(State<dim> &state, double end_time);
  unsigned int grown(unsigned int width, unsigned int done);
  void cut(unsigned int &width);
  void forget_contacts();
  void tell_parts(State<dim> &state);
  bool try_part(State<dim> &state, double length, double end_time, bool is_smallest);
  double energy_error() const;
  bool attempt(State<dim> &state, double length, double end_time);
  void forecast(const State<dim> &state);
  void begin(const State<dim> &state);
  void set_frames(const State<dim> &state);
  bool solve(const State<dim> &state, FirstGuess guess);
  void start_correction();
  bool pose(const State<dim> &state);
  bool solve_contacts(bool one_update, bool first);
  bool correct(const State<dim> &state);
  bool is_balanced(const State<dim> &state, bool settled);
  void commit(State<dim> &state);
  void account(State<dim> &state);

  void take_active_delassus();
  void use_active_contacts();
  void scale_delassus();
  void build_candidate_delassus();
  unsigned int active_row(std::size_t component) const;
  void take_row_of_compliance(std::size_t row);
  double times_compliance(std::size_t row) const;
  void pose_velocities(const State<dim> &state);
  std::array<double, dim> start_velocity(const State<dim> &state, unsigned int candidate) const;
  double velocity_of_applied(std::size_t row) const;
  void gather_contact_force();
  void account_contacts(Works &works);
  double work_of_reactions();
  void measure_penetration(const State<dim> &state);
  bool fail(const std::string &why);
  std::string failure_message(unsigned int step, double end_time) const;

  const System<dim> &bodies;
  const Contacts<dim> &contacts;
  StepChoices choices;
  std::vector<LawOffset> law;                     ///< of each contact pair
  std::vector<SurfaceMotion<dim>> surface_motion; ///< of each contact pair
  std::unique_ptr<Momentum<dim>> balance;
  ConeSolver cone;
  std::vector<unsigned int> massless_dofs; ///< of redistributed inertia
  bool update_one_by_one;                  ///< PDAS: statuses and momentum in one iteration
  Stopwatch stopwatch;

  ContactJacobian H;
  double delassus_unit = 1;               ///< gives W a mean diagonal of one [impulse / velocity]
  double velocity_unit = 1;               ///< of the cone problem [velocity]
  double percussion_unit = 1;             ///< of the cone problem [impulse]
  std::vector<double> candidate_delassus; ///< W of all candidates, row by row, where it is constant
  unsigned long delassus_version = 0;     ///< of the system that W was made of
  FrictionContactProblem problem;
  ConeSolution solution;
  std::vector<double> posed_guess; ///< percussions with which the solution of `problem` began
  bool is_posed = false;           ///< `problem` is one of the last attempt
  StepRecord<dim> record, parts;
  unsigned int kept_width = 0, n_good = 0; ///< StepMemory
  double largest_energy = 0;
  std::vector<double> warm_percussion; ///< of the step before
  std::vector<ContactStatus> warm_status;
  std::vector<unsigned int> posed_active; ///< contacts of `problem`

  // Workspaces of one step.
  double h = 0, end_time = 0; ///< of the part of the step that is being taken
  Vector force_theta, next_force, v_theta, rhs, correction, velocity_change, midpoint;
  GapState<dim> frames, predicted;
  std::vector<double> prescribed_velocity;
  std::vector<double> applied; ///< percussions of the active contacts that v_θ has already
  std::vector<double> contact_force, force_change;
  std::vector<unsigned int> contacts_in_use;
  std::vector<double> compliance_row; ///< of H Â⁻¹
  std::vector<double> residual_history;
  std::string failure;
};

} // namespace percussion
