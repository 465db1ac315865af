#include <percussion/base/error.h>
#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace percussion {

template <int dim>
Step<dim>::Step(const System<dim> &b, const Contacts<dim> &c, const StepChoices &s,
                const ConeOptions &options)
    : bodies(b), contacts(c), choices(s), balance(make_momentum(b, s, c.touched_dofs())),
      cone(options),
      update_one_by_one(options.method == ConeMethod::pdas && !balance->is_linear()) {
  for (const auto &pair : contacts.pairs)
    law.emplace_back(impact_law(pair.law, pair.restitution, choices.theta), choices.theta,
                     choices.separating);
  surface_motion.resize(contacts.pairs.size());
  problem.dimension = dim;
  for (Vector *work :
       {&force_theta, &next_force, &v_theta, &rhs, &correction, &velocity_change, &midpoint})
    *work = make_vector(bodies.n_dofs());
  contact_force.resize(balance->system().contact_dofs().size());
  force_change.resize(contact_force.size());
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    if (bodies.operators.mass.diag_element(i) == 0.)
      massless_dofs.push_back(i);
  record.percussion.resize(std::size_t(dim) * contacts.size());
  record.status.resize(contacts.size(), ContactStatus::open);
  record.active.reserve(contacts.size()); // its arrays keep their places from step to step
  record.velocity.reserve(std::size_t(dim) * contacts.size());
}

template <int dim>
void Step<dim>::initialise(State<dim> &state) {
  balance->complete(state);
  place(state);
  for (unsigned int k = 0; k < contacts.pairs.size(); ++k)
    surface_motion[k].start(contacts.pairs[k].surface, state.time, choices.h);
  // The gap before the first step, as if the points had come with their initial velocities.
  state.previous_h = choices.h;
  state.previous_gap.resize(contacts.size());
  for (unsigned int i = 0; i < contacts.size(); ++i)
    state.previous_gap[i] = state.gaps.distance[i] - choices.h * start_velocity(state, i)[0];
  largest_energy = state.energy();
  measure_penetration(state);
}

/// What follows from the positions and the time alone.
template <int dim>
void Step<dim>::place(State<dim> &state) {
  bodies.loads.evaluate(state.time, state.force);
  bodies.loads.evaluate(state.time, next_force);
  contacts.evaluate(state.q, state.time, state.gaps);
  record.normal = frames.normal = state.gaps.normal;
  contacts.jacobian(state.gaps, H);
}

/// u0 of a candidate, relative to what it may touch.
template <int dim>
std::array<double, dim> Step<dim>::start_velocity(const State<dim> &state, unsigned int i) const {
  const auto surface = surface_motion[contacts.points[i].pair].start_velocity();
  const auto frame = local_frame<dim>(frames.normal[i]);
  std::array<double, dim> u;
  for (unsigned int r = 0; r < dim; ++r)
    u[r] = H.row_times(dim * i + r, entries(state.v)) - frame[r] * surface;
  return u;
}

template <int dim>
void Step<dim>::measure_penetration(const State<dim> &state) {
  record.penetration_max = 0;
  for (const double g : state.gaps.distance)
    record.penetration_max = std::max(record.penetration_max, -g);
}

/// One step, or one part of a cut step. Where it fails the state is as it was.
template <int dim>
bool Step<dim>::attempt(State<dim> &state, double length, double t1) {
  h = length;
  end_time = t1;
  is_posed = false;
  warm_percussion = record.percussion;
  warm_status = record.status;
  stopwatch.start();
  forecast(state);
  stopwatch.lap(Phase::forecast);
  begin(state);
  if (!solve(state, FirstGuess::velocity) &&
      (balance->is_linear() || !solve(state, FirstGuess::rest)))
    return false;
  commit(state);
  stopwatch.lap(Phase::advance);
  account(state);
  stopwatch.lap(Phase::account);
  return true;
}

