// Contacts of capsules with each other and with polyhedra.

#include <percussion/body/attitude.h>
#include <percussion/contact/polyhedra.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace capsules {

using namespace percussion;
using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;

/// Capsule and a second shape in random poses.
class RandomPairs {
public:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
  Tensor vector(double size) {
    return Tensor({number(-size, size), number(-size, size), number(-size, size)});
  }
  ConvexShape capsule() {
    const Point middle(vector(1.5));
    const Tensor half = vector(0.8);
    return make_capsule(middle - half, middle + half, number(0.05, 0.4));
  }
  ConvexShape box() {
    const ConvexShape box = make_box({}, Tensor({number(0.4, 2), number(0.4, 2), number(0.4, 2)}));
    const auto R = rotation_matrix(quaternion(vector(1), number(0, 3)));
    std::vector<Point> corners;
    for (const Point &x : box.vertices)
      corners.emplace_back(R * x);
    return convex_hull(corners);
  }

private:
  std::mt19937 generator{7};
};

/// Returns the smallest distance of points of the segment of a capsule from a shape, less the
/// radius.
double sampled_gap(const ConvexShape &capsule, const ConvexShape &second) {
  constexpr unsigned int n = 4000;
  double smallest = 1e9;
  const PlacedShape placed = place_shape(second);
  for (unsigned int k = 0; k <= n; ++k)
    smallest = std::min(smallest,
                        gap(placed, capsule.vertices[0] +
                                        double(k) / n * (capsule.vertices[1] - capsule.vertices[0]))
                            .distance);
  return smallest - capsule.radius;
}

double smallest_gap(const std::vector<ShapeContact> &contacts) {
  double smallest = 1e9;
  for (const ShapeContact &contact : contacts)
    smallest = std::min(smallest, contact.gap);
  return smallest;
}

std::vector<ShapeContact> contacts(const ConvexShape &a, const ConvexShape &b, double reach = 9) {
  return contact_points_of(place_shape(a), place_shape(b), reach);
}

TEST(Capsules, GapIsTheSmallestOfSampledDistances) {
  RandomPairs random;
  unsigned int n_boxes = 0, n_capsules = 0;
  for (unsigned int k = 0; k < 400; ++k) {
    const ConvexShape capsule = random.capsule(), box = random.box(), second = random.capsule();
    if (const double expected = sampled_gap(capsule, box); expected > -0.9 * capsule.radius) {
      ++n_boxes;
      EXPECT_NEAR(smallest_gap(contacts(capsule, box)), expected, 2e-6) << k;
      EXPECT_NEAR(smallest_gap(contacts(box, capsule)), expected, 2e-6) << k;
    }
    if (const double expected = sampled_gap(capsule, second);
        expected > -0.9 * std::min(capsule.radius, second.radius)) {
      ++n_capsules;
      EXPECT_NEAR(smallest_gap(contacts(capsule, second)), expected, 2e-6) << k;
    }
  }
  EXPECT_GT(n_boxes, 250u);
  EXPECT_GT(n_capsules, 300u);
}

/// A contact with a law for velocities keeps its gap if the velocity of the material points along
/// the normal is the rate of the gap.
TEST(Capsules, GapChangesWithTheVelocityOfTheContact) {
  RandomPairs random;
  unsigned int n = 0;
  for (unsigned int k = 0; k < 300; ++k) {
    const ConvexShape capsule = random.capsule(), box = random.box(), second = random.capsule();
    const RigidBody<3> body = solid_body("", 1, {capsule});
    const Tensor v = random.vector(1), omega = random.vector(1);
    const auto at = [&](double t) {
      double q[6] = {};
      const double velocity[] = {v[0], v[1], v[2], omega[0], omega[1], omega[2]};
      move_body<3>(t, velocity, q);
      PlacedShape placed;
      place_shape(body.shapes[0], body, RigidPose<3>(body, q), placed);
      return placed;
    };
    for (const ConvexShape &opposite : {box, second}) {
      constexpr double h = 1e-5;
      const PlacedShape other = place_shape(opposite);
      const auto begin = contact_points_of(at(-h), other, 1),
                 end = contact_points_of(at(h), other, 1);
      for (const ShapeContact &contact : contact_points_of(at(0), other, 1))
        for (const ShapeContact &first : begin)
          for (const ShapeContact &last : end)
            if (first.feature == contact.feature && last.feature == contact.feature) {
              const Point x = contact.x + 0.5 * contact.gap * contact.normal;
              const double rate = contact.normal * (v + cross_product_3d(omega, x - body.centre));
              EXPECT_NEAR((last.gap - first.gap) / (2 * h), rate, 1e-6) << k;
              ++n;
            }
    }
  }
  EXPECT_GT(n, 600u);
}

