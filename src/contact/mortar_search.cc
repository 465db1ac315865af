#include "mortar_search.h"

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

Polyline surface_of(const FacetSearch<2> &search) {
  Polyline line;
  line.points = search.positions;
  line.is_axisymmetric = search.facets.is_axisymmetric;
  for (const Facet<2> &facet : search.facets.facets)
    line.edges.push_back({facet.begin, facet.end});
  return line;
}

FacetSurface surface_of(const FacetSearch<3> &search) {
  FacetSurface surface;
  surface.points = search.positions;
  for (const Facet<3> &facet : search.facets.facets)
    surface.facets.emplace_back(facet.corners.begin(), facet.corners.end());
  return surface;
}

template <int dim>
double smallest_reach(const FacetSearch<dim> &search) {
  double smallest = std::numeric_limits<double>::max();
  for (unsigned int f = 0; f < search.facets.facets.size(); ++f)
    smallest = std::min(smallest, search.reach(f));
  return smallest;
}

} // namespace

template <int dim>
std::vector<MortarContact<dim>>
mortar_contacts(const FacetSearch<dim> &carrier, const FacetSearch<dim> &opposite,
                MortarFunctions functions, GapGradients gradients, unsigned long &n_compared) {
  const bool is_self_contact = &carrier == &opposite;
  const double reach = std::min(smallest_reach(carrier), smallest_reach(opposite));
  const MortarRange range{reach, reach};
  std::vector<EdgePair> near_pairs;
  std::vector<unsigned int> found;
  for (unsigned int e = 0; e < carrier.facets.facets.size(); ++e) {
    opposite.find_near_facet(carrier, e, found);
    for (const unsigned int facet : found)
      near_pairs.emplace_back(e, facet);
  }
  n_compared += near_pairs.size();
  const auto surface = surface_of(carrier);
  if (is_self_contact)
    return mortar_contacts(surface, surface, self_contact_pairs(surface, near_pairs, range), range,
                           functions, gradients);
  return mortar_contacts(surface, surface_of(opposite), near_pairs, range, functions, gradients);
}

template <>
double covered_fraction(const FacetSearch<2> &carrier, const MortarContact<2> &contact) {
  const FacetNode<2> &node = carrier.facets.nodes[contact.point];
  double area = 0;
  for (const unsigned int f : {node.previous_facet, node.next_facet})
    if (f != Facets<2>::none) {
      const Facet<2> &facet = carrier.facets.facets[f];
      const unsigned int other_end = facet.begin == contact.point ? facet.end : facet.begin;
      area += shape_integral(carrier.positions[contact.point], carrier.positions[other_end],
                             carrier.facets.is_axisymmetric);
    }
  return contact.area / area;
}

template <>
double covered_fraction(const FacetSearch<3> &carrier, const MortarContact<3> &contact) {
  double area = 0;
  for (const unsigned int f : carrier.facets.nodes[contact.point].facets) {
    FacetSurface facet;
    facet.facets.emplace_back();
    unsigned int corner_index = 0;
    for (const unsigned int corner : carrier.facets.facets[f].corners) {
      if (corner == contact.point)
        corner_index = static_cast<unsigned int>(facet.points.size());
      facet.facets[0].push_back(static_cast<unsigned int>(facet.points.size()));
      facet.points.push_back(carrier.positions[corner]);
    }
    area += facet.areas(0)[corner_index];
  }
  return contact.area / area;
}

template std::vector<MortarContact<2>> mortar_contacts(const FacetSearch<2> &,
                                                       const FacetSearch<2> &, MortarFunctions,
                                                       GapGradients, unsigned long &);
template std::vector<MortarContact<3>> mortar_contacts(const FacetSearch<3> &,
                                                       const FacetSearch<3> &, MortarFunctions,
                                                       GapGradients, unsigned long &);

} // namespace percussion
