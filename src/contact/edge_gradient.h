// Derivatives of the integrals over an edge with respect to the positions of points, in two steps:
// with respect to the ends of its segments, and of these with respect to positions.

#pragma once

#include "gap_gradient.h"
#include "mortar_edge.h"

namespace percussion {

/// Adds what the integrals over an edge contribute to the gradients of the contacts at its ends.
void differentiate_integrals(const CarrierLine &carrier, unsigned int edge,
                             const std::vector<Segment<double>> &segments, const Polyline &opposite,
                             MortarFunctions functions,
                             const std::array<GradientTarget<2>, 2> &contacts);

} // namespace percussion
