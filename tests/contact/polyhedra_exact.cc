#include <percussion/body/attitude.h>
#include <percussion/contact/polyhedra.h>

#include <gtest/gtest.h>

#include <CGAL/MP_Float.h>
#include <CGAL/Polytope_distance_d.h>
#include <CGAL/Polytope_distance_d_traits_3.h>
#include <CGAL/Simple_cartesian.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace percussion {
namespace {

using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;
using Kernel = CGAL::Simple_cartesian<double>;
using Distance =
    CGAL::Polytope_distance_d<CGAL::Polytope_distance_d_traits_3<Kernel, CGAL::MP_Float, double>>;

/// Result of CGAL with exact arithmetic.
struct Exact {
  double distance;
  long support_first, support_second; ///< numbers of vertices that span the nearest features
};
Exact exact(const ConvexShape &a, const ConvexShape &b) {
  std::vector<Kernel::Point_3> p, q;
  for (const Point &x : a.vertices)
    p.emplace_back(x[0], x[1], x[2]);
  for (const Point &x : b.vertices)
    q.emplace_back(x[0], x[1], x[2]);
  Distance d(p.begin(), p.end(), q.begin(), q.end());
  const double square = CGAL::to_double(d.squared_distance_numerator()) /
                        CGAL::to_double(d.squared_distance_denominator());
  return {std::sqrt(square), d.number_of_support_points_p(), d.number_of_support_points_q()};
}

/// Returns the length of the shortest separation: the distance of the origin from the boundary of
/// the difference.
double depth(const ConvexShape &a, const ConvexShape &b) {
  std::vector<Point> differences;
  for (const Point &x : a.vertices)
    for (const Point &y : b.vertices)
      differences.emplace_back(x - y);
  const ConvexShape difference = convex_hull(differences);
  double least = std::numeric_limits<double>::max();
  for (std::size_t f = 0; f < difference.faces.size(); ++f)
    least = std::min(least, difference.normals[f] * difference.vertices[difference.faces[f][0]]);
  return least;
}

struct RandomPairs : testing::Test {
  std::mt19937 generator{11};
  std::normal_distribution<double> normal;

  Tensor vector() { return Tensor({normal(generator), normal(generator), normal(generator)}); }
  ConvexShape shape(const Tensor &at) {
    std::vector<Point> points;
    if (generator() % 3 == 0) {
      const auto R = rotation_matrix(quaternion(vector(), 10 * normal(generator)));
      for (const Point &x : make_box({0, 0, 0}, Tensor({1, 2, 1.5})).vertices)
        points.emplace_back(R * x + at);
    } else
      for (unsigned int i = 0, n = 4 + static_cast<unsigned int>(generator() % 8); i < n; ++i)
        points.emplace_back(vector() + at);
    return convex_hull(points);
  }
};

/// Returns the number of pairs, PERCUSSION_RANDOM_PAIRS: 100000 for the record, fewer in CTest.
unsigned int n_pairs() {
  const char *const number = std::getenv("PERCUSSION_RANDOM_PAIRS");
  return number != nullptr ? static_cast<unsigned int>(std::atoi(number)) : 1000;
}

TEST_F(RandomPairs, HaveTheExactDistanceOrDepth) {
  unsigned int n_vertex_on_face = 0, n_edges = 0, n_deep = 0, n_deeper = 0;
  for (unsigned int k = 0; k < n_pairs(); ++k) {
    const ConvexShape a = shape(Tensor()), b = shape(1.3 * vector());
    const Exact expected = exact(a, b);
    const auto places = contact_points_of(place_shape(a), place_shape(b), 100);
    double nearest = 100;
    for (const ShapeContact &touching : places)
      nearest = std::min(nearest, touching.gap);
    if (expected.distance > 0) {
      if (expected.support_first + expected.support_second != 4)
        continue; // two corners face each other
      if (expected.support_first != 2) {
        ++n_vertex_on_face;
        EXPECT_NEAR(nearest, expected.distance, 1e-12) << k;
      } else {
        ++n_edges;
        EXPECT_NEAR(nearest, expected.distance, 1e-12) << k;
      }
    } else {
      ++n_deep;
      const double out = depth(a, b);
      if (out < 1e-9)
        continue;
      ASSERT_FALSE(places.empty()) << k;
      EXPECT_LT(nearest, -out + 1e-12) << k;
      if (nearest <
          -out - 1e-12) // along the normal of a face at up to 2 · 11° from the shortest separation
        ++n_deeper;
      EXPECT_GT(nearest, -1.09 * out - 1e-12) << k;
    }
  }
  std::cout << n_vertex_on_face << " vertices on faces, " << n_edges << " edges, " << n_deep
            << " overlaps, " << n_deeper
            << " with a place that is deeper than the shortest way out\n";
  EXPECT_LT(n_deeper, 0.02 * n_pairs());
  EXPECT_GT(n_vertex_on_face, 0.05 * n_pairs());
}

/// Numbers with more digits than the tested ones.
using Long = long double;
using LongPoint = std::array<Long, 2>;

/// Returns the intersection of two convex polygons, counter-clockwise (Sutherland & Hodgman).
std::vector<LongPoint> common(std::vector<LongPoint> polygon, const std::vector<LongPoint> &by) {
  for (std::size_t i = 0; i < by.size(); ++i) {
    const LongPoint &a = by[i], &b = by[(i + 1) % by.size()];
    const auto side = [&](const LongPoint &x) {
      return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
    };
    std::vector<LongPoint> kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const LongPoint &x = polygon[k], &y = polygon[(k + 1) % polygon.size()];
      const Long side_x = side(x), side_y = side(y);
      if (side_x >= 0)
        kept.push_back(x);
      if ((side_x > 0 && side_y < 0) || (side_x < 0 && side_y > 0)) {
        const Long fraction = side_x / (side_x - side_y);
        kept.push_back({x[0] + fraction * (y[0] - x[0]), x[1] + fraction * (y[1] - x[1])});
      }
    }
    polygon = std::move(kept);
  }
  return polygon;
}

