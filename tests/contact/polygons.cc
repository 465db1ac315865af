#include <percussion/contact/broad_phase.h>
#include <percussion/contact/polygons.h>

#include <deal.II/boost_adaptors/segment.h>
#include <gtest/gtest.h>

#include "support/outlines.h"
#include <algorithm>
#include <array>
#include <boost/geometry/algorithms/distance.hpp>
#include <boost/geometry/geometries/ring.hpp>
#include <boost/geometry/strategies/strategies.hpp>
#include <cmath>
#include <random>

namespace {

using namespace percussion;
using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;
using test::moved;
using test::rotated;
using Places = std::vector<VertexOnEdge>;

const double pi = std::acos(-1.);
const Tensor up({0., 1.}), down({0., -1.}), left({-1., 0.}), right({1., 0.});

/// Returns a rectangle with vertices 0, 1 at the bottom and 2, 3 at the top.
Outline box(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

/// Returns a polygon rotated about one of its vertices.
Outline turned_about(Outline outline, unsigned int vertex, double angle) {
  const Point pivot = outline[vertex];
  for (auto &x : outline)
    x = pivot + rotated(x - pivot, angle);
  return outline;
}

const VertexOnEdge *find(const Places &places, bool is_first, unsigned int vertex) {
  for (const auto &place : places)
    if (place.is_first == is_first && place.vertex == vertex)
      return &place;
  return nullptr;
}

void expect_place(const Places &places, bool is_first, unsigned int vertex, double gap,
                  const Tensor &normal, double tolerance = 1e-15) {
  const VertexOnEdge *place = find(places, is_first, vertex);
  const std::string name =
      (is_first ? "first's vertex " : "second's vertex ") + std::to_string(vertex);
  ASSERT_TRUE(place) << name;
  EXPECT_NEAR(place->gap, gap, tolerance) << name;
  EXPECT_LT((place->normal - normal).norm(), tolerance) << name;
}

constexpr bool first_polygon = true, second_polygon = false;

TEST(TouchingVertices, AlignedBlocksHaveTwo) {
  for (const double gap : {0., 1e-3, -1e-3}) {
    const auto places = touching_vertices(box(0, 0, 2, 1), box(0, 1 + gap, 2, 2 + gap));
    ASSERT_EQ(places.size(), 2u);
    expect_place(places, second_polygon, 0, gap, up);
    expect_place(places, second_polygon, 1, gap, up);
  }
}

TEST(TouchingVertices, OfBlocksSideBySideAreVertical) {
  const auto places = touching_vertices(box(0, 0, 1, 3), box(1, -1, 2, 2));
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, first_polygon, 1, 0., left);
  expect_place(places, second_polygon, 3, 0., right);
}

TEST(TouchingVertices, AShiftedBlockEndsAtAVertexOfEach) {
  const auto to_the_right = touching_vertices(box(0, 0, 2, 1), box(0.5, 1.1, 2.5, 2));
  ASSERT_EQ(to_the_right.size(), 2u);
  expect_place(to_the_right, second_polygon, 0, 0.1, up, 1e-14);
  expect_place(to_the_right, first_polygon, 2, 0.1, down, 1e-14);
  const auto to_the_left = touching_vertices(box(0, 0, 2, 1), box(-0.5, 1.1, 1.5, 2));
  ASSERT_EQ(to_the_left.size(), 2u);
  expect_place(to_the_left, first_polygon, 3, 0.1, down, 1e-14);
  expect_place(to_the_left, second_polygon, 1, 0.1, up, 1e-14);
}

TEST(TouchingVertices, TheNarrowBlockGivesBoth) {
  const Outline narrow = box(1, 1, 2, 2), wide_below = box(0, 0, 3, 1),
                wide_above = box(0, 2, 3, 3);
  const auto below = touching_vertices(wide_below, narrow);
  ASSERT_EQ(below.size(), 2u);
  expect_place(below, second_polygon, 0, 0., up);
  expect_place(below, second_polygon, 1, 0., up);
  const auto above = touching_vertices(wide_above, narrow);
  ASSERT_EQ(above.size(), 2u);
  expect_place(above, second_polygon, 2, 0., down);
  expect_place(above, second_polygon, 3, 0., down);
}

/// A lintel on two posts: three blocks, with four contacts at the inner ends of the posts and the
/// outer ends of the lintel.
TEST(TouchingVertices, OneBlockOnTwo) {
  const Outline lintel = box(-1, 1, 4, 2);
  const auto on_left = touching_vertices(box(-2, 0, 0, 1), lintel);
  ASSERT_EQ(on_left.size(), 2u);
  expect_place(on_left, first_polygon, 2, 0., down);
  expect_place(on_left, second_polygon, 0, 0., up);
  const auto on_right = touching_vertices(box(3, 0, 5, 1), lintel);
  ASSERT_EQ(on_right.size(), 2u);
  expect_place(on_right, first_polygon, 3, 0., down);
  expect_place(on_right, second_polygon, 1, 0., up);
}

TEST(TouchingVertices, ABlockTiltsOnItsCorner) {
  for (const double angle : {1e-6, 0.1, 0.7}) {
    const Outline block = turned_about(box(1, 1, 3, 2), 0, angle);
    const auto places = touching_vertices(box(0, 0, 4, 1), block);
    ASSERT_EQ(places.size(), 2u);
    expect_place(places, second_polygon, 0, 0., up);
    expect_place(places, second_polygon, 1, 2 * std::sin(angle), up);
    const auto other_side =
        touching_vertices(box(0, 0, 4, 1), turned_about(box(1, 1, 3, 2), 1, -angle));
    ASSERT_EQ(other_side.size(), 2u);
    expect_place(other_side, second_polygon, 1, 0., up);
    expect_place(other_side, second_polygon, 0, 2 * std::sin(angle), up);
  }
}

/// A block rocks on a block of the same width: one contact point stays. The other is the lower
/// block's vertex if the end of the upper block has moved outwards, otherwise the upper block's
/// vertex.
TEST(TouchingVertices, ABlockRocksOnOneOfItsWidth) {
  const Outline lower = box(0, 0, 2, 1);
  const auto inside = touching_vertices(lower, turned_about(box(0, 1, 2, 3), 0, 0.1));
  ASSERT_EQ(inside.size(), 2u);
  expect_place(inside, second_polygon, 0, 0., up);
  expect_place(inside, second_polygon, 1, 2 * std::sin(0.1), up);
  const auto outside = touching_vertices(lower, turned_about(box(0.1, 1, 2.1, 3), 0, 0.1));
  ASSERT_EQ(outside.size(), 2u);
  expect_place(outside, second_polygon, 0, 0., up);
  expect_place(outside, first_polygon, 2, 1.9 * std::sin(0.1),
               Tensor({std::sin(0.1), -std::cos(0.1)}));
}

/// In front of a slanted face, a vertex is in contact before it is fully beside the face, because
/// it will be at the time of contact.
TEST(TouchingVertices, ABlockComesDownOnACornerThatIsAlmostBesideTheOther) {
  const double angle = 0.1, past = 1e-3, above = 0.1;
  const Outline block = turned_about(box(past, 1 + above, 2 + past, 2), 1, -angle);
  const auto places = touching_vertices(box(0, 0, 2, 1), block);
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, second_polygon, 0, above + 2 * std::sin(angle), up);
  expect_place(places, first_polygon, 2, above * std::cos(angle) + past * std::sin(angle),
               Tensor({-std::sin(angle), -std::cos(angle)}));
}

