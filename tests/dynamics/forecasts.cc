// The steps at which contacts close, in different frames of reference.

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/rigid.h"

namespace {

using namespace percussion;
using test::Block;
using test::statuses;

// ---- the step at which each forecast closes a gap ----

struct Fall {
  Forecast forecast;
  double gap; ///< gap divided by the distance that closes in one step
  bool ground_comes;
};

class FirstContact : public ::testing::TestWithParam<Fall> {};

/// The gap closes with constant velocity, g(t_k) = (gap − k) c h. Step k starts from g(t_k−1); the
/// contact is active if
///   position     gap − (k − 1) ≤ 0
///   prediction   gap − k ≤ 0
///   closing      gap − k < 0
///   leapfrog     gap − (k − 1) − ½ ≤ 0
TEST_P(FirstContact, ComesInTheStepOfTheForecast) {
  const Fall &fall = GetParam();
  const double c = 0.3, h = 0.01;
  Block block(test::rectangle(CellShape::hypercube, 1, 1, 2, 2),
              {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}});
  auto ground = Block::ground(-fall.gap * c * h);
  if (fall.ground_comes) { // the ground follows with 1.5 c a body that retreats with ½ c
    ground.motion.emplace_back("0.2*t");
    ground.motion.emplace_back("1.5*0.3*t");
  }
  block.add_contact("bottom", std::move(ground), ImpactLawKind::fremond, {}, 0.);
  block.set(block.state.v, [&](const auto &) -> std::array<double, 2> {
    return {{0.1, fall.ground_comes ? 0.5 * c : -c}};
  });
  block.choices.h = h;
  block.choices.forecast = fall.forecast;
  block.start();
  const double start = fall.forecast == Forecast::position   ? fall.gap + 1
                       : fall.forecast == Forecast::leapfrog ? fall.gap + 0.5
                                                             : fall.gap;
  const auto first = std::max(1u, static_cast<unsigned int>(std::ceil(std::max(start, 0.))));
  for (unsigned int k = 1; k < first; ++k)
    ASSERT_EQ(block.advance().contacts.size(), 0u) << "too early, in step " << k;
  const auto &record = block.advance();
  EXPECT_EQ(record.contacts.size(), 3u) << "not in step " << first;
  for (const auto &contact : record.contacts)
    EXPECT_GT(contact.percussion[0], 0.);
}

std::vector<Fall> falls() {
  std::vector<Fall> all;
  for (const auto &row : forecasts())
    for (const double gap : {-0.3, 0.3, 0.7, 1.3, 1.7, 5.3, 5.7})
      for (const bool ground_comes : {false, true})
        all.push_back({row.forecast, gap, ground_comes});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Forecasts, FirstContact, ::testing::ValuesIn(falls()));

/// Before the impact, a step without the contact may move the body past the surface; the step of
/// the impact adds ½ (1 − e) c h.
TEST(FirstContact, IsNoDeeperThanItsForecastAllows) {
  const double c = 0.3, h = 0.01;
  for (const double e : {0., 0.4})
    for (const auto &row : forecasts()) {
      double deepest = 0;
      for (double gap = 2.015; gap < 3; gap += 0.05) {
        Block block(test::rectangle(CellShape::hypercube, 1, 1, 1, 1),
                    {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}});
        block.add_contact("bottom", Block::ground(-gap * c * h), ImpactLawKind::fremond,
                          {e, 0., 0.}, 0.);
        block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{0., -c}}; });
        block.choices.h = h;
        block.choices.forecast = row.forecast;
        block.start();
        for (unsigned int k = 0; k < 6; ++k)
          deepest = std::max(deepest, block.advance().penetration_max / (c * h));
      }
      const double before = row.forecast == Forecast::position   ? 1.
                            : row.forecast == Forecast::leapfrog ? 0.5
                                                                 : 0.;
      const double bound = before + 0.5 * (1. - e);
      EXPECT_LE(deepest, bound) << row.name << ' ' << e;
      EXPECT_GE(deepest, bound - 0.05) << row.name << ' ' << e;
    }
}

// ---- Galileo ----

struct Frame {
  Forecast forecast;
  ImpactLawKind law;
  double theta;
  bool curved;
};

class Galileo : public ::testing::TestWithParam<Frame> {};

/// Returns a block that falls obliquely on a surface, with a velocity added to all bodies.
Block carried(const Frame &frame, NormalRows rows, const std::array<double, 2> &velocity,
              const std::array<std::string, 2> &displacement) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 6, 3, 0.2),
              {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {0.02, 0., 0.}},
              dealii::Tensor<1, 2>({0.7, -9.81}));
  // The first contacts close in the first step: 0.3 of its displacement before the left corner.
  Surface<2> surface = Block::ground(-3.17e-4);
  if (frame.curved)
    surface.shape = Ball<2>{dealii::Point<2>(0.3, -2.0371), 2.013, false};
  for (const auto &formula : displacement)
    if (!formula.empty())
      surface.motion.emplace_back(formula);
  block.add_contact("bottom", std::move(surface), frame.law, {0.4, 0.3, 0.6}, 0.3);
  block.set(block.state.v, [&](const auto &x) -> std::array<double, 2> {
    return {{0.81 - 0.31 * x[1] + velocity[0], -1.03 + 0.31 * x[0] + velocity[1]}};
  });
  block.choices.theta = frame.theta;
  block.choices.forecast = frame.forecast;
  block.choices.normal_rows = rows;
  block.start();
  return block;
}

