// Friction cones that are elliptic, with a direction fixed to the surface.

#include "cases/checked_case.h"
#include "cases/rigid_runs.h"
#include <random>

namespace elliptic_friction { // separates names from other tests in unity builds

using namespace percussion;
using cases_in_space::Assignments;
using cases_in_space::Stepped;

/// Components along and across the direction of friction.
using Pair = std::array<double, 2>;

/// Block on an incline or under a push, with different coefficients along and across a direction.
struct SlidingBlock {
  double mu = 0.4, ratio = 0.5;
  double angle = 0.5;   ///< angle of the direction of friction from the axis x
  Pair v0 = {1.5, 1.2}; ///< along and across the direction
  Pair push = {0., 0.}; ///< force over mass, along and across the direction
  static constexpr double g = 10;

  dealii::Tensor<1, 2> to_space(const Pair &a) const {
    const double c = std::cos(angle), s = std::sin(angle);
    return dealii::Tensor<1, 2>({c * a[0] - s * a[1], s * a[0] + c * a[1]});
  }

  /// Returns the displacement in x and y at the end of the run.
  dealii::Tensor<1, 2> displacement(double step, double end) const {
    const auto v = to_space(v0), f = to_space(push);
    std::ostringstream text;
    text.precision(17);
    text << "subsection Rigid bodies\n  subsection block\n    set Shape = box\n"
            "    set Size = 0.4, 0.3, 0.1\n    set Mass = 1\n    set Position = 0, 0, 0.05\n"
            "    set Angular velocity x = 0\n    set Angular velocity y = 0\n"
            "    set Angular velocity z = 0\n    set Initial velocity = "
         << v[0] << ", " << v[1] << ", 0\n    set Force x = " << f[0]
         << "\n    set Force y = " << f[1]
         << "\n  end\nend\nsubsection Boundary conditions\n  set Gravity = 0, 0, -10\nend\n"
         << "subsection Contact\n  subsection ground\n    set Bodies = block\n"
         << "    set Friction coefficient = " << mu << "\n    set Friction ratio = " << ratio
         << "\n    set Friction direction = " << std::cos(angle) << ", " << std::sin(angle)
         << ", 0.3\n  end\nend\nsubsection Time\n  set Scheme = moreau-jean-fremond\n"
         << "  set Theta = 0.5\n  set Step = " << step << "\n  set End = " << end << "\nend\n";
    auto run = rigid_runs::stepped<3>(text.str());
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
      const auto &record = run.advance();
      EXPECT_LE(record.tangential_work_max, 1e-15);
      EXPECT_NEAR(record.balance_residual, 0., 1e-14);
    }
    const double *const q = rigid_runs::displacement(run, 0);
    return dealii::Tensor<1, 2>({q[0], q[1]});
  }

  /// Returns the acceleration by the friction of largest dissipation, f_i = −μ_i² v_i g / ‖(μ v)‖.
  Pair acceleration(const Pair &v) const {
    const double across = mu * ratio, size = std::hypot(mu * v[0], across * v[1]);
    return {push[0] - mu * mu * v[0] * g / size, push[1] - across * across * v[1] * g / size};
  }

  /// Integrates the path up to a time by the Runge–Kutta method.
  Pair path(double end, unsigned int n_steps) const {
    std::array<double, 4> x = {0., 0., v0[0], v0[1]};
    const double h = end / n_steps;
    for (unsigned int step = 0; step < n_steps; ++step) {
      std::array<double, 4> sum = x, k{};
      for (const auto &[reach, weight] : {std::pair(0., 1. / 6), std::pair(0.5, 1. / 3),
                                          std::pair(0.5, 1. / 3), std::pair(1., 1. / 6)}) {
        std::array<double, 4> at = x;
        for (std::size_t i = 0; i < 4; ++i)
          at[i] += reach * h * k[i];
        const Pair a = acceleration({at[2], at[3]});
        k = {at[2], at[3], a[0], a[1]};
        for (std::size_t i = 0; i < 4; ++i)
          sum[i] += weight * h * k[i];
      }
      x = sum;
    }
    return {x[0], x[1]};
  }

