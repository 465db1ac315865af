#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/base/table.h>
#include <percussion/base/text_search.h>
#include <percussion/body/mesh.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

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

/// Returns the ends of the pieces of a step, in order: sixteenths of it, and instants within it.
std::vector<double> pieces_of_step(const std::vector<double> &times, double begin, double end) {
  constexpr unsigned int n_pieces = 16;
  std::vector<double> ends;
  for (unsigned int i = 0; i < n_pieces; ++i)
    ends.push_back(begin + (end - begin) * i / n_pieces);
  ends.push_back(end);
  for (auto time = std::upper_bound(times.begin(), times.end(), begin);
       time != times.end() && *time < end; ++time)
    ends.push_back(*time);
  std::sort(ends.begin(), ends.end());
  return ends;
}

/// Returns the fraction of the path of a position that lies within steps: the sum of its changes
/// from instant to instant, less the sum of its changes from step to step.
double path_within_steps(const Signal &position, const std::vector<double> &times,
                         const Steps &steps) {
  double path = 0, path_of_steps = 0, before = position(steps.begin);
  for (unsigned int k = 0; k < steps.n; ++k) {
    const auto ends = pieces_of_step(times, steps.begin + k * steps.h,
                                     std::min(steps.begin + (k + 1) * steps.h, steps.end));
    double previous = before;
    for (std::size_t i = 1; i < ends.size(); ++i) {
      const double value = position(ends[i]);
      path += std::abs(value - previous);
      previous = value;
    }
    path_of_steps += std::abs(previous - before);
    before = previous;
  }
  return path > 0. ? 1. - path_of_steps / path : 0.;
}

/// Returns the defect of a signal with a period of few steps; empty if there is none.
std::string defect_of_period(const Signal &signal, const Steps &steps) {
  const double period = 2. * shortest_half_period(signal, steps.begin, steps.h, steps.n);
  if (period < 10.)
    return format(
        "its period is %.2g steps; use at least ten steps per period to resolve the motion",
        period);
  return {};
}

/// Returns the defect of a prescribed position: a jump, a period of few steps, or changes within
/// steps; empty if there is none.
std::string defect_of_position(const Signal &signal, const std::vector<double> &times,
                               const Steps &steps) {
  if (const double t = time_of_jump(signal, steps.begin, steps.end, steps.h); !std::isnan(t))
    return format("it jumps at t = %.6g: the velocity of a step there is the jump divided by the "
                  "length of the step, and its work depends on that length",
                  t);
  if (std::string defect = defect_of_period(signal, steps); !defect.empty())
    return defect;
  constexpr double acceptable = 0.1; // fraction of the path
  const Steps inspected = inspected_steps(signal, times, steps);
  if (const double missed = path_within_steps(signal, times, inspected); missed > acceptable)
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

/// Rule by which steps integrate a signal f: h times a sum of weights and values of f.
struct StepRule {
  double theta;            ///< weight of the end, relative to both ends
  double middle;           ///< weight of the middle of the step
  const char *integral;    ///< name of the integral of f
  const char *instants;    ///< instants of a step at which f is sampled
  bool integrates_to_ends; ///< true if a jump at the end of a step makes an error
};

StepRule rule_of_loads(double theta) { return {theta, 0., "impulse", "at their ends", true}; }
/// Velocities are prescribed at the ends of steps, so that any theta leaves but a constant error of
/// the position.
const StepRule rule_of_velocities = {0.5, 0., "path", "at their ends", true};
/// Simpson's rule.
const StepRule rule_of_belts = {0.5, 2. / 3., "path", "at their ends and middles", true};
/// Friction has the value at the beginning of a step: a jump there is exact.
const StepRule rule_of_friction = {0.5, 0., "mean", "at their beginnings", false};

/// Integrals of a signal f over the inspected steps, and errors of the integrals of the steps.
struct Integral {
  double magnitude = 0; ///< integral of |f|
  double sum = 0;       ///< integral of f
  double missed = 0;    ///< sum of the errors of the steps
  /// Their sum with signs, of the rule with theta = 1/2: errors of a smooth signal cancel, and
  /// constant errors at the ends of the run do not count.
  double excess = 0;
};

/// Returns the integrals. `missed` also counts oscillations within a step about the line between
/// its ends.
Integral integral(const Signal &signal, const std::vector<double> &times, const Steps &steps,
                  const StepRule &rule) {
  Integral sums;
  double before = signal(steps.begin);
  for (unsigned int k = 0; k < steps.n; ++k) {
    const double begin = steps.begin + k * steps.h, end = steps.begin + (k + 1) * steps.h;
    const double after = signal(end);
    const auto ends = pieces_of_step(times, begin, end);
    double sum = 0, magnitude = 0, swing = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const double length = ends[i + 1] - ends[i], t = 0.5 * (ends[i] + ends[i + 1]),
                   s = (t - begin) / steps.h, value = signal(t);
      sum += length * value;
      magnitude += length * std::abs(value);
      swing += length * std::abs(value - (1. - s) * before - s * after);
    }
    const auto step_integral = [&](double theta) {
      const double middle = rule.middle > 0. ? signal(0.5 * (begin + end)) : 0.;
      return steps.h *
             ((1. - rule.middle) * ((1. - theta) * before + theta * after) + rule.middle * middle);
    };
    sums.magnitude += magnitude;
    sums.sum += sum;
    sums.missed += std::max(std::abs(sum - step_integral(rule.theta)), swing);
    sums.excess += step_integral(0.5) - sum;
    before = after;
  }
  return sums;
}

