// W stored by blocks: the same results as with dense W, problems too large for dense W, and refused
// data.

#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include <gtest/gtest.h>

#include "sample_problems.h"
#include <map>
#include <stdexcept>
#include <string>

using namespace percussion;

namespace {

double random_entry(sample::Random &random) { return random(-1., 1.); }

/// W = Σ hᵀ h over the edges of a graph, plus a shift: an edge couples the contacts at its ends.
class EdgeMatrix {
public:
  EdgeMatrix(std::size_t n_contacts, unsigned int dimension, double shift)
      : n_rows(n_contacts), d(dimension), rows(n_contacts) {
    for (std::size_t i = 0; i < n_rows; ++i)
      for (std::size_t k = 0; k < d; ++k)
        block(i, i)[k * d + k] += shift;
  }

  void add_edge(std::size_t i, std::size_t j, sample::Random &random) {
    for (unsigned int rank = 0; rank < 2; ++rank) {
      std::vector<double> h;
      for (std::size_t k = 0; k < 2 * d; ++k)
        h.push_back(random_entry(random));
      const std::size_t ends[2] = {i, j};
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 2; ++b)
          for (std::size_t k = 0; k < d; ++k)
            for (std::size_t l = 0; l < d; ++l)
              block(ends[a], ends[b])[k * d + l] += h[a * d + k] * h[b * d + l];
    }
  }

  BlockSparseMatrix compressed() const {
    BlockSparseMatrix result;
    result.row_start.assign(1, 0);
    for (const auto &row : rows) {
      for (const auto &[column, value] : row) {
        result.column.push_back(column);
        result.value.insert(result.value.end(), value.begin(), value.end());
      }
      result.row_start.push_back(result.column.size());
    }
    return result;
  }

private:
  std::vector<double> &block(std::size_t i, std::size_t j) {
    std::vector<double> &value = rows[i][j];
    value.resize(d * d, 0.);
    return value;
  }

  std::size_t n_rows, d;
  std::vector<std::map<std::size_t, std::vector<double>>> rows;
};

void set_vectors(double mu, FrictionContactProblem &problem, sample::Random &random) {
  problem.mu.assign(problem.n_contacts, mu);
  problem.version = sample::new_version();
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t k = 0; k < problem.dimension; ++k)
      problem.q.push_back(k == 0 ? random(-1.5, 0.7) : random(-1., 1.));
}

/// Returns a wall of `width` × `height` contacts, coupled with their neighbours.
FrictionContactProblem wall(unsigned int dimension, std::size_t width, std::size_t height,
                            double mu, unsigned int seed) {
  sample::Random random(seed);
  EdgeMatrix W(width * height, dimension, 0.5);
  for (std::size_t j = 0; j < height; ++j)
    for (std::size_t i = 0; i < width; ++i) {
      if (i + 1 < width)
        W.add_edge(j * width + i, j * width + i + 1, random);
      if (j + 1 < height)
        W.add_edge(j * width + i, (j + 1) * width + i, random);
    }
  FrictionContactProblem problem;
  problem.dimension = dimension;
  problem.n_contacts = width * height;
  problem.blocks = W.compressed();
  set_vectors(mu, problem, random);
  return problem;
}

FrictionContactProblem chain(std::size_t n_contacts, sample::Random &random) {
  EdgeMatrix W(n_contacts, 3, 0.);
  for (std::size_t i = 0; i + 1 < n_contacts; ++i)
    W.add_edge(i, i + 1, random);
  FrictionContactProblem problem;
  problem.dimension = 3;
  problem.n_contacts = n_contacts;
  problem.blocks = W.compressed();
  set_vectors(0.4, problem, random);
  return problem;
}

/// Replaces q such that the returned solution, of random statuses, solves the 3D problem.
ConeSolution choose_known_solution(FrictionContactProblem &problem, sample::Random &random) {
  ConeSolution solution;
  const ContactStatus statuses[] = {ContactStatus::open, ContactStatus::stick, ContactStatus::slip,
                                    ContactStatus::stick, ContactStatus::slip};
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    sample::append_contact_3d(statuses[i % 5], problem.mu[i], random, solution);
  problem.q = solution.u;
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t b = problem.blocks.row_start[i]; b < problem.blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l)
          problem.q[3 * i + k] -= problem.blocks.value[(b * 3 + k) * 3 + l] *
                                  solution.p[3 * problem.blocks.column[b] + l];
  return solution;
}

FrictionContactProblem stored_dense(const FrictionContactProblem &problem) {
  FrictionContactProblem result = problem;
  result.version = sample::new_version();
  make_dense(result);
  return result;
}

} // namespace

