// Rolling and spinning friction of discs, spheres and cylinders.

#include <gtest/gtest.h>

#include "support/rigid.h"
#include "support/solids.h"
#include <algorithm>
#include <random>

namespace {

using namespace percussion;
using test::RigidSystem;
using test::SolidSystem;

constexpr double g = 9.81;
constexpr double law_tolerance = 1e-8;

RigidBody<2> disc(const dealii::Point<2> &centre, double radius, double mass) {
  RigidBody<2> body;
  body.name = "disc";
  body.mass = mass;
  body.inertia = 0.5 * mass * radius * radius;
  body.centre = centre;
  body.outline = {centre};
  body.pieces = {{1, radius}};
  return body;
}

RigidBody<3> sphere(const dealii::Point<3> &centre, double radius, double mass) {
  const double volume = 4. / 3. * dealii::numbers::PI * radius * radius * radius;
  return solid_body("sphere", mass / volume, {make_sphere(centre, radius)});
}

/// Disc that rolls without slip on the ground with a velocity.
struct RollingDisc : RigidSystem {
  RollingDisc(double h, ImpactLawKind law, double speed, double rolling_friction,
              double incline = 0.) {
    choices.h = h;
    rigid = {disc({0., radius}, radius, 3.)};
    gravity = dealii::Tensor<1, 2>({g * std::sin(incline), -g * std::cos(incline)});
    add_contact(law, {}, 2.).rolling_friction = rolling_friction;
    make();
    v(0)[0] = speed;
    v(0)[2] = -speed / radius;
    start();
  }
  static constexpr double radius = 0.2;
};

const ImpactLawKind laws[] = {ImpactLawKind::newton_coulomb, ImpactLawKind::fremond,
                              ImpactLawKind::dissipative, ImpactLawKind::persistent_dissipative};

/// (J + m R²) dω/dt = −μ_r m g, hence the deceleration 2/3 μ_r g / R; the energy is lost by rolling
/// friction alone.
TEST(RollingFriction, StopsDiscAfterDistanceOfClosedForm) {
  const double speed = 0.7, mu_r = 0.01;
  const double a = 2. / 3. * mu_r * g / RollingDisc::radius;
  for (const ImpactLawKind law : laws)
    for (const double h : {4e-3, 1e-3}) {
      RollingDisc system(h, law, speed, mu_r);
      const double energy = system.state.energy();
      double work = 0;
      while (system.state.time < 1.1 * speed / a) {
        const auto &record = system.advance();
        ASSERT_NEAR(record.balance_residual, 0., 1e-14 * energy);
        ASSERT_LE(record.rolling_work_max, 1e-15 * energy);
        ASSERT_NEAR(record.works.contact_tangential, 0., 1e-13 * energy);
        work += record.works.contact_rolling;
      }
      EXPECT_NEAR(system.q(0)[0], 0.5 * speed * speed / a, a * h * h);
      EXPECT_NEAR(system.v(0)[0], 0., 1e-13);
      EXPECT_NEAR(system.v(0)[2], 0., 1e-12);
      EXPECT_NEAR(work, -energy, 1e-12 * energy);
    }
}

/// At rest for tan α ≤ μ_r / R, else with the acceleration 2/3 g (sin α − μ_r / R cos α).
TEST(RollingFriction, HoldsDiscOnAnInclineUpToItsAngle) {
  const double alpha = 0.1, critical = std::tan(alpha) * RollingDisc::radius;
  for (const double mu_r :
       {0., 0.5 * critical, 0.999 * critical, 1.001 * critical, 2. * critical}) {
    RollingDisc system(1e-3, ImpactLawKind::dissipative, 0., mu_r, alpha);
    for (unsigned int k = 0; k < 500; ++k) {
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0., 1e-14);
      ASSERT_EQ(record.contacts.size(), 1u);
    }
    const double a = std::max(
        0., 2. / 3. * g * (std::sin(alpha) - mu_r / RollingDisc::radius * std::cos(alpha)));
    EXPECT_NEAR(system.v(0)[0], a * 0.5, 1e-11) << mu_r;
    EXPECT_NEAR(system.q(0)[0], 0.5 * a * 0.25, 1e-11) << mu_r;
  }
}

