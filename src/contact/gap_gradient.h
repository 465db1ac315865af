// Derivatives of the gap of a mortar contact, in two steps: with respect to the integrals over its
// facets, and of these integrals with respect to the positions of points.

#pragma once

#include <percussion/contact/mortar.h>

#include "multiplier_shapes.h"
#include "traced.h"

namespace percussion {

/// Points and vectors, by ascending points: derivatives of a gap with respect to positions.
using PointGradients = std::vector<std::pair<unsigned int, dealii::Tensor<1, 2>>>;

/// Adds the derivative with respect to a point.
void add_gradient(PointGradients &gradients, unsigned int point,
                  const dealii::Tensor<1, 2> &gradient);

/// Derivatives of a gap with respect to the integrals from which it follows.
struct IntegralAdjoints {
  double own_area = 0;
  NumberWeights<double> carrier, opposite, covered_facets; ///< by ascending points or facets
};

/// Seeds a result of the tape with the derivative of a gap with respect to integrals.
void seed(const NumberWeights<double> &adjoints, unsigned int result,
          const NumberWeights<Traced> &integrals);

/// Seeds a result of the tape with the integrals of one facet, from which a gap follows.
template <typename Integrals>
void seed(const IntegralAdjoints &adjoints, unsigned int result, const Integrals &integrals) {
  Tape::current().seed(integrals.own_area.index, result, adjoints.own_area);
  seed(adjoints.carrier, result, integrals.carrier);
  seed(adjoints.opposite, result, integrals.opposite);
  seed(adjoints.covered_facets, result, integrals.covered_facets);
}

/// Removes the round-off of the resultant of all gradients: the gap does not change if both sides
/// move together, in a meridian plane along the axis only.
void complete_gradients(bool is_axisymmetric, MortarContact<2> &contact);

} // namespace percussion
