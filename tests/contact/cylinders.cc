// Contacts of cylinders with each other, capsules, polyhedra, spheres and surfaces.

#include <percussion/body/attitude.h>
#include <percussion/contact/polyhedra.h>
#include <percussion/contact/surface.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace cylinders {

using namespace percussion;
using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;

enum class Kind { box, capsule, cylinder };

class RandomShapes {
public:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
  Tensor vector(double size) {
    return Tensor({number(-size, size), number(-size, size), number(-size, size)});
  }
  /// Returns a shape around a point.
  ConvexShape shape(Kind kind, const Point &middle) {
    const Tensor half = vector(0.8);
    if (kind == Kind::capsule)
      return make_capsule(middle - half, middle + half, number(0.05, 0.4));
    if (kind == Kind::cylinder)
      return make_cylinder(middle - half, middle + half, number(0.1, 0.8));
    const ConvexShape box = make_box({}, Tensor({number(0.4, 2), number(0.4, 2), number(0.4, 2)}));
    const auto R = rotation_matrix(quaternion(vector(1), number(0, 3)));
    std::vector<Point> corners;
    for (const Point &x : box.vertices)
      corners.emplace_back(middle + R * x);
    return convex_hull(corners);
  }

private:
  std::mt19937 generator{11};
};

/// Returns the distance of two convex shapes by alternating projections; none if they overlap.
double distance_by_projections(const ConvexShape &a, const ConvexShape &b) {
  const PlacedShape first = place_shape(a), second = place_shape(b);
  const auto project = [](const PlacedShape &shape, const Point &x) {
    const PolyhedronGap g = gap(shape, x);
    return g.distance > 0 ? Point(x - g.distance * g.normal) : x;
  };
  Point x = a.vertices[0], y;
  for (unsigned int k = 0; k < 3000; ++k) {
    y = project(second, x);
    x = project(first, y);
  }
  return x.distance(y);
}

ShapeContact nearest_contact(const std::vector<ShapeContact> &contacts) {
  ShapeContact nearest{0, 1e9, {}, {}};
  for (const ShapeContact &contact : contacts)
    if (contact.gap < nearest.gap)
      nearest = contact;
  return nearest;
}

std::vector<ShapeContact> between(const ConvexShape &a, const ConvexShape &b, double reach = 9) {
  return contact_points_of(place_shape(a), place_shape(b), reach);
}

class CylinderPairs : public testing::TestWithParam<Kind> {};

TEST_P(CylinderPairs, GapIsTheDistanceAndChangesWithTheVelocity) {
  RandomShapes random;
  unsigned int n = 0, n_rates = 0;
  for (unsigned int k = 0; k < 150; ++k) {
    const ConvexShape cylinder = random.shape(Kind::cylinder, Point()),
                      second = random.shape(GetParam(), Point(random.vector(2.2)));
    const double expected = distance_by_projections(cylinder, second);
    if (expected < 1e-3)
      continue;
    ++n;
    const ShapeContact nearest = nearest_contact(between(cylinder, second));
    EXPECT_NEAR(nearest.gap, expected, 1e-5) << k;
    const ShapeContact swapped = nearest_contact(between(second, cylinder));
    EXPECT_NEAR(nearest.gap, swapped.gap, 1e-12) << k;
    EXPECT_LT((nearest.normal + swapped.normal).norm(), 1e-6) << k;

    constexpr double h = 1e-5;
    const RigidBody<3> body = solid_body("", 1, {cylinder});
    const Tensor v = random.vector(1), omega = random.vector(1);
    const auto gap_at = [&](double t) {
      double q[6] = {};
      const double velocity[] = {v[0], v[1], v[2], omega[0], omega[1], omega[2]};
      move_body<3>(t, velocity, q);
      PlacedShape placed;
      place_shape(body.shapes[0], body, RigidPose<3>(body, q), placed);
      return nearest_contact(contact_points_of(placed, place_shape(second), 9)).gap;
    };
    const Point x = nearest.x + 0.5 * nearest.gap * nearest.normal;
    const double rate = nearest.normal * (v + cross_product_3d(omega, x - body.centre));
    n_rates += std::abs((gap_at(h) - gap_at(-h)) / (2 * h) - rate) < 1e-5;
  }
  EXPECT_GT(n, 60u);
  EXPECT_GE(n_rates + 1, n); // one kink, where another feature becomes the nearest
}