/// The side faces overlap far more than the faces of the stack.
TEST(TouchingVertices, AMisalignedStackPushesUp) {
  for (const double offset : {1e-6, -1e-6}) {
    const auto places =
        touching_vertices(box(0, 0, 1, 1), box(offset, 1 - 1e-5, 1 + offset, 2 - 1e-5));
    ASSERT_EQ(places.size(), 2u);
    for (const auto &place : places) {
      EXPECT_NEAR(place.gap, -1e-5, 1e-15);
      EXPECT_LT((place.normal - (place.is_first ? down : up)).norm(), 1e-15);
    }
    EXPECT_TRUE(find(places, first_polygon, offset > 0 ? 2 : 3));
    EXPECT_TRUE(find(places, second_polygon, offset > 0 ? 0 : 1));
  }
}

/// Stones with pointed corners have slipped by less than their penetration: neither vertex of a
/// pair of corners is inside the other stone, but both ends of the joint must carry.
TEST(TouchingVertices, PointedCornersCarry) {
  const Outline lower = {{0.5, 0}, {1.5, 0}, {2, 1}, {0, 1}};
  const double slip = 1e-6, depth = 1e-5;
  const Outline upper = moved({{0, 1}, {2, 1}, {1.5, 2}, {0.5, 2}}, 0, Tensor({slip, -depth}));
  const auto places = touching_vertices(lower, upper);
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, second_polygon, 0, -depth, up);
  expect_place(places, first_polygon, 2, -depth, down);
}

