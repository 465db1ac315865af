// The step of hyperelastic bodies: conservation, the ledger, order, the limit of small strains.

#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/second_order.h"

namespace {

using namespace percussion;
using test::Block;
using test::hyperelastic;
using Kind = PrescribedMotion<2>::Kind;

const Ogden ogden_strain{0.5, 0.15, 0.35, Plane::strain},
    ogden_stress{0.5, 0.15, 0.35, Plane::stress};
const NeoHooke neo_hooke{2., 1.3};
const auto st_venant_strain = StVenantKirchhoff::from_young(3.4, 0.3, Plane::strain),
           st_venant_stress = StVenantKirchhoff::from_young(3.4, 0.3, Plane::stress);

const MooneyRivlin mooney_rivlin{{0.55, 0.1, 2.9}};
const MooneyRivlin rubber{{0.55, 0.1, 1300.}}; // ν = 0.4995
/// In flight the ledger has the round-off of coordinates times κ, with any element: 4e-13 of the
/// energy with κ = 130.
const MooneyRivlin soft_rubber{{0.55, 0.1, 13.}};
const Yeoh yeoh{{{0.65, -0.05, 0.05}, 2.9}};
const ArrudaBoyce arruda_boyce = eight_chains(1.3, 2., 2.9);
const HolzapfelGasserOgden fibres{
    {0.9, 0.5, 1.5, 0.1, {FibreDirection({0.6, 0.8, 0.}), FibreDirection({0.6, -0.8, 0.})}, 2.9}};

/// Returns the angular momentum about the origin.
double angular_momentum(const Block &block) {
  double sum = 0;
  for (unsigned int i = 0; i < block.space().n_nodes(); ++i) {
    const auto &dofs = block.space().node_dofs[i];
    const auto &x = block.space().nodes[i];
    sum += (x[0] + block.state.q[dofs[0]]) * block.state.Mv[dofs[1]] -
           (x[1] + block.state.q[dofs[1]]) * block.state.Mv[dofs[0]];
  }
  return sum;
}

// ---- free flight ----

struct Flight {
  CellShape shape;
  HyperelasticLaw law;
  FiniteViscosity viscosity;
  double stretch = 0.35;
  ElementKind element = ElementKind::standard;
  unsigned int order = 1;
};

class FreeFlight : public ::testing::TestWithParam<Flight> {};

/// Returns a rectangle of about 6 × 3 cells, or half as many of second order, with a linear trace
/// at the bottom.
std::unique_ptr<Mesh<2>> mesh_of(ElementKind element, CellShape shape, unsigned int order = 1) {
  if (order == 2)
    return test::second_order(test::rectangle(shape, 2, 1, 3, 2, 0.2), {"bottom"});
  return element == ElementKind::macro_cells
             ? test::divided(*test::rectangle(CellShape::simplex, 2, 1, 3, 2, 0.2))
             : test::rectangle(shape, 2, 1, 6, 3, 0.2);
}

/// Returns a body stretched by at most a third that spins, flies and vibrates. Linear momentum is a
/// linear invariant, conserved by a single correction; angular momentum and energy are conserved up
/// to the convergence of Newton's method.
Block flying(const Flight &flight, double h) {
  Block block(mesh_of(flight.element, flight.shape, flight.order),
              hyperelastic(flight.law, flight.viscosity, flight.element));
  block.set(block.state.q, [&](const auto &x) -> std::array<double, 2> {
    return {{flight.stretch * x[0] + 0.1 * x[1] * x[1], -0.2 * x[1]}};
  });
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{2. - 1.1 * x[1], -1. + 1.1 * x[0]}};
  });
  block.choices.h = h;
  block.choices.newton_tolerance = 1e-12;
  block.start();
  return block;
}

