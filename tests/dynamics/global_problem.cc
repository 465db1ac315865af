// Contacts posed with the whole matrix of the balance instead of W.

#include <percussion/cone/global.h>
#include <percussion/dynamics/advance_substep.h>
#include <percussion/dynamics/global_problem.h>

#include <gtest/gtest.h>

#include "support/block.h"
#include "support/machinery.h"

namespace {

using namespace percussion;
using test::Block;

/// Cone reaction with W that also solves the global problem for the same percussions.
template <int dim>
class Both : public ReactionSolver<dim> {
public:
  unsigned int n_compared = 0, n_slipping = 0, n_sticking = 0;

  Both(const ConeOptions &options, double t)
      : cone(make_cone_reaction<dim>(options, t, false)), global_options(options), theta(t) {
    global_options.method = ConeMethod::pdas;
  }

  void start_interval(const Interval &interval) override { cone->start_interval(interval); }
  const PosedProblem *posed_problem() const override { return cone->posed_problem(); }
  ReactionMemory memory(const ContactSystem &system) const override { return cone->memory(system); }
  void restore(const ReactionMemory &memory, ContactSystem &system) override {
    cone->restore(memory, system);
  }
  std::optional<Failure> solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    std::vector<double> velocity = u;
    for (std::size_t r = 0; r < u.size(); ++r)
      velocity[r] += reaction.offset[r];
    const GlobalPose pose = pose_globally(law, velocity, reaction.p, theta, system);
    GlobalConeSolution found;
    found.p.assign(reaction.p.size(), 0.);
    found.v.assign(pose.problem.q.size(), 0.);
    solve_global(pose.problem, global_options, found);
    EXPECT_TRUE(found.converged);
    std::optional<Failure> failure = cone->solve(law, u, system, stage, reaction);
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
  std::unique_ptr<ReactionSolver<dim>> cone;
  ConeOptions global_options;
  double theta;
};

/// Takes steps of 0.01 with both solutions.
template <int dim>
void compare(test::BlockIn<dim> &block, double theta) {
  block.choices.h = 0.01;
  block.choices.theta = theta;
  block.start();
  auto reaction = std::make_unique<Both<dim>>(block.cone, theta);
  const Both<dim> &both = *reaction;
  const auto machinery = test::machinery<dim>(block, std::move(reaction));
  for (unsigned int k = 0; k < 60; ++k) {
    const double t0 = block.state.time;
    StepRecord<dim> record;
    ASSERT_FALSE(advance_substep(block.state, {t0, t0 + 0.01, 0.01}, *machinery, record));
  }
  EXPECT_GT(both.n_compared, 100u);
  EXPECT_GT(both.n_slipping, 10u);
  EXPECT_GT(both.n_sticking, 3u);
}

/// A block lands obliquely and slides on rough ground, with one of its sides held or free.
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
      compare(block, theta);
    }
}

/// In 3D, the nodes of two sides are held in a direction along inclined ground.
TEST(GlobalProblem, HasThePercussionsOfNodesThatAreHeldAlongTheGround) {
  test::BlockIn<3> block(
      test::box(CellShape::simplex, dealii::Point<3>(1, 0.5, 0.5), {4, 2, 2}, 0.2),
      Material<3>{1., 1., LinearElastic<3>::from_young(50., 0.3, Plane::strain), {0.01, 0., 0.}},
      dealii::Tensor<1, 3>({0., 0., -1.}));
  Surface<3> ground;
  ground.shape = HalfPlane<3>{dealii::Point<3>(0., 0., -0.02),
                              dealii::Tensor<1, 3>({0.1, 0., std::sqrt(0.99)})};
  block.add_contact("bottom", ground, ImpactLawKind::fremond, {}, 0.3);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 3> {
    return {{0.3 - 0.1 * x[2], 0., -0.4 + 0.1 * x[0]}};
  });
  for (const std::string side : {"front", "back"})
    block.prescribe(side, 1, PrescribedMotion<3>::Kind::displacement, "0");
  compare(block, 0.5);
  unsigned int n_held = 0;
  for (const auto &contact : block.state.found.contacts) {
    const auto &point = block.boundary->points[contact.point];
    const bool held = block.boundary->trace.is_prescribed(point.entry + 1);
    n_held += held;
    EXPECT_EQ(point.friction, 0.3);
    if (const auto *memory = block.state.history.find(contact.key); memory != nullptr && held) {
      const auto frame = local_frame<3>(contact.normal);
      double along_y = 0;
      for (unsigned int r = 0; r < 3; ++r)
        along_y += memory->percussion[r] * frame[r][1];
      EXPECT_NEAR(along_y, 0., 1e-12);
    }
  }
  EXPECT_EQ(n_held, 10u);
}

} // namespace