struct RandomFaces : RandomPairs {
  /// Returns the corners of a convex polygon on a circle, counter-clockwise.
  std::vector<std::array<double, 2>> polygon() {
    std::vector<double> angles;
    const unsigned int n = 3 + static_cast<unsigned int>(generator() % 6);
    for (unsigned int i = 0; i < n; ++i)
      angles.push_back(2 * std::acos(-1.) * (i + 0.8 * std::abs(std::sin(normal(generator)))) / n);
    const double x = 0.5 * normal(generator), y = 0.5 * normal(generator),
                 r = 0.3 + std::abs(normal(generator));
    std::vector<std::array<double, 2>> corners;
    for (const double a : angles)
      corners.push_back({x + r * std::cos(a), y + r * std::sin(a)});
    return corners;
  }
  /// Returns a prism on the plane z = 0, rotated and moved.
  static PlacedShape prism(const std::vector<std::array<double, 2>> &polygon, double height,
                           const dealii::Tensor<2, 3> &R, const Tensor &along,
                           std::vector<ConvexShape> &shapes) {
    std::vector<Point> points;
    for (const auto &[x, y] : polygon)
      for (const double z : {0., height})
        points.emplace_back(R * Tensor({x, y, z}) + along);
    shapes.push_back(convex_hull(points));
    return place_shape(shapes.back());
  }
};

/// Faces on each other touch at the corners of their intersection, each of them once.
TEST_F(RandomFaces, TouchAtTheCornersOfTheCommonPolygon) {
  unsigned int n_common = 0;
  double worst = 0;
  for (unsigned int k = 0; k < n_pairs(); ++k) {
    const auto low = polygon(), high = polygon();
    std::array<std::vector<LongPoint>, 2> sides;
    for (const auto &[x, y] : low)
      sides[0].push_back({x, y});
    for (const auto &[x, y] : high)
      sides[1].push_back({x, y});
    const auto expected = common(sides[0], sides[1]);
    const auto R = rotation_matrix(quaternion(vector(), 10 * normal(generator)));
    const Tensor along = vector();
    std::vector<ConvexShape> shapes;
    shapes.reserve(2);
    const PlacedShape a = prism(high, 2, R, along, shapes), b = prism(low, -2, R, along, shapes);
    const auto found = contact_points_of(a, b, 0.1);
    if (expected.size() < 3)
      continue;
    ++n_common;
    EXPECT_EQ(found.size(), expected.size()) << k;
    for (const auto &corner : expected) {
      const Point x(
          R * Tensor({static_cast<double>(corner[0]), static_cast<double>(corner[1]), 0.}) + along);
      double nearest = 1;
      for (const ShapeContact &touching : found)
        nearest = std::min(nearest, touching.x.distance(x));
      EXPECT_LT(nearest, 1e-12) << k;
      worst = std::max(worst, nearest);
    }
    for (const ShapeContact &touching : found)
      EXPECT_NEAR(touching.gap, 0, 1e-13) << k;
  }
  std::cout << n_common << " pairs of faces on each other, corners to " << worst << '\n';
  EXPECT_GT(n_common, 0.3 * n_pairs());
}

} // namespace
} // namespace percussion
