#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <functional>
#include <stdexcept>

/// A single contact is solved before its data pass the check of all other problems.
namespace percussion {
namespace {

FrictionContactProblem random_contact(unsigned int dimension, bool has_blocks,
                                      sample::Random &random) {
  FrictionContactProblem problem;
  problem.dimension = dimension;
  problem.n_contacts = 1;
  std::vector<double> W = sample::random_gram_matrix(dimension, dimension, 0.2, random);
  W[1] += random(-0.1, 0.1); // not symmetric
  if (has_blocks)
    problem.blocks = {{0, 1}, {0}, W};
  else
    problem.W = W;
  for (unsigned int k = 0; k < dimension; ++k)
    problem.q.push_back(random(-1., 1.));
  problem.mu = {random(0., 0.8)};
  return problem;
}

std::string message_of(const FrictionContactProblem &problem, ConeMethod method) {
  try {
    sample::solve(problem, method, 1e-12);
  } catch (const std::invalid_argument &error) {
    return error.what();
  }
  return "";
}

TEST(OneContact, SameAsByGaussSeidel) {
  sample::Random random(1);
  unsigned int count[3] = {0, 0, 0};
  for (unsigned int sample = 0; sample < 400; ++sample) {
    SCOPED_TRACE("sample " + std::to_string(sample));
    const auto problem = random_contact(2 + sample % 2, sample % 4 < 2, random);
    const ConeSolution fast = sample::solve(problem, ConeMethod::automatic, 1e-12);
    const ConeSolution slow = sample::solve(problem, ConeMethod::nsgs, 1e-12);
    ASSERT_TRUE(fast.converged && fast.outcome == ConeOutcome::converged);
    EXPECT_EQ(fast.residual, natural_map_residual(problem, fast.p));
    EXPECT_EQ(fast.status, slow.status);
    EXPECT_EQ(fast.iterations, 1U);
    for (std::size_t k = 0; k < problem.q.size(); ++k) {
      EXPECT_NEAR(fast.p[k], slow.p[k], 1e-11);
      EXPECT_NEAR(fast.u[k], slow.u[k], 1e-11);
    }
    ++count[static_cast<int>(fast.status.at(0))];
  }
  for (const unsigned int n_contacts : count)
    EXPECT_GT(n_contacts, 20U);
}

/// A contact that slides without approach is open.
TEST(OneContact, AtRestNormally) {
  sample::Random random(2);
  for (const unsigned int dimension : {2U, 3U}) {
    auto problem = random_contact(dimension, false, random);
    problem.q[0] = 0.;
    const ConeSolution solution = sample::solve(problem, ConeMethod::automatic, 1e-12);
    EXPECT_EQ(solution.p, std::vector<double>(dimension, 0.));
    EXPECT_EQ(solution.u, problem.q);
    EXPECT_EQ(solution.residual, 0.);
    EXPECT_EQ(solution.status.at(0), ContactStatus::open);
  }
}

/// If W is singular several percussions may solve the problem: the given start is kept.
TEST(OneContact, KeepsItsStart) {
  FrictionContactProblem problem;
  problem.n_contacts = 1;
  problem.W = {1., 0., 0., 0.};
  problem.q = {-1., 0.};
  problem.mu = {0.5};
  ConeSolution solution;
  solution.p = {1., 0.3};
  solution.status = {ContactStatus::stick};
  ConeSolver().solve(problem, solution);
  EXPECT_TRUE(solution.converged);
  EXPECT_NEAR(solution.p[1], 0.3, 1e-12);
}

TEST(OneContact, RefusesWhatOthersRefuse) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::function<void(FrictionContactProblem &)> spoil[] = {
      [](auto &problem) { problem.dimension = 4; },
      [](auto &problem) { problem.q.push_back(1.); },
      [](auto &problem) { problem.mu.clear(); },
      [](auto &problem) { problem.mu[0] = -0.1; },
      [nan](auto &problem) { problem.mu[0] = nan; },
      [nan](auto &problem) { problem.q[1] = nan; },
      [](auto &problem) { (problem.W.empty() ? problem.blocks.value : problem.W)[0] = -1.; },
      [nan](auto &problem) { (problem.W.empty() ? problem.blocks.value : problem.W)[2] = nan; },
      [](auto &problem) { (problem.W.empty() ? problem.blocks.value : problem.W).pop_back(); },
      [](auto &problem) {
        problem.blocks = {{0, 1}, {1}, std::vector<double>(9, 1.)};
      },
      [](auto &problem) {
        problem.blocks.row_start = {0, 2};
      },
  };
  sample::Random random(3);
  for (const unsigned int dimension : {2U, 3U})
    for (const bool has_blocks : {false, true})
      for (std::size_t k = 0; k < std::size(spoil); ++k) {
        SCOPED_TRACE(std::to_string(dimension) + "D, change " + std::to_string(k));
        auto problem = random_contact(dimension, has_blocks, random);
        problem.q[0] = 0.5;
        spoil[k](problem);
        const bool overlooked = !has_blocks && k == 10; // with dense W
        EXPECT_EQ(message_of(problem, ConeMethod::automatic).empty(), overlooked);
        EXPECT_EQ(message_of(problem, ConeMethod::automatic),
                  message_of(problem, ConeMethod::nsgs));
      }
}

} // namespace
} // namespace percussion
