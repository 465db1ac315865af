#include <percussion/body/attitude.h>
#include <percussion/contact/polyhedra.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

namespace percussion {
namespace {

using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;

ConvexShape moved(const ConvexShape &shape, const Quaternion &by, const Tensor &along) {
  std::vector<Point> points;
  for (const Point &x : shape.vertices)
    points.emplace_back(rotation_matrix(by) * x + along);
  return convex_hull(points);
}

std::vector<ShapeContact> places(const ConvexShape &a, const ConvexShape &b, double reach = 1) {
  return contact_points_of(place_shape(a), place_shape(b), reach);
}

std::set<unsigned int> features_of(const std::vector<ShapeContact> &found) {
  std::set<unsigned int> features;
  for (const ShapeContact &place_shape : found)
    features.insert(place_shape.feature);
  return features;
}

/// Returns a moved shape without computing its hull again, so that faces and features keep their
/// indices.
PlacedShape moved(PlacedShape shape, const dealii::Tensor<2, 3> &R, const Tensor &along) {
  for (Point &x : shape.vertices)
    x = Point(R * x + along);
  for (Tensor &n : shape.normals)
    n = R * n;
  return shape;
}

/// Expects equal lists up to their order, and up to the order of the two bodies.
void expect_same(std::vector<ShapeContact> a, std::vector<ShapeContact> b, double sign,
                 double tolerance) {
  const auto before = [](const ShapeContact &p, const ShapeContact &q) {
    for (unsigned int d = 0; d < 3; ++d)
      if (std::abs(p.x[d] - q.x[d]) > 1e-6)
        return p.x[d] < q.x[d];
    return false;
  };
  std::sort(a.begin(), a.end(), before);
  std::sort(b.begin(), b.end(), before);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_LT(a[i].x.distance(b[i].x), tolerance);
    EXPECT_NEAR(a[i].gap, b[i].gap, tolerance);
    EXPECT_LT((a[i].normal - sign * b[i].normal).norm(), tolerance);
  }
}

TEST(Polyhedra, BoxOnBoxTouchesAtTheCornersOfWhatIsCommon) {
  const ConvexShape low = make_box({0, 0, 0}, Tensor({2, 2, 2}));
  const ConvexShape high = make_box({1, 0.5, 2.1}, Tensor({2, 2, 2}));
  const auto found = places(high, low);
  ASSERT_EQ(found.size(), 4u);
  std::set<unsigned int> features;
  for (const ShapeContact &place_shape : found) {
    EXPECT_NEAR(place_shape.gap, 0.1, 1e-15);
    EXPECT_LT((place_shape.normal - Tensor({0, 0, 1})).norm(), 1e-15);
    EXPECT_NEAR(place_shape.x[2], 1.05, 1e-15);
    EXPECT_TRUE(std::abs(place_shape.x[0]) < 1e-15 || std::abs(place_shape.x[0] - 1) < 1e-15);
    EXPECT_TRUE(std::abs(place_shape.x[1] + 0.5) < 1e-15 || std::abs(place_shape.x[1] - 1) < 1e-15);
    features.insert(place_shape.feature);
  }
  EXPECT_EQ(features.size(), 4u);
}

/// Bricks in courses have aligned edges: each corner is found once.
TEST(Polyhedra, AlignedBoxesTouchAtFourCorners) {
  const ConvexShape low = make_box({0, 0, 0}, Tensor({1, 2, 1}));
  for (const double shift : {0., 1., -1., 1e-12, 1e-7}) {
    const ConvexShape high = make_box({0, shift, 1}, Tensor({1, 2, 1}));
    EXPECT_EQ(places(high, low).size(), 4u) << shift;
  }
}

TEST(Polyhedra, TurnedSquaresTouchAtTheCornersOfAnOctagon) {
  const ConvexShape low = make_box({0, 0, 0}, Tensor({2, 2, 2}));
  const ConvexShape high =
      moved(make_box({0, 0, 0}, Tensor({2, 2, 2})),
            quaternion(Tensor({0, 0, 1}), std::acos(-1.) / 4), Tensor({0, 0, 2}));
  const auto found = places(high, low);
  ASSERT_EQ(found.size(), 8u);
  const double half_side = std::sqrt(2.) - 1;
  for (const ShapeContact &place_shape : found) {
    EXPECT_NEAR(std::max(std::abs(place_shape.x[0]), std::abs(place_shape.x[1])), 1, 1e-14);
    EXPECT_NEAR(std::min(std::abs(place_shape.x[0]), std::abs(place_shape.x[1])), half_side, 1e-14);
  }
}

TEST(Polyhedra, CrossedEdgesTouchOnce) {
  const Quaternion onto_edge = quaternion(Tensor({1, 0, 0}), std::acos(-1.) / 4);
  const ConvexShape low = moved(make_box({0, 0, 0}, Tensor({2, 2, 2})), onto_edge, Tensor());
  const Quaternion across = product(quaternion(Tensor({0, 0, 1}), 1.), onto_edge);
  const double rise = 2 * std::sqrt(2.);
  for (const double g : {0.05, -0.05}) {
    const ConvexShape high =
        moved(make_box({0, 0, 0}, Tensor({2, 2, 2})), across, Tensor({0.2, -0.1, rise + g}));
    const auto found = places(high, low);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].gap, g, 1e-14);
    EXPECT_LT((found[0].normal - Tensor({0, 0, 1})).norm(), 1e-14);
    EXPECT_GE(found[0].feature, 16u);
  }
}

