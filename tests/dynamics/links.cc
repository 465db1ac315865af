// Springs, dashpots and joints in the step: closed forms and the ledger.

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/rigid.h"
#include <random>

namespace {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;

LinkEnd<2> fixed_at(const dealii::Point<2> &x) { return {x, {}, {}}; }
LinkEnd<2> on(unsigned int body, const dealii::Point<2> &x) { return {x, body, {}}; }

Link<2> pin(const LinkEnd<2> &first, const LinkEnd<2> &second) {
  return {"pin", LinkKind::pin, first, second, 0., 0., 0.};
}

/// Returns the complete elliptic integral K(sin(amplitude/2)) by the arithmetic-geometric mean.
double elliptic(double amplitude) {
  double a = 1, b = std::cos(0.5 * amplitude);
  for (int k = 0; k < 8; ++k) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return dealii::numbers::PI / (2. * a);
}

/// Returns a bar of length one suspended at its upper end, at an angle.
RigidSystem pendulum(double amplitude, double h) {
  RigidSystem system;
  system.choices.h = h;
  const dealii::Point<2> pivot(2., 3.);
  const dealii::Tensor<1, 2> along({std::sin(amplitude), -std::cos(amplitude)});
  system.rigid = {rectangle("bar", 0.1, 1, 2, pivot + 0.5 * along, amplitude)};
  system.gravity = dealii::Tensor<1, 2>({0., -9.81});
  system.make();
  system.bodies->links = {pin(fixed_at(pivot), on(0, pivot))};
  system.start();
  return system;
}

/// Returns the interpolated time of the fourth passage through the lowest point, in units of the
/// period.
double measured_period(double amplitude, double h) {
  RigidSystem system = pendulum(amplitude, h);
  std::vector<double> passages;
  double last = amplitude;
  while (passages.size() < 5) {
    system.advance();
    const double now = amplitude + system.q(0)[2];
    if (now * last < 0.)
      passages.push_back(system.state.time - h * now / (now - last));
    last = now;
  }
  return 0.5 * (passages[4] - passages[0]);
}

TEST(Pendulum, HasThePeriodOfTheEllipticIntegralToSecondOrder) {
  const double J = 2. * (0.01 + 1.) / 12. + 2. * 0.25, weight = 2. * 9.81 * 0.5;
  for (const double amplitude : {0.1, 2.5}) {
    const double exact = 4. * std::sqrt(J / weight) * elliptic(amplitude);
    const double coarse = measured_period(amplitude, 2e-2) / exact - 1.,
                 fine = measured_period(amplitude, 5e-3) / exact - 1.;
    EXPECT_LT(std::abs(fine), 2e-4) << amplitude;
    EXPECT_NEAR(coarse / fine, 16., 3.) << amplitude;
  }
}

TEST(Pendulum, KeepsItsEnergyAndItsLength) {
  RigidSystem system = pendulum(2.5, 1e-2);
  const double lift = 2. * 9.81; // the kinetic energy is the work of gravity
  for (unsigned int k = 0; k < 3000; ++k) {
    const auto &record = system.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * lift) << k;
    ASSERT_EQ(record.works.sum(), record.works.external);
    const double angle = 2.5 + system.q(0)[2];
    ASSERT_NEAR(system.state.kinetic, 2. * 9.81 * 0.5 * (std::cos(angle) - std::cos(2.5)),
                3e-10 * lift); // sum of the errors of 3000 steps
    ASSERT_NEAR(
        std::hypot(system.q(0)[0] + 0.5 * std::sin(2.5), system.q(0)[1] - 0.5 * std::cos(2.5)), 0.5,
        1e-13);
  }
}

