#include <percussion/body/rigid_body.h>

#include <gtest/gtest.h>

#include "support/outlines.h"
#include <algorithm>
#include <cmath>

namespace {

using namespace percussion;
using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;
using test::moved;
using test::rotated;

Outline reversed(Outline outline) {
  std::reverse(outline.begin(), outline.end());
  return outline;
}

struct KnownShape {
  std::string name;
  Outline outline;
  double size;
  Point centre;
  double second_moment;
};

/// Returns shapes with their properties. Second moments per area: (b² + h²)/12 for a rectangle and
/// (a² + b² + c²)/36 for a triangle with these sides; components are added by Steiner's theorem.
std::vector<KnownShape> known_shapes() {
  const double leg_and_foot = 3 * (9. + 1) / 12 + 1 * 2. / 12;
  // An L of a leg 1 × 3 about (0.5, 1.5) and a foot 1 × 1 about (1.5, 0.5).
  const Point l_centre((3 * 0.5 + 1.5) / 4, (3 * 1.5 + 0.5) / 4);
  const double steiner =
      3 * l_centre.distance_square(Point(0.5, 1.5)) + l_centre.distance_square(Point(1.5, 0.5));
  const double sides = 9. + 16 + 25;
  return {
      {"rectangle", {{0, 0}, {4, 0}, {4, 1}, {0, 1}}, 4., {2, 0.5}, 4 * (16. + 1) / 12},
      {"rectangle with vertices on edges",
       {{0, 0}, {1, 0}, {3, 0}, {4, 0}, {4, 1}, {2.5, 1}, {0, 1}},
       4.,
       {2, 0.5},
       4 * (16. + 1) / 12},
      {"triangle", {{0, 0}, {3, 0}, {0, 4}}, 6., {1, 4. / 3}, 6 * sides / 36},
      {"L", {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}, 4., l_centre, leg_and_foot + steiner},
      {"diamond", {{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, 2., {0, 0}, 2. / 3},
      {"stick", {{1, 0}, {4, 4}}, 5., {2.5, 2}, 125. / 12}};
}

TEST(ShapeProperties, AgreeWithClosedFormsInEveryPoseAndOrientation) {
  for (const auto &shape : known_shapes())
    for (const double angle : {0., 0.7, -2.3})
      for (const double distance : {0., 1e3}) {
        const Tensor translation({distance, -3 * distance});
        const Outline outline = moved(shape.outline, angle, translation);
        for (const auto &vertices : {outline, reversed(outline)}) {
          const ShapeProperties found = shape_properties(vertices);
          const double tolerance = 1e-14 + 1e-15 * distance; // round-off of the coordinates
          EXPECT_NEAR(found.size, shape.size, 10 * tolerance * shape.size) << shape.name;
          EXPECT_NEAR(found.second_moment, shape.second_moment,
                      10 * tolerance * shape.second_moment)
              << shape.name;
          EXPECT_LT(found.centre.distance(Point(rotated(shape.centre, angle) + translation)),
                    10 * tolerance)
              << shape.name;
        }
      }
}

/// Exact coordinates far from the origin give properties as accurate as coordinates near the
/// origin.
TEST(ShapeProperties, LoseNoDigitsFarFromTheOrigin) {
  for (const auto &shape : known_shapes()) {
    const ShapeProperties found = shape_properties(moved(shape.outline, 0., Tensor({1e6, -1e6})));
    EXPECT_NEAR(found.size, shape.size, 1e-14 * shape.size) << shape.name;
    EXPECT_NEAR(found.second_moment, shape.second_moment, 1e-14 * shape.second_moment)
        << shape.name;
    EXPECT_NEAR(found.centre[0] - 1e6, shape.centre[0], 2e-10) << shape.name;
    EXPECT_NEAR(found.centre[1] + 1e6, shape.centre[1], 2e-10) << shape.name;
  }
}

/// A stick is the limit of a thin rectangle.
TEST(ShapeProperties, OfAStickAreThoseOfAThinRectangle) {
  const auto stick = shape_properties({{0, 0}, {2, 0}});
  const auto thin = shape_properties({{0, -1e-6}, {2, -1e-6}, {2, 1e-6}, {0, 1e-6}});
  EXPECT_NEAR(stick.second_moment / stick.size, thin.second_moment / thin.size, 1e-11);
  EXPECT_LT(stick.centre.distance(thin.centre), 1e-15);
}

RigidBody<2> square_body() {
  RigidBody<2> body;
  body.centre = Point(2, 3);
  body.outline = {{1, 2}, {3, 2}, {3, 4}, {1, 4}};
  return body;
}

TEST(RigidPose, BeginsWhereTheBodyBegins) {
  const double q[] = {0, 0, 0};
  const RigidBody<2> body = square_body();
  EXPECT_EQ(RigidPose<2>(body, q).outline(body), body.outline);
}

TEST(RigidPose, TurnsCounterClockwiseAboutTheCentre) {
  const double q[] = {10, -1, std::acos(-1.) / 2};
  const RigidBody<2> body = square_body();
  const RigidPose<2> pose(body, q);
  EXPECT_LT(pose.centre.distance(Point(12, 2)), 1e-15);
  const Outline expected = {{13, 1}, {13, 3}, {11, 3}, {11, 1}}, found = pose.outline(body);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_LT(found[i].distance(expected[i]), 1e-14) << i;
}

TEST(RigidPose, VelocitiesAreDifferencesOfPositions) {
  const RigidBody<2> body = square_body();
  const double q[] = {0.3, -0.2, 0.9}, v[] = {1.1, -0.7, 2.3}, h = 1e-5;
  double before[3], after[3];
  for (int i = 0; i < 3; ++i) {
    before[i] = q[i] - h * v[i];
    after[i] = q[i] + h * v[i];
  }
  const RigidPose<2> pose(body, q);
  const Outline begin = RigidPose<2>(body, before).outline(body);
  const Outline end = RigidPose<2>(body, after).outline(body);
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const Tensor arm = pose.turned(body.outline[i] - body.centre);
    EXPECT_LT((pose.velocity(arm, v) - (end[i] - begin[i]) / (2 * h)).norm(), 2e-9) << i;
  }
}

void expect_problem(const Outline &outline, const std::string &expected) {
  EXPECT_EQ(polygon_problem(outline), expected);
}

TEST(PolygonProblem, NamesTheVerticesThatAreWrong) {
  expect_problem({}, "a polygon needs at least three vertices, not 0");
  expect_problem({{0, 0}, {1, 0}}, "a polygon needs at least three vertices, not 2");
  expect_problem({{0, 0}, {1, 0}, {1, 1}, {1, 0}, {0, 1}}, "vertices 2 and 4 coincide");
  expect_problem({{0, 0}, {1, 0}, {1, 1}, {0, 0}},
                 "vertices 1 and 4 coincide; a polygon closes by itself");
  expect_problem({{2, 2}, {2, 2}, {2, 2}}, "vertices 1 and 2 coincide");
  expect_problem({{0, 0}, {1, 2}, {3, 6}, {2, 4}},
                 "the area is zero: all vertices lie on one line");
  expect_problem({{0, 0}, {1, std::nan("")}, {3, 6}}, "the coordinates of vertex 2 are not finite");
}

TEST(PolygonProblem, NamesTheEdgesThatMeet) {
  // a bow tie, whose signed area is zero, and one that crosses far from any vertex
  expect_problem({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, "the edges 1-2 and 3-4 cross or touch");
  expect_problem({{0, 0}, {4, 0}, {4, 2}, {2, -1}, {0, 2}}, "the edges 1-2 and 3-4 cross or touch");
  // a vertex on an edge, and just before it
  expect_problem({{0, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 1}}, "the edges 1-2 and 3-4 cross or touch");
  expect_problem({{0, 0}, {2, 0}, {2, 1}, {1, 1e-9}, {0, 1}}, "");
  // edges that run back upon their neighbours, in the middle and at the first vertex
  expect_problem({{0, 0}, {3, 0}, {2, 0}, {2, 1}}, "the edges 1-2 and 3-4 cross or touch");
  expect_problem({{3, 0}, {2, 0}, {2, 1}, {0, 0}}, "the edges 2-3 and 4-1 cross or touch");
}

TEST(PolygonProblem, IsNoneForSimplePolygonsAnywhere) {
  for (const auto &shape : known_shapes())
    for (const double distance : {0., 1e6})
      for (const double size : {1e-6, 1., 1e6}) {
        if (shape.outline.size() == 2)
          continue;
        Outline outline = shape.outline;
        for (auto &x : outline)
          x *= size;
        outline = moved(outline, 0.3, size * distance * Tensor({1, 2}));
        EXPECT_EQ(polygon_problem(outline), "") << shape.name;
        EXPECT_EQ(polygon_problem(reversed(outline)), "") << shape.name;
      }
  // thin, but not without area
  EXPECT_EQ(polygon_problem({{0, 0}, {1, 0}, {1, 1e-6}, {0, 1e-6}}), "");
}

TEST(Convexity, AllowsVerticesOnEdgesOnly) {
  for (const auto &shape : known_shapes())
    for (const double distance : {0., 1e6})
      for (const double size :
           {1., 1e-2}) { // far from the origin, short edges are less straight by round-off
        if (shape.outline.size() == 2)
          continue;
        Outline outline = shape.outline;
        for (auto &x : outline)
          x *= size;
        outline = moved(outline, 1.1, distance * Tensor({1, 2}));
        EXPECT_EQ(is_convex(outline), shape.name != "L") << shape.name;
        EXPECT_EQ(is_convex(reversed(outline)), shape.name != "L") << shape.name;
      }
}

TEST(Convexity, SeesAVertexThatPointsInwardsALittle) {
  for (const double depth : {1e-3, 1e-7}) {
    EXPECT_FALSE(is_convex({{0, 0}, {1, depth}, {2, 0}, {2, 2}, {0, 2}})) << depth;
    EXPECT_TRUE(is_convex({{0, 0}, {1, -depth}, {2, 0}, {2, 2}, {0, 2}})) << depth;
  }
  EXPECT_TRUE(is_convex({{0, 0}, {1, 1e-14}, {2, 0}, {2, 2}, {0, 2}}));
}

TEST(LiesOnEdge, IsToGoStraightOn) {
  const Outline outline = {{0, 0}, {1, 1e-14}, {2, 0}, {2, 2}, {1, 2 + 1e-7}, {0, 2}};
  const std::vector<bool> expected = {false, true, false, false, false, false};
  for (unsigned int i = 0; i < outline.size(); ++i)
    EXPECT_EQ(lies_on_edge(outline, i), expected[i]) << i;
  EXPECT_FALSE(lies_on_edge({{0, 0}, {1, 0}}, 0)); // a stick turns back at its ends
}

} // namespace
