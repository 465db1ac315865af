// A step that continues from the memory of another Step gives bitwise the same results.

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "same_bits.h"
#include "support/block.h"
#include "support/rigid.h"

namespace {

using namespace percussion;
using test::Block;
using test::hyperelastic;
using test::same_bits;

void expect_same(const State<2> &a, const State<2> &b) {
  ASSERT_EQ(a.step, b.step);
  ASSERT_TRUE(same_bits(a.time, b.time));
  ASSERT_TRUE(same_bits(a.q, b.q)) << "q after step " << a.step;
  ASSERT_TRUE(same_bits(a.v, b.v)) << "v after step " << a.step;
  ASSERT_TRUE(same_bits(a.kinetic, b.kinetic)) << "step " << a.step;
  ASSERT_TRUE(same_bits(a.strain, b.strain)) << "step " << a.step;
}

/// Returns the members of a state that a checkpoint stores.
State<2> kept(const State<2> &state) {
  State<2> copy = state;
  copy.force = {};
  copy.found = {};
  return copy;
}

/// After every step, another Step continues for a few steps from the memory of this one. Returns
/// the number of steps with contact.
template <typename Scene>
unsigned int go_on_elsewhere(Scene &block, unsigned int n_steps) {
  constexpr unsigned int ahead = 4;
  unsigned int n_touching = 0;
  std::vector<std::unique_ptr<Step<2>>> others;
  std::vector<State<2>> states;
  for (unsigned int k = 0; k < n_steps; ++k) {
    states.push_back(kept(block.state));
    others.push_back(
        std::make_unique<Step<2>>(*block.bodies, *block.boundary, block.choices, block.cone));
    others.back()->restore(states.back(), block.step->memory());
    const auto &record = block.advance();
    n_touching += !record.contacts.empty();
    for (std::size_t i = states.size() > ahead ? states.size() - ahead : 0; i < states.size();
         ++i) {
      const auto &other = others[i]->advance(states[i], (k + 1) * block.choices.h);
      expect_same(block.state, states[i]);
      if (testing::Test::HasFatalFailure()) {
        ADD_FAILURE() << "resumed after step " << i;
        return 0;
      }
      EXPECT_EQ(record.solver_iterations, other.solver_iterations);
      EXPECT_TRUE(same_bits(record.balance_residual, other.balance_residual));
      EXPECT_EQ(test::statuses(record), test::statuses(other));
      EXPECT_EQ(test::percussions(record), test::percussions(other));
      EXPECT_EQ(record.changes, other.changes);
    }
  }
  return n_touching;
}

Block linear_block(const std::string &scheme_name, double friction, Surface<2> surface) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2),
              {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}},
              dealii::Tensor<1, 2>({3., -9.81}));
  const Scheme &row = scheme(scheme_name);
  block.use(row);
  block.add_contact("bottom", std::move(surface), row.law, {}, friction);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{1., -1. - 0.2 * x[0]}};
  });
  block.choices.h = 2e-3;
  return block;
}

Block soft_block(double friction, Surface<2> surface) {
  const Ogden ogden{0.5, 0.15, 0.35, Plane::strain};
  Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2), hyperelastic(ogden),
              dealii::Tensor<1, 2>({0.3, -0.5}));
  const Scheme &pdas = scheme("pdas-leapfrog");
  block.use(pdas);
  block.add_contact("bottom", std::move(surface), pdas.law, {}, friction);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.4 - 0.2 * x[1], -1.5 + 0.2 * x[0]}};
  });
  block.choices.h = 0.02;
  return block;
}

Surface<2> moving(Surface<2> surface) {
  surface.motion.emplace_back("0.05*sin(4*t)");
  surface.motion.emplace_back("0.1*(1-cos(3*t))");
  return surface;
}

/// Three surfaces close to the block.
constexpr std::array<const char *, 3> surfaces = {{"ground", "moving ground", "hill"}};

Surface<2> surface(const std::string &name, double height) {
  if (name == "ground")
    return Block::ground(height);
  if (name == "moving ground")
    return moving(Block::ground(height));
  Surface<2> hill;
  hill.shape = Ball<2>{dealii::Point<2>(1., height - 3.), 3., false};
  return hill;
}

/// Two boxes that fall askew on the ground and on each other, and rebound.
test::RigidSystem falling_boxes(const Scheme &row) {
  test::RigidSystem boxes;
  boxes.rigid = {test::rectangle("low", 1, 1, 2, dealii::Point<2>(0, 0.75), 0.1),
                 test::rectangle("high", 1, 1, 1, dealii::Point<2>(0.2, 1.95), -0.2)};
  boxes.gravity = dealii::Tensor<1, 2>({0., -9.81});
  const Restitution rebound{row.law == ImpactLawKind::newton_coulomb ? 0.6 : 0., 0., 1.};
  boxes.add_contact(row.law, rebound, 0.4);
  boxes.add_mutual_contact(row.law, rebound, 0.4);
  boxes.choices.forecast = row.forecast;
  boxes.choices.gap = row.gap;
  boxes.choices.h = 5e-3;
  boxes.make();
  boxes.start();
  return boxes;
}

