// Gaps and normals of rigid surfaces of facets.

#include <percussion/base/error.h>
#include <percussion/contact/faceted_surface.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using percussion::FacetedSurface;
using Point3 = dealii::Point<3>;
using Vector3 = dealii::Tensor<1, 3>;

/// Returns the triangles of z = height(x, y) over n × n boxes of [−1, 1]².
template <typename Height>
FacetedSurface<3> heights(unsigned int n, const Height &height) {
  std::vector<Point3> points;
  std::vector<FacetedSurface<3>::Facet> triangles;
  for (unsigned int j = 0; j <= n; ++j)
    for (unsigned int i = 0; i <= n; ++i) {
      const double x = -1. + 2. * i / n, y = -1. + 2. * j / n;
      points.emplace_back(x, y, height(x, y));
      if (i < n && j < n) {
        const unsigned int k = j * (n + 1) + i, above = k + n + 1;
        triangles.push_back({k, k + 1, above + 1});
        triangles.push_back({k, above + 1, above});
      }
    }
  return {points, triangles};
}

/// Returns the surface of a cube of edge 2 about the origin, normals outwards.
FacetedSurface<3> cube() {
  std::vector<Point3> points;
  for (unsigned int k = 0; k < 8; ++k)
    points.emplace_back(k % 2 == 0 ? -1. : 1., k / 2 % 2 == 0 ? -1. : 1., k / 4 == 0 ? -1. : 1.);
  return {points,
          {{0, 2, 3},
           {0, 3, 1},
           {4, 5, 7},
           {4, 7, 6},
           {0, 1, 5},
           {0, 5, 4},
           {2, 6, 7},
           {2, 7, 3},
           {0, 4, 6},
           {0, 6, 2},
           {1, 3, 7},
           {1, 7, 5}}};
}

/// A flat floor of many triangles is a plane, to the last bit of its normal, over edges and
/// corners.
TEST(FacetedSurface, FlatFloorIsAPlane) {
  const auto floor = heights(8, [](double, double) { return 0.25; });
  for (const double x : {-0.7, -0.25, 0., 0.1, 0.5})
    for (const double y : {-0.5, -0.25, 0.3})
      for (const double z : {-0.1, 0.25, 0.25 + 1e-12, 0.9}) {
        const auto gap = floor.gap({x, y, z});
        EXPECT_NEAR(gap.distance, z - 0.25, 1e-16) << x << ' ' << y << ' ' << z;
        EXPECT_EQ(gap.normal, Vector3({0., 0., 1.})) << x << ' ' << y << ' ' << z;
      }
  EXPECT_EQ(floor.n_border(), 32U);
  EXPECT_FALSE(floor.has_ridges());
}

/// Against the closed form of a cube: outside and inside, over faces, edges and corners.
TEST(FacetedSurface, DistancesFromACubeAreExact) {
  const auto surface = cube();
  EXPECT_EQ(surface.n_border(), 0U);
  EXPECT_TRUE(surface.has_ridges());
  std::mt19937 random(7);
  std::uniform_real_distribution<double> coordinate(-2., 2.);
  for (unsigned int k = 0; k < 2000; ++k) {
    const Point3 x(coordinate(random), coordinate(random), coordinate(random));
    Vector3 outside;
    double inside = -3.;
    for (unsigned int d = 0; d < 3; ++d) {
      outside[d] = std::max(0., std::abs(x[d]) - 1.);
      inside = std::max(inside, std::abs(x[d]) - 1.);
    }
    const auto gap = surface.gap(x);
    EXPECT_NEAR(gap.distance, inside < 0. ? inside : outside.norm(), 1e-14);
    EXPECT_NEAR(gap.normal.norm(), 1., 1e-14);
    for (unsigned int d = 0; inside > 0. && d < 3; ++d) { // the line from the foot
      EXPECT_NEAR(gap.normal[d] * outside.norm(), std::copysign(outside[d], x[d]), 1e-14);
    }
  }
}

/// The nearest facet that the tree finds is the nearest of all.
TEST(FacetedSurface, FindsTheNearestFacet) {
  const auto wave = [](double x, double y) { return 0.2 * std::sin(4. * x) * std::cos(3. * y); };
  const auto surface = heights(12, wave);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> coordinate(-0.8, 0.8);
  for (unsigned int k = 0; k < 500; ++k) {
    const Point3 x(coordinate(random), coordinate(random), coordinate(random));
    double nearest = 9.;
    for (const auto &facet : surface.facets()) {
      const FacetedSurface<3> single(
          {surface.points()[facet[0]], surface.points()[facet[1]], surface.points()[facet[2]]},
          {{0, 1, 2}});
      nearest = std::min(nearest, std::abs(single.gap(x).distance));
    }
    EXPECT_NEAR(std::abs(surface.gap(x).distance), nearest, 1e-14);
  }
}

