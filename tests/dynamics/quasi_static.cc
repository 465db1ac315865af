// Steps without inertia, and loads that follow the body: equilibria, contacts as supports, limits
// of small density, potentials, and an inflated ring.

#include <percussion/body/cell_stress.h>
#include <percussion/body/static_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"

namespace {

using namespace percussion;
using test::Block;
using test::BlockIn;
using Kind = PrescribedMotion<2>::Kind;

/// Removes the inertia of a block; its choices become quasi-static.
template <int dim>
void make_quasi_static(BlockIn<dim> &block) {
  block.bodies->remove_inertia();
  block.choices.has_inertia = false;
  block.choices.theta = 1.;
  block.choices.forecast = Forecast::closing;
}

Material<2> linear_material(double density = 1.) {
  return {density, 0.7, LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}};
}

double distance(const Vector &a, const Vector &b) {
  Vector difference = a;
  difference -= b;
  return std::sqrt(dot(difference, difference) / dot(b, b));
}

/// Returns a block, held at its lower side and pulled sideways at its upper side.
Block pulled_block(const Material<2> &material, double pull) {
  Block block(test::rectangle(CellShape::hypercube, 2., 1., 6, 3, 0.2), material,
              dealii::Tensor<1, 2>({0., -0.01}));
  block.prescribe("bottom", 0, Kind::displacement, "0");
  block.prescribe("bottom", 1, Kind::displacement, "0");
  block.add_traction("top", 0, std::to_string(pull) + "*t");
  return block;
}

/// Each step ends in the static equilibrium of its loads, independently of the steps before; there
/// is no kinetic energy, and the ledger closes.
TEST(QuasiStaticStep, EndsInEquilibrium) {
  for (const bool is_linear : {true, false})
    for (const double h : {0.5, 0.125}) {
      Block block = is_linear ? pulled_block(linear_material(), 0.05)
                              : pulled_block(test::hyperelastic(test::ogden), 0.3);
      make_quasi_static(block);
      block.choices.h = h;
      block.start();
      while (block.state.time < 1. - 1e-9) {
        const Vector q0 = block.state.q;
        const auto &record = block.advance();
        EXPECT_EQ(block.state.kinetic, 0.);
        EXPECT_LT(std::abs(record.balance_residual), 1e-13 * block.state.strain);
        if (is_linear) { // backward Euler: −½ (q1 − q0)ᵀ K (q1 − q0)
          Vector change = block.state.q, internal = change;
          change -= q0;
          multiply(block.bodies->operators.stiffness, change, internal);
          EXPECT_NEAR(record.works.numerical, -0.5 * dot(change, internal),
                      1e-13 * block.state.strain);
        }
      }
      const Vector exact = static_equilibrium(*block.bodies, {{}, true, true}, 1.);
      EXPECT_LT(distance(block.state.q, exact), 1e-10) << is_linear << ' ' << h;
    }
}

/// Block that only ground and friction hold, pressed and then pushed sideways; density zero:
/// without inertia. The ends of its contact slip, and its middle sticks.
Block pushed_block(const Material<2> &material, double load, double density) {
  Material<2> block_material = material;
  block_material.density = density > 0. ? density : 1.;
  Block block(test::rectangle(CellShape::simplex, 2., 1., 6, 3, 0.2), block_material);
  block.add_contact("bottom", Block::ground(), ImpactLawKind::dissipative, {}, 0.4);
  block.add_traction("top", 1, std::to_string(-load) + "*min(2*t, 1)");
  block.add_traction("left", 0, std::to_string(0.6 * load) + "*max(2*t - 1, 0)");
  if (density == 0.)
    make_quasi_static(block);
  block.choices.theta = 1.;
  block.choices.forecast = Forecast::closing;
  block.choices.h = 0.05;
  block.start();
  unsigned int n_slipped = 0, n_stuck = 0;
  while (block.state.time < 1. - 1e-9) {
    const auto &record = block.advance();
    for (const auto &contact : record.contacts)
      if (contact.percussion[0] > 1e-6 * load * block.choices.h)
        ++(contact.status == ContactStatus::slip ? n_slipped : n_stuck);
    EXPECT_LT(std::abs(record.balance_residual), 1e-12 * block.state.strain);
    EXPECT_LT(record.penetration_max, 1e-9);
    EXPECT_LE(record.tangential_work_max, 1e-10 * block.state.strain);
  }
  EXPECT_GT(n_slipped, 10u);
  EXPECT_GT(n_stuck, 10u);
  return block;
}