TEST_P(FreeFlight, KeepsEnergyAndBothMomenta) {
  Block block = flying(GetParam(), 0.04);
  const double energy = block.state.energy(), angular = angular_momentum(block);
  const auto linear = block.momentum();
  const double largest_momentum = std::hypot(linear[0], linear[1]);
  double drift = 0, dissipated = 0, least_strain = block.state.strain;
  for (unsigned int k = 0; k < 300; ++k) {
    const auto &record = block.advance();
    dissipated -= record.works.viscous;
    ASSERT_LE(record.works.viscous, 0.);
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << "step " << k;
    ASSERT_EQ(record.works.sum(), record.works.viscous);
    for (unsigned int d = 0; d < 2; ++d)
      ASSERT_NEAR(block.momentum()[d], linear[d], 1e-12 * largest_momentum) << "step " << k;
    ASSERT_NEAR(angular_momentum(block), angular, 1e-10 * angular) << "step " << k;
    drift = std::max(drift, std::abs(block.state.energy() + dissipated - energy));
    least_strain = std::min(least_strain, block.state.strain);
  }
  EXPECT_LT(drift, 2e-12 * energy);
  EXPECT_EQ(dissipated > 1e-3 * energy, GetParam().viscosity.present());
  EXPECT_LT(least_strain, 0.05 * energy);      // the body vibrates
  EXPECT_GT(block.state.q.linfty_norm(), 10.); // the body is far from its initial position
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, FreeFlight,
    ::testing::Values(
        Flight{CellShape::simplex, ogden_strain, {}},
        Flight{CellShape::hypercube, ogden_stress, {}}, Flight{CellShape::hypercube, neo_hooke, {}},
        Flight{CellShape::simplex, neo_hooke, {ViscosityKind::curnier, 0.01}},
        Flight{CellShape::hypercube, ogden_strain, {ViscosityKind::pioletti, 0.1}},
        Flight{CellShape::hypercube, mooney_rivlin, {}},
        Flight{CellShape::simplex, yeoh, {ViscosityKind::curnier, 0.01}},
        Flight{CellShape::hypercube, arruda_boyce, {}}, Flight{CellShape::hypercube, fibres, {}},
        Flight{CellShape::simplex, fibres, {}},
        Flight{CellShape::hypercube,
               neo_hooke,
               {ViscosityKind::curnier, 0.01},
               0.35,
               ElementKind::mean_dilatation},
        Flight{CellShape::hypercube, soft_rubber, {}, 0.35, ElementKind::mean_dilatation},
        Flight{CellShape::simplex, soft_rubber, {}, 0.35, ElementKind::macro_cells},
        Flight{CellShape::simplex, neo_hooke, {}, 0.35, ElementKind::standard, 2},
        Flight{CellShape::simplex, soft_rubber, {}, 0.35, ElementKind::mean_dilatation, 2},
        Flight{CellShape::hypercube, ogden_stress, {}, 0.35, ElementKind::standard, 2},
        Flight{CellShape::hypercube,
               mooney_rivlin,
               {ViscosityKind::curnier, 0.01},
               0.35,
               ElementKind::mean_dilatation,
               2},
        Flight{CellShape::simplex, st_venant_strain, {}, 0.1},
        Flight{CellShape::hypercube, st_venant_stress, {}, 0.1}));

/// Fibres along circles keep the balance in each step of a body that flies, with and without a mean
/// volume change.
TEST(CurvedFibres, KeepEnergyAndBothMomenta) {
  for (const ElementKind element : {ElementKind::standard, ElementKind::mean_dilatation}) {
    Material<2> material = hyperelastic(fibres, {}, element);
    material.fibre_field = [](unsigned int, const dealii::Point<2> &x) {
      const FibreDirection along({-0.5 - x[1], x[0] - 1., 0.}), out({0., 0.6, 0.8});
      return FibreDirections{along / along.norm(), out};
    };
    Block block(mesh_of(element, CellShape::hypercube), material);
    block.set(block.state.q, [](const auto &x) -> std::array<double, 2> {
      return {{0.35 * x[0] + 0.1 * x[1] * x[1], -0.2 * x[1]}};
    });
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{2. - 1.1 * x[1], -1. + 1.1 * x[0]}};
    });
    block.choices.h = 0.04;
    block.choices.newton_tolerance = 1e-12;
    block.start();
    const double energy = block.state.energy(), angular = angular_momentum(block);
    for (unsigned int k = 0; k < 100; ++k) {
      const auto &record = block.advance();
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << "step " << k;
      ASSERT_NEAR(angular_momentum(block), angular, 1e-10 * angular) << "step " << k;
    }
    EXPECT_NEAR(block.state.energy(), energy, 1e-12 * energy);
  }
}

