// Mixing of corrections: its exact solutions, and its effect on the cost of a step only.

#include <percussion/algebra/mixing.h>
#include <percussion/dynamics/advance_substep.h>
#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/machinery.h"
#include <random>
#include <utility>

namespace {

using namespace percussion;
using test::Block;
using test::hyperelastic;

/// Map v + δ(v) with δ = b − A v and A far from the identity, and p an affine function of v + δ.
struct AffineMap {
  unsigned int n;
  std::vector<double> A, b;

  explicit AffineMap(unsigned int size) : n(size), A(std::size_t(size) * size), b(size) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> entry(-0.4, 0.4);
    for (double &a : A)
      a = entry(random);
    for (unsigned int i = 0; i < n; ++i) {
      A[i * n + i] += 1.;
      b[i] = entry(random);
    }
  }

  void delta(const Vector &v, Vector &result) const {
    for (unsigned int i = 0; i < n; ++i) {
      result[i] = b[i];
      for (unsigned int j = 0; j < n; ++j)
        result[i] -= A[i * n + j] * v[j];
    }
  }
  static double percussion(double first, double second) { return 3. * first - second + 0.7; }
};

TEST(MixingOfCorrections, SolvesAnAffineMapInAsManyStepsAsItHasUnknowns) {
  const unsigned int n = 6;
  const AffineMap map(n);
  Vector v(n), delta(n);
  Mixing mixing;
  std::vector<double> p;
  double first = 0, last = 0;
  for (unsigned int k = 0; k <= n + 1; ++k) {
    map.delta(v, delta);
    last = delta.l2_norm();
    first = k == 0 ? last : first;
    p = {AffineMap::percussion(v[0] + delta[0], v[1] + delta[1])};
    mixing.mix(v, n, delta, p);
    v += delta;
    EXPECT_NEAR(p[0], AffineMap::percussion(v[0], v[1]), 1e-12) << k;
    EXPECT_EQ(last < 1e-10 * first, k == n + 1) << k; // v is the solution after n + 1 corrections
  }
}

// An affine map of more unknowns than differences are kept: the oldest make room, and percussions
// and velocities are still combined with the same coefficients.
TEST(MixingOfCorrections, ConvergesWithFewerDifferencesThanUnknowns) {
  const unsigned int n = 40;
  AffineMap map(n);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
      map.A[i * n + j] = i == j ? 0.1 + i / 50. : 0.01 * map.A[i * n + j];
  Vector v(n), delta(n);
  Mixing mixing;
  std::vector<double> p, sizes;
  for (unsigned int k = 0; k < 50; ++k) {
    map.delta(v, delta);
    sizes.push_back(delta.l2_norm());
    p = {AffineMap::percussion(v[0] + delta[0], v[1] + delta[1])};
    mixing.mix(v, n, delta, p);
    v += delta;
    EXPECT_NEAR(p[0], AffineMap::percussion(v[0], v[1]), 1e-11) << k;
  }
  // Without mixing, 0.9^50 = 5e-3 of δ would be left.
  EXPECT_LT(sizes.back(), 1e-9 * sizes.front());
}

TEST(MixingOfCorrections, BeginsAnewOnceCleared) {
  const AffineMap map(4);
  Vector v(4), delta(4);
  Mixing mixing;
  std::vector<double> p;
  for (unsigned int k = 0; k < 3; ++k) {
    map.delta(v, delta);
    mixing.mix(v, 4, delta, p);
    v += delta;
  }
  mixing.clear();
  map.delta(v, delta);
  const Vector alone = delta;
  mixing.mix(v, 4, delta, p);
  delta -= alone;
  EXPECT_LT(delta.l2_norm(), 1e-15 * alone.l2_norm());
}

TEST(MixingOfCorrections, MeasuresTheFirstEntriesOnly) {
  // The second component is an affine function of the first: it follows for any size of its δ.
  Vector v(2), delta(2);
  Mixing mixing;
  std::vector<double> p;
  for (unsigned int k = 0; k < 3; ++k) {
    delta[0] = 1. - 3. * v[0];
    delta[1] = 1e6 * (v[0] + delta[0]) - v[1];
    mixing.mix(v, 1, delta, p);
    v += delta;
  }
  EXPECT_NEAR(v[0], 1. / 3., 1e-15);
  EXPECT_NEAR(v[1], 1e6 / 3., 1e-9);
}

/// Cone reaction that reports settled statuses at every second correction only, so that corrections
/// are not mixed.
class Unmixed : public ReactionSolver<2> {
public:
  explicit Unmixed(std::unique_ptr<ReactionSolver<2>> reaction) : cone(std::move(reaction)) {}

