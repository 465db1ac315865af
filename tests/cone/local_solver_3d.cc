// The solver of one contact in 3D, and the linear equations of a slip with changing direction.

#include <percussion/cone/local_solver.h>
#include <percussion/cone/residual.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <sstream>
#include <string>

using namespace percussion;
using local::Block;
using local::Vector;

namespace {

struct OneContact {
  Block<3> W{};
  Vector<3> q{};
  double mu = 0.;
};

double norm(const Vector<3> &x) { return std::hypot(x[0], x[1], x[2]); }

Vector<3> velocity(const OneContact &contact, const Vector<3> &p) {
  Vector<3> u = contact.q;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l)
      u[k] += contact.W[k][l] * p[l];
  return u;
}

double trace(const OneContact &contact) {
  return contact.W[0][0] + contact.W[1][1] + contact.W[2][2];
}

/// Returns the norm of the natural map with ρ = 1 / (mean diagonal entry of W), relative to the
/// largest percussion in it, which determines its round-off.
double relative_residual(const OneContact &contact, const Vector<3> &p) {
  const double rho = 3. / trace(contact);
  const Vector<3> u = velocity(contact, p);
  Vector<3> x{p[0] - rho * (u[0] + contact.mu * std::hypot(u[1], u[2])), p[1] - rho * u[1],
              p[2] - rho * u[2]};
  project_on_coulomb_cone(contact.mu, 3, x.data());
  const Vector<3> defect{p[0] - x[0], p[1] - x[1], p[2] - x[2]};
  const double size = norm(p) + rho * norm(contact.q);
  return size > 0. ? norm(defect) / size : 0.;
}

/// Returns A Aᵀ with A of `rank` columns and stretched rows: strong coupling and unequal
/// compliance.
Block<3> random_block(std::size_t rank, double stretch, sample::Random &random) {
  double A[3][3] = {};
  for (std::size_t k = 0; k < 3; ++k) {
    const double length = std::pow(10., random(-stretch, 0.));
    for (std::size_t l = 0; l < rank; ++l)
      A[k][l] = length * random(-1., 1.);
  }
  Block<3> W{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l)
      for (std::size_t m = 0; m < 3; ++m)
        W[k][l] += A[k][m] * A[l][m];
  return W;
}

double random_friction(unsigned int k, sample::Random &random) {
  switch (k % 5) {
  case 0:
    return 0.;
  case 1:
    return std::pow(10., random(-12., -3.));
  case 2:
    return random(1., 10.);
  default:
    return random(0., 1.2);
  }
}

/// Sets a q for which a solution exists: W p + q = u for p and u of a random status.
void set_solvable_velocity(unsigned int k, OneContact &contact, sample::Random &random) {
  ConeSolution solution;
  const ContactStatus statuses[] = {ContactStatus::open, ContactStatus::stick, ContactStatus::slip};
  sample::append_contact_3d(statuses[k % 3], contact.mu, random, solution);
  const Vector<3> Wp = velocity({contact.W, {}, 0.}, {solution.p[0], solution.p[1], solution.p[2]});
  for (std::size_t l = 0; l < 3; ++l)
    contact.q[l] = solution.u[l] - Wp[l];
}

/// Returns a vector of the null space of W of rank 2, pointing away from the surface.
Vector<3> null_vector(const Block<3> &W) {
  Vector<3> best{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector<3> &a = W[k], &b = W[(k + 1) % 3];
    const Vector<3> x{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                      a[0] * b[1] - a[1] * b[0]};
    if (norm(x) > norm(best))
      best = x;
  }
  return best[0] < 0. ? Vector<3>{-best[0], -best[1], -best[2]} : best;
}

/// True if some percussions of the cone change no velocity and q acts in their direction: there may
/// be no solution, or several.
bool drives_into_null_space(const OneContact &contact) {
  const Vector<3> x = null_vector(contact.W);
  return contact.mu * x[0] >= std::hypot(x[1], x[2]) &&
         x[0] * contact.q[0] + x[1] * contact.q[1] + x[2] * contact.q[2] < 0.;
}

/// Returns the limit of the fixed-point iteration p ← P_K(p − ρ (u + μ‖u_T‖ n)).
Vector<3> fixed_point(const OneContact &contact) {
  const double rho = 0.3 / trace(contact);
  Vector<3> p{};
  for (unsigned int k = 0; k < 6000; ++k) {
    const Vector<3> u = velocity(contact, p);
    p = {p[0] - rho * (u[0] + contact.mu * std::hypot(u[1], u[2])), p[1] - rho * u[1],
         p[2] - rho * u[2]};
    project_on_coulomb_cone(contact.mu, 3, p.data());
  }
  return p;
}