/// Residual of the law of a moment m [impulse × length] with the limit and a relative angular
/// velocity, in the length of the moment.
template <std::size_t n>
double law_residual(const std::array<double, n> &moment, const std::array<double, n> &spin,
                    double limit, double response) {
  std::array<double, n> trial{};
  double square = 0;
  for (std::size_t k = 0; k < n; ++k) {
    trial[k] = moment[k] - response * spin[k];
    square += trial[k] * trial[k];
  }
  const double size = std::sqrt(square), factor = size > limit ? limit / size : 1.;
  double residual = 0;
  for (std::size_t k = 0; k < n; ++k)
    residual = std::max(residual, std::abs(moment[k] - factor * trial[k]));
  return residual;
}

/// Discs in a box of three planes with friction of all kinds.
struct DiscsInBox : RigidSystem {
  DiscsInBox(unsigned int n_columns, unsigned int n_rows, double mu, double mu_r,
             unsigned int seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<> uniform(0., 1.);
    choices.h = 2e-3;
    for (unsigned int i = 0; i < n_columns; ++i)
      for (unsigned int j = 0; j < n_rows; ++j) {
        const double radius = 0.07 + 0.03 * uniform(random);
        rigid.push_back(disc({0.21 * (i + 0.5) + 0.005 * uniform(random), 0.21 * (j + 0.55)},
                             radius, radius * radius * 100.));
      }
    gravity = dealii::Tensor<1, 2>({0., -g});
    const double width = 0.21 * n_columns;
    const std::pair<dealii::Point<2>, dealii::Tensor<1, 2>> planes[] = {
        {{0., 0.}, dealii::Tensor<1, 2>({0., 1.})},
        {{0., 0.}, dealii::Tensor<1, 2>({1., 0.})},
        {{width, 0.}, dealii::Tensor<1, 2>({-1., 0.})}};
    for (const auto &[point, normal] : planes) {
      auto &pair = add_contact(ImpactLawKind::dissipative, {}, mu);
      pair.rolling_friction = mu_r;
      std::get<Surface<2>>(pair.opposite_side).shape = HalfPlane<2>{point, normal};
    }
    add_mutual_contact(ImpactLawKind::dissipative, {}, mu).rolling_friction = mu_r;
    make();
    for (unsigned int b = 0; b < bodies->rigid.size(); ++b) {
      v(b)[0] = uniform(random) - 0.5;
      v(b)[2] = 20. * (uniform(random) - 0.5);
    }
    start();
  }

  /// Returns the angular velocity at the end relative to the opposite side.
  double end_spin(const ContactRecord<2> &contact) {
    const double own = v(*boundary->points[contact.point].rigid_body())[2];
    return own - (contact.opposite_body ? v(*contact.opposite_body)[2] : 0.);
  }
};

/// The law of each moment is posed for the angular velocity at the end or, if the moment would then
/// do work, for the mean. Contacts share bodies, so that each moment changes all percussions.
TEST(RollingFriction, ObeysItsLawInAPileOfDiscs) {
  for (const double mu_r : {0.005, 0.05}) {
    DiscsInBox system(5, 4, 0.4, mu_r, 7);
    double largest_energy = 0, worst = 0;
    unsigned int n_rolling = 0, n_held = 0;
    for (unsigned int k = 0; k < 250; ++k) {
      largest_energy = std::max(largest_energy, system.state.energy());
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0., 1e-13 * largest_energy);
      ASSERT_LE(record.rolling_work_max, 1e-13 * largest_energy);
      double largest = 0;
      for (const auto &contact : record.contacts)
        largest = std::max(largest, contact.percussion[0]);
      for (const auto &contact : record.contacts) {
        const double limit = mu_r * contact.percussion[0], response = 1e-3;
        const double at_end = law_residual<1>(contact.moment, {system.end_spin(contact)}, limit,
                                              response),
                     mean = law_residual<1>(contact.moment, contact.spin, limit, response);
        worst = std::max(worst, std::min(at_end, mean) / (largest * mu_r));
        n_rolling += limit > 0. && std::abs(contact.moment[0]) > 0.999 * limit;
        n_held += limit > 0. && std::abs(contact.moment[0]) < 0.999 * limit;
      }
    }
    EXPECT_LT(worst, law_tolerance) << mu_r;
    EXPECT_GT(n_rolling, 100u);
    EXPECT_GT(n_held, 100u);
  }
}

