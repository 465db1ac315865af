// Derivatives of the gap of a mortar contact, in two steps: with respect to the integrals over its
// facets, and of these integrals with respect to the positions of points.

#pragma once

#include <percussion/contact/mortar.h>

#include "multiplier_shapes.h"
#include "traced.h"
#include <algorithm>

namespace percussion {

/// Points and vectors, by ascending points: derivatives of a gap with respect to positions.
template <int dim>
using PointGradients = std::vector<std::pair<unsigned int, dealii::Tensor<1, dim>>>;

/// Adds the derivative with respect to a point.
template <int dim>
void add_gradient(PointGradients<dim> &gradients, unsigned int point,
                  const dealii::Tensor<1, dim> &gradient) {
  const auto position =
      std::lower_bound(gradients.begin(), gradients.end(), point,
                       [](const auto &entry, unsigned int i) { return entry.first < i; });
  if (position != gradients.end() && position->first == point)
    position->second += gradient;
  else
    gradients.insert(position, {point, gradient});
}

/// Returns a vector without its component along a unit vector.
template <int dim>
dealii::Tensor<1, dim> perpendicular(const dealii::Tensor<1, dim> &vector,
                                     const dealii::Tensor<1, dim> &unit) {
  return vector - (vector * unit) * unit;
}

/// Returns the derivatives with respect to a vector from those with respect to its direction.
template <int dim>
dealii::Tensor<1, dim> vector_adjoint(const dealii::Tensor<1, dim> &direction_adjoint,
                                      const dealii::Tensor<1, dim> &vector) {
  const double norm = vector.norm();
  return perpendicular(direction_adjoint, vector / norm) / norm;
}

/// Mean of the positions of points, weighted with integrals, relative to an origin.
template <int dim>
struct MeanPosition {
  dealii::Tensor<1, dim> position; ///< [length]
  double sum;                      ///< sum of the integrals
};

/// Returns the mean position, with an integral of its own at the origin.
template <int dim>
MeanPosition<dim> mean_position(const NumberWeights<double> &integrals, double origin_integral,
                                const std::vector<dealii::Point<dim>> &points,
                                const dealii::Point<dim> &origin) {
  MeanPosition<dim> mean{{}, origin_integral};
  for (const auto &[point, integral] : integrals) {
    mean.position += integral * (points[point] - origin);
    mean.sum += integral;
  }
  mean.position /= mean.sum;
  return mean;
}

/// Adds the derivatives of the mean position along a direction to gradients; returns those with
/// respect to the integrals.
template <int dim>
NumberWeights<double>
differentiate_mean(const MeanPosition<dim> &mean, const NumberWeights<double> &integrals,
                   const dealii::Tensor<1, dim> &direction,
                   const std::vector<dealii::Point<dim>> &points, const dealii::Point<dim> &origin,
                   PointGradients<dim> &gradients) {
  NumberWeights<double> adjoints;
  adjoints.reserve(integrals.size());
  for (const auto &[point, integral] : integrals) {
    add_gradient(gradients, point, integral / mean.sum * direction);
    adjoints.emplace_back(point, (points[point] - origin - mean.position) * direction / mean.sum);
  }
  return adjoints;
}

/// Derivatives of a gap with respect to the integrals from which it follows.
struct IntegralAdjoints {
  double own_area = 0;
  NumberWeights<double> carrier, opposite, covered_facets; ///< by ascending points or facets
};

/// Contact at an end of an edge, or at a corner of a facet: derivatives of its gap with respect to
/// integrals, and gradients to which derivatives are added; null pointers if there is none.
template <int dim>
struct GradientTarget {
  const IntegralAdjoints *adjoints = nullptr;
  PointGradients<dim> *carrier = nullptr, *opposite = nullptr;
};

/// Returns the entry of an index; zero if there is none.
double entry(const NumberWeights<double> &adjoints, unsigned int index);

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
template <int dim>
void complete_gradients(bool is_axisymmetric, MortarContact<dim> &contact);

} // namespace percussion
