#include <percussion/base/error.h>
#include <percussion/base/freed_memory.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/bonds.h>
#include <percussion/dynamics/contact_measures.h>
#include <percussion/dynamics/contact_moments.h>
#include <percussion/dynamics/friction.h>
#include <percussion/dynamics/ledger.h>
#include <percussion/dynamics/position_projection.h>
#include <percussion/dynamics/rates.h>
#include <percussion/dynamics/springs.h>

#include "balance_check.h"
#include "gap_rows.h"
#include "law_memory.h"
#include "solve_law.h"
#include "substep.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion {
namespace {

/// Throws RunError if a surface turns so far in a step that it cannot be told from a smaller turn.
template <int dim>
void expect_small_turn(const Surface<dim> &surface, const Interval &interval) {
  constexpr double largest_turn = 1.; // rad
  if (surface.turn && std::abs(surface.turn->angle(interval.t1) -
                               surface.turn->angle(interval.t1 - interval.h)) > largest_turn)
    throw RunError("the Motion angle '" + surface.turn->angle.formula() +
                   "' turns its surface by more than 1 rad in a step: take a smaller Time/Step");
}

/// Computes F_θ = (1−f) F(t0) + f F(t1), with f = θ or the f of another rule, and prepares the
/// moving surfaces.
template <int dim>
void prepare(State<dim> &state, const Interval &interval, Machinery<dim> &m) {
  const double f = time_rule(m.choices).load;
  if (m.bodies.loads.depend_on_time())
    m.bodies.loads.evaluate(interval.t1, m.next_force);
  combine(1. - f, state.force, f, m.next_force, m.force_theta);
  for (unsigned int k = 0; k < m.boundary.pairs.size(); ++k)
    if (const Surface<dim> *const surface = m.boundary.pairs[k].surface()) {
      expect_small_turn(*surface, interval);
      state.surface_motion[k].prepare_step(*surface, interval.t1, interval.h);
    }
}

/// Removes forces and contacts of bodies that have not yet appeared, and sets the velocities of
/// bodies that appear now. Returns the change of kinetic energy.
template <int dim>
double insert_bodies(State<dim> &state, Machinery<dim> &m) {
  m.contact_finder.exclude(absent_bodies(m.bodies, state.time));
  bool appears = false;
  for (std::size_t b = 0; b < m.bodies.rigid.size(); ++b) {
    const RigidBody<dim> &body = m.bodies.rigid[b];
    const bool is_absent = state.time < body.appears;
    if (!is_absent && state.time > body.appears + body.appearing_window)
      continue;
    if (is_absent)
      std::fill_n(m.bodies.rigid_values(m.force_theta, b), RigidBody<dim>::n_dofs, 0.);
    else
      std::copy_n(body.appearing_velocity.begin(), RigidBody<dim>::n_dofs,
                  m.bodies.rigid_values(state.v, b));
    appears = appears || !is_absent;
  }
  if (!appears)
    return 0.;
  const double previous_energy = state.kinetic;
  const Operators &operators = m.bodies.operators;
  multiply(operators.mass, operators.partition, state.v, state.Mv);
  state.kinetic = 0.5 * dot(state.v, state.Mv);
  m.contact_finder.expect_motion(m.boundary.trace.gather(state.v), m.choices.h);
  state.found = m.contact_finder.find(m.boundary.trace.gather(state.q), state.time);
  return state.kinetic - previous_energy;
}

/// Returns a bound of the round-off of a point's coordinates, including displacements [length].
template <int dim>
double rounding_of_position(const ContactPoint<dim> &point, const Boundary<dim> &boundary,
                            const TraceField &q) {
  constexpr double round_off = 16. * std::numeric_limits<double>::epsilon();
  return round_off * (point.position.norm() + boundary.value_at(point, q).norm());
}

/// True if a contact has a percussion or a status from the last substep.
template <int dim>
bool has_pressed(const ContactMemory<dim> *memory) {
  return memory != nullptr &&
         (memory->status != ContactStatus::open || memory->percussion[0] != 0.);
}

/// Notes the depth of a contact that further sliding is to give back: of a point that this substep
/// or the one before has covered, unless it is too deep for that, or may be initial.
/// @param presses true if the contact pressed in this substep
template <int dim>
void remember_depth(const Contact<dim> &contact, const ContactMemory<dim> *last,
                    const Substep<dim> &s, const TraceField &v_theta, bool presses,
                    ContactMemory<dim> &memory) {
  const Machinery<dim> &m = s.machinery;
  const double h = s.interval.h;
  if (const double depth = depth_to_return(contact, last); depth > 0.) {
    const double returned = presses ? returned_depth(*s.active.find(contact.key), last, s.active,
                                                     v_theta, s.setting(m.choices))
                                    : 0.;
    memory.covered_depth = depth - returned;
    memory.return_speed = last->return_speed > 0. ? last->return_speed : 2. * returned / h;
    return;
  }
  const double largest = largest_returned_depth * m.boundary.points[contact.point].size;
  const bool is_covered =
      std::find(s.covered.begin(), s.covered.end(), contact.key) != s.covered.end();
  const bool may_be_initial = !is_covered && (s.state.step == 0 || s.appeared != 0.);
  if (last != nullptr || may_be_initial || !(contact.gap < 0.) || -contact.gap > largest ||
      !returns_depths(m.boundary.pairs[contact.key.pair], m.choices))
    return;
  memory.covered_depth = -contact.gap;
  if (is_covered)
    memory.return_speed = -2. * contact.gap / h;
}

/// Writes the memories of the contacts at the end of the interval. In crowds most contacts of rigid
/// bodies are open, and their memories would be most of the memory.
template <int dim>
void remember(const Substep<dim> &s, const TraceField &v_theta, const TraceField &q1) {
  State<dim> &state = s.state;
  const PosedLaw<dim> &law = s.law;
  const Reaction &reaction = s.reaction;
  const Boundary<dim> &boundary = s.machinery.boundary;
  ContactHistory<dim> previous_history;
  previous_history.memories.swap(state.history.memories);
  state.history.memories.reserve(previous_history.memories.size());
  const bool keeps_gaps = uses_previous_gaps(s.machinery.choices);
  Cursor previous(previous_history.memories);
  Cursor active(law.active.contacts);
  for (const auto &contact : state.found.contacts) {
    ContactMemory<dim> memory{contact.key, contact.gap};
    const auto *const last = previous.go_to(contact.key);
    const auto *const posed = active.go_to(contact.key);
    if (posed == nullptr && !keeps_gaps && contact.is_of_rigid_bodies() && !has_pressed(last))
      continue;
    const bool presses =
        posed != nullptr &&
        reaction.p[dim * static_cast<std::size_t>(posed - law.active.contacts.data())] > 0.;
    remember_depth(contact, last, s, v_theta, presses, memory);
    const double lasting_gap = largest_lasting_gap * boundary.points[contact.point].size;
    memory.is_lasting =
        presses || (last != nullptr && last->is_lasting && contact.gap_of_law() <= lasting_gap);
    if (last != nullptr) {
      memory.previous_percussion = last->percussion;
      memory.earlier_status = last->status;
      memory.closing_gap = last->closing_gap;
      memory.n_reversals = last->n_reversals;
      memory.end_velocity = last->end_velocity;
    }
    state.history.memories.push_back(memory);
  }
  const ReactionGuess first = first_solution(reaction), last = {reaction.p, reaction.status};
  remember_moments(law, first, last, state.history);
  Cursor memories(state.history.memories);
  for (std::size_t i = 0; i < law.active.contacts.size(); ++i) {
    ContactMemory<dim> &memory = *memories.go_to(law.active.contacts[i].key);
    store_solution(i, first, last, memory);
    memory.rounding =
        s.interval.h * reaction.rounding +
        rounding_of_position(boundary.points[law.active.contacts[i].point], boundary, q1);
  }
}

/// Adds the works of contacts that store energy. The gaps of springs at the end are the detected
/// gaps: their difference from d0 + h u_N, between rigid bodies, and the change of the covered area
/// of a mortar are numerical work.
template <int dim>
void account_springs(const Substep<dim> &s, const std::vector<StoredEnergy> &spring_energies) {
  State<dim> &state = s.state;
  Works &works = s.record.works;
  const double reaction_energy = s.reaction.energy;
  StoredEnergy stored;
  for (const StoredEnergy &energy : spring_energies) {
    stored.normal += energy.normal;
    stored.tangential += energy.tangential;
  }
  works.contact_normal += stored.normal + reaction_energy;
  works.contact_tangential += stored.tangential;
  double change = reaction_energy;
  if (s.machinery.choices.penalty != Penalty::none) {
    change +=
        spring_energy(state, s.machinery.boundary, s.machinery.choices) - state.contact_potential;
    works.numerical += change - (stored.normal + stored.tangential + reaction_energy);
  }
  state.contact_potential += change;
}

/// Number of contacts from which gaps in the heap, a fifth of the anonymous memory of 10,000 boxes,
/// count more than the time to return them.
constexpr std::size_t many_contacts = 5000;

/// Keeps the rows of the law, which nothing reads any more, for callers of Step.
template <int dim>
void keep_rows(Substep<dim> &s) {
  CompletedContacts &completed = s.machinery.completed;
  completed.length = s.interval.h;
  completed.H = std::move(s.law.H);
  completed.G = std::move(s.law.G);
  completed.p = s.reaction.total_percussions();
  completed.keys.clear();
  for (const Contact<dim> &contact : s.law.active.contacts)
    completed.keys.push_back(contact.key);
}

/// Computes the state at the end of the interval, and the energy balance (AC24 (65)–(67), BBDM24
/// (3.8)).
template <int dim>
void complete_substep(Substep<dim> &s) {
  auto &[state, interval, m, record, appeared, active, law, reaction, covered] = s;
  const double previous_energy = state.energy() - appeared;
  const StateEnergies start = state;
  record.works.external += appeared;
  const TraceField v_theta = m.momentum->velocity_on_trace();
  const auto stored = stored_by_springs(law, state, interval, reaction.p, v_theta, m.choices);
  m.momentum->finish(state, record.works);
  const TraceField q1 = m.boundary.trace.gather(state.q);
  remember(s, v_theta, q1);
  state.time = interval.t1;
  state.previous_h = interval.h;
  if (active.contacts.size() > many_contacts)
    trim_heap(); // the solution of the contact problem leaves gaps
  m.stopwatch.lap(Phase::advance);
  m.contact_finder.expect_motion(m.boundary.trace.gather(state.v), m.choices.h);
  const ContactList<dim> found = std::exchange(state.found, m.contact_finder.find(q1, state.time));
  m.stopwatch.lap(Phase::search);
  if (m.projection)
    m.projection->correct(state, interval, m.contact_finder,
                          m.bodies.loads.depend_on_time() ? m.next_force : state.force, record);
  account_contacts(law, reaction, v_theta, m.boundary.trace.n_elastic(),
                   rates_of_gaps(law.active, found, state.found, interval.h, m.boundary, m.choices),
                   record);
  advance_states(law, reaction.p, v_theta, interval.h, state.history);
  account_bonds(law, reaction, v_theta, interval, m.boundary, state, record.works);
  const std::vector<double> percussions = reaction.total_percussions();
  account_moments(law, reaction, v_theta, record);
  record.node_percussions = node_percussions(law, reaction, m.boundary);
  record.works.prescribed += m.momentum->work_of_reactions(law.H, percussions);
  account_springs(s, stored);
  measure_contacts<dim>({interval, found, law, reaction, v_theta, stored, has_end_rows(m.choices)},
                        m.boundary, state, record);
  add_slips(record.accounts, m.boundary, state.history);
  if (!m.bodies.motion.empty())
    record.holding = m.momentum->holding_impulses(law.H, percussions);
  record.link_impulses = m.momentum->balance().link_impulses();
  record.bound_impulses = m.momentum->balance().bound_impulses();
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
  require_balance(start, s);
  keep_rows(s);
}

/// Removes the contacts that have become covered in a failed substep from its initial state.
template <int dim>
void uncover(Substep<dim> &s) {
  auto &contacts = s.state.found.contacts;
  contacts.erase(std::remove_if(contacts.begin(), contacts.end(),
                                [&](const Contact<dim> &contact) {
                                  return std::find(s.covered.begin(), s.covered.end(),
                                                   contact.key) != s.covered.end();
                                }),
                 contacts.end());
}

} // namespace

template <int dim>
std::optional<Failure> advance_substep(State<dim> &state, const Interval &interval,
                                       Machinery<dim> &m, StepRecord<dim> &record) {
  m.completed = {}; // its memory is for the rows of this substep
  m.stopwatch.start();
  prepare(state, interval, m);
  Substep<dim> substep{state, interval, m, record, insert_bodies(state, m)};
  m.reaction->start_interval(interval);
  substep.active = forecast(substep.setting(m.choices));
  m.stopwatch.lap(Phase::search);
  auto failure = solve_substep(substep);
  if (failure)
    uncover(substep);
  else
    complete_substep(substep);
  return failure;
}

PERCUSSION_INSTANTIATE(advance_substep);

} // namespace percussion