/// Expects that in a frame that moves with a constant velocity, all contacts are the same as at
/// rest, to this tolerance of percussions and velocities.
void expect_same_contacts(const Frame &frame, NormalRows rows, double tolerance) {
  const std::array<double, 2> velocity{{1.37, 2.11}};
  Block rest = carried(frame, rows, {{0., 0.}}, {{"", ""}});
  Block moving = carried(frame, rows, velocity, {{"1.37*t", "2.11*t"}});
  std::size_t active = 0, changes = 0, before = 0;
  double largest = 0;
  for (unsigned int k = 1; k <= 200; ++k) {
    const auto &there = rest.advance();
    const auto &here = moving.advance();
    ASSERT_EQ(statuses(there), statuses(here)) << "step " << k;
    for (std::size_t i = 0; i < there.contacts.size(); ++i)
      for (unsigned int r = 0; r < 2; ++r) {
        const auto &one = there.contacts[i], &other = here.contacts[i];
        largest = std::max(largest, one.percussion[r]);
        ASSERT_NEAR(one.percussion[r], other.percussion[r], tolerance) << "step " << k;
        ASSERT_NEAR(one.velocity[r], other.velocity[r], tolerance) << "step " << k;
      }
    ASSERT_NEAR(there.penetration_max, here.penetration_max, 0.1 * tolerance);
    ASSERT_NEAR(there.works.contact_normal, here.works.contact_normal, tolerance);
    ASSERT_NEAR(there.works.contact_tangential, here.works.contact_tangential, tolerance);
    for (const auto &dofs : rest.space().node_dofs)
      for (unsigned int d = 0; d < 2; ++d) {
        ASSERT_NEAR(rest.state.q[dofs[d]] + velocity[d] * rest.state.time, moving.state.q[dofs[d]],
                    0.1 * tolerance)
            << "step " << k;
        ASSERT_NEAR(rest.state.v[dofs[d]] + velocity[d], moving.state.v[dofs[d]], tolerance)
            << "step " << k;
      }
    active += there.contacts.size();
    changes += there.contacts.size() != before;
    before = there.contacts.size();
  }
  EXPECT_GT(largest, 1e-2); // a contact has closed, and opened again
  EXPECT_GT(active, 20u);
  EXPECT_GT(changes, 2u);
}

/// Repetitions with secant rows end when gaps agree to 1e-11 of the local size, so that velocities
/// differ by this length over the step.
TEST_P(Galileo, SeesTheSameContacts) {
  expect_same_contacts(GetParam(), NormalRows::frames, 1e-11);
  expect_same_contacts(GetParam(), NormalRows::secant, 1e-8);
}

std::vector<Frame> frames() {
  std::vector<Frame> all;
  for (const auto &forecast : forecasts())
    for (const auto &law : impact_laws())
      for (const bool curved : {false, true})
        all.push_back({forecast.forecast, law.kind, curved ? 0.6 : 0.5, curved});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Laws, Galileo, ::testing::ValuesIn(frames()));

// ---- a contact that has just been found ----

/// The law of gaps two steps apart takes its gap one step ago from its own velocity, also if
/// contacts found before it take no part.
TEST(GapsTwoStepsApart, BeginWithTheVelocityOfTheContact) {
  constexpr double gap = 1e-4, speed = 2, e = 0.5;
  test::RigidSystem system;
  system.rigid.push_back(test::rectangle("far", 1, 1, 1, dealii::Point<2>(0, 10)));
  system.rigid.push_back(test::rectangle("near", 1, 1, 1, dealii::Point<2>(3, 0.5 + gap)));
  system.add_contact(ImpactLawKind::newton_coulomb, {e, 0.}, 0.);
  system.choices.gap = GapLaw::two_steps;
  system.choices.forecast = Forecast::reach;
  system.make();
  system.v(1)[1] = -speed;
  system.start();
  State<2> &state = system.state;
  state.history.memories.clear();
  const ContactFinder<2> finder(*system.boundary);
  const double h = system.choices.h;
  const Interval interval{0., h, h};
  const ContactSetting<2> setting{state, interval, finder, *system.boundary, system.choices};
  const auto law = pose_law(forecast(setting), nullptr, setting);
  ASSERT_EQ(law.active.contacts.size(), 2u);
  ASSERT_GT(state.found.contacts.size(), 2u);
  for (const unsigned int row : {0u, 2u})
    EXPECT_NEAR(law.offset[row], (gap + e * (gap + speed * h)) / h, 1e-9);
}

} // namespace
