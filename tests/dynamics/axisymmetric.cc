// Steps of bodies of revolution: free flight, impacts on surfaces and on each other, and uniform
// pressure between meshes that do not match.

#include <percussion/body/cell_stress.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/rigid.h"

namespace axisymmetric_steps { // separates names from the other tests in unity builds

using namespace percussion;
using test::Block;
using test::RigidSystem;
using Kind = PrescribedMotion<2>::Kind;

const NeoHooke neo_hooke{2., 1.3};
const MooneyRivlin soft_rubber{{0.55, 0.1, 13.}};
const Elastoplastic metal{{1., 0.02, 0.05}, 3.};
const Viscoelastic rubber{0.6, 3., {{0.4, 0.3}}};

Material<2> revolved(Material<2> material) {
  material.is_axisymmetric = true;
  return material;
}
Material<2> linear_elastic(double young) {
  return revolved({1., 1., LinearElastic<2>::from_young(young, 0.3, Plane::strain), {}});
}

/// Returns the section of a cylinder of radius 1 and length 1.5.
std::unique_ptr<Mesh<2>> cylinder(CellShape shape, ElementKind element) {
  return element == ElementKind::macro_cells
             ? test::divided(*test::rectangle(shape, 1., 1.5, 2, 3, 0.2))
             : test::rectangle(shape, 1., 1.5, 4, 6, 0.2);
}

// ---- free flight ----

struct Flight {
  const char *name;
  CellShape shape;
  Material<2> material;
};

const std::vector<Flight> flights = {
    {"Q4 neo-Hooke", CellShape::hypercube, revolved(test::hyperelastic(neo_hooke))},
    {"T3 Curnier", CellShape::simplex,
     revolved(test::hyperelastic(neo_hooke, {ViscosityKind::curnier, 0.01}))},
    {"Q4 mean", CellShape::hypercube,
     revolved(test::hyperelastic(soft_rubber, {}, ElementKind::mean_dilatation))},
    {"macro T3", CellShape::simplex,
     revolved(test::hyperelastic(soft_rubber, {}, ElementKind::macro_cells))},
    {"Q4 mean metal", CellShape::hypercube,
     revolved(test::hyperelastic(metal, {}, ElementKind::mean_dilatation))},
    {"T3 rubber", CellShape::simplex, revolved(test::hyperelastic(rubber))},
    {"Q4 linear", CellShape::hypercube, linear_elastic(3.)}};

/// A cylinder that flies along its axis and vibrates keeps its axial momentum, and its energy but
/// for the losses of its law.
TEST(AxisymmetricStep, FlightKeepsEnergyAndAxialMomentum) {
  for (const Flight &flight : flights) {
    Block block(cylinder(flight.shape, flight.material.element), flight.material);
    block.bodies->hold_axis();
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{0.4 * x[0], -0.8 * (x[1] - 0.75) + 1.}};
    });
    block.choices.h = 0.05;
    block.choices.newton_tolerance = 1e-12;
    block.start();
    const double energy = block.state.energy(), momentum = block.momentum()[1];
    double lost = 0;
    for (unsigned int k = 0; k < 100; ++k) {
      const auto &record = block.advance();
      lost -= record.works.viscous + record.works.plastic;
      ASSERT_LE(record.works.viscous + record.works.plastic, 0.) << flight.name;
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << flight.name << ' ' << k;
      ASSERT_NEAR(block.momentum()[1], momentum, 1e-12 * std::abs(momentum)) << flight.name;
    }
    EXPECT_NEAR(block.state.energy() + lost, energy, 2e-12 * energy) << flight.name;
    EXPECT_GT(block.state.q.linfty_norm(), 4.) << flight.name;
  }
}

// ---- impacts ----

/// A cylinder hits the ground: the ledger closes, percussions change the axial momentum, and
/// friction dissipates; its radial percussion has no resultant along the axis.
TEST(AxisymmetricStep, ImpactsCloseTheLedger) {
  for (const std::string name : {"moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez"})
    for (const ContactPoints points : {ContactPoints::nodes, ContactPoints::quadrature})
      for (const bool is_linear : {true, false}) {
        Block block(cylinder(CellShape::hypercube, ElementKind::standard),
                    is_linear ? linear_elastic(40.)
                              : revolved(test::hyperelastic(Ogden{2., 0.5, 1.5, Plane::strain})));
        block.bodies->hold_axis();
        const Scheme &chosen = scheme(name);
        block.use(chosen);
        auto &pair = block.add_contact("bottom", Block::ground(-0.02), chosen.law, {}, 0.3);
        pair.contact_points = points;
        block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
          return {{0.1 * x[0], -0.5}};
        });
        block.choices.h = 0.01;
        block.choices.newton_tolerance = 1e-13;
        block.start();
        const double energy = block.state.energy(), momentum = block.momentum()[1];
        double impulse = 0, friction_work = 0;
        for (unsigned int k = 0; k < 60; ++k) {
          const auto &record = block.advance();
          impulse += test::total_percussion(record, 0);
          friction_work += record.works.contact_tangential;
          ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << name << ' ' << k;
          ASSERT_LE(record.tangential_work_max, 1e-12 * energy) << name;
          ASSERT_NEAR(block.momentum()[1] - momentum, impulse, 1e-12 * std::abs(momentum)) << name;
        }
        EXPECT_GT(impulse, 0.5 * std::abs(momentum)) << name;
        EXPECT_LT(friction_work, -1e-6 * energy) << name;
      }
}