/// Smaller densities, which have the same steps, converge to the quasi-static step.
TEST(QuasiStaticStep, IsTheLimitOfSmallDensities) {
  const Vector limit = pushed_block(linear_material(), 0.1, 0.).state.q;
  double previous = 1;
  for (const double density : {1e-4, 1e-6, 1e-8}) {
    const double error = distance(pushed_block(linear_material(), 0.1, density).state.q, limit);
    EXPECT_LT(error, std::max(0.1 * previous, 1e-7)) << density;
    previous = error;
  }
  EXPECT_LT(previous, 1e-6);
}

/// For small loads a hyperelastic body has the contacts, the slip and the displacements of the
/// linear body.
TEST(QuasiStaticStep, IsLinearForSmallStrains) {
  const HyperelasticLaw law = NeoHooke{0.5, 0.4};
  Material<2> linear = test::hyperelastic(law);
  linear.finite_strain.reset();
  double previous = 1;
  for (const double load : {1e-3, 1e-4, 1e-5}) {
    const Vector limit = pushed_block(linear, load, 0.).state.q;
    const double error = distance(pushed_block(test::hyperelastic(law), load, 0.).state.q, limit);
    EXPECT_LT(error, 0.12 * previous) << load;
    previous = error;
  }
}

/// A block above the ground is pressed on it within a single step: the contacts that close are its
/// supports.
TEST(QuasiStaticStep, ClosesTheContactsThatHoldABody) {
  for (const std::string name : {"moreau-jean-fremond", "signorini-midpoint"}) {
    Block block(test::rectangle(CellShape::hypercube, 2., 1., 6, 3), linear_material());
    const Scheme &block_scheme = scheme(name);
    block.use(block_scheme);
    block.add_contact("bottom", Block::ground(-0.05), block_scheme.law, {}, 0.2);
    block.prescribe("left", 0, Kind::displacement, "0");
    block.add_traction("top", 1, "-0.02");
    make_quasi_static(block);
    block.choices.forecast = name == "signorini-midpoint" ? Forecast::reach : Forecast::closing;
    block.choices.h = 1.;
    block.start();
    const auto &record = block.advance();
    EXPECT_NEAR(test::total_percussion(record, 0), 0.02 * 2. * 0.7, 1e-12) << name;
    EXPECT_LT(record.penetration_max, 1e-11);
    EXPECT_LT(std::abs(record.balance_residual), 1e-12);
  }
}

/// A stiff body reaches contacts far from it, and the step has the round-off of this motion in its
/// balance: here the displacement times the stiffness is 4e6 times the load.
TEST(QuasiStaticStep, BalancesSmallLoadsAfterAFall) {
  Material<2> material = linear_material();
  material.elastic = LinearElastic<2>::from_young(1e6, 0.3, Plane::strain);
  Block block(test::rectangle(CellShape::hypercube, 2., 1., 12, 6), material);
  block.add_contact("bottom", Block::ground(-0.4), ImpactLawKind::dissipative, {}, 0.5);
  block.add_traction("top", 1, "-0.1");
  make_quasi_static(block);
  block.choices.h = 0.5;
  block.start();
  constexpr double impulse = 0.1 * 2. * 0.7 * 0.5, work = 0.1 * 2. * 0.7 * 0.4;
  for (unsigned int k = 0; k < 3; ++k) {
    const double tolerance = k == 0 ? 1e-7 : 1e-8; // later steps do not fall
    const auto &record = block.advance();
    EXPECT_NEAR(test::total_percussion(record, 0), impulse, tolerance * impulse);
    EXPECT_LT(std::abs(record.balance_residual), tolerance * work);
  }
}

/// Loads that contacts do not resist have no balance, and the message names the body: a push along
/// the ground without friction, and a pull away from it.
TEST(QuasiStaticStep, FailsForABodyThatNothingHolds) {
  for (const bool is_pulled : {false, true}) {
    Block block(test::rectangle(CellShape::hypercube, 2., 1., 6, 3), linear_material());
    block.add_contact("bottom", Block::ground(), ImpactLawKind::dissipative, {}, 0.);
    block.add_traction("top", 1, is_pulled ? "0.02" : "-0.02");
    block.add_traction("left", 0, is_pulled ? "0" : "0.01");
    make_quasi_static(block);
    block.choices.h = 1.;
    block.start();
    try {
      block.advance();
      FAIL() << "there is no balance";
    } catch (const RunError &error) {
      EXPECT_NE(std::string(error.what()).find("do not hold the elastic body"), std::string::npos)
          << error.what();
    }
  }
}

// ---- loads that follow the body ----

void add_pressure(Block &block, const std::string &region, const std::string &formula) {
  block.bodies->pressures.emplace_back(*block.bodies->elastic.front(), block.mesh->region(region),
                                       Expression(formula));
}

