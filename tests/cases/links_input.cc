// Links made from their input, and refused input.

#include "cases/checked_case.h"
#include <algorithm>

namespace {

using namespace percussion;
using cases::has;

class LinksInput : public cases::CheckedCase {
protected:
  void SetUp() override {
    write("case.prm", std::string(case_file) + R"(subsection Rigid bodies
  subsection bar
    set Width = 1
    set Height = 0.1
    set Mass = 2
    set Position = 3, 2
  end
  subsection ball
    set Mass = 1
    set Copies = 2
    set Position = 6, 2
    set Offset = 2, 0
  end
end
)");
  }

  void add(const std::string &text) const {
    write("case.prm", read("case.prm") + "subsection Links\n" + text + "end\n");
  }
  static std::string link(const std::string &name, const std::string &entries) {
    return "  subsection " + name + "\n" + entries + "  end\n";
  }

  Case<2> build() const {
    auto file = ParameterFile::read((folder / "case.prm").string());
    return build_case<2>(Parameters(declare_case(&file), file), file);
  }

  /// Expects status 2 and these words.
  void refuses(const std::string &entries, const std::vector<std::string> &words) const {
    const std::string before = read("case.prm");
    add(link("spring", entries));
    expect_refusal(check_with({}), words);
    write("case.prm", before);
  }
};

TEST_F(LinksInput, AreMadeOfTheirEntries) {
  add(link("hanger",
           "    set First point = 3, 5\n    set Second = bar\n    set Second point = 3, 2\n"
           "    set Stiffness = 10\n    set Damping = 0.5\n    set Tension at start = 4\n") +
      link("strut", "    set First = top\n    set Second = ball 2\n    set Second point = 8, 2\n"
                    "    set Stiffness = 3\n    set Rest length = 7\n") +
      link("hinge", "    set Type = pin\n    set First = bar\n    set Second = ball 1\n"
                    "    set First point = 4, 2\n") +
      link("corner", "    set Type = pin\n    set First = right\n") +
      link("stiff", "    set Type = weld\n    set First = ball 2\n    set First point = 8, 1\n"));
  const auto c = build();
  const auto &links = c.bodies->links;
  ASSERT_EQ(links.size(), 5u);
  const auto named = [&](const std::string &name) {
    return *std::find_if(links.begin(), links.end(), [&](const auto &l) { return l.name == name; });
  };
  const auto hanger = named("hanger");
  EXPECT_EQ(hanger.kind, LinkKind::spring);
  EXPECT_TRUE(hanger.first.is_fixed());
  EXPECT_EQ(hanger.second.rigid, 0u);
  EXPECT_NEAR(hanger.rest_length, 3. - 0.4, 1e-15);
  EXPECT_EQ(hanger.damping, 0.5);
  const auto strut = named("strut");
  EXPECT_EQ(strut.first.nodes.size(), 3u); // mean over the faces of the upper edge
  EXPECT_NEAR(strut.first.position.distance({0.5, 1.}), 0., 1e-15);
  std::vector<double> shares;
  for (const auto &[dofs, share] : strut.first.nodes)
    shares.push_back(share);
  std::sort(shares.begin(), shares.end());
  EXPECT_NEAR(shares[0], 0.25, 1e-15);
  EXPECT_NEAR(shares[2], 0.5, 1e-15);
  EXPECT_EQ(strut.second.rigid, 2u);
  EXPECT_EQ(strut.rest_length, 7.);
  EXPECT_EQ(named("hinge").kind, LinkKind::pin);
  EXPECT_EQ(named("hinge").second.position, dealii::Point<2>(4., 2.));
  EXPECT_NEAR(named("corner").second.position.distance({1., 0.5}), 0., 1e-15);
  EXPECT_EQ(named("stiff").kind, LinkKind::weld);
}

TEST_F(LinksInput, HaveBoundsBySlidersRodsAndPins) {
  add(link("rail", "    set Type = slider\n    set Second = bar\n    set First point = 3, 2\n"
                   "    set Axis = 0, 2\n    set Lower displacement = -1\n"
                   "    set Friction coefficient = 0.5\n") +
      link("rope", "    set Type = distance\n    set First point = 8, 9\n    set Second = ball 2\n"
                   "    set Second point = 8, 2\n    set Upper length = 7\n") +
      link("hinge", "    set Type = pin\n    set First = bar\n    set Second = ball 1\n"
                    "    set First point = 4, 2\n    set Upper angle = 1\n"
                    "    set Friction torque = 2\n"));
  const auto c = build();
  const auto &links = c.bodies->links;
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[0].kind, LinkKind::slider);
  EXPECT_EQ(links[0].axis[1], 2.);
  EXPECT_EQ(links[0].bounds.lower, -1.);
  EXPECT_EQ(links[0].bounds.friction_per_force, 0.5);
  EXPECT_EQ(links[1].kind, LinkKind::distance);
  EXPECT_EQ(links[1].bounds.upper, 7.);
  EXPECT_EQ(links[2].rotation.bounds.upper, 1.);
  EXPECT_EQ((*links[2].rotation.bounds.friction)(0.), 2.);
}

