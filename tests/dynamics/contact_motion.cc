// Blocks on and above rigid surfaces, compared with closed forms and the energy statements.

#include <percussion/body/static_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"

namespace {

using namespace percussion;
using test::Block;
using test::total_percussion;

Material<2> material(double eta = 0, double poisson = 0.3) {
  return {1., 1., LinearElastic<2>::from_young(100., poisson, Plane::strain), {eta, 0., 0.}};
}

// ---- closed forms ----

/// Gravity is rotated by the angle of the incline. For a body that slips everywhere at every
/// instant, the mean velocity obeys
///   v_x + μ v_y = v_x(0) + g (sin α − μ cos α) t
/// for any deformation: N is not constant, but ∫N dt = m (v_y + g cos α t).
TEST(Incline, SlidesWithTheClosedFormAcceleration) {
  const double angle = 0.5, friction = 0.3, g = 9.81;
  Block block(test::rectangle(CellShape::hypercube, 4, 1, 8, 2), material(0.5),
              dealii::Tensor<1, 2>({g * std::sin(angle), -g * std::cos(angle)}));
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, friction);
  const double initial = 2.; // keeps all nodes slipping in the same direction
  block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{initial, 0.}}; });
  block.choices.h = 1e-3;
  block.start();
  double sliding_sum = 0, closed_sum = 0;
  for (unsigned int k = 1; k <= 1000; ++k) {
    const auto &record = block.advance();
    for (const auto &contact : record.contacts)
      ASSERT_NE(contact.status, ContactStatus::stick) << "a node sticks at step " << k;
    const auto momentum = block.momentum();
    const double mass = 4.;
    ASSERT_NEAR((momentum[0] + friction * momentum[1]) / mass,
                initial + g * (std::sin(angle) - friction * std::cos(angle)) * block.state.time,
                1e-10);
    sliding_sum += total_percussion(record, 1);
    closed_sum += total_percussion(record, 0);
  }
  EXPECT_NEAR(sliding_sum, -friction * closed_sum, 1e-11 * closed_sum);
}

TEST(Incline, SticksAboveTheFrictionAngle) {
  const double angle = 0.3, friction = 0.6, g = 9.81; // tan 0.3 = 0.31
  Block block(test::rectangle(CellShape::hypercube, 4, 1, 8, 2), material(2.),
              dealii::Tensor<1, 2>({g * std::sin(angle), -g * std::cos(angle)}));
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, friction);
  block.choices.h = 5e-3;
  block.choices.theta = 0.8; // damps the last vibrations
  block.start();
  double normal = 0, tangential = 0;
  for (unsigned int k = 1; k <= 4000; ++k) {
    const auto &record = block.advance();
    normal = total_percussion(record, 0) / block.choices.h;
    tangential = total_percussion(record, 1) / block.choices.h;
  }
  EXPECT_LT(block.state.v.linfty_norm(), 1e-10);
  EXPECT_NEAR(normal, 4. * g * std::cos(angle), 1e-9);
  EXPECT_NEAR(tangential, -4. * g * std::sin(angle), 1e-9);
}

class AdheredBlock : public ::testing::TestWithParam<Material<2>> {};

