#include <percussion/contact/find.h>

#include <gtest/gtest.h>

#include "contact_velocity.h"
#include "support/meshes.h"

namespace {

using namespace percussion;
using test::local_velocity;

class ContactTest : public ::testing::Test {
protected:
  std::unique_ptr<Mesh<2>> mesh = test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2);
  System<2> body{
      *mesh, Material<2>{3., 0.5, LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}}, {}};

  std::vector<ContactPair<2>> ground(double height) const {
    std::vector<ContactPair<2>> pairs(1);
    pairs[0].name = "ground";
    pairs[0].own_side = ElasticRegion{"bottom"};
    std::get<Surface<2>>(pairs[0].opposite_side).shape =
        HalfPlane<2>{dealii::Point<2>(0., height), dealii::Tensor<1, 2>({0., 1.})};
    pairs[0].friction = 0.4;
    pairs[0].gap_tolerance = 1e-12;
    return pairs;
  }
};

TEST_F(ContactTest, PointsAreTheRegionsNodesWithTheirAreas) {
  const Boundary<2> boundary(body, ground(-0.1));
  ASSERT_EQ(boundary.points.size(), 9u);
  double area = 0;
  for (const auto &point : boundary.points) {
    EXPECT_EQ(point.position[1], 0.);
    EXPECT_GT(point.tolerance, 0.);
    EXPECT_LE(point.tolerance, 0.26e-12);
    area += point.area;
  }
  EXPECT_NEAR(area, 2 * 0.5, 1e-14);
}

/// u = H v is the rate of the gap: for a flat surface, the difference of two gaps up to round-off.
TEST_F(ContactTest, JacobianIsTheDerivativeOfTheGap) {
  const Boundary<2> boundary(body, ground(-0.1));
  const ContactFinder<2> finder(boundary);
  Vector q(body.n_dofs()), v = q;
  for (unsigned int i = 0; i < body.n_dofs(); ++i) {
    q[i] = 0.01 * std::sin(i);
    v[i] = std::cos(3. * i);
  }
  const double h = 1e-3;
  Vector moved = q;
  moved.add(h, v);
  const auto before = finder.find(boundary.trace.gather(q), 0.),
             after = finder.find(boundary.trace.gather(moved), 0.);
  const TraceField on_trace = boundary.trace.gather(v);
  ASSERT_EQ(before.contacts.size(), 9u);
  for (const auto &contact : before.contacts) {
    const auto u = local_velocity(contact, before, on_trace);
    EXPECT_NEAR((after.find(contact.key)->gap - contact.gap) / h, u[0], 1e-12);
    EXPECT_EQ(u[1], on_trace[boundary.points[contact.point].entry]);
  }
}

TEST_F(ContactTest, PrescribedMotionTakesFrictionOrTheContactItself) {
  using Kind = PrescribedMotion<2>::Kind;
  body.prescribe("left", body.region("left"), 0, Kind::displacement, Expression("0"));
  body.prescribe("right", body.region("right"), 1, Kind::displacement, Expression("0"));
  const Boundary<2> boundary(body, ground(0.));
  EXPECT_EQ(boundary.points.size(), 9u);
  EXPECT_EQ(boundary.remarks.size(), 1u);
  // The ground, and a plane inclined as 3 : 4.
  const double flat[] = {0., 1.}, inclined[] = {0.6, 0.8};
  for (const auto &point : boundary.points) {
    const double x = point.position[0];
    EXPECT_EQ(point.friction, x == 0. || x == 2. ? 0. : 0.4);
    // The right corner is held along the normal of the ground.
    const unsigned int point_entries[] = {point.entry, point.entry + 1};
    EXPECT_EQ(boundary.acts_on_free_entries(point_entries, flat, 2), x != 2.);
    EXPECT_TRUE(boundary.acts_on_free_entries(point_entries, inclined, 2));
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

/// θ û = u_θ + a(u0) with û = u1 + e u0 and u_θ = (1−θ) u0 + θ u1; the tangential offset of
/// Frémond's law is 0.
TEST(ImpactLaws, OffsetIsTheLawInTermsOfTheMeanVelocity) {
  const double theta = 0.55, u0 = -0.7, u1 = 0.4;
  const double u_mean = (1 - theta) * u0 + theta * u1;
  for (const auto &row : impact_laws()) {
    const ImpactLaw law = impact_law(row.kind, {0.3, 0.2, 0.6}, theta);
    const LawOffset offset(law, theta, SeparatingContacts::as_in_paper);
    EXPECT_NEAR(u_mean + offset.normal_term(u0), theta * (u1 + law.e * u0), 1e-15);
    EXPECT_NEAR(u_mean + offset.tangential_term(u0), theta * (u1 + law.e_T * u0), 1e-15);
  }
  const LawOffset fremond(impact_law(ImpactLawKind::fremond, {0.3, 0, 0}, theta), theta,
                          SeparatingContacts::dissipative);
  EXPECT_NEAR(fremond.tangential_term(5.), 0., 1e-15);
  EXPECT_EQ(fremond.normal_term(0.7), 0.);
  EXPECT_NE(fremond.normal_term(-0.7), 0.);
}

} // namespace