/// A chaotic motion, with an impact on the ground: the balance of every step closes.
TEST(DoublePendulum, KeepsItsEnergyAlsoWhereItTouches) {
  for (const bool touches : {false, true}) {
    RigidSystem system;
    system.choices.h = 4e-3;
    system.rigid = {rectangle("upper", 1, 0.1, 2, {0.5, 1.5}),
                    rectangle("lower", 1, 0.1, 1, {1.5, 1.5})};
    system.gravity = dealii::Tensor<1, 2>({0., -9.81});
    if (touches)
      system.add_contact(ImpactLawKind::fremond, {0.5, 0., 0.}, 0.3);
    system.make();
    system.bodies->links = {pin(fixed_at({0., 1.5}), on(0, {0., 1.5})),
                            pin(on(0, {1., 1.5}), on(1, {1., 1.5}))};
    system.start();
    unsigned int n_impacts = 0;
    double drift = 0;
    for (unsigned int k = 0; k < 2000; ++k) {
      const auto &record = system.advance();
      ASSERT_LT(std::abs(record.balance_residual), 3e-13 * 40.) << k;
      n_impacts += record.works.contact_normal < -1e-3;
      drift += record.balance_residual;
      ASSERT_LE(record.works.contact_normal, 1e-12);
      ASSERT_LE(record.works.contact_tangential, 1e-12);
    }
    EXPECT_LT(std::abs(drift), 1e-10);
    EXPECT_EQ(n_impacts > 3, touches);
  }
}

/// A mass between two springs in line has ω² = (k₁ + k₂)/m, to second order.
TEST(Spring, SwingsAMassAsTheClosedForm) {
  const double omega = std::sqrt(5.);
  std::vector<double> errors;
  for (const double h : {0.04, 0.02, 0.01}) {
    RigidSystem system;
    system.choices.h = h;
    system.rigid = {rectangle("mass", 1, 1, 2, {3., 1.})};
    system.make();
    system.bodies->links = {
        {"left", LinkKind::spring, fixed_at({0., 1.}), on(0, {3., 1.}), 4., 2.5, 0.},
        {"right", LinkKind::spring, on(0, {3., 1.}), fixed_at({5., 1.}), 6., 2. - 2. / 6., 0.}};
    system.v(0)[0] = 0.3; // both springs pull by 2 in equilibrium
    system.start();
    const double energy = system.state.energy();
    for (unsigned int k = 0; k < std::lround(4. / h); ++k)
      ASSERT_LT(std::abs(system.advance().balance_residual), 1e-13 * energy);
    EXPECT_NEAR(system.state.energy(), energy, 1e-11 * energy);
    errors.push_back(system.q(0)[0] - 0.3 / omega * std::sin(4. * omega));
    EXPECT_NEAR(system.q(0)[1], 0., 1e-15);
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2., 0.1);
}

/// A spring so stiff that its period is a hundredth of the step rotates like a rigid rod.
TEST(Spring, MayBeStiffAndTurn) {
  RigidSystem system;
  system.choices.h = 0.02;
  system.rigid = {rectangle("a", 0.2, 0.2, 1, {0., 0.}), rectangle("b", 0.2, 0.2, 1, {1., 0.})};
  system.make();
  system.bodies->links = {{"rod", LinkKind::spring, on(0, {0., 0.}), on(1, {1., 0.}), 1e9, 1., 0.}};
  system.v(0)[1] = -2;
  system.v(1)[1] = 2;
  system.start();
  const double energy = system.state.energy();
  // The largest force times a few units in the last digit of the length, 1.
  const double round_off =
      16. * std::numeric_limits<double>::epsilon() * std::sqrt(2. * 1e9 * energy);
  for (unsigned int k = 0; k < 500; ++k) {
    const auto &record = system.advance();
    ASSERT_LT(std::abs(record.balance_residual), round_off) << k;
    ASSERT_TRUE(record.changes.empty()) << k;
  }
  EXPECT_NEAR(std::hypot(1. + system.q(1)[0] - system.q(0)[0], system.q(1)[1] - system.q(0)[1]), 1.,
              1e-3);
  EXPECT_NEAR(system.state.energy(), energy, 20. * round_off);
}

