// The unknowns that remain of a contact with a given status, and their linear equations.

#include <percussion/cone/local_solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"

using namespace percussion;
using local::Block;
using local::Vector;

namespace {

double dot(const Vector<3> &x, const Vector<3> &y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

Vector<3> along(const Vector<3> &x, double step, const Vector<3> &dx) {
  return {x[0] + step * dx[0], x[1] + step * dx[1], x[2] + step * dx[2]};
}

Vector<3> random_vector(sample::Random &random) {
  return {random(-1., 1.), random(-1., 1.), random(-1., 1.)};
}

/// Returns (0, x, y) with p_T − μ p_N s / ‖s‖, s = p_T − ρ u_T, which vanishes for a slipping
/// contact.
Vector<3> slip_defect(const Vector<3> &p, const Vector<3> &u, double mu, double rho) {
  const double x = p[1] - rho * u[1], y = p[2] - rho * u[2], length = std::hypot(x, y);
  return {0., p[1] - mu * p[0] * x / length, p[2] - mu * p[0] * y / length};
}

Block<3> diagonal(double normal, double tangential) {
  return {{{normal, 0., 0.}, {0., tangential, 0.}, {0., 0., tangential}}};
}

/// Percussion and velocity in the region of slip, not necessarily at a solution; u_N = 0.
struct Slipping {
  Vector<3> p{}, u{};
  double mu = 0., rho = 1.;
  local::LocalStatus<3> status;
  local::Reduction<3> reduction;
};

Slipping random_slip(sample::Random &random) {
  Slipping slip;
  slip.mu = random(0.1, 1.5);
  const Block<3> W = diagonal(random(0.5, 2.), random(0.5, 2.));
  slip.rho = 1. / W[1][1];
  do {
    slip.p = {random(0.1, 1.), random(-1., 1.), random(-1., 1.)};
    slip.u = {0., random(-1., 1.), random(-1., 1.)};
    slip.status = local::local_status<3>(slip.p.data(), slip.u.data(), slip.mu, W);
  } while (slip.status.status != ContactStatus::slip);
  slip.reduction = local::reduce<3>(slip.status, slip.mu, W);
  return slip;
}

} // namespace

TEST(Reduction, HasAsManyUnknownsAsTheStatusLeaves) {
  const Block<3> W = diagonal(1., 2.);
  const auto slip = local::slip_along<3>({3., -4.});
  EXPECT_EQ(local::reduce<3>({}, 0.5, W).size, 0U);
  EXPECT_EQ(local::reduce<3>({ContactStatus::stick, {}, 0.}, 0.5, W).size, 3U);
  EXPECT_EQ(local::reduce<3>(slip, 0.5, W).size, 2U);
  EXPECT_EQ(local::reduce<3>(slip, 0., W).size, 1U);
  EXPECT_DOUBLE_EQ(slip.direction[0], 0.6);
  EXPECT_DOUBLE_EQ(slip.direction[1], -0.8);
}

TEST(Reduction, KnowsHowMuchOfTheDirectionIsPercussion) {
  sample::Random random(1);
  for (unsigned int k = 0; k < 1000; ++k) {
    const Slipping slip = random_slip(random);
    const double s = std::hypot(slip.p[1] - slip.rho * slip.u[1], slip.p[2] - slip.rho * slip.u[2]);
    EXPECT_NEAR(slip.status.weight, slip.mu * slip.p[0] / s, 1e-14);
    EXPECT_LE(slip.status.weight, 1.);
  }
}

/// Across the slip, the reduced equation is ρ⁻¹ times the derivative of p_T − μ p_N s / ‖s‖; along
/// the slip, the basis makes p_T grow with μ p_N.
TEST(Reduction, OfASlipIsTheDerivativeOfItsEquation) {
  sample::Random random(2);
  constexpr double step = 1e-6;
  for (unsigned int k = 0; k < 1000; ++k) {
    const Slipping slip = random_slip(random);
    const Vector<3> dp = random_vector(random), du = random_vector(random);
    const auto defect = [&](double way) {
      return slip_defect(along(slip.p, way, dp), along(slip.u, way, du), slip.mu, slip.rho);
    };
    const Vector<3> after = defect(step), before = defect(-step);
    const auto derivative = [&](const Vector<3> &direction) {
      return (dot(direction, after) - dot(direction, before)) / (2. * step);
    };
    const Vector<3> across = slip.reduction.basis[1];
    const Vector<3> t{0., slip.status.direction[0], slip.status.direction[1]};
    EXPECT_NEAR(dot(t, across), 0., 1e-15);
    EXPECT_NEAR(dot(across, across), 1., 1e-14);
    const double linear =
        dot(slip.reduction.test[1], du) + slip.reduction.shift[1] * dot(across, dp);
    EXPECT_NEAR(derivative(across), slip.rho * linear, 1e-7);
    EXPECT_NEAR(derivative(t), dot(t, dp) - slip.mu * dp[0], 1e-7);
    EXPECT_EQ(slip.reduction.basis[0], (Vector<3>{1., slip.mu * t[1], slip.mu * t[2]}));
    EXPECT_EQ(slip.reduction.test[0], (Vector<3>{1., 0., 0.}));
    EXPECT_EQ(slip.reduction.shift[0], 0.);
  }
}

/// At a solution the unknowns of p satisfy the equations for any weight.
TEST(Reduction, HoldsAtSolutions) {
  sample::Random random(3);
  for (unsigned int k = 0; k < 300; ++k) {
    ConeSolution solution;
    const double mu = random(0.1, 1.);
    const auto status = static_cast<ContactStatus>(k % 3);
    sample::append_contact_3d(status, mu, random, solution);
    const Block<3> W = diagonal(random(0.5, 2.), random(0.5, 2.));
    const auto shown = local::local_status<3>(solution.p.data(), solution.u.data(), mu, W);
    ASSERT_EQ(shown.status, status);
    const auto reduction = local::reduce<3>(shown, mu, W);
    const Vector<3> p{solution.p[0], solution.p[1], solution.p[2]};
    const Vector<3> u{solution.u[0], solution.u[1], solution.u[2]};
    Vector<3> spanned{};
    for (std::size_t c = 0; c < reduction.size; ++c) {
      const Vector<3> &basis = reduction.basis[c];
      const double z = status == ContactStatus::slip && c == 0 ? p[0] : dot(basis, p);
      spanned = along(spanned, c == 1 && status == ContactStatus::slip ? 0. : z, basis);
      EXPECT_NEAR(dot(reduction.test[c], u), 0., 1e-14);
    }
    for (std::size_t l = 0; l < 3; ++l)
      EXPECT_NEAR(spanned[l], p[l], 1e-14);
  }
}