/// Returns the defect of a signal that steps integrate: changes within steps, or a jump whose
/// integral they miss; empty if there is none.
std::string defect_of_integral(const Signal &signal, const std::vector<double> &times,
                               const Steps &steps, const StepRule &rule) {
  constexpr double acceptable = 0.1, acceptable_excess = 0.01; // fractions of the integral
  const Steps inspected = inspected_steps(signal, times, steps);
  const Integral sums = integral(signal, times, inspected, rule);
  if (sums.missed > acceptable * sums.magnitude)
    return format("between t = %.6g and %.6g it changes within the steps, which sample it %s only "
                  "and miss %.2g %% of its %s; take shorter steps",
                  inspected.begin, inspected.end, rule.instants,
                  100. * std::min(1., sums.missed / sums.magnitude), rule.integral);
  if (rule.integrates_to_ends && std::abs(sums.excess) > acceptable_excess * sums.magnitude)
    return format("the %s that the steps apply between t = %.6g and %.6g is %.2g %% of its "
                  "%s too %s, because they sample it %s only; %stake shorter steps",
                  rule.integral, inspected.begin, inspected.end,
                  100. * std::abs(sums.excess) / sums.magnitude, rule.integral,
                  sums.excess * sums.sum > 0. ? "large" : "small", rule.instants,
                  rule.middle > 0. ? "" : "let it jump halfway between two steps, or ");
  return {};
}

/// Returns the node of a region with the largest values of a formula, among some nodes and
/// instants.
template <int dim>
dealii::Point<dim> most_active_node(const typename System<dim>::BodyRegion &region,
                                    const Expression &formula, const Case<dim> &c) {
  const auto &nodes = region.body->space.nodes;
  const auto &vertices = region.region->nodes;
  if (!formula.depends_on_position())
    return nodes[vertices.front()];
  constexpr unsigned int n_instants = 2000, most_nodes = 40;
  const double length = c.span.n_steps * c.choices.h;
  double largest = -1;
  dealii::Point<dim> found;
  const std::size_t stride = 1 + vertices.size() / most_nodes;
  for (std::size_t v = 0; v < vertices.size(); v += stride) {
    double sum = 0;
    for (unsigned int i = 0; i <= n_instants; ++i)
      sum += std::abs(formula(c.span.start + length * i / n_instants, nodes[vertices[v]]));
    if (sum > largest) {
      largest = sum;
      found = nodes[vertices[v]];
    }
  }
  return found;
}

/// Returns the point at which the formula of an entry is inspected: a node of its region, or the
/// origin.
template <int dim>
dealii::Point<dim> point_of_signal(const std::string &path, const Expression &formula,
                                   const Case<dim> &c) {
  const auto slash = path.find('/'), last_slash = path.rfind('/');
  if (!begins_with(path, "Boundary conditions/") || slash == last_slash)
    return {};
  return most_active_node(c.bodies->region(path.substr(slash + 1, last_slash - slash - 1)), formula,
                          c);
}

/// Meaning of a formula of time for a step.
enum class SignalKind { none, position, velocity, belt, load, friction };

bool is_component(const std::string &name, const std::string &quantity) {
  return begins_with(name, quantity + " ") && name.size() == quantity.size() + 2;
}

