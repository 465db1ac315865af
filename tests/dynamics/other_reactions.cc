// Laws of contact other than the cone, with the same interface: the ledger closes with them.

#include <percussion/dynamics/advance_substep.h>
#include <percussion/dynamics/delassus.h>
#include <percussion/material/hyperelastic.h>

#include <deal.II/lac/full_matrix.h>
#include <gtest/gtest.h>

#include "support/block.h"
#include "support/machinery.h"

namespace {

using namespace percussion;
using test::Block;
using test::hyperelastic;

/// Percussions p_N = −h f(g0, g1) without friction for a gap that changes from g0 to g1 = g0 + h
/// u_N, found by Newton's method with W.
class NormalForce : public ReactionSolver<2> {
public:
  explicit NormalForce(double t) : theta(t) {}

  void start_interval(const Interval &interval) override { h = interval.h; }
  const PosedProblem *posed_problem() const override { return nullptr; }
  ReactionMemory memory(const ContactSystem &) const override { return {}; }
  void restore(const ReactionMemory &, ContactSystem &) override {}

  std::optional<Failure> solve(const PosedLaw<2> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage,
                               Reaction &reaction) override {
    delassus.write(law.H, law.mu, 2, theta, system, problem);
    const auto n = static_cast<unsigned int>(law.active.contacts.size());
    const auto W = [&](unsigned int i, unsigned int j) {
      return problem.W[2 * i * 2 * n + 2 * j] / delassus.mass_unit();
    };
    const std::vector<double> applied = reaction.p;
    reaction.iterations = 0;
    for (double change = 1., size = 1.; change > 1e-12 * size;) {
      if (++reaction.iterations > 50)
        return Failure{"no percussions were found"};
      dealii::FullMatrix<double> slope(n, n);
      dealii::Vector<double> residual(n), step(n);
      for (unsigned int i = 0; i < n; ++i) {
        double u_N = u[2 * i];
        for (unsigned int j = 0; j < n; ++j)
          u_N += W(i, j) * (reaction.p[2 * j] - applied[2 * j]);
        const double g0 = law.active.contacts[i].gap;
        const auto [f, df] = force(g0, g0 + h * u_N);
        residual(i) = -(reaction.p[2 * i] + h * f);
        for (unsigned int j = 0; j < n; ++j)
          slope(i, j) = (i == j ? 1. : 0.) + h * h * df * W(i, j);
      }
      if (n > 0)
        slope.gauss_jordan();
      change = size = 0;
      if (n > 0)
        slope.vmult(step, residual);
      for (unsigned int i = 0; i < n; ++i) {
        reaction.p[2 * i] += step(i);
        change = std::max(change, std::abs(step(i)));
        size = std::max(size, std::abs(reaction.p[2 * i]));
      }
    }
    reaction.status.resize(n);
    reaction.energy = 0;
    for (unsigned int i = 0; i < n; ++i) {
      double u_N = u[2 * i];
      for (unsigned int j = 0; j < n; ++j)
        u_N += W(i, j) * (reaction.p[2 * j] - applied[2 * j]);
      const double g0 = law.active.contacts[i].gap;
      reaction.energy += potential(g0 + h * u_N) - potential(g0);
      reaction.status[i] = reaction.p[2 * i] > 0. ? ContactStatus::slip : ContactStatus::open;
    }
    return {};
  }

protected:
  /// Returns f and ∂f/∂g1.
  virtual std::pair<double, double> force(double g0, double g1) const = 0;
  /// Returns the energy stored in a contact.
  virtual double potential(double) const { return 0; }

  double theta, h = 0;

private:
  Delassus delassus;
  FrictionContactProblem problem;
};

/// A spring without tension, V = ½ k min(g, 0)², by its discrete gradient: f (g1 − g0) = ΔV.
class Spring : public NormalForce {
public:
  Spring(double t, double stiffness) : NormalForce(t), k(stiffness) {}

  double potential(double g) const override { return g < 0. ? 0.5 * k * g * g : 0.; }

protected:
  std::pair<double, double> force(double g0, double g1) const override {
    if (g0 <= 0. && g1 <= 0.)
      return {0.5 * k * (g0 + g1), 0.5 * k};
    if (g0 >= 0. && g1 >= 0.)
      return {0., 0.};
    const double f = (potential(g1) - potential(g0)) / (g1 - g0);
    return {f, (k * std::min(g1, 0.) - f) / (g1 - g0)};
  }

private:
  double k;
};

/// A dashpot that resists in both directions if the gap is closed.
class Dashpot : public NormalForce {
public:
  Dashpot(double t, double viscosity) : NormalForce(t), c(viscosity) {}

protected:
  std::pair<double, double> force(double g0, double g1) const override {
    return g0 < 0. ? std::pair{c * (g1 - g0) / h, c / h} : std::pair{0., 0.};
  }

private:
  double c;
};

/// A block above the ground whose steps use another reaction.
struct Scene {
  Block block;
  std::unique_ptr<Machinery<2>> machinery;

