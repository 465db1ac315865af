// Contacts solved by projected iterations compared with contacts condensed to a dense operator.

#include <gtest/gtest.h>

#include "support/block.h"

namespace projected_contacts {

using namespace percussion;
using Body = test::BlockIn<3>;
using Point = dealii::Point<3>;

/// Motion of a block on the ground.
enum class Motion {
  falling, ///< falls obliquely, slips and takes off
  driven,  ///< pressed on the ground by its top, which moves
  guided   ///< as driven, with a side in a plane of symmetry
};

struct Setting {
  std::string scheme;
  CellShape shape;
  Motion motion;
  LinearSolver solver = LinearSolver::automatic;
  double young = 20, h = 0.02;
};

Body block(const Setting &s, ContactElimination elimination) {
  Body body(test::box(s.shape, Point(1, 1, 1), {4, 5, 4}, s.motion == Motion::guided ? 0. : 0.1),
            Material<3>{
                1., 1., LinearElastic<3>::from_young(s.young, 0.3, Plane::strain), {0.01, 0., 0.}},
            dealii::Tensor<1, 3>({0.1, 0.2, -1.}));
  const Scheme &named = scheme(s.scheme);
  body.add_contact("bottom", Body::ground(s.motion == Motion::falling ? -0.02 : 0.), named.law,
                   {0.3, 0., 0.}, 0.3);
  body.use(named);
  if (s.motion != Motion::falling) {
    body.prescribe("top", 2, PrescribedMotion<3>::Kind::velocity, "-0.1*sin(10*t)");
    body.prescribe("top", 1, PrescribedMotion<3>::Kind::velocity, "0.2*sin(5*t)");
  } else
    body.set(body.state.v, [](const Point &x) {
      return std::array<double, 3>{{0.5 - 0.2 * x[1], 0.3 + 0.2 * x[0], -1. + 0.1 * x[0]}};
    });
  if (s.motion == Motion::guided)
    body.prescribe("left", 0, PrescribedMotion<3>::Kind::velocity, "0");
  body.choices.contact_elimination = elimination;
  body.choices.linear_solver =
      elimination == ContactElimination::projected ? s.solver : LinearSolver::automatic;
  body.choices.h = s.h;
  return body;
}

/// Statuses met in a run.
struct Counts {
  unsigned int stick = 0, slip = 0, open = 0;
};

/// Advances both bodies and compares them step by step.
Counts compare(Body &condensed, Body &projected, unsigned int n_steps) {
  condensed.start();
  projected.start();
  Counts counts;
  double largest = condensed.state.energy();
  for (unsigned int k = 0; k < n_steps; ++k) {
    SCOPED_TRACE("step " + std::to_string(k + 1));
    const auto &expected = condensed.advance();
    const auto &record = projected.advance();
    largest = std::max(largest, std::abs(condensed.state.energy()));
    EXPECT_EQ(test::statuses(record), test::statuses(expected));
    EXPECT_NEAR(projected.state.kinetic, condensed.state.kinetic, 1e-9 * largest);
    EXPECT_NEAR(projected.state.strain, condensed.state.strain, 1e-9 * largest);
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * largest);
    EXPECT_LE(record.solver_residual, 1e-12);
    if (testing::Test::HasFailure())
      return counts;
    // A condensed problem is recorded, a projected one has no dense operator.
    EXPECT_EQ(projected.step->posed_problem() != nullptr, record.contacts.empty());
    for (const auto &contact : record.contacts) {
      counts.stick += contact.status == ContactStatus::stick;
      counts.slip += contact.status == ContactStatus::slip;
      counts.open += contact.status == ContactStatus::open;
    }
  }
  return counts;
}

/// Statuses and energies are those of the condensed problem, for all schemes with laws for
/// velocities, and the balance closes.
TEST(ProjectedContacts, HaveTheStatusesAndEnergiesOfCondensedContacts) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog", "moreau-jean"})
    for (const auto shape : {CellShape::hypercube, CellShape::simplex})
      for (const auto motion : {Motion::falling, Motion::driven, Motion::guided}) {
        SCOPED_TRACE(scheme + (shape == CellShape::simplex ? " T4" : " H8") + " motion " +
                     std::to_string(static_cast<int>(motion)));
        const Setting setting{scheme, shape, motion};
        Body condensed = block(setting, ContactElimination::condensed);
        Body projected = block(setting, ContactElimination::projected);
        const Counts counts = compare(condensed, projected, 60);
        if (HasFailure())
          return;
        EXPECT_GT(counts.slip, 50u);
        EXPECT_GT(counts.stick, motion == Motion::falling ? 0u : 50u);
      }
}

/// All preconditioners give the same motion: diagonal, multigrid in long steps, and factor.
TEST(ProjectedContacts, DoNotDependOnThePreconditioner) {
  for (const auto solver : {LinearSolver::conjugate_gradients, LinearSolver::direct})
    for (const double young : {20., 2e6}) {
      SCOPED_TRACE("solver " + std::to_string(static_cast<int>(solver)) + " modulus " +
                   std::to_string(young));
      const Setting setting{"moreau-jean-fremond", CellShape::hypercube, Motion::driven, solver,
                            young};
      Body condensed = block(setting, ContactElimination::condensed);
      Body projected = block(setting, ContactElimination::projected);
      compare(condensed, projected, 20);
      if (HasFailure())
        return;
    }
}

} // namespace projected_contacts
