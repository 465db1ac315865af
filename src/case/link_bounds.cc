#include "link_bounds.h"

#include <percussion/base/format.h>
#include <percussion/body/link_coordinates.h>

#include <algorithm>

namespace percussion {

using dealii::Patterns::Double;

namespace {

/// Entries of the limits of a coordinate.
struct LimitEntries {
  const char *lower, *upper;
};
constexpr LimitEntries displacement_limits = {"Lower displacement", "Upper displacement"},
                       length_limits = {"Lower length", "Upper length"},
                       angle_limits = {"Lower angle", "Upper angle"},
                       second_angle_limits = {"Lower second angle", "Upper second angle"};
const std::string friction_force = "Friction force", friction_torque = "Friction torque",
                  friction_coefficient = "Friction coefficient",
                  friction_radius = "Friction radius", limit_restitution = "Restitution";

std::vector<std::string> all_of(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const auto &list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// Returns the entries of the limits of a coordinate.
template <int dim>
LimitEntries limits_of(const LinkCoordinate<dim> &coordinate) {
  return coordinate.name == "angle"          ? angle_limits
         : coordinate.name == "second_angle" ? second_angle_limits
         : coordinate.name == "displacement" ? displacement_limits
                                             : length_limits;
}

/// Reader of the bounds of one link.
template <int dim>
struct BoundsReader {
  const CaseInput &section;
  const Case<dim> &c;

  /// Reads the limits of a coordinate.
  void read_limits(const LimitEntries &entries, LinkBounds &bounds) const {
    if (section.has(entries.lower))
      bounds.lower = section.number(entries.lower);
    if (section.has(entries.upper))
      bounds.upper = section.number(entries.upper);
    bounds.restitution = section.number(limit_restitution);
    if (bounds.lower && bounds.upper && *bounds.lower >= *bounds.upper)
      section.report(entries.upper,
                     format("it must be larger than %s = %g", entries.lower, *bounds.lower));
  }

  /// Reads a friction force or torque as a formula; null if there is none.
  std::shared_ptr<const Expression> read_friction(const std::string &entry) const {
    auto formula = section.formula_of_time(entry, "friction acts in the joint as a whole",
                                           first_and_last_time(c));
    for (const double t : first_and_last_time(c))
      if (formula && section.is_understood() && (*formula)(t) < 0.) {
        section.report(
            entry, format("it is %g at t = %g; friction must not be negative", (*formula)(t), t));
        return nullptr;
      }
    return formula;
  }

  /// Reports entries of a coordinate whose motion a motor prescribes.
  void refuse_with_motor(const LinkMotor &motor, const std::vector<std::string> &entries) const {
    for (const std::string &entry : entries)
      section.refuse_unused(entry, !motor.is_holding(), "with a motor that prescribes the motion");
  }
};

} // namespace

void declare_bounds(ParameterDeclarations &declarations, const BoundedKinds &kinds) {
  const auto used_if = [&](const std::vector<std::string> &names) {
    return UsedIf{kinds.entry, names, false, ""};
  };
  const auto declare_limits = [&](const LimitEntries &entries, const std::string &quantity,
                                  const std::string &unit_and_remark,
                                  const std::vector<std::string> &names,
                                  double smallest = Double::min_double_value) {
    if (names.empty())
      return;
    for (const bool is_lower : {true, false})
      declarations.declare(
          is_lower ? entries.lower : entries.upper, "", OrNothing(Double(smallest)),
          "Limit of the " + quantity + ", at which the joint stops like a contact " +
              unit_and_remark + " Default: none.",
          used_if(names));
  };
  declare_limits(displacement_limits, "displacement along Axis", "[L].", kinds.sliding);
  declare_limits(length_limits, "distance between the two points",
                 "[L]. A distance with a limit is no rod: a rope has an upper limit only.",
                 kinds.lengths, 0.);
  declare_limits(angle_limits, kinds.two_axes.empty() ? "angle" : "angle about Axis",
                 "[rad]. Angles count full turns.", kinds.turning);
  declare_limits(second_angle_limits, "angle about Second axis", "[rad].", kinds.two_axes);
  declarations.declare(limit_restitution, "0", NumberBetween({0., true}, {1., true}),
                       "Newton's coefficient of restitution at the limits; at most (1 - "
                       "Theta)/Theta has an effect [1].",
                       used_if(all_of({kinds.sliding, kinds.lengths, kinds.turning})));
  declarations.declare(friction_force, "", formula_of("t"),
                       "Dry friction against the rate of a displacement or distance [M L/T^2]. It "
                       "sticks below this force. Default: zero.",
                       used_if(all_of({kinds.sliding, kinds.lengths})));
  declarations.declare(friction_torque, "", formula_of("t"),
                       "Dry friction against the rate of an angle, of each of two angles [M "
                       "L^2/T^2]. It sticks below this torque. Default: zero.",
                       used_if(kinds.turning));
  declarations.declare(
      friction_coefficient, "0", Double(0.),
      "Dry friction per force of the joint, not per moment, in addition to Friction force and "
      "Friction torque; of an angle at Friction radius [1].",
      used_if(all_of({kinds.sliding, kinds.turning})));
  declarations.declare(friction_radius, "0", Double(0.),
                       "Radius at which the friction by Friction coefficient has its torque [L].",
                       used_if(kinds.turning));
}

template <int dim>
void read_bounds(const CaseInput &section, Case<dim> &c, Link<dim> &link) {
  using K = LinkKind;
  const BoundsReader<dim> reader{section, c};
  const bool turns = link.kind == K::hinge || link.kind == K::cylindrical ||
                     link.kind == K::universal || (dim == 2 && link.kind == K::pin),
             slides = link.kind == K::slider || link.kind == K::cylindrical,
             has_length = link.kind == K::distance || link.kind == K::spring;
  if (!turns && !slides && !has_length)
    return;
  const double coefficient = has_length ? 0. : section.number(friction_coefficient);
  if (turns) {
    LinkBounds &bounds = link.rotation.bounds;
    const double radius = section.number(friction_radius);
    reader.read_limits(angle_limits, bounds);
    bounds.friction = reader.read_friction(friction_torque);
    bounds.friction_per_force = coefficient * radius;
    section.refuse_unused(friction_radius, coefficient > 0., "with Friction coefficient = 0");
    if (coefficient > 0. && radius == 0. && !slides)
      section.report(friction_coefficient, "it needs a Friction radius larger than 0, at which "
                                           "friction has its torque");
    reader.refuse_with_motor(link.rotation.motor, {angle_limits.lower, angle_limits.upper,
                                                   friction_torque, friction_radius});
  }
  if (link.kind == K::universal) {
    link.second_rotation = link.rotation.bounds;
    link.second_rotation.lower = link.second_rotation.upper = {};
    reader.read_limits(second_angle_limits, link.second_rotation);
  }
  if (slides || has_length) {
    const LimitEntries &limits = slides ? displacement_limits : length_limits;
    reader.read_limits(limits, link.bounds);
    link.bounds.friction = reader.read_friction(friction_force);
    link.bounds.friction_per_force = coefficient;
    reader.refuse_with_motor(link.motor, {limits.lower, limits.upper, friction_force});
    if (!turns)
      reader.refuse_with_motor(link.motor, {friction_coefficient});
    if (link.kind == K::distance && link.bounds.friction && !link.bounds.has_limit())
      section.report(
          friction_force,
          "a distance without a Lower or Upper length is a rod, whose length is constant");
  }
  if (link.motor.is_holding())
    link.bounds = {};
  if (link.rotation.motor.is_holding())
    link.rotation.bounds = {};
  section.refuse_unused(limit_restitution,
                        link.bounds.has_limit() || link.rotation.bounds.has_limit() ||
                            link.second_rotation.has_limit(),
                        "without a limit");
}

template <int dim>
void check_bounds(const CaseInput &section, Case<dim> &c, const Link<dim> &link) {
  const bool goes_on = !section.parameters.get("Initial state/From").empty();
  const double largest = (1. - c.choices.theta) / c.choices.theta;
  bool has_limit = false;
  for (const LinkCoordinate<dim> &coordinate : coordinates_of(link)) {
    const LinkBounds &bounds = coordinate.drive.bounds;
    has_limit = has_limit || bounds.has_limit();
    if (goes_on || !bounds.has_limit())
      continue;
    const double *const q = c.initial.q.data();
    const auto motion = LinkMotion<dim>(*c.bodies, link, q, q).motion(coordinate);
    const double x = motion.begin, tolerance = 1e-9 * motion.size;
    const LimitEntries entries = limits_of(coordinate);
    if (bounds.lower && x < *bounds.lower - tolerance)
      section.report(entries.lower, format("it is larger than the value at the start, %.6g", x));
    if (bounds.upper && x > *bounds.upper + tolerance)
      section.report(entries.upper, format("it is smaller than the value at the start, %.6g", x));
  }
  const double e = has_limit ? section.number(limit_restitution) : 0.;
  if (e > largest * (1. + 1e-12))
    c.warnings.push_back(section.remark(
        limit_restitution,
        format("impacts at limits have the restitution (1 - Theta)/Theta = %g at most, with which "
               "they do no positive work",
               largest)));
}

PERCUSSION_INSTANTIATE(read_bounds);
PERCUSSION_INSTANTIATE(check_bounds);

} // namespace percussion
