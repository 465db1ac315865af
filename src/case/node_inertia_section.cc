#include <percussion/balance/time_rule.h>

#include "parameter_sections.h"
#include <algorithm>
#include <map>
#include <set>

namespace percussion {

void declare_node_inertia(ParameterDeclarations &declarations) {
  declarations.declare(
      "Node inertia", scheme_default,
      dealii::Patterns::Selection(scheme_default + "|consistent|redistributed"),
      "Mass of the contact nodes. Default: redistributed for equivalent-mass, consistent for the "
      "others. consistent: the mass of the finite elements; forces of impacts alternate from step "
      "to step, although the energy is right. redistributed: zero; the mass is moved to "
      "neighbouring nodes, with the same mass, centre and moments of inertia of the body, which "
      "makes pressures smooth (Khenous, Laborde & Renard 2008). In a mortar only the nodes of the "
      "softer side lose their mass.");
}

bool redistributes_inertia(const CaseInput &input, const CaseChoices &c) {
  const std::string inertia = input.get(contact_section + "/Node inertia");
  return inertia == "redistributed" ||
         (inertia == scheme_default && scheme(c.scheme_name).redistributes_inertia);
}

namespace {

/// Nodes of elastic bodies, by the index of the body.
using NodesOfBodies = std::map<unsigned int, std::set<unsigned int>>;

template <int dim>
void add_side(const Facets<dim> &side, NodesOfBodies &nodes) {
  for (const auto &node : side.nodes)
    nodes[node.elastic].insert(node.node);
}

/// Returns the mean stiffness of the elements at the nodes of one side of a contact [stress /
/// length].
template <int dim>
double stiffness_of(const Facets<dim> &side, const System<dim> &bodies) {
  double sum = 0;
  for (const auto &node : side.nodes) {
    double modulus = 0;
    for (const auto &material : bodies.elastic[node.elastic]->materials.list)
      modulus = std::max(modulus, material.elastic.lambda + 2. * material.elastic.mu);
    sum += modulus / node.size;
  }
  return sum / static_cast<double>(side.nodes.size());
}

/// Returns the opposite side of the nodes of a mortar contact if it is so much softer that the
/// inertia of its nodes should be redistributed instead; otherwise null.
template <int dim>
const Facets<dim> *softer_side(const Boundary<dim> &boundary, unsigned int pair) {
  constexpr double least_ratio = 1.5;
  const unsigned int first = boundary.first_point[pair];
  if (!boundary.pairs[pair].is_mortar() || boundary.pairs[pair].is_self_contact() ||
      first == boundary.first_point[pair + 1])
    return nullptr;
  const ContactPoint<dim> &point = boundary.points[first];
  if (!point.opposite_facets || !point.own_facets)
    return nullptr;
  const Facets<dim> &own = boundary.facets[point.own_facets->facets],
                    &opposite = boundary.facets[*point.opposite_facets];
  return stiffness_of(own, boundary.system) > least_ratio * stiffness_of(opposite, boundary.system)
             ? &opposite
             : nullptr;
}

/// Returns the nodes whose inertia is redistributed: the nodes of contact points and of faces with
/// quadrature points, and the nodes of the softer side of a mortar contact.
template <int dim>
NodesOfBodies nodes_without_inertia(Case<dim> &c) {
  const Boundary<dim> &boundary = *c.boundary;
  NodesOfBodies nodes;
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    const ContactPair<dim> &pair = boundary.pairs[i];
    if (const Facets<dim> *const softer = softer_side(boundary, i)) {
      c.notes.push_back(
          "contact: '" + pair.name +
          "' redistributes the inertia of the nodes of the opposite side, which is softer");
      add_side(*softer, nodes);
      continue;
    }
    const unsigned int first = boundary.first_point[i], end = boundary.first_point[i + 1];
    for (unsigned int k = first; k < end; ++k)
      if (const MeshNode *const own = boundary.points[k].mesh_node())
        nodes[own->elastic].insert(own->node);
    const bool is_integrated = pair.contact_points == ContactPoints::quadrature;
    if (is_integrated && pair.is_on_faces() && first < end)
      add_side(boundary.facets[boundary.points[first].own_facets->facets], nodes);
    else if (is_integrated && !pair.is_on_faces()) {
      const auto [body, region] = boundary.system.region(*pair.region());
      nodes[boundary.system.index_of(*body)].insert(region->nodes.begin(), region->nodes.end());
    }
  }
  return nodes;
}

/// Returns the reason why nodes of a case cannot be without inertia; empty if they can.
template <int dim>
std::string why_inertia_stays(const Case<dim> &c) {
  if (const TimeRule rule = time_rule(c.choices); rule.inertia_of_a != 0. || rule.a_of_a != 0.)
    return "nodes without inertia have no acceleration, which Scheme = " + c.scheme_name + " needs";
  for (const auto &pair : c.boundary->pairs)
    if (pair.discretisation == Discretisation::nodes_of_both_sides && pair.is_on_faces() &&
        pair.bodies().empty() && !pair.is_self_contact())
      return "contact '" + pair.name +
             "' has Discretisation = nodes of both sides: if no node of either side has inertia, "
             "tangential positions of nodes oscillate from step to step, the faces turn with the "
             "nodes, and the bodies pass through each other; mortar and nodes accept this inertia";
  return {};
}

} // namespace

template <int dim>
void redistribute_inertia(const CaseInput &input, Case<dim> &c) {
  if (!redistributes_inertia(input, c))
    return;
  const std::string own_entry = contact_section + "/Node inertia",
                    entry = input.get(own_entry) == scheme_default ? "Time/Scheme" : own_entry;
  const auto report = [&](const std::string &reason) { input.report(entry, reason); };
  if (!c.choices.has_inertia)
    return report("with Time/Inertia = none there is no inertia to redistribute");
  if (const std::string reason = why_inertia_stays(c); !reason.empty())
    return report(reason);
  const NodesOfBodies nodes = nodes_without_inertia(c);
  if (nodes.empty() && !input.problems.empty())
    return; // a contact with a reported error may have some
  if (nodes.empty())
    return report("this has no effect: no node of an elastic body takes part in a contact");
  // Points of a mortar are between nodes of which one side has lost its inertia, and have no
  // impacts.
  for (auto &point : c.boundary->points) {
    const bool is_of_mortar = point.quadrature_point() && point.own_facets;
    point.has_inertia = point.has_inertia && !point.mesh_node() && !is_of_mortar;
  }
  try {
    for (const auto &[body, body_nodes] : nodes)
      c.bodies->redistribute_inertia(*c.bodies->elastic[body],
                                     {body_nodes.begin(), body_nodes.end()});
  } catch (const InputError &error) {
    report(error.what());
  }
}

PERCUSSION_INSTANTIATE(redistribute_inertia);

} // namespace percussion