  /// Returns where a block that is not pushed comes to rest. As dv_1/dv_2 = v_1/(k² v_2), it is v_1
  /// ∝ v_2^(1/k²), and the distances are integrals over v_2 from v0_2 to 0, by Simpson's rule.
  Pair resting_point(unsigned int n) const {
    const double across = mu * ratio;
    const auto integrand = [&](double v_2) -> Pair {
      if (v_2 == 0.)
        return {0., 0.};
      const double v_1 = v0[0] * std::pow(v_2 / v0[1], 1. / (ratio * ratio)),
                   time = std::hypot(mu * v_1, across * v_2) / (g * across * across * v_2);
      return {v_1 * time, v_2 * time};
    };
    Pair sum{};
    for (unsigned int i = 0; i <= 2 * n; ++i) {
      const double weight = i == 0 || i == 2 * n ? 1. : i % 2 == 1 ? 4. : 2.;
      const Pair value = integrand(v0[1] * i / (2. * n));
      for (std::size_t d = 0; d < 2; ++d)
        sum[d] += weight * v0[1] / (6. * n) * value[d];
    }
    return sum;
  }
};

TEST(EllipticFriction, BringsABlockToRestWhereQuadratureDoes) {
  const SlidingBlock block;
  const auto expected = block.to_space(block.resting_point(1000));
  const double coarse = (block.displacement(2e-3, 1) - expected).norm(),
               fine = (block.displacement(1e-3, 1) - expected).norm();
  EXPECT_LT(fine, 1e-3 * expected.norm());
  EXPECT_GT(coarse / fine, 3.5); // second order, but for the step in which the block stops
}

TEST(EllipticFriction, LeadsAPushedBlockAlongThePath) {
  SlidingBlock block;
  block.push = {1., 3.}; // more than friction across the direction, less than along it
  const auto expected = block.to_space(block.path(0.8, 20000));
  const double coarse = (block.displacement(2e-3, 0.8) - expected).norm(),
               fine = (block.displacement(1e-3, 0.8) - expected).norm();
  EXPECT_LT(fine, 2e-3 * expected.norm());
  EXPECT_NEAR(coarse / fine, 4., 0.1); // friction opposes the mean velocity of a slip
}

/// Along and across can be exchanged.
TEST(EllipticFriction, HasTwoDescriptions) {
  SlidingBlock a, b;
  a.push = b.push = {1., 3.};
  b.mu = a.mu * a.ratio;
  b.ratio = 1. / a.ratio;
  b.angle = a.angle + 0.5 * M_PI;
  b.v0 = {a.v0[1], -a.v0[0]};
  b.push = {a.push[1], -a.push[0]};
  const auto difference = a.displacement(2e-3, 0.5) - b.displacement(2e-3, 0.5);
  EXPECT_LT(difference.norm(), 1e-9);
}

/// Expects of each contact of a step the elliptic cone and the largest dissipation in it, by the
/// results in local frames, for Frémond's law: û ∝ u_θ. Returns the number of slipping contacts.
unsigned int expect_law(const Stepped<3> &run, const StepRecord<3> &record, double tolerance) {
  double largest = 0;
  for (const auto &contact : record.contacts)
    largest = std::max(largest, contact.percussion[0]);
  unsigned int n_slipping = 0;
  for (const auto &contact : record.contacts) {
    const auto &pair = run.c.boundary->pairs[contact.key.pair];
    const auto frame = local_frame<3>(contact.normal);
    dealii::Tensor<1, 3> p, u, d = pair.friction_direction;
    for (unsigned int r = 1; r < 3; ++r) {
      p += contact.percussion[r] * frame[r];
      u += contact.velocity[r] * frame[r];
    }
    d -= (d * contact.normal) * contact.normal;
    d /= d.norm();
    const auto across = cross_product_3d(contact.normal, d);
    const double mu = contact.friction, k = pair.friction_ratio, limit = mu * contact.percussion[0],
                 force = std::hypot(p * d, p * across / k),
                 rate = std::hypot(u * d, k * (u * across));
    EXPECT_LE(force, limit + tolerance * largest);
    EXPECT_NEAR(p * u, -limit * rate, tolerance * largest * (1. + u.norm()));
    n_slipping += contact.status == ContactStatus::slip && force > 0.5 * limit && limit > 0.;
  }
  return n_slipping;
}

/// Random laws: the cone, its largest dissipation, no positive work, and a closed ledger.
void expect_dissipation(Stepped<3> run, unsigned int n_steps, double tolerance) {
  double scale = std::abs(run.state.energy()), friction = 0;
  unsigned int n_slipping = 0;
  for (unsigned int k = 0; k < n_steps; ++k) {
    const auto &record = run.advance();
    scale = std::max(scale, run.state.energy());
    EXPECT_LE(record.tangential_work_max, 1e-11 * scale) << "step " << k + 1;
    EXPECT_LE(std::abs(record.balance_residual), 1e-12 * scale) << "step " << k + 1;
    n_slipping += expect_law(run, record, tolerance);
    friction += record.works.contact_tangential;
  }
  EXPECT_LT(friction, -1e-7 * scale);
  EXPECT_GT(n_slipping, 20u);
}