/// Facets approximate a smooth surface: gaps of order 2, normals of order 1 or better, which do not
/// jump at edges.
TEST(FacetedSurface, ConvergesToASmoothSurface) {
  const auto bowl = [](double x, double y) { return 2. - std::sqrt(4. - x * x - y * y); };
  std::array<double, 2> gap_error{}, normal_error{};
  for (unsigned int level = 0; level < 2; ++level) {
    const auto surface = heights(10U << level, bowl);
    for (double t = -0.5; t < 0.5; t += 0.0371) {
      const Point3 x(t, 0.3 - 0.2 * t, 0.4);
      const Vector3 to_centre = Point3(0., 0., 2.) - x;
      const auto gap = surface.gap(x);
      gap_error[level] =
          std::max(gap_error[level], std::abs(gap.distance - (2. - to_centre.norm())));
      normal_error[level] =
          std::max(normal_error[level], (gap.normal - to_centre / to_centre.norm()).norm());
    }
  }
  EXPECT_LT(gap_error[0], 6e-3); // square of the longest edge over 8 R, on a slope
  EXPECT_GT(gap_error[0] / gap_error[1], 3.);
  EXPECT_LT(normal_error[0], 0.02);
  EXPECT_GT(normal_error[0] / normal_error[1], 1.8);
}

TEST(FacetedSurface, NormalsDoNotJumpBetweenNearlyCoplanarFacets) {
  const auto surface = heights(10, [](double x, double y) { return 0.1 * x * x - 0.05 * y * y; });
  Vector3 last;
  for (unsigned int k = 0; k <= 4000; ++k) {
    const double x = -0.9 + 1.8 * k / 4000.;
    const auto normal = surface.gap({x, 0.31, 0.1 * x * x}).normal;
    if (k > 0) {
      EXPECT_LT((normal - last).norm(), 1e-3) << x;
    }
    last = normal;
  }
}

/// Beyond the border there is no surface.
TEST(FacetedSurface, EndsAtItsBorder) {
  const auto floor = heights(4, [](double, double) { return 0.; });
  EXPECT_NEAR(floor.gap({1.5, 0.2, -0.3}).distance, std::hypot(0.5, 0.3), 1e-15);
  EXPECT_NEAR(floor.gap({1.3, 1.4, -2.}).distance, std::sqrt(0.09 + 0.16 + 4.), 1e-15);
  EXPECT_LT(floor.gap({0.999, 0.2, -0.3}).distance, 0.);
}

/// A profile in the plane: a ridge and a valley, with the bodies above.
TEST(FacetedSurface, ProfileHasItsBodiesAbove) {
  const FacetedSurface<2> profile({{0., 0.}, {1., 1.}, {2., 0.}, {3., 0.}, {4., 0.}},
                                  {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  EXPECT_TRUE(profile.has_ridges());
  EXPECT_EQ(profile.n_border(), 2U);
  EXPECT_NEAR(profile.gap({1., 1.5}).distance, 0.5, 1e-15);
  EXPECT_NEAR(profile.gap({1.2, 1.5}).normal[0], 0.2 / std::hypot(0.2, 0.5), 1e-14);
  EXPECT_NEAR(profile.gap({1., 0.5}).distance, -0.5 * std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(profile.gap({3., 0.2}).distance, 0.2, 1e-15);
  EXPECT_EQ(profile.gap({3., -0.1}).normal[1], 1.);
  EXPECT_NEAR(profile.gap({5., -1.}).distance, std::sqrt(2.), 1e-15);
}

TEST(FacetedSurface, RefusesFacetsWithoutSize) {
  EXPECT_THROW(FacetedSurface<2>({{0., 0.}, {0., 0.}}, {{0, 1}}), percussion::InputError);
  EXPECT_THROW(FacetedSurface<3>({{0., 0., 0.}, {1., 1., 1.}, {2., 2., 2.}}, {{0, 1, 2}}),
               percussion::InputError);
  EXPECT_THROW(FacetedSurface<3>({}, {}), percussion::InputError);
}

} // namespace
