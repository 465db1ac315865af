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
  EXPECT_NEAR(displacement(surface, 3.)[1], 0.3, 1e-15);
  expect_gradient(surface, Point(0.2, 0.4), 1.);
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
    EXPECT_NEAR(motion.start_velocity()[1], 6 * t + 1, 1e-12) << k;
    EXPECT_NEAR(motion.mean_velocity()[1], 6 * t + 1 + 3 * h, 1e-12) << k;
    EXPECT_EQ(motion.start_velocity()[0], 0.);
    motion.finish_step();
  }
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
