#include <percussion/base/nearest_name.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/link_forces.h>

#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>
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
    const Subsection of_link(declarations, name);
    declarations.declare(
        "Type", "spring", Selection("spring|pin|weld"),
        "Type of the link. spring: a spring and a dashpot in parallel along the line between "
        "the two ends. pin: a joint that holds two points together and lets the bodies rotate "
        "about it. weld: a pin that also keeps the angle between rigid bodies. Joints do no "
        "work.");
    const UsedIf of_spring = {"Type", {"spring"}, false, ""};
    const Described of_end("the name of a rigid body or of a region, or nothing");
    declarations.declare(
        "First", "", of_end,
        "First end of the link: a rigid body; a region of an elastic body, by the mean over its "
        "nodes; or, if empty, a fixed point.");
    declarations.declare("Second", "", of_end,
                         "Second end of the link, with the choices of First.");
    const std::string nothing = " Default: the middle of a region.";
    const OrNothing point(List(Double(), 2, 2));
    declarations.declare("First point", "", point,
                         "Initial position x, y of the first end of a spring, or of a joint [L]." +
                             nothing);
    declarations.declare("Second point", "", point,
                         "Initial position x, y of the second end of a spring [L]." + nothing,
                         of_spring);
    declarations.declare("Stiffness", "0", Double(0.), "Force of a spring per elongation [M/T^2].",
                         of_spring);
    declarations.declare("Rest length", "", OrNothing(NumberBetween({0., true}, {HUGE_VAL, false})),
                         "Length of a spring without force [L]. Default: its initial length "
                         "minus Tension at start / Stiffness.",
                         of_spring);
    declarations.declare("Tension at start", "0", Double(),
                         "Force of a spring at the start, negative in compression [M L/T^2].",
                         of_spring);
    declarations.declare("Damping", "0", Double(0.),
                         "Force of the dashpot of a spring per rate of elongation [M/T].",
                         of_spring);
  }
}

namespace {

/// Subsection of one link.
struct LinkInput {
  const CaseInput &input;
  const RigidNames &rigid;
  std::string name;

