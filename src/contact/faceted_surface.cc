#include <percussion/base/error.h>
#include <percussion/contact/faceted_surface.h>

#include <algorithm>
#include <boost/geometry/algorithms/comparable_distance.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/geometry/strategies/strategies.hpp>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace percussion {
namespace {

namespace geometry = boost::geometry;

/// Cosine of the angle up to which facets are nearly coplanar, 30°.
constexpr double smooth_cosine = 0.866;
/// Ratio of the distance of a position to the size of a facet below which it is on the surface.
constexpr double touching = 1e-9;

template <int dim>
using TreePoint = geometry::model::point<double, dim, geometry::cs::cartesian>;

template <int dim>
TreePoint<dim> tree_point(const dealii::Point<dim> &x) {
  TreePoint<dim> point;
  geometry::set<0>(point, x[0]);
  geometry::set<1>(point, x[1]);
  if constexpr (dim == 3)
    geometry::set<2>(point, x[2]);
  return point;
}

/// Returns the normal of a facet, of the length of its size (in space twice its area).
dealii::Tensor<1, 2> normal_of(const std::array<dealii::Point<2>, 2> &x) {
  const dealii::Tensor<1, 2> side = x[1] - x[0];
  return dealii::Tensor<1, 2>({-side[1], side[0]});
}
dealii::Tensor<1, 3> normal_of(const std::array<dealii::Point<3>, 3> &x) {
  return cross_product_3d(x[1] - x[0], x[2] - x[0]);
}

/// Returns the weights of the corners in the nearest point of a segment.
std::array<double, 2> nearest_weights(const std::array<dealii::Point<2>, 2> &c,
                                      const dealii::Point<2> &x) {
  const dealii::Tensor<1, 2> side = c[1] - c[0];
  const double s = std::clamp(side * (x - c[0]) / side.norm_square(), 0., 1.);
  return {1. - s, s};
}

/// Returns the weights of the corners in the nearest point of a triangle (C. Ericson 2005, section
/// 5.1.5).
std::array<double, 3> nearest_weights(const std::array<dealii::Point<3>, 3> &c,
                                      const dealii::Point<3> &x) {
  const dealii::Tensor<1, 3> ab = c[1] - c[0], ac = c[2] - c[0], from_a = x - c[0];
  const double d1 = ab * from_a, d2 = ac * from_a;
  if (d1 <= 0. && d2 <= 0.)
    return {1., 0., 0.};
  const dealii::Tensor<1, 3> from_b = x - c[1];
  const double d3 = ab * from_b, d4 = ac * from_b;
  if (d3 >= 0. && d4 <= d3)
    return {0., 1., 0.};
  const double area_c = d1 * d4 - d3 * d2;
  if (area_c <= 0. && d1 >= 0. && d3 <= 0.)
    return {1. - d1 / (d1 - d3), d1 / (d1 - d3), 0.};
  const dealii::Tensor<1, 3> from_c = x - c[2];
  const double d5 = ab * from_c, d6 = ac * from_c;
  if (d6 >= 0. && d5 <= d6)
    return {0., 0., 1.};
  const double area_b = d5 * d2 - d1 * d6;
  if (area_b <= 0. && d2 >= 0. && d6 <= 0.)
    return {1. - d2 / (d2 - d6), 0., d2 / (d2 - d6)};
  const double area_a = d3 * d6 - d5 * d4;
  if (area_a <= 0. && d4 >= d3 && d5 >= d6) {
    const double t = (d4 - d3) / (d4 - d3 + d5 - d6);
    return {0., 1. - t, t};
  }
  const double sum = area_a + area_b + area_c;
  return {area_a / sum, area_b / sum, area_c / sum};
}

/// Returns the angle of a facet at a corner; in the plane the corners of a line count alike.
double corner_angle(const std::array<dealii::Point<2>, 2> &, unsigned int) { return 1.; }
double corner_angle(const std::array<dealii::Point<3>, 3> &c, unsigned int i) {
  const dealii::Tensor<1, 3> a = c[(i + 1) % 3] - c[i], b = c[(i + 2) % 3] - c[i];
  return std::atan2(cross_product_3d(a, b).norm(), a * b);
}

template <int dim, typename Facet>
std::array<dealii::Point<dim>, dim> positions(const std::vector<dealii::Point<dim>> &points,
                                              const Facet &facet) {
  std::array<dealii::Point<dim>, dim> x;
  for (unsigned int i = 0; i < dim; ++i)
    x[i] = points[facet[i]];
  return x;
}

template <int dim>
dealii::Tensor<1, dim> unit_or(const dealii::Tensor<1, dim> &vector,
                               const dealii::Tensor<1, dim> &otherwise) {
  const double length = vector.norm();
  return length > 1e-6 ? vector / length : otherwise;
}

} // namespace