/// Sphere on a table that leans by an angle about y.
struct SphereOnTable : SolidSystem {
  SphereOnTable(double h, double rolling_friction, double spinning_friction, double incline = 0.) {
    choices.h = h;
    choices.frames = Frames::midpoint;
    rigid = {sphere({0., 0., radius}, radius, 2.)};
    gravity = dealii::Tensor<1, 3>({g * std::sin(incline), 0., -g * std::cos(incline)});
    auto &pair = add_contact(ImpactLawKind::dissipative, {}, 1.5);
    pair.rolling_friction = rolling_friction;
    pair.spinning_friction = spinning_friction;
    make();
  }
  static constexpr double radius = 0.1;
};

/// The deceleration is 5/7 μ_r g / R, in any direction.
TEST(RollingFriction, StopsSphereAfterDistanceOfClosedForm) {
  const double mu_r = 2e-3, speed = 0.5, a = 5. / 7. * mu_r * g / SphereOnTable::radius, h = 2e-3;
  for (const double direction : {0., 0.7, 2.5}) {
    SphereOnTable system(h, mu_r, 0.);
    const double c = std::cos(direction), s = std::sin(direction);
    system.v(0)[0] = speed * c;
    system.v(0)[1] = speed * s;
    system.v(0)[3] = -speed * s / SphereOnTable::radius;
    system.v(0)[4] = speed * c / SphereOnTable::radius;
    system.start();
    const double energy = system.state.energy();
    while (system.state.time < 1.05 * speed / a) {
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0., 1e-14 * energy);
      ASSERT_LE(record.rolling_work_max, 1e-15 * energy);
    }
    EXPECT_NEAR(system.q(0)[0], 0.5 * speed * speed / a * c, a * h * h);
    EXPECT_NEAR(system.q(0)[1], 0.5 * speed * speed / a * s, a * h * h);
    for (unsigned int k = 0; k < 6; ++k)
      EXPECT_NEAR(system.v(0)[k], 0., 1e-10) << k;
  }
}

/// The sphere spins for the time 2/5 R² ω / (μ_s g) and stays where it is.
TEST(SpinningFriction, StopsSphereAfterTimeOfClosedForm) {
  const double mu_s = 1e-3, omega = 20., radius = SphereOnTable::radius, h = 1e-3;
  const double duration = 0.4 * radius * radius * omega / (mu_s * g);
  for (const double fraction : {0.5, 1.1}) {
    SphereOnTable system(h, 5e-3, mu_s);
    system.v(0)[5] = omega;
    system.start();
    while (system.state.time < fraction * duration - 0.5 * h)
      ASSERT_LE(system.advance().rolling_work_max, 1e-15);
    EXPECT_NEAR(system.v(0)[5], omega * std::max(0., 1. - system.state.time / duration), 1e-10);
    EXPECT_NEAR(std::hypot(system.q(0)[0], system.q(0)[1]), 0., 1e-12);
  }
}

/// A sphere that rolls and spins turns the frame in which its velocities are, and its rolling
/// friction is opposite to the mean angular velocity of the step.
TEST(RollingFriction, IsOfSecondOrderForSphereThatSpins) {
  const auto position = [](double h) {
    SphereOnTable system(h, 2e-3, 5e-4, 0.05);
    system.v(0)[1] = 0.4;
    system.v(0)[3] = -0.4 / SphereOnTable::radius;
    system.v(0)[5] = 15.;
    system.start();
    while (system.state.time < 1. - 0.5 * h)
      system.advance();
    return dealii::Point<2>(system.q(0)[0], system.q(0)[1]);
  };
  const auto coarse = position(4e-3), middle = position(2e-3), fine = position(1e-3);
  EXPECT_NEAR(std::log2(coarse.distance(middle) / middle.distance(fine)), 2., 0.1);
}

/// Moments on both bodies are opposite.
TEST(RollingFriction, KeepsMomentaInCollisionOfDiscs) {
  RigidSystem system;
  system.choices.frames = Frames::reached;
  system.choices.normal_rows = NormalRows::frames;
  system.rigid = {disc({0., 0.}, 0.1, 1.), disc({0.21, 0.07}, 0.12, 3.)};
  system.add_mutual_contact(ImpactLawKind::dissipative, {0.3, 0., 0.}, 0.).rolling_friction = 0.05;
  system.make();
  system.v(0)[0] = 2.;
  system.v(0)[2] = 40.;
  system.v(1)[2] = -3.;
  system.start();
  const auto momenta = [&] {
    std::array<double, 3> sum{};
    for (unsigned int b = 0; b < 2; ++b) {
      const RigidBody<2> &body = system.bodies->rigid[b];
      const double *const q = system.q(b), *const v = system.v(b);
      sum[0] += body.mass * v[0];
      sum[1] += body.mass * v[1];
      sum[2] += body.inertia * v[2] +
                body.mass * ((body.centre[0] + q[0]) * v[1] - (body.centre[1] + q[1]) * v[0]);
    }
    return sum;
  };
  const auto before = momenta();
  const double energy = system.state.energy();
  double work = 0;
  while (system.state.time < 0.1) {
    const auto &record = system.advance();
    ASSERT_NEAR(record.balance_residual, 0., 1e-14 * energy);
    work += record.works.contact_rolling;
  }
  EXPECT_LT(work, -1e-3 * energy);
  for (unsigned int k = 0; k < 3; ++k)
    EXPECT_NEAR(momenta()[k], before[k], 1e-14) << k;
}

