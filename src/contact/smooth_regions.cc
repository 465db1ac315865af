#include "smooth_regions.h"

#include <algorithm>

namespace percussion {

std::array<CornerWeights, 4> point_functions(unsigned int n) {
  std::array<CornerWeights, 4> B{};
  if (n == 3) {
    for (unsigned int k = 0; k < 3; ++k)
      B[k] = {k == 0 ? 5. / 3. : -1. / 3., k == 1 ? 5. / 3. : -1. / 3., k == 2 ? 5. / 3. : -1. / 3.,
              0.};
    return B;
  }
  const std::array<std::array<double, 2>, 2> corner = {gauss_functions(0.), gauss_functions(1.)};
  constexpr unsigned int s[] = {0, 1, 1, 0}, t[] = {0, 0, 1, 1}; // coordinates of the corners
  for (unsigned int k = 0; k < 4; ++k)
    for (unsigned int i = 0; i < 4; ++i)
      B[k][i] = corner[s[i]][s[k]] * corner[t[i]][t[k]];
  return B;
}

namespace {

/// Returns the shape functions of a facet with n corners at its quadrature point k.
CornerWeights shapes_at_point(unsigned int n, unsigned int k) {
  if (n == 3)
    return {k == 0 ? 2. / 3. : 1. / 6., k == 1 ? 2. / 3. : 1. / 6., k == 2 ? 2. / 3. : 1. / 6., 0.};
  const std::array<double, 2> near = {1. - first_gauss_point, first_gauss_point};
  constexpr unsigned int s[] = {0, 1, 1, 0}, t[] = {0, 0, 1, 1};
  CornerWeights N{};
  for (unsigned int i = 0; i < 4; ++i)
    N[i] = near[s[i] != s[k]] * near[t[i] != t[k]];
  return N;
}

} // namespace

SmoothRegions::SmoothRegions(const FacetSurface &surface, double corner)
    : region_of(surface.facets.size()) {
  std::vector<std::vector<unsigned int>> point_facets(surface.points.size());
  std::vector<dealii::Tensor<1, 3>> normals;
  for (unsigned int f = 0; f < surface.facets.size(); ++f) {
    normals.push_back(surface.normal(f));
    region_of[f].resize(surface.facets[f].size());
    for (const unsigned int point : surface.facets[f])
      point_facets[point].push_back(f);
  }
  for (unsigned int point = 0; point < point_facets.size(); ++point)
    add_parts(surface, point, point_facets[point], normals, corner);
}

void SmoothRegions::set_apart(unsigned int facet, unsigned int corner) {
  const unsigned int region = region_of[facet][corner];
  const auto [found, is_new] = apart.emplace(region, static_cast<unsigned int>(sums.size()));
  region_of[facet][corner] = found->second;
  if (!is_new)
    return;
  RegionSum sum;
  sum.point = sums[region].point;
  sum.side = sums[region].side + n_regions[sum.point];
  sums.push_back(sum);
  const std::vector<unsigned int> facets = region_facets[region];
  region_facets.push_back(facets);
}

void add_normal_gradients(const FacetSurface &surface, unsigned int facet,
                          const dealii::Tensor<1, 3> &adjoint, PointGradients<3> &gradients) {
  const auto &c = surface.facets[facet];
  const bool is_triangle = c.size() == 3;
  const unsigned int first = c[0], second = is_triangle ? c[0] : c[1];
  const dealii::Tensor<1, 3> a = surface.points[is_triangle ? c[1] : c[2]] - surface.points[first],
                             b = surface.points[is_triangle ? c[2] : c[3]] - surface.points[second];
  const dealii::Tensor<1, 3> product_adjoint = vector_adjoint(adjoint, cross_product_3d(a, b)),
                             a_adjoint = cross_product_3d(b, product_adjoint),
                             b_adjoint = cross_product_3d(product_adjoint, a);
  add_gradient(gradients, first, -a_adjoint);
  add_gradient(gradients, is_triangle ? c[1] : c[2], a_adjoint);
  add_gradient(gradients, second, -b_adjoint);
  add_gradient(gradients, is_triangle ? c[2] : c[3], b_adjoint);
}

void SmoothRegions::add_region_gradients(const FacetSurface &surface, std::size_t region,
                                         const dealii::Tensor<1, 3> &adjoint,
                                         PointGradients<3> &gradients) const {
  const auto sum_adjoint = vector_adjoint(adjoint, normal_sum(surface, region));
  for (const unsigned int facet : region_facets[region])
    percussion::add_normal_gradients(surface, facet, sum_adjoint, gradients);
}

void SmoothRegions::add_normal_gradients(const FacetSurface &surface, std::size_t sum,
                                         const dealii::Tensor<1, 3> &adjoint,
                                         PointGradients<3> &gradients) const {
  if (regions_of_points.empty())
    return add_region_gradients(surface, sum, adjoint, gradients);
  const auto mean_adjoint = vector_adjoint(adjoint, mean_normal(surface, sum));
  for (const auto &[region, weight] : regions_of_points[sum])
    add_region_gradients(surface, region, weight * mean_adjoint, gradients);
}

void SmoothRegions::divide_into_points() {
  std::vector<RegionSum> point_sums;
  for (std::vector<unsigned int> &regions : region_of) {
    const auto n = static_cast<unsigned int>(regions.size());
    const std::vector<unsigned int> corner_regions = regions;
    for (unsigned int k = 0; k < n; ++k) {
      RegionSum sum;
      sum.point = regions[k] = static_cast<unsigned int>(point_sums.size());
      const CornerWeights N = shapes_at_point(n, k);
      NumberWeights<double> &weights = regions_of_points.emplace_back();
      for (unsigned int i = 0; i < n; ++i)
        weights.emplace_back(corner_regions[i], N[i]);
      point_sums.push_back(sum);
    }
  }
  sums = std::move(point_sums);
}

void SmoothRegions::add_parts(const FacetSurface &surface, unsigned int point,
                              const std::vector<unsigned int> &facets,
                              const std::vector<dealii::Tensor<1, 3>> &normals, double corner) {
  const auto share_edge = [&](unsigned int a, unsigned int b) {
    for (const unsigned int p : surface.facets[a])
      for (const unsigned int q : surface.facets[b])
        if (p == q && p != point)
          return true;
    return false;
  };
  std::vector<bool> is_assigned(facets.size(), false);
  n_regions.push_back(0);
  for (unsigned int i = 0, side = 0; i < facets.size(); ++i) {
    if (is_assigned[i])
      continue;
    RegionSum sum;
    sum.point = point;
    sum.side = side++;
    n_regions.back() = side;
    region_facets.emplace_back();
    std::vector<unsigned int> front = {i};
    is_assigned[i] = true;
    while (!front.empty()) {
      const unsigned int f = facets[front.back()];
      front.pop_back();
      region_facets.back().push_back(f);
      const auto &corners = surface.facets[f];
      region_of[f][static_cast<std::size_t>(std::find(corners.begin(), corners.end(), point) -
                                            corners.begin())] =
          static_cast<unsigned int>(sums.size());
      for (unsigned int j = 0; j < facets.size(); ++j)
        if (!is_assigned[j] && normals[f] * normals[facets[j]] > corner &&
            share_edge(f, facets[j])) {
          is_assigned[j] = true;
          front.push_back(j);
        }
    }
    sums.push_back(sum);
  }
}

} // namespace percussion