template <int dim>
struct FacetedSurface<dim>::Tree {
  using Item = std::pair<geometry::model::box<TreePoint<dim>>, unsigned int>;
  geometry::index::rtree<Item, geometry::index::rstar<16>> boxes;
};

template <int dim>
FacetedSurface<dim>::FacetedSurface(std::vector<dealii::Point<dim>> points,
                                    std::vector<Facet> facets)
    : corners(std::move(points)), corners_of_facets(std::move(facets)) {
  if (corners_of_facets.empty())
    throw InputError("the surface has no facets");
  std::vector<typename Tree::Item> items;
  for (unsigned int f = 0; f < corners_of_facets.size(); ++f) {
    const auto x = positions<dim>(corners, corners_of_facets[f]);
    const dealii::Tensor<1, dim> normal = normal_of(x);
    double longest = 0;
    for (unsigned int i = 0; i < dim; ++i)
      longest = std::max(longest, x[i].distance(x[(i + 1) % dim]));
    if (!(normal.norm() > 1e-12 * std::pow(longest, dim - 1)))
      throw InputError("facet " + std::to_string(f + 1) + " of the surface has no size");
    normals.push_back(normal / normal.norm());
    dealii::Point<dim> low = x[0], high = x[0];
    for (const auto &corner : x)
      for (unsigned int d = 0; d < dim; ++d) {
        low[d] = std::min(low[d], corner[d]);
        high[d] = std::max(high[d], corner[d]);
      }
    items.push_back({{tree_point<dim>(low), tree_point<dim>(high)}, f});
  }
  auto packed = std::make_shared<Tree>();
  packed->boxes = decltype(packed->boxes)(items);
  tree = std::move(packed);
  set_normals();
  find_sharp_features();
}

template <int dim>
void FacetedSurface<dim>::set_normals() {
  std::vector<std::vector<std::pair<unsigned int, double>>> around(corners.size());
  for (unsigned int f = 0; f < corners_of_facets.size(); ++f)
    for (unsigned int i = 0; i < dim; ++i)
      around[corners_of_facets[f][i]].emplace_back(
          f, corner_angle(positions<dim>(corners, corners_of_facets[f]), i));
  mean_normals.resize(corners.size());
  for (unsigned int v = 0; v < corners.size(); ++v)
    for (const auto &[f, angle] : around[v])
      mean_normals[v] += angle * normals[f];
  corner_normals.resize(corners_of_facets.size());
  sharp.assign(corners_of_facets.size(), 0);
  for (unsigned int f = 0; f < corners_of_facets.size(); ++f)
    for (unsigned int i = 0; i < dim; ++i) {
      const unsigned int v = corners_of_facets[f][i];
      mean_normals[v] = unit_or(mean_normals[v], normals[f]);
      dealii::Tensor<1, dim> sum;
      for (const auto &[other, angle] : around[v]) {
        if (normals[other] * normals[f] >= smooth_cosine)
          sum += angle * normals[other];
        else
          sharp[f] |= static_cast<unsigned char>(1u << i);
      }
      corner_normals[f][i] = sum / sum.norm();
    }
}

/// An edge is given by its corners; in the plane a corner takes its place.
template <int dim>
void FacetedSurface<dim>::find_sharp_features() {
  using Edge = std::array<unsigned int, dim - 1>;
  const auto edge_of = [&](unsigned int f, unsigned int i) {
    const Facet &facet = corners_of_facets[f];
    Edge edge;
    if constexpr (dim == 2)
      edge = {facet[i]};
    else {
      edge = {facet[(i + 1) % 3], facet[(i + 2) % 3]};
      std::sort(edge.begin(), edge.end());
    }
    return edge;
  };
  std::map<Edge, std::vector<unsigned int>> facets_of_edge;
  for (unsigned int f = 0; f < corners_of_facets.size(); ++f)
    for (unsigned int i = 0; i < dim; ++i)
      facets_of_edge[edge_of(f, i)].push_back(f);
  border.assign(corners_of_facets.size(), 0);
  edge_normals.resize(corners_of_facets.size());
  std::vector<bool> on_border(corners.size(), false);
  for (const auto &[edge, neighbours] : facets_of_edge)
    if (neighbours.size() == 1) {
      ++border_size;
      for (const unsigned int v : edge)
        on_border[v] = true;
    }
  for (unsigned int f = 0; f < corners_of_facets.size(); ++f)
    for (unsigned int i = 0; i < dim; ++i) {
      const auto &neighbours = facets_of_edge[edge_of(f, i)];
      const auto edge_bit = static_cast<unsigned char>(dim == 2 ? 1u << i : 8u << i);
      if (neighbours.size() == 1)
        border[f] |= edge_bit;
      if (on_border[corners_of_facets[f][i]])
        border[f] |= static_cast<unsigned char>(1u << i);
      for (const unsigned int other : neighbours) {
        edge_normals[f][i] += normals[other];
        if (normals[other] * normals[f] < smooth_cosine) {
          sharp[f] |= edge_bit;
          for (const unsigned int corner : corners_of_facets[other])
            found_ridges = found_ridges ||
                           normals[f] * (corners[corner] - corners[corners_of_facets[f][0]]) < 0.;
        }
      }
      edge_normals[f][i] = unit_or(edge_normals[f][i], normals[f]);
    }
}