/// Two ridges, one above the other, with almost the same direction.
TEST(Polyhedra, AlmostParallelEdgesTouchAtOneOfTheirPlaces) {
  const Quaternion onto_edge = quaternion(Tensor({1, 0, 0}), std::acos(-1.) / 4);
  const ConvexShape low = moved(make_box({0, 0, 0}, Tensor({2, 2, 2})), onto_edge, Tensor());
  for (const double yaw : {2e-9, 5e-9, 1e-8, 1e-7, 1e-3}) {
    const ConvexShape high = moved(make_box({0, 0, 0}, Tensor({2, 2, 2})),
                                   product(quaternion(Tensor({0, 0, 1}), yaw), onto_edge),
                                   Tensor({0.2, 0, 2 * std::sqrt(2.) + 0.01}));
    const auto found = places(high, low);
    ASSERT_EQ(found.size(), 1u) << yaw;
    EXPECT_NEAR(found[0].gap, 0.01, 1e-8) << yaw;
    EXPECT_LT((found[0].x - Point(0.2, 0, std::sqrt(2.) + 0.005)).norm(), 1.01) << yaw;
  }
}

TEST(Polyhedra, ACubeOnItsEdgeKeepsTheFeaturesOfTheEdge) {
  const ConvexShape ground = make_box({0, 0, -1}, Tensor({20, 20, 2}));
  std::set<unsigned int> expected;
  for (double angle = 0.001; angle < 1.57; angle += 0.01) {
    ConvexShape cube = make_box({0, 0, 0}, Tensor({1, 1, 1}));
    const auto R = rotation_matrix(quaternion(Tensor({1, 0, 0}), angle));
    double lowest = 0;
    for (Point &x : cube.vertices) {
      x = Point(R * x);
      lowest = std::min(lowest, x[2]);
    }
    for (Tensor &n : cube.normals)
      n = R * n;
    for (Point &x : cube.vertices)
      x[2] -= lowest;
    std::set<unsigned int> touching;
    for (const ShapeContact &place_shape : places(cube, ground))
      if (place_shape.gap < 1e-12)
        touching.insert(place_shape.feature);
    ASSERT_EQ(touching.size(), 2u) << angle;
    if (expected.empty())
      expected = touching;
    EXPECT_EQ(touching, expected) << angle;
  }
}

struct RandomTilts : testing::Test {
  std::mt19937 generator{3};
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
};

