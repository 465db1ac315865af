// Gaps to the zero levels of formulas that are no distances.

#include <percussion/contact/surface.h>

#include <gtest/gtest.h>

namespace level_set_tests {

using namespace percussion;

template <int dim>
Surface<dim> level(const std::string &formula, double length = 0.2) {
  Surface<dim> surface;
  surface.shape = LevelSet{Expression(formula), length};
  return surface;
}

/// The gap is the distance at any distance, on both sides, in any scale of the formula.
TEST(LevelSet, GapOfACircleIsTheDistance) {
  for (const std::string factor : {"", "7*"})
    for (const double r : {0.4, 0.9, 0.999999, 1., 1.1, 1.5, 3.})
      for (const double angle : {0., 0.3, 2.2, -1.7}) {
        const auto found = gap(level<2>(factor + "(x^2+y^2-1)"),
                               dealii::Point<2>(r * std::cos(angle), r * std::sin(angle)));
        EXPECT_NEAR(found.distance, r - 1., 1e-13) << r;
        EXPECT_NEAR(found.normal[0], std::cos(angle), 1e-11);
        EXPECT_NEAR(found.normal[1], std::sin(angle), 1e-11);
      }
}

TEST(LevelSet, GapOfAnEllipsoidIsTheDistance) {
  // The foot point (a cos u cos v, b sin u cos v, c sin v), and a position on its normal.
  const double a = 2., b = 1.5, c = 1.;
  for (const double u : {0.2, 1.1, 2.5})
    for (const double v : {-0.9, 0.1, 0.7})
      for (const double distance : {0.5, 0.1, -0.2}) {
        const dealii::Point<3> foot(a * std::cos(u) * std::cos(v), b * std::sin(u) * std::cos(v),
                                    c * std::sin(v));
        dealii::Tensor<1, 3> normal({foot[0] / (a * a), foot[1] / (b * b), foot[2] / (c * c)});
        normal /= normal.norm();
        const auto found =
            gap(level<3>("x^2/4+y^2/2.25+z^2-1"), dealii::Point<3>(foot + distance * normal));
        EXPECT_NEAR(found.distance, distance, 1e-12);
        EXPECT_LT((found.normal - normal).norm(), 1e-10);
      }
}

/// The same level from a formula whose slope changes along it.
TEST(LevelSet, GapDependsOnTheLevelAlone) {
  const auto wave = level<2>("y-0.1*sin(3*x)"), weighted = level<2>("(y-0.1*sin(3*x))*(2+x)");
  for (const double x : {-1., -0.4, 0., 0.5, 1.2})
    for (const double y : {-0.1, 0.05, 0.3}) {
      const auto a = gap(wave, dealii::Point<2>(x, y)), b = gap(weighted, dealii::Point<2>(x, y));
      EXPECT_NEAR(a.distance, b.distance, 1e-12);
      EXPECT_LT((a.normal - b.normal).norm(), 1e-10);
    }
}

/// A distance with an edge keeps its values, also where the foot point is the edge.
TEST(LevelSet, DistancesAreAsTheyAre) {
  const auto corner = level<2>("sqrt(max(x,0)^2+max(y,0)^2)+min(max(x,y),0)", 1e-3);
  for (const double x : {-0.5, 0.3, 1.})
    for (const double y : {0.2, 0.7})
      EXPECT_NEAR(gap(corner, dealii::Point<2>(x, y)).distance, std::hypot(std::max(x, 0.), y),
                  1e-9); // round-off of differences over 1e-6
}

} // namespace level_set_tests