TEST(TouchingVertices, CornersInFrontOfEachOtherHaveNone) {
  for (const double apart : {0., 0.1})
    for (const double across : {0., 0.1}) {
      const auto places =
          touching_vertices(box(0, 0, 1, 1), box(1 + across, 1 + apart, 2 + across, 2 + apart));
      EXPECT_EQ(places.size(), 0u) << apart << ' ' << across;
    }
}

TEST(TouchingVertices, CornersThatPenetrateArePushedTheShortestWay) {
  const auto places = touching_vertices(box(0, 0, 1, 1), box(0.9, 0.99, 2, 2));
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, second_polygon, 0, -0.01, up, 1e-15);
  expect_place(places, first_polygon, 2, -0.01, down, 1e-15);
}

TEST(TouchingVertices, ABlockInsideAnotherIsPushedTheShortestWay) {
  const auto places = touching_vertices(box(0, 0, 10, 10), box(4, 6, 6, 8));
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, second_polygon, 0, -4., up);
  expect_place(places, second_polygon, 1, -4., up);
}

/// Vertices on an edge neither split the face nor count as its ends, but they are contact points.
TEST(TouchingVertices, VerticesOnAnEdgePlayNoPart) {
  const Outline lower = {{0, 0}, {3, 0}, {3, 1}, {2, 1}, {1.2, 1}, {0, 1}};
  const Outline upper = {{1.5, 1}, {2, 1}, {3, 1}, {4, 1}, {4, 2}, {1, 2}, {1, 1}};
  const auto places = touching_vertices(lower, upper);
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, second_polygon, 6, 0., up);
  expect_place(places, first_polygon, 2, 0., down);
}

TEST(TouchingVertices, ManyOfThemPlayNoPart) {
  Outline lower = {{0, 0}, {3, 0}};
  for (int i = 0; i <= 30; ++i)
    lower.emplace_back(3 - 0.1 * i, 1);
  const auto places = touching_vertices(lower, box(-1, 1, 2.05, 2));
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, first_polygon, 32, 0., down);
  expect_place(places, second_polygon, 1, 0., up);
}

TEST(TouchingVertices, AStickLiesOnABlock) {
  const Outline stick = {{0.5, 1.1}, {3, 1.1}}, block = box(0, 0, 2, 1);
  for (const auto &vertices : {stick, Outline{stick[1], stick[0]}}) {
    const auto places = touching_vertices(block, vertices);
    ASSERT_EQ(places.size(), 2u);
    expect_place(places, second_polygon, vertices == stick ? 0 : 1, 0.1, up, 1e-14);
    expect_place(places, first_polygon, 2, 0.1, down, 1e-14);
  }
}

/// Both edges of an upright stick are perpendicular to the face, and the lower end of each touches
/// it.
TEST(TouchingVertices, AStickStandsOnABlock) {
  for (const double x : {0., 0.3, 2.})
    for (const double gap : {0.1, 0., -0.1}) {
      if (gap < 0 && x != 0.3)
        continue; // the stick would be along the side of the block
      const auto places = touching_vertices(box(0, -1, 2, 0), {{x, gap + 3}, {x, gap}});
      ASSERT_EQ(places.size(), 2u);
      expect_place(places, second_polygon, 1, gap, up);
      expect_place(places, second_polygon, 0, gap + 3, up, 1e-14);
    }
}

/// Beside the face, the line of the stick passes close to a vertex, but the stick is far above it.
TEST(TouchingVertices, AStickAboveACornerDoesNotTouchIt) {
  for (const double x : {-1e-6, 2 + 1e-6})
    for (const double slant : {-1e-7, 0., 1e-7, 1e-5})
      for (const auto &place : touching_vertices(box(0, -1, 2, 0), {{x, 1}, {x + slant, 3}}))
        EXPECT_GT(place.gap, 0.5) << x << ' ' << slant;
}

