#include <percussion/body/mesh.h>
#include <percussion/dynamics/step.h>
#include <percussion/run/estimate.h>

#include "format.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <sys/resource.h>

namespace percussion {
namespace {

struct Unit {
  double size;
  const char *name;
};

/// In the largest unit that is no larger than the value.
std::string in_words(double value, std::initializer_list<Unit> units) {
  Unit unit = *units.begin();
  for (const Unit &larger : units)
    if (value >= larger.size)
      unit = larger;
  const double n = std::max(value / unit.size, 1.);
  return format(n < 9.5 ? "about %.2g %s" : "about %.0f %s", n, unit.name);
}

std::string duration_in_words(double seconds) {
  return in_words(seconds, {{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}});
}

std::string size_in_words(double bytes) {
  return in_words(bytes, {{1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}});
}

} // namespace

template <int dim>
Estimate estimate_run(const Case<dim> &c) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned int most_steps = 20;
  constexpr double most_time = 2;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  Estimate estimate;
  double first_end = 0; // the first step factorises what the others use again
  try {
    Step<dim> step(*c.bodies, *c.boundary, c.choices, c.cone);
    State<dim> state = c.initial;
    step.initialise(state);
    while (estimate.n_steps < std::min(most_steps, c.span.n_steps) && elapsed() < most_time) {
      step.advance(state, c.span.start + (estimate.n_steps + 1) * c.choices.h);
      if (++estimate.n_steps == 1)
        first_end = elapsed();
    }
  } catch (const std::exception &error) {
    estimate.failure = error.what();
  }
  const double rest =
      estimate.n_steps > 1 ? (elapsed() - first_end) / (estimate.n_steps - 1) : first_end;
  estimate.wall_time = first_end + rest * (c.span.n_steps - 1.);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  estimate.memory = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  return estimate;
}

template <int dim>
double expected_size(const Case<dim> &c) {
  // Measured on the shipped cases: VTU files are compressed, rows of the histories are text.
  constexpr double instant = 9e3, per_node = 30, per_cell = 62, per_candidate = 60;
  constexpr double per_row = 270, per_body_in_row = 130;
  const double instants = 1. + std::min(c.output.n_outputs, c.span.n_steps);
  const double rows = 1. + std::ceil(double(c.span.n_steps) / c.output.history_interval);
  const double n_rigid = c.bodies->rigid.size();
  double n_nodes = 0, n_cells = n_rigid;
  for (const auto &body : c.bodies->elastic) {
    n_nodes += body->space.n_nodes();
    n_cells += body->space.mesh.triangulation.n_active_cells();
  }
  // Of vertices against rigid bodies only the few that are near are written.
  const double n_candidates =
      std::count_if(c.boundary->points.begin(), c.boundary->points.end(), [&](const auto &point) {
        return !c.boundary->pairs[point.pair].is_between_bodies();
      });
  return instants *
             (instant + per_node * n_nodes + per_cell * n_cells + per_candidate * n_candidates) +
         rows * (per_row + per_body_in_row * n_rigid);
}

template <int dim>
void log_estimate(const Case<dim> &c, Log &log) {
  log.info("Output    " + size_in_words(expected_size(c)) + " in " + c.output.directory);
  const Estimate estimate = estimate_run(c);
  if (!estimate.failure.empty())
    log.warning("of the steps taken to estimate the time, one failed: " + estimate.failure);
  if (estimate.n_steps > 0)
    log.info("Run       " + duration_in_words(estimate.wall_time) + " and " +
             size_in_words(static_cast<double>(estimate.memory)) + " of memory, judged by " +
             (estimate.n_steps == 1 ? "the first step"
                                    : "the first " + std::to_string(estimate.n_steps) + " steps") +
             "; contacts that close later take more");
}

template Estimate estimate_run(const Case<2> &);
template double expected_size(const Case<2> &);
template void log_estimate(const Case<2> &, Log &);
template Estimate estimate_run(const Case<3> &);
template double expected_size(const Case<3> &);
template void log_estimate(const Case<3> &, Log &);

} // namespace percussion