TEST(Capsules, LieOnFacesEdgesAndEachOtherAtTwoPoints) {
  const ConvexShape box = make_box({}, Tensor({2, 2, 2}));
  const double r = 0.25;
  const auto lying = [&](double x0, double x1, double y, double z) {
    return make_capsule({x0, y, z}, {x1, y, z}, r);
  };
  const auto expect_at = [&](const std::vector<ShapeContact> &found, double x0, double x1) {
    std::vector<double> closed;
    for (const ShapeContact &contact : found)
      if (contact.gap < 1e-9) {
        closed.push_back(contact.x[0]);
        EXPECT_NEAR(contact.gap, 0., 1e-15);
      }
    std::sort(closed.begin(), closed.end());
    ASSERT_EQ(closed.size(), 2u);
    EXPECT_NEAR(closed[0], x0, 1e-14);
    EXPECT_NEAR(closed[1], x1, 1e-14);
  };
  expect_at(contacts(lying(-0.5, 0.75, 0.1, 1.25), box), -0.5, 0.75); // within the face
  expect_at(contacts(lying(-0.5, 3., 0.1, 1.25), box), -0.5, 1.);     // beyond its border
  expect_at(contacts(lying(-2., 3., 0.1, 1.25), box), -1., 1.);
  const double s = std::sqrt(0.5);
  expect_at(contacts(lying(-0.5, 3., 1 + r * s, 1 + r * s), box), -0.5, 1.); // along an edge
  expect_at(contacts(lying(-2., 3., 1 + r * s, 1 + r * s), box), -1., 1.);
  expect_at(contacts(lying(-1., 1., 0, 0), lying(0.25, 5., 0, 0.5)), 0.25, 1.);
  expect_at(contacts(lying(-1., 1., 0, 0), lying(-3., 5., 0, 0.5)), -1., 1.);
}

TEST(Capsules, CrossAtOnePoint) {
  const ConvexShape first = make_capsule({-1, 0, 0}, {1, 0, 0}, 0.2),
                    second = make_capsule({0.3, -2, 0.6}, {0.3, 1, 0.6}, 0.3);
  const auto found = contacts(first, second, 0.2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gap, 0.1, 1e-15);
  EXPECT_LT((found[0].normal - Tensor({0, 0, -1})).norm(), 1e-15);
  EXPECT_LT(found[0].x.distance({0.3, 0, 0.25}), 1e-15);
}

/// A capsule that overlaps another by more than its radius leaves it on the side on which it came.
TEST(Capsules, LeaveOnTheSideOfEntry) {
  const ConvexShape lower = make_capsule({-1, 0, 0}, {1, 0, 0}, 0.2);
  const ConvexShape box = make_box({}, Tensor({2, 2, 0.1}));
  const EntryDirection<3> entry_above{{}, Tensor({0, 0, 1}), true};
  const PairGuide<3> guide{&entry_above, nullptr};
  const ConvexShape upper = make_capsule({0, -1, -0.05}, {0, 1, -0.05}, 0.2);
  for (const ConvexShape &opposite : {lower, box}) {
    const auto touching = touching_shapes(place_shape(upper), place_shape(opposite), 1, guide);
    ASSERT_FALSE(touching.points.empty());
    EXPECT_TRUE(touching.overlapping);
    for (const ShapeContact &contact : touching.points)
      EXPECT_TRUE(contact.gap >= 0 || contact.normal[2] > 0.99) << contact.feature;
    const double depth = opposite.is_capsule() ? 0.45 : 0.3;
    EXPECT_NEAR(smallest_gap(touching.points), -depth, 1e-14);
  }
}

} // namespace capsules