template <int dim>
typename FacetedSurface<dim>::Foot FacetedSurface<dim>::foot_on(unsigned int facet,
                                                                const dealii::Point<dim> &x) const {
  const auto c = positions<dim>(corners, corners_of_facets[facet]);
  Foot foot{facet, nearest_weights(c, x), 0.};
  dealii::Tensor<1, dim> from_foot = x - c[0];
  for (unsigned int i = 1; i < dim; ++i)
    from_foot -= foot.weight[i] * (c[i] - c[0]);
  foot.square = from_foot.norm_square();
  return foot;
}

/// The facets of the nearest boxes are compared, of more and more boxes until one is farther than
/// the best facet. Of facets that are as near, at a common edge, the first one counts.
template <int dim>
typename FacetedSurface<dim>::Foot FacetedSurface<dim>::nearest(const dealii::Point<dim> &x) const {
  const TreePoint<dim> point = tree_point<dim>(x);
  const std::size_t n_facets = corners_of_facets.size();
  Foot best = foot_on(0, x); // also of positions that are not finite
  std::vector<typename Tree::Item> items;
  for (std::size_t n_boxes = 8;; n_boxes *= 8) {
    items.clear();
    tree->boxes.query(geometry::index::nearest(point, static_cast<unsigned int>(n_boxes)),
                      std::back_inserter(items));
    double farthest_box = 0;
    for (const auto &[box, facet] : items) {
      farthest_box = std::max(farthest_box, geometry::comparable_distance(point, box));
      const Foot foot = foot_on(facet, x);
      if (foot.square < best.square || (foot.square == best.square && foot.facet < best.facet))
        best = foot;
    }
    if (n_boxes >= n_facets || farthest_box > best.square)
      return best;
  }
}

template <int dim>
typename FacetedSurface<dim>::Gap FacetedSurface<dim>::gap(const dealii::Point<dim> &x) const {
  const Foot foot = nearest(x);
  const Facet &facet = corners_of_facets[foot.facet];
  dealii::Point<dim> foot_point;
  dealii::Tensor<1, dim> interpolated;
  unsigned int n_zero = 0, last_zero = 0, last_used = 0;
  for (unsigned int i = 0; i < dim; ++i) {
    foot_point += foot.weight[i] * dealii::Tensor<1, dim>(corners[facet[i]]);
    interpolated += foot.weight[i] * corner_normals[foot.facet][i];
    (foot.weight[i] == 0. ? last_zero : last_used) = i;
    n_zero += foot.weight[i] == 0. ? 1 : 0;
  }
  interpolated /= interpolated.norm();
  const dealii::Tensor<1, dim> from_foot = x - foot_point;
  const double distance = from_foot.norm();
  if (n_zero == 0) {
    const double side = from_foot * normals[foot.facet];
    return {side, interpolated};
  }
  const bool is_corner = n_zero == dim - 1;
  const unsigned int bit = is_corner ? 1u << last_used : 8u << last_zero;
  const dealii::Tensor<1, dim> &pseudonormal =
      is_corner ? mean_normals[facet[last_used]] : edge_normals[foot.facet][last_zero];
  const double size = corners[facet[0]].distance(corners[facet[1]]);
  if ((border[foot.facet] & bit) != 0)
    return distance > touching * size ? Gap{distance, from_foot / distance}
                                      : Gap{from_foot * pseudonormal, pseudonormal};
  const double sign = from_foot * pseudonormal < 0. ? -1. : 1.;
  if ((sharp[foot.facet] & bit) == 0)
    return {sign * distance, interpolated};
  return {sign * distance, distance > touching * size ? sign / distance * from_foot : pseudonormal};
}

template class FacetedSurface<2>;
template class FacetedSurface<3>;

} // namespace percussion