/// A box on another one, rotated, tilted by up to 0.15, and 0.01 deep: all common corners are
/// contact points, and the gaps of vertices and of the deepest point open with the velocity along
/// their normals.
TEST_F(RandomTilts, OfABoxOnAnotherKeepAllCorners) {
  const ConvexShape low = make_box({0, 0, 0}, Tensor({2, 2, 2}));
  const auto deepest = [](const std::vector<ShapeContact> &found) {
    return *std::min_element(found.begin(), found.end(),
                             [](const auto &a, const auto &b) { return a.gap < b.gap; });
  };
  const double step = 1e-6;
  unsigned int n_compared = 0;
  std::array<unsigned int, 3>
      n_of_kind{}; // numbers of vertices of the high box, vertices of the low box, and crossings
  for (int k = 0; k < 1000; ++k) {
    const Tensor shift({between(-0.5, 0.5), between(-0.5, 0.5), 2});
    const ConvexShape level = moved(make_box({0, 0, 0}, Tensor({2, 2, 2})),
                                    quaternion(Tensor({0, 0, 1}), between(0.3, 1.2)), shift);
    const double way = between(0, 6.3);
    const auto tilt =
        rotation_matrix(quaternion(Tensor({std::cos(way), std::sin(way), 0}), between(0.02, 0.15)));
    PlacedShape high = moved(place_shape(level), tilt, shift - tilt * shift);
    const auto upright = rotation_matrix(quaternion(Tensor({0, 0, 1}), 0));
    for (unsigned int repetition = 0; repetition < 8; ++repetition)
      high =
          moved(high, upright,
                Tensor({0, 0, -0.01 - deepest(contact_points_of(high, place_shape(low), 10)).gap}));
    const auto found = contact_points_of(high, place_shape(low), 10);
    const ShapeContact at = deepest(found);
    EXPECT_NEAR(at.gap, -0.01, 1e-9) << k;
    EXPECT_GE(found.size(), 4u) << k;
    expect_same(found, contact_points_of(place_shape(low), high, 10), -1, 1e-12);
    EXPECT_EQ(features_of(found).size(), found.size()) << k;
    // A corner near an edge may now be on its other side.
    EXPECT_GE(found.size() + 2, places(level, low).size()) << k;
    ++n_of_kind[at.feature < 8 ? 0 : at.feature < 16 ? 1 : 2];

    const Tensor v({between(-1, 1), between(-1, 1), between(-1, 1)}),
        omega({between(-1, 1), between(-1, 1), between(-1, 1)});
    const auto turned = rotation_matrix(quaternion(omega, step * omega.norm()));
    const auto later = contact_points_of(moved(high, turned, step * v), place_shape(low), 10);
    for (const ShapeContact &before : found)
      for (const ShapeContact &after : later) {
        const bool is_tested =
            before.feature < 16 ? std::abs(before.gap) < 0.1 : before.feature == at.feature;
        if (is_tested && after.feature == before.feature) {
          EXPECT_NEAR((after.gap - before.gap) / step,
                      before.normal * (v + cross_product_3d(omega, Tensor(before.x))), 1e-4)
              << k << ' ' << before.feature;
          ++n_compared;
        }
      }
  }
  EXPECT_GT(n_compared, 1000u);
  for (const unsigned int n : n_of_kind)
    EXPECT_GT(n, 50u);
}

struct RandomShapes : testing::Test {
  std::mt19937 generator{7};
  std::normal_distribution<double> normal;

  Tensor vector() { return Tensor({normal(generator), normal(generator), normal(generator)}); }
  ConvexShape shape() {
    if (generator() % 3 == 0)
      return moved(make_box({0, 0, 0}, Tensor({1, 2, 1})), quaternion(vector(), normal(generator)),
                   vector());
    std::vector<Point> points;
    const unsigned int n = 4 + static_cast<unsigned int>(generator() % 12);
    const Tensor at = vector();
    for (unsigned int i = 0; i < n; ++i)
      points.emplace_back(vector() + at);
    return convex_hull(points);
  }
};