// ---- order in time ----

Vector flown(double time, double h, double theta) {
  Block block(test::rectangle(CellShape::hypercube, 2, 1, 4, 2, 0.1), hyperelastic(ogden_strain));
  block.set(block.state.q, [](const auto &x) -> std::array<double, 2> {
    return {{0.1 * x[0], -0.05 * x[1]}};
  });
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{-0.5 * x[1], 0.5 * x[0] + 0.1 * x[0] * x[0]}};
  });
  block.choices.h = h;
  block.choices.theta = theta;
  block.start();
  for (unsigned int k = 0; k < std::lround(time / h); ++k)
    block.advance();
  return block.state.q;
}

TEST(HyperelasticOrder, IsTwoForTheMidpointAndOneOtherwise) {
  const Vector reference = flown(2., 0.1 / 256, 0.5);
  for (const auto &[theta, order] : {std::pair{0.5, 2.}, std::pair{0.7, 1.}}) {
    std::vector<double> errors;
    for (const double h : {0.1 / 8, 0.1 / 16, 0.1 / 32}) {
      Vector q = flown(2., h, theta);
      q -= reference;
      errors.push_back(q.l2_norm());
    }
    for (std::size_t i = 1; i < errors.size(); ++i)
      EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), order, 0.1) << "theta " << theta;
  }
}

/// A side begins to move from rest. In short steps all impulses on free nodes cancel up to the
/// square of the step, while they are rounded in proportion to the momenta of the driven nodes.
TEST(PrescribedMotion, BeginsFromRestInStepsOfAnyLength) {
  for (const double h : {1e-2, 1e-4, 1e-6}) {
    SCOPED_TRACE(h);
    Block block(test::rectangle(CellShape::hypercube, 2, 1, 4, 2, 0.1), hyperelastic(ogden_strain));
    block.prescribe("left", 0, Kind::displacement, "0");
    block.prescribe("left", 1, Kind::displacement, "0.05*t^2");
    block.choices.h = h;
    block.start();
    for (unsigned int k = 0; k < 10; ++k)
      EXPECT_EQ(block.advance().n_cuts, 0u) << k;
  }
}

// ---- the limit of small strains ----

/// Returns displacements and velocities, divided by the amplitude, of a block that drops with
/// friction on the ground, with all lengths scaled by the amplitude. For a linear body they do not
/// depend on the amplitude.
std::vector<Vector> dropped(const Material<2> &material, double amplitude) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2), material);
  const Scheme &named = scheme("moreau-jean-fremond");
  block.use(named);
  block
      .add_contact("bottom", Block::ground(-0.0313 * amplitude), named.paper_law, {0.3, 0., 0.},
                   0.2)
      .gap_tolerance = 0;
  block.set(block.state.v, [&](const auto &x) -> std::array<double, 2> {
    return {{amplitude * (0.4 - 0.1 * x[1]), amplitude * (-1. + 0.1 * x[0])}};
  });
  block.choices.h = 0.02;
  block.start();
  std::size_t active = 0;
  for (unsigned int k = 0; k < 80; ++k)
    active += block.advance().contacts.size();
  EXPECT_GT(active, 100u);
  std::vector<Vector> result{block.state.q, block.state.v};
  for (Vector &field : result)
    field /= amplitude;
  return result;
}

TEST(SmallStrains, RunsConvergeToTheLinearBodys) {
  for (const HyperelasticLaw &law :
       {HyperelasticLaw(ogden_strain), HyperelasticLaw(ogden_stress), HyperelasticLaw(neo_hooke),
        HyperelasticLaw(st_venant_strain), HyperelasticLaw(st_venant_stress)}) {
    Material<2> linear = hyperelastic(law);
    linear.finite_strain.reset();
    const auto expected = dropped(linear, 1.);
    const std::array<double, 3> amplitudes{{1e-2, 3e-3, 1e-3}};
    std::array<std::vector<double>, 2> errors;
    for (const double amplitude : amplitudes) {
      const auto found = dropped(hyperelastic(law), amplitude);
      for (unsigned int field = 0; field < 2; ++field) {
        Vector difference = found[field];
        difference -= expected[field];
        errors[field].push_back(difference.linfty_norm() / expected[field].linfty_norm());
      }
    }
    for (const auto &error : errors) {
      EXPECT_LT(error[0], 0.1);
      for (std::size_t i = 1; i < error.size(); ++i)
        EXPECT_NEAR(std::log(error[i - 1] / error[i]) / std::log(amplitudes[i - 1] / amplitudes[i]),
                    1., 0.1);
    }
  }
}

