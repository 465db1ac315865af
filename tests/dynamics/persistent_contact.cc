// Persistent contact of hyperelastic bodies (BBDM24): no normal work, and dissipation by friction
// only.

#include <gtest/gtest.h>

#include "support/block.h"

namespace {

using namespace percussion;
using test::Block;
using test::hyperelastic;
using test::ogden;

struct Meeting {
  const char *name;
  CellShape shape;
  int surface; ///< 0 ground, 1 circle below, 2 inside of a circle, 3 formula
};

class PersistentContact : public ::testing::TestWithParam<Meeting> {
protected:
  /// Returns a block that falls spinning, is compressed by a fifth and leaves again.
  static Block meeting(double friction) {
    Block block(test::rectangle(GetParam().shape, 2, 1, 8, 4, 0.2), hyperelastic(ogden));
    const Scheme &pdas = scheme("pdas-leapfrog");
    block.use(pdas);
    Surface<2> surface = Block::ground(-0.0371);
    if (GetParam().surface == 1)
      surface.shape = Ball<2>{dealii::Point<2>(0.8, -2.0371), 2., false};
    else if (GetParam().surface == 2)
      surface.shape = Ball<2>{dealii::Point<2>(1., 1.9629), 2.31, true};
    else if (GetParam().surface == 3)
      surface.shape = LevelSet{Expression("y+0.0571-0.02*cos(3*x)"), 0.1};
    block.add_contact("boundary", std::move(surface), pdas.paper_law, {}, friction);
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{0.4 - 0.2 * x[1], -0.7 + 0.2 * x[0]}};
    });
    block.choices.h = 0.02;
    block.start();
    return block;
  }
};

TEST_P(PersistentContact, WithoutFrictionNoEnergyIsLost) {
  Block block = meeting(0.);
  const double energy = block.state.energy();
  double drift = 0, worst_work = 0, impulse = 0, stored = 0;
  for (unsigned int k = 0; k < 250; ++k) {
    const auto &record = block.advance();
    for (const auto &contact : record.contacts) {
      ASSERT_GE(contact.percussion[0], 0.);
      ASSERT_EQ(contact.percussion[1], 0.);
      ASSERT_GE(contact.velocity[0], -1e-11);
      impulse += contact.percussion[0];
    }
    worst_work = std::max({worst_work, record.normal_work_max, -record.normal_work_min});
    drift = std::max(drift, std::abs(block.state.energy() - energy));
    stored = std::max(stored, block.state.strain);
  }
  EXPECT_GT(impulse, 1.);          // the body has reversed its motion
  EXPECT_GT(stored, 0.2 * energy); // and was compressed
  EXPECT_LT(worst_work, 1e-13 * energy);
  EXPECT_LT(drift, 1e-11 * energy);
}

TEST_P(PersistentContact, FrictionOnlyTakes) {
  Block block = meeting(0.4);
  const double energy = block.state.energy();
  double taken = 0, drift = 0;
  unsigned int sticking = 0, sliding = 0;
  for (unsigned int k = 0; k < 250; ++k) {
    const auto &record = block.advance();
    for (const auto &contact : record.contacts) {
      const auto &p = contact.percussion, &u = contact.velocity;
      ASSERT_LE(std::abs(p[1]), 0.4 * p[0] + 1e-12) << "step " << k;
      ASSERT_LE(p[1] * u[1], 1e-14 * energy) << "step " << k;
      ASSERT_NEAR(p[0] * u[0], 0., 1e-13 * energy) << "step " << k;
      if (contact.status == ContactStatus::stick) {
        ASSERT_NEAR(u[1], 0., 1e-11) << "step " << k;
        ++sticking;
      }
      sliding += contact.status == ContactStatus::slip;
    }
    ASSERT_LE(record.works.contact_tangential, 1e-14 * energy);
    taken -= record.works.contact_tangential;
    drift = std::max(drift, std::abs(block.state.energy() + taken - energy));
  }
  EXPECT_GT(taken, 0.01 * energy);
  EXPECT_GT(sticking, 10u);
  EXPECT_GT(sliding, 10u);
  EXPECT_LT(drift, 1e-11 * energy);
}

std::string name_of(const ::testing::TestParamInfo<Meeting> &meeting) { return meeting.param.name; }

INSTANTIATE_TEST_SUITE_P(Surfaces, PersistentContact,
                         ::testing::Values(Meeting{"T3Ground", CellShape::simplex, 0},
                                           Meeting{"Q4Ground", CellShape::hypercube, 0},
                                           Meeting{"T3CircleBelow", CellShape::simplex, 1},
                                           Meeting{"Q4InsideOfACircle", CellShape::hypercube, 2},
                                           Meeting{"T3Formula", CellShape::simplex, 3}),
                         name_of);

} // namespace
