#include "link_ends.h"

#include <percussion/base/nearest_name.h>

namespace percussion {
namespace {

/// Returns the weights of the nodes of a region in its mean: their tributary areas, if the region
/// has faces.
template <int dim>
std::vector<double> weights_of(const typename System<dim>::BodyRegion &region) {
  const auto &nodes = region.region->nodes;
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
  const auto &nodes = region.region->nodes;
  for (std::size_t k = 0; k < weights.size(); ++k)
    end.position += weights[k] * region.body->space.nodes[nodes[k]];
  end.nodes = weighted_nodes(region.body->space, nodes, weights);
}

} // namespace

template <int dim>
bool fasten(const CaseInput &section, const std::string &entry, const std::string &name,
            const RigidNames &rigid, const Case<dim> &c, LinkEnd<dim> &end) {
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

template <int dim>
dealii::Tensor<1, dim> initial_motion(const LinkEnd<dim> &end, const System<dim> &bodies,
                                      const Vector &field, bool is_velocity) {
  if (end.rigid && !is_velocity) {
    const RigidBody<dim> &body = bodies.rigid[*end.rigid];
    const RigidPose<dim> pose(body, bodies.rigid_values(field, *end.rigid));
    return pose.position(body, end.position) - end.position;
  }
  if (end.rigid && is_velocity)
    return RigidPose<dim>().velocity(end.position - bodies.rigid[*end.rigid].centre,
                                     bodies.rigid_values(field, *end.rigid));
  return weighted_sum<dim>(end.nodes, field);
}

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
  if (spring.stiffness == 0. && spring.damping == 0. &&
      spring.motor.kind == LinkMotor::Kind::none && spring.bounds.empty())
    return section.report_idle("a spring without Stiffness or Damping has no effect");
  const double length = end_vector(spring, c).norm();
  const double tension = section.number(tension_at_start);
  spring.rest_length = section.has(rest_length) ? section.number(rest_length) : length;
  if (!section.has(rest_length) && spring.stiffness > 0. &&
      !section.parameters.get("Initial state/From").empty())
    section.report(rest_length,
                   "with Initial state/From the length at the start is not that of the "
                   "earlier run: give the Rest length");
  if (spring.stiffness == 0.) {
    if (length == 0.)
      section.report_idle("both ends have the same initial position, so that the force has no "
                          "direction");
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

PERCUSSION_INSTANTIATE(fasten);
PERCUSSION_INSTANTIATE(initial_motion);
PERCUSSION_INSTANTIATE(end_vector);
PERCUSSION_INSTANTIATE(read_spring);

} // namespace percussion
