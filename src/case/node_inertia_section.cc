#include <percussion/balance/time_rule.h>

#include "parameter_sections.h"
#include <algorithm>
#include <map>

namespace percussion {

void declare_node_inertia(ParameterDeclarations &declarations) {
  declarations.declare(
      "Node inertia", scheme_default,
      dealii::Patterns::Selection(scheme_default + "|consistent|redistributed"),
      "Mass of the contact nodes. Default: redistributed for equivalent-mass, consistent for "
      "the others. consistent: the mass of the finite elements; when a stiff body hits, the "
      "force on a node alternates from step to step, although the energy is right. "
      "redistributed: zero; the mass is moved to neighbouring nodes, preserving the mass, "
      "centre and moments of inertia of the body, which makes pressures smooth (Khenous, "
      "Laborde & Renard 2008). In a mortar contact, only the nodes of the softer side lose "
      "their mass.");
}

namespace {

/// Ascending nodes of elastic bodies, by the index of the body.
using NodesOfBodies = std::map<unsigned int, std::vector<unsigned int>>;

template <int dim>
void add_region(const System<dim> &bodies, const std::string &name, NodesOfBodies &nodes) {
  const auto [body, region] = bodies.region(name);
  auto &of_body = nodes[bodies.index_of(*body)];
  of_body.insert(of_body.end(), region->vertices.begin(), region->vertices.end());
}

/// Adds the nodes of the faces with the quadrature points of a pair.
template <int dim>
void add_nodes_of_faces(const Boundary<dim> &boundary, unsigned int pair, NodesOfBodies &nodes) {
  if (!boundary.pairs[pair].is_on_faces())
    add_region(boundary.system, *boundary.pairs[pair].region(), nodes);
  else if (boundary.first_point[pair] < boundary.first_point[pair + 1])
    for (const auto &node :
         boundary.facets[boundary.points[boundary.first_point[pair]].own_facets->facets].nodes)
      nodes[node.elastic].push_back(node.node);
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

/// Returns the nodes whose inertia is redistributed: the nodes of contact points, and the nodes of
/// the softer side of a mortar contact.
template <int dim>
NodesOfBodies nodes_without_inertia(Case<dim> &c) {
  const Boundary<dim> &boundary = *c.boundary;
  NodesOfBodies nodes;
  for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair) {
    const Facets<dim> *const softer = softer_side(boundary, pair);
    if (softer)
      c.notes.push_back(
          "contact: '" + boundary.pairs[pair].name +
          "' redistributes the inertia of the nodes of the opposite side, which is softer");
    for (std::size_t i = 0; softer && i < softer->nodes.size(); ++i)
      nodes[softer->nodes[i].elastic].push_back(softer->nodes[i].node);
    for (unsigned int i = boundary.first_point[pair]; !softer && i < boundary.first_point[pair + 1];
         ++i)
      if (const MeshNode *const own = boundary.points[i].mesh_node())
        nodes[own->elastic].push_back(own->node);
    if (boundary.pairs[pair].contact_points == ContactPoints::quadrature && !softer)
      add_nodes_of_faces(boundary, pair, nodes);
  }
  for (auto &[body, of_body] : nodes) {
    std::sort(of_body.begin(), of_body.end());
    of_body.erase(std::unique(of_body.begin(), of_body.end()), of_body.end());
  }
  return nodes;
}

/// Returns the reason why nodes of a case cannot be without inertia; empty if they can.
template <int dim>
std::string why_inertia_stays(const Case<dim> &c) {
  if (time_rule(c.choices).has_acceleration())
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
  const std::string inertia = input.in(contact_section).get("Node inertia");
  const bool by_scheme = inertia == scheme_default;
  if (inertia == "consistent" || (by_scheme && !scheme(c.scheme_name).redistributes_inertia))
    return;
  const std::string entry = by_scheme ? "Time/Scheme" : contact_section + "/Node inertia";
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
    for (const auto &[body, of_body] : nodes)
      c.bodies->redistribute_inertia(*c.bodies->elastic[body], of_body);
  } catch (const InputError &error) {
    report(error.what());
  }
}

PERCUSSION_INSTANTIATE(redistribute_inertia);

} // namespace percussion