TEST_F(LinksInput, MistakesInBoundsAreTold) {
  const std::string bar = "    set Second = bar\n    set First point = 3, 2\n";
  refuses("    set Type = pin\n    set First = right\n    set Upper angle = 1\n",
          {"Links/spring/Type", "a region has no angle that could have a limit or friction"});
  refuses("    set Type = slider\n    set First = right\n",
          {"Links/spring/Type", "a region has no angle that a slider could keep"});
  refuses("    set Type = slider\n    set Axis = 0, 0\n" + bar,
          {"Links/spring/Axis", "of nonzero length"});
  refuses("    set Type = pin\n    set Axis = 0, 1\n" + bar,
          {"Links/spring/Axis", "has no effect with Type = pin"});
  refuses("    set Type = distance\n" + bar + "    set Second point = 3, 2\n",
          {"'Links/spring'", "take Type = pin"});
  refuses("    set Type = pin\n    set Lower angle = 2\n    set Upper angle = 1\n" + bar,
          {"Links/spring/Upper angle", "must be larger than Lower angle = 2"});
}

TEST_F(LinksInput, JointsAreOf3D) {
  write("case.prm", read("case.prm") + "subsection Joints\n  subsection a\n    set Bodies = bar\n" +
                        "  end\nend\n");
  expect_refusal(check_with({}), {"'Joints'", "3D"});
}

TEST_F(LinksInput, MistakesAreTold) {
  const std::string at = "    set First point = 3, 5\n", stiff = "    set Stiffness = 1\n";
  refuses("    set Second = barr\n" + stiff,
          {"Links/spring/Second", "there is no rigid body and no region of this name",
           "did you mean 'bar'?"});
  refuses("    set Second = ball\n" + stiff, {"Links/spring/Second", "2 copies", "ball 1"});
  refuses(at + "    set Second = bar\n" + stiff,
          {"Links/spring/Second point", "a point x, y is needed here"});
  refuses(at + "    set Second = top\n    set Second point = 1, 1\n" + stiff,
          {"Links/spring/Second point", "has no effect at a region"});
  refuses(at + "    set Second = bar\n    set Second point = 3, 2\n",
          {"'Links/spring'", "a spring without Stiffness or Damping has no effect"});
  refuses(at + "    set Second point = 1, 1\n" + stiff, {"'Links/spring'", "the link has no body"});
  refuses("    set First = bar\n" + at + "    set Second = bar\n    set Second point = 3, 2\n" +
              stiff,
          {"Links/spring/Second", "First is the same body"});
  refuses(at + "    set Second = bar\n    set Second point = 3, 2\n" + stiff +
              "    set Rest length = 1\n    set Tension at start = 1\n",
          {"Links/spring/Tension at start", "has a Rest length already"});
  refuses(at + "    set Second = bar\n    set Second point = 3, 2\n    set Stiffness = -1\n",
          {"Links/spring/Stiffness"});
  refuses(at + "    set Second = bar\n    set Second point = 3, 5\n    set Stiffness = 1\n"
               "    set Rest length = 1\n",
          {"Links/spring/Rest length", "the force has no direction"});
  const std::string pin = "    set Type = pin\n";
  refuses(pin + at + "    set Second = bar\n" + stiff,
          {"Links/spring/Stiffness", "has no effect with Type = pin"});
  refuses(pin + at + "    set Second = bar\n    set Second point = 3, 2\n",
          {"Links/spring/Second point", "has no effect with Type = pin"});
  refuses(pin + at + "    set First = bar\n    set Second = right\n",
          {"'Links/spring'", "apart at the start"});
  refuses("    set Type = weld\n    set First = right\n    set Second = bar\n",
          {"Links/spring/Type", "a region has no angle"});
  refuses("    set Type = glue\n    set Second = bar\n", {"Links/spring/Type", "glue"});
}

