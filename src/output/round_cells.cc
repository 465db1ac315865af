#include "round_cells.h"

#include <percussion/contact/surface.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Circle of points around an axis.
struct Circle {
  dealii::Point<3> centre;
  double radius;
};

/// Adds the points of a circle, counter-clockwise about the axis, and returns the first.
unsigned int add_points(const Circle &circle, const dealii::Tensor<1, 3> &axis, unsigned int n,
                        ConvexShape &cell) {
  const auto first = static_cast<unsigned int>(cell.vertices.size());
  const auto frame = local_frame<3>(axis);
  for (unsigned int i = 0; i < n; ++i) {
    const double angle = 2 * dealii::numbers::PI * i / n;
    cell.vertices.push_back(
        circle.centre + circle.radius * (std::cos(angle) * frame[1] + std::sin(angle) * frame[2]));
  }
  return first;
}

/// Returns the circles of latitude of a capsule from end to end, except the poles.
std::vector<Circle> latitudes(const ConvexShape &capsule, const dealii::Tensor<1, 3> &axis,
                              unsigned int n) {
  std::vector<Circle> circles;
  for (unsigned int k = 0; k < 2 * n; ++k) {
    const bool is_lower = k < n;
    const unsigned int latitude = is_lower ? n - 1 - k : k - n;
    const double angle = 0.5 * dealii::numbers::PI * latitude / n;
    circles.push_back({capsule.vertices[is_lower ? 0 : 1] +
                           (is_lower ? -1. : 1.) * capsule.radius * std::sin(angle) * axis,
                       capsule.radius * std::cos(angle)});
  }
  return circles;
}

/// Closes one end with a polygon, or with triangles around a pole.
void close_end(unsigned int first, unsigned int n, bool is_lower, const dealii::Point<3> *pole,
               ConvexShape &cell) {
  std::vector<unsigned int> ring;
  for (unsigned int i = 0; i < n; ++i)
    ring.push_back(first + (is_lower ? n - 1 - i : i));
  if (pole == nullptr) {
    cell.faces.push_back(ring);
    return;
  }
  const auto pole_vertex = static_cast<unsigned int>(cell.vertices.size());
  cell.vertices.push_back(*pole);
  for (unsigned int i = 0; i < n; ++i)
    cell.faces.push_back({ring[i], ring[(i + 1) % n], pole_vertex});
}

} // namespace

ConvexShape round_cell(const ConvexShape &shape, unsigned int n_points) {
  constexpr unsigned int most_around = 36, fewest_around = 6;
  const dealii::Point<3> &begin = shape.vertices[0], &end = shape.vertices[1];
  const dealii::Tensor<1, 3> axis = (end - begin) / begin.distance(end);
  const double n_wanted = shape.is_cylinder() ? 0.5 * n_points : std::sqrt(2. * n_points);
  const unsigned int n =
      std::clamp(static_cast<unsigned int>(n_wanted), fewest_around, most_around);
  const auto circles = shape.is_cylinder()
                           ? std::vector<Circle>{{begin, shape.radius}, {end, shape.radius}}
                           : latitudes(shape, axis, std::max(1u, n_points / (2 * n)));
  ConvexShape cell;
  for (std::size_t k = 0; k < circles.size(); ++k) {
    const unsigned int first = add_points(circles[k], axis, n, cell);
    for (unsigned int i = 0; k > 0 && i < n; ++i)
      cell.faces.push_back(
          {first - n + i, first - n + (i + 1) % n, first + (i + 1) % n, first + i});
  }
  const auto last = static_cast<unsigned int>(cell.vertices.size()) - n;
  const dealii::Point<3> lower_pole = begin - shape.radius * axis,
                         upper_pole = end + shape.radius * axis;
  close_end(0, n, true, shape.is_cylinder() ? nullptr : &lower_pole, cell);
  close_end(last, n, false, shape.is_cylinder() ? nullptr : &upper_pole, cell);
  return cell;
}

} // namespace percussion
