// Contact problems with given bodies: factors in the space of bodies compared with factors of W.

#include <percussion/cone/multipliers.h>
#include <percussion/cone/natural_units.h>
#include <percussion/cone/nsgs.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "../../src/cone/body_system.h"
#include "../../src/cone/central_path.h"
#include "assemblies.h"

using namespace percussion;

namespace {

/// Returns the inverse of a mass matrix by Gauss–Jordan elimination; its symmetric part is
/// definite.
std::array<double, 36> inverse_of(const double *mass) {
  std::array<double, 72> rows{};
  for (std::size_t r = 0; r < 6; ++r) {
    std::copy_n(mass + 6 * r, 6, &rows[12 * r]);
    rows[12 * r + 6 + r] = 1.;
  }
  for (std::size_t k = 0; k < 6; ++k)
    for (std::size_t r = 0; r < 6; ++r) {
      const double factor = rows[12 * r + k] / rows[13 * k];
      for (std::size_t c = 0; c < 12 && r != k; ++c)
        rows[12 * r + c] -= factor * rows[12 * k + c];
    }
  std::array<double, 36> inverse;
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t c = 0; c < 6; ++c)
      inverse[6 * r + c] = rows[12 * r + 6 + c] / rows[13 * r];
  return inverse;
}

/// Returns dense W = H M⁻¹ Hᵀ.
std::vector<double> operator_of(const ContactingBodies &bodies) {
  const std::size_t n = bodies.row_start.size() - 1;
  std::vector<double> W(9 * n * n, 0.);
  for (std::size_t b = 0; b < bodies.n_bodies; ++b) {
    const auto inverse = inverse_of(&bodies.mass[36 * b]);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e)
          for (std::size_t f = bodies.row_start[j]; f < bodies.row_start[j + 1]; ++f)
            for (std::size_t k = 0; k < 324 && bodies.body[e] == b && bodies.body[f] == b; ++k)
              W[(3 * i + k / 108) * 3 * n + 3 * j + k / 36 % 3] +=
                  bodies.rows[18 * e + 6 * (k / 108) + k / 6 % 6] * inverse[k % 36] *
                  bodies.rows[18 * f + 6 * (k / 36 % 3) + k % 6];
  }
  return W;
}

/// Returns a problem with its bodies, whose tangents are asymmetric by about `asymmetry`.
FrictionContactProblem pose_bodies(const assemblies::Assembly &assembly, double mu,
                                   double asymmetry) {
  FrictionContactProblem problem = assemblies::pose(assembly, mu);
  problem.blocks = {};
  problem.bodies = assemblies::bodies_of(assembly, asymmetry);
  problem.W = operator_of(problem.bodies);
  return problem;
}

/// Returns contacts of all statuses, with S of the size `own`.
std::vector<BodySystem::Contact> contacts_of_all_statuses(std::size_t n, double own) {
  sample::Random random(7);
  std::vector<BodySystem::Contact> contacts(n);
  for (std::size_t i = 0; i < n; ++i) {
    contacts[i].size = i % 4;
    for (std::size_t r = 0; r < contacts[i].size; ++r) {
      contacts[i].basis[r][r] = contacts[i].test[r][r] = 1.;
      contacts[i].basis[0][2] = 0.3; // as for a slipping contact
      contacts[i].diagonal_block[r][r] = own * random(0.5, 1.);
    }
  }
  return contacts;
}

/// Returns (S + T W B) z.
std::vector<double> product(const FrictionContactProblem &problem,
                            const std::vector<BodySystem::Contact> &contacts,
                            const std::vector<double> &z) {
  const std::size_t n = problem.q.size();
  std::vector<double> p(n, 0.), u(n, 0.), result(z.size(), 0.);
  for (std::size_t i = 0, k = 0; i < contacts.size(); ++i)
    for (std::size_t c = 0; c < contacts[i].size; ++c, ++k)
      for (std::size_t l = 0; l < 3; ++l)
        p[3 * i + l] += contacts[i].basis[c][l] * z[k];
  for (std::size_t r = 0; r < n; ++r) {
    u[r] = problem.bodies.compliance.empty() ? 0. : problem.bodies.compliance[r] * p[r];
    for (std::size_t s = 0; s < n; ++s)
      u[r] += problem.W[r * n + s] * p[s];
  }
  for (std::size_t i = 0, k = 0; i < contacts.size(); k += contacts[i].size, ++i)
    for (std::size_t r = 0; r < contacts[i].size; ++r) {
      for (std::size_t l = 0; l < 3; ++l)
        result[k + r] += contacts[i].test[r][l] * u[3 * i + l];
      for (std::size_t c = 0; c < contacts[i].size; ++c)
        result[k + r] += contacts[i].diagonal_block[r][c] * z[k + c];
    }
  return result;
}

