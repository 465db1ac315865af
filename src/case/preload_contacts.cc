#include <percussion/body/bracketed_point.h>
#include <percussion/contact/find.h>

#include "parameter_sections.h"
#include <algorithm>
#include <limits>
#include <set>

namespace percussion {
namespace {

/// Largest gap of a contact that counts as closed in the preload, relative to the local mesh size;
/// it allows for coordinates in files with few digits.
constexpr double closed = 1e-3;

/// Nodes of a contact's region at closed points of the contact, by their first entries in the
/// trace, and the smallest gap of the other points.
struct ClosedNodes {
  std::set<unsigned int> first_entries;
  double smallest_open_gap = std::numeric_limits<double>::infinity();
  bool some = false; ///< true if at least one point of the contact is closed
};

template <int dim>
ClosedNodes closed_nodes(const Boundary<dim> &boundary, const ContactList<dim> &found,
                         unsigned int pair, double begins_closed) {
  ClosedNodes nodes;
  for (const auto &contact : found.contacts) {
    if (contact.key.pair != pair)
      continue;
    const ContactPoint<dim> &point = boundary.points[contact.point];
    if (contact.gap > std::max({point.tolerance, begins_closed, closed * point.size})) {
      nodes.smallest_open_gap = std::min(nodes.smallest_open_gap, contact.gap);
      continue;
    }
    nodes.some = true;
    if (point.mesh_node())
      nodes.first_entries.insert(point.entry);
    const SupportRange shape = point.shape();
    for (unsigned int k = shape.begin; k < shape.end; ++k)
      nodes.first_entries.insert(boundary.supports[k].entry);
  }
  return nodes;
}

} // namespace

template <int dim>
std::vector<unsigned int> held_by_contacts(const CaseInput &input, Case<dim> &c) {
  const Boundary<dim> &boundary = *c.boundary;
  const auto found = ContactFinder<dim>(boundary).find_undeformed();
  std::vector<unsigned int> held;
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    const auto &pair = boundary.pairs[i];
    if (!pair.region())
      continue;
    const auto nodes = closed_nodes(
        boundary, found, i,
        input.parameters.get_double(contact_section + "/" + pair.name + "/Begin closed up to"));
    const auto [body, region] = c.bodies->region(*pair.region());
    std::size_t n_open = 0;
    for (const unsigned int node : region->vertices) {
      std::vector<unsigned int> free;
      const auto &dofs = body->space.node_dofs[node];
      for (const unsigned int dof : dofs)
        if (!c.bodies->motion.is_prescribed(dof))
          free.push_back(dof);
      if (free.empty())
        continue; // such a node may have no contact point
      // Mortar contacts may have their points on the other side: one closed point closes the whole
      // region.
      if (!(pair.is_on_faces()
                ? nodes.some
                : nodes.first_entries.count(boundary.trace.of_node(body->space, node)) > 0)) {
        ++n_open;
        continue;
      }
      held.insert(held.end(), free.begin(), free.end());
    }
    if (n_open > 0)
      c.warnings.push_back(
          "contact '" + pair.name +
          format("': the static preload holds %zu of its %zu nodes, for the other nodes are open",
                 region->vertices.size() - n_open, region->vertices.size()) +
          (nodes.smallest_open_gap < std::numeric_limits<double>::infinity()
               ? format(", the nearest by %.3g", nodes.smallest_open_gap)
               : std::string()));
  }
  return held;
}

template std::vector<unsigned int> held_by_contacts(const CaseInput &, Case<2> &);
template std::vector<unsigned int> held_by_contacts(const CaseInput &, Case<3> &);

} // namespace percussion
