// W by blocks compared with dense W.

#include <percussion/dynamics/delassus.h>

#include <gtest/gtest.h>

#include "support/meshes.h"
#include "support/rigid.h"

namespace {

using namespace percussion;
using test::rectangle;
using test::RigidSystem;

/// Heaps of two tilted bricks on one that stands on the ground, all of the same kind at different
/// positions; an elastic block beside them.
struct Heaps {
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2);
  RigidSystem scene;

  Heaps(unsigned int begin, unsigned int end, bool has_elastic) {
    for (unsigned int heap = begin; heap < end; ++heap) {
      const double x = 10 + 4. * heap, turn = 1e-3 * (1 + heap % 5);
      scene.rigid.push_back(rectangle("lower", 2, 0.5, 2, dealii::Point<2>(x, 0.2499)));
      scene.rigid.push_back(rectangle("left", 0.8, 0.5, 1, dealii::Point<2>(x - 0.5, 0.75), turn));
      scene.rigid.push_back(
          rectangle("right", 0.8, 0.5, 1, dealii::Point<2>(x + 0.5, 0.75), -turn));
    }
    if (has_elastic)
      scene.add_elastic(
          *mesh, Material<2>{1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}});
    scene.gravity = dealii::Tensor<1, 2>({1., -10.});
    scene.choices.h = 5e-3;
    scene.add_contact(ImpactLawKind::fremond, {0.2, 0., 0.}, 0.3);
    scene.add_mutual_contact(ImpactLawKind::fremond, {0.1, 0., 0.}, 0.4);
    if (has_elastic) {
      auto &nodes = scene.add_contact(ImpactLawKind::fremond, {}, 0.3);
      nodes.own_side = ElasticRegion{"bottom"};
    }
    scene.make();
    for (unsigned int b = 0; b < scene.bodies->rigid.size(); ++b) {
      const unsigned int kind = b + 3 * begin;
      scene.v(b)[0] = 0.3 * std::sin(kind);
      scene.v(b)[1] = -0.2 - 0.1 * std::cos(kind);
      scene.v(b)[2] = 0.1 * std::sin(2 * kind);
    }
    scene.start();
  }
};

TEST(Delassus, ByBlocksIsTheDenseOne) {
  for (const bool has_elastic : {false, true}) {
    Heaps heaps(0, 30, has_elastic);
    RigidSystem &scene = heaps.scene;
    const Interval interval{0., scene.choices.h, scene.choices.h};
    const ContactFinder<2> finder(*scene.boundary);
    const ContactSetting<2> setting{scene.state, interval, finder, *scene.boundary, scene.choices};
    const auto law = pose_law(forecast(setting), nullptr, setting);
    ContactSystem &system = scene.step->momentum().system();
    system.set_contact_entries(law.H.entries);
    const double theta = 0.5;
    Delassus delassus;
    FrictionContactProblem problem;
    delassus.write(law.H, law.mu, 2, theta, system, problem);
    const std::size_t n = problem.n_contacts;
    ASSERT_GT(n, 100u);
    ASSERT_TRUE(problem.W.empty());
    const BlockSparseMatrix &blocks = problem.blocks;
    ASSERT_EQ(blocks.row_start.size(), n + 1);
    std::vector<double> dense(4 * n * n, 0.);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
        for (std::size_t k = 0; k < 2; ++k)
          for (std::size_t l = 0; l < 2; ++l)
            dense[(2 * i + k) * 2 * n + 2 * blocks.column[b] + l] =
                blocks.value[(b * 2 + k) * 2 + l];
    EXPECT_LT(4 * blocks.column.size(), n * n);
    double trace = 0, largest = 0;
    const ContactRows &H = law.H;
    for (unsigned int r = 0; r < 2 * n; ++r)
      for (unsigned int s = 0; s < 2 * n; ++s) {
        double expected = 0;
        for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k)
          for (unsigned int l = H.start[s]; l < H.start[s + 1]; ++l)
            expected +=
                theta * H.value[k] * H.value[l] * system.compliance(H.column[k], H.column[l]);
        expected *= delassus.mass_unit();
        largest = std::max(largest, expected);
        trace += r == s ? dense[r * 2 * n + s] : 0.;
        ASSERT_NEAR(dense[r * 2 * n + s], expected, 1e-14 * 100) << r << ' ' << s;
      }
    EXPECT_NEAR(trace, 2. * static_cast<double>(n), 1e-10);
    EXPECT_GT(largest, 1.);

    // W is written again only if it has changed.
    const auto version = problem.version;
    delassus.write(law.H, law.mu, 2, theta, system, problem);
    EXPECT_EQ(problem.version, version);
    EXPECT_TRUE(delassus.is_of(system));
    // Another μ changes the version, and keeps W, here recognisable by a marked entry.
    auto &entries_of_W = problem.W.empty() ? problem.blocks.value : problem.W;
    entries_of_W[0] = 12.;
    auto other_mu = law.mu;
    other_mu[0] += 0.1;
    delassus.write(law.H, other_mu, 2, theta, system, problem);
    EXPECT_NE(problem.version, version);
    EXPECT_EQ(problem.mu, other_mu);
    EXPECT_EQ(entries_of_W[0], 12.);
  }
}

/// Heaps without mutual contact move as each heap does alone, for which few contacts have a dense
/// W.
TEST(Delassus, ByBlocksGivesTheMotionOfTheDenseOne) {
  constexpr unsigned int n_heaps = 20, n_together = 5;
  Heaps all(0, n_heaps, false);
  std::vector<std::unique_ptr<Heaps>> apart;
  for (unsigned int begin = 0; begin < n_heaps; begin += n_together)
    apart.push_back(std::make_unique<Heaps>(begin, begin + n_together, false));
  unsigned int n_by_blocks = 0, n_dense = 0, n_compared = 0;
  for (unsigned int k = 0; k < 60; ++k) {
    all.scene.advance();
    ASSERT_LT(std::abs(all.scene.step->last().balance_residual), 1e-12 * all.scene.state.energy());
    const auto *const posed_problem = all.scene.step->posed_problem();
    n_by_blocks += posed_problem != nullptr && !posed_problem->problem.blocks.row_start.empty();
    for (unsigned int i = 0; i < apart.size(); ++i) {
      RigidSystem &some = apart[i]->scene;
      some.advance();
      const auto *const some_problem = some.step->posed_problem();
      n_dense += some_problem != nullptr && !some_problem->problem.W.empty();
      for (unsigned int b = 0; b < 3 * n_together; ++b)
        for (unsigned int d = 0; d < 3; ++d) {
          ASSERT_NEAR(some.q(b)[d], all.scene.q(3 * n_together * i + b)[d], 1e-9) << k;
          ASSERT_NEAR(some.v(b)[d], all.scene.v(3 * n_together * i + b)[d], 1e-7) << k;
          ++n_compared;
        }
    }
  }
  EXPECT_GT(n_by_blocks, 5u);
  EXPECT_GT(n_dense, 5u);
  EXPECT_EQ(n_compared, 60u * 3 * 3 * n_heaps);
}

} // namespace