/// Adds memories of all contacts that a state has found and does not remember. Returns the number
/// of these with the ground, which are always candidates.
std::size_t remember_all(State<2> &state) {
  ContactHistory<2> last;
  last.memories.swap(state.history.memories);
  std::size_t n_added = 0;
  for (const auto &contact : state.found.contacts) {
    const auto *const memory = last.find(contact.key);
    n_added += memory == nullptr && contact.key.pair == 0 ? 1 : 0;
    state.history.memories.push_back(memory ? *memory : ContactMemory<2>{contact.key, contact.gap});
  }
  return n_added;
}

TEST(Memory, OfRigidBodiesIsOfContactsThatHavePressed) {
  for (const char *name : {"moreau-jean", "moreau-jean-fremond", "pdas-leapfrog"}) {
    SCOPED_TRACE(name);
    test::RigidSystem boxes = falling_boxes(scheme(name)), others = falling_boxes(scheme(name));
    std::size_t n_added = 0;
    unsigned int n_touching = 0;
    for (unsigned int k = 0; k < 300; ++k) {
      n_added += remember_all(others.state);
      n_touching += !boxes.advance().contacts.empty();
      others.advance();
      expect_same(boxes.state, others.state);
      if (testing::Test::HasFatalFailure())
        return;
    }
    EXPECT_EQ(n_added > 0, scheme(name).forecast != Forecast::leapfrog);
    EXPECT_GT(n_touching, 20u);
  }
}

TEST(Memory, OfLinearBodiesWithFriction) {
  for (const char *name : {"moreau-jean", "moreau-jean-fremond", "pdas-leapfrog"})
    for (const std::string on : surfaces) {
      SCOPED_TRACE(name + (" on " + on));
      Block block = linear_block(name, 0.4, surface(on, -0.01));
      block.start();
      EXPECT_GT(go_on_elsewhere(block, 60), 20u);
    }
}

TEST(Memory, OfHyperelasticBodiesWithFriction) {
  for (const std::string on : surfaces) {
    SCOPED_TRACE(on);
    Block block = soft_block(0.3, surface(on, -0.037));
    block.start();
    EXPECT_GT(go_on_elsewhere(block, 60), 20u);
  }
}

/// A factor serves several steps until its losses equal the cost of a new one: also in another
/// Step, with the losses from before.
TEST(Memory, OfAnAgeingFactor) {
  const auto ageing_block = [] {
    Block block = soft_block(0.3, Block::ground(-0.037));
    block.start();
    return block;
  };
  Block block = ageing_block();
  double losses = 0;
  unsigned int n_rebuilt = 0, n_aged = 0;
  for (unsigned int k = 0; k < 60; ++k) {
    const double previous = losses;
    block.advance();
    losses = block.step->memory().momentum.lost_corrections;
    n_rebuilt += losses < previous;
    n_aged += previous > 0 && losses > previous;
  }
  EXPECT_GT(n_rebuilt, 2u);
  EXPECT_GT(n_aged, 3 * n_rebuilt);
  Block resumed = ageing_block();
  go_on_elsewhere(resumed, 60);
}

TEST(Memory, OfStepsThatAreCut) {
  for (const bool adaptive : {false, true}) {
    Block block = soft_block(0.3, Block::ground(-0.0371));
    block.choices.h = 0.05;
    block.choices.max_newton_iterations = 12;
    block.choices.adaptive = adaptive;
    block.choices.grow_after = 3;
    block.start();
    EXPECT_GT(go_on_elsewhere(block, 40), 10u);
  }
}

TEST(Memory, OfAdaptiveStepsOfLinearBodies) {
  for (const std::string on : surfaces) {
    SCOPED_TRACE(on);
    Block block = linear_block("moreau-jean-fremond", 0.4, surface(on, -0.01));
    block.choices.h = 1e-2;
    block.choices.theta = 0.6;
    block.choices.adaptive = true;
    block.choices.energy_tolerance = 1e-3;
    block.choices.grow_after = 3;
    block.start();
    EXPECT_GT(go_on_elsewhere(block, 60), 20u);
    EXPECT_LT(block.step->memory().substeps.width, 1u << block.choices.max_cuts);
  }
}

/// Courses of bricks with more rows of H than degrees of freedom: the solver starts with the
/// options that it needed before.
TEST(Memory, OfPilesOfRigidBodies) {
  for (const auto &[method, correction] :
       {std::pair(ConeMethod::automatic, PositionCorrection::none),
        std::pair(ConeMethod::proximal, PositionCorrection::none),
        std::pair(ConeMethod::automatic, PositionCorrection::projection)}) {
    test::RigidSystem wall;
    wall.choices.position_correction = correction;
    for (unsigned int course = 0; course < 4; ++course)
      for (unsigned int brick = 0; brick < 3; ++brick)
        wall.rigid.push_back(test::rectangle(
            "brick", 1, 0.5, 1 + 0.1 * brick,
            dealii::Point<2>(brick + 0.5 * (course % 2), 0.25 + 0.5 * course + 1e-3 * course)));
    wall.gravity = dealii::Tensor<1, 2>({2., -10.});
    wall.choices.h = 5e-3;
    wall.cone.method = method;
    wall.add_contact(ImpactLawKind::fremond, {}, 0.4);
    wall.add_mutual_contact(ImpactLawKind::fremond, {}, 0.4);
    wall.make();
    wall.start();
    EXPECT_GT(go_on_elsewhere(wall, 60), 50u);
  }
}

} // namespace
