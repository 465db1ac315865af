// Steps of bodies that yield or creep: the ledger, momenta, impacts, cuts, and a tube's limit load.

#include <percussion/body/cell_stress.h>
#include <percussion/body/material_history.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "same_bits.h"
#include "support/block.h"
#include <algorithm>

namespace material_memory { // separates names from the other tests in unity builds

using namespace percussion;
using test::Block;
using test::BlockIn;
using test::hyperelastic;
using Kind = PrescribedMotion<2>::Kind;

const Elastoplastic metal{{1., 0.02, 0.05, 0.01, 10., 0.05, 0.01}, 3.};
const Viscoelastic rubber{0.6, 3., {{0.4, 0.5}, {0.2, 0.02}}};

double angular_momentum(const BlockIn<2> &block) {
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
  ElementKind element = ElementKind::standard;
};

std::unique_ptr<Mesh<2>> mesh_of(const Flight &flight) {
  return flight.element == ElementKind::macro_cells
             ? test::divided(*test::rectangle(CellShape::simplex, 1, 1, 2, 2, 0.2))
             : test::rectangle(flight.shape, 1, 1, 3, 3, 0.2);
}

class FlightWithMemory : public ::testing::TestWithParam<Flight> {};

TEST_P(FlightWithMemory, KeepsMomentaAndBalancesEnergyAndLoss) {
  const Flight &flight = GetParam();
  Block block(mesh_of(flight), hyperelastic(flight.law, {}, flight.element));
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.4 * (x[0] - 0.5) - 0.8 * (x[1] - 0.5), 0.8 * (x[0] - 0.5) - 0.4 * (x[1] - 0.5)}};
  });
  block.choices.h = 0.1;
  block.choices.newton_tolerance = 1e-12;
  block.start();
  const double energy = block.state.energy(), angular = angular_momentum(block);
  Works sum;
  for (unsigned int k = 0; k < 100; ++k) {
    const auto &record = block.advance();
    sum += record.works;
    ASSERT_LE(record.works.viscous, 0.);
    ASSERT_LE(record.works.plastic, 0.);
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << "step " << k;
    ASSERT_EQ(record.works.sum(), record.works.viscous + record.works.plastic);
    for (const double component : block.momentum())
      ASSERT_NEAR(component, 0., 1e-13);
    ASSERT_NEAR(angular_momentum(block), angular, 1e-11 * angular) << "step " << k;
  }
  const bool yields = is_plastic(flight.law);
  EXPECT_EQ(sum.plastic < -0.05 * energy, yields);
  EXPECT_EQ(sum.viscous < -0.02 * energy, !yields);
  EXPECT_NEAR(block.state.energy(), energy + sum.sum(), 1e-12 * energy);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, FlightWithMemory,
    ::testing::Values(Flight{CellShape::simplex, metal}, Flight{CellShape::hypercube, metal},
                      Flight{CellShape::hypercube, metal, ElementKind::mean_dilatation},
                      Flight{CellShape::simplex, metal, ElementKind::macro_cells},
                      Flight{CellShape::hypercube, rubber},
                      Flight{CellShape::hypercube, rubber, ElementKind::mean_dilatation},
                      Flight{CellShape::simplex, rubber, ElementKind::macro_cells}));

// ---- impacts with friction ----

/// Drops a block on the ground with friction.
template <int dim>
void start_drop(BlockIn<dim> &block, const std::string &name, double h) {
  const Scheme &named = scheme(name);
  block.use(named);
  block.add_contact("bottom", BlockIn<dim>::ground(-0.02), named.law, {}, 0.3);
  block.set(block.state.v, [](const auto &x) {
    std::array<double, dim> v{};
    v[0] = 0.3 - 0.1 * x[1];
    v[dim - 1] = -0.6 + 0.1 * x[0];
    return v;
  });
  block.choices.h = h;
  block.choices.newton_tolerance = 1e-12;
  block.start();
}

template <int dim>
void expect_balanced_drop(BlockIn<dim> &block, unsigned int n_steps, bool yields) {
  const double energy = block.state.energy();
  Works sum;
  std::size_t active = 0;
  for (unsigned int k = 0; k < n_steps; ++k) {
    const auto &record = block.advance();
    sum += record.works;
    active += record.contacts.size();
    ASSERT_LE(record.works.viscous, 0.);
    ASSERT_LE(record.works.plastic, 0.);
    ASSERT_LE(record.tangential_work_max, 1e-15);
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << "step " << k;
  }
  EXPECT_GT(active, n_steps);
  EXPECT_EQ(sum.plastic < -0.05 * energy, yields);
  EXPECT_EQ(sum.viscous < -0.01 * energy, !yields);
  EXPECT_LT(sum.contact_tangential, -1e-3 * energy);
}

