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

std::vector<Touching> places(const ConvexShape &a, const ConvexShape &b, double reach = 1) {
  return touching_places(place(a), place(b), reach);
}

/// Where two lists agree but for order and for what is first.
void expect_same(std::vector<Touching> a, std::vector<Touching> b, double sign, double tolerance) {
  const auto before = [](const Touching &p, const Touching &q) {
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
  for (const Touching &place : found) {
    EXPECT_NEAR(place.gap, 0.1, 1e-15);
    EXPECT_LT((place.normal - Tensor({0, 0, 1})).norm(), 1e-15);
    EXPECT_NEAR(place.x[2], 1.05, 1e-15);
    EXPECT_TRUE(std::abs(place.x[0]) < 1e-15 || std::abs(place.x[0] - 1) < 1e-15);
    EXPECT_TRUE(std::abs(place.x[1] + 0.5) < 1e-15 || std::abs(place.x[1] - 1) < 1e-15);
    features.insert(place.feature);
  }
  EXPECT_EQ(features.size(), 4u);
}

/// Bricks in courses have edges in line: each corner is found once.
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
  for (const Touching &place : found) {
    EXPECT_NEAR(std::max(std::abs(place.x[0]), std::abs(place.x[1])), 1, 1e-14);
    EXPECT_NEAR(std::min(std::abs(place.x[0]), std::abs(place.x[1])), half_side, 1e-14);
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
    for (const Touching &place : places(cube, ground))
      if (place.gap < 1e-12)
        touching.insert(place.feature);
    ASSERT_EQ(touching.size(), 2u) << angle;
    if (expected.empty())
      expected = touching;
    EXPECT_EQ(touching, expected) << angle;
  }
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

/// PERCUSSION_RANDOM_PAIRS sets their number: 100000 for the record, fewer in CTest.
TEST_F(RandomShapes, TouchTheSameWayRoundAndInEveryFrame) {
  const char *const number = std::getenv("PERCUSSION_RANDOM_PAIRS");
  for (int k = 0, n = number != nullptr ? std::atoi(number) : 2000; k < n; ++k) {
    const ConvexShape a = shape(), b = shape();
    const auto found = places(a, b);
    expect_same(found, places(b, a), -1, 1e-12);
    std::set<unsigned int> features;
    for (const Touching &place : found)
      features.insert(place.feature);
    EXPECT_EQ(features.size(), found.size());
    const Quaternion by = quaternion(vector(), 2.);
    const Tensor along = vector();
    const auto R = rotation_matrix(by);
    auto turned = found;
    for (Touching &place : turned) {
      place.x = Point(R * place.x + along);
      place.normal = R * place.normal;
    }
    // Moved without a new hull, so that faces and features keep their numbers.
    PlacedShape pa = place(a), pb = place(b);
    for (PlacedShape *s : {&pa, &pb}) {
      for (Point &x : s->vertices)
        x = Point(R * x + along);
      for (Tensor &n : s->normals)
        n = R * n;
    }
    const auto in_other_frame = touching_places(pa, pb, 1);
    ASSERT_EQ(in_other_frame.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(in_other_frame[i].feature, found[i].feature);
    expect_same(turned, in_other_frame, 1, 1e-11);
  }
}

/// No place is deeper than the shortest way out, and none is missed.
TEST_F(RandomShapes, ThatOverlapTouch) {
  int n_overlapping = 0;
  for (int k = 0; k < 2000; ++k) {
    const ConvexShape a = shape(), b = shape();
    const PlacedShape pa = place(a), pb = place(b);
    bool overlap = false; // in a vertex at least
    for (const Point &x : a.vertices)
      overlap = overlap || gap(pb, x).distance < -1e-3;
    for (const Point &x : b.vertices)
      overlap = overlap || gap(pa, x).distance < -1e-3;
    if (!overlap)
      continue;
    ++n_overlapping;
    const auto found = touching_places(pa, pb, 1);
    double deepest = 1;
    for (const Touching &place : found)
      deepest = std::min(deepest, place.gap);
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
  const ConvexShape at_edge = make_sphere({2, 0, 2}, 1), at_corner = make_sphere({2, 2, 2}, 1);
  EXPECT_NEAR(places(at_edge, box)[0].gap, std::sqrt(2.) - 1, 1e-15);
  EXPECT_NEAR(places(at_corner, box)[0].gap, std::sqrt(3.) - 1, 1e-15);
  // With its centre inside.
  const ConvexShape deep = make_sphere({0, 0.5, 0}, 0.2);
  EXPECT_NEAR(places(deep, box)[0].gap, -0.7, 1e-15);
}

} // namespace
} // namespace percussion
