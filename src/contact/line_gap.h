// Gap of a mortar contact of lines, from the integrals over the edges of its carrier point.

#pragma once

#include "gap_gradient.h"
#include "mortar_edge.h"

namespace percussion {

/// Sum of the integrals for a contact: entries of the same point or facet are added up.
struct LineSum : EdgeIntegrals<double> {
  unsigned int point, side;
  unsigned int edge, end; ///< edge that has contributed last, and its end at the contact

  /// Adds up the entries of the same point or facet.
  void merge();
};

/// Gap of a contact [length], and the weights of the points.
struct LineGap {
  double gap;
  NumberWeights<double> carrier, opposite;
};

/// Returns the gap of a contact with the functions of a point, along a unit normal.
LineGap line_gap(const LineSum &sum, const LineVector &normal, const Polyline &carrier,
                 const Polyline &opposite, MortarFunctions functions);

/// Adds the derivatives of the gap at constant integrals to the gradients of the contact; returns
/// the derivatives with respect to the integrals.
IntegralAdjoints differentiate_gap(const LineSum &sum, const CarrierLine &carrier,
                                   const Polyline &opposite, MortarFunctions functions,
                                   MortarContact<2> &contact);

/// Adds what the derivatives with respect to the normal at an end of an edge contribute to the
/// gradients of carrier points.
void add_normal_gradients(const CarrierLine &carrier, unsigned int edge, unsigned int end,
                          const LineVector &adjoint, PointGradients<2> &gradients);

} // namespace percussion