TEST(TouchingVertices, ASlantedStickLeansOnACorner) {
  const auto places = touching_vertices(box(0, 0, 2, 1), {{1, 2.2}, {3, 0.2}});
  const VertexOnEdge *corner = find(places, first_polygon, 2);
  ASSERT_TRUE(corner);
  EXPECT_NEAR(corner->gap, 0.2 / std::sqrt(2.), 1e-15);
  EXPECT_LT((corner->normal + Tensor({1, 1}) / std::sqrt(2.)).norm(), 1e-15);
}

TEST(TouchingVertices, SticksCross) {
  const auto places = touching_vertices({{0, 0}, {1, 0}}, {{0.5, -0.1}, {0.5, 0.9}});
  ASSERT_EQ(places.size(), 2u);
  expect_place(places, second_polygon, 0, -0.1, up);
  expect_place(places, second_polygon, 1, 0.9, up);
}

TEST(TouchingVertices, SticksOnALineDoNotTouch) {
  EXPECT_EQ(touching_vertices({{0, 0}, {1, 0}}, {{1.5, 0}, {2, 0}}).size(), 0u);
}

class RandomPolygons : public ::testing::Test {
protected:
  std::mt19937 generator{20240229};

  double number(double from, double to) { return from + (to - from) * (generator() / 4294967296.); }

  /// Returns a convex polygon of two (a stick) to eight vertices on an ellipse of up to unit size.
  Outline polygon(unsigned int fewest = 2) {
    std::vector<double> angles(fewest + generator() % (9 - fewest));
    for (double &angle : angles)
      angle = number(0, 2 * pi);
    std::sort(angles.begin(), angles.end());
    const double a = number(0.5, 1), b = number(0.2, 1);
    Outline outline;
    for (const double angle : angles)
      outline.emplace_back(a * std::cos(angle), b * std::sin(angle));
    return moved(outline, number(0, 2 * pi), Tensor({number(-1, 1), number(-1, 1)}));
  }
};

double distance(const Outline &a, const Outline &b) {
  using Ring = boost::geometry::model::ring<Point, false, false>;
  const auto ring = [](const Outline &x) { return Ring(x.begin(), x.end()); };
  const auto stick = [](const Outline &x) { return dealii::Segment<2>(x[0], x[1]); };
  if (a.size() == 2 && b.size() == 2)
    return boost::geometry::distance(stick(a), stick(b));
  if (a.size() == 2)
    return boost::geometry::distance(stick(a), ring(b));
  if (b.size() == 2)
    return boost::geometry::distance(ring(a), stick(b));
  return boost::geometry::distance(ring(a), ring(b));
}

double vertex_distance(const Outline &a, const Outline &b) {
  double smallest = 1e300;
  for (const auto &x : a)
    for (const auto &y : b)
      smallest = std::min(smallest, x.distance(y));
  return smallest;
}

const VertexOnEdge &nearest(const Places &places) {
  return *std::min_element(places.begin(), places.end(),
                           [](const auto &a, const auto &b) { return a.gap < b.gap; });
}

/// Expects for separate polygons that no gap is negative or far below the distance, and that the
/// distance is one of the gaps unless it is between two vertices.
void expect_distance(const Outline &a, const Outline &b, double expected, const Places &places) {
  for (const auto &place : places)
    EXPECT_GT(place.gap, 0.7 * expected - 1e-12);
  if (expected > vertex_distance(a, b) - 1e-9)
    return;
  EXPECT_TRUE(std::any_of(places.begin(), places.end(), [&](const auto &place) {
    return std::abs(place.gap - expected) < 1e-12;
  })) << expected;
}