/// Without Coulomb friction moments alone change the spins. The moment on a body that turns by hΩ
/// in a step has an error of (hΩ)²/8 in its frame.
TEST(RollingFriction, KeepsMomentaInCollisionOfSpheresToSecondOrder) {
  const auto error = [](double h) {
    SolidSystem system;
    system.choices.h = h;
    system.choices.frames = Frames::reached;
    system.choices.normal_rows = NormalRows::frames;
    system.rigid = {sphere({0., 0., 0.}, 0.1, 1.), sphere({0.2, 0.02, 0.01}, 0.1, 3.)};
    auto &pair = system.add_mutual_contact(ImpactLawKind::dissipative, {0.3, 0., 0.}, 0.);
    pair.rolling_friction = 0.02;
    pair.spinning_friction = 0.01;
    system.make();
    const double start[] = {1., 0.1, 0., 5., -30., 20.};
    std::copy_n(start, 6, system.v(0));
    system.v(1)[5] = -8.;
    system.start();
    const auto momenta = [&] {
      std::array<dealii::Tensor<1, 3>, 2> sum;
      for (unsigned int b = 0; b < 2; ++b) {
        const RigidBody<3> &body = system.bodies->rigid[b];
        const double *const v = system.v(b);
        const RigidPose<3> pose(body, system.q(b));
        const dealii::Tensor<1, 3> p = body.mass * dealii::Tensor<1, 3>({v[0], v[1], v[2]}),
                                   omega({v[3], v[4], v[5]});
        sum[0] += p;
        sum[1] += pose.turned(body.inertia * omega) + cross_product_3d(pose.centre, p);
      }
      return sum;
    };
    const auto before = momenta();
    const double energy = system.state.energy();
    double work = 0;
    while (system.state.time < 0.02) {
      const auto &record = system.advance();
      EXPECT_NEAR(record.balance_residual, 0., 1e-14 * energy);
      work += record.works.contact_rolling;
    }
    EXPECT_LT(work, -1e-3 * energy);
    const auto after = momenta();
    EXPECT_NEAR((after[0] - before[0]).norm(), 0., 1e-13);
    return (after[1] - before[1]).norm();
  };
  const double coarse = error(2e-3), fine = error(1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2., 0.1);
}

/// A sphere on a turning table with friction against spinning alone is carried along by a moment
/// μ_s p_N until it turns with the table; its work is in the works of the table.
TEST(SpinningFriction, DrivesSphereOnTurningTable) {
  const double rate = 2., mu_s = 1e-3, radius = 0.1;
  SolidSystem system;
  system.choices.frames = Frames::midpoint;
  system.rigid = {sphere({0., 0., radius}, radius, 2.)};
  system.gravity = dealii::Tensor<1, 3>({0., 0., -g});
  auto &pair = system.add_contact(ImpactLawKind::dissipative, {}, 0.);
  pair.spinning_friction = mu_s;
  std::get<Surface<3>>(pair.opposite_side).turn =
      SurfaceTurn<3>{Expression("2*t"), {}, dealii::Tensor<1, 3>({0., 0., 1.})};
  system.make();
  system.start();
  const double duration = 0.4 * radius * radius * rate / (mu_s * g);
  while (system.state.time < 1.2 * duration) {
    const auto &record = system.advance();
    ASSERT_NEAR(record.balance_residual, 0., 1e-15);
    ASSERT_LE(record.rolling_work_max, 1e-15);
    EXPECT_NEAR(system.v(0)[5], rate * std::min(1., system.state.time / duration), 1e-10);
  }
}

