#include "mortar_search.h"

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

Polyline line_of(const FacetSearch &search) {
  Polyline line;
  line.points = search.positions;
  for (const Facet &facet : search.facets.facets)
    line.edges.push_back({facet.begin, facet.end});
  return line;
}

double smallest_reach(const FacetSearch &search) {
  double smallest = std::numeric_limits<double>::max();
  for (unsigned int f = 0; f < search.facets.facets.size(); ++f)
    smallest = std::min(smallest, search.reach(f));
  return smallest;
}

} // namespace

std::vector<MortarContact> mortar_contacts(const FacetSearch &slave, const FacetSearch &master,
                                           unsigned long &n_compared) {
  const bool is_self_contact = &slave == &master;
  const double reach = std::min(smallest_reach(slave), smallest_reach(master));
  const MortarRange range{reach, reach};
  std::vector<EdgePair> near;
  std::vector<unsigned int> found;
  for (unsigned int e = 0; e < slave.facets.facets.size(); ++e) {
    master.near_line(slave.positions[slave.facets.facets[e].begin],
                     slave.positions[slave.facets.facets[e].end], found);
    for (const unsigned int facet : found)
      near.emplace_back(e, facet);
  }
  n_compared += near.size();
  const Polyline line = line_of(slave);
  if (is_self_contact)
    return mortar_contacts(line, line, self_contact_pairs(line, near, range), range);
  return mortar_contacts(line, line_of(master), near, range);
}

double covered_share(const FacetSearch &slave, const MortarContact &contact) {
  const FacetNode<2> &node = slave.facets.nodes[contact.point];
  double length = 0;
  for (const unsigned int f : {node.before, node.after})
    if (f != Facets<2>::none)
      length += 0.5 * slave.positions[slave.facets.facets[f].begin].distance(
                          slave.positions[slave.facets.facets[f].end]);
  return contact.area / length;
}

} // namespace percussion
