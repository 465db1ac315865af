// Steps of bodies in 3D: conservation, the ledger of all schemes, and isotropic friction.

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/scheme.h"

namespace dynamics_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using test::BlockIn;
using Body = BlockIn<3>;
using Value = std::array<double, 3>;
using Point = dealii::Point<3>;
using Direction = dealii::Tensor<1, 3>;

const HyperelasticLaw ogden = Ogden{0.5, 0.15, 0.35, Plane::strain};

Material<3> linear(double young, double poisson, double density, LinearViscosity viscosity = {}) {
  return {density, 1., LinearElastic<3>::from_young(young, poisson, Plane::strain), viscosity};
}

/// Sets the velocities of a translation and a rotation.
void set_rigid_velocity(Body &body, const Direction &v, const Direction &w, const Point &about) {
  body.set(body.state.v, [&](const Point &x) -> Value {
    const Direction u = v + cross_product_3d(w, x - about);
    return {{u[0], u[1], u[2]}};
  });
}

Direction angular_momentum(const Body &body) {
  Direction sum;
  for (unsigned int i = 0; i < body.space().n_nodes(); ++i) {
    Direction x = body.space().nodes[i], p;
    for (unsigned int d = 0; d < 3; ++d) {
      x[d] += body.state.q[body.space().node_dofs[i][d]];
      p[d] = body.state.Mv[body.space().node_dofs[i][d]];
    }
    sum += cross_product_3d(x, p);
  }
  return sum;
}

class FreeFlightInSpace : public ::testing::TestWithParam<std::tuple<CellShape, HyperelasticLaw>> {
};

TEST_P(FreeFlightInSpace, KeepsEnergyAndBothMomenta) {
  const auto &[shape, law] = GetParam();
  Body body(test::box(shape, Point(1, 0.5, 0.8), {3, 2, 3}, 0.2), test::hyperelastic<3>(law));
  set_rigid_velocity(body, Direction({0.3, -0.2, 0.5}), Direction({1., 2., -0.5}), Point());
  body.choices.h = 0.05;
  body.start();
  const double energy = body.state.energy();
  const auto momentum = body.momentum();
  const Direction spin = angular_momentum(body);
  for (unsigned int k = 0; k < 40; ++k) {
    body.advance();
    EXPECT_NEAR(body.state.energy(), energy, 1e-12 * energy);
  }
  EXPECT_GT(body.state.strain, 1e-3 * energy);
  for (unsigned int d = 0; d < 3; ++d)
    EXPECT_NEAR(body.momentum()[d], momentum[d], 1e-12);
  EXPECT_LT((angular_momentum(body) - spin).norm(), 1e-9 * spin.norm());
}

INSTANTIATE_TEST_SUITE_P(
    CellsAndLaws, FreeFlightInSpace,
    ::testing::Combine(::testing::Values(CellShape::simplex, CellShape::hypercube),
                       ::testing::Values(ogden, MooneyRivlin{{0.5, 0.15, 2.}},
                                         Yeoh{{{0.6, -0.05, 0.05}, 2.}}, eight_chains(1.3, 2., 2.),
                                         HolzapfelGasserOgden{{0.9,
                                                               0.5,
                                                               1.5,
                                                               0.1,
                                                               {FibreDirection({0.6, 0.64, 0.48}),
                                                                FibreDirection({0.8, -0.6, 0.})},
                                                               2.}})));

using CellsAndScheme = std::tuple<CellShape, Scheme>;
class SchemesInSpace : public ::testing::TestWithParam<CellsAndScheme> {};

/// An edge of a box hits the ground and slips: the balance of each step closes.
TEST_P(SchemesInSpace, LedgerCloses) {
  const auto &[shape, scheme] = GetParam();
  const EnergyPromise promised = promise(scheme, GapKinematics::linear);
  // These schemes may invert elements, because they gain energy at impacts, or because nodes
  // without inertia follow the ground.
  const bool may_turn_cells_inside_out =
      (scheme.gap == GapLaw::middle && scheme.penalty == Penalty::none) ||
      scheme.redistributes_inertia;
  for (const bool is_linear : {true, false}) {
    if (!is_linear && (scheme.integrator != Integrator::theta || may_turn_cells_inside_out ||
                       scheme.formulation == Formulation::nitsche))
      continue; // these schemes are for linear bodies
    Body body(test::box(shape, Point(1, 1, 1), {2, 3, 2}, 0.1),
              is_linear ? linear(2., 0.3, 1., {0.01, 0., 0.}) : test::hyperelastic<3>(ogden),
              Direction({0.1, 0.2, -1.}));
    body.add_contact("bottom", Body::ground(-0.02), scheme.law, {0.4, 0., 0.}, 0.3)
        .penalty_stiffness = 20;
    test::take(scheme, body);
    set_rigid_velocity(body, Direction({1., 0.6, -1.}), Direction({0.2, 0.1, 0.4}),
                       Point(0.5, 0.5, 0.5));
    body.choices.h = 0.01;
    body.start();
    double largest = body.state.energy(), normal = 0, friction = 0;
    unsigned int n_sliding = 0;
    for (unsigned int k = 0; k < 60; ++k) {
      const auto &record = body.advance();
      largest = std::max(largest, body.state.energy());
      EXPECT_NEAR(record.balance_residual, 0., 1e-13 * largest)
          << (is_linear ? "linear" : "hyperelastic") << ", step " << k + 1;
      normal += test::total_percussion(record, 0);
      friction += record.works.contact_tangential;
      n_sliding += record.n_sliding;
      if (promised.normal_dissipates) {
        EXPECT_LE(record.normal_work_max, 1e-14 * largest);
      }
      if (promised.friction_dissipates) {
        EXPECT_LE(record.tangential_work_max, 1e-14 * largest);
      }
    }
    EXPECT_GT(normal, 0.1);
    EXPECT_LT(friction, -1e-3);
    EXPECT_GT(n_sliding, 20u);
  }
}