/// A block in static equilibrium with its foot held, then released to dry friction, stays at rest.
TEST_P(AdheredBlock, StaysInEquilibriumUnderAPull) {
  const double g = 9.81, pull = 2.;
  Block block(test::rectangle(CellShape::simplex, 4, 1, 16, 4), GetParam(),
              dealii::Tensor<1, 2>({0., -g}));
  block.add_traction("right", 0, "2");
  Preload preload;
  preload.gravity = preload.tractions = true;
  for (const unsigned int node : block.mesh->region("bottom").nodes)
    for (const unsigned int dof : block.space().node_dofs[node])
      preload.displacements.emplace_back(dof, 0.);
  block.state.q = static_equilibrium(*block.bodies, preload, 0.);
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 1.5);
  block.choices.h = 1e-2;
  block.start();
  const Vector before = block.state.q;
  for (unsigned int k = 1; k <= 500; ++k) {
    const auto &record = block.advance();
    ASSERT_EQ(record.contacts.size(), 17u);
    for (const auto &contact : record.contacts)
      ASSERT_EQ(contact.status, ContactStatus::stick);
    ASSERT_NEAR(total_percussion(record, 0), 4. * g * block.choices.h, 1e-11);
    ASSERT_NEAR(total_percussion(record, 1), -pull * block.choices.h, 1e-11);
  }
  Vector change = block.state.q;
  change -= before;
  EXPECT_LT(change.linfty_norm(), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(OfTwoLaws, AdheredBlock,
                         ::testing::Values(material(),
                                           test::hyperelastic(NeoHooke{20., 38.},
                                                              {ViscosityKind::curnier, 3.})));

class Drop : public ::testing::TestWithParam<double> {};

/// A block with ν = 0 that falls flat is a bar: force ρ c v A for the time 2 L / c, rebound with
/// −v. With restitution e a touching node leaves with −e times its velocity, and its contact loses
/// ½ (1 − e) |u0| p.
TEST_P(Drop, FollowsRestitutionAndSaintVenant) {
  const double e = GetParam(), v = 0.5, c = std::sqrt(100.);
  Block block(test::rectangle(CellShape::hypercube, 1, 1, 2, 100), material(0., 0.));
  block.set(block.state.q, [](const auto &) -> std::array<double, 2> { return {{0., 1.23e-3}}; });
  block.set(block.state.v, [&](const auto &) -> std::array<double, 2> { return {{0., -v}}; });
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {e, 0, 0}, 0.4);
  block.choices.h = 1e-3;
  block.start();
  const double energy = block.state.energy();
  double lost = 0, impulse = 0, plateau = 0, first = -1, last = 0;
  for (unsigned int k = 1; k <= 260; ++k) {
    const Trace<2> &trace = block.boundary->trace;
    const TraceField v0 = trace.gather(block.state.v);
    const auto &record = block.advance();
    const TraceField v1 = trace.gather(block.state.v);
    for (const auto &contact : record.contacts) {
      const unsigned int entry = block.boundary->points[contact.point].entry + 1;
      const double p = contact.percussion[0], u0 = v0[entry];
      if (p == 0)
        continue;
      // −e u0 for an approaching node; a node that separates from a closed contact has u_θ = 0,
      // hence −u0.
      ASSERT_NEAR(v1[entry], u0 < 0 ? -e * u0 : -u0, 1e-12 * v);
      lost += 0.5 * (1 - e) * std::abs(std::min(u0, 0.)) * p;
      if (first < 0)
        first = block.state.time;
      last = block.state.time;
    }
    impulse += total_percussion(record, 0);
    if (first > 0 && block.state.time < first + 0.15)
      plateau += total_percussion(record, 0);
  }
  ASSERT_GT(first, 0);
  EXPECT_NEAR(energy - block.state.energy(), lost, 1e-12 * energy);
  EXPECT_NEAR(impulse, block.momentum()[1] + v, 1e-12); // the mass is 1
  EXPECT_NEAR(plateau / 0.15, 1. * c * v, 0.03 * c * v);
  EXPECT_NEAR(last - first, 2 / c, 0.03);
  EXPECT_NEAR(block.momentum()[1], v, 0.06 * v);
  if (e == 1) {
    EXPECT_NEAR(block.state.energy(), energy, 1e-12 * energy);
  } else {
    EXPECT_LT(block.state.energy(), energy * (1 - 1e-4));
  }
}

INSTANTIATE_TEST_SUITE_P(Restitution, Drop, ::testing::Values(0., 1.));

// ---- energy statements ----

struct Hit {
  ImpactLawKind law;
  double e, theta;
  Forecast forecast;
  int surface; ///< 0 ground, 1 moving ground, 2 circle below, 3 inside of a circle, 4 formula
};

class LedgerWithContact : public ::testing::TestWithParam<Hit> {};

