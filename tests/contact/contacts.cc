#include <percussion/contact/find.h>

#include <gtest/gtest.h>

#include "support/meshes.h"

namespace {

using namespace percussion;

class ContactTest : public ::testing::Test {
protected:
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2);
  System<2> body{*mesh, {3., 0.5, LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}}, {}};

  std::vector<ContactPair<2>> ground(double height) const {
    std::vector<ContactPair<2>> pairs(1);
    pairs[0].name = "ground";
    pairs[0].region = "bottom";
    pairs[0].surface.shape =
        HalfPlane<2>{dealii::Point<2>(0., height), dealii::Tensor<1, 2>({0., 1.})};
    pairs[0].friction = 0.4;
    pairs[0].gap_tolerance = 1e-12;
    return pairs;
  }
};

TEST_F(ContactTest, CandidatesAreTheRegionsNodesWithTheirAreas) {
  const Contacts<2> contacts(body, ground(-0.1));
  ASSERT_EQ(contacts.size(), 9u);
  double area = 0;
  for (const auto &point : contacts.points) {
    EXPECT_EQ(point.position[1], 0.);
    EXPECT_GT(point.tolerance, 0.);
    EXPECT_LE(point.tolerance, 0.26e-12);
    area += point.area;
  }
  EXPECT_NEAR(area, 2 * 0.5, 1e-14);
  EXPECT_TRUE(contacts.constant_frames());
}

/// u = H v is the velocity of the gap: the difference of two gaps, to round-off for a flat surface.
TEST_F(ContactTest, JacobianIsTheDerivativeOfTheGap) {
  const Contacts<2> contacts(body, ground(-0.1));
  Vector q = make_vector(body.n_dofs()), v = q;
  for (unsigned int i = 0; i < body.n_dofs(); ++i) {
    entries(q)[i] = 0.01 * std::sin(i);
    entries(v)[i] = std::cos(3. * i);
  }
  GapState<2> before, after;
  contacts.evaluate(q, 0., before);
  ContactJacobian H;
  contacts.jacobian(before, H);
  const double h = 1e-3;
  Vector moved = q;
  moved.add(h, v);
  contacts.evaluate(moved, 0., after);
  for (unsigned int i = 0; i < contacts.size(); ++i) {
    EXPECT_NEAR((after.distance[i] - before.distance[i]) / h, H.row_times(2 * i, entries(v)),
                1e-12);
    EXPECT_EQ(H.row_times(2 * i + 1, entries(v)), entries(v)[contacts.points[i].dofs[0]]);
  }
}

TEST_F(ContactTest, PrescribedMotionTakesFrictionOrTheContactItself) {
  using Kind = PrescribedMotion<2>::Kind;
  body.prescribe("left", mesh->region("left"), 0, Kind::displacement, Expression("0"));
  body.prescribe("right", mesh->region("right"), 1, Kind::displacement, Expression("0"));
  const Contacts<2> contacts(body, ground(0.));
  EXPECT_EQ(contacts.size(), 9u);
  EXPECT_EQ(contacts.remarks.size(), 1u);
  // The ground, and a plane that is inclined as 3 : 4.
  GapState<2> gaps;
  contacts.evaluate(make_vector(body.n_dofs()), 0., gaps);
  ContactJacobian flat, inclined;
  contacts.jacobian(gaps, flat);
  std::fill(gaps.normal.begin(), gaps.normal.end(), dealii::Tensor<1, 2>({0.6, 0.8}));
  contacts.jacobian(gaps, inclined);
  for (unsigned int i = 0; i < contacts.size(); ++i) {
    const double x = contacts.points[i].position[0];
    EXPECT_EQ(contacts.points[i].friction, x == 0. || x == 2. ? 0. : 0.4);
    // The right corner cannot move along the normal of the ground.
    EXPECT_EQ(contacts.can_yield(flat, 2 * i), x != 2.);
    EXPECT_TRUE(contacts.can_yield(inclined, 2 * i));
  }
}

TEST(ImpactLaws, AreTwoNumbers) {
  const Restitution given{0.3, -0.2, 0.5};
  const double theta = 0.6;
  const auto newton = impact_law(ImpactLawKind::newton_coulomb, given, theta);
  EXPECT_EQ(newton.e, 0.3);
  EXPECT_EQ(newton.e_T, 0.);
  const auto fremond = impact_law(ImpactLawKind::fremond, given, theta);
  EXPECT_EQ(fremond.e, 0.3);
  EXPECT_DOUBLE_EQ(fremond.e_T, 0.4 / 0.6);
  const auto moreau = impact_law(ImpactLawKind::moreau, given, theta);
  EXPECT_EQ(moreau.e, 0.3);
  EXPECT_EQ(moreau.e_T, -0.2);
  const auto index = impact_law(ImpactLawKind::dissipation_index, given, theta);
  EXPECT_DOUBLE_EQ(index.e, 1. / 3.);
  EXPECT_DOUBLE_EQ(index.e_T, 1. / 3.);
  EXPECT_EQ(theta_bound(1.), 0.5);
}

/// θ û = u_θ + a(u0) for û = u1 + e u0 and u_θ = (1−θ) u0 + θ u1; Fremond's tangential offset is 0.
TEST(ImpactLaws, OffsetIsTheLawInTermsOfTheMeanVelocity) {
  const double theta = 0.55, u0 = -0.7, u1 = 0.4;
  const double u_mean = (1 - theta) * u0 + theta * u1;
  for (const auto &row : impact_laws()) {
    const ImpactLaw law = impact_law(row.kind, {0.3, 0.2, 0.6}, theta);
    const LawOffset offset(law, theta, SeparatingContacts::as_in_paper);
    EXPECT_NEAR(u_mean + offset.of_normal(u0), theta * (u1 + law.e * u0), 1e-15);
    EXPECT_NEAR(u_mean + offset.of_tangential(u0), theta * (u1 + law.e_T * u0), 1e-15);
  }
  const LawOffset fremond(impact_law(ImpactLawKind::fremond, {0.3, 0, 0}, theta), theta,
                          SeparatingContacts::dissipative);
  EXPECT_NEAR(fremond.of_tangential(5.), 0., 1e-15);
  EXPECT_EQ(fremond.of_normal(0.7), 0.);
  EXPECT_NE(fremond.of_normal(-0.7), 0.);
}

} // namespace
