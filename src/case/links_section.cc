#include <percussion/base/nearest_name.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/link_forces.h>

#include "parameter_sections.h"
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
        "Type", "spring", Selection("spring|pin|weld"),
        "Type of the link. spring: a spring and a dashpot in parallel along the line between "
        "the two ends. pin: a joint that holds two points together and lets the bodies rotate "
        "about it. weld: a pin that also keeps the angle between rigid bodies. Joints do no "
        "work.");
    const UsedIf spring_only = {"Type", {"spring"}, false, ""};
    const Described end_pattern("the name of a rigid body or of a region, or nothing");
    declarations.declare(
        "First", "", end_pattern,
        "First end of the link: a rigid body; a region of an elastic body, by the mean over its "
        "nodes; or, if empty, a fixed point.");
    declarations.declare("Second", "", end_pattern,
                         "Second end of the link, with the choices of First.");
    const std::string nothing = " Default: the middle of a region.";
    const OrNothing point(List(Double(), 2, 2));
    declarations.declare("First point", "", point,
                         "Initial position x, y of the first end of a spring, or of a joint [L]." +
                             nothing);
    declarations.declare("Second point", "", point,
                         "Initial position x, y of the second end of a spring [L]." + nothing,
                         spring_only);
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
  }
}

namespace {

/// Returns the weights of the nodes of a region in its mean: their tributary areas, if the region
/// has faces.
template <int dim>
std::vector<double> weights_of(const typename System<dim>::BodyRegion &region) {
  const auto &nodes = region.region->vertices;
  std::vector<double> weights(nodes.size(), 1. / static_cast<double>(nodes.size()));
  if (region.region->dimension + 1 != dim ||
      region.region->faces.size() != region.region->n_elements)
    return weights;
  const auto area = tributary_areas(*region.body, *region.region);
  double all = 0;
  for (const double a : area)
    all += a;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    weights[k] = area[nodes[k]] / all;
  return weights;
}

template <int dim>
void fasten_to_region(const typename System<dim>::BodyRegion &region, LinkEnd<dim> &end) {
  const auto weights = weights_of<dim>(region);
  end.position = dealii::Point<dim>();
  const auto &nodes = region.region->vertices;
  for (std::size_t k = 0; k < weights.size(); ++k)
    end.position += weights[k] * region.body->space.nodes[nodes[k]];
  end.nodes = weighted_nodes(region.body->space, nodes, weights);
}

/// Reads the end of a link: the name of one rigid body or of a region. Returns false if it is
/// neither, which is reported.
template <int dim>
bool fasten(const CaseInput &section, const std::string &entry, const RigidNames &rigid,
            const Case<dim> &c, LinkEnd<dim> &end) {
  const std::string name = section.get(entry);
  if (name.empty())
    return true;
  if (const auto found = rigid.names.find(name); found != rigid.names.end()) {
    if (found->second.size() > 1)
      section.report(entry, "this name stands for " + std::to_string(found->second.size()) +
                                " copies; take a single copy: " + name + " 1, " + name + " 2, ...");
    end.rigid = found->second.front();
    return found->second.size() == 1;
  }
  if (!c.meshes.empty())
    try {
      fasten_to_region<dim>(c.bodies->region(name), end);
      return true;
    } catch (const InputError &) { // the rigid bodies below decide
    }
  std::vector<std::string> known_names = rigid.section_names();
  for (const auto &mesh : c.meshes)
    for (const auto &[region, cells] : mesh->regions)
      known_names.push_back(region);
  const std::string hint = did_you_mean(name, known_names);
  if (section.is_understood())
    section.report(entry, "there is no rigid body and no region of this name" +
                              (hint.empty() ? "." : hint) + " There are: " + listed(known_names));
  return false;
}

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

/// Returns the displacement or the velocity of an end at the start.
template <int dim>
dealii::Tensor<1, dim> initial_motion(const LinkEnd<dim> &end, const System<dim> &bodies,
                                      const Vector &field, bool is_velocity) {
  if (end.rigid && is_velocity)
    return RigidPose<dim>().velocity(end.position - bodies.rigid[*end.rigid].centre,
                                     bodies.rigid_values(field, *end.rigid));
  return weighted_sum<dim>(end.nodes, field);
}

/// Returns the vector between both ends at the start.
template <int dim>
dealii::Tensor<1, dim> end_vector(const Link<dim> &link, const Case<dim> &c) {
  return link.second.position + initial_motion(link.second, *c.bodies, c.initial.q, false) -
         link.first.position - initial_motion(link.first, *c.bodies, c.initial.q, false);
}

template <int dim>
void read_spring(const CaseInput &section, const Case<dim> &c, Link<dim> &spring) {
  const std::string rest_length = "Rest length", tension_at_start = "Tension at start";
  spring.stiffness = section.number("Stiffness");
  spring.damping = section.number("Damping");
  if (spring.stiffness == 0. && spring.damping == 0.)
    return section.report_idle("a spring without Stiffness or Damping has no effect");
  const double length = end_vector(spring, c).norm();
  const double tension = section.number(tension_at_start);
  spring.rest_length = section.has(rest_length) ? section.number(rest_length) : length;
  if (spring.stiffness == 0.) {
    for (const std::string &entry : {rest_length, tension_at_start})
      section.refuse_unused(entry, false, "with Stiffness = 0");
    return;
  }
  if (section.has(rest_length) && tension != 0.)
    section.report(
        tension_at_start,
        "this spring has a Rest length already; give either Rest length or Tension at start");
  spring.rest_length -= tension / spring.stiffness;
  if (length == 0. && spring.rest_length != 0.)
    section.report(rest_length, "both ends have the same initial position, so that the force has "
                                "no direction: only 0 is allowed");
}

template <int dim>
void read_joint(const CaseInput &section, Case<dim> &c, Link<dim> &joint) {
  if (joint.kind == LinkKind::weld && (!joint.first.nodes.empty() || !joint.second.nodes.empty()))
    section.report("Type",
                   "a region has no angle that a weld could keep; pin the region at two points");
  const double distance = end_vector(joint, c).norm(),
               size = joint.first.position.norm() + joint.second.position.norm();
  if (distance > 1e-9 * size)
    section.report_idle(format(
        "its ends are %.3g apart at the start; the ends of a joint must coincide", distance));
  const auto jump = initial_motion(joint.second, *c.bodies, c.initial.v, true) -
                    initial_motion(joint.first, *c.bodies, c.initial.v, true);
  if (jump.norm() > 1e-6 * c.initial.v.linfty_norm())
    c.warnings.push_back("link '" + joint.name +
                         "': its ends begin with different velocities; a joint changes these "
                         "velocities at once, and without numerical dissipation (Theta = 0.5) they "
                         "oscillate about the correct values from step to step");
}

template <int dim>
void read_link(const CaseInput &section, const RigidInput<dim> &rigid, const std::string &name,
               Case<dim> &c) {
  Link<dim> link;
  link.name = name;
  const std::string type = section.get("Type");
  link.kind = type == "spring" ? LinkKind::spring : type == "pin" ? LinkKind::pin : LinkKind::weld;
  bool is_fastened = fasten(section, "First", rigid, c, link.first);
  is_fastened = fasten(section, "Second", rigid, c, link.second) && is_fastened;
  if (!is_fastened)
    return;
  if (link.first.is_fixed() && link.second.is_fixed())
    return section.report_idle("the link has no body: give First or Second");
  if (link.first.rigid && link.first.rigid == link.second.rigid)
    return section.report("Second", "First is the same body");
  if (link.kind != LinkKind::spring) {
    section.refuse_idle_entries();
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
    read_spring(section, c, link);
  }
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