/// Under a pressure p on its deformed surface a body has the Cauchy stress −p I in its plane, for
/// any law and mesh.
TEST(FollowerPressureStep, PassesThePatchTest) {
  for (const CellShape shape : {CellShape::simplex, CellShape::hypercube})
    for (const double p : {0.3, -0.1}) {
      Block block(test::rectangle(shape, 2., 1., 4, 3, 0.2),
                  test::hyperelastic(HyperelasticLaw(NeoHooke{0.5, 0.4})));
      block.prescribe("left", 0, Kind::displacement, "0");
      block.prescribe("bottom", 1, Kind::displacement, "0");
      add_pressure(block, "right", std::to_string(p) + "*t");
      add_pressure(block, "top", std::to_string(p) + "*t");
      make_quasi_static(block);
      block.choices.h = 0.25;
      block.start();
      for (unsigned int k = 0; k < 4; ++k)
        EXPECT_LT(std::abs(block.advance().balance_residual), 1e-14);
      const CellStress<2> stress(*block.bodies->elastic.front());
      for (unsigned int cell = 0; cell < stress.n_cells(); ++cell) {
        const auto sigma = stress(cell, block.state.q);
        EXPECT_NEAR(sigma[0][0], -p, 1e-9);
        EXPECT_NEAR(sigma[1][1], -p, 1e-9);
        EXPECT_NEAR(sigma[0][1], 0., 1e-9);
      }
    }
}

/// A free body under a constant pressure keeps E + p V and its momentum to round-off.
TEST(FollowerPressureStep, ConservesEnergyWithItsPotential) {
  Block block(test::rectangle(CellShape::simplex, 2., 1., 8, 4, 0.2),
              test::hyperelastic(test::ogden));
  block.choices.use(scheme("pdas-leapfrog"));
  add_pressure(block, "boundary", "0.2");
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.1 - 0.4 * x[1], 0.3 * x[0]}};
  });
  block.choices.h = 0.02;
  block.start();
  const FollowerPressure<2> &pressure = block.bodies->pressures.front();
  const double all = block.state.energy() + 0.2 * pressure.volume(block.state.q);
  const auto momentum = block.momentum();
  double work = 0, smallest = pressure.volume(block.state.q);
  for (unsigned int k = 0; k < 200; ++k) {
    const auto &record = block.advance();
    work += record.works.external;
    EXPECT_LT(std::abs(record.balance_residual), 1e-13);
    smallest = std::min(smallest, pressure.volume(block.state.q));
  }
  EXPECT_LT(smallest, 1.9); // it breathes
  EXPECT_NEAR(block.state.energy() + 0.2 * pressure.volume(block.state.q), all, 1e-11);
  EXPECT_NEAR(work, 0.2 * (2. - pressure.volume(block.state.q)), 1e-11);
  for (unsigned int d = 0; d < 2; ++d)
    EXPECT_NEAR(block.momentum()[d], momentum[d], 1e-12);
}

TEST(FollowerPressureStep, ConservesEnergyWithItsPotentialInSpace) {
  BlockIn<3> block(test::box(CellShape::hypercube, {1., 1., 1.}, {2, 2, 2}),
                   test::hyperelastic<3>(HyperelasticLaw(NeoHooke{0.5, 0.4})));
  block.choices.use(scheme("pdas-leapfrog"));
  block.bodies->pressures.emplace_back(*block.bodies->elastic.front(),
                                       block.mesh->region("boundary"), Expression("0.2"));
  block.set(block.state.v, [](const auto &x) -> std::array<double, 3> {
    return {{0.1 - 0.4 * x[1], 0.3 * x[0], 0.2 * x[2]}};
  });
  block.choices.h = 0.02;
  block.start();
  const FollowerPressure<3> &pressure = block.bodies->pressures.front();
  const double all = block.state.energy() + 0.2 * pressure.volume(block.state.q);
  for (unsigned int k = 0; k < 100; ++k)
    EXPECT_LT(std::abs(block.advance().balance_residual), 1e-13);
  EXPECT_GT(std::abs(pressure.volume(block.state.q) - 1.), 0.01);
  EXPECT_NEAR(block.state.energy() + 0.2 * pressure.volume(block.state.q), all, 1e-11);
}

// ---- the inflated ring ----

/// Radial equilibrium of a ring in plane strain, d(R P_r)/dR = P_θ with the nominal stresses P_r
/// and P_θ of the principal stretches r' and r/R; the pressure p on the inner side and none on the
/// outer. The inner radius is found by bisection.
class InflatedRing {
public:
  InflatedRing(const NeoHooke &l, double p, double a, double b)
      : law(l), pressure(p), inner(a), outer(b) {}

