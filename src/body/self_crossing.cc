#include <percussion/body/boundary_of_body.h>
#include <percussion/body/self_crossing.h>

#include <array>
#include <cmath>

namespace percussion {
namespace {

/// Boundary simplices with their corners and bounding boxes.
template <int dim>
struct Simplex {
  std::array<dealii::Point<dim>, dim> x;
  std::array<unsigned int, dim> nodes;
  dealii::Point<dim> lower, upper;
};

template <int dim>
Simplex<dim> simplex_of(const BoundaryOfBody<dim> &boundary,
                        const std::array<unsigned int, dim> &nodes) {
  Simplex<dim> simplex;
  simplex.nodes = nodes;
  for (unsigned int i = 0; i < dim; ++i)
    simplex.x[i] = boundary.x(nodes[i]);
  simplex.lower = simplex.upper = simplex.x[0];
  for (const auto &x : simplex.x)
    for (unsigned int d = 0; d < dim; ++d) {
      simplex.lower[d] = std::min(simplex.lower[d], x[d]);
      simplex.upper[d] = std::max(simplex.upper[d], x[d]);
    }
  return simplex;
}

std::vector<Simplex<2>> simplices(const BoundaryOfBody<2> &boundary) {
  std::vector<Simplex<2>> all;
  for (const auto &face : boundary.faces)
    all.push_back(simplex_of<2>(boundary, {face[0], face[1]}));
  return all;
}

/// Returns the triangles of a boundary. Quadrilaterals, in deal.II's order of corners, are split
/// into two triangles.
std::vector<Simplex<3>> simplices(const BoundaryOfBody<3> &boundary) {
  std::vector<Simplex<3>> all;
  for (const auto &face : boundary.faces) {
    all.push_back(simplex_of<3>(boundary, {face[0], face[1], face[face.size() - 1]}));
    if (face.size() == 4)
      all.push_back(simplex_of<3>(boundary, {face[0], face[3], face[2]}));
  }
  return all;
}

template <int dim>
bool may_cross(const Simplex<dim> &a, const Simplex<dim> &b) {
  for (unsigned int d = 0; d < dim; ++d)
    if (a.upper[d] < b.lower[d] || b.upper[d] < a.lower[d])
      return false;
  for (const unsigned int i : a.nodes)
    for (const unsigned int j : b.nodes)
      if (i == j)
        return false;
  return true;
}

/// Returns twice the signed area of a triangle, or six times the volume of a tetrahedron.
double orientation(const dealii::Point<2> &a, const dealii::Point<2> &b,
                   const dealii::Point<2> &x) {
  return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
}
double orientation(const dealii::Point<3> &a, const dealii::Point<3> &b, const dealii::Point<3> &c,
                   const dealii::Point<3> &x) {
  return cross_product_3d(b - a, c - a) * (x - a);
}

/// Returns the point where the segment from x to y crosses a simplex, between its ends and by more
/// than round-off; no value if it does not.
std::optional<dealii::Point<2>> crossing(const dealii::Point<2> &x, const dealii::Point<2> &y,
                                         const Simplex<2> &s) {
  const double at_x = orientation(s.x[0], s.x[1], x), at_y = orientation(s.x[0], s.x[1], y);
  const double first = orientation(x, y, s.x[0]), second = orientation(x, y, s.x[1]);
  const double round_off = 1e-9 * (s.x[0].distance_square(s.x[1]) + x.distance_square(y));
  if (at_x * at_y >= 0. || first * second >= 0. ||
      std::min({std::abs(at_x), std::abs(at_y), std::abs(first), std::abs(second)}) < round_off)
    return {};
  return x + at_x / (at_x - at_y) * (y - x);
}
std::optional<dealii::Point<3>> crossing(const dealii::Point<3> &x, const dealii::Point<3> &y,
                                         const Simplex<3> &s) {
  const double at_x = orientation(s.x[0], s.x[1], s.x[2], x),
               at_y = orientation(s.x[0], s.x[1], s.x[2], y);
  const double size = s.lower.distance(s.upper) + x.distance(y),
               round_off = 1e-9 * size * size * size;
  if (at_x * at_y >= 0. || std::min(std::abs(at_x), std::abs(at_y)) < round_off)
    return {};
  std::array<double, 3> volumes;
  for (unsigned int i = 0; i < 3; ++i)
    volumes[i] = orientation(x, y, s.x[i], s.x[(i + 1) % 3]);
  const auto [least, most] = std::minmax_element(volumes.begin(), volumes.end());
  if (*least<round_off && * most> - round_off)
    return {};
  return x + at_x / (at_x - at_y) * (y - x);
}

template <int dim>
std::optional<dealii::Point<dim>> crossing(const Simplex<dim> &a, const Simplex<dim> &b) {
  for (unsigned int i = 0; i < (dim == 2 ? 1 : 3); ++i) {
    if (const auto found = crossing(a.x[i], a.x[(i + 1) % dim], b))
      return found;
    if (const auto found = crossing(b.x[i], b.x[(i + 1) % dim], a))
      return found;
  }
  return {};
}

} // namespace

template <int dim>
std::optional<dealii::Point<dim>> self_crossing(const ElasticBody<dim> &body, const Vector &q) {
  auto all = simplices(BoundaryOfBody<dim>(body.space, &q));
  std::sort(all.begin(), all.end(),
            [](const auto &a, const auto &b) { return a.lower[0] < b.lower[0]; });
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].lower[0] <= all[i].upper[0]; ++j)
      if (may_cross(all[i], all[j]))
        if (const auto found = crossing(all[i], all[j]))
          return found;
  return {};
}

template std::optional<dealii::Point<2>> self_crossing(const ElasticBody<2> &, const Vector &);
template std::optional<dealii::Point<3>> self_crossing(const ElasticBody<3> &, const Vector &);

} // namespace percussion