Surface<2> surface_of(int kind) {
  Surface<2> surface = Block::ground();
  if (kind == 1) {
    surface.motion.emplace_back("0.05*sin(20*t)");
    surface.motion.emplace_back("0.02*(1-cos(30*t))");
  } else if (kind == 2)
    surface.shape = Ball<2>{dealii::Point<2>(0.8, -2.), 2., false};
  else if (kind == 3)
    surface.shape = Ball<2>{dealii::Point<2>(1., 2.9), 3.1, true};
  else if (kind == 4)
    surface.shape = LevelSet{Expression("y+0.02-0.02*cos(5*x)"), 0.1};
  return surface;
}

/// The balance is an identity of the step: it closes for any surface, law and forecast.
TEST_P(LedgerWithContact, ClosesToRoundOff) {
  const Hit &hit = GetParam();
  Block block(test::rectangle(CellShape::simplex, 2, 1, 10, 5, 0.2), material(0.05),
              dealii::Tensor<1, 2>({0., -9.81}));
  block.set(block.state.q, [](const auto &) -> std::array<double, 2> { return {{0., 0.02}}; });
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{1.5 - 0.3 * x[1], -1. + 0.3 * x[0]}};
  });
  block.add_contact("bottom", surface_of(hit.surface), hit.law, {hit.e, 0.5, 0.7}, 0.3);
  block.choices.theta = hit.theta;
  block.choices.forecast = hit.forecast;
  block.start();
  double scale = block.state.energy(), normal = 0, tangential = 0, worst_normal = 0,
         worst_tangential = 0;
  for (unsigned int k = 0; k < 600; ++k) {
    const auto &record = block.advance();
    scale = std::max(scale, block.state.energy());
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * scale);
    normal += std::abs(record.works.contact_normal);
    tangential += std::abs(record.works.contact_tangential);
    worst_normal = std::max(worst_normal, record.normal_work_max);
    worst_tangential = std::max(worst_tangential, record.tangential_work_max);
  }
  EXPECT_GT(tangential, 1e-3 * scale); // friction acted
  if (hit.law == ImpactLawKind::fremond) {
    EXPECT_LT(worst_normal, 1e-14 * scale); // dissipative contact by contact
    EXPECT_LT(worst_tangential, 1e-14 * scale);
    if (hit.e < 1) {
      EXPECT_GT(normal, 1e-6 * scale);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, LedgerWithContact,
    ::testing::Values(Hit{ImpactLawKind::fremond, 0., 0.5, Forecast::position, 0},
                      Hit{ImpactLawKind::fremond, 0.5, 0.6, Forecast::prediction, 0},
                      Hit{ImpactLawKind::fremond, 1., 0.5, Forecast::leapfrog, 0},
                      Hit{ImpactLawKind::fremond, 0., 0.5, Forecast::position, 1},
                      Hit{ImpactLawKind::fremond, 0., 0.5, Forecast::position, 2},
                      Hit{ImpactLawKind::fremond, 0.5, 0.5, Forecast::leapfrog, 3},
                      Hit{ImpactLawKind::fremond, 0., 0.5, Forecast::prediction, 4},
                      Hit{ImpactLawKind::newton_coulomb, 0.5, 0.5, Forecast::position, 0},
                      Hit{ImpactLawKind::newton_coulomb, 0., 0.8, Forecast::position, 2},
                      Hit{ImpactLawKind::moreau, 0.5, 0.5, Forecast::position, 1},
                      Hit{ImpactLawKind::dissipation_index, 0., 0.5, Forecast::position, 0}));

/// The two solvers of the cone problem give the same run.
TEST(Solvers, GiveTheSameTrajectory) {
  std::vector<double> energies[2];
  std::vector<std::size_t> actives[2];
  for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::nsgs}) {
    Block block(test::rectangle(CellShape::simplex, 2, 1, 10, 5, 0.2), material(),
                dealii::Tensor<1, 2>({3., -9.81}));
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{1.5 - 0.3 * x[1], -1. + 0.3 * x[0]}};
    });
    block.add_contact("bottom", Block::ground(-0.0123), ImpactLawKind::fremond, {}, 0.4);
    block.cone.method = method;
    block.cone.tolerance = 1e-13;
    block.start();
    for (unsigned int k = 0; k < 1000; ++k) {
      actives[static_cast<int>(method)].push_back(block.advance().contacts.size());
      energies[static_cast<int>(method)].push_back(block.state.energy());
    }
  }
  EXPECT_EQ(actives[0], actives[1]);
  for (std::size_t k = 0; k < energies[0].size(); ++k)
    ASSERT_NEAR(energies[0][k], energies[1][k], 1e-10 * energies[0][k]);
}