/// Returns the least penetration of two shapes, by their supports in many directions.
double least_penetration(const PlacedShape &a, const PlacedShape &b) {
  const auto support = [](const PlacedShape &s, const Tensor &n) {
    double highest = -1e9;
    const bool is_cylinder = s.shape->is_cylinder();
    for (const Point &x : s.vertices)
      highest = std::max(highest, n * x);
    if (is_cylinder) {
      const Tensor axis = (s.vertices[1] - s.vertices[0]) / s.vertices[0].distance(s.vertices[1]);
      return highest + s.shape->radius * (n - (n * axis) * axis).norm();
    }
    return highest + s.shape->radius;
  };
  const auto separation = [&](const Tensor &n) { return -support(a, -n) - support(b, n); };
  double best = -1e9;
  Tensor axis;
  constexpr unsigned int n = 16;
  for (unsigned int i = 0; i <= n; ++i)
    for (unsigned int j = 0; j < 2 * n; ++j) {
      const double polar = i * std::acos(-1.) / n, angle = j * std::acos(-1.) / n;
      const Tensor direction(
          {std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)});
      if (const double s = separation(direction); s > best) {
        best = s;
        axis = direction;
      }
    }
  if (best < -0.3) // too deep for this test
    return best;
  RandomShapes random; // directions around the best one: the maximum may be on a ridge
  for (double step = 0.3; step > 1e-6; step *= 0.995) {
    Tensor direction = axis + random.vector(step);
    direction /= direction.norm();
    if (const double s = separation(direction); s > best) {
      best = s;
      axis = direction;
      step *= 1.05;
    }
  }
  return best;
}

/// Shapes that overlap by little have contacts, and their depth is the least penetration.
TEST_P(CylinderPairs, OverlapHasAContactOfItsDepth) {
  RandomShapes random;
  unsigned int n = 0, n_deep = 0;
  for (unsigned int k = 0; k < 4000 && n < 40; ++k) {
    const ConvexShape cylinder = random.shape(Kind::cylinder, Point()),
                      second = random.shape(GetParam(), Point(random.vector(1.6)));
    const double expected = least_penetration(place_shape(cylinder), place_shape(second));
    if (expected > -1e-4 || expected < -0.03)
      continue;
    ++n;
    const auto contacts = between(cylinder, second);
    ASSERT_FALSE(contacts.empty()) << k << ' ' << expected;
    EXPECT_LT(nearest_contact(contacts).gap, 0.) << k << ' ' << expected;
    n_deep += std::abs(nearest_contact(contacts).gap - expected) < 0.05 * std::abs(expected);
  }
  EXPECT_GE(n, 20u);
  EXPECT_GE(n_deep, n - n / 10) << n;
}

INSTANTIATE_TEST_SUITE_P(Shapes, CylinderPairs,
                         testing::Values(Kind::box, Kind::capsule, Kind::cylinder));

/// Returns the points of closed contacts, by ascending coordinates.
std::vector<Point> closed_points(const ConvexShape &a, const ConvexShape &b) {
  std::vector<Point> closed;
  for (const ShapeContact &contact : between(a, b, 0.1))
    if (std::abs(contact.gap) < 1e-12)
      closed.push_back(contact.x);
  std::sort(closed.begin(), closed.end(), [](const Point &x, const Point &y) {
    return std::abs(x[0] - y[0]) > 1e-9 ? x[0] < y[0] : x[1] < y[1];
  });
  return closed;
}

void expect_points(const std::vector<Point> &found, const std::vector<Point> &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LT(found[i].distance(expected[i]), 1e-7) << found[i];
}

/// Flush faces of turned cylinders that overlap are apart by their depth: the highest points along
/// an axis are on the rim, whatever round-off leaves across it.
TEST(Cylinders, OverlapAlongTheirAxisByTheirDepth) {
  RandomShapes random;
  for (unsigned int k = 0; k < 200; ++k) {
    Tensor axis = random.vector(1);
    axis /= axis.norm();
    const Point middle(random.vector(3));
    const double depth = random.number(1e-6, 0.05);
    const auto contacts = between(make_cylinder(middle - depth * axis, middle + axis, 0.7),
                                  make_cylinder(middle - axis, middle, 0.4), 0.1);
    ASSERT_FALSE(contacts.empty()) << k;
    EXPECT_NEAR(nearest_contact(contacts).gap, -depth, 1e-9) << k;
  }
}

TEST(Cylinders, StandOnFourPoints) {
  const ConvexShape cylinder = make_cylinder({0, 0, 0}, {0, 0, 1}, 0.5);
  const ConvexShape plate = make_box({0, 0, -1}, Tensor({4, 4, 2}));
  const std::vector<Point> quarters = {{-0.5, 0, 0}, {0, -0.5, 0}, {0, 0.5, 0}, {0.5, 0, 0}};
  expect_points(closed_points(cylinder, plate), quarters);
  // A box as wide as the cylinder, and a wider cylinder.
  expect_points(closed_points(make_box({0, 0, -1}, Tensor({1, 1, 2})), cylinder), quarters);
  expect_points(closed_points(cylinder, make_cylinder({0, 0, -1}, {0, 0, 0}, 2)), quarters);
  expect_points(closed_points(make_cylinder({0, 0, -1}, {0, 0, 0}, 0.5), cylinder), quarters);
}

