#include <percussion/base/error.h>
#include <percussion/body/attitude.h>
#include <percussion/body/polyhedron.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace percussion {
namespace {

using Point = dealii::Point<3>;
using Tensor = dealii::Tensor<1, 3>;

/// The rock of AC24, section 5.4: its vertices, and its properties computed by the authors'
/// program.
const std::vector<Point> rock = {
    {0.97786, 2.027904, 1.703898},   {1.167997, -0.528015, 2.57058},
    {-1.062009, 1.356058, 2.224266}, {-2.57679, -0.720087, 0.708173},
    {2.180143, 0.494075, -1.625914}, {0.952846, -1.470604, -2.11925},
    {-0.743018, 0.892737, -2.42942}, {-0.823999, -2.242203, -1.364119}};

TEST(SolidProperties, OfABoxAreThoseOfTheFormula) {
  const auto box = solid_properties(make_box({3, -2, 7}, Tensor({1, 2, 4})));
  EXPECT_NEAR(box.volume, 8, 1e-14);
  EXPECT_LT(box.centre.distance({3, -2, 7}), 1e-14);
  const double expected[] = {8. * 20 / 12, 8. * 17 / 12, 8. * 5 / 12};
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      EXPECT_NEAR(box.inertia()[i][j], i == j ? expected[i] : 0., 1e-13);
}

TEST(SolidProperties, OfTheRockAreThoseOfAnotherProgram) {
  const ConvexShape hull = convex_hull(rock);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 12u);
  EXPECT_EQ(hull.edges.size(), 18u);
  const auto found = solid_properties(hull);
  // Tolerance: the vertices are given to six digits.
  EXPECT_NEAR(found.volume, 31.326012119165, 1e-5);
  EXPECT_LT(found.centre.norm(), 1e-5);
  const double inertia[3][3] = {{136844.3495, -9121.3478, 3144.9074},
                                {-9121.3478, 147071.1894, -18336.5030},
                                {3144.9074, -18336.5030, 98845.5099}};
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      EXPECT_NEAR(2300 * found.inertia()[i][j], inertia[i][j], 0.05);
}

TEST(SolidProperties, OfATetrahedronAreThoseOfTheFormula) {
  const auto found = solid_properties(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_NEAR(found.volume, 1. / 6, 1e-16);
  EXPECT_LT(found.centre.distance({0.25, 0.25, 0.25}), 1e-16);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      EXPECT_NEAR(found.second_moment[i][j], (i == j ? 1. / 60 : 1. / 120) - 1. / 96, 1e-17);
}

TEST(SolidProperties, OfTwoHalvesAreThoseOfTheWhole) {
  auto both = solid_properties(make_box({1, 1, 1}, Tensor({2, 2, 2})));
  both += solid_properties(make_box({3, 1, 1}, Tensor({2, 2, 2})));
  const auto whole = solid_properties(make_box({2, 1, 1}, Tensor({4, 2, 2})));
  EXPECT_NEAR(both.volume, whole.volume, 1e-14);
  EXPECT_LT(both.centre.distance(whole.centre), 1e-14);
  EXPECT_LT((both.second_moment - whole.second_moment).norm(), 1e-13);
}

TEST(SolidProperties, OfASphereAreTheLimitOfPolyhedra) {
  std::vector<Point> points; // points of increasingly fine polyhedra, distributed almost evenly
  const unsigned int n = 400;
  for (unsigned int i = 0; i < n; ++i) {
    const double z = 1 - (2. * i + 1) / n, r = std::sqrt(1 - z * z), angle = 2.399963229728653 * i;
    points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  const auto polyhedron = solid_properties(convex_hull(points));
  const auto sphere = solid_properties(make_sphere({0, 0, 0}, 1));
  EXPECT_NEAR(polyhedron.volume / sphere.volume, 1, 0.02);
  EXPECT_NEAR(polyhedron.inertia()[0][0] / sphere.inertia()[0][0], 1, 0.03);
  EXPECT_NEAR(sphere.inertia()[0][0], 8 * std::acos(-1.) / 15, 1e-14);
}

/// Moments of inertia of a solid of revolution of unit density, by the midpoint rule over slices
/// with the radius ρ(z).
struct Slices {
  double volume = 0, about_axis = 0, across = 0;

  template <typename Radius>
  Slices(double half_length, const Radius &radius) {
    constexpr unsigned int n = 200000;
    const double h = 2 * half_length / n, pi = std::acos(-1.);
    for (unsigned int k = 0; k < n; ++k) {
      const double z = -half_length + (k + 0.5) * h, r2 = std::pow(radius(z), 2);
      volume += pi * r2 * h;
      about_axis += pi * r2 * r2 / 2 * h;
      across += pi * r2 * (r2 / 4 + z * z) * h;
    }
  }
};

TEST(SolidProperties, OfCapsulesAndCylindersAreSumsOverSlices) {
  const double r = 0.4, length = 1.5;
  const Slices capsule(length / 2 + r, [&](double z) {
    const double beyond = std::max(std::abs(z) - length / 2, 0.);
    return std::sqrt(r * r - beyond * beyond);
  });
  const Slices cylinder(length / 2, [&](double) { return r; });
  const Point middle(1, -2, 3);
  const Tensor axis({1. / 3, 2. / 3, -2. / 3}), half = 0.5 * length * axis,
                                                across({2. / 3, 1. / 3, 2. / 3});
  const auto expect = [&](const ConvexShape &shape, const Slices &expected) {
    const SolidProperties found = solid_properties(shape);
    EXPECT_NEAR(found.volume, expected.volume, 1e-8);
    EXPECT_LT(found.centre.distance(middle), 1e-14);
    EXPECT_NEAR(axis * (found.inertia() * axis), expected.about_axis, 1e-8);
    EXPECT_NEAR(across * (found.inertia() * across), expected.across, 1e-8);
    EXPECT_NEAR(axis * (found.inertia() * across), 0., 1e-14);
  };
  expect(make_capsule(middle - half, middle + half, r), capsule);
  expect(make_cylinder(middle - half, middle + half, r), cylinder);
}

TEST(ConvexHull, MergesWhatIsInOnePlaneAndLeavesOutWhatIsNoCorner) {
  std::vector<Point> points;
  for (unsigned int i = 0; i < 27; ++i)
    points.emplace_back(i % 3, i / 3 % 3, i / 9);
  const ConvexShape cube = convex_hull(points);
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.faces.size(), 6u);
  EXPECT_EQ(cube.edges.size(), 12u);
  EXPECT_NEAR(solid_properties(cube).volume, 8, 1e-14);
}

TEST(ConvexHull, OfRandomPointsHasThemAllInsideAndEulersNumbers) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  for (unsigned int n : {4u, 5u, 8u, 20u, 60u})
    for (int k = 0; k < 20; ++k) {
      std::vector<Point> points;
      for (unsigned int i = 0; i < n; ++i)
        points.emplace_back(normal(generator), normal(generator), normal(generator));
      const ConvexShape hull = convex_hull(points);
      EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
      EXPECT_EQ(surface_problem(hull), "");
      EXPECT_TRUE(is_convex(hull));
      for (unsigned int f = 0; f < hull.faces.size(); ++f)
        for (const Point &x : points)
          EXPECT_LE(hull.normals[f] * (x - hull.vertices[hull.faces[f][0]]), 1e-8);
    }
}

