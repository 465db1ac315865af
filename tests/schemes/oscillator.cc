// A friction oscillator with an exact solution: a mass of 7000 on a spring of 24,000, pressed on a
// surface by 70,000, is pulled by 200,000 from t = 0 on, with mu = 0.3. It oscillates about
// (200,000 -+ 21,000)/24,000: it reaches 14.91667 after half a period, and 3.5 after another one.

#include <gtest/gtest.h>

#include "support/scheme.h"

namespace {

using namespace percussion;
using test::Block;

/// Returns one quadrilateral whose right side moves as a whole between two surfaces, each of which
/// takes half of the load: the consistent mass of the side is a third of the body's mass.
Block oscillator() {
  const double stiffness = 24e3, mass = 7e3;
  Block block(
      test::rectangle(CellShape::hypercube, 1, 1, 1, 1),
      Material<2>{3 * mass, 1., LinearElastic<2>::from_young(stiffness, 0., Plane::stress), {}});
  Surface<2> ceiling;
  ceiling.shape = HalfPlane<2>{dealii::Point<2>(0., 1.), dealii::Tensor<1, 2>({0., -1.})};
  block.add_contact("bottom", Block::ground(0.), ImpactLawKind::fremond, {}, 0.3);
  block.add_contact("top", std::move(ceiling), ImpactLawKind::fremond, {}, 0.3);
  for (auto &pair : block.pairs)
    pair.penalty_stiffness = 1e10;
  for (const unsigned int d : {0u, 1u})
    block.prescribe("left", d, PrescribedMotion<2>::Kind::displacement, "0");
  // Half of each side's traction acts on the held node.
  block.add_traction("bottom", 1, "-70e3");
  block.add_traction("top", 1, "70e3");
  block.add_traction("right", 0, "200e3");
  return block;
}

/// Returns time and value of the turning point of a sampled curve near its k-th sample, by a
/// parabola.
std::array<double, 2> turn(const std::vector<double> &x, std::size_t k, double h) {
  const double slope = 0.5 * (x[k + 1] - x[k - 1]), bend = x[k + 1] - 2 * x[k] + x[k - 1];
  return {{h * (static_cast<double>(k) - slope / bend), x[k] - 0.5 * slope * slope / bend}};
}

class Oscillator : public ::testing::TestWithParam<Scheme> {};

TEST_P(Oscillator, TurnsWhereFrictionLetsIt) {
  Block block = oscillator();
  take(GetParam(), block);
  block.choices.h = 2e-3;
  block.start();
  const auto right = block.mesh->region("right").nodes;
  std::vector<double> x = {0.};
  double energy = 0, residual = 0, friction = 0;
  while (block.state.time < 3.6) {
    const auto &record = block.advance();
    x.push_back(block.state.q[block.space().node_dofs[right[0]][0]]);
    ASSERT_NEAR(x.back(), block.state.q[block.space().node_dofs[right[1]][0]], 1e-7);
    energy = std::max(energy, block.state.energy());
    residual = std::max(residual, std::abs(record.balance_residual));
    friction = std::max(friction, record.works.contact_tangential);
  }
  EXPECT_LT(residual, 1e-12 * energy);
  // Friction gives no energy in any step, except with the classical law when the slip reverses.
  if (GetParam().law != ImpactLawKind::newton_coulomb) {
    EXPECT_LT(friction, 1e-12 * energy);
  }
  const auto first = std::max_element(x.begin(), x.end()) - x.begin();
  const auto second = std::min_element(x.begin() + first, x.end()) - x.begin();
  ASSERT_LT(static_cast<std::size_t>(second) + 1, x.size());
  const auto [time, place] = turn(x, static_cast<std::size_t>(first), block.choices.h);
  const auto [later, back] = turn(x, static_cast<std::size_t>(second), block.choices.h);
  EXPECT_NEAR(place, 14.91667, 2e-3);
  EXPECT_NEAR(time, 1.696654, 2e-3); // tolerance of a step
  EXPECT_NEAR(back, 3.5, 4e-3);
  EXPECT_NEAR(later, 3.393308, 4e-3);
}

/// Returns all schemes except the one without inertia of contact nodes: here no other inertia
/// exists.
std::vector<Scheme> inertial_schemes() {
  std::vector<Scheme> some;
  for (const Scheme &scheme : schemes())
    if (!scheme.redistributes_inertia)
      some.push_back(scheme);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Schemes, Oscillator, ::testing::ValuesIn(inertial_schemes()),
                         test::SchemeName());

} // namespace