/// Contacts beside links are condensed; the linear solver can be chosen.
TEST_F(LinksInput, LeaveNoChoiceOfTheElimination) {
  add(link("spring", "    set First point = 3, 5\n    set Second = bar\n"
                     "    set Second point = 3, 2\n    set Stiffness = 1\n"));
  expect_refusal(check_with({"Solver/Contact elimination=projected"}),
                 {"'Solver/Contact elimination' is 'projected': this has no effect with links"});
  auto file = ParameterFile::read((folder / "case.prm").string());
  file.override_with("Solver/Linear systems=conjugate gradients");
  const auto c = build_case<2>(Parameters(declare_case(&file), file), file);
  EXPECT_EQ(c.choices.linear_solver, LinearSolver::conjugate_gradients);
}

/// A joint whose ends begin with different velocities gives a warning, not an error.
TEST_F(LinksInput, VelocitiesThatAJointCannotKeepAreDoubted) {
  add(link("hinge", "    set Type = pin\n    set First = bar\n    set First point = 3.5, 2\n"));
  EXPECT_TRUE(build().warnings.empty() ||
              !has(build().warnings.back(), "begin with different velocities"));
  auto file = ParameterFile::read((folder / "case.prm").string());
  file.override_with("Rigid bodies/bar/Initial velocity=1, 0");
  const auto c = build_case<2>(Parameters(declare_case(&file), file), file);
  EXPECT_TRUE(std::any_of(c.warnings.begin(), c.warnings.end(), [](const auto &w) {
    return has(w, "link 'hinge': its ends begin with different velocities");
  }));
}

