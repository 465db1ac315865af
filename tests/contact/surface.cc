#include <percussion/contact/contact_list.h>
#include <percussion/contact/surface_motion.h>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace percussion;
using Point = dealii::Point<2>;
using Tensor = dealii::Tensor<1, 2>;

Surface<2> half_plane(double angle) {
  Surface<2> surface;
  surface.shape = HalfPlane<2>{Point(0.3, -0.2), Tensor({std::sin(angle), std::cos(angle)})};
  return surface;
}

Surface<2> circle(bool inside) {
  Surface<2> surface;
  surface.shape = Ball<2>{Point(1., 2.), 1.5, inside};
  return surface;
}

Surface<2> signed_distance(const std::string &formula) {
  Surface<2> surface;
  surface.shape = LevelSet{Expression(formula), 0.2};
  return surface;
}

/// The normal is the gradient of the gap, of unit length.
void expect_gradient(const Surface<2> &surface, const Point &x, double t, double tolerance = 1e-9) {
  const auto here = gap(surface, x, t);
  EXPECT_NEAR(here.normal.norm(), 1., 1e-12);
  const double step = 1e-5;
  for (unsigned int d = 0; d < 2; ++d) {
    Point plus = x, minus = x;
    plus[d] += step;
    minus[d] -= step;
    EXPECT_NEAR((gap(surface, plus, t).distance - gap(surface, minus, t).distance) / (2 * step),
                here.normal[d], tolerance);
  }
}

TEST(Surface, NormalsAreGradientsOfTheGap) {
  for (const double angle : {0., 0.4, -1.1}) {
    expect_gradient(half_plane(angle), Point(0.7, 1.3), 0.);
    expect_gradient(half_plane(angle), Point(-0.7, -1.3), 0.);
  }
  expect_gradient(circle(false), Point(3., 2.5), 0.);
  expect_gradient(circle(true), Point(1.2, 1.5), 0.);
  expect_gradient(signed_distance("sqrt((x-1)^2+(y-2)^2)-1.5"), Point(3., 2.5), 0.,
                  1e-7); // differences of a gap that is scaled by a difference
}

TEST(Surface, GapIsTheDistanceOnTheAdmissibleSide) {
  EXPECT_NEAR(gap(half_plane(0.), Point(5, 0.3), 0.).distance, 0.5, 1e-15);
  EXPECT_NEAR(gap(half_plane(0.), Point(5, -0.3), 0.).distance, -0.1, 1e-15);
  EXPECT_NEAR(gap(circle(false), Point(4., 2.), 0.).distance, 1.5, 1e-15);
  EXPECT_NEAR(gap(circle(true), Point(2., 2.), 0.).distance, 0.5, 1e-15);
  EXPECT_NEAR(gap(circle(true), Point(4., 2.), 0.).distance, -1.5, 1e-15);
  EXPECT_NEAR(gap(circle(true), Point(1., 2.), 0.).distance, 1.5, 1e-15); // the centre
}

/// A level set that is no distance function is divided by its slope; its normal is as accurate as
/// the normal of a circle.
TEST(Surface, LevelSetsAgreeWithTheCircle) {
  const auto formula = signed_distance("3*(sqrt((x-1)^2+(y-2)^2)-1.5)");
  for (const Point &x : {Point(3., 2.5), Point(1.1, 4.), Point(-1., 1.)}) {
    const auto expected = gap(circle(false), x, 0.), found = gap(formula, x, 0.);
    EXPECT_NEAR(found.distance, expected.distance, 1e-11);
    EXPECT_LT((found.normal - expected.normal).norm(), 1e-11);
  }
}

TEST(Surface, MovesWithItsPrescribedMotion) {
  auto surface = half_plane(0.);
  surface.motion.emplace_back("0");
  surface.motion.emplace_back("0.1*t");
  EXPECT_NEAR(gap(surface, Point(0, 1), 0.).distance, 1.2, 1e-15);
  EXPECT_NEAR(gap(surface, Point(0, 1), 2.).distance, 1.0, 1e-15);
  EXPECT_NEAR(pose(surface, 3.).displacement[1], 0.3, 1e-15);
  expect_gradient(surface, Point(0.2, 0.4), 1.);
}

/// A plane that has turned by an angle is a plane with a turned normal, and points and vectors go
/// there and back.
TEST(Surface, TurnsAboutItsCentre) {
  auto surface = half_plane(0.);
  surface.motion.emplace_back("0.5*t");
  surface.motion.emplace_back("0");
  surface.turn =
      SurfaceTurn<2>{Expression("-0.3*t"), Point(0.3, -0.2), dealii::Tensor<1, 3>({0., 0., 1.})};
  auto expected = half_plane(0.6);
  for (const Point &x : {Point(0.4, 0.7), Point(-3., 2.)}) {
    const auto found = gap(surface, x, 2.), turned_plane = gap(expected, x - Tensor({1., 0.}), 0.);
    EXPECT_NEAR(found.distance, turned_plane.distance, 1e-15 * (1. + x.norm()));
    EXPECT_LT((found.normal - turned_plane.normal).norm(), 1e-15);
    const auto there = pose(surface, 1.7);
    EXPECT_LT((placed(surface, there, seen_from(surface, there, x)) - x).norm(), 1e-15 * 5.);
    expect_gradient(surface, x, 1.);
  }
}

