#include <percussion/advice/estimate.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/base/processes.h>
#include <percussion/base/wall_time.h>
#include <percussion/body/mesh.h>
#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

namespace percussion {
namespace {

struct UnitOfSize {
  double size;
  const char *name;
};

/// Returns a value in the largest unit that does not exceed the value.
std::string to_words(double value, std::initializer_list<UnitOfSize> units) {
  UnitOfSize unit = *units.begin();
  for (const UnitOfSize &larger : units)
    if (value >= larger.size)
      unit = larger;
  const double n = std::max(value / unit.size, 1.);
  return format(n < 9.5 ? "about %.2g %s" : "about %.0f %s", n, unit.name);
}

std::string duration_in_words(double seconds) {
  return to_words(seconds, {{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}});
}

std::string size_in_words(double bytes) {
  return to_words(bytes, {{1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}});
}

constexpr unsigned int n_checked = 8; ///< number of later instants at which steps are timed

/// True if this time has not passed yet [s], on the first of several processes, which all go on or
/// end together.
bool is_within(double budget, WallClock::time_point begin) {
  return processes::decided_by_first(seconds_since(begin) < budget);
}

/// Timed steps of the length that the run has.
template <int dim>
struct TimedSteps {
  TimedSteps(const Case<dim> &c, const ConeOptions &cone)
      : h(c.choices.h), step(*c.bodies, *c.boundary, c.choices, cone) {}

  /// Takes a step and returns its time [s].
  double advance(State<dim> &state) {
    const auto begin = WallClock::now();
    processes::agree([&] { step.advance(state, state.time + h); });
    return seconds_since(begin);
  }

  /// Returns the mean time of steps after a state that other steps have reached [s]. The first step
  /// is not counted, because it has no memory of contacts.
  double mean(State<dim> state, unsigned int n) {
    step.initialise(state);
    double sum = 0;
    for (unsigned int i = 0; i <= n; ++i)
      if (const double time = advance(state); i > 0)
        sum += time;
    return sum / n;
  }

