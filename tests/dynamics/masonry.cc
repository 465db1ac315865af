// Walls and arches of blocks without mortar in 3D, with the general step.

#include <gtest/gtest.h>

#include "support/solids.h"
#include <algorithm>
#include <cmath>

namespace {

using namespace percussion;
using test::SolidSystem;
using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;

/// A semicircular arch of mean radius 1 on the plane z = 0, with straight voussoirs.
struct Arch {
  static constexpr unsigned int n = 27;
  double thickness;

  double angle(unsigned int joint) const { return std::acos(-1.) * joint / n; }
  double inner() const { return 1. - 0.5 * thickness; }
  double outer() const { return 1. + 0.5 * thickness; }
  /// Returns the area of the cross-section; centroid() returns the distance of its centroid from
  /// the centre of the arch.
  double area() const { return 0.5 * std::sin(angle(1)) * (outer() * outer() - inner() * inner()); }
  double centroid() const { // centroid of the triangle to the centre, without the inner triangle
    const double triangle_centroid = 2. / 3. * std::cos(0.5 * angle(1)), o = outer(), i = inner();
    return triangle_centroid * (o * o * o - i * i * i) / (o * o - i * i);
  }

  RigidBody<3> voussoir(unsigned int k) const {
    std::vector<SpacePoint> vertices;
    for (const double a : {angle(k), angle(k + 1)})
      for (const double r : {inner(), outer()})
        for (const double y : {-0.1, 0.1})
          vertices.emplace_back(r * std::cos(a), y, r * std::sin(a));
    return solid_body("voussoir", 1., {convex_hull(vertices)});
  }

  /// Limit analysis without tension and without slip: returns the margin of the moment M about the
  /// centre for which a thrust H in the crown keeps the resultant in each joint between its edges.
  /// The margin is concave in H.
  double margin(double H) const {
    double least = 1e300, greatest = -1e300, weight = 0.5 * area(), moment = weight * half_key();
    for (unsigned int joint = n / 2;; --joint) {
      const double a = angle(joint), normal = weight * std::cos(a) + H * std::sin(a);
      greatest = std::max(greatest, inner() * normal - moment);
      least = std::min(least, outer() * normal - moment);
      if (joint == 0)
        break;
      weight += area();
      moment += area() * centroid() * std::cos(0.5 * (angle(joint) + angle(joint - 1)));
    }
    return least - greatest;
  }
  /// Returns x of the centroid of half a keystone, whose width grows from 2 i s to 2 o s.
  double half_key() const {
    const double i = inner(), o = outer(), s = std::sin(0.5 * angle(1));
    return s * (o * o * o - i * i * i) / (3. * (o * o - i * i));
  }
  bool may_stand() const {
    double low = 0., high = 2. * n * area();
    for (unsigned int k = 0; k < 200; ++k) {
      const double a = low + (high - low) / 3., b = high - (high - low) / 3.;
      (margin(a) < margin(b) ? low : high) = margin(a) < margin(b) ? a : b;
    }
    return margin(low) >= 0.;
  }
};

/// Returns the thickness at which the arch falls.
double critical_thickness() {
  double low = 0.05, high = 0.3;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    (Arch{middle}.may_stand() ? high : low) = middle;
  }
  return high;
}

/// Returns the largest velocity of the arch after some steps, relative to the velocity of a free
/// fall.
double velocity_of_arch(double thickness, unsigned int n_steps) {
  SolidSystem system;
  const Arch arch{thickness};
  for (unsigned int k = 0; k < Arch::n; ++k)
    system.rigid.push_back(arch.voussoir(k));
  system.gravity = SpaceVector({0., 0., -1.});
  system.add_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, 0.5).gap_tolerance = 1e-9;
  system.add_mutual_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, 0.5).gap_tolerance = 1e-9;
  system.make();
  system.cone.tolerance = 1e-10;
  system.start();
  for (unsigned int k = 0; k < n_steps; ++k) {
    const auto &record = system.advance();
    EXPECT_EQ(record.contacts.size(), 4u * (Arch::n + 1));
  }
  double largest = 0.;
  for (unsigned int k = 0; k < Arch::n; ++k)
    for (unsigned int d = 0; d < 3; ++d)
      largest = std::max(largest, std::abs(system.v(k)[d]));
  return largest / (n_steps * system.choices.h);
}

/// The arch stands with a thickness 10⁻⁴ of the radius above the critical one of limit analysis,
/// and falls with a thickness as much below it.
TEST(MasonryArch, FallsAtTheThicknessOfLimitAnalysis) {
  const double thickness = critical_thickness();
  EXPECT_NEAR(thickness, 0.1075, 0.01); // for infinitely many voussoirs
  EXPECT_LT(velocity_of_arch(thickness + 1e-4, 1), 1e-8);
  EXPECT_GT(velocity_of_arch(thickness - 1e-4, 1), 1e-5);
}

/// A small wall falls through the gaps between its courses and comes to rest, with all contacts
/// closed and a closed ledger, and with fewer and fewer iterations.
TEST(MasonryWall, ComesToRest) {
  SolidSystem system;
  for (unsigned int course = 0; course < 3; ++course)
    for (unsigned int k = 0; k + course < 4; ++k)
      system.rigid.push_back(
          solid_body("block", 2300,
                     {make_box({0., 2.01 * k + 1.005 * course, 0.5 + 1.01 * course},
                               SpaceVector({1., 2., 1.}))}));
  system.gravity = SpaceVector({0., 0., -9.81});
  system.add_contact(ImpactLawKind::fremond, {0.2, 0., 0.}, 0.6).gap_tolerance = 1e-9;
  system.add_mutual_contact(ImpactLawKind::fremond, {0.2, 0., 0.}, 0.6).gap_tolerance = 1e-9;
  system.make();
  system.choices.h = 5e-4;
  system.cone.tolerance = 1e-8;
  system.start();
  double largest = 0., work = 0.;
  for (unsigned int k = 0; k < 400; ++k) {
    const auto &record = system.advance();
    largest = std::max(largest, system.state.energy());
    work = std::max({work, record.normal_work_max, record.tangential_work_max});
    ASSERT_LT(std::abs(record.balance_residual), 1e-12 * 1e4) << k;
    ASSERT_LE(record.solver_residual, 1e-8) << k;
  }
  EXPECT_LT(work, 1e-8 * 1e4);
  EXPECT_LT(system.state.kinetic, 1e-10 * 1e4);
}

} // namespace