/// Returns the largest component of (S + T W B) z − b, relative to b.
double defect(const FrictionContactProblem &problem,
              const std::vector<BodySystem::Contact> &contacts, const std::vector<double> &z,
              const std::vector<double> &b) {
  const std::vector<double> left = product(problem, contacts, z);
  double largest = 0., size = 0.;
  for (std::size_t k = 0; k < b.size(); ++k) {
    largest = std::max(largest, std::abs(left[k] - b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  return largest / size;
}

/// Returns the sign of det(S + T W B), by elimination with the largest pivot of each column.
double sign_of_determinant(const FrictionContactProblem &problem,
                           const std::vector<BodySystem::Contact> &contacts, std::size_t n) {
  std::vector<std::vector<double>> columns(n); // columns of the matrix, then of its factor
  for (std::size_t k = 0; k < n; ++k) {
    columns[k].assign(n, 0.);
    columns[k][k] = 1.;
    columns[k] = product(problem, contacts, columns[k]);
  }
  double sign = 1.;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t c = k; c < n; ++c)
      if (std::abs(columns[c][k]) > std::abs(columns[pivot][k]))
        pivot = c;
    std::swap(columns[k], columns[pivot]);
    sign *= (pivot == k ? 1. : -1.) * (columns[k][k] > 0. ? 1. : -1.);
    for (std::size_t c = k + 1; c < n; ++c)
      for (std::size_t r = n; r-- > k;)
        columns[c][r] -= columns[c][k] / columns[k][k] * columns[k][r];
  }
  return sign;
}

/// Returns the same problem with W by blocks.
FrictionContactProblem to_blocks(FrictionContactProblem problem) {
  const std::size_t n = problem.q.size();
  BlockSparseMatrix &blocks = problem.blocks;
  blocks.row_start.assign(1, 0);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    for (std::size_t j = 0; j < problem.n_contacts; ++j) {
      std::array<double, 9> block;
      for (std::size_t k = 0; k < 9; ++k)
        block[k] = problem.W[(3 * i + k / 3) * n + 3 * j + k % 3];
      if (i != j && block == std::array<double, 9>{})
        continue;
      blocks.column.push_back(j);
      blocks.value.insert(blocks.value.end(), block.begin(), block.end());
    }
    blocks.row_start.push_back(blocks.column.size());
  }
  problem.W.clear();
  return problem;
}

/// Returns two assemblies without contact between them as one.
assemblies::Assembly together(assemblies::Assembly a, const assemblies::Assembly &b) {
  const std::size_t n = a.bodies.size();
  a.bodies.insert(a.bodies.end(), b.bodies.begin(), b.bodies.end());
  for (assemblies::Touch touch : b.touches) {
    touch.above += n;
    touch.below += touch.below >= 0 ? static_cast<int>(n) : 0;
    a.touches.push_back(touch);
  }
  return a;
}

/// Returns the problem of grains without three of five contacts: fewer rows than velocities.
FrictionContactProblem loose_crowd() {
  assemblies::Assembly crowd = assemblies::grains(3, 6, 6, 2, 0.1, 0.05, 3);
  std::vector<assemblies::Touch> touches;
  for (std::size_t i = 0; i < crowd.touches.size(); ++i)
    if (i % 5 < 2)
      touches.push_back(crowd.touches[i]);
  crowd.touches = touches;
  const auto problem = to_blocks(pose_bodies(crowd, 0.3, 0.));
  return to_units(natural_units(problem), problem);
}

} // namespace

TEST(ContactingBodies, SolveTheSystemOfW) {
  for (const double asymmetry : {0., 0.1})
    for (const double own : {1., 1e-4, 1e-8}) {
      const auto problem =
          pose_bodies(assemblies::grains(3, 4, 4, 3, 0.1, 0.05, 1), 0.5, asymmetry);
      const auto contacts = contacts_of_all_statuses(problem.n_contacts, own);
      BodySystem system;
      ASSERT_TRUE(system.factorise(problem.bodies, contacts));
      sample::Random random(3);
      std::vector<double> b;
      for (const auto &contact : contacts)
        for (std::size_t r = 0; r < contact.size; ++r)
          b.push_back(random(-1., 1.));
      std::vector<double> z = b;
      ASSERT_TRUE(system.solve(problem.bodies, z));
      // W z has terms of 1/own if W is singular.
      EXPECT_LT(defect(problem, contacts, z, b), 1e-14 / own + 1e-12) << own;
    }
}