Vector<3> solve(const OneContact &contact) {
  return local::solve_one_contact<3>(contact.W, contact.q, contact.mu);
}

bool finite(const Vector<3> &p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

/// Returns a description from which the contact can be reproduced.
std::string words(const OneContact &c) {
  std::ostringstream s;
  s.precision(17);
  s << "W";
  for (const auto &row : c.W)
    for (const double w : row)
      s << ' ' << w;
  s << " q " << c.q[0] << ' ' << c.q[1] << ' ' << c.q[2] << " mu " << c.mu;
  return s.str();
}

} // namespace

TEST(LocalSolver3D, AgreesWithProjectionIterations) {
  sample::Random random(1);
  unsigned int seen[3] = {0, 0, 0};
  for (unsigned int k = 0; k < 400; ++k) {
    OneContact contact;
    for (std::size_t l = 0; l < 3; ++l) {
      contact.W[l][l] = random(0.7, 2.);
      for (std::size_t m = 0; m < l; ++m)
        contact.W[l][m] = contact.W[m][l] = random(-0.3, 0.3);
    }
    contact.q = {random(-1., 0.5), random(-1., 1.), random(-1., 1.)};
    contact.mu = k % 4 == 0 ? 0. : random(0., 1.);
    const Vector<3> p = solve(contact), expected = fixed_point(contact);
    for (std::size_t l = 0; l < 3; ++l)
      EXPECT_NEAR(p[l], expected[l], 1e-10) << words(contact);
    const double friction = std::hypot(p[1], p[2]);
    ++seen[p[0] == 0. ? 0 : friction < 0.999999 * contact.mu * p[0] ? 1 : 2];
  }
  for (const unsigned int count : seen)
    EXPECT_GT(count, 15U); // all three statuses occur
}

/// A definite block has a solution for every q.
TEST(LocalSolver3D, SolvesDefiniteBlocks) {
  sample::Random random(2);
  for (const double stretch : {0., 1., 2.})
    for (unsigned int k = 0; k < 50000; ++k) {
      OneContact contact;
      contact.W = random_block(3, stretch, random);
      contact.q = {random(-1., 0.3), random(-1., 1.), random(-1., 1.)};
      contact.mu = random_friction(k, random);
      if (k % 7 == 0)
        contact.q = {contact.q[0], 0., 0.};
      ASSERT_LT(relative_residual(contact, solve(contact)), 1e-13) << words(contact);
    }
}

TEST(LocalSolver3D, SolvesSingularBlocksThatHaveASolution) {
  sample::Random random(3);
  unsigned int n_excluded = 0;
  for (const double stretch : {0., 1., 2.})
    for (std::size_t rank = 1; rank <= 3; ++rank)
      for (unsigned int k = 0; k < 15000; ++k) {
        OneContact contact;
        contact.W = random_block(rank, stretch, random);
        contact.mu = random_friction(k / 3, random);
        set_solvable_velocity(k, contact, random);
        const Vector<3> p = solve(contact);
        ASSERT_TRUE(finite(p)) << words(contact);
        if (rank == 2 && drives_into_null_space(contact))
          ++n_excluded;
        else
          ASSERT_LT(relative_residual(contact, p), 1e-11) << words(contact);
      }
  EXPECT_LT(n_excluded, 6000U); // among 135000 problems
}

/// Definite blocks plus a skew matrix of up to ten times their size are monotone, so that there is
/// a solution.
TEST(LocalSolver3D, SolvesBlocksThatAreNotSymmetric) {
  sample::Random random(11);
  for (unsigned int n = 0; n < 20000; ++n) {
    OneContact contact;
    contact.mu = std::pow(10., random(-2., 1.));
    contact.W = random_block(3, 1., random);
    const double size = trace(contact) * std::pow(10., random(-7., 1.));
    for (std::size_t k = 0; k < 3; ++k) {
      contact.W[k][k] += 1e-3 * trace(contact);
      contact.q[k] = random(-1., 1.);
      for (std::size_t l = 0; l < k; ++l) {
        const double skew = size * random(-1., 1.);
        contact.W[k][l] += skew;
        contact.W[l][k] -= skew;
      }
    }
    const Vector<3> p = local::solve_one_contact<3>(contact.W, contact.q, contact.mu);
    ASSERT_LT(relative_residual(contact, p), 1e-11) << "problem " << n;
  }
}