/// Storage determines the order of sums and the library that factorises, but not the iterates:
/// these differ by round-off, and so do solutions iterated to round-off.
TEST(BlockSparse, AllMethodsGiveWhatTheyGiveWithDenseStorage) {
  for (unsigned int dimension = 2; dimension <= 3; ++dimension)
    for (const ConeMethodEntry &entry : sample::methods_in(dimension))
      for (unsigned int seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(std::string(entry.name) + " in " + std::to_string(dimension) + "D, seed " +
                     std::to_string(seed));
        const auto sparse = wall(dimension, 1 + seed, 1 + seed % 4, 0.1 * seed, seed);
        const auto dense = stored_dense(sparse);
        const ConeSolution block_solution = sample::solve(sparse, entry.method, 2e-15);
        const ConeSolution dense_solution = sample::solve(dense, entry.method, 2e-15);
        EXPECT_LT(block_solution.residual, 1e-13);
        EXPECT_LT(dense_solution.residual, 1e-13);
        EXPECT_LT(sample::distance(block_solution.p, dense_solution.p), 1e-12);
        EXPECT_LT(sample::distance(block_solution.u, dense_solution.u), 1e-12);
        EXPECT_EQ(block_solution.status, dense_solution.status);
      }
}

/// For 3000 contacts, dense W would take 648 MB.
TEST(BlockSparse, EveryMethodSolvesALargeWall) {
  const FrictionContactProblem problem = wall(3, 60, 50, 0.5, 1);
  const ConeSolution expected = sample::solve(problem, ConeMethod::automatic);
  EXPECT_EQ(expected.method, "newton");
  EXPECT_LT(expected.residual, 1e-14);
  for (const ConeMethodEntry &entry : sample::methods_in(3)) {
    SCOPED_TRACE(entry.name);
    const ConeSolution found = sample::solve(problem, entry.method);
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(found.residual, natural_map_residual(problem, found.p));
    EXPECT_LT(sample::distance(found.u, expected.u), 1e-7);
  }
}

/// The operator of a chain lacks a third of its ranks; four fifths of the contacts are closed, so
/// that the matrix of the closed contacts is singular too.
TEST(BlockSparse, AutoSolvesALargeSingularChain) {
  sample::Random random(2);
  FrictionContactProblem problem = chain(1200, random);
  const ConeSolution known = choose_known_solution(problem, random);
  ASSERT_LT(natural_map_residual(problem, known.p), 1e-14);
  const ConeSolution found = sample::solve(problem, ConeMethod::automatic);
  EXPECT_TRUE(found.converged) << found.method << ' ' << found.residual;
  EXPECT_EQ(found.residual, natural_map_residual(problem, found.p));
}

TEST(BlockSparse, KeptFactorsGiveTheNumbersOfFreshOnes) {
  FrictionContactProblem problem = wall(3, 12, 5, 0.4, 3);
  ConeSolver keeps;
  ConeSolution kept;
  keeps.solve(problem, kept);
  for (std::size_t k = 0; k < problem.q.size(); ++k)
    problem.q[k] += 1e-7 * std::sin(static_cast<double>(k));
  ConeSolution fresh = kept;
  keeps.solve(problem, kept);
  ConeSolver().solve(problem, fresh);
  EXPECT_TRUE(kept.converged);
  EXPECT_EQ(kept.p, fresh.p);
  EXPECT_EQ(kept.u, fresh.u);
}

TEST(BlockSparse, RefusesWrongStructuresWithAPreciseMessage) {
  const FrictionContactProblem good = wall(3, 4, 1, 0.4, 4); // blocks 01 012 123 23
  ASSERT_EQ(good.blocks.row_start, (std::vector<std::size_t>{0, 2, 5, 8, 10}));
  const auto expect_refusal = [&](auto &&spoil, const std::string &words) {
    FrictionContactProblem problem = good;
    problem.version = sample::new_version();
    spoil(problem, problem.blocks);
    ConeSolution solution;
    try {
      ConeSolver().solve(problem, solution);
      ADD_FAILURE() << "accepted: " << words;
    } catch (const std::invalid_argument &error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  const std::string pointers = "the row pointers of W do not fit 4 rows";
  expect_refusal([](auto &, auto &W) { W.row_start.pop_back(); }, pointers);
  expect_refusal([](auto &, auto &W) { W.row_start.clear(); }, pointers);
  expect_refusal([](auto &, auto &W) { W.row_start[0] = 1; }, pointers);
  expect_refusal([](auto &, auto &W) { W.row_start[4] = 11; }, pointers);
  expect_refusal([](auto &, auto &W) { W.row_start[2] = 1; }, "pointers of W descend in row 1");
  expect_refusal([](auto &, auto &W) { W.row_start[1] = 900; }, "pointers of W descend in row 1");
  const std::string columns = "the columns of row 1 of W do not ascend below 4";
  expect_refusal([](auto &, auto &W) { W.column[4] = 4; }, columns);
  expect_refusal([](auto &, auto &W) { W.column[3] = 0; }, columns);
  expect_refusal([](auto &, auto &W) { W.column[3] = 3; }, columns);
  expect_refusal([](auto &, auto &W) { W.value.pop_back(); }, "W has 89 entries instead of 90");
  expect_refusal([](auto &, auto &W) { W.value.clear(); }, "W has 0 entries instead of 144");
  expect_refusal([](auto &x, auto &) { x.W.assign(144, 0.); }, "W has 144 entries instead of 0");
  expect_refusal([](auto &, auto &W) { W.value[20] = NAN; }, "entry 20 of W is nan");
  expect_refusal([](auto &, auto &W) { W.value[4] = -0.5; }, "diagonal entry 1 of W is negative");
  expect_refusal([](auto &, auto &W) { W.column[0] = 1, W.column[1] = 2; },
                 "the diagonal block of contact 0 is not stored");
}
