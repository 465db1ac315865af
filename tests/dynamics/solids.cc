// Rigid bodies in 3D with the general step, compared with closed forms.

#include "support/solids.h"

#include <percussion/body/attitude.h>

#include <gtest/gtest.h>

#include <boost/math/special_functions/jacobi_elliptic.hpp>

namespace {

using namespace percussion;
using test::SolidSystem;
using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;
using Matrix = dealii::Tensor<2, 3>;

RigidBody<3> box(const Point &centre, const Tensor &lengths, double density = 1) {
  return solid_body("box", density, {make_box(centre, lengths)});
}

/// Returns the angular momentum about the centre, in global coordinates.
Tensor angular_momentum(SolidSystem &system, unsigned int body) {
  const auto &of = system.bodies->rigid[body];
  const double *const v = system.v(body);
  const Tensor omega({v[3], v[4], v[5]});
  return RigidPose<3>(of, system.q(body)).turned(of.inertia * omega);
}

/// A body that spins about its intermediate axis turns over repeatedly.
TEST(FreeBody, KeepsEnergyAndAngularMomentum) {
  SolidSystem system;
  system.choices.h = 0.02;
  system.rigid = {box({0, 0, 0}, Tensor({1, 2, 3}))};
  system.make();
  double *const v = system.v(0);
  v[0] = 0.1;
  v[3] = 1e-3;
  v[4] = 1;
  v[5] = 2e-3;
  system.start();
  const double energy = system.state.energy();
  const Tensor momentum = angular_momentum(system, 0);
  double least = 1, energy_error = 0, momentum_error = 0;
  for (unsigned int k = 0; k < 1000000; ++k) {
    const auto &record = system.advance();
    if (k % 100 != 0)
      continue;
    ASSERT_NEAR(record.balance_residual, 0, 4e-15 * energy);
    energy_error = std::max(energy_error, std::abs(system.state.energy() / energy - 1));
    momentum_error =
        std::max(momentum_error, (angular_momentum(system, 0) - momentum).norm() / momentum.norm());
    least = std::min(least, system.v(0)[4]);
  }
  EXPECT_LT(least, -0.99);
  EXPECT_LT(energy_error, 1e-13);
  EXPECT_LT(momentum_error, 1e-13);
}

Matrix about(unsigned int axis, double angle) {
  Tensor e;
  e[axis] = 1;
  return rotation_matrix(quaternion(e, angle));
}

/// Free rotation of a body with principal moments I1 < I2 < I3 (Landau & Lifshitz 1, § 37), with Ω2
/// = 0 at the beginning.
struct FreeRotation {
  double I[3], first, third; ///< Ω1 and Ω3 at the beginning

  double twice_energy() const { return I[0] * first * first + I[2] * third * third; }
  double momentum() const { return std::hypot(I[0] * first, I[2] * third); }

  Tensor omega(double t) const {
    const double E = twice_energy(), M = momentum() * momentum();
    const double rate = std::sqrt((I[2] - I[1]) * (M - E * I[0]) / (I[0] * I[1] * I[2]));
    const double k = std::sqrt((I[1] - I[0]) * (E * I[2] - M) / ((I[2] - I[1]) * (M - E * I[0])));
    double cn, dn;
    const double sn = boost::math::jacobi_elliptic(k, rate * t, &cn, &dn);
    return Tensor(
        {first * cn, std::sqrt((E * I[2] - M) / (I[1] * (I[2] - I[1]))) * sn, third * dn});
  }

  /// Returns the rotation from the body's frame into a frame with the angular momentum along z,
  /// with precession ψ.
  Matrix attitude(double t, double precession) const {
    const Tensor w = omega(t);
    const double tilt = std::acos(I[2] * w[2] / momentum());
    const double spin = std::atan2(I[0] * w[0], I[1] * w[1]);
    return about(2, precession) * about(0, tilt) * about(2, spin);
  }