/// m x'' + c x' + k x = 0 along the link; the ledger contains the dissipation of the dashpot.
TEST(Dashpot, DampsAsTheClosedForm) {
  const double m = 2, k = 10, c = 1.2, decay = 0.5 * c / m,
               omega = std::sqrt(k / m - decay * decay);
  RigidSystem system;
  system.choices.h = 2e-3;
  system.rigid = {rectangle("mass", 1, 1, m, {1., 0.})};
  system.make();
  system.bodies->links = {
      {"link", LinkKind::spring, fixed_at({0., 0.}), on(0, {1., 0.}), k, 1., c}};
  system.v(0)[0] = 0.3;
  system.start();
  const double energy = system.state.energy();
  Works works;
  for (unsigned int n = 0; n < 2000; ++n) {
    const auto &record = system.advance();
    ASSERT_LE(record.works.viscous, 0.);
    works += record.works;
    const double t = system.state.time;
    ASSERT_NEAR(system.q(0)[0], 0.3 / omega * std::exp(-decay * t) * std::sin(omega * t), 1e-5);
  }
  EXPECT_NEAR(system.state.energy(), energy + works.viscous, 1e-12);
  EXPECT_LT(system.state.energy(), 0.2 * energy);
}

/// A linear or hyperelastic bar, suspended on a spring, swings and vibrates.
TEST(Spring, HoldsAnElasticBar) {
  const auto elastic = LinearElastic<2>::from_young(2e3, 0.3, Plane::strain);
  const auto turning = StVenantKirchhoff::from_young(2e3, 0.3, Plane::strain);
  for (const bool hyperelastic : {false, true}) {
    Material<2> material{1., 1., elastic, {}};
    if (hyperelastic)
      material.finite_strain = FiniteStrainMaterial{turning, {}};
    test::Block block(test::rectangle(CellShape::hypercube, 2, 0.5, 8, 2), material,
                      dealii::Tensor<1, 2>({0., -5.}));
    LinkEnd<2> end;
    const auto &nodes = block.mesh->region("left").nodes;
    for (const unsigned int node : nodes) {
      const double share = 1. / static_cast<double>(nodes.size());
      end.nodes.emplace_back(block.space().node_dofs[node], share);
      end.position += share * block.space().nodes[node];
    }
    block.bodies->links = {{"spring", LinkKind::spring, fixed_at({-1., 0.25}), end, 50., 1., 0.}};
    block.choices.h = 0.01;
    block.start();
    double largest = 1.;
    for (unsigned int k = 0; k < 100; ++k) {
      const auto &record = block.advance();
      largest = std::max(largest, block.state.energy());
      ASSERT_LT(std::abs(record.balance_residual), 3e-13 * largest) << k;
      ASSERT_EQ(record.works.sum(), record.works.external);
    }
    EXPECT_GT(block.bodies->links.front().stiffness, 0.);
    EXPECT_LT(block.state.q[block.space().node_dofs[nodes[0]][1]], -0.2);
  }
}

/// Three bars and the ground connected by four pins have one degree of freedom. With a fifth pin
/// that repeats the fourth the impulses are not unique, but the motion is the same. One bar slides
/// on the ground.
TEST(FourBarLinkage, MovesAlsoWithRedundantPinsAndOnGround) {
  std::vector<std::array<double, 3>> ends;
  for (const bool is_redundant : {false, true}) {
    RigidSystem system;
    system.choices.h = 2e-3;
    system.rigid = {
        rectangle("crank", 0.1, 1, 1, {0., 0.5}), rectangle("coupler", 2, 0.1, 1, {1., 1.}),
        rectangle("rocker", 0.1, 1, 1, {2., 0.5}), rectangle("load", 0.4, 0.2, 1, {1., 0.1})};
    system.gravity = dealii::Tensor<1, 2>({0., -9.81});
    system.add_contact(ImpactLawKind::fremond, {0., 0., 0.}, 0.2).own_side = RigidBodies{{3}};
    system.make();
    auto &links = system.bodies->links;
    links = {pin(fixed_at({0., 0.}), on(0, {0., 0.})), pin(on(0, {0., 1.}), on(1, {0., 1.})),
             pin(on(1, {2., 1.}), on(2, {2., 1.})), pin(fixed_at({2., 0.}), on(2, {2., 0.}))};
    if (is_redundant)
      links.push_back(links.back());
    links.push_back({"pull", LinkKind::spring, on(1, {1., 1.}), on(3, {1., 0.2}), 10., 0.5, 0.1});
    system.v(0)[0] = 0.5; // velocities of all bars that are compatible with the linkage
    system.v(0)[2] = -1;
    system.v(1)[0] = 1;
    system.v(2)[0] = 0.5;
    system.v(2)[2] = -1;
    system.start();
    std::size_t n_contacts = 0;
    for (unsigned int k = 0; k < 250; ++k) { // ends before all bars lie in one line
      const auto &record = system.advance();
      n_contacts += record.contacts.size();
      ASSERT_LT(std::abs(record.balance_residual), 1e-12) << k;
    }
    EXPECT_GT(n_contacts, 400u);
    const double crank = system.q(0)[2];
    EXPECT_LT(crank, -0.5);
    EXPECT_NEAR(system.q(2)[2], crank, 1e-12); // the linkage is a parallelogram
    EXPECT_NEAR(system.q(1)[2], 0., 1e-12);
    ends.push_back({crank, system.q(3)[0], system.v(0)[2]});
  }
  for (unsigned int i = 0; i < 3; ++i)
    EXPECT_NEAR(ends[0][i], ends[1][i], 1e-9);
}