TEST(Cylinders, StandBeyondABorder) {
  const ConvexShape cylinder = make_cylinder({0, 0, 0}, {0, 0, 1}, 0.5);
  // The border x = 0.3 crosses the rim at y = ±0.4.
  expect_points(closed_points(cylinder, make_box({-1.7, 0, -1}, Tensor({4, 4, 2}))),
                {{-0.5, 0, 0}, {0, -0.5, 0}, {0, 0.5, 0}, {0.3, -0.4, 0}, {0.3, 0.4, 0}});
  // Two rims cross at x = 0.4.
  const auto side_by_side = closed_points(cylinder, make_cylinder({0.8, 0, -1}, {0.8, 0, 0}, 0.5));
  expect_points(side_by_side, {{0.3, 0, 0}, {0.4, -0.3, 0}, {0.4, 0.3, 0}, {0.5, 0, 0}});
}

TEST(Cylinders, LieOnTwoPoints) {
  const double r = 0.5;
  const auto lying = [&](double x0, double x1, double z) {
    return make_cylinder({x0, 0, z}, {x1, 0, z}, r);
  };
  const ConvexShape box = make_box({0, 0, -1}, Tensor({4, 4, 2}));
  expect_points(closed_points(lying(-1, 1, r), box), {{-1, 0, 0}, {1, 0, 0}});
  expect_points(closed_points(lying(-1, 3, r), box), {{-1, 0, 0}, {2, 0, 0}});
  expect_points(closed_points(lying(-3, 3, r), box), {{-2, 0, 0}, {2, 0, 0}});
  expect_points(closed_points(lying(-1, 1, r), lying(-0.5, 3, -r)), {{-0.5, 0, 0}, {1, 0, 0}});
  expect_points(closed_points(lying(-1, 1, r), make_capsule({-3, 0, -r}, {0.5, 0, -r}, r)),
                {{-1, 0, 0}, {0.5, 0, 0}});
  // A cylinder and a capsule across an end face, longer than it.
  expect_points(closed_points(make_cylinder({0, 0, -1}, {0, 0, 0}, 2), lying(-3, 1, r)),
                {{-2, 0, 0}, {1, 0, 0}});
  expect_points(closed_points(make_cylinder({0, 0, -1}, {0, 0, 0}, 2),
                              make_capsule({-3, 0, r}, {1, 0, r}, r)),
                {{-2, 0, 0}, {1, 0, 0}});
}

TEST(Cylinders, CrossAtOnePoint) {
  const ConvexShape lower = make_cylinder({-2, 0, 0}, {2, 0, 0}, 0.5),
                    upper = make_cylinder({0.5, -2, 1}, {0.5, 2, 1}, 0.5);
  expect_points(closed_points(lower, upper), {{0.5, 0, 0.5}});
}

TEST(Cylinders, TouchSpheresAtSideEndAndRim) {
  const ConvexShape cylinder = make_cylinder({0, 0, -1}, {0, 0, 1}, 0.5);
  const auto gap_to = [&](const Point &centre) {
    return nearest_contact(between(make_sphere(centre, 0.25), cylinder)).gap;
  };
  EXPECT_NEAR(gap_to({0, 1, 0.5}), 0.25, 1e-15);
  EXPECT_NEAR(gap_to({0.2, 0.1, 1.5}), 0.25, 1e-15);
  EXPECT_NEAR(gap_to({0, 0.8, 1.4}), 0.25, 1e-15);
  EXPECT_NEAR(gap_to({0, 0.4, 0.5}), -0.35, 1e-15); // with its centre inside
  EXPECT_NEAR(gap_to({0, 0.1, 0.9}), -0.35, 1e-15);
}

/// A cylinder that is more than half of the way through a plate leaves it on the side of entry.
TEST(Cylinders, LeaveOnTheSideOfEntry) {
  const EntryDirection<3> entry_above{{}, Tensor({0, 0, 1}), true};
  const PairGuide<3> guide{&entry_above, nullptr};
  const ConvexShape box = make_box({}, Tensor({4, 4, 0.2}));
  const PlacedShape plate = place_shape(box);
  const auto expect_above = [&](const ConvexShape &cylinder, double depth) {
    const auto touching = touching_shapes(place_shape(cylinder), plate, 1, guide);
    EXPECT_TRUE(touching.overlapping);
    const ShapeContact nearest = nearest_contact(touching.points);
    EXPECT_NEAR(nearest.gap, -depth, 1e-12);
    EXPECT_NEAR(nearest.normal[2], 1., 1e-12);
  };
  expect_above(make_cylinder({0, 0, -0.4}, {0, 0, 0.1}, 0.5), 0.5);
  expect_above(make_cylinder({-1, 0, 0}, {1, 0, 0}, 0.3), 0.4);
}

} // namespace cylinders
