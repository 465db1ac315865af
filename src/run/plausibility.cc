#include "format.h"
#include "parameter_sections.h"
#include "waves.h"

namespace percussion {
namespace {

const char *const question = "; do the units of mesh, material and time agree?";

/// Some instants of the run, both ends included.
template <int dim>
std::vector<double> sampled_times(const Case<dim> &c) {
  constexpr unsigned int n = 32;
  const double length = c.span.n_steps * c.choices.h;
  std::vector<double> times;
  for (unsigned int i = 0; i <= n; ++i)
    times.push_back(c.span.start + length * i / n);
  return times;
}

/// Warns of velocities that are given.
template <int dim>
class VelocityCheck {
public:
  VelocityCheck(const CaseInput &given, Case<dim> &of_case)
      : input(given), c(of_case), speed(wave_speeds(c.bodies->elastic.front()->materials.list.front()).dilatational) {}

  void check(const std::string &entry, const std::vector<dealii::Point<dim>> &points,
             const std::vector<double> &times) {
    const auto formula = input.formula(entry);
    double largest = 0;
    for (const double t : formula ? times : std::vector<double>())
      for (const auto &x : points)
        try {
          largest = std::max(largest, std::abs((*formula)(t, x)));
        } catch (const RunError &) {
          // Between the ends of the run a formula is not checked.
        }
    warn(entry, largest);
  }

  void warn(const std::string &entry, double largest) {
    if (largest > speed)
      c.warnings.push_back(input.parameters.remark(
          entry, format("a velocity of %.3g is above that of waves in the material, %.3g%s",
                        largest, speed, question)));
  }

private:
  const CaseInput &input;
  Case<dim> &c;
  double speed;
};

template <int dim>
void warn_of_velocities(const CaseInput &input, Case<dim> &c) {
  VelocityCheck<dim> velocities(input, c);
  const auto &nodes = c.bodies->elastic.front()->space.nodes;
  const auto times = sampled_times(c);
  for (const std::string &component : components(dim)) {
    velocities.check("Initial state/Velocity " + component, nodes, {c.span.start});
    for (const auto &name : input.subsections("Boundary conditions")) {
      std::vector<dealii::Point<dim>> points;
      for (const unsigned int node : c.mesh->region(name).vertices)
        points.push_back(nodes[node]);
      velocities.check("Boundary conditions/" + name + "/Velocity " + component, points, times);
    }
    for (const auto &name : input.subsections("Rigid bodies"))
      velocities.check("Rigid bodies/" + name + "/Velocity " + component, {{}}, times);
  }
  for (const auto &name : input.subsections("Rigid bodies")) {
    const std::string entry = "Rigid bodies/" + name + "/Initial velocity";
    velocities.warn(entry, input.vector<dim>(entry).norm());
  }
}

/// A wave should be seen on its way: not a thousand edges in a step, not a thousandth of one in
/// all.
template <int dim>
void warn_of_times(const CaseInput &input, Case<dim> &c) {
  const double transit = shortest_edge(c.bodies->elastic.front()->space) /
                         wave_speeds(c.bodies->elastic.front()->materials.list.front()).dilatational;
  const double step = c.choices.h / transit, run = c.span.n_steps * step;
  const std::string wave = " times as long as a wave takes through the shortest edge";
  if (step > 1e3)
    c.warnings.push_back(input.parameters.remark(
        "Time/Step", format("a step is %.2g%s%s", step, wave.c_str(), question)));
  if (run < 1e-3)
    c.warnings.push_back(input.parameters.remark(
        "Time/End", format("the whole run is %.2g%s%s", run, wave.c_str(), question)));
}

/// Under its own weight a body that is not held is strained by some density x gravity x height /
/// stiffness.
template <int dim>
void warn_of_weight(const CaseInput &input, Case<dim> &c) {
  const auto gravity = input.vector<dim>("Boundary conditions/Gravity");
  double lowest = 0, highest = 0; // of the potential
  const auto &nodes = c.bodies->elastic.front()->space.nodes;
  for (const auto &x : nodes) {
    const double potential = gravity * (x - nodes.front());
    lowest = std::min(lowest, potential);
    highest = std::max(highest, potential);
  }
  const double speed = wave_speeds(c.bodies->elastic.front()->materials.list.front()).dilatational;
  const double strain = (highest - lowest) / (speed * speed);
  if (strain > 1)
    c.warnings.push_back(input.parameters.remark(
        "Boundary conditions/Gravity",
        format("the body's own weight strains it by about %.2g%s", strain, question)));
}

} // namespace

template <int dim>
void warn_of_units(const CaseInput &input, Case<dim> &c) {
  if (!c.mesh)
    return;
  warn_of_velocities(input, c);
  warn_of_times(input, c);
  warn_of_weight(input, c);
}

template void warn_of_units<2>(const CaseInput &, Case<2> &);

} // namespace percussion