/// Returns the meaning of an entry that is a formula of time.
SignalKind kind_of_signal(const std::string &path, const std::string &name) {
  if (begins_with(path, "Initial state/"))
    return SignalKind::none;
  if (is_component(name, "Belt velocity"))
    return SignalKind::belt;
  if (is_component(name, "Velocity") || name == "Angular velocity" || name == "Motor velocity" ||
      name == "Motor angular velocity" || is_component(name, "Angular velocity"))
    return SignalKind::velocity;
  if (is_component(name, "Displacement") || is_component(name, "Motion") ||
      is_component(name, "Rotation") || name == "Rotation" || name == "Motion angle" ||
      name == "Motor angle" || name == "Motor displacement")
    return SignalKind::position;
  if ((begins_with(path, "Boundary conditions/") &&
       (is_component(name, "Traction") || name == "Pressure")) ||
      (begins_with(path, "Rigid bodies/") &&
       (begins_with(name, "Force ") || begins_with(name, "Moment"))) ||
      name == "Motor force" || name == "Motor torque")
    return SignalKind::load;
  if (name == "Friction coefficient" || name == "Friction force" || name == "Friction torque")
    return SignalKind::friction;
  return SignalKind::none;
}

/// Time span of a case, its steps, and how they sample signals.
struct CaseSteps {
  Steps steps;
  double theta;
  bool has_inertia;
};

/// Returns the defect of a signal of some kind; empty if there is none.
std::string defect_of_signal(SignalKind kind, const Signal &signal,
                             const std::vector<double> &times, const CaseSteps &case_steps) {
  const Steps &steps = case_steps.steps;
  const auto integral_defect = [&](const StepRule &rule) {
    return defect_of_integral(signal, times, steps, rule);
  };
  switch (kind) {
  case SignalKind::position:
    return defect_of_position(signal, times, steps);
  case SignalKind::velocity:
  case SignalKind::belt: {
    std::string defect = defect_of_period(signal, steps);
    return defect.empty()
               ? integral_defect(kind == SignalKind::belt ? rule_of_belts : rule_of_velocities)
               : defect;
  }
  case SignalKind::load:
    // Equilibria depend on the loads at the ends of the steps alone.
    return case_steps.has_inertia ? integral_defect(rule_of_loads(case_steps.theta))
                                  : std::string();
  case SignalKind::friction:
    return integral_defect(rule_of_friction);
  case SignalKind::none:
    break;
  }
  return {};
}

/// Returns the formula of an entry if it depends on the time, and on nothing that the run computes;
/// null otherwise.
std::unique_ptr<Expression> formula_of_time_alone(const CaseInput &input, const std::string &path,
                                                  SignalKind kind) {
  if (kind == SignalKind::none) // perhaps the checksum of a file, which is no entry
    return nullptr;
  const std::string text = input.get(path);
  if (text.empty())
    return nullptr;
  for (const char *const variable : {"slip_speed", "slip", "pressure"})
    if (kind == SignalKind::friction && !find_word(text, variable).empty())
      return nullptr;
  auto formula = input.formula(path);
  if (kind == SignalKind::friction && formula != nullptr && formula->depends_on_position())
    return nullptr;
  return formula != nullptr && formula->depends_on_time() ? std::move(formula) : nullptr;
}

} // namespace

template <int dim>
void warn_of_signals(const CaseInput &input, Case<dim> &c) {
  const double h = c.choices.h, begin = c.span.start;
  const CaseSteps case_steps{{begin, begin + c.span.n_steps * h, h, c.span.n_steps},
                             c.choices.integrator == Integrator::theta ? c.choices.theta : 0.5,
                             c.choices.has_inertia};
  const auto check = [&](const std::string &path, SignalKind kind, const Expression &formula) {
    try {
      const dealii::Point<dim> point = point_of_signal(path, formula, c);
      const std::string defect = defect_of_signal(
          kind, [&](double t) { return formula(t, point); },
          instants(input, formula, begin, case_steps.steps.end), case_steps);
      if (!defect.empty())
        c.warnings.push_back(input.remark(path, defect));
    } catch (const RunError &) { // the reader of the entry reports it
    }
  };
  for (const auto &[path, value] : c.parameters) {
    const SignalKind kind = kind_of_signal(path, path.substr(path.rfind('/') + 1));
    if (const auto formula = formula_of_time_alone(input, path, kind))
      check(path, kind, *formula);
  }
  for (const auto &component : read_gravity<dim>(input).changing)
    if (component && component->depends_on_time())
      check("Boundary conditions/Gravity", SignalKind::load, *component);
}

PERCUSSION_INSTANTIATE(warn_of_signals);

} // namespace percussion