/// For any size of the strains, steps need no cuts, and the ledger closes in the digits of the
/// energy, not of the moduli.
TEST(SmallStrains, KeepTheirDigits) {
  for (const double amplitude : {1e-4, 1e-6, 1e-8, 1e-12}) {
    Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2), hyperelastic(ogden_strain));
    block.use(scheme("pdas-leapfrog"));
    block.set(block.state.q, [&](const auto &x) -> std::array<double, 2> {
      return {{0.1 * amplitude * x[0], -0.05 * amplitude * x[1]}};
    });
    block.choices.h = 0.02;
    block.start();
    const double energy = block.state.energy();
    ASSERT_GT(energy, 0.);
    for (unsigned int k = 0; k < 40; ++k) {
      const auto &record = block.advance();
      EXPECT_TRUE(record.changes.empty()) << amplitude;
      EXPECT_LT(std::abs(record.balance_residual), 1e-12 * energy) << amplitude;
    }
  }
}

// ---- the ledger ----

struct Ride {
  const char *scheme;
  double theta, e, friction;
  int surface; ///< 0 ground, 1 moving ground, 2 circle below, 3 inside of a circle, moving
  Kind driven; ///< kind of motion of the left edge
  HyperelasticLaw law;
  FiniteViscosity viscosity;
  ElementKind element = ElementKind::standard;
  unsigned int order = 1;
};

class HyperelasticLedger : public ::testing::TestWithParam<Ride> {};

Surface<2> ridden_surface(int kind) {
  Surface<2> surface = Block::ground();
  if (kind == 2)
    surface.shape = Ball<2>{dealii::Point<2>(0.8, -2.), 2., false};
  else if (kind == 3)
    surface.shape = Ball<2>{dealii::Point<2>(1., 2.9), 3.1, true};
  if (kind % 2 == 1) {
    surface.motion.emplace_back("0.05*sin(4*t)");
    surface.motion.emplace_back("0.02*(1-cos(6*t))");
  }
  return surface;
}

