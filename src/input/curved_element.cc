#include "curved_element.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace percussion {
namespace {

/// Returns the value of the linear shape function of a corner of a simplex or hypercube at a point.
double shape_value(const double *corner, const double *point, unsigned int dimension,
                   bool is_simplex, const std::array<double, 2> &range) {
  const auto fraction = [&](const double *x, unsigned int d) {
    return (x[d] - range[0]) / (range[1] - range[0]);
  };
  if (!is_simplex) {
    double product = 1;
    for (unsigned int d = 0; d < dimension; ++d)
      product *= fraction(corner, d) > 0.5 ? fraction(point, d) : 1. - fraction(point, d);
    return product;
  }
  double first_fraction = 1;
  for (unsigned int d = 0; d < dimension; ++d) {
    if (fraction(corner, d) > 0.5)
      return fraction(point, d);
    first_fraction -= fraction(point, d);
  }
  return first_fraction;
}

double distance(const std::array<double, 3> &a, const std::array<double, 3> &b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// Returns the largest distance of two corners.
double size_of(const std::vector<std::array<double, 3>> &nodes, unsigned int n_corners) {
  double size = 0;
  for (unsigned int i = 0; i < n_corners; ++i)
    for (unsigned int j = 0; j < i; ++j)
      size = std::max(size, distance(nodes[i], nodes[j]));
  return size;
}

} // namespace

double curvature(const std::vector<std::array<double, 3>> &nodes, const std::vector<double> &local,
                 unsigned int dimension, unsigned int n_corners) {
  const auto n_local = local.begin() + static_cast<std::ptrdiff_t>(n_corners * dimension);
  const std::array<double, 2> range = {*std::min_element(local.begin(), n_local),
                                       *std::max_element(local.begin(), n_local)};
  double largest = 0;
  for (std::size_t node = n_corners; node < nodes.size(); ++node) {
    std::array<double, 3> straight{};
    for (unsigned int corner = 0; corner < n_corners; ++corner) {
      const double value =
          shape_value(&local[std::size_t(corner) * dimension], &local[node * dimension], dimension,
                      n_corners == dimension + 1, range);
      for (unsigned int d = 0; d < 3; ++d)
        straight[d] += value * nodes[corner][d];
    }
    largest = std::max(largest, distance(straight, nodes[node]));
  }
  const double size = size_of(nodes, n_corners);
  return size > 0. ? largest / size : 0.;
}

double curvature(const std::vector<std::array<double, 3>> &nodes, unsigned int n_corners,
                 const std::vector<std::vector<unsigned int>> &middles) {
  double largest = 0;
  for (std::size_t node = n_corners; node < nodes.size(); ++node) {
    const auto &corners = middles[node - n_corners];
    std::array<double, 3> straight{};
    for (const unsigned int corner : corners)
      for (unsigned int d = 0; d < 3; ++d)
        straight[d] += nodes[corner][d] / static_cast<double>(corners.size());
    largest = std::max(largest, distance(straight, nodes[node]));
  }
  const double size = size_of(nodes, n_corners);
  return size > 0. ? largest / size : 0.;
}

std::vector<std::string> remark_on_curvature(double curvature) {
  constexpr double digits_of_files = 1e-6;
  if (curvature < digits_of_files)
    return {};
  char text[200];
  std::snprintf(text, sizeof text,
                "elements of second order are curved: nodes are up to %.2g of the size of their "
                "element away from straight edges; cells are straight, with their corners in place "
                "(Gmsh: Mesh.SecondOrderLinear = 1)",
                curvature);
  return {text};
}

} // namespace percussion
