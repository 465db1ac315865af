#pragma once

#include <deal.II/base/point.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace percussion {

/// Returns the square of the distance between the segments from a to b and from c to d (C. Ericson
/// 2005, section 5.1.9).
template <int dim>
double squared_distance(const dealii::Point<dim> &a, const dealii::Point<dim> &b,
                        const dealii::Point<dim> &c, const dealii::Point<dim> &d) {
  const dealii::Tensor<1, dim> first = b - a, second = d - c, start = a - c;
  const double aa = first * first, bb = second * second, ab = first * second,
               first_start = first * start, bs = second * start, square = aa * bb - ab * ab;
  const auto fraction = [](double numerator, double denominator) {
    return denominator > 0. ? std::clamp(numerator / denominator, 0., 1.) : 0.;
  };
  double s = fraction(ab * bs - first_start * bb, square);
  const double t = fraction(ab * s + bs, bb);
  s = fraction(ab * t - first_start, aa); // nearest to the clamped point of the second segment
  return (start + s * first - t * second).norm_square();
}

/// Returns the square of the distance of a point from a convex facet in space that is in front of
/// the point or behind it; infinity if the foot point is outside.
inline double squared_height(const dealii::Point<3> &x, const std::vector<dealii::Point<3>> &facet,
                             const dealii::Tensor<1, 3> &normal) {
  for (std::size_t i = 0; i < facet.size(); ++i) {
    const dealii::Tensor<1, 3> edge = facet[(i + 1) % facet.size()] - facet[i];
    if (normal * cross_product_3d(edge, x - facet[i]) < 0.)
      return std::numeric_limits<double>::infinity();
  }
  const double height = normal * (x - facet[0]);
  return height * height;
}

/// Returns the square of the distance between two facets that do not cross: segments in the plane,
/// convex polygons in space with these normals.
template <int dim>
double squared_distance(const std::vector<dealii::Point<dim>> &first,
                        const std::vector<dealii::Point<dim>> &second,
                        const dealii::Tensor<1, dim> &first_normal,
                        const dealii::Tensor<1, dim> &second_normal) {
  double smallest = std::numeric_limits<double>::infinity();
  const std::size_t n_edges = dim == 2 ? 1 : first.size(), m_edges = dim == 2 ? 1 : second.size();
  for (std::size_t i = 0; i < n_edges; ++i)
    for (std::size_t j = 0; j < m_edges; ++j)
      smallest = std::min(smallest, squared_distance(first[i], first[(i + 1) % first.size()],
                                                     second[j], second[(j + 1) % second.size()]));
  if constexpr (dim == 3) {
    for (const auto &x : first)
      smallest = std::min(smallest, squared_height(x, second, second_normal));
    for (const auto &x : second)
      smallest = std::min(smallest, squared_height(x, first, first_normal));
  }
  return smallest;
}

} // namespace percussion