/// Springs make the balance nonlinear: its entries have an effect, also for rigid bodies only.
TEST_F(LinksInput, MakeTheStepIterative) {
  add(link("hanger",
           "    set First point = 3, 5\n    set Second = bar\n    set Second point = 3, 2\n"
           "    set Stiffness = 10\n"));
  EXPECT_EQ(check_with({"Solver/Newton tolerance=1e-9"}).status, 0);
  const auto outcome = start("percussion", {"case.prm"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(has(outcome.out, "'hanger': spring, stiffness 10, rest length 3")) << outcome.out;
}

// ---- the law and the element ----

TEST_F(LinksInput, StVenantAndKirchhoffsLawTakesTheEntriesOfTheLinearOne) {
  write("case.prm", case_file);
  const std::string law = "Material/Law=St. Venant-Kirchhoff";
  EXPECT_EQ(check_with({law, "Material/Poisson ratio=-0.3", "Material/Plane=stress"}).status, 0);
  EXPECT_EQ(check_with({law, "Material/Viscosity=1", "Material/Viscosity law=curnier"}).status, 0);
  expect_refusal(check_with({law, "Material/Poisson ratio=0.5"}),
                 {"Material/Poisson ratio", "> -1 and < 0.5"});
  expect_refusal(check_with({law, "Material/C1=2"}),
                 {"Material/C1", "has no effect with Law = St."});
  expect_refusal(check_with({law, "Material/Viscosity=1"}), {"Material/Viscosity law", "curnier"});
  expect_refusal(check_with({"Material/Law=St Venant-Kirchhoff"}),
                 {"Material/Law", "did you mean 'St. Venant-Kirchhoff'?"});
}

TEST_F(LinksInput, IncompatibleModesAreOfLinearQuadrilaterals) {
  write("case.prm", case_file);
  const std::string element = "Material/Element=incompatible modes";
  EXPECT_EQ(check_with({element}).status, 0);
  expect_refusal(check_with({element, "Material/Law=neo-hooke"}),
                 {"Material/Element", "has no effect with Law = neo-hooke"});
  expect_refusal(check_with({element, "Mesh/File=" PERCUSSION_SOURCE_DIR "/meshes/ring.msh",
                             "Contact/ground/Region=contact"}),
                 {"Material/Element", "require quadrilaterals, and the mesh ring.msh has triangles",
                  "allowed is standard, macro-cells, quadratic or quadratic mean dilatation"});
}

TEST_F(LinksInput, MeanVolumeChangesNeedALawAndCellsThatHaveThem) {
  write("case.prm", case_file);
  const std::string mean = "Material/Element=mean dilatation",
                    macro = "Material/Element=macro-cells",
                    ring = "Mesh/File=" PERCUSSION_SOURCE_DIR "/meshes/ring.msh",
                    contact = "Contact/ground/Region=contact";
  EXPECT_EQ(check_with({mean}).status, 0);
  EXPECT_EQ(check_with({mean, "Material/Law=neo-hooke"}).status, 0);
  EXPECT_EQ(check_with({macro, ring, contact}).status, 0);
  expect_refusal(check_with({mean, "Material/Plane=stress"}),
                 {"Material/Element", "mean dilatation needs plane strain, axisymmetry or 3D",
                  "allowed is standard, incompatible modes or quadratic"});
  expect_refusal(check_with({macro, ring, contact, "Material/Law=St. Venant-Kirchhoff"}),
                 {"Material/Element", "which St. Venant-Kirchhoff has not", "allowed is standard"});
  expect_refusal(
      check_with({mean, ring, contact}),
      {"Material/Element", "mean dilatation requires quadrilaterals",
       "the mesh ring.msh has triangles; allowed is standard, macro-cells, quadratic or"});
  expect_refusal(check_with({macro}),
                 {"Material/Element", "macro-cells require triangles",
                  "has quadrilaterals; allowed is standard, incompatible modes, mean dilatation, "
                  "quadratic or quadratic mean dilatation"});
  expect_refusal(check_with({macro, "Material/Law=neo-hooke"}),
                 {"allowed is standard, mean dilatation, quadratic or"}); // no incompatible modes
}

TEST_F(LinksInput, QuadraticCellsTakeAnyLawAndAreAllOfAMesh) {
  const std::string quadratic = "Material/Element=quadratic",
                    mean = "Material/Element=quadratic mean dilatation",
                    ring = "Mesh/File=" PERCUSSION_SOURCE_DIR "/meshes/ring.msh",
                    contact = "Contact/ground/Region=contact";
  write("case.prm", case_file);
  for (const std::string law : {"linear elastic", "neo-hooke", "St. Venant-Kirchhoff"})
    EXPECT_EQ(check_with({quadratic, "Material/Law=" + law}).status, 0) << law;
  EXPECT_EQ(check_with({mean, ring, contact}).status, 0);
  const auto described = start("percussion", {"case.prm", "--validate", "--set", quadratic});
  EXPECT_TRUE(cases::has(described.out, "quadrilaterals of second order")) << described.out;
  expect_refusal(check_with({mean, "Material/Plane=stress"}),
                 {"Material/Element", "quadratic mean dilatation needs plane strain",
                  "allowed is standard, incompatible modes or quadratic"});
  expect_refusal(check_with({mean, "Material/Law=St. Venant-Kirchhoff"}),
                 {"Material/Element", "which St. Venant-Kirchhoff has not",
                  "allowed is standard or quadratic"});
  expect_refusal(check_with({quadratic, "Time/Scheme=nitsche-symmetric"}),
                 {"with the standard element of first order only"});
}

/// A mesh of second order has quadratic cells for the default element, and a region of cells cannot
/// have another order than the rest.
TEST_F(LinksInput, MeshesOfSecondOrderHaveQuadraticCells) {
  write("square.geo", R"(Point(1) = {0, 0, 0, 0.5};
Point(2) = {2, 0, 0, 0.5};
Point(3) = {2, 1, 0, 0.5};
Point(4) = {0, 1, 0, 0.5};
Point(5) = {2, 2, 0, 0.5};
Point(6) = {0, 2, 0, 0.5};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Line(5) = {3, 5};
Line(6) = {5, 6};
Line(7) = {6, 4};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {-3, 5, 6, 7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Mesh.ElementOrder = 2;
Physical Surface("lower") = {1};
Physical Surface("upper") = {2};
Physical Curve("bottom") = {1};
)");
  write("case.prm", case_file);
  const std::string mesh = "Mesh/File=square.geo";
  const auto described = start("percussion", {"case.prm", "--validate", "--set", mesh});
  EXPECT_EQ(described.status, 0) << described.error;
  EXPECT_TRUE(cases::has(described.out, "triangles of second order")) << described.out;
  EXPECT_EQ(check_with({mesh, "Material/Element=mean dilatation"}).status, 0);
  write("linear.geo", read("square.geo") + "Mesh.ElementOrder = 1;\n");
  write("case.prm", std::string(case_file) +
                        "subsection Material\n  subsection upper\n    set Element = quadratic\n"
                        "  end\nend\n");
  expect_refusal(check_with({"Mesh/File=linear.geo"}),
                 {"Material/Element", "all cells of a mesh have one order"});
}

} // namespace
