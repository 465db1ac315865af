// Contacts posed on the whole of the matrix of the balance instead of with W.

#include <percussion/cone/global.h>
#include <percussion/dynamics/global_problem.h>
#include <percussion/dynamics/part.h>

#include <gtest/gtest.h>

#include "support/block.h"

namespace {

using namespace percussion;
using test::Block;

/// The cone with W, whose percussions are found by the global problem as well.
class Both : public ReactionSolver<2> {
public:
  unsigned int n_compared = 0, n_slipping = 0, n_sticking = 0;

  Both(const ConeOptions &options, double t)
      : cone(make_cone_reaction<2>(options, t, false)), global_options(options), theta(t) {
    global_options.method = ConeMethod::pdas;
  }

  void begin(const Interval &interval) override { cone->begin(interval); }
  const PosedProblem *posed() const override { return cone->posed(); }
  ReactionMemory memory(const ContactSystem &system) const override { return cone->memory(system); }
  void restore(const ReactionMemory &memory, ContactSystem &system) override {
    cone->restore(memory, system);
  }
  std::string solve(const PosedLaw<2> &law, const std::vector<double> &u, ContactSystem &system,
                    bool first, Reaction &reaction) override {
    const GlobalPose pose = pose_globally(law, u, reaction.p, theta, system);
    GlobalConeSolution found;
    found.p.assign(reaction.p.size(), 0.);
    found.v.assign(pose.problem.q.size(), 0.);
    solve_global(pose.problem, global_options, found);
    EXPECT_TRUE(found.converged);
    std::string failure = cone->solve(law, u, system, first, reaction);
    double largest = 0;
    for (const double p : reaction.p)
      largest = std::max(largest, std::abs(p));
    for (std::size_t r = 0; r < reaction.p.size(); ++r, ++n_compared)
      EXPECT_NEAR(pose.percussion_unit * found.p[r], reaction.p[r], 1e-10 * largest);
    for (const ContactStatus status : reaction.status) {
      n_slipping += status == ContactStatus::slip;
      n_sticking += status == ContactStatus::stick;
    }
    return failure;
  }

private:
  std::unique_ptr<ReactionSolver<2>> cone;
  ConeOptions global_options;
  double theta;
};

/// A block lands askew and slides on rough ground, one of its sides held or free.
TEST(GlobalProblem, HasThePercussionsOfTheReducedOne) {
  for (const double theta : {0.5, 0.7})
    for (const bool held : {false, true}) {
      Block block(
          test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2),
          Material<2>{
              1., 1., LinearElastic<2>::from_young(50., 0.3, Plane::strain), {0.01, 0., 0.}},
          dealii::Tensor<1, 2>({0., -1.}));
      block.add_contact("bottom", Block::ground(-0.02), ImpactLawKind::fremond, {}, 0.3);
      block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
        return {{0.3 - 0.1 * x[1], -0.4 + 0.1 * x[0]}};
      });
      if (held)
        block.prescribe("right", 0, PrescribedMotion<2>::Kind::velocity, "0.1");
      block.choices.h = 0.01;
      block.choices.theta = theta;
      block.start();
      auto reaction = std::make_unique<Both>(block.cone, theta);
      const Both &both = *reaction;
      Machinery<2> machinery{
          *block.bodies,
          *block.boundary,
          block.choices,
          ContactFinder<2>(*block.boundary),
          make_momentum(*block.bodies, block.choices, block.boundary->elastic_dofs()),
          std::move(reaction),
          make_vector(block.bodies->n_dofs()),
          block.state.force,
          {}};
      machinery.momentum->complete(block.state);
      for (unsigned int k = 0; k < 60; ++k) {
        const double t0 = block.state.time;
        StepRecord<2> record;
        ASSERT_EQ(take_part(block.state, {t0, t0 + 0.01, 0.01}, machinery, record), "");
      }
      EXPECT_GT(both.n_compared, 100u);
      EXPECT_GT(both.n_slipping, 10u);
      EXPECT_GT(both.n_sticking, 3u);
    }
}

} // namespace
