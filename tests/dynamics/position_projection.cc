// Positions of rigid bodies are corrected after steps, and the ledger contains the energy of the
// corrections.

#include <percussion/dynamics/position_projection.h>

#include <gtest/gtest.h>

#include "support/rigid.h"
#include "support/solids.h"

namespace projected_positions {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;
using test::SolidSystem;

/// Returns boxes of side 1 above each other and above the ground, with gaps that close as they
/// fall.
RigidSystem dropped_stack(unsigned int n, PositionCorrection correction) {
  const ImpactLawKind law = ImpactLawKind::newton_coulomb;
  RigidSystem system;
  system.choices.h = 5e-3;
  system.choices.position_correction = correction;
  for (unsigned int i = 0; i < n; ++i)
    system.rigid.push_back(
        rectangle("box", 1, 1, 1000, dealii::Point<2>(0, 0.5 + i + 0.02 * (i + 1))));
  system.gravity = dealii::Tensor<1, 2>({0., -9.81});
  system.add_contact(law, {0., 0., 0.}, 0.5);
  system.add_mutual_contact(law, {0., 0., 0.}, 0.5);
  system.make();
  system.start();
  return system;
}

TEST(PositionProjection, ReturnsAStackToItsHeight) {
  constexpr unsigned int n = 10;
  double lost = 0; // work of gravity down to the heights of the boxes without correction
  for (const auto correction : {PositionCorrection::none, PositionCorrection::projection}) {
    RigidSystem stack = dropped_stack(n, correction);
    double external = 0, given = 0, fall = 0, largest = 0;
    for (unsigned int k = 0; k < 300; ++k) {
      const double before = stack.state.energy();
      const auto &record = stack.advance();
      ASSERT_NEAR(stack.state.energy() - before, record.works.sum(), 1e-13 * 1e5) << k;
      ASSERT_FALSE(record.is_uncorrected);
      external += record.works.external;
      given += record.works.position_correction;
      largest = std::max(largest, stack.state.energy());
    }
    for (unsigned int b = 0; b < n; ++b)
      fall -= 9.81 * 1000 * stack.q(b)[1];
    EXPECT_NEAR(external, fall, 1e-12 * fall);
    const double missing = -0.02 * n - stack.q(n - 1)[1];
    EXPECT_LT(stack.state.kinetic, 1e-12 * largest); // the stack rests
    if (correction == PositionCorrection::none) {
      EXPECT_GT(missing, 0.07);
      EXPECT_EQ(given, 0.);
      lost = external;
    } else {
      EXPECT_LT(std::abs(missing), 1e-4);
      EXPECT_GT(given, 0.);
      EXPECT_LT(given, lost - external); // less than the work of gravity during the penetration
      EXPECT_LT(std::abs(stack.q(n - 1)[0]), 1e-9);
    }
  }
}

/// A stack held by friction on a slope rises along the normal without a tangential displacement.
TEST(PositionProjection, DoesNotMoveAStackDownASlope) {
  const double alpha = 0.3;
  const dealii::Tensor<1, 2> normal({-std::sin(alpha), std::cos(alpha)}),
      downhill({-std::cos(alpha), -std::sin(alpha)});
  RigidSystem system;
  system.choices.h = 2e-3;
  system.choices.position_correction = PositionCorrection::projection;
  for (unsigned int i = 0; i < 3; ++i) // each 3 mm inside the body below
    system.rigid.push_back(rectangle(
        "box", 2, 0.5, 100, dealii::Point<2>((0.25 + 0.5 * i - 3e-3 * (i + 1)) * normal), alpha));
  system.gravity = dealii::Tensor<1, 2>({0., -9.81});
  system.add_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, 0.8).opposite_side =
      Surface<2>{HalfPlane<2>{dealii::Point<2>(), normal}, {}};
  system.add_mutual_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, 0.8);
  system.make();
  system.start();
  for (unsigned int k = 0; k < 500; ++k)
    ASSERT_NEAR(system.advance().balance_residual, 0, 1e-12);
  for (unsigned int b = 0; b < 3; ++b) {
    const dealii::Tensor<1, 2> q({system.q(b)[0], system.q(b)[1]});
    EXPECT_NEAR(q * normal, 3e-3 * (b + 1), 1e-5) << b;
    EXPECT_NEAR(q * downhill, 0, 1e-9) << b;
    EXPECT_NEAR(system.q(b)[2], 0, 1e-9) << b;
  }
}

/// A ball that falls into the ground and rebounds leaves without correction: no energy is added.
TEST(PositionProjection, LeavesImpactsAlone) {
  RigidSystem system;
  system.choices.position_correction = PositionCorrection::projection;
  system.rigid = {rectangle("ball", 0.1, 0.1, 2, dealii::Point<2>(0, 0.5))};
  system.rigid[0].contact_points = {system.rigid[0].centre};
  system.gravity = dealii::Tensor<1, 2>({0., -9.81});
  system.add_contact(ImpactLawKind::newton_coulomb, {0.8, 0., 0.}, 0.);
  system.make();
  system.start();
  unsigned int n_impacts = 0;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = system.advance();
    n_impacts += !record.contacts.empty();
    ASSERT_EQ(record.works.position_correction, 0.);
  }
  EXPECT_GE(n_impacts, 1u);
}

/// In 3D with boxes and a sphere; forecasts that use the last change of a gap detect no rebound.
TEST(PositionProjection, WorksInSpaceWithEveryForecast) {
  for (const auto forecast : {Forecast::position, Forecast::leapfrog}) {
    SolidSystem system;
    system.choices.h = 4e-3;
    system.choices.forecast = forecast;
    system.choices.position_correction = PositionCorrection::projection;
    for (unsigned int i = 0; i < 3; ++i)
      system.rigid.push_back(solid_body(
          "box", 100,
          {make_box({0, 0, 0.5 + i + 0.02 * (i + 1)}, dealii::Tensor<1, 3>({1, 1, 1}))}));
    system.rigid.push_back(solid_body("ball", 100, {make_sphere({3, 0, 0.25}, 0.2)}));
    system.gravity = dealii::Tensor<1, 3>({0., 0., -9.81});
    system.add_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, 0.5);
    system.add_mutual_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, 0.5);
    system.make();
    system.start();
    double given = 0;
    for (unsigned int k = 0; k < 250; ++k) {
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0, 1e-10);
      given += record.works.position_correction;
    }
    EXPECT_GT(given, 0.);
    for (unsigned int b = 0; b < 3; ++b) {
      EXPECT_NEAR(system.q(b)[2], -0.02 * (b + 1), 3e-5) << b;
      EXPECT_NEAR(system.v(b)[2], 0., 1e-9) << b;
    }
    EXPECT_NEAR(system.q(3)[2], -0.05, 1e-5);
  }
}

} // namespace projected_positions