/// The sign is the product of the signs for the bodies' matrix and for all S, if blocks S have
/// either sign.
TEST(ContactingBodies, GiveTheSignOfTheDeterminant) {
  unsigned int n_negative = 0;
  for (unsigned int seed = 0; seed < 40; ++seed) {
    const auto problem = pose_bodies(assemblies::grains(3, 3, 2, 2, 0.1, 0.05, seed), 0.5, 0.1);
    auto contacts = contacts_of_all_statuses(problem.n_contacts, 0.);
    sample::Random random(seed);
    std::size_t n = 0;
    for (auto &contact : contacts) {
      n += contact.size;
      for (std::size_t r = 0; r < contact.size; ++r)
        for (std::size_t c = 0; c < contact.size; ++c)
          contact.diagonal_block[r][c] = random(-1., 1.);
    }
    BodySystem system;
    ASSERT_TRUE(system.factorise(problem.bodies, contacts));
    const double sign = sign_of_determinant(problem, contacts, n);
    EXPECT_EQ(system.sign_of_determinant(), sign) << seed;
    n_negative += sign < 0.;
  }
  EXPECT_GE(n_negative, 10U);
  EXPECT_LE(n_negative, 30U);
}

/// diag(c) is a term of W.
TEST(ContactingBodies, HaveCompliantContacts) {
  auto problem = pose_bodies(assemblies::tower(6, 0.1, 1), 0.5, 0.);
  problem.bodies.compliance.assign(problem.q.size(), 0.);
  for (std::size_t r = 0; r < problem.q.size(); ++r)
    problem.bodies.compliance[r] = 0.01 * (1. + r % 5);
  const auto contacts = contacts_of_all_statuses(problem.n_contacts, 0.);
  BodySystem system;
  ASSERT_TRUE(system.factorise(problem.bodies, contacts));
  std::vector<double> b(36, 1.);
  std::vector<double> z = b;
  ASSERT_TRUE(system.solve(problem.bodies, z));
  EXPECT_LT(defect(problem, contacts, z, b), 1e-12);
}

/// A system with more held rows than velocities is singular for S = 0.
TEST(ContactingBodies, SayWhereTheSystemIsSingular) {
  const auto problem = pose_bodies(assemblies::tower(3, 0.1, 1), 0.5, 0.);
  BodySystem system;
  EXPECT_FALSE(system.factorise(problem.bodies, contacts_of_all_statuses(12, 0.)));
  EXPECT_EQ(sample::solve(problem, ConeMethod::newton).method, "none");
}

/// All methods that use the bodies solve the problem of W.
TEST(ContactingBodies, GiveTheSolutionOfW) {
  for (const auto &assembly :
       {assemblies::tower(10, 0.05, 2), assemblies::grains(3, 3, 3, 2, 0.05, 0.02, 4)})
    for (const ConeMethod method :
         {ConeMethod::automatic, ConeMethod::interior, ConeMethod::proximal}) {
      const auto posed_problem = pose_bodies(assembly, 0.3, 1e-3);
      const auto problem = to_units(natural_units(posed_problem), posed_problem);
      auto alone = problem;
      alone.bodies = {};
      const ConeSolution body_result = sample::solve(problem, method),
                         dense_result = sample::solve(alone, method);
      EXPECT_TRUE(body_result.converged) << assembly.name << ' ' << body_result.residual;
      EXPECT_LE(natural_map_residual(alone, body_result.p), 1e-10);
      if (assembly.name ==
          "grains") { // with friction the percussions of a tower need not be unique
        EXPECT_LT(sample::distance(body_result.u, dense_result.u), 1e-7);
      }
    }
}

/// Steps of path following agree one by one.
TEST(ContactingBodies, LeadAlongTheCentralPathOfW) {
  for (const auto &assembly :
       {assemblies::tower(10, 0.05, 2), assemblies::grains(3, 3, 3, 2, 0.05, 0.02, 4)}) {
    const auto posed_problem = pose_bodies(assembly, 0.6, 1e-3);
    const auto problem = to_units(natural_units(posed_problem), posed_problem);
    auto alone = problem;
    alone.bodies = {};
    std::vector<double> body_result(problem.q.size(), 0.), dense_result = body_result;
    const unsigned int n = central_path<3>(problem, 0.5, 1e-4, 300, Deadline(), body_result);
    EXPECT_EQ(central_path<3>(alone, 0.5, 1e-4, 300, Deadline(), dense_result), n) << assembly.name;
    EXPECT_LE(natural_map_residual(alone, body_result), 1e-4);
    const double size = *std::max_element(dense_result.begin(), dense_result.end());
    for (std::size_t r = 0; r < dense_result.size(); ++r)
      EXPECT_NEAR(body_result[r], dense_result[r], 1e-6 * size);
  }
}

