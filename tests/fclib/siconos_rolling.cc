// The problems with rolling friction of Siconos' tests, whose percussions obey the law.

#include <percussion/cone/solver.h>
#include <percussion/fclib/problem_file.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

namespace siconos_rolling {

using namespace percussion;
using Numbers = std::vector<double>;

const std::string folder = PERCUSSION_BINARY_DIR "/rolling_problems/";

/// Dense problem of contacts with five components, read word by word.
struct DenseProblem {
  std::size_t n_contacts = 0;
  Numbers W; ///< column by column
  Numbers q, mu, mu_r;

  explicit DenseProblem(const std::string &path) {
    std::ifstream in(path);
    std::size_t dimension = 0, storage = 0, n = 0;
    in >> dimension >> n_contacts >> storage >> n >> n >> n >> n;
    EXPECT_EQ(dimension, 5u);
    EXPECT_EQ(storage, 0u);
    EXPECT_EQ(n, 5 * n_contacts);
    for (auto *const values : {&W, &q, &mu, &mu_r}) {
      values->resize(values == &W ? n * n : values == &q ? n : n_contacts);
      for (double &value : *values)
        in >> value;
    }
    EXPECT_TRUE(in);
  }

  /// Returns W r + q.
  Numbers velocity(const Numbers &r) const {
    Numbers u = q;
    for (std::size_t column = 0; column < r.size(); ++column)
      for (std::size_t row = 0; row < r.size(); ++row)
        u[row] += W[column * r.size() + row] * r[column];
    return u;
  }
};

double largest(const Numbers &values) {
  double size = 0;
  for (const double value : values)
    size = std::max(size, std::abs(value));
  return size;
}

/// Fails unless percussions obey the law of each contact to a fraction of the largest velocity and
/// percussion: Signorini's law, and friction of largest dissipation in both disks.
void expect_law(const DenseProblem &problem, const Numbers &r, double tolerance) {
  const Numbers u = problem.velocity(r);
  const double force = tolerance * largest(r), speed = tolerance * largest(problem.q),
               power = force * largest(problem.q);
  const auto expect_disk = [&](const double *p, const double *slip, double limit) {
    EXPECT_LE(std::hypot(p[0], p[1]), limit + force);
    EXPECT_NEAR(p[0] * slip[0] + p[1] * slip[1] + limit * std::hypot(slip[0], slip[1]), 0., power);
  };
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    SCOPED_TRACE(i);
    const double *const p = &r[5 * i], *const velocity = &u[5 * i];
    EXPECT_GE(p[0], -force);
    EXPECT_GE(velocity[0], -speed);
    EXPECT_NEAR(p[0] * velocity[0], 0., power);
    expect_disk(p + 1, velocity + 1, problem.mu[i] * p[0]);
    expect_disk(p + 3, velocity + 3, problem.mu_r[i] * p[0]);
  }
}

/// Solution of the problem of contacts and moments.
struct Solved {
  FclibFile file;
  ConeSolution solution;
};

Solved solve_file(const std::string &name, double tolerance) {
  Solved solved{read_problem_file(folder + name), {}};
  ConeOptions options;
  options.tolerance = tolerance;
  ConeSolver(options).solve(std::get<FrictionContactProblem>(solved.file.problem), solved.solution);
  EXPECT_TRUE(solved.solution.converged) << name;
  EXPECT_LE(solved.solution.residual, tolerance) << name;
  return solved;
}

/// Returns the percussions in the order of the file: five components of each contact.
Numbers stored_order(const Solved &solved) {
  const RollingForm &form = solved.file.rolling.value();
  const std::size_t n = form.n_contacts;
  Numbers r;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      r.push_back(solved.solution.p[3 * i + k]);
    for (std::size_t k = 1; k < 3; ++k)
      r.push_back(form.length * solved.solution.p[3 * (n + i) + k]);
  }
  return r;
}

TEST(SiconosRollingProblems, AreSolvedByPercussionsThatObeyTheLaw) {
  for (const std::string name :
       {"RFC3D_sphere_1.dat", "RFC3D_sphere_2.dat", "RFC3D_cube_1.dat",
        "rfc3d_sphere_from_grfc3d_dense.dat", "rockfall_14_25792.dat", "rockfall_21_54029.dat"}) {
    SCOPED_TRACE(name);
    const DenseProblem problem(folder + name);
    expect_law(problem, stored_order(solve_file(name, 1e-8)), 1e-7);
    expect_law(problem, stored_order(solve_file(name, 1e-12)), 1e-10);
  }
}

/// Velocities are unique; the text of one of two files of a problem has six digits.
TEST(SiconosRollingProblems, HaveTheSameSolutionInAllFormats) {
  for (const auto &[first, second] :
       {std::pair("rfc3d_sphere_from_grfc3d_dense.dat", "rfc3d_sphere_from_grfc3d.dat"),
        std::pair("GRFC3D_Chute-ndof-768-nc-4-3.dat", "Chute-ndof-768-nc-4-3.hdf5")}) {
    const Solved a = solve_file(first, 1e-10), b = solve_file(second, 1e-10);
    ASSERT_EQ(a.solution.u.size(), b.solution.u.size());
    const double size = std::max(largest(a.solution.u), largest(a.solution.p));
    for (std::size_t k = 0; k < a.solution.u.size(); ++k)
      EXPECT_NEAR(a.solution.u[k], b.solution.u[k], 1e-5 * size) << first << ' ' << k;
  }
}

} // namespace siconos_rolling
