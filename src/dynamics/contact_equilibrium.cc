#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/contact_equilibrium.h>
#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace percussion {
namespace {

/// Length of the quasi-static steps in steps of the run: viscous forces of the last steps, in which
/// hardly anything moves, vanish.
constexpr double steps_in_static_step = 1e9;

/// Returns the choices of quasi-static steps with the contact law of a run: Signorini's condition,
/// or springs if the run has springs. Springs keep the frames of each step. Rows that follow gaps
/// depend on the direction of the motion, which changes from step to step close to an equilibrium;
/// at the equilibrium they are the rows of the frames.
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
      : bodies(b), boundary(c), load(preload_force(b, preload, t)), bodies_at_rest(b, preload, t),
        step_choices(static_choices(choices)), contacts_at_rest(c, t), run_length(choices.h),
        cone_options(static_options(options)) {
    state.time = t;
    state.q = state.v = bodies.zero_field();
    bodies.motion.set_displacement(t, state.q);
    soften(step_choices.h);
    make_stepper();
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
      if (const auto failure = step_to(1.))
        throw RunError("the equilibrium is lost under constant loads: " + failure->reason);
      if (moved <= tolerance || (moved <= round_off && moved > 0.5 * last))
        return;
      last = moved;
    }
    throw RunError(format("the displacements still change by %.2g of the largest after %u steps "
                          "under constant loads, as contacts slip on or change their faces",
                          last, most_steps));
  }

  /// Comes closer to the equilibrium by steps with inertia and laws for gaps, each from rest; a
  /// step that fails is taken back. Without inertia, round-off of the rigid motions of a body that
  /// only contacts hold leaves gaps of 1e-9 of the displacements, and laws for gaps would close
  /// them in the first step of the run by forces of their product with the mass over h².
  void relax() {
    constexpr unsigned int most_steps = 30;
    constexpr double tolerance = 1e-15, slow = 0.5;
    const double length = length_of_relaxation();
    if (!(length > 0.))
      return;
    State<dim> last = state;
    give_inertia(length);
    double last_moved = std::numeric_limits<double>::infinity();
    for (unsigned int k = 0; k < most_steps; ++k) {
      if (step_to(1.)) {
        state = std::move(last);
        return;
      }
      if (moved <= tolerance || moved > slow * last_moved)
        return;
      last_moved = moved;
      last = state;
    }
  }

  /// True if steps have smaller augmentations of multipliers. Corrections of nonlinear bodies do
  /// not converge with them.
  bool has_soft_multipliers() const {
    return std::any_of(
               boundary.pairs.begin(), boundary.pairs.end(),
               [](const auto &pair) { return pair.formulation == Formulation::multipliers; }) &&
           std::all_of(bodies.elastic.begin(), bodies.elastic.end(),
                       [](const auto &body) { return body->materials.are_linear(); });
  }

  /// Returns the equilibrium with the percussions of steps of the run.
  State<dim> equilibrium() {
    State<dim> result;
    result.time = state.time;
    result.q = state.q;
    result.v = bodies.zero_field();
    result.history.memories = state.history.memories;
    result.history.bonds = state.history.bonds;
    result.history.states = state.history.states;
    result.previous_h = state.previous_h;
    scale_percussions(run_length, result);
    for (ContactMemory<dim> &memory : result.history.memories)
      memory.rounding = 0.; // it bounds gaps after the displacements of a whole static step
    return result;
  }

private:
  /// Reduces the augmentations of multipliers for steps of length h, on which an equilibrium does
  /// not depend: with the augmentations of a run, displacements that multipliers do not see decay
  /// over thousands of steps. Without inertia only round-off resists rigid motions, and compliances
  /// of springs are lost beside theirs.
  void soften(double h) {
    const double share = std::sqrt(std::numeric_limits<double>::epsilon());
    if (!has_soft_multipliers())
      return;
    for (std::size_t i = 0; i < boundary.pairs.size(); ++i)
      boundary.pairs[i].normal_augmentation = boundary.pairs[i].tangential_augmentation =
          share * h * boundary.multipliers[i].spring;
  }

  void make_stepper() {
    stepper = std::make_unique<Step<dim>>(bodies, boundary, step_choices, cone_options);
    stepper->initialise(state);
  }

  /// Takes a step to this fraction of loads and displacements; the velocities vanish at its end.
  std::optional<Failure> step_to(double fraction) {
    bodies_at_rest.hold(fraction);
    Vector force = load, change = state.q;
    force *= fraction;
    stepper->replace_force(state, force);
    const auto failure = stepper->advance_over(state, {state.time, state.time, step_choices.h});
    state.v = state.Mv = 0.;
    state.kinetic = 0.;
    change -= state.q;
    const double size = bodies.largest_elastic(state.q);
    moved = size > 0. ? bodies.largest_elastic(change) / size : 0.;
    return failure;
  }

  /// Scales the percussions in the memories of contacts for steps of another length.
  static void scale_percussions(double length, State<dim> &state) {
    for (ContactMemory<dim> &memory : state.history.memories)
      for (auto *const percussion :
           {&memory.percussion, &memory.first_percussion, &memory.previous_percussion})
        for (double &component : *percussion)
          component *= length / state.previous_h;
    state.previous_h = length;
  }

  /// Gives the bodies their inertia and begins steps of this length.
  void give_inertia(double length) {
    bodies_at_rest.give_inertia();
    scale_percussions(length, state);
    step_choices.h = length;
    step_choices.has_inertia = true;
    soften(length);
    if (step_choices.penalty == Penalty::none && !has_soft_multipliers())
      step_choices.gap = GapLaw::end;
    step_choices.forecast = Forecast::reach;
    make_stepper();
  }

  /// Returns the length of steps with inertia that leave a hundredth of a deviation of the shape of
  /// the displacements, by Rayleigh's quotient of its frequency; zero without deformation.
  double length_of_relaxation() const {
    constexpr double radians = 10.;
    Vector Mq(bodies.n_dofs());
    multiply(bodies_at_rest.inertia(), bodies.operators.partition, state.q, Mq);
    const double square = 2. * state.strain / dot(state.q, Mq);
    return square > 0. && std::isfinite(square) ? radians / std::sqrt(square) : 0.;
  }

  System<dim> &bodies;
  Boundary<dim> &boundary;
  const Vector load;
  BodiesAtRest<dim> bodies_at_rest;
  StepChoices step_choices;
  ContactsAtRest<dim> contacts_at_rest;
  const double run_length;
  const ConeOptions cone_options;
  std::unique_ptr<Step<dim>> stepper;
  State<dim> state;
  double moved = 0; ///< change of the displacements in the last step, relative to the largest
};

} // namespace

template <int dim>
State<dim> contact_equilibrium(System<dim> &bodies, Boundary<dim> &boundary,
                               const StepChoices &choices, const ConeOptions &options,
                               const Preload &preload, double t) {
  StaticSteps<dim> steps(bodies, boundary, choices, options, preload, t);
  steps.apply_loads();
  steps.come_to_rest();
  if (choices.gap != GapLaw::rate || steps.has_soft_multipliers())
    steps.relax();
  return steps.equilibrium();
}

PERCUSSION_INSTANTIATE(contact_equilibrium);

} // namespace percussion