/// The last solution is a good guess: its statuses are close to the statuses of the next problem.
TEST(ContactingBodies, GoOnFromTheLastSolution) {
  auto problem = pose_bodies(assemblies::tower(40, 0., 5), 0.6, 0.);
  problem = to_units(natural_units(problem), problem);
  ConeOptions options;
  options.tolerance = 1e-8;
  ConeSolver solver(options);
  ConeSolution solution;
  solver.solve(problem, solution);
  ASSERT_TRUE(solution.converged);
  for (double &q : problem.q)
    q *= 1.01;
  problem.version = sample::new_version();
  solver.solve(problem, solution);
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(solution.method, "proximal");
  EXPECT_LE(solution.iterations, 10U);
}

/// A crowd is relaxed before newton, which then changes few statuses.
TEST(ContactingBodies, RelaxALooseCrowdBeforeNewton) {
  auto problem = loose_crowd();
  ASSERT_GT(problem.n_contacts, 50U);
  ASSERT_LE(problem.n_contacts, 2 * problem.bodies.n_bodies);
  ConeSolution solution = sample::solve(problem, ConeMethod::automatic, 1e-8);
  ASSERT_TRUE(solution.converged);
  sample::Random random(5);
  for (double &q : problem.q)
    q *= random(0.8, 1.2);
  problem.version = sample::new_version();
  const std::vector<double> guess = solution.p;
  ConeOptions options;
  options.tolerance = 1e-8;
  options.record = true;
  ConeSolver(options).solve(problem, solution);
  EXPECT_TRUE(solution.converged);
  ASSERT_EQ(solution.record.size(), 2U);
  EXPECT_EQ(solution.record[0].find("nsgs, relaxation: "), 0U) << solution.record[0];
  EXPECT_EQ(solution.record[1].find("newton: "), 0U) << solution.record[1];
  EXPECT_LE(natural_map_residual(problem, solution.p), 1e-8);
  EXPECT_GT(sample::distance(solution.p, guess), 1e-3);
  const ConeSolution sweep_result = sample::solve(problem, ConeMethod::nsgs, 1e-12);
  ASSERT_TRUE(sweep_result.converged);
  EXPECT_LT(sample::distance(solution.u, sweep_result.u), 1e-7);
}

/// The cost of a relaxation depends on the contacts that change.
TEST(Nsgs, RelaxesTheContactsThatChange) {
  auto problem = loose_crowd();
  const std::vector<double> solution = sample::solve(problem, ConeMethod::nsgs, 1e-13).p;
  std::vector<double> p = solution;
  EXPECT_EQ(relax<3>(problem, 1e-6, 100, p), 1U);
  EXPECT_LT(sample::distance(p, solution), 1e-9);
  std::size_t contact = 0; // the one that presses most
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    contact = solution[3 * i] > solution[3 * contact] ? i : contact;
  problem.q[3 * contact] *= 1.001;
  std::vector<double> sweep_result = p;
  const unsigned int n_sweeps = nsgs<3>(problem, 1e-6, 100, sweep_result);
  EXPECT_LT(relax<3>(problem, 1e-6, 100, p), n_sweeps);
  EXPECT_LE(natural_map_residual(problem, p), 1e-5);
  EXPECT_EQ(relax<3>(problem, 1e-12, 7, p), 7U); // its limit
}

/// Convex minimisation with a fixed-point iteration for friction, from zero and from useless
/// percussions.
TEST(Multipliers, SolveWithAndWithoutSymmetry) {
  for (const double asymmetry : {0., 1e-2})
    for (const double guess : {0., 3.})
      for (const double kick : {0., 0.05}) {
        const auto posed_problem = pose_bodies(assemblies::tower(10, kick, 2), 0.5, asymmetry);
        const auto problem = to_units(natural_units(posed_problem), posed_problem);
        std::vector<double> p(problem.q.size(), guess);
        EXPECT_GT(multipliers(problem, 1e-10, 1000, Deadline(), p), 0U);
        EXPECT_LE(natural_map_residual(problem, p), 1e-10) << asymmetry << ' ' << guess;
      }
}

TEST(Multipliers, LeaveAloneWhatHasNoBodies) {
  auto problem = pose_bodies(assemblies::tower(3, 0.1, 1), 0.5, 0.);
  problem.bodies = {};
  std::vector<double> p(problem.q.size(), 1.);
  EXPECT_EQ(multipliers(problem, 1e-10, 1000, Deadline(), p), 0U);
  EXPECT_EQ(p, std::vector<double>(problem.q.size(), 1.));
}

