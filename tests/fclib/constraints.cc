// Equality constraints of FCLib's problems.

#include <percussion/cone/global.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>

#include "fclib_files.h"

using namespace percussion;
using namespace percussion::sample;

namespace {

constexpr std::size_t n = 7, m = 4, p = 2; ///< numbers of velocities, contact rows, constraints

/// Problem in dense matrices: M = diag(mass), H and G with random entries.
struct Constrained {
  explicit Constrained(unsigned int seed) : random(seed) {
    mass = random_numbers(n, random);
    for (double &entry : mass)
      entry = 100. * (1. + std::abs(entry));
    H = random_numbers(n * m, random);
    G = random_numbers(n * p, random);
    f = random_numbers(n, random);
    b = random_numbers(p, random);
    w = {-1., 0.5, -0.7, 0.2};
  }

  /// Returns Aᵀ M⁻¹ B + C for matrices with n rows, row by row; C may be empty.
  Numbers product(const Numbers &A, const Numbers &B, const Numbers &C = {}) const {
    const std::size_t rows = A.size() / n, columns = B.size() / n;
    Numbers result = C.empty() ? Numbers(rows * columns, 0.) : C;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
          result[i * columns + j] += A[k * rows + i] * B[k * columns + j] / mass[k];
    return result;
  }

  void write_global(const std::string &path) {
    RawMatrix M{n, n, n, {}, {}, mass}, raw_H = dense(n, m, H), raw_G = dense(n, p, G);
    for (int k = 0; k < static_cast<int>(n); ++k)
      M.p.push_back(k);
    M.i = M.p;
    fclib_matrix matrix_M = M.get(), matrix_H = raw_H.get(), matrix_G = raw_G.get();
    fclib_global problem{};
    problem.M = &matrix_M;
    problem.H = &matrix_H;
    problem.G = &matrix_G;
    problem.f = f.data();
    problem.b = b.data();
    problem.w = w.data();
    problem.mu = mu.data();
    problem.spacedim = 2;
    ASSERT_EQ(fclib_write_global(&problem, path.c_str()), 1);
  }

  void write_local(const std::string &path, Numbers R) {
    RawMatrix raw_W = dense(m, m, product(H, H)), raw_V = dense(m, p, product(H, G)),
              raw_R = dense(p, p, std::move(R));
    Numbers q = product(H, f, w), s = product(G, f, b);
    fclib_matrix W = raw_W.get(), V = raw_V.get(), matrix_R = raw_R.get();
    fclib_local problem = raw_local(W, q, mu);
    problem.V = &V;
    problem.R = &matrix_R;
    problem.s = s.data();
    ASSERT_EQ(fclib_write_local(&problem, path.c_str()), 1);
  }
  void write_local(const std::string &path) { write_local(path, product(G, G)); }

  /// Returns a dense matrix as compressed rows.
  static RawMatrix dense(int rows, int columns, Numbers values) {
    RawMatrix matrix{rows, columns, -2, {0}, {}, std::move(values)};
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column)
        matrix.i.push_back(column);
      matrix.p.push_back(columns * (row + 1));
    }
    return matrix;
  }

  sample::Random random;
  Numbers mass, H, G, f, b, w, mu{0.4, 0.2};
};

ConeOptions to_the_end() {
  ConeOptions options;
  options.tolerance = 1e-12;
  return options;
}

using FclibConstraints = FclibFolder;

} // namespace

TEST_F(FclibConstraints, OfAGlobalProblemHold) {
  Constrained c(1);
  c.write_global(path);
  const FclibFile file = read_fclib(path);
  GlobalConeSolution solution;
  solve_global(std::get<1>(file.problem), to_the_end(), solution);
  ASSERT_TRUE(solution.converged) << solution.residual;
  write_fclib_solution(path, solution);
  expect_same(*read_fclib(path).solution, solution); // the unit of λ is a power of two

  // FCLib's own numbers: M v = H r + G λ + f, Gᵀ v + b = 0, u = Hᵀ v + w.
  fclib_solution *read = fclib_read_solution(path.c_str());
  Numbers balance = c.f, constraint = c.b, u = c.w;
  for (std::size_t k = 0; k < n; ++k) {
    balance[k] -= c.mass[k] * read->v[k];
    for (std::size_t j = 0; j < m; ++j) {
      balance[k] += c.H[k * m + j] * read->r[j];
      u[j] += c.H[k * m + j] * read->v[k];
    }
    for (std::size_t j = 0; j < p; ++j) {
      balance[k] += c.G[k * p + j] * read->l[j];
      constraint[j] += c.G[k * p + j] * read->v[k];
    }
  }
  for (const double defect : balance)
    EXPECT_NEAR(defect, 0., 1e-11); // terms of order 100
  for (const double defect : constraint)
    EXPECT_NEAR(defect, 0., 1e-13);
  for (std::size_t j = 0; j < m; ++j)
    EXPECT_NEAR(read->u[j], u[j], 1e-13);
  EXPECT_GT(read->r[0] + read->r[2], 1.); // a contact is closed
  fclib_delete_solutions(read, 1);
}