  double h;
  Step<dim> step;
};

/// Returns the time of a run [s] including contacts that close later than its beginning: long steps
/// traverse the run, and a few steps are timed at some instants. `n_instants` counts the instants
/// reached within the budget [s].
template <int dim>
double time_of_rest(const Case<dim> &c, const ConeOptions &cone, TimedSteps<dim> &timed,
                    double budget, unsigned int &n_instants) {
  constexpr unsigned int n_long = 32, n_timed = 3;
  const auto begin = WallClock::now();
  StepChoices choices = c.choices;
  choices.h = c.choices.h * c.span.n_steps / n_long;
  Step<dim> long_steps(*c.bodies, *c.boundary, choices, cone);
  State<dim> state = c.initial;
  long_steps.initialise(state);
  double sum = 0, last = 0;
  try {
    for (unsigned int k = 1; k < n_long && is_within(budget, begin); ++k) {
      processes::agree([&] { long_steps.advance(state, c.span.start + k * choices.h); });
      if (k % (n_long / n_checked) != n_long / n_checked / 2)
        continue;
      last = timed.mean(state, n_timed);
      sum += last;
      ++n_instants;
    }
  } catch (
      const std::exception &) { // long steps may fail, although steps of the run's length succeed
  }
  return c.span.n_steps * (sum + last * (n_checked - n_instants)) / n_checked;
}

} // namespace

template <int dim>
Estimate estimate_run(const Case<dim> &c, unsigned int contact_seconds) {
  constexpr unsigned int most_steps = 20, shortest_run = 200;
  constexpr double most_time = 2;
  const auto begin = WallClock::now();
  Estimate estimate;
  ConeOptions cone = c.cone;
  if (processes::number() == 1) // several have no common clock
    cone.deadline = Deadline(contact_seconds);
  double first = 0, remaining_time = 0,
         later = 0; // the first step makes the factor that the others reuse
  try {
    TimedSteps<dim> timed(c, cone);
    State<dim> state = c.initial;
    if (c.memory)
      timed.step.restore(state, *c.memory);
    else
      timed.step.initialise(state);
    while (estimate.n_steps < std::min(most_steps, c.span.n_steps) && is_within(most_time, begin)) {
      const double time = timed.advance(state);
      (estimate.n_steps++ == 0 ? first : remaining_time) += time;
    }
    if (c.span.n_steps >= shortest_run && !c.boundary->points.empty() &&
        processes::decided_by_first(first < most_time))
      later = time_of_rest(c, cone, timed, most_time, estimate.n_instants);
    estimate.follows_run = estimate.n_instants == n_checked;
  } catch (const std::exception &error) {
    estimate.failure =
        cone.deadline.is_over()
            ? format("its contacts take more than %u s of processor time", contact_seconds)
            : error.what();
  }
  const double mean = estimate.n_steps > 1 ? remaining_time / (estimate.n_steps - 1) : first;
  estimate.wall_time = first + mean * (c.span.n_steps - 1.);
  estimate.later_wall_time = later;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  estimate.memory = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  return estimate;
}

template <int dim>
double expected_size(const Case<dim> &c) {
  // Sizes in bytes, measured on the shipped cases: VTU files are compressed, rows of the histories
  // are text.
  constexpr double instant = 9e3, per_node = 85, per_cell = 62, per_candidate = 60;
  constexpr double per_row = 270, per_body_in_row = 130;
  // Relative sizes with the other choices, measured on ring_impact.prm.
  const FieldOptions &fields = c.output.fields;
  const double relative_size =
      (fields.format == FieldFormat::vtkhdf ? 0.64 : 1.) * (fields.is_single ? 0.55 : 1.);
  const double instants = 1. + std::min(c.output.n_outputs, c.span.n_steps);
  const double rows = 1. + std::ceil(double(c.span.n_steps) / c.output.history_interval);
  const double n_rigid = c.bodies->rigid.size();
  double n_nodes = 0, n_cells = n_rigid;
  for (const auto &body : c.bodies->elastic) {
    n_nodes += body->space.n_nodes();
    n_cells += body->space.mesh.triangulation.n_active_cells();
  }
  // Contacts between bodies are not counted: files list only the few vertices close to a rigid
  // body.
  double n_candidates = 0;
  for (unsigned int pair = 0; pair < c.boundary->pairs.size(); ++pair)
    if (!c.boundary->pairs[pair].is_between_bodies())
      n_candidates += c.boundary->n_points(pair);
  return instants * relative_size *
             (instant + per_node * n_nodes + per_cell * n_cells + per_candidate * n_candidates) +
         rows * (per_row + per_body_in_row * n_rigid);
}

template <int dim>
void log_estimate(const Case<dim> &c, Log &log) {
  log.info("Output    " + size_in_words(expected_size(c)) + " in " + c.output.directory);
  const Estimate estimate = estimate_run(c);
  if (!estimate.failure.empty())
    log.warning("a step of the estimate failed: " + estimate.failure);
  if (estimate.n_steps == 0)
    return;
  const std::string steps = estimate.n_steps == 1
                                ? "the first step"
                                : "the first " + std::to_string(estimate.n_steps) + " steps";
  const bool gets_slower =
      !estimate.follows_run && estimate.later_wall_time > 2. * estimate.wall_time;
  log.info("Run       " +
           duration_in_words(estimate.follows_run ? estimate.later_wall_time : estimate.wall_time) +
           " and " + size_in_words(static_cast<double>(estimate.memory)) +
           " of memory, estimated from " + steps +
           (gets_slower ? "; up to " + duration_in_words(estimate.later_wall_time) +
                              " from steps at " + std::to_string(estimate.n_instants) +
                              " later instants, where more contacts are closed"
            : estimate.n_instants > 0
                ? " and from steps at " + std::to_string(estimate.n_instants) + " later instants"
                : "; contacts that close later take more time"));
}

PERCUSSION_INSTANTIATE(estimate_run);
PERCUSSION_INSTANTIATE(expected_size);
PERCUSSION_INSTANTIATE(log_estimate);

} // namespace percussion