  Scene(const Material<2> &material, double theta, const dealii::Tensor<1, 2> &gravity)
      : block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2), material, gravity) {
    // All nodes participate at any distance.
    block.add_contact("bottom", Block::ground(-0.05), ImpactLawKind::fremond, {}, 0.)
        .gap_tolerance = 1e3;
    block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
      return {{0.1 - 0.1 * x[1], -0.4 + 0.1 * x[0]}};
    });
    block.choices.h = 0.02;
    block.choices.theta = theta;
    block.choices.newton_tolerance = 1e-12;
  }

  void start(std::unique_ptr<ReactionSolver<2>> reaction) {
    block.start();
    machinery = test::machinery<2>(block, std::move(reaction));
  }

  StepRecord<2> advance() {
    const double t0 = block.state.time, h = block.choices.h;
    StepRecord<2> record;
    EXPECT_FALSE(advance_substep(block.state, {t0, t0 + h, h}, *machinery, record));
    return record;
  }
};

class OtherReactions : public ::testing::TestWithParam<bool> {
protected:
  Material<2> material() const {
    return GetParam()
               ? hyperelastic(Ogden{0.5, 0.15, 0.35, Plane::strain})
               : Material<2>{1., 1., LinearElastic<2>::from_young(5., 0.3, Plane::strain), {}};
  }
};

/// A spring returns its stored energy: the energy of bodies and springs is constant, and the total
/// work of the contacts is zero.
TEST_P(OtherReactions, SpringsStoreEnergy) {
  const double stiffness = 2.;
  for (const double theta : {0.5, 0.7}) {
    Scene scene(material(), theta, {});
    auto spring = std::make_unique<Spring>(theta, stiffness);
    const Spring &law = *spring;
    scene.start(std::move(spring));
    Block &block = scene.block;
    const auto stored = [&] {
      double sum = 0;
      for (const auto &contact : block.state.found.contacts)
        sum += law.potential(contact.gap);
      return sum;
    };
    const double initial = block.state.energy();
    double largest_stored = 0, numerical = 0;
    for (unsigned int k = 0; k < 200; ++k) {
      const double before = block.state.energy();
      const auto record = scene.advance();
      ASSERT_EQ(record.contacts.size(), 9u);
      ASSERT_LT(std::abs(record.balance_residual), 2e-13 * initial) << k;
      ASSERT_NEAR(record.works.contact_normal, 0., 1e-13 * initial) << k;
      ASSERT_EQ(record.works.contact_tangential, 0.);
      ASSERT_NEAR(block.state.energy() - before, record.works.numerical, 3e-13 * initial) << k;
      ASSERT_NEAR(block.state.contact_potential, stored(), 1e-12 * initial) << k;
      numerical += record.works.numerical;
      largest_stored = std::max(largest_stored, stored());
    }
    EXPECT_GT(largest_stored, 0.1 * initial);
    EXPECT_GT(block.momentum()[1], 0.); // the block returned
    EXPECT_EQ(stored(), 0.);
    EXPECT_NEAR(block.state.energy(), initial + numerical, 1e-11 * initial);
    EXPECT_EQ(numerical < -1e-3 * initial, theta != 0.5);
  }
}

/// A dashpot only dissipates.
TEST_P(OtherReactions, DashpotsDissipate) {
  Scene scene(material(), 0.5, dealii::Tensor<1, 2>({0., -0.2}));
  scene.start(std::make_unique<Dashpot>(0.5, 0.3));
  Block &block = scene.block;
  double scale = block.state.energy(), taken = 0;
  for (unsigned int k = 0; k < 200; ++k) {
    const auto record = scene.advance();
    scale = std::max(scale, block.state.energy());
    ASSERT_LT(std::abs(record.balance_residual), 2e-13 * scale) << k;
    ASSERT_LE(record.works.contact_normal, 1e-15);
    taken -= record.works.contact_normal;
  }
  EXPECT_GT(taken, 0.1 * scale);
}

INSTANTIATE_TEST_SUITE_P(Materials, OtherReactions, ::testing::Values(false, true),
                         [](const auto &large) {
                           return std::string(large.param ? "Hyperelastic" : "Linear");
                         });

} // namespace