TEST(LocalSolver3D, DoesNotDependOnUnits) {
  sample::Random random(4);
  for (unsigned int k = 0; k < 30000; ++k) {
    OneContact contact, scaled;
    contact.W = random_block(3, 1., random);
    contact.q = {random(-1., 0.3), random(-1., 1.), random(-1., 1.)};
    contact.mu = scaled.mu = random_friction(k, random);
    const double scale_W = std::pow(10., random(-9., 9.)), scale_q = std::pow(10., random(-9., 9.));
    for (std::size_t l = 0; l < 3; ++l) {
      scaled.q[l] = scale_q * contact.q[l];
      for (std::size_t m = 0; m < 3; ++m)
        scaled.W[l][m] = scale_W * contact.W[l][m];
    }
    const Vector<3> p = solve(scaled);
    ASSERT_TRUE(finite(p)) << words(scaled);
    const Vector<3> scaled_p{scale_W / scale_q * p[0], scale_W / scale_q * p[1],
                             scale_W / scale_q * p[2]};
    ASSERT_LT(relative_residual(contact, scaled_p), 1e-13) << words(scaled);
  }
}

/// The percussion is in the cone for any data: solvable or not, with zero rows, tiny and huge.
TEST(LocalSolver3D, ReturnsPercussionsOfTheConeForAnyData) {
  sample::Random random(5);
  for (unsigned int k = 0; k < 100000; ++k) {
    OneContact contact;
    contact.W = random_block(k % 4, 6., random);
    contact.q = {random(-1., 0.3), random(-1., 1.), random(-1., 1.)};
    contact.mu = random_friction(k / 4, random);
    const double scale_W = std::pow(10., random(-9., 9.)), scale_q = std::pow(10., random(-9., 9.));
    const unsigned int without = k % 11; // index of a zero row and of zero entries of q
    for (std::size_t l = 0; l < 3; ++l) {
      contact.q[l] *= without == 3 + l || without == 6 ? 0. : scale_q;
      for (std::size_t m = 0; m < 3; ++m)
        contact.W[l][m] *= without == l || without == m ? 0. : scale_W;
    }
    const Vector<3> p = solve(contact);
    ASSERT_TRUE(finite(p)) << words(contact);
    ASSERT_GE(p[0], 0.) << words(contact);
    ASSERT_LE(std::hypot(p[1], p[2]), (1. + 1e-14) * contact.mu * p[0]) << words(contact);
    if (contact.q[0] >= 0. || contact.W[0][0] == 0.) {
      ASSERT_EQ(p, (Vector<3>{})) << words(contact);
    }
  }
}

TEST(LocalSolver3D, SolvesWhatCanBeSolvedByHand) {
  const Block<3> W{{{2., 0., 0.}, {0., 4., 0.}, {0., 0., 4.}}};
  const auto expect = [&](const Vector<3> &q, double mu, const Vector<3> &expected) {
    const Vector<3> p = solve({W, q, mu});
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(p[k], expected[k], 1e-15) << "component " << k;
  };
  expect({0., 1., 1.}, 0.5, {0., 0., 0.});                   // grazing contact
  expect({-2., 3., 4.}, 0., {1., 0., 0.});                   // frictionless
  expect({-2., 0., 0.}, 0.5, {1., 0., 0.});                  // stick without friction
  expect({-2., 1.2, 1.6}, 1., {1., -0.3, -0.4});             // stick
  expect({-2., 1.2, 1.6}, 0.5, {1., -0.3, -0.4});            // the limit between stick and slip
  expect({-2., 3., 4.}, 0.5, {1., -0.3, -0.4});              // slip
  expect({-2., 3., 4.}, 1e-9, {1., -6e-10, -8e-10});         // slip with almost no friction
  EXPECT_EQ(solve({{}, {-1., 2., 3.}, 0.5}), (Vector<3>{})); // this problem has no solution
}

/// The result equals the 2D solution in the plane of q if W has no coupling out of that plane.
TEST(LocalSolver3D, IsThe2DSolverInAPlane) {
  sample::Random random(6);
  for (unsigned int k = 0; k < 3000; ++k) {
    const double coupling = random(-0.5, 0.5), angle = random(-3.14, 3.14);
    const Block<2> W{{{random(0.6, 2.), coupling}, {coupling, random(0.6, 2.)}}};
    const Vector<2> q{random(-1., 0.3), random(-1., 1.)};
    const double mu = random(0., 1.), c = std::cos(angle), s = std::sin(angle);
    const double across = random(0.5, 2.), along = W[1][1];
    const Block<3> turned{
        {{W[0][0], c * coupling, s * coupling},
         {c * coupling, c * c * along + s * s * across, c * s * (along - across)},
         {s * coupling, c * s * (along - across), s * s * along + c * c * across}}};
    const Vector<2> expected = local::solve_one_contact<2>(W, q, mu);
    const Vector<3> p = solve({turned, {q[0], c * q[1], s * q[1]}, mu});
    EXPECT_NEAR(p[0], expected[0], 1e-12);
    EXPECT_NEAR(c * p[1] + s * p[2], expected[1], 1e-12);
    EXPECT_NEAR(c * p[2] - s * p[1], 0., 1e-12);
  }
}