/// A block is pressed into a corner: the corner node has four contact rows for two degrees of
/// freedom, so that its percussions are not unique, but its motion is.
TEST(Corner, IsSolvedWithFrictionOnBothSides) {
  for (const double friction : {0., 0.2, 0.4, 0.8, 1.2}) {
    Block block(test::rectangle(CellShape::simplex, 2, 1, 10, 5, 0.2), material(),
                dealii::Tensor<1, 2>({-9., -9.81}));
    Surface<2> wall;
    wall.shape = HalfPlane<2>{dealii::Point<2>(), dealii::Tensor<1, 2>({1., 0.})};
    block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, friction);
    block.add_contact("left", std::move(wall), ImpactLawKind::fremond, {}, friction);
    block.cone.tolerance = 1e-10;
    block.start();
    double energy = 0;
    for (unsigned int k = 0; k < 1000; ++k) {
      const auto &record = block.advance();
      energy = std::max(energy, block.state.energy());
      ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy);
      ASSERT_LT(record.normal_work_max, 1e-9 * energy);
      ASSERT_LT(record.tangential_work_max, 1e-9 * energy);
    }
  }
}

/// The same block in other units of mass, length and time gives the same run with both solvers.
TEST(Units, DoNotDecideAboutTheTolerance) {
  struct Scale {
    double mass, length, time;
  };
  std::vector<double> reference;
  for (const ConeMethod method : {ConeMethod::automatic, ConeMethod::nsgs})
    for (const Scale &s : {Scale{1, 1, 1}, Scale{1e-9, 1, 1}, Scale{1e9, 1, 1}, Scale{1, 1e-9, 1},
                           Scale{1, 1e9, 1}, Scale{1, 1, 1e-9}, Scale{1, 1, 1e9}}) {
      const double acceleration = s.length / (s.time * s.time);
      const double stress = s.mass * acceleration / (s.length * s.length);
      Block block(test::rectangle(CellShape::simplex, 2 * s.length, s.length, 10, 5, 0.2),
                  {s.mass / std::pow(s.length, 3),
                   s.length,
                   LinearElastic<2>::from_young(100. * stress, 0.3, Plane::strain),
                   {}},
                  acceleration * dealii::Tensor<1, 2>({3., -9.81}));
      block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.4);
      block.choices.h = 1e-3 * s.time;
      block.cone.method = method;
      block.start();
      const double unit = s.mass * acceleration * s.length;
      double energy = 0, worst_work = 0;
      for (unsigned int k = 0; k < 300; ++k) {
        const auto &record = block.advance();
        energy = std::max(energy, block.state.energy());
        worst_work = std::max({worst_work, record.normal_work_max, record.tangential_work_max});
        ASSERT_LT(std::abs(record.balance_residual), 1e-13 * energy);
      }
      EXPECT_LT(worst_work, 1e-12 * energy);
      if (reference.empty())
        reference = {block.state.kinetic, block.state.strain};
      EXPECT_NEAR(block.state.kinetic / unit, reference[0], 1e-9 * reference[0]);
      EXPECT_NEAR(block.state.strain / unit, reference[1], 1e-9 * reference[1]);
    }
}

TEST(Step, ReportsAConeProblemThatItCannotSolve) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 10, 5), material(),
              dealii::Tensor<1, 2>({3., -9.81}));
  block.add_contact("bottom", Block::ground(), ImpactLawKind::fremond, {}, 0.4);
  block.cone.method = ConeMethod::nsgs;
  block.cone.max_iterations = 1;
  block.cone.tolerance = 1e-30; // below round-off
  block.start();
  try {
    for (unsigned int k = 0; k < 10; ++k)
      block.advance();
    FAIL() << "no solver can reach this tolerance";
  } catch (const std::runtime_error &error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("step 1 "), std::string::npos) << message;
    EXPECT_NE(message.find("residual"), std::string::npos) << message;
  }
}

} // namespace
