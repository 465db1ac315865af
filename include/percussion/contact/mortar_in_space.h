#pragma once

#include <percussion/contact/mortar.h>

/// Mortar contact in space: dual multipliers (Wohlmuth 2000; Popp, Gitterle, Gee and Wall 2010)
/// over facets that are clipped in the plane of the one that carries them (Puso and Laursen 2004).
namespace percussion {

/// Triangles and quadrilaterals that bound bodies, where they are now. Seen from outside their
/// corners go counter-clockwise; neighbours share points.
struct FacetSurface {
  std::vector<dealii::Point<3>> points;
  std::vector<std::vector<unsigned int>> facets; ///< three or four points of each

  /// Unit normal out of the body, in the middle.
  dealii::Tensor<1, 3> normal(unsigned int facet) const;
  /// Mean of the points of a facet.
  dealii::Point<3> middle(unsigned int facet) const;
  /// The integral of the shape function of each point of a facet [length²].
  std::array<double, 4> areas(unsigned int facet) const;
};

/// As in the plane: the contacts of slave points, a contact for each smooth part of the surface at
/// a point (MortarContact::side). The polygons that slave and master facets have in common, seen
/// along the slave facet's normal, are integrated over exactly where facets are triangles or
/// parallelograms.
std::vector<MortarContact<3>> mortar_contacts(const FacetSurface &slave, const FacetSurface &master,
                                              const std::vector<EdgePair> &near,
                                              const MortarRange &range);

/// See that in the plane.
std::vector<EdgePair> self_contact_pairs(const FacetSurface &surface,
                                         const std::vector<EdgePair> &near,
                                         const MortarRange &range);

} // namespace percussion
