#include <percussion/base/error.h>
#include <percussion/dynamics/bonds.h>
#include <percussion/dynamics/choose_contact_route.h>
#include <percussion/dynamics/ledger.h>
#include <percussion/dynamics/position_projection.h>
#include <percussion/dynamics/springs.h>
#include <percussion/dynamics/state.h>
#include <percussion/dynamics/step.h>

#include "start_acceleration.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

namespace percussion {
namespace {

/// True if steps that fail may be cut. Another length seldom helps linear bodies, because one
/// correction solves their momentum. Rigid bodies may have hundreds of contacts that depend on each
/// other; a substep has other velocities, for which the contact solver may converge.
template <int dim>
bool may_be_cut(const StepChoices &choices, const System<dim> &bodies,
                const std::vector<ContactPair<dim>> &pairs, const Momentum<dim> &momentum) {
  const auto softens = [](const ContactPair<dim> &pair) {
    return pair.bond.exists() || pair.rate_law.exists();
  };
  return choices.max_cuts > 0 &&
         (choices.adaptive || std::any_of(pairs.begin(), pairs.end(), softens) ||
          momentum.balance().is_nonlinear() || !bodies.rigid.empty());
}

/// Returns the energy error of a substep due to discretisation: the residual of the balance,
/// numerical dissipation, and positive work of contacts. For a law with the energy theorem of AC24,
/// all three are round-off at θ = 1/2.
template <int dim>
double energy_error(const StepRecord<dim> &substep) {
  const Works &w = substep.works;
  return std::abs(substep.balance_residual) + std::abs(w.numerical) +
         std::max(0., w.contact_normal + w.contact_tangential);
}

} // namespace

template <int dim>
Step<dim>::Step(const System<dim> &bodies, const Boundary<dim> &boundary, const StepChoices &c,
                const ConeOptions &options)
    : choices(c), machinery{bodies,
                            boundary,
                            choices,
                            ContactFinder<dim>(boundary),
                            make_momentum(bodies, choices, boundary.trace,
                                          choose_contact_route(bodies, choices,
                                                               boundary.trace.n_elastic(),
                                                               boundary.projectable())),
                            nullptr,
                            bodies.zero_field(),
                            bodies.zero_field(),
                            {}},
      may_cut(may_be_cut(choices, bodies, boundary.pairs, *machinery.momentum)),
      may_change_failing(
          choices.adaptive || machinery.momentum->balance().is_nonlinear() ||
          std::any_of(bodies.rigid.begin(), bodies.rigid.end(),
                      [](const RigidBody<dim> &body) { return std::isfinite(body.appears); })),
      substeps({may_cut, choices.max_cuts, choices.adaptive, choices.grow_after}) {
  if (choices.normal_rows == NormalRows::secant)
    machinery.contact_finder.set_gradients(GapGradients::computed);
  const bool one_by_one =
      options.method == ConeMethod::pdas && machinery.momentum->balance().is_nonlinear();
  const double percussion_factor = time_rule(choices).percussion_factor;
  machinery.reaction = make_cone_reaction<dim>(options, percussion_factor, one_by_one);
  if (const ContactRoute &route = machinery.momentum->balance().contact_route();
      route.may_project())
    machinery.reaction =
        make_projected_reaction<dim>(std::move(machinery.reaction), {options.tolerance},
                                     percussion_factor, route.min_projected_rows);
  if (choices.penalty == Penalty::conserving)
    machinery.reaction = make_spring_reaction<dim>(std::move(machinery.reaction));
  const auto has_pair = [&](const auto &predicate) {
    return std::any_of(boundary.pairs.begin(), boundary.pairs.end(), predicate);
  };
  if (has_pair([](const ContactPair<dim> &pair) { return pair.bond.exists(); }))
    machinery.reaction = make_bond_reaction<dim>(std::move(machinery.reaction), percussion_factor);
  if (has_pair([](const ContactPair<dim> &pair) { return pair.rate_law.exists(); }))
    machinery.reaction = make_rate_reaction<dim>(std::move(machinery.reaction), percussion_factor);
  if (has_pair([](const ContactPair<dim> &pair) { return pair.has_moments(); }))
    machinery.reaction =
        make_moment_reaction<dim>(std::move(machinery.reaction), options.tolerance);
  if (choices.position_correction == PositionCorrection::projection)
    machinery.projection = std::make_unique<PositionProjection<dim>>(bodies, boundary, options);
}

/// Evaluates the forces at the time of the state and finds its contacts, without bodies that are
/// absent, up to the distance that its velocities permit in a step. Writes the depth to the record.
template <int dim>
void Step<dim>::evaluate_position(State<dim> &state) {
  machinery.bodies.loads.evaluate(state.time, state.force);
  machinery.bodies.loads.evaluate(state.time, machinery.next_force);
  machinery.contact_finder.exclude(absent_bodies(machinery.bodies, state.time));
  machinery.contact_finder.expect_motion(machinery.boundary.trace.gather(state.v), choices.h);
  machinery.contact_finder.set_entries(state.entries);
  state.found = machinery.contact_finder.find(machinery.boundary.trace.gather(state.q), state.time);
  record.penetration_max = deepest(state.found);
}

/// Computes the acceleration of the state. Integrator::half_steps begins with the velocity half a
/// step before the state, so that its first step has the impulse of the forces at the start.
template <int dim>
void Step<dim>::start_with_acceleration(State<dim> &state) {
  start_acceleration(state, machinery);
  if (choices.integrator != Integrator::half_steps)
    return;
  state.v.add(-0.5 * choices.h, state.a);
  machinery.momentum->balance().complete(state);
}

template <int dim>
Step<dim>::Step(Step &&) noexcept = default;
template <int dim>
Step<dim>::~Step() = default;

template <int dim>
void Step<dim>::initialise(State<dim> &state) {
  evaluate_position(state);
  machinery.momentum->balance().complete(state);
  state.surface_motion.resize(machinery.boundary.pairs.size());
  for (unsigned int k = 0; k < state.surface_motion.size(); ++k)
    if (const Surface<dim> *const surface = machinery.boundary.pairs[k].surface())
      state.surface_motion[k].start(*surface, state.time, choices.h);
  if (time_rule(choices).has_acceleration())
    start_with_acceleration(state);
  // The gap before the first step follows from the initial velocities of the points.
  state.previous_h = choices.h;
  const ContactHistory<dim> given = std::exchange(state.history, {});
  state.history.moments = given.moments;
  const TraceField v = machinery.boundary.trace.gather(state.v);
  const bool keeps_gaps = uses_previous_gaps(choices);
  for (const auto &contact : state.found.contacts)
    if (const auto *const known = given.find(contact.key);
        known != nullptr || keeps_gaps || !contact.is_of_rigid_bodies()) {
      state.history.memories.push_back(known != nullptr ? *known : ContactMemory<dim>{contact.key});
      state.history.memories.back().gap =
          contact.gap - choices.h * start_velocity(contact, state.found, v, state)[0];
    }
  state.history.bonds = continued_bonds(given.bonds, state.found, machinery.boundary);
  state.history.states = given.states;
  state.contact_potential = spring_energy(state, machinery.boundary, choices) +
                            stored_by_bonds(state.history.bonds, machinery.boundary);
  largest_energy = state.energy();
}

template <int dim>
void Step<dim>::renew_force(State<dim> &state) {
  if (!machinery.bodies.loads.depend_on_time())
    return;
  machinery.bodies.loads.evaluate(state.time, state.force);
  machinery.next_force = state.force;
}

template <int dim>
void Step<dim>::replace_force(State<dim> &state, const Vector &force) {
  state.force = force;
  machinery.next_force = force;
}

template <int dim>
std::optional<Failure> Step<dim>::advance_over(State<dim> &state, const Interval &interval) {
  record = {};
  std::vector<std::string> changes;
  return try_substep(state, interval, true, changes);
}

template <int dim>
const StepRecord<dim> &Step<dim>::advance(State<dim> &state, double t1) {
  record = {};
  record.n_substeps = 0;
  record.penetration_max = deepest(state.found);
  Substeps::Outcome outcome;
  has_failed = true; // until the step has succeeded
  const auto take = [&](const Interval &interval, bool is_smallest) {
    return try_substep(state, interval, is_smallest, outcome.changes);
  };
  const auto close = [&] {
    record.changes = outcome.changes;
    record.n_cuts = outcome.n_cuts;
    state.step += record.n_substeps > 0;
  };
  try {
    substeps.advance(state.time, t1, choices.h, take, outcome);
  } catch (...) {
    close();
    throw;
  }
  const unsigned int step = state.step + 1;
  close();
  if (outcome.failure)
    throw RunError(failure_message(step, t1, outcome.failure->reason));
  has_failed = false;
  return record;
}

/// Advances over one substep. The state is restored if the energy error is too large and a smaller
/// substep is possible, or if an exception occurs. If an exception ends the run and a failure
/// leaves the state unchanged, no copy is needed.
template <int dim>
std::optional<Failure> Step<dim>::try_substep(State<dim> &state, const Interval &interval,
                                              bool is_smallest, std::vector<std::string> &changes) {
  std::optional<State<dim>> saved_state;
  if (may_cut && (may_change_failing || interval.h < choices.h))
    saved_state = state;
  StepRecord<dim> substep;
  const std::vector<EntryDirection<dim>> entries = state.found.directions;
  machinery.contact_finder.set_entries(entries);
  try {
    if (auto failure = advance_substep(state, interval, machinery, substep)) {
      // Bodies may have appeared. The state is copied, not moved: other objects refer to its
      // arrays.
      if (saved_state)
        state = *saved_state;
      return failure;
    }
  } catch (...) {
    if (saved_state)
      state = *saved_state;
    throw;
  }
  // At rest, there is no energy yet to which an error could be related.
  const double scale = std::max(largest_energy, state.energy());
  if (std::isfinite(choices.energy_tolerance) && largest_energy > 0. &&
      energy_error(substep) > choices.energy_tolerance * scale) {
    std::ostringstream reason;
    reason << "energy error " << energy_error(substep) / scale
           << " of the largest energy, above the tolerance " << choices.energy_tolerance;
    if (!is_smallest) {
      state = *saved_state;
      return Failure{reason.str()};
    }
    changes.push_back("kept at the smallest length: " + reason.str());
  }
  largest_energy = scale;
  state.entries = entries;
  append(substep, record);
  return {};
}

template <int dim>
StepMemory Step<dim>::memory() const {
  return {machinery.momentum->balance().memory(),
          machinery.reaction->memory(machinery.momentum->system()), substeps.memory,
          largest_energy};
}

template <int dim>
void Step<dim>::restore(State<dim> &state, const StepMemory &memory) {
  state.force = machinery.bodies.zero_field();
  evaluate_position(state);
  machinery.momentum->balance().restore(memory.momentum);
  machinery.reaction->restore(memory.reaction, machinery.momentum->system());
  substeps.memory = memory.substeps;
  largest_energy = memory.largest_energy;
  machinery.completed = {};
}

template <int dim>
std::string Step<dim>::failure_message(unsigned int step, double t1,
                                       const std::string &reason) const {
  std::ostringstream message;
  message << "step " << step << " (t = " << t1 << "): " << reason;
  if (const auto &residuals = machinery.momentum->residuals(); !residuals.empty()) {
    message << "; relative residuals of the momentum";
    for (const double r : residuals)
      message << ' ' << r;
  }
  if (const PosedProblem *const problem = posed_problem()) {
    std::array<unsigned int, 3> count{};
    for (const auto status : problem->solution.status)
      ++count[static_cast<std::size_t>(status)];
    message << "; of " << problem->problem.n_contacts << " contacts forecast to close " << count[1]
            << " stuck and " << count[2] << " slipped last";
  }
  message << ". ";
  if (may_cut)
    message << "Cutting the step down to 1/" << (1u << choices.max_cuts)
            << " of its length did not help. ";
  message << "Try a smaller Time/Step, another Solver/Method, or larger Solver/Max iterations, "
             "Solver/Max Newton iterations or tolerances";
  if (choices.theta < 0.5)
    message << "; Time/Theta below 1/2 produces energy";
  if (!choices.has_inertia)
    message << "; without inertia, supports and closed contacts must hold each body";
  if (choices.gap == GapLaw::middle && choices.penalty == Penalty::none && choices.has_inertia)
    message << "; this scheme removes a penetration d within one substep, with the velocity d/h: "
               "smaller steps make it worse, and other schemes do not do so";
  if (!machinery.bodies.motion.empty())
    message << ". A prescribed motion may leave the contacts no solution";
  return message.str();
}

template class Step<2>;
template class Step<3>;

} // namespace percussion
