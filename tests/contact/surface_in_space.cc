#include <percussion/contact/surface.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace surface_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using Point = dealii::Point<3>;
using Direction = dealii::Tensor<1, 3>;

template <typename Shape>
Surface<3> surface(Shape shape) {
  Surface<3> made;
  made.shape = std::move(shape);
  return made;
}

Direction unit(Direction n) { return n / n.norm(); }

TEST(SurfacesInSpace, HaveTheirGapsAndNormals) {
  const Direction n = unit(Direction({1., 2., -2.}));
  const Surface<3> plane = surface(HalfPlane<3>{Point(1, 0, 0), n});
  EXPECT_NEAR(gap(plane, Point(1, 0, 0) + 0.3 * n, 0.).distance, 0.3, 1e-15);

  const Point centre(1, 2, 3);
  for (const bool inside : {false, true}) {
    const double sign = inside ? -1. : 1.;
    const Surface<3> sphere = surface(Ball<3>{centre, 2., inside});
    const auto at = gap(sphere, centre + 2.5 * n, 0.);
    EXPECT_NEAR(at.distance, sign * 0.5, 1e-14);
    EXPECT_LT((at.normal - sign * n).norm(), 1e-15);

    const Direction axis = unit(Direction({0., 1., 1.})), across = unit(Direction({1., 1., -1.}));
    const Surface<3> cylinder = surface(Ball<3>{centre, 2., inside, axis});
    const auto beside = gap(cylinder, centre + 7. * axis + 1.5 * across, 0.);
    EXPECT_NEAR(beside.distance, sign * -0.5, 1e-14);
    EXPECT_LT((beside.normal - sign * across).norm(), 1e-14);
    const Direction up({0., 0., 1.});
    const auto on_axis = gap(surface(Ball<3>{centre, 2., inside, up}), centre + 2. * up, 0.);
    EXPECT_EQ(on_axis.distance, sign * -2.);
    EXPECT_EQ(on_axis.normal * up, 0.);
    EXPECT_EQ(on_axis.normal.norm(), 1.);
  }
}

TEST(SurfacesInSpace, FormulasOfThreeCoordinatesMoveInThreeDirections) {
  Surface<3> torus = surface(LevelSet{Expression("sqrt((sqrt(x^2 + y^2) - 3)^2 + z^2) - 1"), 1.});
  for (const char *of : {"t", "0", "2*t"})
    torus.motion.emplace_back(of);
  const auto at =
      gap(torus, Point(0.5, 3., 1. + 1.5), 0.5); // position relative to the surface at (0, 3, 1.5)
  EXPECT_NEAR(at.distance, 0.5, 1e-10);
  EXPECT_LT((at.normal - Direction({0., 0., 1.})).norm(), 1e-10);
}

TEST(FramesInSpace, AreOrthonormalAndRightHanded) {
  std::mt19937 generator(2);
  std::normal_distribution<double> component;
  std::vector<Direction> normals = {Direction({0, 0, 1.}), Direction({0, 0, -1.}),
                                    Direction({1., 0, 0}), unit(Direction({1e-9, 0, -1.}))};
  for (unsigned int k = 0; k < 100; ++k)
    normals.push_back(
        unit(Direction({component(generator), component(generator), component(generator)})));
  for (const Direction &n : normals) {
    const auto frame = local_frame<3>(n);
    EXPECT_EQ(frame[0], n);
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        EXPECT_NEAR(frame[i] * frame[j], i == j ? 1. : 0., 1e-14);
    EXPECT_NEAR(cross_product_3d(frame[0], frame[1]) * frame[2], 1., 1e-14);
  }
  // On level ground the tangents are exactly x and y.
  EXPECT_EQ(local_frame<3>(Direction({0, 0, 1.}))[1], Direction({1., 0, 0}));
  EXPECT_EQ(local_frame<3>(Direction({0, 0, 1.}))[2], Direction({0, 1., 0}));
}

/// Frames of neighbouring normals differ by as little as the normals, except across n_z = −0.9.
TEST(FramesInSpace, AreContinuous) {
  for (double polar = 0.01; polar < 2.6; polar += 0.01)
    for (double angle = 0.; angle < 6.3; angle += 0.1) {
      const auto normal = [](double p, double a) {
        return Direction({std::sin(p) * std::cos(a), std::sin(p) * std::sin(a), std::cos(p)});
      };
      const Direction n = normal(polar, angle);
      for (const Direction &other : {normal(polar + 1e-4, angle), normal(polar, angle + 1e-4)})
        EXPECT_LT((local_frame<3>(n)[1] - local_frame<3>(other)[1]).norm(), 6e-4);
    }
}

} // namespace surface_in_space
