// Steps of linear bodies by conjugate gradients compared with steps by a factor.

#include <gtest/gtest.h>

#include "same_bits.h"
#include "support/block.h"

namespace conjugate_gradients {

using namespace percussion;
using Body = test::BlockIn<3>;
using Point = dealii::Point<3>;

/// Returns a block that falls obliquely on the ground and slips, or is pressed on it by its
/// prescribed top.
Body falling(CellShape shape, LinearSolver solver, bool is_driven) {
  Body body(
      test::box(shape, Point(1, 1, 1), {4, 5, 4}, 0.1),
      Material<3>{1., 1., LinearElastic<3>::from_young(20., 0.3, Plane::strain), {0.01, 0., 0.}},
      dealii::Tensor<1, 3>({0.1, 0.2, -1.}));
  body.add_contact("bottom", Body::ground(is_driven ? 0. : -0.02), ImpactLawKind::fremond, {}, 0.3);
  if (is_driven) {
    body.prescribe("top", 2, PrescribedMotion<3>::Kind::velocity, "-0.1*sin(10*t)");
    body.prescribe("top", 0, PrescribedMotion<3>::Kind::velocity, "0.2*sin(5*t)");
  } else
    body.set(body.state.v, [](const Point &x) {
      return std::array<double, 3>{{0.5 - 0.2 * x[1], 0.3 + 0.2 * x[0], -1. + 0.1 * x[0]}};
    });
  body.choices.linear_solver = solver;
  body.choices.h = 0.02;
  return body;
}

/// The steps are the same, and the balances close as accurately.
TEST(ConjugateGradients, TakeTheStepsOfTheFactor) {
  for (const auto shape : {CellShape::simplex, CellShape::hypercube})
    for (const bool is_driven : {false, true}) {
      Body direct = falling(shape, LinearSolver::direct, is_driven);
      Body iterative = falling(shape, LinearSolver::conjugate_gradients, is_driven);
      direct.start();
      iterative.start();
      EXPECT_FALSE(direct.step->momentum().system().is_iterative());
      EXPECT_TRUE(iterative.step->momentum().system().is_iterative());
      double largest = direct.state.energy();
      unsigned int n_stick = 0, n_slip = 0;
      for (unsigned int k = 0; k < 80; ++k) {
        SCOPED_TRACE("step " + std::to_string(k + 1) + (is_driven ? ", driven" : ""));
        const auto &expected = direct.advance();
        const auto &record = iterative.advance();
        largest = std::max(largest, std::abs(direct.state.energy()));
        ASSERT_EQ(test::statuses(record), test::statuses(expected));
        ASSERT_NEAR(iterative.state.kinetic, direct.state.kinetic, 1e-10 * largest);
        ASSERT_NEAR(iterative.state.strain, direct.state.strain, 1e-10 * largest);
        ASSERT_LT(std::abs(record.balance_residual), 1e-12 * largest);
        n_slip += record.n_sliding;
        for (const auto &contact : record.contacts)
          n_stick += contact.status == ContactStatus::stick;
      }
      EXPECT_GT(n_slip, 50u);
      EXPECT_GT(n_stick, is_driven ? 50u : 0u);
    }
}

/// A resumed run continues bit for bit, although it computes columns of the inverse at other times.
TEST(ConjugateGradients, AreTheSameEveryTime) {
  Body one = falling(CellShape::hypercube, LinearSolver::conjugate_gradients, false);
  one.start();
  for (unsigned int k = 0; k < 20; ++k)
    one.advance();
  Body other = falling(CellShape::hypercube, LinearSolver::conjugate_gradients, false);
  other.start();
  other.state = one.state;
  other.step->restore(other.state, one.step->memory());
  for (unsigned int k = 0; k < 10; ++k) {
    one.advance();
    other.advance();
    ASSERT_TRUE(test::same_bits(one.state.q, other.state.q)) << k;
  }
}

} // namespace conjugate_gradients