TEST(ImpactWithMemory, BalancesEnergyAndLossIn2D) {
  for (const HyperelasticLaw &law : {HyperelasticLaw(metal), HyperelasticLaw(rubber)})
    for (const std::string name : {"moreau-jean-fremond", "pdas-leapfrog"}) {
      SCOPED_TRACE(name);
      Block block(test::rectangle(CellShape::hypercube, 2, 1, 6, 3, 0.2),
                  hyperelastic(law, {}, ElementKind::mean_dilatation));
      start_drop(block, name, 0.05);
      expect_balanced_drop(block, 40, is_plastic(law));
    }
}

TEST(ImpactWithMemory, BalancesEnergyAndLossIn3D) {
  BlockIn<3> block(test::box(CellShape::hypercube, {1, 1, 1}, {2, 2, 2}),
                   hyperelastic<3>(metal, {}, ElementKind::mean_dilatation));
  start_drop(block, "moreau-jean-fremond", 0.1);
  expect_balanced_drop(block, 15, true);
}

// ---- cuts and continuation ----

/// Returns the members of a state that a checkpoint stores.
State<2> kept(const State<2> &state) {
  State<2> copy = state;
  copy.force = {};
  copy.found = {};
  return copy;
}

/// A substep that fails leaves no trace in the history: the next steps have the same bits.
TEST(ImpactWithMemory, CutSubstepsLeaveNoTrace) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 6, 3, 0.2), hyperelastic(metal));
  start_drop(block, "moreau-jean-fremond", 0.05);
  for (unsigned int k = 0; k < 8; ++k)
    block.advance();
  ASSERT_FALSE(block.state.material_history.empty());
  // Corrections fail in a substep that is too long.
  for (const double length : {20., 100., 400., 2000.}) {
    State<2> state = kept(block.state), other = state;
    Step<2> step(*block.bodies, *block.boundary, block.choices, block.cone),
        other_step(*block.bodies, *block.boundary, block.choices, block.cone);
    step.restore(state, block.step->memory());
    other_step.restore(other, block.step->memory());
    if (!step.advance_over(state, {state.time, state.time + length, length}))
      continue;
    EXPECT_EQ(state.material_history, other.material_history);
    Step<2> next_step(*block.bodies, *block.boundary, block.choices, block.cone);
    next_step.restore(state, block.step->memory());
    for (unsigned int k = 0; k < 3; ++k) {
      next_step.advance(state, state.time + block.choices.h);
      other_step.advance(other, other.time + block.choices.h);
    }
    EXPECT_TRUE(test::same_bits(state.q, other.q));
    EXPECT_EQ(state.material_history, other.material_history);
    return;
  }
  FAIL() << "no substep has failed";
}

TEST(ImpactWithMemory, ContinuesFromItsMemoryWithTheSameBits) {
  for (const HyperelasticLaw &law : {HyperelasticLaw(metal), HyperelasticLaw(rubber)}) {
    Block block(test::rectangle(CellShape::hypercube, 2, 1, 6, 3, 0.2),
                hyperelastic(law, {}, ElementKind::mean_dilatation));
    start_drop(block, "moreau-jean-fremond", 0.05);
    for (unsigned int k = 0; k < 10; ++k)
      block.advance();
    State<2> state = kept(block.state);
    Step<2> step(*block.bodies, *block.boundary, block.choices, block.cone);
    step.restore(state, block.step->memory());
    for (unsigned int k = 10; k < 15; ++k) {
      block.advance();
      step.advance(state, (k + 1) * block.choices.h);
      ASSERT_TRUE(test::same_bits(state.q, block.state.q)) << k;
      ASSERT_TRUE(test::same_bits(state.strain, block.state.strain)) << k;
      ASSERT_EQ(state.material_history, block.state.material_history) << k;
    }
  }
}

// ---- without inertia ----

/// Thick tube of perfect plasticity, whose inner radius grows: the pressure on it reaches the limit
/// 2 k ln(b/a), k = σ_y/√3, with the deformed radii. The work of the step is its loss and numerical
/// work ≤ 0.
TEST(ThickTube, ReachesTheLimitLoad) {
  constexpr double young = 210000., poisson = 0.3, yield = 240., inner = 100., outer = 200.;
  const Elastoplastic steel{{young / (2. * (1. + poisson)), yield},
                            young / (3. * (1. - 2. * poisson))};
  constexpr unsigned int n_around = 40;
  Block block(test::ring(inner, outer, n_around, 8),
              hyperelastic(steel, {}, ElementKind::mean_dilatation));
  block.prescribe("inner", 0, Kind::displacement, "t*x/100");
  block.prescribe("inner", 1, Kind::displacement, "t*y/100");
  block.bodies->remove_inertia();
  block.choices.has_inertia = false;
  block.choices.theta = 1.;
  block.choices.h = 0.05;
  block.start();
  double pressure = 0;
  for (unsigned int k = 0; k < 16; ++k) {
    const auto &record = block.advance();
    ASSERT_LT(std::abs(record.balance_residual), 1e-12 * block.state.strain);
    ASSERT_LE(record.works.plastic, 0.);
    ASSERT_LE(record.works.numerical, 1e-12 * block.state.strain);
    const double u = block.state.time;
    const double area_change = 0.5 * n_around * std::sin(2. * std::acos(-1.) / n_around) *
                               (std::pow(inner + u, 2) - std::pow(inner + u - 0.05, 2));
    pressure = record.works.prescribed / area_change;
    if (k == 1) {
      EXPECT_NEAR(pressure, 110., 1.);
    }
  }
  const double a = inner + 0.8, b = std::sqrt(outer * outer + a * a - inner * inner);
  EXPECT_NEAR(pressure, 2. * yield / std::sqrt(3.) * std::log(b / a), 0.6);
}