/// In space the turn is Rodrigues' formula: points of the axis stay, others keep their distance.
TEST(Surface, TurnsAboutAnAxisInSpace) {
  Surface<3> surface;
  surface.shape = HalfPlane<3>{{0., 0., 0.}, dealii::Tensor<1, 3>({0., 0., 1.})};
  const dealii::Tensor<1, 3> axis = dealii::Tensor<1, 3>({2., -1., 2.}) / 3.;
  surface.turn = SurfaceTurn<3>{Expression("t"), {0.5, 0., -1.}, axis};
  const auto there = pose(surface, 2. * dealii::numbers::PI / 3.);
  const dealii::Point<3> centre = surface.turn->centre;
  EXPECT_LT((placed(surface, there, centre + 3. * axis) - centre - 3. * axis).norm(), 1e-14);
  dealii::Tensor<1, 3> vector({0.3, 0.8, -0.2});
  dealii::Tensor<1, 3> thrice = vector;
  for (unsigned int k = 0; k < 3; ++k)
    thrice = percussion::turned<3>(surface, there.angle, thrice);
  EXPECT_LT((thrice - vector).norm(), 1e-14); // three thirds of a turn
  const auto across = vector - (vector * axis) * axis;
  const auto turned_vector = percussion::turned<3>(surface, 0.5 * dealii::numbers::PI, vector);
  EXPECT_LT((turned_vector - (vector * axis) * axis - cross_product_3d(axis, across)).norm(),
            1e-15);
}

/// The velocity of a parabolic motion at the beginning of a step is exact from the first step on,
/// and D is not evaluated before the start of the run, for which its root would not be a number.
TEST(SurfaceMotion, FollowsAnAcceleratedSurface) {
  const double t0 = 1., h = 0.1;
  auto surface = half_plane(0.);
  surface.motion.emplace_back("0");
  surface.motion.emplace_back("3*t^2+t+0*sqrt(t-1)");
  SurfaceMotion<2> motion;
  motion.start(surface, t0, h);
  for (int k = 0; k < 4; ++k) {
    const double t = t0 + k * h;
    motion.prepare_step(surface, t + h, h);
    EXPECT_NEAR(motion.start_velocity({})[1], 6 * t + 1, 1e-12) << k;
    EXPECT_NEAR(motion.mean_velocity({})[1], 6 * t + 1 + 3 * h, 1e-12) << k;
    EXPECT_EQ(motion.start_velocity({})[0], 0.);
    motion.finish_step();
  }
}

/// A point of a turning surface has the quotient of its displacement as mean velocity, and the
/// derivative of a parabola as velocity at the beginning.
TEST(SurfaceMotion, FollowsATurningSurface) {
  const double h = 0.1;
  auto surface = half_plane(0.);
  surface.motion.emplace_back("t^2");
  surface.motion.emplace_back("0");
  surface.turn = SurfaceTurn<2>{Expression("1 + 2*t - t^2"), Point(0.3, -0.2),
                                dealii::Tensor<1, 3>({0., 0., 1.})};
  SurfaceMotion<2> motion;
  motion.start(surface, 0., h);
  motion.prepare_step(surface, h, h);
  motion.finish_step();
  motion.prepare_step(surface, 2. * h, h);
  const auto begin = pose(surface, h), end = pose(surface, 2. * h);
  const SurfacePose<2> middle = {0.5 * (begin.displacement + end.displacement),
                                 0.5 * (begin.angle + end.angle)};
  const Point initial(1.4, 0.5);
  Contact<2> contact;
  contact.x = placed(surface, middle, initial);
  const Tensor displaced = placed(surface, end, initial) - placed(surface, begin, initial);
  EXPECT_LT((motion.mean_velocity(contact) - displaced / h).norm(), 1e-13);
  contact.x = placed(surface, begin, initial);
  const Tensor arm = contact.x - Point(0.3, -0.2) - begin.displacement;
  const double rate = 2. - 2. * h;
  EXPECT_LT(
      (motion.start_velocity(contact) - Tensor({2. * h - rate * arm[1], rate * arm[0]})).norm(),
      1e-13);
}

/// Only the part of a belt's velocity along the surface counts.
TEST(SurfaceMotion, MovesABeltAlongItsSurface) {
  auto surface = half_plane(0.);
  surface.belt.emplace_back("6*t");
  surface.belt.emplace_back("1");
  SurfaceMotion<2> motion;
  motion.start(surface, 1., 0.1);
  motion.prepare_step(surface, 1.1, 0.1);
  Contact<2> contact;
  contact.normal = Tensor({0., 1.});
  EXPECT_NEAR(motion.mean_velocity(contact)[0], 6.3, 1e-14);
  EXPECT_NEAR(motion.start_velocity(contact)[0], 6., 1e-14);
  EXPECT_EQ(motion.mean_velocity(contact)[1], 0.);
  motion.finish_step();
  EXPECT_NEAR(motion.last_velocity(contact, false)[0], 6.3, 1e-14);
}

TEST(LocalFrame, IsOrthonormalAndTurnsUpToTheRight) {
  const auto up = local_frame<2>(Tensor({0., 1.}));
  EXPECT_EQ(up[1][0], 1.);
  EXPECT_EQ(up[1][1], 0.);
  const auto frame = local_frame<2>(Tensor({0.6, -0.8}));
  EXPECT_NEAR(frame[0] * frame[1], 0., 1e-16);
  EXPECT_NEAR(frame[1].norm(), 1., 1e-15);
}

} // namespace