  /// Returns the rotation from the body's frame into its initial frame. The precession is an
  /// integral, by Gauss' formula of three points.
  Matrix attitude(double t) const {
    const auto rate = [&](double s) {
      const Tensor w = omega(s);
      const double a = I[0] * w[0] * w[0], b = I[1] * w[1] * w[1];
      return momentum() * (a + b) / (I[0] * a + I[1] * b);
    };
    constexpr unsigned int n = 2000;
    const double h = t / n;
    double precession = 0;
    for (unsigned int i = 0; i < n; ++i)
      for (const auto &[x, weight] :
           {std::pair(-std::sqrt(0.6), 5. / 18), {0., 8. / 18}, {std::sqrt(0.6), 5. / 18}})
        precession += h * weight * rate(h * (i + 0.5 + 0.5 * x));
    return transpose(attitude(0, 0)) * attitude(t, precession);
  }
};

TEST(FreeBody, TurnsAsEllipticFunctionsSay) {
  std::vector<double> errors;
  for (const double h : {0.04, 0.02, 0.01, 0.005}) {
    SolidSystem system;
    system.choices.h = h;
    system.rigid = {box({0, 0, 0}, Tensor({3, 2, 1}))};
    const auto &inertia = system.rigid[0].inertia;
    const FreeRotation exact{{inertia[0][0], inertia[1][1], inertia[2][2]}, 0.4, 0.9};
    system.make();
    system.v(0)[3] = exact.first;
    system.v(0)[5] = exact.third;
    system.start();
    const auto n_steps = static_cast<unsigned int>(std::lround(10 / h));
    for (unsigned int k = 0; k < n_steps; ++k)
      system.advance();
    const RigidPose<3> pose(system.bodies->rigid[0], system.q(0));
    errors.push_back((pose.rotation - exact.attitude(10)).norm());
  }
  EXPECT_LT(errors.back(), 1e-3);
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_NEAR(errors[i - 1] / errors[i], 4, 0.05) << errors[i];
}

/// A rotated body is the same body: inertia and angular velocity are in its frame.
TEST(FreeBody, DoesNotDependOnTheFrame) {
  const Matrix R = rotation_matrix(quaternion(Tensor({1, -2, 3}), 0.8));
  std::vector<Tensor> momenta;
  std::vector<Matrix> rotations;
  for (const bool turned : {false, true}) {
    SolidSystem system;
    system.choices.h = 0.01;
    ConvexShape shape = make_box({0, 0, 0}, Tensor({1, 2, 3}));
    std::vector<Point> vertices;
    for (const Point &x : shape.vertices)
      vertices.emplace_back(turned ? Point(R * x) : x);
    system.rigid = {solid_body("body", 1, {convex_hull(vertices)})};
    system.make();
    const Tensor omega({0.3, 1, -0.2}), given = turned ? R * omega : omega;
    for (unsigned int d = 0; d < 3; ++d)
      system.v(0)[3 + d] = given[d];
    system.start();
    for (unsigned int k = 0; k < 500; ++k)
      system.advance();
    momenta.push_back(angular_momentum(system, 0));
    rotations.push_back(RigidPose<3>(system.bodies->rigid[0], system.q(0)).rotation);
  }
  EXPECT_LT((R * momenta[0] - momenta[1]).norm(), 1e-12);
  EXPECT_LT((R * rotations[0] * transpose(R) - rotations[1]).norm(), 1e-12);
}

/// A block on an incline sticks for μ > tan α, otherwise it slides with g (sin α − μ cos α),
/// downhill in any direction of the plane.
TEST(SolidMotion, BlockOnAnIncline) {
  const double alpha = std::acos(-1.) / 6, g = 9.81;
  for (const double heading : {0., 0.3, 1.7})
    for (const double mu : {0.3, 0.7}) {
      SolidSystem system;
      const Tensor ahead({std::cos(heading), std::sin(heading), 0.});
      const Tensor normal = std::cos(alpha) * Tensor({0, 0, 1}) + std::sin(alpha) * ahead;
      const Tensor downhill = std::cos(alpha) * ahead - std::sin(alpha) * Tensor({0, 0, 1});
      const Matrix R = about(2, heading) * about(1, alpha);
      std::vector<Point> vertices;
      for (const Point &x : make_box({0, 0, 0.5}, Tensor({2, 1.5, 1})).vertices)
        vertices.emplace_back(R * x);
      system.rigid = {solid_body("block", 2, {convex_hull(vertices)})};
      system.gravity = Tensor({0., 0., -g});
      auto &pair = system.add_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, mu);
      std::get<Surface<3>>(pair.opposite_side).shape = HalfPlane<3>{Point(), normal};
      pair.gap_tolerance = 1e-9;
      system.make();
      system.start();
      for (unsigned int k = 0; k < 1000; ++k) {
        const auto &record = system.advance();
        ASSERT_EQ(record.contacts.size(), 4u) << k;
        ASSERT_NEAR(record.balance_residual, 0, 1e-11);
      }
      const double a = std::max(0., g * (std::sin(alpha) - mu * std::cos(alpha)));
      const Tensor q({system.q(0)[0], system.q(0)[1], system.q(0)[2]});
      EXPECT_LT((q - 0.5 * a * downhill).norm(), 1e-8);
      EXPECT_LT(std::abs(system.q(0)[3]) + std::abs(system.q(0)[4]) + std::abs(system.q(0)[5]),
                1e-9);
    }
}