TEST(ConvexHull, RefusesPointsInAPlane) {
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 3, 0}}), InputError);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}), InputError);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), InputError);
}

TEST(ClosedSurface, WithAHoleIsRefused) {
  ClosedSurface open = make_box({0, 0, 0}, Tensor({1, 1, 1}));
  EXPECT_EQ(surface_problem(open), "");
  open.faces.pop_back();
  EXPECT_NE(surface_problem(open), "");
}

TEST(Attitude, ComposesLikeMatrices) {
  const Quaternion a = quaternion(Tensor({1, 2, 3}), 0.7),
                   b = quaternion(Tensor({-1, 0.3, 2}), 5.1);
  const auto both = rotation_matrix(product(a, b)),
             expected = rotation_matrix(a) * rotation_matrix(b);
  EXPECT_LT((both - expected).norm(), 1e-15);
}

TEST(Attitude, SurvivesItsParametersAtEveryAngle) {
  for (double angle = -7; angle < 7; angle += 0.01) {
    const Quaternion a = quaternion(Tensor({1, -2, 0.5}), angle);
    double parameters[3];
    write_parameters(a, parameters);
    EXPECT_LE(std::hypot(parameters[0], parameters[1], parameters[2]), 1 + 1e-15);
    EXPECT_LT((rotation_matrix(quaternion(parameters)) - rotation_matrix(a)).norm(), 2e-15);
  }
}

/// The attitude follows R1 = R0 (1 − ½ h Ω̂)⁻¹ (1 + ½ h Ω̂), computed with matrices.
TEST(Attitude, IsTurnedByTheCayleyMap) {
  const double omega[] = {3, -1, 2}, h = 0.3;
  double parameters[] = {0.2, -0.5, 0.4};
  const auto before = rotation_matrix(quaternion(parameters));
  turn(h, omega, parameters);
  const auto after = rotation_matrix(quaternion(parameters));
  dealii::Tensor<2, 3> half(
      {{0, -omega[2], omega[1]}, {omega[2], 0, -omega[0]}, {-omega[1], omega[0], 0}});
  half *= h / 2;
  dealii::Tensor<2, 3> one;
  one[0][0] = one[1][1] = one[2][2] = 1;
  EXPECT_LT((after - before * invert(one - half) * (one + half)).norm(), 2e-15);
}

} // namespace
} // namespace percussion