  void start_interval(const Interval &interval) override { cone->start_interval(interval); }
  const PosedProblem *posed_problem() const override { return cone->posed_problem(); }
  ReactionMemory memory(const ContactSystem &system) const override { return cone->memory(system); }
  void restore(const ReactionMemory &memory, ContactSystem &system) override {
    cone->restore(memory, system);
  }
  std::optional<Failure> solve(const PosedLaw<2> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    is_even = !stage.is_first && !is_even;
    std::optional<Failure> failure = cone->solve(law, u, system, stage, reaction);
    reaction.converged = reaction.converged && is_even;
    return failure;
  }

private:
  std::unique_ptr<ReactionSolver<2>> cone;
  bool is_even = false;
};

/// A block of rubber hits the ground at such a speed and in such long steps that its cells deform
/// by a third in one step.
struct Impact {
  Block block;
  std::unique_ptr<Machinery<2>> machinery;
  StepRecord<2> record;
  unsigned int cost = 0; ///< number of corrections; a step with another Â counts as 12 more

  Impact(bool mixed, ImpactLawKind law)
      : block(test::rectangle(CellShape::simplex, 2, 1, 24, 12, 0.2),
              hyperelastic(Ogden{0.5, 0.15, 0.35, Plane::strain})) {
    const Scheme &named = scheme("pdas-leapfrog");
    block.use(named);
    block.add_contact("bottom", Block::ground(-0.01), law, {}, 0.2);
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{0.3 - 0.1 * x[1], -0.6 + 0.2 * x[0]}};
    });
    block.choices.h = 0.04;
    block.choices.newton_tolerance = 1e-13;
    block.choices.max_newton_iterations = 200;
    block.start();
    auto cone = make_cone_reaction<2>(block.cone, 0.5, true);
    machinery = test::machinery<2>(block, mixed ? std::move(cone)
                                                : std::make_unique<Unmixed>(std::move(cone)));
  }

  std::vector<double> matrix() const { return machinery->momentum->balance().memory().values; }

  void advance() {
    const double t0 = block.state.time, h = block.choices.h;
    record = {};
    const std::vector<double> last_matrix = matrix();
    ASSERT_FALSE(advance_substep(block.state, {t0, t0 + h, h}, *machinery, record));
    cost += record.solver_iterations + (matrix() == last_matrix ? 0 : 12);
  }
};

/// Takes the same steps with and without mixing, and compares them. Returns the costs with
/// and without.
std::pair<unsigned int, unsigned int> compare_steps(ImpactLawKind law) {
  Impact mixed(true, law), plain(false, law);
  const double energy = mixed.block.state.energy();
  unsigned int n_contacts = 0;
  double strain = 0;
  for (unsigned int k = 0; k < 12; ++k) {
    mixed.advance();
    plain.advance();
    EXPECT_LT(std::abs(mixed.record.balance_residual), 3e-13 * energy) << k;
    EXPECT_LT(std::abs(plain.record.balance_residual), 3e-13 * energy) << k;
    EXPECT_EQ(test::statuses(mixed.record), test::statuses(plain.record)) << k;
    Vector difference = mixed.block.state.q;
    difference -= plain.block.state.q;
    EXPECT_LT(difference.linfty_norm(), 1e-11) << k; // relative to a body of length 2
    const auto p = test::percussions(mixed.record), q = test::percussions(plain.record);
    for (std::size_t i = 0; i < p.size(); ++i)
      EXPECT_NEAR(p[i], q[i], 1e-11) << k;
    n_contacts += static_cast<unsigned int>(p.size()) / 2;
    strain = std::max(strain, mixed.block.state.strain);
  }
  EXPECT_GT(n_contacts, 50u);
  EXPECT_GT(strain, 0.1 * energy);
  return {mixed.cost, plain.cost};
}

TEST(MixingOfCorrections, ChangesNothingOfAStepButItsCost) {
  const auto [mixed, plain] = compare_steps(scheme("pdas-leapfrog").paper_law);
  EXPECT_LT(1.3 * mixed, plain);
}

// Restitutions are raised when the balance is nearly satisfied: on both ways at the same contacts.
TEST(MixingOfCorrections, ChangesNoRaisedRestitution) {
  const auto [mixed, plain] = compare_steps(scheme("pdas-leapfrog").law);
  EXPECT_LT(mixed, plain);
  // Raising begins as soon as the balance permits, and not when the statuses have settled.
  EXPECT_LT(mixed, 1.3 * compare_steps(scheme("pdas-leapfrog").paper_law).first);
}

} // namespace
