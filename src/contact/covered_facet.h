// Integrals of the functions of multipliers over the covered region of a facet.

#pragma once

#include "facet_moments.h"
#include "smooth_regions.h"
#include <optional>

namespace percussion {

/// Covered region of a carrier facet.
struct CoveredFacet {
  std::vector<CommonPolygon> segments;
  std::vector<SegmentMoments> moments; ///< moments of the segments
  double fraction;                     ///< covered fraction of the facet
  CoveredBox box;
  const std::vector<unsigned int> &nodes; ///< carrier points at the corners
  /// Sums of the corners, or of their quadrature points.
  std::vector<RegionIntegrals *> sums;
  std::vector<CornerSection> corner_sections; ///< sections next to the corners

  bool is_whole() const { return box.is_facet && fraction >= 1. - round_off_of_cover; }
};

/// Returns the region of a carrier facet that these opposite facets cover, with sums to which
/// integrals are added; nothing if it is round-off.
std::optional<CoveredFacet> covered_facet(const FacetSurface &carrier, unsigned int facet,
                                          const FacetSurface &opposite,
                                          const std::vector<unsigned int> &facets,
                                          const MortarRange &range,
                                          std::vector<RegionIntegrals *> sums);

/// Adds the integrals over the facet to the sums of its corners, or of its quadrature points.
void integrate(const CoveredFacet &facet, const FacetSurface &opposite, MortarFunctions functions);

/// Adds what the integrals over a facet that is covered completely contribute to the gradients of
/// the contacts at its corners, or at its quadrature points.
void differentiate_integrals(const CoveredFacet &facet, const FacetSurface &carrier,
                             unsigned int facet_index, const FacetSurface &opposite,
                             MortarFunctions functions,
                             const std::array<GradientTarget<3>, 4> &contacts);

} // namespace percussion