/// Gravity, a traction, a driven edge, viscosity, friction: every term of the ledger is present,
/// and the balance closes for any scheme. Newton's method stops at an error of 10⁻¹³ of the energy.
TEST_P(HyperelasticLedger, ClosesToRoundOff) {
  const Ride &ride = GetParam();
  auto mesh = ride.order == 2 ? mesh_of(ride.element, CellShape::simplex, 2)
              : ride.element == ElementKind::standard
                  ? test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2)
                  : mesh_of(ride.element, CellShape::hypercube);
  Block block(std::move(mesh), hyperelastic(ride.law, ride.viscosity, ride.element),
              dealii::Tensor<1, 2>({0.1, -0.6}));
  block.use(scheme(ride.scheme));
  block.prescribe("left", 0, ride.driven,
                  ride.driven == Kind::velocity ? "0.3*cos(3*t)" : "0.1*sin(3*t)*(1+0.3*y)");
  block.add_traction("top", 1, "0.1*x*cos(2*t)");
  block.set(block.state.q, [](const auto &) -> std::array<double, 2> { return {{0., 0.02}}; });
  if (ride.driven == Kind::displacement)
    block.bodies->motion.set_displacement(0., block.state.q);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.5 - 0.1 * x[1], -0.4 + 0.1 * x[0]}};
  });
  block.add_contact("bottom", ridden_surface(ride.surface), scheme(ride.scheme).law,
                    {ride.e, 0., 0.}, ride.friction);
  block.choices.theta = ride.theta;
  block.choices.h = 0.02;
  block.start();
  double scale = block.state.energy();
  Works size;
  double worst_normal = 0, worst_tangential = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    const double before = block.state.energy();
    const auto &record = block.advance();
    scale = std::max(scale, block.state.energy());
    const double missing = block.state.energy() - before - record.works.sum();
    ASSERT_EQ(record.balance_residual, missing) << "step " << k;
    ASSERT_LT(std::abs(missing), 2e-13 * scale) << "step " << k;
    ASSERT_LE(record.works.viscous, 0.);
    size.external += std::abs(record.works.external);
    size.viscous += std::abs(record.works.viscous);
    size.numerical += std::abs(record.works.numerical);
    size.contact_normal += std::abs(record.works.contact_normal);
    size.contact_tangential += std::abs(record.works.contact_tangential);
    size.prescribed += std::abs(record.works.prescribed);
    worst_normal = std::max(worst_normal, record.normal_work_max);
    worst_tangential = std::max(worst_tangential, record.tangential_work_max);
  }
  // Every term of the ledger is large enough to matter.
  EXPECT_GT(size.external, 0.1 * scale);
  EXPECT_GT(size.prescribed, 0.1 * scale);
  EXPECT_EQ(size.viscous > 1e-3 * scale, ride.viscosity.present());
  EXPECT_EQ(size.numerical > 1e-4 * scale, ride.theta != 0.5);
  EXPECT_EQ(size.contact_tangential > 1e-3 * scale, ride.friction > 0.);
  EXPECT_LT(worst_normal, 1e-12 * scale); // dissipative contact by contact
  EXPECT_LT(worst_tangential, 1e-12 * scale);
}

INSTANTIATE_TEST_SUITE_P(
    Rides, HyperelasticLedger,
    ::testing::Values(Ride{"pdas-leapfrog", 0.5, 0., 0.3, 0, Kind::velocity, ogden_strain, {}},
                      Ride{"pdas-leapfrog",
                           0.5,
                           0.,
                           0.,
                           3,
                           Kind::displacement,
                           neo_hooke,
                           {ViscosityKind::curnier, 0.02}},
                      Ride{"pdas-leapfrog", 0.5, 0., 0.2, 2, Kind::displacement, ogden_stress, {}},
                      Ride{"fremond-gonzalez",
                           0.5,
                           0.5,
                           0.3,
                           1,
                           Kind::displacement,
                           ogden_stress,
                           {ViscosityKind::pioletti, 0.2}},
                      Ride{"fremond-gonzalez", 0.7, 0.2, 0.3, 3, Kind::velocity, ogden_strain, {}},
                      Ride{"moreau-jean-fremond", 0.5, 0., 0.3, 2, Kind::velocity, neo_hooke, {}},
                      Ride{"moreau-jean-fremond",
                           0.7,
                           0.,
                           0.4,
                           1,
                           Kind::displacement,
                           ogden_strain,
                           {ViscosityKind::curnier, 0.02}},
                      Ride{"moreau-jean-fremond",
                           0.5,
                           0.,
                           0.3,
                           1,
                           Kind::velocity,
                           ogden_strain,
                           {ViscosityKind::curnier, 0.02},
                           ElementKind::mean_dilatation},
                      Ride{"pdas-leapfrog",
                           0.5,
                           0.,
                           0.3,
                           0,
                           Kind::velocity,
                           rubber,
                           {},
                           ElementKind::mean_dilatation},
                      Ride{"pdas-leapfrog",
                           0.5,
                           0.,
                           0.3,
                           2,
                           Kind::displacement,
                           rubber,
                           {},
                           ElementKind::macro_cells},
                      Ride{"pdas-leapfrog",
                           0.5,
                           0.,
                           0.3,
                           0,
                           Kind::velocity,
                           ogden_strain,
                           {},
                           ElementKind::standard,
                           2},
                      Ride{"moreau-jean-fremond",
                           0.7,
                           0.,
                           0.4,
                           2,
                           Kind::displacement,
                           neo_hooke,
                           {ViscosityKind::curnier, 0.02},
                           ElementKind::mean_dilatation,
                           2}));

} // namespace
