#include <percussion/base/error.h>
#include <percussion/base/table.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>

#include "parameter_sections.h"
#include "signal_in_time.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace percussion {
namespace {

/// Returns instants for the search of the fastest change of a load: evenly spaced ones and, for
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

/// Returns the first of at most `n_looked_at` steps around the fastest change of a load.
unsigned int first_step_to_look_at(const Signal &load, const std::vector<double> &times, double h,
                                   unsigned int n_steps, unsigned int n_looked_at) {
  std::vector<double> values;
  for (const double t : times)
    values.push_back(load(t));
  const auto step =
      static_cast<unsigned int>((times[largest_change(values)] - times.front()) / h + 1e-9);
  const unsigned int half = n_looked_at / 2, last = n_steps - std::min(n_steps, n_looked_at);
  return std::min(step > half ? step - half : 0, last);
}

/// Impulse of a load in the inspected steps, and the error of the impulse that the steps apply.
struct Impulse {
  double of_load = 0, missed = 0;
};

/// Returns both impulses. Steps evaluate the load at their ends only: h ((1 - theta) f(t) + theta
/// f(t + h)). The error also counts oscillations within a step about the line between its ends.
Impulse impulse(const Signal &load, double begin, double h, double theta, unsigned int n_steps) {
  constexpr unsigned int n_points = 16; // points of the midpoint rule in each step
  Impulse sum;
  std::array<double, n_points> values;
  double before = load(begin);
  for (unsigned int k = 0; k < n_steps; ++k) {
    double fine = 0, magnitude = 0;
    for (unsigned int i = 0; i < n_points; ++i) {
      values[i] = load(begin + (k + (i + 0.5) / n_points) * h);
      fine += values[i] / n_points;
      magnitude += std::abs(values[i]) / n_points;
    }
    const double after = load(begin + (k + 1) * h);
    double swing = 0;
    for (unsigned int i = 0; i < n_points; ++i) {
      const double s = (i + 0.5) / n_points;
      swing += std::abs(values[i] - (1 - s) * before - s * after) / n_points;
    }
    sum.of_load += magnitude * h;
    sum.missed += std::max(std::abs(fine - (1 - theta) * before - theta * after), swing) * h;
    before = after;
  }
  return sum;
}

template <int dim>
void check_load(const CaseInput &input, const std::string &path, const Expression &formula,
                const dealii::Point<dim> &point, Case<dim> &c) {
  constexpr unsigned int n_looked_at = 1000;
  constexpr double acceptable = 0.1; // fraction of the impulse
  const double h = c.choices.h, begin = c.span.start, end = begin + c.span.n_steps * h;
  const double theta = c.choices.integrator == Integrator::theta ? c.choices.theta : 0.5;
  const Signal load(formula, point);
  try {
    const unsigned int first = first_step_to_look_at(load, instants(input, formula, begin, end), h,
                                                     c.span.n_steps, n_looked_at);
    const unsigned int n = std::min(n_looked_at, c.span.n_steps - first);
    const Impulse dimensions = impulse(load, begin + first * h, h, theta, n);
    if (dimensions.missed > acceptable * dimensions.of_load)
      c.warnings.push_back(input.parameters.remark(
          path, format("between t = %.6g and %.6g it changes within the steps, which sample it at "
                       "their ends only and miss %.2g %% of its impulse; take shorter steps",
                       begin + first * h, begin + (first + n) * h,
                       100. * std::min(1., dimensions.missed / dimensions.of_load))));
  } catch (const RunError &) { // the reader of the entry reports it
  }
}

bool is_load(const std::string &path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return (path.rfind("Boundary conditions/", 0) == 0 &&
          (name.rfind("Traction ", 0) == 0 || name == "Pressure")) ||
         (path.rfind("Rigid bodies/", 0) == 0 &&
          (name.rfind("Force ", 0) == 0 || name.rfind("Moment", 0) == 0));
}

/// Returns the node of a region with the largest traction, among some nodes and instants.
template <int dim>
dealii::Point<dim> most_loaded_node(const std::string &path, const Expression &traction,
                                    const Case<dim> &c) {
  const auto first = path.find('/');
  const auto region = c.bodies->region(path.substr(first + 1, path.rfind('/') - first - 1));
  const auto &nodes = region.body->space.nodes;
  const auto &vertices = region.region->vertices;
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

} // namespace

template <int dim>
void warn_of_loads(const CaseInput &input, Case<dim> &c) {
  if (!c.choices.has_inertia) // equilibria depend on the loads at the ends of the steps alone
    return;
  for (const auto &[path, value] : c.parameters) {
    if (value.empty() || !is_load(path))
      continue;
    const auto formula = input.formula(path);
    if (formula == nullptr || !formula->depends_on_time())
      continue;
    const bool is_traction = path.rfind("Boundary conditions/", 0) == 0;
    try {
      check_load(input, path, *formula,
                 is_traction ? most_loaded_node(path, *formula, c) : dealii::Point<dim>(), c);
    } catch (const RunError &) { // the reader of the entry reports it
    }
  }
  const auto gravity = read_gravity<dim>(input);
  for (const auto &component : gravity.changing)
    if (component && component->depends_on_time())
      check_load(input, "Boundary conditions/Gravity", *component, dealii::Point<dim>(), c);
}

template void warn_of_loads(const CaseInput &, Case<2> &);
template void warn_of_loads(const CaseInput &, Case<3> &);

} // namespace percussion