/// PERCUSSION_RANDOM_PAIRS sets the number of pairs: 100000 for the record, fewer in CTest.
TEST_F(RandomShapes, TouchTheSameWayRoundAndInEveryFrame) {
  const char *const number = std::getenv("PERCUSSION_RANDOM_PAIRS");
  for (int k = 0, n = number != nullptr ? std::atoi(number) : 2000; k < n; ++k) {
    const ConvexShape a = shape(), b = shape();
    const auto found = places(a, b);
    expect_same(found, places(b, a), -1, 1e-12);
    EXPECT_EQ(features_of(found).size(), found.size());
    const Quaternion by = quaternion(vector(), 2.);
    const Tensor along = vector();
    const auto R = rotation_matrix(by);
    auto turned = found;
    for (ShapeContact &place_shape : turned) {
      place_shape.x = Point(R * place_shape.x + along);
      place_shape.normal = R * place_shape.normal;
    }
    const auto moved_contacts =
        contact_points_of(moved(place_shape(a), R, along), moved(place_shape(b), R, along), 1);
    ASSERT_EQ(moved_contacts.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(moved_contacts[i].feature, found[i].feature);
    expect_same(turned, moved_contacts, 1, 1e-11);
  }
}

/// No overlap is missed.
TEST_F(RandomShapes, ThatOverlapTouch) {
  int n_overlapping = 0;
  for (int k = 0; k < 2000; ++k) {
    const ConvexShape a = shape(), b = shape();
    const PlacedShape pa = place_shape(a), pb = place_shape(b);
    bool overlap = false; // at least one vertex is inside
    for (const Point &x : a.vertices)
      overlap = overlap || gap(pb, x).distance < -1e-3;
    for (const Point &x : b.vertices)
      overlap = overlap || gap(pa, x).distance < -1e-3;
    if (!overlap)
      continue;
    ++n_overlapping;
    const auto found = contact_points_of(pa, pb, 1);
    double deepest = 1;
    for (const ShapeContact &place_shape : found)
      deepest = std::min(deepest, place_shape.gap);
    EXPECT_LT(deepest, -1e-4) << k;
  }
  EXPECT_GT(n_overlapping, 300);
}

TEST(Spheres, TouchEachOtherAndPolyhedra) {
  const ConvexShape ball = make_sphere({0, 0, 3}, 1), other = make_sphere({0, 3, 3}, 1.5);
  const auto pair = places(ball, other);
  ASSERT_EQ(pair.size(), 1u);
  EXPECT_NEAR(pair[0].gap, 0.5, 1e-15);
  EXPECT_LT((pair[0].normal - Tensor({0, -1, 0})).norm(), 1e-15);
  EXPECT_LT(pair[0].x.distance({0, 1.25, 3}), 1e-15);
  const ConvexShape box = make_box({0, 0, 0}, Tensor({2, 2, 2}));
  expect_same(places(ball, box, 2), {{0, 1, Tensor({0, 0, 1}), Point(0, 0, 1.5)}}, 1, 1e-14);
  expect_same(places(box, ball, 2), {{0, 1, Tensor({0, 0, -1}), Point(0, 0, 1.5)}}, 1, 1e-14);
  // At an edge and at a corner.
  const ConvexShape edge_sphere = make_sphere({2, 0, 2}, 1),
                    corner_sphere = make_sphere({2, 2, 2}, 1);
  EXPECT_NEAR(places(edge_sphere, box)[0].gap, std::sqrt(2.) - 1, 1e-15);
  EXPECT_NEAR(places(corner_sphere, box)[0].gap, std::sqrt(3.) - 1, 1e-15);
  // With the centre inside the box.
  const ConvexShape deep = make_sphere({0, 0.5, 0}, 0.2);
  EXPECT_NEAR(places(deep, box)[0].gap, -0.7, 1e-15);
}

} // namespace
} // namespace percussion