/// From a first guess of v_θ, correct it until the momentum is balanced and the contacts obey their
/// law.
template <int dim>
bool Step<dim>::solve(const State<dim> &state, FirstGuess guess) {
  failure.clear();
  residual_history.clear();
  record.percussion = warm_percussion; // no other attempt's
  record.status = warm_status;
  bodies.motion.theta_velocity(state.time, end_time, h, choices.theta, state.q,
                               prescribed_velocity);
  const Outcome outcome = balance->predict(state, force_theta, prescribed_velocity, guess, v_theta);
  if (outcome == Outcome::inverted)
    return fail(guess == FirstGuess::velocity
                    ? "an element is turned inside out by the velocities at the beginning"
                    : "an element is turned inside out by the prescribed motion");
  if (outcome == Outcome::singular)
    return fail("the tangent is singular");
  // What is left to prescribe: nothing where the guess has it already.
  for (std::size_t i = 0; i < prescribed_velocity.size(); ++i)
    prescribed_velocity[i] -= entries(v_theta)[bodies.motion.dofs()[i]];
  const bool linear = balance->is_linear();
  record.momentum_residual = 0;
  // Statuses that do not settle by one update after the other are left to the cone solver.
  constexpr unsigned int patience = 12;
  unsigned int n_unsettled = 0;
  std::fill(contact_force.begin(), contact_force.end(), 0.);
  applied.assign(dim * record.active.size(), 0.);
  for (unsigned int iteration = 1; iteration <= choices.max_newton_iterations; ++iteration) {
    take_active_delassus(); // and with it the contacts whose correction is asked for
    start_correction();
    if (!pose(state))
      return false;
    stopwatch.lap(Phase::pose);
    const bool settled =
        solve_contacts(update_one_by_one && n_unsettled < patience, iteration == 1);
    n_unsettled += !settled;
    stopwatch.lap(Phase::solve);
    if (!failure.empty() || !correct(state))
      return false;
    record.solver_iterations = linear ? solution.iterations : iteration;
    const bool done = linear || is_balanced(state, settled);
    stopwatch.lap(Phase::advance);
    if (done || !failure.empty())
      return failure.empty();
  }
  return fail("the momentum is not balanced to the tolerance, or the statuses of the contacts have "
              "not settled, after " +
              std::to_string(choices.max_newton_iterations) + " iterations");
}

/// The correction under the percussions applied so far.
template <int dim>
void Step<dim>::start_correction() {
  const Vector *b = &balance->defect();
  if (!balance->is_linear()) {
    const auto &dofs = balance->system().contact_dofs();
    rhs = *b;
    for (std::size_t c = 0; c < dofs.size(); ++c)
      entries(rhs)[dofs[c]] += contact_force[c];
    b = &rhs;
  }
  balance->system().start(entries(*b), prescribed_velocity, entries(correction));
}

/// The cone problem for the velocities that v_θ and its correction leave without percussions.
template <int dim>
bool Step<dim>::pose(const State<dim> &state) {
  pose_velocities(state);
  for (const double q : problem.q)
    if (!std::isfinite(q))
      return fail("a velocity is not a finite number any more");
  posed_guess = solution.p;
  solution.converged = false; // not yet
  return is_posed = true;
}

/// Percussions and statuses of the active contacts; whether they obey the law. With `one_update`
/// they obey the statuses supposed so far, and those that they show are supposed next.
template <int dim>
bool Step<dim>::solve_contacts(bool one_update, bool first) {
  bool settled = true;
  try {
    if (one_update)
      settled = cone.update(problem, first, solution);
    else
      cone.solve(problem, solution);
  } catch (const std::invalid_argument &error) {
    return fail(std::string("the contacts cannot be solved with this tangent: ") + error.what());
  }
  if (!one_update && !solution.converged) {
    std::ostringstream why;
    why << "the contact problem of " << record.active.size()
        << " contacts was not solved: residual " << solution.residual << " after "
        << solution.iterations << " iterations"
        << (solution.outcome == ConeOutcome::no_solution
                ? ": a contact approaches that nothing which may move can stop"
                : "");
    return fail(why.str());
  }
  record.solver_residual = solution.residual;
  std::fill(record.percussion.begin(), record.percussion.end(), 0.);
  std::fill(record.status.begin(), record.status.end(), ContactStatus::open);
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    record.status[record.active[a]] = solution.status[a];
    for (unsigned int r = 0; r < dim; ++r)
      record.percussion[dim * record.active[a] + r] = percussion_unit * solution.p[dim * a + r];
  }
  return settled;
}

/// θ Hᵀ p on the contact degrees of freedom, and what of it has not been applied yet.
template <int dim>
void Step<dim>::gather_contact_force() {
  std::fill(contact_force.begin(), contact_force.end(), 0.);
  std::fill(force_change.begin(), force_change.end(), 0.);
  for (std::size_t a = 0; a < record.active.size(); ++a)
    for (unsigned int r = 0; r < dim; ++r) {
      const unsigned int row = dim * record.active[a] + r;
      const double p = record.percussion[row], change = p - applied[dim * a + r];
      applied[dim * a + r] = p;
      for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
        if (const int c = balance->system().contact_index(H.column[k]); c >= 0) {
          contact_force[static_cast<unsigned int>(c)] += choices.theta * H.value[k] * p;
          force_change[static_cast<unsigned int>(c)] += choices.theta * H.value[k] * change;
        }
    }
}

