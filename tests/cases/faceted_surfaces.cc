// Bodies on rigid surfaces from files, against planes and formulas.

#include "cases/checked_case.h"
#include "cases/rigid_runs.h"

namespace {

using namespace rigid_runs;

class FacetedSurfaces : public cases::CheckedCase {
protected:
  /// Writes heights z = f(x, y) over n × n boxes of [−2, 2]².
  template <typename Height>
  void write_heights(unsigned int n, const Height &height) const {
    std::ostringstream text;
    text.precision(17);
    text << "x, y, z\n";
    for (unsigned int j = 0; j <= n; ++j)
      for (unsigned int i = 0; i <= n; ++i) {
        const double x = -2. + 4. * i / n, y = -2. + 4. * j / n;
        text << x << ", " << y << ", " << height(x, y) << '\n';
      }
    write("heights.csv", text.str());
  }

  /// Returns a body on a surface, in the plane or in space.
  template <int dim>
  Stepped<dim> on_surface(const std::string &body, const std::string &surface) const {
    return stepped<dim>("subsection Rigid bodies\n subsection body\n" + body +
                        " end\nend\nsubsection Boundary conditions\n set Gravity = " +
                        (dim == 2 ? "0, -10" : "0, 0, -10") +
                        "\nend\nsubsection Contact\n subsection c\n  set Bodies = body\n" +
                        surface + "  set Friction coefficient = 0.4\n end\nend\n" + moving);
  }

  std::string facets(const std::string &file) const {
    return "  set Surface = facets\n  set Surface mesh = " + (folder / file).string() + "\n";
  }
};

/// Advances to the end; every step closes its balance.
template <int dim>
void run_to(double end, Stepped<dim> &run) {
  double largest = 0;
  while (run.state.time < end - 1e-9) {
    const auto &record = run.advance();
    largest = std::max(largest, run.state.energy());
    ASSERT_LE(std::abs(record.balance_residual), 1e-13 * largest) << run.state.time;
  }
}

template <int dim>
double distance(const Stepped<dim> &a, const Stepped<dim> &b) {
  double square = 0;
  for (unsigned int d = 0; d < dim; ++d)
    square += std::pow(displacement(a, 0)[d] - displacement(b, 0)[d], 2);
  return std::sqrt(square);
}

/// A ball and a box slide, fall and come to rest on many flush triangles as on a half-space.
TEST_F(FacetedSurfaces, FlatHeightsAreAHalfSpace) {
  write_heights(40, [](double, double) { return 0.; });
  for (const std::string &body :
       {std::string(
            "  set Shape = sphere\n  set Radius = 0.1\n  set Position = 0.013, 0.021, 0.15\n"),
        std::string("  set Shape = box\n  set Size = 0.3, 0.2, 0.1\n  set Position = 0.013, 0.021, "
                    "0.08\n")}) {
    const std::string moving_body = body + "  set Mass = 2\n  set Initial velocity = 1, 0.4, 0\n";
    auto on_facets = on_surface<3>(moving_body, facets("heights.csv"));
    auto on_plane = on_surface<3>(moving_body, "  set Surface = half-space\n");
    run_to(0.5, on_facets);
    run_to(0.5, on_plane);
    EXPECT_LT(distance(on_facets, on_plane), 1e-12) << body;
  }
}

/// A ball rolls over a bumpy road of heights as over the formula, within the error of the facets.
TEST_F(FacetedSurfaces, BallRollsAsOnTheFormula) {
  const std::string ball =
      "  set Shape = sphere\n  set Radius = 0.2\n  set Position = -1, 0.1, 0.35\n"
      "  set Mass = 1\n  set Initial velocity = 1.5, 0.1, 0\n";
  auto on_formula = on_surface<3>(
      ball, "  set Surface = signed distance\n  set Signed distance = z - 0.1*cos(2*x)*cos(y)\n");
  run_to(0.8, on_formula);
  std::array<double, 2> error{};
  for (unsigned int level = 0; level < 2; ++level) {
    write_heights(40U << level,
                  [](double x, double y) { return 0.1 * std::cos(2. * x) * std::cos(y); });
    auto on_facets = on_surface<3>(ball, facets("heights.csv"));
    run_to(0.8, on_facets);
    error[level] = distance(on_facets, on_formula);
  }
  EXPECT_GT(std::abs(displacement(on_formula, 0)[0]), 0.8);
  EXPECT_LT(error[0], 0.02);
  EXPECT_LT(error[1], 0.6 * error[0]);
}

/// A disc rolls down a profile that is steep, then flat: the corner does not stop it.
TEST_F(FacetedSurfaces, DiscRollsDownAProfile) {
  write("profile.csv", "-3, 1.5\n0, 0\n0.2, -0.07\n0.5, -0.12\n4, -0.12\n");
  auto run = on_surface<2>("  set Shape = disc\n  set Radius = 0.1\n  set Mass = 1\n"
                           "  set Position = -1, 0.6118033988749895\n",
                           facets("profile.csv"));
  run_to(1., run);
  // 2/3 g sin α along the slope, of 1 in 2
  const double along = 0.5 * 2. / 3. * 10. / std::sqrt(5.);
  EXPECT_GT(displacement(run, 0)[0], 0.9 * along * 2. / std::sqrt(5.));
  EXPECT_LT(displacement(run, 0)[1], -0.5);
}

/// A cube from a file: a ball is thrown at its edge, and bounces off.
TEST_F(FacetedSurfaces, BallMeetsTheEdgeOfACube) {
  write("cube.obj",
        "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n"
        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
  auto run = on_surface<3>("  set Shape = sphere\n  set Radius = 0.2\n  set Mass = 1\n"
                           "  set Position = 1.5, 0.3, 1.5\n  set Initial velocity = -5, 0, -5\n",
                           facets("cube.obj") + "  set Restitution = 1\n");
  run_to(0.15, run);
  EXPECT_GT(velocity(run, 0)[0], 4.5);
  EXPECT_LT(std::abs(velocity(run, 0)[1]), 1e-10);
}

TEST_F(FacetedSurfaces, RefusesUnfitFiles) {
  write(
      "case.prm",
      "subsection Rigid bodies\n subsection ball\n  set Shape = sphere\n  set Mass = 1\n  set "
      "Position = 0, 0, 2\n"
      " end\nend\nsubsection Contact\n subsection c\n  set Bodies = ball\n  set Surface = facets\n"
      " end\nend\n");
  expect_refusal(check_with({}),
                 {"'Contact/c/Surface mesh'", "a file is needed for Surface = facets"});
  expect_refusal(check_with({"Contact/c/Surface mesh=road.stl"}), {"there is no file"});
  expect_refusal(check_with({"Contact/c/Surface=half-space", "Contact/c/Surface mesh=road.stl"}),
                 {"this has no effect with Surface = half-space"});
  write("heights.csv", "x, y, z\n0, 0, 0\n1, 0, 0\n0, 1, 0\n");
  expect_refusal(
      check_with({"Contact/c/Surface mesh=heights.csv"}),
      {"one row for each point of a grid; there are 3 rows for 2 values of x and 2 of y"});
  write("heights.csv", "x, y, z\n0, 0, 0\n1, 0, high\n");
  expect_refusal(check_with({"Contact/c/Surface mesh=heights.csv"}),
                 {"heights.csv:3: column 'z' must have a number"});
  write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  expect_refusal(check_with({"Contact/c/Surface mesh=flat.obj"}),
                 {"facet 1 of the surface has no size"});
}

} // namespace
