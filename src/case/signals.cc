#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/base/table.h>
#include <percussion/body/mesh.h>

#include "parameter_sections.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace percussion {
namespace {

/// Formula of time, evaluated at one point.
using Signal = std::function<double(double)>;

/// Returns the values at n + 1 evenly spaced times.
std::vector<double> sampled(const Signal &signal, double begin, double end, unsigned int n) {
  std::vector<double> values;
  for (unsigned int i = 0; i <= n; ++i)
    values.push_back(signal(begin + (end - begin) * i / n));
  return values;
}

/// Returns the difference between the largest and the smallest value.
double range(const std::vector<double> &values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

/// Returns the index of the first of the two neighbouring values that differ most.
std::size_t largest_change(const std::vector<double> &values) {
  std::size_t index = 0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    if (std::abs(values[i + 1] - values[i]) > std::abs(values[index + 1] - values[index]))
      index = i;
  return index;
}

/// Returns the time of a jump of a signal: an interval of a sixteenth of a step with more than half
/// of the change within two steps around it. The search bisects the interval with the largest
/// change between two samples. Not a number if there is no jump.
double time_of_jump(const Signal &signal, double begin, double end, double h) {
  constexpr unsigned int n_samples = 20000, n_halvings = 40, n_around = 64;
  constexpr double width = 1. / 16; // fraction of a step
  const auto values = sampled(signal, begin, end, n_samples);
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
      sampled(signal, within_interval(middle - h), within_interval(middle + h), n_around);
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
  const auto values = sampled(signal, begin, begin + n_steps * h, per_step * n_steps);
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

/// Time span of the steps, and their number.
struct Steps {
  double begin, end, h;
  unsigned int n;
};

/// Returns the first of at most `n_looked_at` steps around the fastest change of a signal.
unsigned int first_step_to_look_at(const Signal &signal, const std::vector<double> &times, double h,
                                   unsigned int n_steps, unsigned int n_looked_at) {
  std::vector<double> values;
  for (const double t : times)
    values.push_back(signal(t));
  const auto step =
      static_cast<unsigned int>((times[largest_change(values)] - times.front()) / h + 1e-9);
  const unsigned int half = n_looked_at / 2, last = n_steps - std::min(n_steps, n_looked_at);
  return std::min(step > half ? step - half : 0, last);
}

/// Returns the steps around the fastest change of a signal.
Steps inspected_steps(const Signal &signal, const std::vector<double> &times, const Steps &steps) {
  constexpr unsigned int n_looked_at = 1000;
  const unsigned int first = first_step_to_look_at(signal, times, steps.h, steps.n, n_looked_at);
  const unsigned int n = std::min(n_looked_at, steps.n - first);
  const double begin = steps.begin + first * steps.h;
  return {begin, begin + n * steps.h, steps.h, n};
}

/// Returns the fraction of the path of a position that lies within steps: the sum of its changes
/// from instant to instant, less the sum of its changes from step to step.
double path_within_steps(const Signal &position, const std::vector<double> &times,
                         const Steps &steps) {
  constexpr unsigned int n_points = 16; // in each step
  double path = 0, path_of_steps = 0, before = position(steps.begin);
  auto time = std::upper_bound(times.begin(), times.end(), steps.begin);
  for (unsigned int k = 0; k < steps.n; ++k) {
    const double end = std::min(steps.begin + (k + 1) * steps.h, steps.end);
    std::vector<double> instants;
    for (unsigned int i = 1; i < n_points; ++i)
      instants.push_back(steps.begin + (k + static_cast<double>(i) / n_points) * steps.h);
    for (; time != times.end() && *time < end; ++time)
      instants.push_back(*time);
    std::sort(instants.begin(), instants.end());
    double previous = before;
    for (const double t : instants) {
      const double value = position(t);
      path += std::abs(value - previous);
      previous = value;
    }
    const double after = position(end);
    path += std::abs(after - previous);
    path_of_steps += std::abs(after - before);
    before = after;
  }
  return path > 0. ? 1. - path_of_steps / path : 0.;
}

/// Returns the defect of a prescribed motion: a jump, a period of few steps, or changes within
/// steps; empty if there is none.
std::string defect_of_motion(const Signal &signal, const std::vector<double> &times,
                             const Steps &steps, bool is_velocity) {
  if (const double t = time_of_jump(signal, steps.begin, steps.end, steps.h);
      !is_velocity && !std::isnan(t))
    return format("it jumps at t = %.6g: the velocity of a step there is the jump divided by the "
                  "length of the step, and its work depends on that length",
                  t);
  if (const double period = 2. * shortest_half_period(signal, steps.begin, steps.h, steps.n);
      period < 10.)
    return format(
        "its period is %.2g steps; use at least ten steps per period to resolve the motion",
        period);
  constexpr double acceptable = 0.1; // fraction of the path
  const Steps inspected = inspected_steps(signal, times, steps);
  if (const double missed = is_velocity ? 0. : path_within_steps(signal, times, inspected);
      missed > acceptable)
    return format("between t = %.6g and %.6g it changes within the steps, which sample it at their "
                  "ends only and miss %.2g %% of its path; take shorter steps",
                  inspected.begin, inspected.end, 100. * missed);
  return {};
}

/// Returns instants for the search of the fastest change of a signal: evenly spaced ones and, for
/// formulas with tables, the rows of the tables.
std::vector<double> instants(const CaseInput &input, const Expression &formula, double begin,
                             double end) {
  constexpr unsigned int n_samples = 20000;
  std::vector<double> times;
  for (unsigned int i = 0; i <= n_samples; ++i)
    times.push_back(begin + (end - begin) * i / n_samples);
  if (input.words != nullptr && formula.formula().find("table") != std::string::npos)
    for (const auto &named : input.words->tables)
      for (std::size_t i = 0; i < std::min<std::size_t>(named.second->abscissae.size(), n_samples);
           ++i)
        if (const double t = named.second->abscissae[i]; t > begin && t < end)
          times.push_back(t);
  std::sort(times.begin(), times.end());
  return times;
}

/// Impulse of a load in the inspected steps, and errors of the impulse that the steps apply.
struct Impulse {
  double load = 0;   ///< integral of |f|
  double sum = 0;    ///< integral of f
  double missed = 0; ///< sum of the errors of the steps
  /// Their sum with signs, of the trapezoidal rule: errors of a smooth load cancel, and constant
  /// errors at the ends of the run do not count.
  double excess = 0;
};

/// Returns the impulses. Steps evaluate the load at their ends only: h ((1 - theta) f(t) + theta
/// f(t + h)). `missed` also counts oscillations within a step about the line between its ends.
Impulse impulse(const Signal &load, const Steps &steps, double theta) {
  constexpr unsigned int n_points = 16; // points of the midpoint rule in each step
  Impulse sum;
  std::array<double, n_points> values;
  double before = load(steps.begin);
  for (unsigned int k = 0; k < steps.n; ++k) {
    double fine = 0, magnitude = 0;
    for (unsigned int i = 0; i < n_points; ++i) {
      values[i] = load(steps.begin + (k + (i + 0.5) / n_points) * steps.h);
      fine += values[i] / n_points;
      magnitude += std::abs(values[i]) / n_points;
    }
    const double after = load(steps.begin + (k + 1) * steps.h);
    double swing = 0;
    for (unsigned int i = 0; i < n_points; ++i) {
      const double s = (i + 0.5) / n_points;
      swing += std::abs(values[i] - (1 - s) * before - s * after) / n_points;
    }
    sum.load += magnitude * steps.h;
    sum.sum += fine * steps.h;
    sum.missed += std::max(std::abs(fine - (1 - theta) * before - theta * after), swing) * steps.h;
    sum.excess += (0.5 * (before + after) - fine) * steps.h;
    before = after;
  }
  return sum;
}

/// Returns the defect of a load: changes within steps, or a jump whose impulse they miss; empty if
/// there is none.
std::string defect_of_load(const Signal &load, const std::vector<double> &times, const Steps &steps,
                           double theta) {
  constexpr double acceptable = 0.1, acceptable_excess = 0.01; // fractions of the impulse
  const Steps inspected = inspected_steps(load, times, steps);
  const Impulse sum = impulse(load, inspected, theta);
  if (sum.missed > acceptable * sum.load)
    return format("between t = %.6g and %.6g it changes within the steps, which sample it at their "
                  "ends only and miss %.2g %% of its impulse; take shorter steps",
                  inspected.begin, inspected.end, 100. * std::min(1., sum.missed / sum.load));
  if (std::abs(sum.excess) > acceptable_excess * sum.load)
    return format("the impulse that the steps apply between t = %.6g and %.6g is %.2g %% of its "
                  "impulse too %s, because they sample it at their ends only; let it jump halfway "
                  "between two steps, or take shorter steps",
                  inspected.begin, inspected.end, 100. * std::abs(sum.excess) / sum.load,
                  sum.excess * sum.sum > 0. ? "large" : "small");
  return {};
}

/// Returns the node of a region with the largest traction, among some nodes and instants.
template <int dim>
dealii::Point<dim> most_loaded_node(const typename System<dim>::BodyRegion &region,
                                    const Expression &traction, const Case<dim> &c) {
  const auto &nodes = region.body->space.nodes;
  const auto &vertices = region.region->nodes;
  if (!traction.depends_on_position())
    return nodes[vertices.front()];
  constexpr unsigned int n_instants = 400, most_nodes = 40;
  const double length = c.span.n_steps * c.choices.h;
  double largest = -1;
  dealii::Point<dim> found;
  const std::size_t stride = 1 + vertices.size() / most_nodes;
  for (std::size_t v = 0; v < vertices.size(); v += stride) {
    double sum = 0;
    for (unsigned int i = 0; i <= n_instants; ++i)
      sum += std::abs(traction(c.span.start + length * i / n_instants, nodes[vertices[v]]));
    if (sum > largest) {
      largest = sum;
      found = nodes[vertices[v]];
    }
  }
  return found;
}

/// True for the entries that prescribe motions of regions, of rigid bodies and of surfaces.
bool is_motion(const std::string &path, const std::string &name) {
  return !begins_with(path, "Initial state/") &&
         (name == "Rotation" || name == "Angular velocity" ||
          (name.size() > 2 && name[name.size() - 2] == ' ' &&
           (begins_with(name, "Displacement") || begins_with(name, "Velocity") ||
            begins_with(name, "Motion") || begins_with(name, "Belt velocity"))) ||
          name == "Motion angle" || name == "Motor angle" || name == "Motor displacement" ||
          name == "Motor velocity" || name == "Motor angular velocity");
}

bool is_load(const std::string &path, const std::string &name) {
  return (begins_with(path, "Boundary conditions/") &&
          (begins_with(name, "Traction ") || name == "Pressure")) ||
         (begins_with(path, "Rigid bodies/") &&
          (begins_with(name, "Force ") || begins_with(name, "Moment"))) ||
         name == "Motor force" || name == "Motor torque";
}

} // namespace

template <int dim>
void warn_of_signals(const CaseInput &input, Case<dim> &c) {
  const double h = c.choices.h, begin = c.span.start;
  const Steps steps{begin, begin + c.span.n_steps * h, h, c.span.n_steps};
  const double theta = c.choices.integrator == Integrator::theta ? c.choices.theta : 0.5;
  const auto check = [&](const std::string &path, const auto &find_defect) {
    try {
      if (const std::string defect = find_defect(); !defect.empty())
        c.warnings.push_back(input.remark(path, defect));
    } catch (const RunError &) { // the reader of the entry reports it
    }
  };
  const auto load_defect = [&](const Expression &formula, const dealii::Point<dim> &point) {
    return defect_of_load([&](double t) { return formula(t, point); },
                          instants(input, formula, begin, steps.end), steps, theta);
  };
  for (const auto &[entry, value] : c.parameters) {
    const std::string &path = entry;
    const auto slash = path.find('/'), last_slash = path.rfind('/');
    const std::string name = path.substr(last_slash + 1);
    // Equilibria depend on the loads at the ends of the steps alone.
    const bool is_checked_load = c.choices.has_inertia && is_load(path, name);
    if (value.empty() || !(is_checked_load || is_motion(path, name)))
      continue;
    const auto formula = input.formula(path);
    if (formula == nullptr || !formula->depends_on_time())
      continue;
    check(path, [&] {
      dealii::Point<dim> point;
      if (begins_with(path, "Boundary conditions/")) {
        const auto region = c.bodies->region(path.substr(slash + 1, last_slash - slash - 1));
        point = is_checked_load ? most_loaded_node(region, *formula, c)
                                : region.body->space.nodes[region.region->nodes.front()];
      }
      return is_checked_load ? load_defect(*formula, point)
                             : defect_of_motion([&](double t) { return (*formula)(t, point); },
                                                instants(input, *formula, begin, steps.end), steps,
                                                name.find("elocity") != std::string::npos);
    });
  }
  const auto gravity = read_gravity<dim>(input);
  for (const auto &component : gravity.changing)
    if (c.choices.has_inertia && component && component->depends_on_time())
      check("Boundary conditions/Gravity", [&] { return load_defect(*component, {}); });
}

PERCUSSION_INSTANTIATE(warn_of_signals);

} // namespace percussion
