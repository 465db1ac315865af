// Degenerate contact problems, each solved by every method.

#include <percussion/cone/natural_units.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <functional>
#include <stdexcept>
#include <string>

using namespace percussion;

namespace {

ConeOptions options_of(ConeMethod method, unsigned int max_iterations = 2000) {
  ConeOptions options;
  options.method = method;
  options.max_iterations = max_iterations;
  return options;
}

bool all_finite(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Returns the solution of a method after checks that every result must pass, solved or not.
ConeSolution solve_and_check(const FrictionContactProblem &problem, const ConeOptions &options) {
  ConeSolution solution;
  ConeSolver(options).solve(problem, solution);
  EXPECT_EQ(solution.p.size(), problem.q.size());
  EXPECT_EQ(solution.u.size(), problem.q.size());
  EXPECT_EQ(solution.status.size(), problem.n_contacts);
  EXPECT_TRUE(all_finite(solution.p));
  EXPECT_TRUE(all_finite(solution.u));
  EXPECT_TRUE(std::isfinite(solution.residual));
  EXPECT_EQ(solution.residual, natural_map_residual(problem, solution.p));
  EXPECT_EQ(solution.converged, solution.residual <= options.tolerance);
  EXPECT_EQ(solution.converged, solution.outcome == ConeOutcome::converged);
  EXPECT_NE(solution.outcome, ConeOutcome::not_solved);
  return solution;
}

using Check = std::function<void(const ConeSolution &, const ConeMethodEntry &)>;

/// Solves by every method for this dimension, with W dense and by blocks.
void run_every_method(const FrictionContactProblem &problem, const Check &check = {}) {
  for (const auto &stored : {problem, sample::stored_by_blocks(problem)})
    for (const ConeMethodEntry &entry : sample::methods_in(problem.dimension)) {
      SCOPED_TRACE(std::string(entry.name) + (stored.W.empty() ? " by blocks" : " dense"));
      const ConeSolution solution = solve_and_check(stored, options_of(entry.method));
      if (check)
        check(solution, entry);
    }
}

void expect_converged(const ConeSolution &solution, const ConeMethodEntry &) {
  EXPECT_TRUE(solution.converged) << solution.residual;
}

void expect_no_solution(const ConeSolution &solution, const ConeMethodEntry &) {
  EXPECT_EQ(solution.outcome, ConeOutcome::no_solution);
}

/// Returns a problem like an elastic body with a given friction coefficient, in 2D or 3D.
FrictionContactProblem body(unsigned int dimension, std::size_t n_contacts, double mu,
                            unsigned int seed) {
  sample::Random random(seed);
  auto W = sample::body_like_matrix(dimension * n_contacts, random);
  return dimension == 2 ? sample::make_problem(std::move(W), mu, random)
                        : sample::make_problem_3d(std::move(W), mu, mu, random);
}

/// Sets the rows and columns of contact i in W to zero.
void detach(std::size_t i, FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension, n = problem.q.size();
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      if (row / d == i || column / d == i)
        problem.W[row * n + column] = 0.;
  problem.version = sample::new_version();
}

/// Returns two walls that close on a point: no W_NN vanishes, but no percussions can stop both.
FrictionContactProblem closing_walls(double mu) {
  FrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.W = {1., 0., -1., 0., 0., 1., 0., -1., -1., 0., 1., 0., 0., -1., 0., 1.};
  problem.q = {-1., 0.2, -1., 0.3};
  problem.mu = {mu, mu};
  problem.version = sample::new_version();
  return problem;
}

void scale(double scale_W, double scale_q, FrictionContactProblem &problem) {
  for (double &entry : problem.W)
    entry *= scale_W;
  for (double &entry : problem.q)
    entry *= scale_q;
  problem.version = sample::new_version();
}

} // namespace

TEST(Degenerate, NoContacts) {
  for (const unsigned int dimension : {2U, 3U}) {
    FrictionContactProblem problem;
    problem.dimension = dimension;
    run_every_method(problem, expect_converged);
  }
}

/// With much friction the plain Newton methods can cycle even for one contact.
TEST(Degenerate, OneContact) {
  for (const unsigned int dimension : {2U, 3U})
    for (const double mu : {0., 1e-9, 0.5, 5.})
      for (unsigned int seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
        run_every_method(body(dimension, 1, mu, seed), [&](const ConeSolution &solution,
                                                           const ConeMethodEntry &entry) {
          if (mu < 1. ||
              (entry.method != ConeMethod::newton && entry.method != ConeMethod::natural_map))
            expect_converged(solution, entry);
        });
      }
}

TEST(Degenerate, NoFriction) {
  for (const unsigned int dimension : {2U, 3U})
    for (unsigned int seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(std::to_string(dimension) + "D, seed " + std::to_string(seed));
      run_every_method(body(dimension, 10, 0., seed),
                       [&](const ConeSolution &solution, const ConeMethodEntry &entry) {
                         expect_converged(solution, entry);
                         for (std::size_t k = 0; k < solution.p.size(); ++k)
                           if (k % dimension > 0) {
                             EXPECT_NEAR(solution.p[k], 0., 1e-9);
                           }
                         for (const ContactStatus status : solution.status)
                           EXPECT_NE(status, ContactStatus::stick);
                       });
    }
}

TEST(Degenerate, NothingMoves) {
  for (const unsigned int dimension : {2U, 3U}) {
    auto problem = body(dimension, 5, 0.5, 1);
    std::fill(problem.q.begin(), problem.q.end(), 0.);
    run_every_method(problem, [&](const ConeSolution &solution, const ConeMethodEntry &entry) {
      expect_converged(solution, entry);
      EXPECT_EQ(solution.p, problem.q);
    });
  }
}

/// Contacts that percussions do not move: there is a solution if none of them approaches.
TEST(Degenerate, NoComplianceAtAll) {
  for (const unsigned int dimension : {2U, 3U}) {
    auto problem = body(dimension, 4, 0.5, 1);
    scale(0., 1., problem);
    for (std::size_t i = 0; i < 4; ++i)
      problem.q[dimension * i] = i == 2 ? 0. : 0.3;
    run_every_method(problem, expect_converged);
    problem.q[dimension] = -0.3;
    run_every_method(problem, expect_no_solution);
  }
}

TEST(Degenerate, NoComplianceOfOneContact) {
  for (const unsigned int dimension : {2U, 3U})
    for (const double mu : {0., 0.5})
      for (unsigned int seed = 0; seed < 10; ++seed) {
        SCOPED_TRACE(std::to_string(dimension) + "D, seed " + std::to_string(seed));
        auto problem = body(dimension, 6, mu, seed);
        detach(seed % 6, problem);
        problem.q[dimension * (seed % 6)] = 0.4;
        run_every_method(problem, expect_converged);
        problem.q[dimension * (seed % 6)] = -0.4;
        run_every_method(problem, expect_no_solution);
      }
}

TEST(Degenerate, WallsThatClose) {
  for (const double mu : {0., 0.5})
    run_every_method(closing_walls(mu), [](const ConeSolution &solution, const ConeMethodEntry &) {
      EXPECT_FALSE(solution.converged);
    });
}

/// The residual is limited by the round-off of u_T times mu.
TEST(Degenerate, MuchFriction) {
  for (const unsigned int dimension : {2U, 3U})
    for (const double mu : {10., 1e3, 1e6})
      for (unsigned int seed = 0; seed < 10; ++seed) {
        SCOPED_TRACE("mu " + std::to_string(mu) + ", seed " + std::to_string(seed));
        run_every_method(body(dimension, 6, mu, seed),
                         [&](const ConeSolution &solution, const ConeMethodEntry &entry) {
                           if (entry.method == ConeMethod::automatic) {
                             EXPECT_LE(solution.residual, std::max(1e-10, 1e-14 * mu));
                           }
                         });
      }
}

TEST(Degenerate, OperatorsOfLowRank) {
  for (std::size_t rank = 1; rank <= 12; rank += 3)
    for (unsigned int seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE("rank " + std::to_string(rank) + ", seed " + std::to_string(seed));
      sample::Random random(seed);
      auto problem = sample::make_problem_3d(sample::random_gram_matrix(18, rank, 0., random), 0.,
                                             0.8, random);
      sample::choose_solution_3d(problem, random);
      run_every_method(problem, [](const ConeSolution &solution, const ConeMethodEntry &entry) {
        if (entry.method == ConeMethod::automatic)
          expect_converged(solution, entry);
      });
    }
}

/// Natural units give the same result for problems in any units.
TEST(Degenerate, NaturalUnitsMakeUnitsMeaningless) {
  for (const unsigned int dimension : {2U, 3U})
    for (const double scale_W : {1e-9, 1e-4, 1e3, 1e9})
      for (const double scale_q : {1e-9, 1., 1e9})
        for (unsigned int seed = 0; seed < 5; ++seed) {
          SCOPED_TRACE("W " + std::to_string(scale_W) + ", q " + std::to_string(scale_q));
          const auto problem = body(dimension, 8, 0.4, seed);
          const ConeSolution expected = solve_and_check(problem, options_of(ConeMethod::automatic));
          auto scaled = problem;
          scale(scale_W, scale_q, scaled);
          const NaturalUnits units = natural_units(scaled);
          const auto natural = to_units(units, scaled);
          for (const ConeMethodEntry &entry : sample::methods_in(dimension)) {
            SCOPED_TRACE(entry.name);
            ConeSolution found = solve_and_check(natural, options_of(entry.method));
            EXPECT_TRUE(found.converged) << found.residual;
            EXPECT_EQ(found.status, expected.status);
            out_of_units(units, found);
            for (std::size_t k = 0; k < found.p.size(); ++k) {
              EXPECT_NEAR(found.p[k] * scale_W / scale_q, expected.p[k], 1e-7);
              EXPECT_NEAR(found.u[k] / scale_q, expected.u[k], 1e-7);
            }
          }
        }
}
TEST(Degenerate, NaturalUnitsAreThoseOfMeanDiagonalAndLargestVelocity) {
  FrictionContactProblem problem;
  problem.n_contacts = 2;
  problem.W = {2., 1., 0., 0., 1., 4., 0., 0., 0., 0., 6., 1., 0., 0., 1., 8.}; // mean 5
  problem.q = {1., -3., 10., -20.};
  problem.mu = {0.5, 0.5};
  for (const auto &stored : {problem, sample::stored_by_blocks(problem)}) {
    const NaturalUnits units = natural_units(stored);
    EXPECT_DOUBLE_EQ(units.velocity, 20.);
    EXPECT_DOUBLE_EQ(units.percussion, 4.); // 4 units of impulse times 5 are 20 units of velocity
    const auto natural = to_units(units, stored);
    EXPECT_DOUBLE_EQ(natural.q[3], -1.);
    EXPECT_DOUBLE_EQ(stored.W.empty() ? natural.blocks.value[0] : natural.W[0], 0.4);
    EXPECT_EQ(natural.version, stored.version);
    ConeSolution solution;
    solution.p = {4., 8., 0., 0.};
    solution.u = {20., 0., 0., 10.};
    const ConeSolution before = solution;
    into_units(units, solution);
    EXPECT_EQ(solution.p, (std::vector<double>{1., 2., 0., 0.}));
    EXPECT_EQ(solution.u, (std::vector<double>{1., 0., 0., 0.5}));
    out_of_units(units, solution);
    EXPECT_EQ(solution.p, before.p);
    EXPECT_EQ(solution.u, before.u);
  }
  const NaturalUnits empty_units = natural_units({});
  EXPECT_EQ(empty_units.velocity, 1.);
  EXPECT_EQ(empty_units.percussion, 1.);
}

/// In other units the tolerance has another meaning, and may be out of reach; auto finds the
/// solution nevertheless. Methods that stop at the tolerance stop too early if it is larger than
/// all of q.
TEST(Degenerate, RawUnitsDoNoHarm) {
  for (const unsigned int dimension : {2U, 3U})
    for (const double scale_W : {1e-9, 1e-4, 1e3, 1e9})
      for (const double scale_q : {1e-9, 1., 1e9})
        for (unsigned int seed = 0; seed < 5; ++seed) {
          SCOPED_TRACE("W " + std::to_string(scale_W) + ", q " + std::to_string(scale_q));
          const auto problem = body(dimension, 8, 0.4, seed);
          const ConeSolution expected = solve_and_check(problem, options_of(ConeMethod::automatic));
          auto scaled = problem;
          scale(scale_W, scale_q, scaled);
          run_every_method(scaled, [&](ConeSolution solution, const ConeMethodEntry &entry) {
            if (entry.method != ConeMethod::automatic)
              return;
            for (double &p : solution.p)
              p *= scale_W / scale_q;
            EXPECT_LT(sample::distance(solution.p, expected.p), 1e-5);
            EXPECT_EQ(solution.status, expected.status);
          });
        }
}

TEST(Degenerate, TimeOfZeroEndsAtOnce) {
  for (const unsigned int dimension : {2U, 3U})
    for (const ConeMethodEntry &entry : sample::methods_in(dimension)) {
      SCOPED_TRACE(entry.name);
      ConeOptions per_solve = options_of(entry.method, 4000000000U);
      per_solve.tolerance = 1e-30; // out of reach
      ConeOptions per_run = per_solve;
      per_solve.time_limit = 0.;
      per_run.deadline = Deadline(0.);
      for (const ConeOptions &options : {per_solve, per_run}) {
        const ConeSolution solution = solve_and_check(body(dimension, 20, 0.5, 1), options);
        EXPECT_EQ(solution.outcome, ConeOutcome::out_of_time);
        EXPECT_LE(solution.iterations, 20U);
      }
    }
}

/// Only the time limit ends these sweeps.
TEST(Degenerate, TimeLimitEndsWhatHasNoEnd) {
  const FrictionContactProblem problem = closing_walls(0.5);
  for (const ConeMethod method : {ConeMethod::nsgs, ConeMethod::hybrid}) {
    ConeOptions options = options_of(method, 4000000000U);
    options.time_limit = 0.02;
    const ConeSolution solution = solve_and_check(problem, options);
    EXPECT_EQ(solution.outcome, ConeOutcome::out_of_time);
  }
  // auto proves that there is no solution.
  const ConeSolution solution = solve_and_check(problem, options_of(ConeMethod::automatic, 4000));
  EXPECT_EQ(solution.outcome, ConeOutcome::no_solution);
}

TEST(Degenerate, LimitOfSweepsIsKept) {
  for (const unsigned int dimension : {2U, 3U})
    for (const ConeMethod method : {ConeMethod::nsgs, ConeMethod::admm}) {
      ConeOptions options = options_of(method, 7);
      options.tolerance = 1e-30; // out of reach
      const ConeSolution solution = solve_and_check(body(dimension, 20, 0.5, 1), options);
      EXPECT_EQ(solution.outcome, ConeOutcome::out_of_sweeps);
      EXPECT_EQ(solution.iterations, 7U);
    }
}

TEST(Degenerate, RefusesBadDataByWhateverMethod) {
  const auto expect_refusal = [](const std::function<void(FrictionContactProblem &)> &spoil,
                                 const std::string &words) {
    FrictionContactProblem problem = body(3, 3, 0.5, 1); // W 9 x 9
    spoil(problem);
    for (const ConeMethodEntry &entry : cone_methods())
      for (const unsigned long version : {0UL, sample::new_version()})
        try {
          ConeSolution solution;
          problem.version = version;
          ConeSolver(options_of(entry.method)).solve(problem, solution);
          ADD_FAILURE() << "accepted: " << words;
        } catch (const std::invalid_argument &error) {
          EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
  };
  using Problem = FrictionContactProblem;
  expect_refusal([](Problem &x) { x.dimension = 1; }, "dimension 1 is neither 2 nor 3");
  expect_refusal([](Problem &x) { x.dimension = 4; }, "dimension 4 is neither 2 nor 3");
  expect_refusal([](Problem &x) { x.dimension = 0; }, "dimension 0 is neither 2 nor 3");
  expect_refusal([](Problem &x) { x.dimension = 2; }, "q has 9 entries instead of 6");
  expect_refusal([](Problem &x) { x.n_contacts = 4; }, "q has 9 entries instead of 12");
  expect_refusal([](Problem &x) { x.W.clear(); }, "W has 0 entries instead of 81");
  expect_refusal([](Problem &x) { x.mu.push_back(0.); }, "mu has 4 entries instead of 3");
  expect_refusal([](Problem &x) { x.q[8] = INFINITY; }, "entry 8 of q is inf");
  expect_refusal([](Problem &x) { x.W[80] = NAN; }, "entry 80 of W is nan");
  expect_refusal([](Problem &x) { x.mu[2] = NAN; }, "entry 2 of mu is nan");
  expect_refusal([](Problem &x) { x.mu[0] = INFINITY; }, "entry 0 of mu is inf");
  expect_refusal([](Problem &x) { x.mu[1] = -1e-9; }, "contact 1 is negative: -1e-09");
  expect_refusal([](Problem &x) { x.W[40] = -2.; }, "diagonal entry 4 of W is negative: -2");
}

/// The same data under the same version are checked once; sizes and q always.
TEST(Degenerate, RefusesNewVelocitiesUnderAKnownVersion) {
  FrictionContactProblem problem = body(3, 3, 0.5, 1);
  ConeSolver solver;
  ConeSolution solution;
  solver.solve(problem, solution);
  problem.q[2] = NAN;
  EXPECT_THROW(solver.solve(problem, solution), std::invalid_argument);
  EXPECT_THROW(solver.update(problem, false, solution), std::invalid_argument);
}