/// A coin that rolls on its rim, as Euler's disc, with the angular velocity along the radius of the
/// rim's lowest point, which therefore does not slip. Only rolling friction takes energy.
TEST(RollingFriction, AloneSlowsEulersDisc) {
  SolidSystem system;
  system.choices.h = 2e-4;
  system.choices.frames = Frames::midpoint;
  const double radius = 0.04, half_height = 0.001, tilt = 0.35;
  const dealii::Tensor<1, 3> axis({std::sin(tilt), 0., std::cos(tilt)}),
      lowest =
          radius * dealii::Tensor<1, 3>({std::cos(tilt), 0., -std::sin(tilt)}) - half_height * axis;
  const dealii::Point<3> centre(0., 0., -lowest[2]);
  system.rigid = {solid_body(
      "coin", 8000.,
      {make_cylinder(centre - half_height * axis, centre + half_height * axis, radius)})};
  system.gravity = dealii::Tensor<1, 3>({0., 0., -g});
  system.add_contact(ImpactLawKind::dissipative, {}, 3.).rolling_friction = 1e-4;
  system.make();
  const double precession = std::sqrt(4. * g / (radius * std::sin(tilt)));
  for (unsigned int d = 0; d < 3; ++d)
    system.v(0)[3 + d] = precession * std::sin(tilt) * lowest[d] / lowest.norm();
  system.start();
  const double energy = system.state.energy();
  Works works;
  for (unsigned int k = 0; k < 1000; ++k) {
    const auto &record = system.advance();
    ASSERT_NEAR(record.balance_residual, 0., 1e-13 * energy);
    ASSERT_LE(record.rolling_work_max, 1e-13 * energy);
    works += record.works;
  }
  EXPECT_LT(works.contact_rolling, -0.01 * energy);
  EXPECT_NEAR(works.contact_normal + works.contact_tangential, 0., 1e-5 * energy);
}

/// Spheres, capsules and cylinders with random velocities and coefficients in a corner of planes.
TEST(RollingFriction, DoesNoPositiveWorkInRandomCollisions) {
  std::mt19937 random(3);
  std::uniform_real_distribution<> uniform(-1., 1.);
  for (unsigned int trial = 0; trial < 4; ++trial) {
    SolidSystem system;
    system.choices.h = 2e-3;
    system.choices.frames = Frames::midpoint;
    for (unsigned int i = 0; i < 8; ++i) {
      const dealii::Point<3> centre(0.3 * (i % 2) + 0.15, 0.3 * (i / 2 % 2) + 0.15,
                                    0.3 * (i / 4) + 0.15);
      const dealii::Tensor<1, 3> half({0.05, 0.03 * uniform(random), 0.02});
      const double radius = 0.07 + 0.02 * uniform(random);
      system.rigid.push_back(
          i % 3 == 0 ? sphere(centre, radius, 1. + 0.5 * uniform(random))
          : i % 3 == 1
              ? solid_body("capsule", 200., {make_capsule(centre - half, centre + half, radius)})
              : solid_body("cylinder", 200.,
                           {make_cylinder(centre - half, centre + half, radius)}));
    }
    system.gravity = dealii::Tensor<1, 3>({-5., -5., -g});
    for (unsigned int d = 0; d < 4; ++d) {
      const Restitution restitution{trial % 2 == 0 ? 0. : 0.5, 0., 0.};
      auto &pair = d < 3 ? system.add_contact(laws[trial % 4], restitution, 0.4)
                         : system.add_mutual_contact(laws[trial % 4], restitution, 0.4);
      pair.rolling_friction = 0.02 * (1. + uniform(random));
      pair.spinning_friction = 0.02 * (1. + uniform(random));
      dealii::Tensor<1, 3> normal;
      normal[d % 3] = 1.;
      if (d < 3)
        std::get<Surface<3>>(pair.opposite_side).shape = HalfPlane<3>{{}, normal};
    }
    system.make();
    for (unsigned int b = 0; b < 8; ++b)
      for (unsigned int k = 0; k < 6; ++k)
        system.v(b)[k] = (k < 3 ? 1. : 10.) * uniform(random);
    system.start();
    double largest = 0, work = 0;
    for (unsigned int k = 0; k < 100; ++k) {
      largest = std::max(largest, system.state.energy());
      const auto &record = system.advance();
      ASSERT_NEAR(record.balance_residual, 0., 1e-13 * largest);
      ASSERT_LE(record.rolling_work_max, 1e-13 * largest);
      work += record.works.contact_rolling;
    }
    EXPECT_LT(work, -1e-3 * largest) << trial;
  }
}

} // namespace