/// Grains a million times faster do not degrade the accuracy of a tower that they do not touch.
TEST(ContactingBodies, AreSolvedInGroups) {
  constexpr double fast = 1e6, tolerance = 1e-8;
  const auto tower = assemblies::tower(30, 0.05, 3);
  auto grains = assemblies::grains(3, 3, 3, 2, 0.05, 0.02, 4);
  for (auto &body : grains.bodies)
    for (std::size_t k = 0; k < 3; ++k) {
      body.velocity[k] *= fast;
      body.spin[k] *= fast;
    }
  const auto posed_problem = to_blocks(pose_bodies(together(tower, grains), 0.3, 0.));
  const auto problem = to_units(natural_units(posed_problem), posed_problem);
  ConeOptions options;
  options.tolerance = tolerance;
  ConeSolution solution;
  ConeSolver(options).solve(problem, solution);
  EXPECT_TRUE(solution.converged);

  auto slow = pose_bodies(tower, 0.3, 0.);
  const double unit = natural_units(slow).velocity,
               share = unit / natural_units(posed_problem).velocity;
  slow.W = operator_of(slow.bodies);
  const std::size_t n = slow.q.size();
  slow.bodies = {};
  for (std::size_t r = 0; r < n; ++r)
    slow.q[r] = problem.q[r] / share;
  const double scale_W =
      natural_units(posed_problem).percussion / natural_units(posed_problem).velocity;
  std::vector<double> p(n);
  for (std::size_t r = 0; r < n; ++r)
    p[r] = solution.p[r] / share;
  for (double &w : slow.W)
    w *= scale_W;
  EXPECT_LE(natural_map_residual(slow, p), tolerance);
}

/// Solutions of groups are kept even if another group fails.
TEST(ContactingBodies, KeepTheBestOfEachGroup) {
  const auto both =
      together(assemblies::tower(30, 0.05, 3), assemblies::grains(3, 3, 3, 2, 0.05, 0.02, 4));
  const auto posed_problem = to_blocks(pose_bodies(both, 0.3, 0.));
  const auto problem = to_units(natural_units(posed_problem), posed_problem);
  ConeOptions options;
  options.tolerance = 1e-12;
  options.max_iterations = 12;
  ConeSolution solution;
  ConeSolver(options).solve(problem, solution);
  EXPECT_FALSE(solution.converged);
  EXPECT_GE(solution.iterations, 12U);
  const std::vector<double> nothing(problem.q.size(), 0.);
  EXPECT_LT(solution.residual, 0.5 * natural_map_residual(problem, nothing));
  EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p));
}

/// Groups whose q and guess have not changed stay as they are, until the tolerance is smaller.
TEST(ContactingBodies, SolveAgainOnlyTheGroupsThatChanged) {
  constexpr double loose = 1e-3, tight = 1e-9;
  const auto tower = assemblies::tower(30, 0.05, 3);
  const std::size_t n_of_tower = 3 * tower.touches.size();
  const auto posed_problem = to_blocks(
      pose_bodies(together(tower, assemblies::grains(3, 3, 3, 2, 0.05, 0.02, 4)), 0.3, 0.));
  auto problem = to_units(natural_units(posed_problem), posed_problem);
  const auto grain_part = [n_of_tower](const std::vector<double> &x) {
    return std::vector<double>(x.begin() + static_cast<std::ptrdiff_t>(n_of_tower), x.end());
  };
  ConeSolver solver;
  ConeSolution solution;
  SolvedGroups solved;
  solver.solve(problem, loose, solution, solved);
  ASSERT_TRUE(solution.converged);
  const ConeSolution first = solution;

  for (std::size_t row = 0; row < n_of_tower; ++row)
    problem.q[row] *= 1.1;
  SolvedGroups no_groups;
  ConeSolution both_solution = first;
  solver.solve(problem, loose, both_solution, no_groups);
  EXPECT_NE(grain_part(both_solution.p), grain_part(first.p));
  solver.solve(problem, loose, solution, solved);
  EXPECT_TRUE(solution.converged);
  EXPECT_EQ(grain_part(solution.p), grain_part(first.p));
  EXPECT_GT(sample::distance(solution.p, first.p), 1e-3);
  EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p));

  ConeSolution disturbed = solution;
  disturbed.p.back() += 10.;
  solver.solve(problem, loose, disturbed, solved);
  EXPECT_LE(natural_map_residual(problem, disturbed.p), loose);
  ASSERT_GT(solution.residual, tight);
  solver.solve(problem, tight, solution, solved);
  EXPECT_LE(natural_map_residual(problem, solution.p), tight);
}
