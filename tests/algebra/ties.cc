// Ties with laws.

#include <percussion/algebra/ties.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace ties_tests {

using namespace percussion;

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Random positive definite compliances of n degrees of freedom, tied by random rows.
struct TiedSystem {
  unsigned int n;
  std::vector<double> compliance;
  std::vector<TieRow> rows;
  std::vector<double> free; ///< x without ties

  TiedSystem(unsigned int n_dofs, unsigned int n_rows, bool is_symmetric, unsigned int seed)
      : n(n_dofs), compliance(n * n, 0.), rows(n_rows), free(n) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1., 1.);
    std::vector<double> factor(n * n);
    for (double &entry : factor)
      entry = number(generator);
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        for (unsigned int k = 0; k < n; ++k)
          compliance[i * n + j] += factor[i * n + k] * factor[j * n + k] + (i == j ? 0.1 : 0.);
    for (TieRow &row : rows)
      for (unsigned int i = 0; i < n; ++i) {
        row.column.push_back(i);
        row.value.push_back(number(generator));
        if (!is_symmetric)
          row.left_value.push_back(row.value.back() + 0.05 * number(generator));
      }
    for (double &x : free)
      x = 3. * number(generator);
  }

  Ties started() const {
    Ties ties;
    ties.set(rows, n);
    ties.prepare(1, n, [&](std::size_t i, std::size_t j) { return compliance[i * n + j]; });
    ties.start(free.data());
    return ties;
  }

  /// Returns C x with these forces.
  std::vector<double> values(const std::vector<double> &t) const {
    std::vector<double> x = free, result;
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        for (std::size_t r = 0; r < rows.size(); ++r)
          x[i] -= compliance[i * n + j] * rows[r].value[j] * t[r];
    for (const TieRow &row : rows) {
      result.push_back(0.);
      for (unsigned int i = 0; i < n; ++i)
        result.back() += (row.left_value.empty() ? row.value : row.left_value)[i] * x[i];
    }
    return result;
  }
};

/// Expects that the law permits w with t.
void expect_law(const TieLaw &law, double w, double t, double tolerance) {
  double distance = unlimited;
  for (std::size_t k = 0; k < law.forces.size(); ++k) {
    const double below = k > 0 ? law.targets[k - 1] : -unlimited,
                 above = k < law.targets.size() ? law.targets[k] : unlimited;
    if (std::isfinite(law.forces[k]))
      distance = std::min(distance, std::max({std::abs(t - law.forces[k]), below - w, w - above}));
    if (k < law.targets.size())
      distance = std::min(
          distance, std::max({std::abs(w - above), law.forces[k] - t, t - law.forces[k + 1]}));
  }
  EXPECT_LT(distance, tolerance);
}

TEST(Ties, SatisfyTheirLaws) {
  const TieLaw limit{{-0.2}, {-unlimited, 0.}}, friction{{0.}, {-0.4, 0.4}},
      both{{-0.1, 0.3, 0.5}, {-unlimited, -0.2, 0., 0.2}};
  unsigned int n_held = 0, n_constant = 0;
  for (unsigned int seed = 0; seed < 300; ++seed) {
    TiedSystem system(7, 6, seed % 2 == 0, seed);
    system.rows[1].target = 0.3;
    system.rows[2].law = limit;
    system.rows[3].law = friction;
    system.rows[4].law = both;
    system.rows[5].law = limit;
    const Ties ties = system.started();
    const std::vector<double> w = system.values(ties.forces());
    double largest = 1.;
    for (const double t : ties.forces())
      largest = std::max(largest, std::abs(t));
    const double tolerance = 1e-9 * largest;
    EXPECT_NEAR(w[0], 0., tolerance);
    EXPECT_NEAR(w[1], 0.3, tolerance);
    for (const unsigned int r : {2u, 3u, 4u, 5u})
      expect_law(*system.rows[r].law, w[r], ties.forces()[r], tolerance);
    for (const unsigned int status : ties.statuses())
      ++(status % 2 == 1 ? n_held : n_constant);
  }
  EXPECT_GT(n_held, 200u);
  EXPECT_GT(n_constant, 200u);
}

/// Two equal limits share the force of one.
TEST(Ties, SatisfyRedundantLaws) {
  TiedSystem system(4, 1, true, 5);
  system.rows[0].law = TieLaw{{10.}, {-unlimited, 0.}};
  const double force = system.started().forces()[0];
  ASSERT_LT(force, -1e-2);
  system.rows.push_back(system.rows[0]);
  const Ties ties = system.started();
  EXPECT_NEAR(ties.forces()[0] + ties.forces()[1], force, 1e-12 * std::abs(force));
  EXPECT_NEAR(system.values(ties.forces())[0], 10., 1e-12);
}

/// A later force changes the forces of held ties only.
TEST(Ties, KeepTheirStatusesInLaterChanges) {
  TiedSystem system(4, 2, true, 2);
  system.rows[0].law = TieLaw{{0.}, {-1e-3, 1e-3}}; // too weak to hold
  system.rows[1].law = TieLaw{{0.}, {-1e3, 1e3}};
  Ties ties = system.started();
  const std::vector<double> before = ties.forces();
  ASSERT_EQ(std::abs(before[0]), 1e-3);
  ties.add({0.1, 0.2, -0.1, 0.3});
  EXPECT_EQ(ties.forces()[0], before[0]);
  EXPECT_NE(ties.forces()[1], before[1]);
}

} // namespace ties_tests