/// Expects for overlapping polygons that the deepest point gives the shortest separation, and that
/// a vertex of negative gap is inside, or outside by at most that separation.
void expect_way_out(const Outline &a, const Outline &b, const Places &places) {
  ASSERT_FALSE(places.empty());
  const VertexOnEdge deepest = nearest(places);
  const double depth = -deepest.gap;
  EXPECT_GT(depth, -1e-12);
  const Tensor out_of_a = deepest.is_first ? -deepest.normal : deepest.normal;
  EXPECT_GT(distance(a, moved(b, 0, (depth + 1e-9) * out_of_a)), 0.);
  for (int i = 0; i < 24; ++i)
    EXPECT_LT(distance(a, moved(b, 0, 0.999 * depth * rotated(out_of_a, pi / 12 * i))), 1e-12);
  for (const auto &place : places)
    if (place.gap < -1e-12) {
      const Point x = (place.is_first ? a : b)[place.vertex];
      EXPECT_LT(distance({x, x}, place.is_first ? b : a), depth + 1e-12);
    }
}

TEST_F(RandomPolygons, GapsAreDistancesAndWaysOut) {
  unsigned int n_apart = 0, n_overlapping = 0;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    const Outline a = polygon(), b = polygon();
    const auto places = touching_vertices(a, b);
    ASSERT_LE(places.size(), 2u);
    for (const auto &place : places)
      EXPECT_NEAR(place.normal.norm(), 1., 1e-14);
    const double apart = distance(a, b);
    ++(apart > 0 ? n_apart : n_overlapping);
    if (apart > 0)
      expect_distance(a, b, apart, places);
    else
      expect_way_out(a, b, places);
  }
  EXPECT_GT(n_apart, 1000u);
  EXPECT_GT(n_overlapping, 1000u);
}

/// True if x is to the left of every edge.
bool is_inside(const Outline &polygon, const Point &x, double tolerance) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Tensor along = polygon[(i + 1) % polygon.size()] - polygon[i], to_x = x - polygon[i];
    if (along[0] * to_x[1] - along[1] * to_x[0] < -tolerance * along.norm())
      return false;
  }
  return true;
}

/// Vertices of negative gaps of slightly overlapping blocks are inside the other block, except for
/// the piece that a tilted side face cuts off at its corner.
TEST_F(RandomPolygons, VerticesOfNegativeGapsAreInside) {
  unsigned int n_negative = 0, n_inside = 0;
  for (int i = 0; i < 20000 && !HasFailure(); ++i) {
    const Outline a = box(-1, -number(0.3, 2), 1, 0);
    const double tilt = number(-0.3, 0.3);
    Outline b = moved(box(-1, 0, 1, number(0.3, 2)), tilt, Tensor({number(-1.8, 1.8), 0}));
    b = moved(b, 0, Tensor({0, number(-0.05, 0.05) - std::min(b[0][1], b[1][1])}));
    const auto places = touching_vertices(a, b);
    for (const auto &place : places)
      if (place.gap < 0) {
        const Point &x = (place.is_first ? a : b)[place.vertex];
        const Outline &other = place.is_first ? b : a;
        const double depth = -nearest(places).gap;
        EXPECT_TRUE(is_inside(other, x, depth * std::abs(std::sin(tilt)) + 1e-14)) << i;
        n_inside += is_inside(other, x, 1e-14);
        ++n_negative;
      }
  }
  EXPECT_GT(n_negative, 5000u);
  EXPECT_GT(n_inside, 0.999 * n_negative);
}

/// Expects the same vertices with the same gaps after exchanging and rotating the polygons.
void expect_same(const Places &places, const Places &others, bool exchanged, double angle,
                 double tolerance) {
  ASSERT_EQ(places.size(), others.size());
  for (const auto &place : places)
    expect_place(others, place.is_first != exchanged, place.vertex, place.gap,
                 rotated(place.normal, angle), tolerance);
}

TEST_F(RandomPolygons, ExchangeChangesNothing) {
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    const Outline a = polygon(), b = polygon();
    expect_same(touching_vertices(a, b), touching_vertices(b, a), true, 0, 1e-14);
  }
}

/// Returns pairs with parallel faces or aligned ends, for which round-off must have no influence.
std::vector<std::pair<Outline, Outline>> delicate_pairs() {
  const Outline block = box(0, 0, 2, 1);
  return {{block, box(0, 1, 2, 2)},
          {block, box(0.5, 1, 2.5, 2)},
          {block, box(0, 1, 1, 2)},
          {block, box(-1, 1, 2, 2)},
          {block, box(1e-6, 1 - 1e-5, 2 + 1e-6, 2)},
          {block, box(2, 0, 3, 1)},
          {block, box(2, 1, 3, 2)},
          {block, {{0.5, 1}, {1.5, 1}}},
          {block, {{0.5, 1}, {0.5, 2}}},
          {block, {{2, 1}, {2, 2}}},
          {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {0.3, 1}, {0, 1}}, box(0.3, 1, 3, 2)},
          {{{0, 0}, {1, 0}}, {{0.2, 0}, {1.2, 0}}}};
}

