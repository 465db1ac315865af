#include <percussion/base/error.h>
#include <percussion/dynamics/advance_substep.h>
#include <percussion/dynamics/balance_check.h>
#include <percussion/dynamics/contact_measures.h>
#include <percussion/dynamics/friction.h>
#include <percussion/dynamics/ledger.h>
#include <percussion/dynamics/springs.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion {
namespace {

/// Computes F_θ = (1−f) F(t0) + f F(t1), with f = θ or the f of another rule, and prepares the
/// moving surfaces.
template <int dim>
void prepare(State<dim> &state, const Interval &interval, Machinery<dim> &m) {
  const double f = time_rule(m.choices).load;
  if (m.bodies.loads.depend_on_time())
    m.bodies.loads.evaluate(interval.t1, m.next_force);
  const double *const F0 = entries(state.force), *const F1 = entries(m.next_force);
  double *const F = entries(m.force_theta);
  for (unsigned int i = 0, n = n_owned(m.force_theta); i < n; ++i)
    F[i] = (1. - f) * F0[i] + f * F1[i];
  for (unsigned int k = 0; k < m.boundary.pairs.size(); ++k)
    state.surface_motion[k].prepare_step(m.boundary.pairs[k].surface, interval.t1, interval.h);
}

/// Removes forces and contacts of bodies that have not yet appeared, and sets the velocities of
/// bodies that appear now. Returns the change of kinetic energy.
template <int dim>
double insert_bodies(State<dim> &state, Machinery<dim> &m) {
  m.contacts.exclude(absent_bodies(m.bodies, state.time));
  bool appears = false;
  for (std::size_t b = 0; b < m.bodies.rigid.size(); ++b) {
    const RigidBody<dim> &body = m.bodies.rigid[b];
    const unsigned int dof = m.bodies.rigid_dof(b);
    const bool is_absent = state.time < body.appears;
    if (!is_absent && state.time > body.appears + body.appearing_window)
      continue;
    for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
      if (is_absent)
        entries(m.force_theta)[dof + d] = 0.;
      else
        entries(state.v)[dof + d] = body.appearing_velocity[d];
    appears = appears || !is_absent;
  }
  if (!appears)
    return 0.;
  const double previous_energy = state.kinetic;
  multiply(m.bodies.operators.mass, state.v, state.Mv);
  state.kinetic = 0.5 * dot(state.v, state.Mv);
  state.found = m.contacts.find(m.boundary.trace.gather(state.q), state.time);
  return state.kinetic - previous_energy;
}

/// Returns the velocities of the contacts relative to the opposite sides.
template <int dim>
std::vector<double> velocities(const PosedLaw<dim> &law, const TraceField &v) {
  std::vector<double> u(law.H.n_rows());
  for (unsigned int row = 0; row < u.size(); ++row)
    u[row] = law.rows().row_times(row, v) - law.surface[row];
  return u;
}

/// Returns the solution before tangential restitutions were raised.
ReactionGuess first_solution(const Reaction &reaction) {
  return reaction.is_raised.empty() ? ReactionGuess{reaction.p, reaction.status}
                                    : reaction.first_solution;
}

/// True if the signs of contact works are those of the solution: the balance is linear, or its last
/// residual is small.
template <int dim>
bool is_nearly_balanced(const Momentum<dim> &momentum) {
  constexpr double small = 1e-4;
  return !momentum.is_nonlinear() ||
         (!momentum.residuals().empty() && momentum.residuals().back() < small);
}

/// Corrects v_θ until the momentum is balanced and the contacts satisfy their law.
template <int dim>
std::optional<Failure> solve(const State<dim> &state, const Interval &interval,
                             const PosedLaw<dim> &law, Machinery<dim> &m, Reaction &reaction,
                             StepRecord<dim> &record) {
  Momentum<dim> &momentum = *m.momentum;
  reaction = {};
  reaction.p.assign(law.H.n_rows(), 0.);
  std::optional<Failure> failure = momentum.begin(state, interval, m.force_theta);
  m.reaction->prepare(law, momentum.system());
  if (!failure)
    failure = momentum.set_contact_entries(law.H.entries);
  for (unsigned int k = 1; !failure && k <= m.choices.max_newton_iterations; ++k) {
    momentum.start_correction();
    const auto u = velocities(law, momentum.free_velocity());
    m.stopwatch.lap(Phase::pose);
    const std::vector<bool> was_raised = reaction.is_raised;
    failure = m.reaction->solve(law, u, momentum.system(), {k == 1, is_nearly_balanced(momentum)},
                                reaction);
    m.stopwatch.lap(Phase::solve);
    if (failure)
      return failure;
    ContactProgress contacts{reaction.converged, reaction.is_raised != was_raised};
    failure = momentum.correct(law.H, contacts, reaction.p);
    if (failure)
      return failure;
    contacts.converged = contacts.converged && !reaction.awaits_raising;
    const auto balance = momentum.balance(contacts);
    m.stopwatch.lap(Phase::advance);
    record.solver_iterations = momentum.residuals().empty() ? reaction.iterations : k;
    if (balance.is_satisfied || balance.failure)
      return balance.failure;
  }
  if (failure)
    return failure;
  return Failure{"the momentum is not balanced to the tolerance, or the statuses of the contacts "
                 "have not converged, after " +
                 std::to_string(m.choices.max_newton_iterations) + " iterations"};
}

/// Repeats a substep with the frames at its reached midpoint until the frames stay. Contacts that
/// alternate between facets may prevent this; the energy balance closes in any case.
template <int dim>
std::optional<Failure>
iterate_frames(const ContactList<dim> &active, const State<dim> &state, const Interval &interval,
               Machinery<dim> &m, PosedLaw<dim> &law, Reaction &reaction, StepRecord<dim> &record) {
  constexpr unsigned int most_repetitions = 12;
  constexpr double tolerance = 1e-13;
  for (unsigned int k = 0; k < most_repetitions && law.H.n_rows() > 0; ++k) {
    const TraceField v_theta = m.momentum->velocity_on_trace();
    auto reached = pose_law(active, state, &v_theta, interval, m.contacts, m.boundary, m.choices);
    m.stopwatch.lap(Phase::forecast);
    if (reached.H.is_near(law.H, tolerance))
      return {};
    if (reached.guess.p.size() == reaction.p.size()) {
      reached.guess = first_solution(reaction);
      reached.raised_guess = {reaction.p, reaction.status};
    }
    law = std::move(reached);
    if (auto failure = solve(state, interval, law, m, reaction, record))
      return failure;
  }
  return {};
}

/// Returns a bound of the round-off of a point's coordinates, including displacements [length].
template <int dim>
double rounding_of_position(const ContactPoint<dim> &point, const Boundary<dim> &boundary,
                            const TraceField &q) {
  constexpr double round_off = 16. * std::numeric_limits<double>::epsilon();
  return round_off * (point.position.norm() + boundary.value_at(point, q).norm());
}

/// Writes the memories of the contacts at the end of the interval.
template <int dim>
void remember(const PosedLaw<dim> &law, const Reaction &reaction, const Interval &interval,
              const Boundary<dim> &boundary, const TraceField &q1, State<dim> &state) {
  ContactHistory<dim> previous_history;
  previous_history.memories.swap(state.history.memories);
  state.history.memories.reserve(state.found.contacts.size());
  for (const auto &contact : state.found.contacts) {
    ContactMemory<dim> memory{contact.key, contact.gap};
    if (const auto *last = previous_history.find(contact.key)) {
      memory.previous_percussion = last->percussion;
      memory.earlier_status = last->status;
      memory.closing_gap = last->closing_gap;
      memory.n_reversals = last->n_reversals;
    }
    state.history.memories.push_back(memory);
  }
  const ReactionGuess first = first_solution(reaction);
  for (std::size_t i = 0; i < law.active.contacts.size(); ++i) {
    ContactMemory<dim> &memory = *state.history.find(law.active.contacts[i].key);
    memory.status = reaction.status[i];
    memory.first_status = first.status[i];
    memory.rounding =
        interval.h * reaction.rounding +
        rounding_of_position(boundary.points[law.active.contacts[i].point], boundary, q1);
    for (unsigned int r = 0; r < dim; ++r) {
      memory.percussion[r] = reaction.p[dim * i + r];
      memory.first_percussion[r] = first.p[dim * i + r];
    }
  }
}

/// Adds the works of contacts that store energy. The gaps of springs at the end are the detected
/// gaps: on a curved surface, their difference from d0 + h u_N is numerical work.
template <int dim>
void account_springs(State<dim> &state, const std::vector<StoredEnergy> &of_springs,
                     double by_reaction, const Machinery<dim> &m, Works &works) {
  StoredEnergy stored;
  for (const StoredEnergy &of_spring : of_springs) {
    stored.normal += of_spring.normal;
    stored.tangential += of_spring.tangential;
  }
  works.contact_normal += stored.normal + by_reaction;
  works.contact_tangential += stored.tangential;
  double change = by_reaction;
  if (m.choices.penalty != Penalty::none) {
    change += spring_energy(state, m.boundary, m.choices) - state.contact_potential;
    works.numerical += change - (stored.normal + stored.tangential + by_reaction);
  }
  state.contact_potential += change;
}

/// Computes the state at the end of the interval, and the energy balance (AC24 (65)–(67), BBDM24
/// (3.8)).
template <int dim>
void finish(State<dim> &state, const Interval &interval, const PosedLaw<dim> &law,
            const Reaction &reaction, double appeared, Machinery<dim> &m, StepRecord<dim> &record) {
  const double previous_energy = state.energy() - appeared;
  const Energies start = energies(state);
  record.works.external += appeared;
  const TraceField v_theta = m.momentum->velocity_on_trace();
  const auto stored = stored_by_springs(law, state, interval, reaction.p, v_theta, m.choices);
  m.momentum->finish(state, record.works);
  const TraceField q1 = m.boundary.trace.gather(state.q);
  remember(law, reaction, interval, m.boundary, q1, state);
  state.time = interval.t1;
  state.previous_h = interval.h;
  m.stopwatch.lap(Phase::advance);
  const ContactList<dim> found = std::exchange(state.found, m.contacts.find(q1, state.time));
  m.stopwatch.lap(Phase::forecast);
  if (m.projection)
    m.projection->correct(state, interval, m.contacts,
                          m.bodies.loads.depend_on_time() ? m.next_force : state.force, record);
  account_contacts(law, reaction, v_theta, record);
  record.touched = touched_nodes(law, reaction, m.boundary);
  record.works.prescribed += m.momentum->work_of_reactions(law.H, reaction.p);
  account_springs(state, stored, reaction.energy, m, record.works);
  measure_contacts<dim>({interval, found, law, reaction, v_theta, stored}, m.boundary, state,
                        record);
  add_slips(record.accounts, m.boundary, state.history);
  if (!m.bodies.motion.dofs().empty())
    record.holding = m.momentum->holding_impulses(law.H, reaction.p);
  record.balance_residual = state.energy() - previous_energy - record.works.sum();
  record.penetration_max = deepest(state.found);
  record.solver_residual = reaction.residual;
  if (const auto &residuals = m.momentum->residuals(); !residuals.empty())
    record.momentum_residual = residuals.back();
  if (m.bodies.loads.depend_on_time())
    state.force.swap(m.next_force);
  for (auto &motion : state.surface_motion)
    motion.finish_step();
  m.stopwatch.lap(Phase::account);
  if (!std::isfinite(record.balance_residual))
    throw RunError("step " + std::to_string(state.step + 1) + " (t = " +
                   std::to_string(interval.t1) + "): a displacement or velocity is not finite");
  require_balance(start, state, interval, law, reaction, *m.momentum, record);
}

/// Uses the solutions of one law as the initial guesses of another.
template <int dim>
void guess_from(const PosedLaw<dim> &law, const Reaction &reaction, PosedLaw<dim> &next) {
  const auto copy = [](const ReactionGuess &from, std::size_t j, std::size_t i, ReactionGuess &to) {
    std::copy_n(from.p.begin() + static_cast<std::ptrdiff_t>(dim * j), dim,
                to.p.begin() + static_cast<std::ptrdiff_t>(dim * i));
    to.status[i] = from.status[j];
  };
  const ReactionGuess first = first_solution(reaction), last = {reaction.p, reaction.status};
  for (std::size_t i = 0, j = 0; i < next.active.contacts.size(); ++i) {
    const ContactKey &key = next.active.contacts[i].key;
    while (j < law.active.contacts.size() && law.active.contacts[j].key < key)
      ++j;
    if (j == law.active.contacts.size() || !(law.active.contacts[j].key == key))
      continue;
    copy(first, j, i, next.guess);
    copy(last, j, i, next.raised_guess);
  }
}

/// Solves the law, and repeats the solution with another method for the contacts if there is one,
/// and with a new factor if the factor of another step fails.
template <int dim>
std::optional<Failure> solve_or_renew(const State<dim> &state, const Interval &interval,
                                      const PosedLaw<dim> &law, Machinery<dim> &m,
                                      Reaction &reaction, StepRecord<dim> &record) {
  auto failure = solve(state, interval, law, m, reaction, record);
  if (failure && m.reaction->fall_back(m.momentum->system()))
    failure = solve(state, interval, law, m, reaction, record);
  if (failure && m.momentum->renew())
    failure = solve(state, interval, law, m, reaction, record);
  return failure;
}

/// Solves the law of the active contacts. With Forecast::closing, it is solved again with all
/// contacts that would otherwise penetrate at the end of the interval, until there are none. Their
/// number only grows.
template <int dim>
std::optional<Failure>
solve_closing(ContactList<dim> &active, const State<dim> &state, const Interval &interval,
              Machinery<dim> &m, PosedLaw<dim> &law, Reaction &reaction, StepRecord<dim> &record) {
  const bool settles = m.choices.frames == Frames::reached;
  for (;;) {
    auto failure = solve_or_renew(state, interval, law, m, reaction, record);
    if (!failure && settles)
      failure = iterate_frames(active, state, interval, m, law, reaction, record);
    if (failure || m.choices.forecast != Forecast::closing)
      return failure;
    const bool is_larger = add_closing(active, state, m.momentum->velocity_on_trace(), interval,
                                       m.contacts, m.boundary);
    m.stopwatch.lap(Phase::forecast);
    if (!is_larger)
      return {};
    auto next = pose_law(active, state, nullptr, interval, m.contacts, m.boundary, m.choices);
    guess_from(law, reaction, next);
    law = std::move(next);
    m.stopwatch.lap(Phase::forecast);
  }
}

/// Keeps the contacts that press under Signorini's law at the end of the step, to solve another law
/// for them (Ayyad & Barboteu 2009).
template <int dim>
std::optional<Failure> keep_pressing(ContactList<dim> &active, const State<dim> &state,
                                     const Interval &interval, Machinery<dim> &m,
                                     StepRecord<dim> &record) {
  StepChoices choices = m.choices;
  choices.gap = GapLaw::end;
  const auto law = pose_law(active, state, nullptr, interval, m.contacts, m.boundary, choices);
  Reaction reaction;
  auto failure = solve_or_renew(state, interval, law, m, reaction, record);
  ContactList<dim> pressing;
  for (std::size_t i = 0; !failure && i < law.active.contacts.size(); ++i)
    if (reaction.p[dim * i] > 0.)
      pressing.add(*active.find(law.active.contacts[i].key), active);
  active = std::move(pressing);
  return failure;
}

} // namespace

template <int dim>
std::optional<Failure> advance_substep(State<dim> &state, const Interval &interval,
                                       Machinery<dim> &m, StepRecord<dim> &record) {
  m.stopwatch.start();
  prepare(state, interval, m);
  const double appeared = insert_bodies(state, m);
  m.reaction->begin(interval);
  auto active = forecast(state, interval, m.contacts, m.boundary, m.choices);
  m.stopwatch.lap(Phase::forecast);
  Reaction reaction;
  if (m.choices.forecast == Forecast::trial)
    if (auto failure = keep_pressing(active, state, interval, m, record))
      return failure;
  auto law = pose_law(active, state, nullptr, interval, m.contacts, m.boundary, m.choices);
  m.stopwatch.lap(Phase::forecast);
  auto failure = solve_closing(active, state, interval, m, law, reaction, record);
  if (!failure)
    finish(state, interval, law, reaction, appeared, m, record);
  return failure;
}

template std::optional<Failure> advance_substep(State<2> &, const Interval &, Machinery<2> &,
                                                StepRecord<2> &);
template std::optional<Failure> advance_substep(State<3> &, const Interval &, Machinery<3> &,
                                                StepRecord<3> &);

} // namespace percussion