/// Returns the errors of two welded halves relative to the whole body, in fall and spin: angle and
/// height.
std::array<double, 2> defect_of_halves(double h) {
  RigidSystem halves, whole;
  halves.rigid = {rectangle("left", 1, 1, 2, {0.5, 5.}), rectangle("right", 1, 1, 2, {1.5, 5.})};
  whole.rigid = {rectangle("whole", 2, 1, 4, {1., 5.})};
  for (RigidSystem *const system : {&halves, &whole}) {
    system->choices.h = h;
    system->gravity = dealii::Tensor<1, 2>({0., -9.81});
    system->make();
  }
  halves.bodies->links = {{"weld", LinkKind::weld, on(0, {1., 5.}), on(1, {1., 5.}), 0., 0., 0.}};
  whole.v(0)[2] = halves.v(0)[2] = halves.v(1)[2] = 1.;
  halves.v(0)[1] = -0.5;
  halves.v(1)[1] = 0.5;
  halves.start();
  whole.start();
  for (unsigned int k = 0; k < std::lround(0.8 / h); ++k) {
    halves.advance();
    whole.advance();
    EXPECT_NEAR(halves.q(0)[2], halves.q(1)[2], 1e-14);
  }
  return {halves.q(0)[2] - whole.q(0)[2], 0.5 * (halves.q(0)[1] + halves.q(1)[1]) - whole.q(0)[1]};
}

TEST(Weld, MakesOneBodyOfTwoToSecondOrder) {
  const auto coarse = defect_of_halves(0.02), fine = defect_of_halves(0.01);
  EXPECT_LT(std::abs(fine[0]), 1e-4);
  EXPECT_NEAR(coarse[0] / fine[0], 4., 0.2);
  EXPECT_NEAR(fine[1], 0., 1e-4);
}

/// A pendulum that continues from a state has bitwise the same motion.
TEST(Pendulum, GoesOnBitForBit) {
  RigidSystem one = pendulum(1., 1e-2), other = pendulum(1., 1e-2);
  for (unsigned int k = 0; k < 20; ++k)
    one.advance();
  other.state.q = one.state.q;
  other.state.v = one.state.v;
  other.state.time = one.state.time;
  other.state.step = one.state.step;
  other.state.previous_h = one.state.previous_h;
  other.step->initialise(other.state);
  other.state.history = one.state.history;
  other.state.previous_h = one.state.previous_h;
  other.step->restore(other.state, one.step->memory());
  for (unsigned int k = 0; k < 20; ++k) {
    one.advance();
    other.advance();
  }
  for (unsigned int i = 0; i < 3; ++i) {
    EXPECT_EQ(one.q(0)[i], other.q(0)[i]);
    EXPECT_EQ(one.v(0)[i], other.v(0)[i]);
  }
}

/// A velocity that is not a number is named, not taken for an element that is turned inside out.
TEST(Pendulum, NamesAVelocityThatIsNotFinite) {
  RigidSystem system = pendulum(1., 1e-2);
  system.v(0)[0] = std::numeric_limits<double>::quiet_NaN();
  system.step->initialise(system.state);
  try {
    system.advance();
    FAIL();
  } catch (const RunError &error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("not finite"), message.npos) << message;
    EXPECT_EQ(message.find("inside out"), message.npos) << message;
  }
}

} // namespace