  std::string path(const std::string &entry) const {
    return links_section + "/" + name + "/" + entry;
  }
  std::string get(const std::string &entry) const { return input.parameters.get(path(entry)); }
  double number(const std::string &entry) const { return input.parameters.get_double(path(entry)); }
  void report(const std::string &entry, const std::string &reason) const {
    input.report(path(entry), reason);
  }
};

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
bool fasten(const LinkInput &link, const std::string &entry, const Case<dim> &c,
            LinkEnd<dim> &end) {
  const std::string name = link.get(entry);
  if (name.empty())
    return true;
  if (const auto found = link.rigid.names.find(name); found != link.rigid.names.end()) {
    if (found->second.size() > 1)
      link.report(entry, "this name stands for " + std::to_string(found->second.size()) +
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
  std::vector<std::string> known_names;
  for (const auto &[rigid_name, copies] : link.rigid.sections)
    known_names.push_back(rigid_name);
  for (const auto &mesh : c.meshes)
    for (const auto &[region, cells] : mesh->regions)
      known_names.push_back(region);
  const std::string hint = did_you_mean(name, known_names);
  if (link.input.is_understood())
    link.report(entry, "there is no rigid body and no region of this name" + hint +
                           (hint.empty() ? "." : "") + " There are: " + listed(known_names));
  return false;
}

/// Reads the position of an end that is not on a region. Returns false if the position is missing
/// or has no effect, which is reported.
template <int dim>
bool read_point(const LinkInput &link, const std::string &entry, LinkEnd<dim> &end) {
  if (!end.nodes.empty()) {
    link.input.refuse_unused(link.path(entry), false, "at a region: the link is at its middle");
    return link.get(entry).empty();
  }
  if (link.get(entry).empty()) {
    if (link.input.is_understood())
      link.report(entry, "a point x, y is needed here: the initial position of the link");
    return false;
  }
  end.position = dealii::Point<dim>(link.input.template vector<dim>(link.path(entry)));
  return true;
}

/// Returns the displacement or the velocity of an end at the start.
template <int dim>
dealii::Tensor<1, dim> at_start(const LinkEnd<dim> &end, const System<dim> &bodies,
                                const Vector &field, bool is_velocity) {
  if (end.rigid && is_velocity)
    return RigidPose<dim>().velocity(end.position - bodies.rigid[*end.rigid].centre,
                                     bodies.rigid_values(field, *end.rigid));
  return weighted_sum<dim>(end.nodes, field);
}

template <int dim>
void read_spring(const LinkInput &link, const Case<dim> &c, Link<dim> &spring) {
  spring.stiffness = link.number("Stiffness");
  spring.damping = link.number("Damping");
  if (spring.stiffness == 0. && spring.damping == 0.)
    return link.input.report_idle(links_section + "/" + link.name,
                                  "a spring without Stiffness or Damping has no effect");
  const auto end_vector =
      spring.second.position + at_start(spring.second, *c.bodies, c.initial.q, false) -
      spring.first.position - at_start(spring.first, *c.bodies, c.initial.q, false);
  const bool is_given = !link.get("Rest length").empty();
  const double tension = link.number("Tension at start");
  spring.rest_length = is_given ? link.number("Rest length") : end_vector.norm();
  if (spring.stiffness == 0.) {
    for (const std::string entry : {"Rest length", "Tension at start"})
      link.input.refuse_unused(link.path(entry), false, "with Stiffness = 0");
    return;
  }
  if (is_given && tension != 0.)
    link.report(
        "Tension at start",
        "this spring has a Rest length already; give either Rest length or Tension at start");
  spring.rest_length -= tension / spring.stiffness;
  if (end_vector.norm() == 0. && spring.rest_length != 0.)
    link.report("Rest length", "both ends have the same initial position, so that the force has no "
                               "direction: only 0 is allowed");
}

template <int dim>
void read_joint(const LinkInput &link, Case<dim> &c, Link<dim> &joint) {
  if (joint.kind == LinkKind::weld && (!joint.first.nodes.empty() || !joint.second.nodes.empty()))
    link.report("Type",
                "a region has no angle that a weld could keep; pin the region at two points");
  const auto distance = joint.second.position +
                        at_start(joint.second, *c.bodies, c.initial.q, false) -
                        joint.first.position - at_start(joint.first, *c.bodies, c.initial.q, false);
  const double size = joint.first.position.norm() + joint.second.position.norm();
  if (distance.norm() > 1e-9 * size)
    link.input.report_idle(
        links_section + "/" + link.name,
        format("its ends are %.3g apart at the start; the ends of a joint must coincide",
               distance.norm()));
  const auto jump = at_start(joint.second, *c.bodies, c.initial.v, true) -
                    at_start(joint.first, *c.bodies, c.initial.v, true);
  if (jump.norm() > 1e-6 * c.initial.v.linfty_norm())
    c.warnings.push_back("link '" + link.name +
                         "': its ends begin with different velocities; a joint changes these "
                         "velocities at once, and without numerical dissipation (Theta = 0.5) they "
                         "oscillate about the correct values from step to step");
}

template <int dim>
void read_link(const CaseInput &input, const RigidInput<dim> &rigid, const std::string &name,
               Case<dim> &c) {
  const LinkInput entries{input, rigid, name};
  Link<dim> link;
  link.name = name;
  const std::string type = entries.get("Type");
  link.kind = type == "spring" ? LinkKind::spring : type == "pin" ? LinkKind::pin : LinkKind::weld;
  const bool is_joint = link.kind != LinkKind::spring;
  bool is_fastened = fasten(entries, "First", c, link.first);
  is_fastened = fasten(entries, "Second", c, link.second) && is_fastened;
  if (!is_fastened)
    return;
  if (link.first.is_fixed() && link.second.is_fixed())
    return input.report_idle(links_section + "/" + name,
                             "the link has no body: give First or Second");
  if (link.first.rigid && link.first.rigid == link.second.rigid)
    return entries.report("Second", "First is the same body");
  if (is_joint) {
    input.refuse_idle_entries(links_section + "/" + name);
    const bool by_region = !link.first.nodes.empty() || !link.second.nodes.empty();
    if (by_region && entries.get("First point").empty())
      (link.first.nodes.empty() ? link.first : link.second).position =
          (link.first.nodes.empty() ? link.second : link.first).position;
    else if (!read_point(entries, "First point", link.first))
      return;
    if (link.second.nodes.empty())
      link.second.position = link.first.position;
    read_joint(entries, c, link);
  } else {
    if (!read_point(entries, "First point", link.first) ||
        !read_point(entries, "Second point", link.second))
      return;
    read_spring(entries, c, link);
  }
  c.bodies->links.push_back(std::move(link));
}

} // namespace

template <int dim>
void read_links(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  for (const auto &name : input.subsections(links_section))
    read_link(input, rigid, name, c);
}

template void read_links(const CaseInput &, const RigidInput<2> &, Case<2> &);

} // namespace percussion
