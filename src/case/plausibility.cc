#include <percussion/base/error.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>
#include <percussion/body/waves.h>

#include "parameter_sections.h"
#include "signal_in_time.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

namespace percussion {
namespace {

/// Returns the time of a jump of a signal: an interval of a sixteenth of a step with more than half
/// of the change within two steps around it. The search bisects the interval with the largest
/// change between two samples. Not a number if there is no jump.
double time_of_jump(const Signal &signal, double begin, double end, double h) {
  constexpr unsigned int n_samples = 20000, n_halvings = 40, n_around = 64;
  constexpr double width = 1. / 16; // fraction of a step
  const auto values = signal.sampled(begin, end, n_samples);
  const double spacing = (end - begin) / n_samples;
  double low = begin + static_cast<double>(largest_change(values)) * spacing,
         high = std::min(low + spacing, end);
  const auto halve = [&] {
    const double middle = 0.5 * (low + high);
    const bool goes_left =
        std::abs(signal(middle) - signal(low)) > std::abs(signal(high) - signal(middle));
    (goes_left ? high : low) = middle;
  };
  while (high - low > width * h)
    halve();
  const auto within_interval = [&](double t) { return std::clamp(t, begin, end); };
  const double middle = 0.5 * (low + high);
  const double change = std::abs(signal(within_interval(middle + 0.5 * width * h)) -
                                 signal(within_interval(middle - 0.5 * width * h)));
  const auto around =
      signal.sampled(within_interval(middle - h), within_interval(middle + h), n_around);
  if (!(change > 0.5 * range(around)) || !(change > 1e-3 * range(values)))
    return std::nan("");
  for (unsigned int k = 0; k < n_halvings; ++k)
    halve();
  return low;
}

/// Returns the number of steps between the two nearest turning points whose values differ by more
/// than a tenth of the range of the signal, within the first 2000 steps; infinite if there are
/// fewer than two turning points.
double shortest_half_period(const Signal &signal, double begin, double h, unsigned int n_steps) {
  constexpr unsigned int most_steps = 2000, per_step = 8;
  n_steps = std::min(n_steps, most_steps);
  const auto values = signal.sampled(begin, begin + n_steps * h, per_step * n_steps);
  const double fraction = 0.1 * range(values);
  double shortest = std::numeric_limits<double>::infinity();
  std::size_t extreme = 0,
              last_turn = 0; // the candidate for the next turning point, and the last turning point
  bool rises = true, has_turned = false;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double sign = rises ? 1. : -1.;
    if (sign * (values[i] - values[extreme]) >= 0.)
      extreme = i;
    else if (sign * (values[extreme] - values[i]) > fraction) {
      if (has_turned)
        shortest = std::min(shortest, static_cast<double>(extreme - last_turn) / per_step);
      has_turned = extreme > 0; // the beginning is not a turning point
      last_turn = extreme;
      extreme = i;
      rises = !rises;
    }
  }
  return shortest;
}

template <int dim>
void check_motion(const CaseInput &input, const std::string &path, const Signal &signal,
                  Case<dim> &c) {
  const bool is_velocity = path.find("elocity") != std::string::npos;
  const double h = c.choices.h, begin = c.span.start, end = begin + c.span.n_steps * h;
  const auto warn = [&](const std::string &reason) {
    c.warnings.push_back(input.parameters.remark(path, reason));
  };
  try {
    if (const double t = time_of_jump(signal, begin, end, h); !is_velocity && !std::isnan(t))
      return warn(format("it jumps at t = %.6g: the velocity of a step there is the jump divided "
                         "by the length of the step, and its work depends on that length",
                         t));
    if (const double period = 2. * shortest_half_period(signal, begin, h, c.span.n_steps);
        period < 10.)
      warn(format(
          "its period is %.2g steps; use at least ten steps per period to resolve the motion",
          period));
  } catch (const RunError &) { // the reader of the entry reports it
  }
}

/// Checks the prescribed motions of regions, of rigid bodies and of surfaces.
template <int dim>
void check_motions(const CaseInput &input, Case<dim> &c) {
  const auto is_motion = [](const std::string &path) {
    if (path.rfind("Initial state/", 0) == 0)
      return false;
    const std::string name = path.substr(path.rfind('/') + 1);
    return name == "Rotation" || name == "Angular velocity" ||
           (name.size() > 2 && name[name.size() - 2] == ' ' &&
            (name.rfind("Displacement", 0) == 0 || name.rfind("Velocity", 0) == 0 ||
             name.rfind("Motion", 0) == 0));
  };
  for (const auto &[path, value] : c.parameters) {
    if (value.empty() || !is_motion(path))
      continue;
    const auto formula = input.formula(path);
    if (formula == nullptr || !formula->depends_on_time())
      continue;
    dealii::Point<dim> position;
    if (formula->depends_on_position()) {
      const auto first = path.find('/');
      const auto region = c.bodies->region(path.substr(first + 1, path.rfind('/') - first - 1));
      position = region.body->space.nodes[region.region->vertices.front()];
    }
    check_motion(input, path, Signal(*formula, position), c);
  }
}

/// Warns of steps far below the time that a wave needs to traverse the shortest edge: inconsistent
/// units change wave speeds by powers of ten.
template <int dim>
void check_step(const CaseInput &input, Case<dim> &c) {
  constexpr double smallest_step_ratio = 1e-3;
  if (!c.choices.has_inertia)
    return;
  double rate = 0;
  for (const auto &body : c.bodies->elastic)
    for (const auto &material : body->materials.list)
      rate = std::max(rate, wave_speeds(material).dilatational / shortest_edge(body->space));
  if (const double fraction = c.choices.h * rate; rate > 0. && fraction < smallest_step_ratio)
    c.warnings.push_back(input.parameters.remark(
        "Time/Step",
        format("this is %.2g of the time in which a wave passes the shortest edge: do the units of "
               "lengths, moduli and densities belong together (m with Pa, mm with MPa)?",
               fraction)));
}

/// Warns of a default thickness of rigid bodies beside elastic bodies of another thickness: at 1
/// instead of 0.01 a body is a hundred times too heavy.
template <int dim>
void check_thickness(const CaseInput &input, Case<dim> &c) {
  if (dim == 3 || c.bodies->elastic.empty())
    return;
  const double thickness = c.bodies->elastic.front()->materials.list.front().thickness;
  for (const auto &name : input.subsections("Rigid bodies")) {
    const std::string path = "Rigid bodies/" + name + "/";
    if (!input.parameters.get(path + "Density").empty() &&
        !input.parameters.is_changed(path + "Thickness") &&
        input.parameters.get_double(path + "Thickness") != thickness)
      c.warnings.push_back(input.parameters.remark(
          path + "Density",
          format("the body is taken to be 1 thick, for it has no Thickness of its "
                 "own; the elastic body beside it is %g thick",
                 thickness)));
  }
}

/// Warns of angles above a full turn: angles are in radians, and such a value may have been meant
/// in degrees.
template <int dim>
void check_angles(const CaseInput &input, Case<dim> &c) {
  for (const auto &name : input.subsections("Rigid bodies"))
    for (const std::string entry : {"Angle", "Turn"}) {
      const std::string path = "Rigid bodies/" + name + "/" + entry;
      if (const double angle = input.parameters.get_double(path);
          std::abs(angle) > 2. * dealii::numbers::PI * (1. + 1e-9))
        c.warnings.push_back(input.parameters.remark(
            path,
            format("this is %.3g turns, for angles are in radians; %g degrees are %.10g",
                   angle / (2. * dealii::numbers::PI), angle, angle * dealii::numbers::PI / 180.)));
    }
}

} // namespace

template <int dim>
void warn_of_implausible(const CaseInput &input, Case<dim> &c) {
  check_motions(input, c);
  check_step(input, c);
  check_thickness(input, c);
  warn_of_contacts(c);
  check_angles(input, c);
  warn_of_loads(input, c);
  warn_of_materials(input, c);
  warn_of_seams(c);
}

template void warn_of_implausible(const CaseInput &, Case<2> &);
template void warn_of_implausible(const CaseInput &, Case<3> &);

} // namespace percussion
