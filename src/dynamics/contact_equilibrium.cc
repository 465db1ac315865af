#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/dynamics/contact_equilibrium.h>
#include <percussion/dynamics/step.h>

#include <limits>
#include <memory>
#include <utility>

namespace percussion {
namespace {

/// Length of the quasi-static steps in steps of the run: viscous forces of the last steps, in which
/// hardly anything moves, vanish.
constexpr double steps_in_static_step = 1e9;

/// Returns the choices of quasi-static steps with the contact law of a run: Signorini's condition,
/// or springs if the run has springs.
StepChoices static_choices(StepChoices choices) {
  choices.h *= steps_in_static_step;
  choices.theta = 1.;
  choices.has_inertia = false;
  choices.integrator = Integrator::theta;
  choices.max_cuts = 0;
  choices.adaptive = false;
  choices.energy_tolerance = std::numeric_limits<double>::infinity();
  choices.frames = Frames::start;
  choices.separating = SeparatingContacts::dissipative;
  choices.position_correction = PositionCorrection::none;
  const bool has_springs = choices.penalty != Penalty::none;
  choices.forecast = has_springs ? Forecast::reach : Forecast::closing;
  choices.gap = has_springs ? GapLaw::middle : GapLaw::rate;
  choices.penalty = has_springs ? Penalty::compliance : Penalty::none;
  return choices;
}

/// Returns the options of the contact solver in quasi-static steps. Iterations of the statuses, one
/// in each correction, may cycle far from the equilibrium.
ConeOptions static_options(ConeOptions options) {
  if (options.method == ConeMethod::pdas)
    options.method = ConeMethod::automatic;
  return options;
}

/// Leaves a moving surface where it is at time t.
template <int dim>
void stop(Surface<dim> &surface, double t) {
  const SurfacePose<dim> current = pose(surface, t);
  const bool is_displaced = !surface.motion.empty();
  surface.motion.clear();
  for (unsigned int d = 0; is_displaced && d < dim; ++d)
    surface.motion.emplace_back(format("%.17g", current.displacement[d]));
  if (surface.turn)
    surface.turn->angle = Expression(format("%.17g", current.angle));
  surface.belt.clear();
}

/// Contacts without restitution, on surfaces without motion, until the end of this object's life.
template <int dim>
class ContactsAtRest {
public:
  ContactsAtRest(Boundary<dim> &b, double t) : boundary(b), pairs(b.pairs) {
    for (ContactPair<dim> &pair : boundary.pairs) {
      pair.law = ImpactLawKind::persistent;
      pair.restitution = {};
      if (auto *const surface = std::get_if<Surface<dim>>(&pair.opposite_side))
        stop(*surface, t);
    }
  }
  ~ContactsAtRest() { boundary.pairs = std::move(pairs); }
  ContactsAtRest(const ContactsAtRest &) = delete;
  ContactsAtRest &operator=(const ContactsAtRest &) = delete;

private:
  Boundary<dim> &boundary;
  std::vector<ContactPair<dim>> pairs;
};

/// Quasi-static steps from the undeformed bodies to the equilibrium.
template <int dim>
class StaticSteps {
public:
  StaticSteps(System<dim> &b, Boundary<dim> &c, const StepChoices &choices,
              const ConeOptions &options, const Preload &preload, double t)
      : bodies(b), load(preload_force(b, preload, t)), bodies_at_rest(b, preload, t),
        contacts_at_rest(c, t), run_length(choices.h), step_choices(static_choices(choices)) {
    stepper = std::make_unique<Step<dim>>(bodies, c, step_choices, static_options(options));
    state.time = t;
    state.q = state.v = bodies.zero_field();
    bodies.motion.set_displacement(t, state.q);
    stepper->initialise(state);
  }

  /// Applies loads and displacements in increments. Throws RunError if the smallest fails.
  void apply_loads() {
    constexpr double smallest_increment = 1. / 1024.;
    for (double fraction = 0, increment = 1; fraction < 1;) {
      const State<dim> start = state;
      const auto failure = step_to(fraction + increment);
      if (!failure) {
        fraction += increment;
        continue;
      }
      state = start;
      increment *= 0.5;
      if (increment < smallest_increment)
        throw RunError(format("there is no equilibrium beyond %.4g %% of the loads and "
                              "displacements: ",
                              100. * fraction) +
                       failure->reason);
    }
  }

  /// Steps under the whole loads until the displacements stay. Throws RunError if they do not.
  void come_to_rest() {
    constexpr unsigned int most_steps = 100;
    // The residual of the contact solver leaves changes of up to 1e-9.
    constexpr double tolerance = 1e-12, round_off = 1e-8;
    double last = std::numeric_limits<double>::infinity();
    for (unsigned int k = 0; k < most_steps; ++k) {
      Vector change = state.q;
      if (const auto failure = step_to(1.))
        throw RunError("the equilibrium is lost under constant loads: " + failure->reason);
      change -= state.q;
      const double size = bodies.largest_elastic(state.q);
      const double moved = size > 0. ? bodies.largest_elastic(change) / size : 0.;
      if (moved <= tolerance || (moved <= round_off && moved > 0.5 * last))
        return;
      last = moved;
    }
    throw RunError(format("the displacements still change by %.2g of the largest after %u steps "
                          "under constant loads, as contacts slip on or change their faces",
                          last, most_steps));
  }

  /// Returns the equilibrium with the percussions of steps of the run.
  State<dim> equilibrium() {
    State<dim> result;
    result.time = state.time;
    result.q = state.q;
    result.v = bodies.zero_field();
    result.previous_h = run_length;
    result.history.memories = state.history.memories;
    result.history.bonds = state.history.bonds;
    result.history.states = state.history.states;
    for (ContactMemory<dim> &memory : result.history.memories) {
      memory.rounding = 0.; // it bounds gaps after the displacements of a whole static step
      for (auto *const percussion :
           {&memory.percussion, &memory.first_percussion, &memory.previous_percussion})
        for (double &component : *percussion)
          component *= run_length / step_choices.h;
    }
    return result;
  }

private:
  /// Takes a step to this fraction of loads and displacements.
  std::optional<Failure> step_to(double fraction) {
    bodies_at_rest.hold(fraction);
    Vector force = load;
    force *= fraction;
    stepper->replace_force(state, force);
    const auto failure = stepper->advance_over(state, {state.time, state.time, step_choices.h});
    state.v = 0.;
    return failure;
  }

  System<dim> &bodies;
  const Vector load;
  BodiesAtRest<dim> bodies_at_rest;
  ContactsAtRest<dim> contacts_at_rest;
  const double run_length;
  const StepChoices step_choices;
  std::unique_ptr<Step<dim>> stepper;
  State<dim> state;
};

} // namespace

template <int dim>
State<dim> contact_equilibrium(System<dim> &bodies, Boundary<dim> &boundary,
                               const StepChoices &choices, const ConeOptions &options,
                               const Preload &preload, double t) {
  StaticSteps<dim> steps(bodies, boundary, choices, options, preload, t);
  steps.apply_loads();
  steps.come_to_rest();
  return steps.equilibrium();
}

template State<2> contact_equilibrium(System<2> &, Boundary<2> &, const StepChoices &,
                                      const ConeOptions &, const Preload &, double);
template State<3> contact_equilibrium(System<3> &, Boundary<3> &, const StepChoices &,
                                      const ConeOptions &, const Preload &, double);

} // namespace percussion