/// Nitsche's method takes the traction of the body, to which the hoop strain adds a pressure.
TEST(AxisymmetricStep, TractionsContainTheHoopStrain) {
  for (const std::string region : {"bottom", "right"}) {
    Block block(cylinder(CellShape::hypercube, ElementKind::standard), linear_elastic(2.));
    auto &pair = block.add_contact(region, Block::ground(-1.), ImpactLawKind::dissipative, {}, 0.);
    pair.contact_points = ContactPoints::quadrature;
    pair.formulation = Formulation::nitsche;
    block.set(block.state.q, [](const auto &x) -> std::array<double, 2> {
      return {{0.01 * x[0], -0.02 * x[1]}};
    });
    const Vector q = block.state.q;
    block.start();
    const auto stress = block.bodies->elastic.front()->materials.list.front().elastic.stress(
        symmetric(0.01, -0.02, 0.01, 0., 0., 0.));
    const Boundary<2> &boundary = *block.boundary;
    ASSERT_FALSE(boundary.points.empty());
    for (unsigned int i = 0; i < boundary.points.size(); ++i) {
      const ContactPoint<2> &point = boundary.points[i];
      const auto [begin, end] = point.traction();
      dealii::Tensor<1, 2> traction;
      for (unsigned int k = begin; k < end; ++k)
        traction +=
            q[boundary.trace.dofs()[boundary.supports[k].entry]] * boundary.supports[k].weight;
      const dealii::Tensor<1, 2> &normal = point.quadrature_point()->normal;
      EXPECT_NEAR(traction[0], stress[0][0] * normal[0], 1e-14) << region;
      EXPECT_NEAR(traction[1], stress[1][1] * normal[1], 1e-14) << region;
    }
  }
}

/// Two cylinders with meshes that do not match, the upper one above the lower one.
struct Stack {
  explicit Stack(const Material<2> &material, Discretisation discretisation,
                 ContactPoints points = ContactPoints::nodes)
      : lower(test::rectangle(CellShape::hypercube, 1., 0.5, 3, 2)),
        upper(test::rectangle(CellShape::simplex, 1., 0.4, 5, 2)) {
    test::move(*upper, 0., dealii::Tensor<1, 2>({0., 0.5}));
    lower->file = "lower.msh";
    upper->file = "upper.msh";
    system.add_elastic(*lower, material);
    system.add_elastic(*upper, material);
    auto &pair = system.add_contact(ImpactLawKind::dissipative, {}, 0.);
    pair.own_side = ElasticRegion{"lower:top"};
    pair.opposite_side = ElasticRegions{{"upper:bottom"}};
    pair.discretisation = discretisation;
    pair.contact_points = points;
    system.make();
    system.bodies->hold_axis();
  }
  double axial_momentum() const {
    double sum = 0;
    for (const auto &body : system.bodies->elastic)
      for (const auto &dofs : body->space.node_dofs)
        sum += system.state.Mv[dofs[1]];
    return sum;
  }

  std::unique_ptr<Mesh<2>> lower, upper;
  RigidSystem system;
};

/// The patch test: a uniform pressure passes from mesh to mesh, and all stresses are uniform.
TEST(AxisymmetricStep, MortarPassesUniformPressure) {
  constexpr double pressure = 0.01;
  for (const ContactPoints points : {ContactPoints::nodes, ContactPoints::quadrature}) {
    Stack stack(linear_elastic(1.), Discretisation::mortar, points);
    RigidSystem &system = stack.system;
    System<2> &bodies = *system.bodies;
    bodies.prescribe("lower:bottom", bodies.region("lower:bottom"), 1, Kind::displacement,
                     Expression("0"));
    bodies.loads.add_traction(*bodies.elastic[1], stack.upper->region("top"), 1,
                              Expression("-0.01"));
    bodies.remove_inertia();
    system.choices.has_inertia = false;
    system.choices.theta = 1.;
    system.choices.forecast = Forecast::closing;
    system.choices.h = 1.;
    system.start();
    const auto &record = system.advance();
    double force = 0;
    for (const auto &contact : record.contacts) {
      EXPECT_NEAR(contact.percussion[0] / contact.area, pressure, 1e-9 * pressure);
      force += contact.percussion[0];
    }
    EXPECT_NEAR(force, pressure * dealii::numbers::PI, 1e-12);
    for (unsigned int b = 0; b < 2; ++b) {
      const CellStress<2> stress(*bodies.elastic[b]);
      for (unsigned int cell = 0; cell < stress.n_cells(); ++cell)
        EXPECT_LT((stress(cell, system.state.q) - symmetric(0., -pressure, 0., 0., 0., 0.)).norm(),
                  1e-9 * pressure)
            << b << ' ' << cell;
    }
  }
}

TEST(AxisymmetricStep, CollisionsKeepAxialMomentum) {
  for (const auto discretisation :
       {Discretisation::nodes, Discretisation::nodes_of_both_sides, Discretisation::mortar}) {
    Stack stack(revolved(test::hyperelastic(Ogden{2., 0.5, 1.5, Plane::strain})), discretisation);
    RigidSystem &system = stack.system;
    const Space<2> &space = system.bodies->elastic[1]->space;
    for (const auto &dofs : space.node_dofs)
      system.state.v[dofs[1]] = -0.5;
    system.choices.h = 0.01;
    system.choices.newton_tolerance = 1e-13;
    system.start();
    const double energy = system.state.energy(), momentum = stack.axial_momentum();
    double impulse = 0;
    for (unsigned int k = 0; k < 60; ++k) {
      const auto &record = system.advance();
      impulse += test::total_percussion(record, 0);
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy) << k;
      ASSERT_NEAR(stack.axial_momentum(), momentum, 1e-12 * std::abs(momentum)) << k;
    }
    EXPECT_GT(impulse, 0.1 * std::abs(momentum));
  }
}

} // namespace axisymmetric_steps