TEST_F(RandomPolygons, RigidMotionsChangeNothing) {
  auto pairs = delicate_pairs();
  for (int i = 0; i < 50; ++i)
    pairs.emplace_back(polygon(), polygon());
  for (const auto &[a, b] : pairs)
    for (int i = 0; i < 50 && !HasFailure(); ++i) {
      const double angle = number(0, 2 * pi);
      const Tensor translation({number(-100, 100), number(-100, 100)});
      expect_same(touching_vertices(a, b),
                  touching_vertices(moved(a, angle, translation), moved(b, angle, translation)),
                  false, angle, 1e-12);
    }
}

TEST(TouchingVertices, ExchangeOfParallelFacesChangesNothing) {
  for (const double shift : {0.5, -0.5, 1e-6})
    for (const double gap : {0.1, 0., -0.1}) {
      const Outline a = box(0, 0, 2, 1), b = box(shift, 1 + gap, 2 + shift, 2 + gap);
      expect_same(touching_vertices(a, b), touching_vertices(b, a), true, 0, 1e-14);
    }
}

RigidBody<2> rigid_body(const Outline &outline) {
  RigidBody<2> body;
  body.outline = outline;
  body.centre = shape_properties(outline).centre;
  return body;
}

/// Two moving bodies, with degrees of freedom proportional to time.
struct MovingBodies {
  std::array<RigidBody<2>, 2> body;
  std::array<std::array<double, 3>, 2> v;

  Outline outline(unsigned int i, double t) const {
    const double q[] = {t * v[i][0], t * v[i][1], t * v[i][2]};
    return RigidPose<2>(body[i], q).outline(body[i]);
  }
  Places places(double t) const { return touching_vertices(outline(0, t), outline(1, t)); }

  /// Returns the velocity of the material point of a body that is at x initially.
  Tensor velocity(unsigned int i, const Point &x) const {
    return RigidPose<2>().velocity(x - body[i].centre, v[i].data());
  }
};

/// The gap opens with the normal velocity of the vertex relative to the coincident material point
/// of the other body: no other motion changes it.
TEST_F(RandomPolygons, GapsOpenWithTheRelativeNormalVelocity) {
  auto pairs = delicate_pairs();
  for (int i = 0; i < 200; ++i)
    pairs.emplace_back(polygon(3), polygon());
  unsigned int n_checked = 0;
  for (const auto &[a, b] : pairs) {
    MovingBodies bodies{{rigid_body(a), rigid_body(b)}, {}};
    for (auto &velocity : bodies.v)
      velocity = {number(-1, 1), number(-1, 1), number(-1, 1)};
    const double h = 1e-5;
    const Places before = bodies.places(-h), after = bodies.places(h);
    for (const auto &place : bodies.places(0)) {
      const auto *from = find(before, place.is_first, place.vertex);
      const auto *to = find(after, place.is_first, place.vertex);
      if (!from || !to || from->normal * to->normal < 0.99)
        continue; // another point or edge is now the nearest
      const unsigned int own = place.is_first ? 0 : 1;
      const Point x = bodies.body[own].outline[place.vertex];
      const Tensor relative = bodies.velocity(own, x) - bodies.velocity(1 - own, x);
      EXPECT_NEAR((to->gap - from->gap) / (2 * h), relative * place.normal, 1e-8);
      ++n_checked;
    }
  }
  EXPECT_GT(n_checked, 250u);
}