  /// Returns the deformed radii of the inner and the outer side.
  std::array<double, 2> radii() const {
    double low = inner, high = 2. * inner;
    for (unsigned int k = 0; k < 60; ++k)
      (integrate(0.5 * (low + high))[1] < 0. ? low : high) = 0.5 * (low + high);
    return {0.5 * (low + high), integrate(0.5 * (low + high))[0]};
  }

private:
  double energy(double radial, double hoop) const {
    return law.energy(symmetric(radial * radial - 1., hoop * hoop - 1., 0.));
  }
  double radial_stress(double radial, double hoop) const {
    return (energy(radial + step, hoop) - energy(radial - step, hoop)) / (2. * step);
  }
  double hoop_stress(double radial, double hoop) const {
    return (energy(radial, hoop + step) - energy(radial, hoop - step)) / (2. * step);
  }
  /// Returns the radial stretch that has this nominal stress.
  double radial_stretch(double stress, double hoop) const {
    double low = 0.3, high = 2.;
    for (unsigned int k = 0; k < 60; ++k)
      (radial_stress(0.5 * (low + high), hoop) < stress ? low : high) = 0.5 * (low + high);
    return 0.5 * (low + high);
  }
  /// Returns the derivatives of r and R P_r.
  std::array<double, 2> slope(double R, const std::array<double, 2> &y) const {
    const double radial = radial_stretch(y[1] / R, y[0] / R);
    return {radial, hoop_stress(radial, y[0] / R)};
  }
  /// Integrates from the inner radius r to the outer side by Runge and Kutta's method; returns r
  /// and R P_r there.
  std::array<double, 2> integrate(double r) const {
    constexpr unsigned int n = 50;
    const double h = (outer - inner) / n;
    std::array<double, 2> y = {r, -pressure * r};
    const auto moved = [&](const std::array<double, 2> &k, double by) {
      return std::array<double, 2>{y[0] + by * k[0], y[1] + by * k[1]};
    };
    for (unsigned int i = 0; i < n; ++i) {
      const double R = inner + i * h;
      const auto k1 = slope(R, y), k2 = slope(R + 0.5 * h, moved(k1, 0.5 * h)),
                 k3 = slope(R + 0.5 * h, moved(k2, 0.5 * h)), k4 = slope(R + h, moved(k3, h));
      for (unsigned int d = 0; d < 2; ++d)
        y[d] += h / 6. * (k1[d] + 2. * k2[d] + 2. * k3[d] + k4[d]);
    }
    return y;
  }

  static constexpr double step = 1e-5;
  NeoHooke law;
  double pressure, inner, outer;
};

/// Returns the deformed inner and outer radius of a ring of finite elements.
std::array<double, 2> inflate(const NeoHooke &law, double pressure, unsigned int n_around) {
  auto mesh = test::ring(1., 1.5, n_around, n_around / 8);
  std::array<Region, 2> axes;
  const auto &nodes = mesh->triangulation.get_vertices();
  for (unsigned int node = 0; node < nodes.size(); ++node)
    for (unsigned int d = 0; d < 2; ++d)
      if (std::abs(nodes[node][d]) < 1e-12)
        axes[d].nodes.push_back(node);
  mesh->regions["axis y"] = axes[0];
  mesh->regions["axis x"] = axes[1];
  Block block(std::move(mesh), test::hyperelastic(HyperelasticLaw(law)));
  block.prescribe("axis y", 0, Kind::displacement, "0");
  block.prescribe("axis x", 1, Kind::displacement, "0");
  add_pressure(block, "inner", std::to_string(pressure) + "*t");
  make_quasi_static(block);
  block.choices.h = 0.1;
  block.start();
  for (unsigned int k = 0; k < 10; ++k)
    EXPECT_LT(std::abs(block.advance().balance_residual), 1e-13);
  std::array<double, 2> radii{};
  for (unsigned int side = 0; side < 2; ++side) {
    const Region &region = block.mesh->region(side == 0 ? "inner" : "outer");
    for (const unsigned int node : region.nodes) {
      dealii::Tensor<1, 2> x = block.space().nodes[node];
      for (unsigned int d = 0; d < 2; ++d)
        x[d] += block.state.q[block.space().node_dofs[node][d]];
      radii[side] += x.norm() / static_cast<double>(region.nodes.size());
    }
  }
  return radii;
}

TEST(InflatedRing, ConvergesToTheRadialEquilibrium) {
  const NeoHooke law{0.5, 0.4};
  constexpr double pressure = 0.12;
  const auto exact = InflatedRing(law, pressure, 1., 1.5).radii();
  EXPECT_GT(exact[0], 1.2); // the displacements are large
  const auto coarse = inflate(law, pressure, 32), fine = inflate(law, pressure, 64);
  for (unsigned int side = 0; side < 2; ++side) {
    EXPECT_NEAR(fine[side], exact[side], 2e-3 * exact[side]);
    EXPECT_NEAR(
        std::log2(std::abs(coarse[side] - exact[side]) / std::abs(fine[side] - exact[side])), 2.,
        0.2);
  }
}

} // namespace
