#include <percussion/base/format.h>

#include "link_bounds.h"
#include "link_ends.h"
#include <cmath>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

namespace {

const std::string links_section = "Links";

} // namespace

void declare_links(ParameterDeclarations &declarations, const ParameterFile *file) {
  const Subsection subsection(declarations, links_section);
  for (const auto &name : named_subsections(declarations, file, links_section, "<link>")) {
    const Subsection link_section(declarations, name);
    declarations.declare(
        "Type", "spring", Selection("spring|pin|weld|slider|distance"),
        "Type of the link. spring: a spring and a dashpot in parallel between the two ends. pin: a "
        "joint of two points, about which the bodies rotate. weld: a pin that also keeps the angle "
        "between rigid bodies. slider: the second rigid body moves along Axis of the first, "
        "without rotation. distance: a rigid rod without mass between the two ends or, with a "
        "limit, a rope or strut.");
    const UsedIf two_points = {"Type", {"spring", "distance"}, false, ""};
    const UsedIf spring_only = {"Type", {"spring"}, false, ""};
    const Described end_pattern("the name of a rigid body or of a region, or nothing");
    for (const char *const end : {"First", "Second"})
      declarations.declare(
          end, "", end_pattern,
          "End of the link: a rigid body; a region of an elastic body, by the mean over its nodes; "
          "or, if empty, a fixed point.");
    const std::string nothing = " Default: the middle of a region.";
    const OrNothing point(List(Double(), 2, 2));
    declarations.declare("First point", "", point,
                         "Initial position x, y of the first end of a spring, or of a joint [L]." +
                             nothing);
    declarations.declare("Second point", "", point,
                         "Initial position x, y of the second end of a spring or distance [L]." +
                             nothing,
                         two_points);
    declarations.declare("Axis", "1, 0", List(Double(), 2, 2),
                         "Initial direction x, y, of any length, of the axis of a slider.",
                         {"Type", {"slider"}, false, ""});
    declarations.declare("Stiffness", "0", Double(0.), "Force of a spring per elongation [M/T^2].",
                         spring_only);
    declarations.declare("Rest length", "", OrNothing(NumberBetween({0., true}, {HUGE_VAL, false})),
                         "Length of a spring without force [L]. Default: its initial length "
                         "minus Tension at start / Stiffness.",
                         spring_only);
    declarations.declare("Tension at start", "0", Double(),
                         "Force of a spring at the start, negative in compression [M L/T^2].",
                         spring_only);
    declarations.declare("Damping", "0", Double(0.),
                         "Force of the dashpot of a spring per rate of elongation [M/T].",
                         spring_only);
    declare_bounds(declarations, {"Type", {"slider"}, {"distance", "spring"}, {"pin"}, {}});
  }
}

namespace {

/// Reads the position of an end that is not on a region. Returns false if the position is missing
/// or has no effect, which is reported.
template <int dim>
bool read_point(const CaseInput &section, const std::string &entry, LinkEnd<dim> &end) {
  if (!end.nodes.empty()) {
    section.refuse_unused(entry, false, "at a region: the link is at its middle");
    return !section.has(entry);
  }
  if (section.has(entry))
    end.position = dealii::Point<dim>(section.vector<dim>(entry));
  else if (section.is_understood())
    section.report(entry, "a point x, y is needed here: the initial position of the link");
  return section.has(entry);
}

template <int dim>
void read_joint(const CaseInput &section, Case<dim> &c, Link<dim> &joint) {
  const bool has_region = !joint.first.nodes.empty() || !joint.second.nodes.empty();
  if (has_region && joint.kind != LinkKind::pin)
    section.report("Type", "a region has no angle that a " + section.get("Type") +
                               " could keep; pin the region at two points");
  if (has_region && !joint.rotation.bounds.empty())
    section.report("Type", "a region has no angle that could have a limit or friction");
  if (joint.kind == LinkKind::slider && joint.axis.norm() == 0.)
    section.report("Axis", "a direction x, y of nonzero length is needed here");
  const double distance = end_vector(joint, c).norm(),
               size = joint.first.position.norm() + joint.second.position.norm();
  if (distance > 1e-9 * size)
    section.report_idle(format(
        "its ends are %.3g apart at the start; the ends of a joint must coincide", distance));
  auto jump = initial_motion(joint.second, *c.bodies, c.initial.v, true) -
              initial_motion(joint.first, *c.bodies, c.initial.v, true);
  if (joint.kind == LinkKind::slider && joint.axis.norm() > 0.)
    jump -= (jump * joint.axis) / joint.axis.norm_square() * joint.axis;
  if (jump.norm() > 1e-6 * c.initial.v.linfty_norm())
    c.warnings.push_back("link '" + joint.name +
                         "': its ends begin with different velocities; a joint changes these "
                         "velocities at once, and without numerical dissipation (Theta = 0.5) they "
                         "oscillate about the correct values from step to step");
}

/// Reads the length of a rod at the start.
template <int dim>
void read_rod(const CaseInput &section, const Case<dim> &c, Link<dim> &rod) {
  rod.rest_length = end_vector(rod, c).norm();
  if (rod.rest_length == 0. && !rod.bounds.has_limit())
    section.report_idle("both ends have the same initial position, so that the distance has no "
                        "direction; take Type = pin");
}

template <int dim>
void read_link(const CaseInput &section, const RigidInput<dim> &rigid, const std::string &name,
               Case<dim> &c) {
  Link<dim> link;
  link.name = name;
  const std::string type = section.get("Type");
  for (const auto &[type_name, kind] :
       {std::pair{"spring", LinkKind::spring}, std::pair{"pin", LinkKind::pin},
        std::pair{"weld", LinkKind::weld}, std::pair{"slider", LinkKind::slider},
        std::pair{"distance", LinkKind::distance}})
    if (type == type_name)
      link.kind = kind;
  bool is_fastened = fasten(section, "First", section.get("First"), rigid, c, link.first);
  is_fastened =
      fasten(section, "Second", section.get("Second"), rigid, c, link.second) && is_fastened;
  if (!is_fastened)
    return;
  if (link.first.is_fixed() && link.second.is_fixed())
    return section.report_idle("the link has no body: give First or Second");
  if (link.first.rigid && link.first.rigid == link.second.rigid)
    return section.report("Second", "First is the same body");
  if (link.kind == LinkKind::slider)
    link.axis = section.vector<dim>("Axis");
  if (link.kind != LinkKind::spring)
    section.refuse_idle_entries();
  read_bounds(section, c, link);
  if (link.kind != LinkKind::spring && link.kind != LinkKind::distance) {
    const bool has_region = !link.first.nodes.empty() || !link.second.nodes.empty();
    if (has_region && !section.has("First point"))
      (link.first.nodes.empty() ? link.first : link.second).position =
          (link.first.nodes.empty() ? link.second : link.first).position;
    else if (!read_point(section, "First point", link.first))
      return;
    if (link.second.nodes.empty())
      link.second.position = link.first.position;
    read_joint(section, c, link);
  } else {
    if (!read_point(section, "First point", link.first) ||
        !read_point(section, "Second point", link.second))
      return;
    if (link.kind == LinkKind::spring)
      read_spring(section, c, link);
    else
      read_rod(section, c, link);
  }
  if (section.problems.empty())
    check_bounds(section, c, link);
  c.bodies->links.push_back(std::move(link));
}

} // namespace

template <int dim>
void read_links(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  for (const auto &name : input.subsections(links_section))
    read_link(input.in(links_section + "/" + name), rigid, name, c);
}

template void read_links(const CaseInput &, const RigidInput<2> &, Case<2> &);

} // namespace percussion