/// A bar of a metal with a table of hardening, pulled without inertia: the stress is E times the
/// elastic strain and the yield stress of the table at the plastic one, in logarithmic strain; all
/// that plastic flow takes, the first yield stress times the plastic strain, heats the bar.
TEST(QuasiStaticMetal, FollowsItsTableAndHeatsByItsLoss) {
  constexpr double young = 200000., yield = 250., capacity = 4.;
  PlasticFlow flow{young / 2.6, yield};
  flow.table = HardeningTable({0.01, 0.05}, {100., 150.});
  BlockIn<3> bar(test::box(CellShape::hypercube, {1, 1, 1}, {1, 1, 1}),
                 hyperelastic<3>(Elastoplastic{flow, young / 1.2, capacity}));
  bar.prescribe("left", 0, PrescribedMotion<3>::Kind::displacement, "0");
  bar.prescribe("front", 1, PrescribedMotion<3>::Kind::displacement, "0");
  bar.prescribe("bottom", 2, PrescribedMotion<3>::Kind::displacement, "0");
  bar.prescribe("right", 0, PrescribedMotion<3>::Kind::displacement, "0.01*t");
  bar.bodies->remove_inertia();
  bar.choices.has_inertia = false;
  bar.choices.theta = 1.;
  bar.choices.h = 0.1;
  bar.choices.newton_tolerance = 1e-12;
  bar.start();
  const auto &nodes = bar.space().nodes;
  const auto corner = static_cast<unsigned int>(
      std::find(nodes.begin(), nodes.end(), dealii::Point<3>(1, 1, 1)) - nodes.begin());
  const CellStress<3> stress(*bar.bodies->elastic.front());
  double loss = 0;
  for (unsigned int k = 1; k <= 80; ++k) {
    const auto &record = bar.advance();
    loss -= record.works.plastic;
    ASSERT_LT(std::abs(record.balance_residual), 1e-12 * (bar.state.strain + loss)) << k;
    const auto &history = history_of_body(bar.state.material_history, 0);
    double J = 1;
    for (unsigned int d = 0; d < 3; ++d)
      J *= 1. + bar.space().value_at(corner, bar.state.q)[d];
    const double kirchhoff = J * stress(0, bar.state.q, history)[0][0],
                 strain = std::log1p(0.01 * bar.state.time),
                 alpha = stress.history_output(0, history, "equivalent_plastic_strain");
    ASSERT_NEAR(kirchhoff, young * (strain - alpha), 1e-6) << k;
    ASSERT_EQ(alpha > 0., k > 1) << k;
    if (alpha > 0.) {
      ASSERT_NEAR(kirchhoff, yield + flow.table.value(alpha), 1e-6) << k;
    }
    ASSERT_NEAR(loss, yield * alpha, 1e-8) << k;
    ASSERT_NEAR(capacity * stress.history_output(0, history, "temperature_rise"), loss, 1e-11) << k;
  }
  EXPECT_GT(loss, 0.06 * yield); // beyond the last point of the table
}

/// A bar of rubber stretched and held without inertia relaxes to the slow stress.
TEST(QuasiStaticRubber, RelaxesToItsSlowModuli) {
  Block block(test::rectangle(CellShape::hypercube, 1, 1, 2, 2), hyperelastic(rubber));
  Block slow(test::rectangle(CellShape::hypercube, 1, 1, 2, 2),
             hyperelastic(Viscoelastic{rubber.shear, rubber.bulk, {{1e-12, 1.}}}));
  for (Block *const held : {&block, &slow}) {
    held->prescribe("left", 0, Kind::displacement, "0");
    held->prescribe("left", 1, Kind::displacement, "0");
    held->prescribe("right", 0, Kind::displacement, "0.2*min(5*t, 1)");
    held->bodies->remove_inertia();
    held->choices.has_inertia = false;
    held->choices.theta = 1.;
    held->choices.h = 0.1;
    held->start();
    double first = 0;
    for (unsigned int k = 0; k < 200; ++k) {
      const auto &record = held->advance();
      ASSERT_LE(record.works.viscous, 0.);
      ASSERT_LT(std::abs(record.balance_residual), 1e-13);
      first = std::max(first, held->state.strain);
    }
    EXPECT_EQ(held->state.strain < 0.8 * first, held == &block);
  }
  EXPECT_NEAR(block.state.strain, slow.state.strain, 1e-8);
}

} // namespace material_memory
