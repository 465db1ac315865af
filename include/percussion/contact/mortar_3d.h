#pragma once

#include <percussion/contact/mortar.h>

/// Mortar contact in 3D: dual multipliers (Wohlmuth 2000; Popp, Gitterle, Gee and Wall 2010) over
/// facets that are clipped in the plane of the carrier facet (Puso and Laursen 2004).
namespace percussion {

/// Triangles and quadrilaterals of the boundaries of bodies in the current configuration. Seen from
/// outside, their corners are counter-clockwise; neighbours share points.
struct FacetSurface {
  std::vector<dealii::Point<3>> points;
  std::vector<std::vector<unsigned int>> facets; ///< three or four points of each facet

  /// Returns the outward unit normal at the middle of a facet.
  dealii::Tensor<1, 3> normal(unsigned int facet) const;
  /// Returns the mean of the points of a facet.
  dealii::Point<3> middle(unsigned int facet) const;
  /// Returns the integral of the shape function of each point of a facet [length²].
  std::array<double, 4> areas(unsigned int facet) const;
  /// Returns the integral of the Lagrange function of each quadrature point of a facet [length²].
  std::array<double, 4> areas_of_points(unsigned int facet) const;
};

/// Returns the contacts of carrier points as in 2D, with one contact for each smooth region of the
/// surface at a point (MortarContact::side). The integrals are over the polygons that carrier and
/// opposite facets have in common, seen along the carrier facet's normal; they are exact if facets
/// are triangles or parallelograms. Only contacts whose facets are covered completely have
/// gradients.
std::vector<MortarContact<3>> mortar_contacts(const FacetSurface &carrier,
                                              const FacetSurface &opposite,
                                              const std::vector<EdgePair> &near_pairs,
                                              const MortarRange &range,
                                              MortarFunctions functions = MortarFunctions::dual,
                                              GapGradients gradients = GapGradients::none);

/// Returns the sorted pairs (carrier, opposite) of facets for the contact of a surface with itself,
/// by the rules of self_contact_pairs() for lines (mortar.h). `near_pairs` holds candidate pairs.
std::vector<EdgePair> self_contact_pairs(const FacetSurface &surface,
                                         const std::vector<EdgePair> &near_pairs,
                                         const MortarRange &range);

} // namespace percussion
