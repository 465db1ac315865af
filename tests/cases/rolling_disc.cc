// A rolling disc of St. Venant and Kirchhoff's law: objectivity, the ledger, the acceleration.

#include "cases/reference_runs.h"

namespace {

using namespace cases;

/// In the first turn, x(t) is within 1 % of rolling without slip.
TEST(RollingDisc, RollsAtTwoThirdsOfASlidingBody) {
  SteppedCase run("rolling_disc", {});
  const Space<2> &space = run.c.bodies->elastic.front()->space;
  unsigned int middle = 0;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    if (space.nodes[i].distance({0., 0.1}) < space.nodes[middle].distance({0., 0.1}))
      middle = i;
  double largest = 0, worst = 0;
  const auto x = [&] { return run.state.q[space.node_dofs[middle][0]]; };
  while (x() < 2. * dealii::numbers::PI * 0.1) {
    const auto &record = run.advance();
    largest = std::max(largest, run.state.energy());
    worst = std::max(worst, std::abs(record.balance_residual));
    ASSERT_TRUE(record.changes.empty()) << run.state.time; // no step is cut
    ASSERT_LE(record.normal_work_max, 1e-12 * largest);
    ASSERT_LE(record.tangential_work_max, 1e-12 * largest);
  }
  const double t = run.state.time, g = 9.81, alpha = dealii::numbers::PI / 18.;
  EXPECT_NEAR(x() / (0.5 * 2. / 3. * g * std::sin(alpha) * t * t), 1., 0.01);
  EXPECT_LT(worst, 1e-12 * largest);
  EXPECT_LT(run.state.strain, 0.1 * run.state.kinetic); // a linear law would make the disc swell
}

} // namespace