/// Percussions into the momentum, and v_θ corrected; not all the way where that would turn an
/// element inside out.
template <int dim>
bool Step<dim>::correct(const State<dim> &state) {
  ContactSystem &system = balance->system();
  gather_contact_force();
  if (!record.active.empty())
    system.add_contact_force(force_change);
  system.finish(entries(correction));
  v_theta += correction;
  constexpr unsigned int max_halvings = 10;
  for (unsigned int halving = 0; !balance->evaluate(state, force_theta, v_theta); ++halving) {
    if (halving == max_halvings)
      return fail("a correction of the velocities turns an element inside out");
    correction *= 0.5;
    v_theta -= correction;
  }
  std::fill(prescribed_velocity.begin(), prescribed_velocity.end(), 0.);
  return true;
}

/// Whether the contacts have settled and the momentum is balanced, so well that the energy is too.
/// Â is made anew where the residual shrinks slowly: a factorisation costs as much as some ten
/// corrections with the old one.
template <int dim>
bool Step<dim>::is_balanced(const State<dim> &state, bool settled) {
  constexpr double energy_tolerance = 1e-13, slow = 0.3;
  const auto residual = balance->residual(state, contact_force, v_theta);
  const double relative = residual.relative();
  const bool shrinks_slowly =
      !residual_history.empty() && relative > slow * residual_history.back();
  residual_history.push_back(relative);
  record.momentum_residual = relative;
  const bool at_round_off = residual.norm <= residual.round_off;
  if (settled && (relative <= choices.newton_tolerance || at_round_off) &&
      std::abs(residual.power) <=
          std::max(energy_tolerance * state.energy(), residual.power_round_off))
    return true;
  if (shrinks_slowly && !at_round_off && !balance->refactor())
    fail("the tangent is singular");
  return false;
}

/// Positions and velocities at the end of the step, and all that follows from them.
template <int dim>
void Step<dim>::commit(State<dim> &state) {
  double *const q = entries(state.q), *const v = entries(state.v);
  double *const change = entries(velocity_change);
  const double *const v_mean = entries(v_theta);
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i) {
    q[i] += h * v_mean[i];
    change[i] = (v_mean[i] - v[i]) / choices.theta;
    v[i] += change[i];
  }
  // Without mass a velocity is in no balance: by the rule of the others it would only alternate.
  for (const unsigned int i : massless_dofs)
    v[i] = v_mean[i];
  state.time = end_time;
  state.previous_h = h;
  // Copied, not swapped: whoever looks at a state or a record finds its arrays where they were.
  state.previous_gap = state.gaps.distance;
  record.normal = frames.normal;
  contacts.evaluate(state.q, end_time, state.gaps);
  measure_penetration(state);
}

template <int dim>
bool Step<dim>::fail(const std::string &why) {
  failure = why;
  return false;
}

template <int dim>
std::string Step<dim>::failure_message(unsigned int step, double t1) const {
  std::ostringstream message;
  message << "step " << step << " (t = " << t1 << "): " << failure;
  if (!residual_history.empty()) {
    message << "; relative residuals of the momentum";
    for (const double r : residual_history)
      message << ' ' << r;
  }
  std::array<unsigned int, 3> count{};
  for (const auto status : record.status)
    ++count[static_cast<std::size_t>(status)];
  message << "; of " << contacts.size() << " candidates " << record.active.size()
          << " were forecast to touch, " << count[1] << " of them stuck and " << count[2]
          << " slipped last. ";
  if (may_cut())
    message << "The step was cut to 1/" << (1u << choices.max_cuts) << " of its length in vain. ";
  message << "Try a smaller Time/Step, another Solver/Method, or larger Solver/Max iterations, "
             "Solver/Max Newton iterations or tolerances";
  if (choices.theta < 0.5)
    message << "; Time/Theta below 1/2 produces energy";
  if (!bodies.motion.dofs().empty())
    message << ". A prescribed motion may leave the contacts no solution";
  return message.str();
}

template class Step<2>;

} // namespace percussion