TEST_F(FclibConstraints, OfBothFormsAreTheSame) {
  for (unsigned int seed = 1; seed <= 5; ++seed) {
    fs::remove(path);
    Constrained c(seed);
    c.write_global(path);
    GlobalConeSolution global, local;
    const FclibFile file = read_fclib(path);
    EXPECT_EQ(file.n_multipliers, p);
    solve_global(std::get<1>(file.problem), to_the_end(), global);
    fs::remove(path);
    c.write_local(path);
    ConeSolver(to_the_end()).solve(std::get<0>(read_fclib(path).problem), local);
    ASSERT_TRUE(global.converged && local.converged);
    for (std::size_t k = 0; k < m; ++k) {
      EXPECT_NEAR(global.p[k], local.p[k], 1e-9) << seed;
      EXPECT_NEAR(global.u[k], local.u[k], 1e-11) << seed;
    }
    write_fclib_solution(path, local);
    fclib_solution *read = fclib_read_solution(path.c_str());
    for (std::size_t k = 0; k < p; ++k)
      EXPECT_NEAR(read->l[k], file.multiplier_unit * global.v[n + k], 1e-9) << seed;
    fclib_delete_solutions(read, 1);
  }
}

TEST_F(FclibConstraints, AreKeptInOtherFiles) {
  Constrained c(2);
  c.write_global(path);
  const FclibFile file = read_fclib(path);
  const std::string copy = folder / "copy.hdf5";
  write_fclib(copy, file);
  expect_same(file, read_fclib(copy));
}

TEST_F(FclibConstraints, OfNoRowsAreNone) {
  RawMatrix none{3, 0, 0, {}, {}, {}}, H{3, 4, 1, {0}, {3}, {1.}};
  Numbers b{1.};
  fclib_matrix G = none.get();
  write_raw_global(path, H, &G, b.data());
  EXPECT_EQ(std::get<1>(read_fclib(path).problem).M.n_rows, 3u);
}

TEST_F(FclibConstraints, ThatDoNotFitAreRefused) {
  Constrained c(3);
  const auto refused = [&](const std::function<void(hid_t)> &damage, const std::string &message,
                           bool global) {
    fs::remove(path);
    global ? c.write_global(path) : c.write_local(path);
    edit(path, damage);
    EXPECT_EQ(reading_error(path), path + ": " + message);
  };
  refused([](hid_t f) { put(f, "fclib_global/vectors/b", Numbers{1.}); },
          "fclib_global/vectors/b: found 1 number; needed: 2 numbers", true);
  refused(
      [](hid_t f) {
        put(f, "fclib_global/G/m", std::vector<int>{8});
        put(f, "fclib_global/G/p", std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14, 14});
      },
      "fclib_global/G: found 8 rows and 2 columns; needed: as many rows as M: 7", true);
  refused([](hid_t f) { remove(f, "fclib_local/R"); },
          "fclib_local/R: found nothing; needed: a group", false);
  refused([](hid_t f) { put(f, "fclib_local/R/n", std::vector<int>{3}); },
          "fclib_local/R: found 2 rows and 3 columns; needed: as many rows and columns as V has "
          "columns: 2",
          false);
  refused([](hid_t f) { put(f, "fclib_local/vectors/s", Numbers{}); },
          "fclib_local/vectors/s: found 0 numbers; needed: 2 numbers", false);
  fs::remove(path);
  c.write_local(path, {1., 2., 2., 4.});
  EXPECT_EQ(reading_error(path), path + ": fclib_local/R: found a singular matrix; needed: a "
                                        "regular matrix, to eliminate the equality constraints");
}