Assignments random_cone(std::mt19937 &random) {
  std::uniform_real_distribution<double> number(-1., 1.);
  const auto text = [](double x) { return std::to_string(x); };
  return {"Contact/ground/Impact law=fremond",
          "Contact/ground/Friction coefficient=0.2 + " + text(0.2 + 0.2 * number(random)) +
              "*exp(-slip_speed)",
          "Contact/ground/Friction ratio=" + text(std::pow(3., number(random))),
          "Contact/ground/Friction direction=" + text(number(random)) + ", " +
              text(number(random)) + ", " + text(number(random)),
          "Solver/Tolerance=1e-11"};
}

TEST(EllipticFriction, OfAnElasticBodyDissipates) {
  std::mt19937 random(1);
  for (unsigned int k = 0; k < 3; ++k)
    for (const std::string elimination : {"condensed", "projected"}) {
      Assignments assignments = random_cone(random);
      assignments.push_back("Solver/Contact elimination=" + elimination);
      SCOPED_TRACE(assignments[1] + ", " + assignments[2] + ", " + assignments[3] + ", " +
                   elimination);
      expect_dissipation(
          Stepped<3>(cases_in_space::build<3>(
              ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/box_slide.prm"), assignments)),
          60, 1e-8);
    }
}

TEST(EllipticFriction, OfRigidBodiesOnACurvedSurfaceDissipates) {
  const std::string text =
      rigid_runs::brick_in_a_bowl("    set Initial angular velocity = 1, 2, 3\n",
                                  "    set Restitution = 0.3\n") +
      rigid_runs::moving;
  std::mt19937 random(2);
  for (unsigned int k = 0; k < 4; ++k) {
    const Assignments assignments = random_cone(random);
    SCOPED_TRACE(assignments[1] + ", " + assignments[2] + ", " + assignments[3]);
    expect_dissipation(rigid_runs::stepped<3>(text, assignments), 1000, 1e-8);
  }
}

// ---- input ----

class EllipticFrictionInput : public cases::CheckedCase {
protected:
  cases::Outcome check(const Assignments &assignments) const {
    write("case.prm", "include " PERCUSSION_SOURCE_DIR "/params/box_slide.prm\n");
    Assignments all = {"Mesh/File=" PERCUSSION_SOURCE_DIR "/meshes/box_slide.geo"};
    all.insert(all.end(), assignments.begin(), assignments.end());
    return check_with(all);
  }
};

TEST_F(EllipticFrictionInput, IsRefusedWithoutAMeaning) {
  const std::string ratio = "Contact/ground/Friction ratio=0.5",
                    direction = "Contact/ground/Friction direction=";
  EXPECT_EQ(check({ratio}).status, 0);
  EXPECT_EQ(check({ratio, direction + "1, 2, 3"}).status, 0);
  expect_refusal(check({"Contact/ground/Friction ratio=0"}),
                 {"allowed is a number >= 0.001 and <= 1000"});
  expect_refusal(check({direction + "0, 1, 0"}), {"this has no effect with Friction ratio = 1"});
  expect_refusal(check({ratio, "Contact/ground/Friction coefficient=0"}),
                 {"this has no effect with Friction coefficient = 0"});
  expect_refusal(check({ratio, direction + "0, 0, 0"}), {"the direction must not be zero"});
  expect_refusal(check({ratio, direction + "0, 0, 2"}), {"the direction is normal to the surface"});
  for (const std::string scheme : {"penalty", "augmented-lagrangian", "nitsche-symmetric"})
    expect_refusal(check({ratio, "Time/Scheme=" + scheme}),
                   {"Scheme = " + scheme + " has the same friction in all directions only"});
  write("case.prm", "include " PERCUSSION_SOURCE_DIR "/params/bars_in_space.prm\n");
  const std::string mesh = PERCUSSION_SOURCE_DIR "/meshes/bars_in_space_";
  expect_refusal(
      check_with({"Mesh/File=" + mesh + "left.geo, " + mesh + "right.geo",
                  "Contact/ends/Friction ratio=2", "Contact/ends/Friction coefficient=0.1"}),
      {"contacts between bodies have none"});
}

} // namespace elliptic_friction