TEST(PolygonGap, IsTheDistanceInFrontOfAnEdgeAndInside) {
  const Outline block = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}};
  const auto expect_gap = [&](const Point &x, double expected, const Tensor &normal) {
    const PolygonGap found = gap(block, x);
    EXPECT_NEAR(found.distance, expected, 1e-15) << x;
    EXPECT_LT((found.normal - normal).norm(), 1e-15) << x;
  };
  expect_gap({0.7, 1.5}, 0.5, up);
  expect_gap({1.5, -0.25}, 0.25, down);
  expect_gap({2.25, 0.5}, 0.25, right);
  expect_gap({0.25, 0.5}, -0.25, left);
  expect_gap({1, 0.9}, -0.1, up);
  expect_gap({2, 0.5}, 0., right);
  expect_gap({2.3, 1.4}, 0.4, up); // the distance of the corner is 0.5
}

TEST_F(RandomPolygons, GapOfAPointBoundsItsDistance) {
  for (int i = 0; i < 2000; ++i) {
    const Outline outline = polygon(3);
    const Point x(number(-2, 2), number(-2, 2));
    const PolygonGap found = gap(outline, x);
    const double expected = distance({x, x}, outline);
    EXPECT_EQ(found.distance < 0, is_inside(outline, x, 0));
    EXPECT_LE(found.distance, expected + 1e-13);
    if (expected > 0 && expected < vertex_distance({x}, outline) - 1e-9) {
      EXPECT_NEAR(found.distance, expected, 1e-13);
    }
    // A step along the normal opens the gap by the same length.
    EXPECT_GT(gap(outline, x + 0.01 * found.normal).distance, found.distance + 0.01 - 1e-13);
  }
}

/// A stick has no inside.
TEST(PolygonGap, OfAStickIsTheDistanceFromItsLine) {
  EXPECT_NEAR(gap({{0, 0}, {2, 0}}, {1, 0.3}).distance, 0.3, 1e-15);
  EXPECT_NEAR(gap({{0, 0}, {2, 0}}, {1, -0.3}).distance, 0.3, 1e-15);
}

std::vector<std::pair<unsigned int, unsigned int>> near_pairs(const std::vector<Outline> &outlines,
                                                              const std::vector<double> &margins) {
  return BroadPhase(outlines, margins).near_pairs();
}

std::vector<std::pair<unsigned int, unsigned int>>
near_pairs_one_by_one(const std::vector<Outline> &outlines, const std::vector<double> &margins) {
  const auto end = [&](unsigned int i, unsigned int d, double sign) {
    double most = -1e300;
    for (const auto &x : outlines[i])
      most = std::max(most, sign * x[d]);
    return sign * (most + margins[i]);
  };
  std::vector<std::pair<unsigned int, unsigned int>> pairs;
  for (unsigned int i = 0; i < outlines.size(); ++i)
    for (unsigned int j = i + 1; j < outlines.size(); ++j) {
      bool meet = true;
      for (unsigned int d = 0; d < 2; ++d)
        meet = meet && end(i, d, -1) <= end(j, d, 1) && end(j, d, -1) <= end(i, d, 1);
      if (meet)
        pairs.emplace_back(i, j);
    }
  return pairs;
}

TEST_F(RandomPolygons, NearPairsAreThoseWhoseBoxesMeet) {
  for (const unsigned int n : {0u, 1u, 2u, 7u, 60u, 300u})
    for (const double spread : {1., 10., 40.}) {
      std::vector<Outline> outlines;
      std::vector<double> margins;
      for (unsigned int i = 0; i < n; ++i) {
        outlines.push_back(
            moved(polygon(), 0, Tensor({number(-spread, spread), number(-spread, spread)})));
        margins.push_back(number(0, 0.5));
      }
      EXPECT_EQ(near_pairs(outlines, margins), near_pairs_one_by_one(outlines, margins));
    }
}

TEST(NearPairs, CountBoxesThatTouchAndEachMargin) {
  const std::vector<Outline> row = {
      box(0, 0, 1, 1), box(1, 0, 2, 1), box(3, 1, 4, 2), {{4.5, 1.5}, {5, 1.5}}};
  using Pairs = std::vector<std::pair<unsigned int, unsigned int>>;
  EXPECT_EQ(near_pairs(row, {0, 0, 0, 0}), (Pairs{{0, 1}}));
  EXPECT_EQ(near_pairs(row, {0, 0, 1, 0}), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(near_pairs(row, {0, 0.5, 0.5, 0.25}), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(near_pairs(row, {0, 0.5, 0.25, 0.125}), (Pairs{{0, 1}}));
}

} // namespace