/// A sliding sphere begins to roll with 5/7 of its velocity. Its spin about the normal is conserved
/// up to the order of the method: the spin rotates the body's frame, in which the torque acts.
TEST(SolidMotion, SphereRolls) {
  const double g = 9.81, mu = 0.3, r = 0.2, v0 = 2;
  for (const double spin : {0., 4.}) {
    SolidSystem system;
    system.rigid = {solid_body("ball", 3, {make_sphere({0, 0, r}, r)})};
    system.gravity = Tensor({0., 0., -g});
    system.choices.frames = spin > 0 ? Frames::reached : Frames::start;
    system.add_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, mu).gap_tolerance = 1e-9;
    system.make();
    system.v(0)[0] = v0;
    system.v(0)[5] = spin;
    system.start();
    const double slides = 2 * v0 / (7 * mu * g), tolerance = spin > 0 ? 1e-5 : 1e-10;
    while (system.state.time < slides - 2e-3) {
      ASSERT_EQ(system.advance().contacts.size(), 1u);
      EXPECT_NEAR(system.v(0)[0], v0 - mu * g * system.state.time, tolerance);
    }
    for (unsigned int k = 0; k < 200; ++k)
      ASSERT_NEAR(system.advance().balance_residual, 0, 1e-12);
    const double *const v = system.v(0);
    EXPECT_NEAR(v[0], 5. / 7 * v0, tolerance);
    const Tensor omega =
        RigidPose<3>(system.bodies->rigid[0], system.q(0)).turned(Tensor({v[3], v[4], v[5]}));
    EXPECT_LT((omega - Tensor({0, 5. / 7 * v0 / r, spin})).norm(), 10 * tolerance);
  }
}

/// Returns the time in which a cube of side 1 topples over an edge that does not slip, from an
/// angle of its diagonal to the vertical and an angular velocity to another angle: ∫ dφ / φ'.
double toppling_time(double from, double rate, double to, double g) {
  constexpr unsigned int n = 2000; // intervals of Simpson's rule
  const double k = 1.5 * g * std::sqrt(0.5);
  double sum = 0;
  for (unsigned int i = 0; i <= n; ++i) {
    const double angle = from + (to - from) * i / n;
    sum += (i == 0 || i == n ? 1.
            : i % 2          ? 4.
                             : 2.) /
           std::sqrt(rate * rate + 2. * k * (std::cos(from) - std::cos(angle)));
  }
  return sum * (to - from) / (3. * n);
}

/// The cube topples in the time of the pendulum, up to the order of the step.
TEST(SolidMotion, CubeTopplesOverAnEdge) {
  const double g = 9.81, from = 0.1, rate = 0.5, r = std::sqrt(0.5);
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    SolidSystem system;
    system.choices.h = h;
    system.choices.frames = Frames::reached;
    const Matrix R = about(1, from - 0.25 * std::acos(-1.));
    std::vector<Point> vertices;
    for (const Point &x : make_box({0.5, 0.5, 0.5}, Tensor({1, 1, 1})).vertices)
      vertices.emplace_back(R * x);
    system.rigid = {solid_body("cube", 2, {convex_hull(vertices)})};
    system.gravity = Tensor({0., 0., -g});
    system.add_contact(ImpactLawKind::newton_coulomb, {0., 0., 0.}, 2).gap_tolerance = 1e-9;
    system.make();
    system.v(0)[0] = rate * r * std::cos(from);
    system.v(0)[2] = -rate * r * std::sin(from);
    system.v(0)[4] = rate;
    system.start();
    const auto n_steps = static_cast<unsigned int>(std::lround(0.3 / h));
    for (unsigned int k = 0; k < n_steps; ++k)
      ASSERT_NEAR(system.advance().balance_residual, 0, 1e-12);
    const double *const q = system.q(0);
    const double reached = from + 4. * std::atan(q[4]); // its parameters are tan(φ/4)
    errors.push_back(std::abs(toppling_time(from, rate, reached, g) - 0.3));
  }
  EXPECT_LT(errors.back(), 1e-5);
  for (std::size_t i = 1; i < errors.size(); ++i) // the impact law holds at the end of a step
    EXPECT_NEAR(errors[i - 1] / errors[i], 2, 0.05) << errors[i];
}

/// Boxes on each other, the uppermost one hit: the ledger closes, and no box penetrates.
TEST(SolidMotion, StackIsHit) {
  for (const auto law : {ImpactLawKind::newton_coulomb, ImpactLawKind::fremond}) {
    SolidSystem system;
    for (unsigned int i = 0; i < 4; ++i)
      system.rigid.push_back(box({0.05 * i, 0.02 * i, 0.5 + i}, Tensor({1, 2, 1}), 100));
    system.rigid.push_back(solid_body("ball", 500, {make_sphere({-1.5, 0.3, 3.4}, 0.4)}));
    system.gravity = Tensor({0., 0., -9.81});
    for (auto *pair : {&system.add_contact(law, {0.2, 0., 0.}, 0.6)})
      pair->gap_tolerance = 1e-9;
    system.add_mutual_contact(law, {0.2, 0., 0.}, 0.6).gap_tolerance = 1e-9;
    system.make();
    system.v(4)[0] = 8;
    system.v(4)[4] = 3;
    system.cone.tolerance = 1e-8;
    system.start();
    double deepest = 0;
    for (unsigned int k = 0; k < 600; ++k) {
      const auto &record = system.advance();
      deepest = std::max(deepest, record.penetration_max);
      ASSERT_NEAR(record.balance_residual, 0, 1e-12 * 5e3) << k;
      if (law == ImpactLawKind::fremond) {
        ASSERT_LT(record.normal_work_max, 1e-5) << k; // tolerance of the solver
      }
    }
    EXPECT_LT(deepest, 8e-3);
    EXPECT_GT(system.q(3)[0], 0.1);
  }
}

} // namespace