std::string name_of(const testing::TestParamInfo<CellsAndScheme> &info) {
  const auto &[shape, scheme] = info.param;
  return test::SchemeName()({scheme, info.index}) + (shape == CellShape::simplex ? "_T4" : "_H8");
}

INSTANTIATE_TEST_SUITE_P(All, SchemesInSpace,
                         ::testing::Combine(::testing::Values(CellShape::simplex,
                                                              CellShape::hypercube),
                                            ::testing::ValuesIn(schemes())),
                         name_of);

/// A block slides down a plane inclined by 30 degrees at g (sin 30° − µ cos 30°), for all
/// directions, sizes and units.
TEST(FrictionInSpace, KnowsNoAxes) {
  const double mu = 0.3, slope = M_PI / 6.;
  struct Units {
    double length, gravity, young, density;
  };
  // m, kg, s and mm, t, s; a block of 1 m and of 0.1 m.
  for (const Units &units : {Units{1., 9.81, 1e7, 1000.}, Units{0.1, 9.81, 1e6, 1000.},
                             Units{1000., 9810., 10., 1e-9}, Units{100., 9810., 1., 1e-9}})
    for (const double degrees : {0., 90., 45., 200.}) {
      const double angle = degrees * M_PI / 180.;
      const Direction down({std::cos(angle), std::sin(angle), 0.});
      Direction gravity = units.gravity * std::sin(slope) * down;
      gravity[2] = -units.gravity * std::cos(slope);
      const double size = units.length, rate = std::sqrt(units.young / units.density) / size;
      Body body(test::box(CellShape::hypercube, Point(size, size, 0.25 * size), {3, 3, 1}),
                linear(units.young, 0.3, units.density, {0., 0., 0.05 / rate}), gravity);
      body.add_contact("bottom", Body::ground(), ImpactLawKind::fremond, {}, mu);
      body.choices.h = 0.05 / rate;
      body.start();
      const double mass = units.density * 0.25 * size * size * size;
      const auto velocity = [&] {
        const auto p = body.momentum();
        return Direction({p[0], p[1], 0.}) / mass;
      };
      for (unsigned int k = 0; k < 400; ++k) // until vibrations have decayed
        body.advance();
      const Direction before = velocity();
      for (unsigned int k = 0; k < 200; ++k)
        EXPECT_EQ(body.advance().n_sliding, 16u);
      const Direction acceleration = (velocity() - before) / (200. * body.choices.h);
      const double expected = units.gravity * (std::sin(slope) - mu * std::cos(slope));
      EXPECT_LT((acceleration - expected * down).norm(), 1e-3 * expected) << size << ' ' << degrees;
    }
}

/// Independent methods find the same steps.
TEST(SolversInSpace, Agree) {
  std::vector<std::vector<double>> ends;
  for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::nsgs, ConeMethod::pdas}) {
    Body body(test::box(CellShape::simplex, Point(1, 1, 1), {3, 3, 3}, 0.15),
              test::hyperelastic<3>(ogden));
    body.add_contact("bottom", Body::ground(-0.01), ImpactLawKind::persistent, {}, 0.2);
    set_rigid_velocity(body, Direction({0.3, 0.6, -0.5}), Direction({0.2, 0.1, 0.4}),
                       Point(0.5, 0.5, 0.5));
    body.choices.h = 0.02;
    body.choices.forecast = Forecast::leapfrog;
    body.choices.frames = Frames::midpoint;
    body.choices.newton_tolerance = 1e-12;
    body.cone.method = method;
    body.start();
    unsigned int n = 0;
    for (unsigned int k = 0; k < 30; ++k)
      n += static_cast<unsigned int>(body.advance().contacts.size());
    EXPECT_GT(n, 50u);
    ends.emplace_back(body.state.v.data(), body.state.v.data() + body.state.v.size());
  }
  for (std::size_t i = 1; i < ends.size(); ++i)
    for (std::size_t k = 0; k < ends[0].size(); ++k)
      EXPECT_NEAR(ends[i][k], ends[0][k], 1e-8);
}

} // namespace dynamics_in_space
