#include <percussion/body/bracketed_point.h>
#include <percussion/contact/reference_gaps.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

const std::string begin_closed_entry = "Begin closed up to";

/// Largest reference gap, as a fraction of the shortest edge of the faces: for larger ones, the
/// side of a body on which a node lies is uncertain.
constexpr double largest_fraction_of_edge = 0.5;

/// Returns the shortest edge of the faces on both sides of a contact on faces [length]; infinite
/// for other contacts.
template <int dim>
double shortest_edge_of(const Boundary<dim> &boundary, unsigned int pair) {
  double shortest = std::numeric_limits<double>::infinity();
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
    for (const unsigned int side : facets_of(boundary.points[i]))
      for (const auto &node : boundary.facets[side].nodes)
        shortest = std::min(shortest, node.size);
  return shortest;
}

/// Returns the gap of a pair that is nearest to zero; infinite if the pair has no contacts.
template <int dim>
double nearest_gap(const ContactList<dim> &found, unsigned int pair) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto &contact : found.contacts)
    if (contact.key.pair == pair && std::abs(contact.gap) < std::abs(nearest))
      nearest = contact.gap;
  return nearest;
}

} // namespace

void declare_reference_gaps(ParameterDeclarations &declarations) {
  declarations.declare(
      begin_closed_entry, "0", dealii::Patterns::Double(0),
      "Largest gap or overlap of the undeformed bodies, with surfaces in their given positions, "
      "that counts as closed [L]: the contact measures its gap from this reference. Purpose: "
      "matching curved surfaces, whose facets of different lengths leave gaps of (facet)^2 / (8 "
      "radius), and overlaps. A point keeps its reference when it slides or lands elsewhere; "
      "the error of its gap there is at most this length. 0: none.");
}

template <int dim>
void read_reference_gaps(const CaseInput &input, Case<dim> &c) {
  Boundary<dim> &boundary = *c.boundary;
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    auto &pair = boundary.pairs[i];
    const std::string path = contact_section + "/" + pair.name + "/" + begin_closed_entry;
    pair.largest_reference_gap = input.parameters.get_double(path);
    if (const double edge = shortest_edge_of(boundary, i);
        pair.largest_reference_gap > largest_fraction_of_edge * edge)
      input.report(path,
                   format("allowed is at most half of the shortest edge of the faces, %.4g", edge));
  }
  if (!input.problems.empty())
    return;
  measure_reference_gaps(boundary);
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    const auto &pair = boundary.pairs[i];
    if (pair.largest_reference_gap == 0. ||
        std::any_of(boundary.reference_gaps.begin(), boundary.reference_gaps.end(),
                    [i](const ReferenceGap &reference) { return reference.key.pair == i; }))
      continue;
    const double nearest = nearest_gap(ContactFinder<dim>(boundary).find_undeformed(), i);
    input.report(
        contact_section + "/" + pair.name + "/" + begin_closed_entry,
        "this has no effect: no point of this contact begins with a gap of at most this length" +
            (std::isfinite(nearest) ? format("; the gap nearest to zero is %.4g", nearest) : ""));
  }
}

template void read_reference_gaps(const CaseInput &, Case<2> &);
template void read_reference_gaps(const CaseInput &, Case<3> &);

} // namespace percussion
