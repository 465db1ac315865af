// Bodies of revolution as cases: Taylor's bar, Hertz' ball, and refused input.

#include "cases/checked_case.h"
#include "cases/stepped.h"
#include "support/scratch_folder.h"

namespace cases_in_space {

using namespace percussion;

/// End of a run of taylor_bar.
struct BarEnd {
  double length, foot; ///< length, and radius of the foot [mm]
  double loss;         ///< plastic loss over the initial energy
};

/// Returns the end of a run, whose steps have no defect of their balance.
BarEnd taylor_bar(const Assignments &more) {
  Stepped<2> bar(
      build<2>(ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/taylor_bar.prm"), more));
  const double energy = bar.state.kinetic;
  double loss = 0, largest_residual = 0;
  while (bar.state.step < bar.c.span.n_steps) {
    const auto &record = bar.advance();
    largest_residual = std::max(largest_residual, std::abs(record.balance_residual));
    EXPECT_LE(record.works.plastic, 0.);
    loss -= record.works.plastic;
  }
  EXPECT_LT(largest_residual, 1e-13 * energy);
  const Space<2> &space = bar.c.bodies->elastic.front()->space;
  BarEnd end{0., 0., loss / energy};
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    const dealii::Tensor<1, 2> x = space.nodes[i] + space.value_at(i, bar.state.q);
    end.length = std::max(end.length, x[1]);
    if (space.nodes[i][1] == 0.)
      end.foot = std::max(end.foot, x[0]);
  }
  return end;
}

/// With a foot that stays on the wall the bar is that of an independent program with the same mesh
/// and the consistent mass; with lumped masses that program has 21.606 mm, 7.103 mm and 0.8845.
TEST(TaylorBar, AgreesWithAnIndependentProgram) {
  const BarEnd end = taylor_bar({"Contact/wall/Point=0, -1000",
                                 "Boundary conditions/foot/Displacement y=0", "Time/Step=4e-4"});
  EXPECT_NEAR(end.length, 21.452, 1e-3);
  EXPECT_NEAR(end.foot, 6.837, 1e-3);
  EXPECT_NEAR(end.loss, 0.88972, 1e-5);
}

/// On a wall that only presses, length and foot of this coarse mesh are within 0.1 mm of the middle
/// of the published range, 21.4 to 21.5 mm and 7.0 to 7.1 mm.
TEST(TaylorBar, EndsWithTheLengthAndTheFootOfTheLiterature) {
  const BarEnd end = taylor_bar({});
  EXPECT_NEAR(end.length, 21.45, 0.1);
  EXPECT_NEAR(end.foot, 7.05, 0.1);
  EXPECT_NEAR(end.loss, 0.87, 0.02);
}

/// Half of a ball of radius 10 and an axis of symmetry, fine where it touches.
constexpr const char *ball_geometry = R"(SetFactory("OpenCASCADE");
R = 10; size = 0.08; core = 1;
Disk(1) = {0, R, 0, R};
Rectangle(2) = {0, 0, 0, R, R};
ball[] = BooleanIntersection{ Surface{1}; Delete; }{ Surface{2}; Delete; };
Field[1] = MathEval;
Field[1].F = Sprintf("%g + 0.15 * (Sqrt(x*x + y*y) - %g + Fabs(Sqrt(x*x + y*y) - %g)) / 2", size, core, core);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
e = 1e-6 * R;
round[] = Boundary{ Surface{ball[]}; };
axis[] = Curve In BoundingBox{-e, -e, -e, e, R + e, e};
equator[] = Curve In BoundingBox{-e, R - e, -e, R + e, R + e, e};
round[] -= axis[];
round[] -= equator[];
Physical Curve("round") = {round[]};
Physical Curve("equator") = {equator[]};
Physical Surface("ball") = {ball[]};
)";

constexpr const char *plate_geometry = R"(Point(1) = {0, -1, 0};
line[] = Extrude {2, 0, 0} { Point{1}; Layers{17}; };
plate[] = Extrude {0, 1, 0} { Line{line[1]}; Layers{4}; Recombine; };
Physical Curve("held") = {line[1]};
Physical Curve("top") = {plate[0]};
Physical Surface("plate") = {plate[1]};
)";

class AxisymmetricCase : public cases::CheckedCase {
protected:
  /// Returns the force of a ball that is pressed by 0.03 on a plane, on a rigid one or on a plate
  /// that is 10,000 times as stiff, and checks that each step ends in balance.
  double force_on_ball(const Assignments &more) const {
    write("ball.geo", ball_geometry);
    write("plate.geo", plate_geometry);
    write("hertz.prm", "subsection Mesh\n set File = ball.geo\nend\n"
                       "subsection Material\n set Plane = axisymmetric\n"
                       " set Young modulus = 210000\n set Poisson ratio = 0.3\nend\n"
                       "subsection Boundary conditions\n subsection equator\n"
                       "  set Displacement y = -0.03*t\n end\nend\n"
                       "subsection Contact\n subsection ground\n  set Region = round\n end\nend\n"
                       "subsection Time\n set Inertia = none\n set Theta = 1\n set End = 1\n"
                       " set Step = 0.25\nend\n");
    const cases::fs::path before = cases::fs::current_path();
    cases::fs::current_path(folder);
    Stepped<2> ball(build<2>(ParameterFile::read("hertz.prm"), more));
    cases::fs::current_path(before);
    double force = 0;
    while (ball.state.step < ball.c.span.n_steps) {
      const auto &record = ball.advance();
      // Stiffness times displacements, whose sums round, are 1e5 times the energy.
      EXPECT_LT(std::abs(record.balance_residual), 5e-12 * ball.state.strain);
      force = 0;
      for (const auto &contact : record.contacts)
        force += contact.percussion[0] / ball.c.choices.h;
    }
    return force;
  }
};

/// F = 4/3 E/(1 − ν²) √R d^(3/2) of half-spaces. Half a ball lacks the compression beyond its
/// equator: it is stiffer by about half of a/R.
TEST_F(AxisymmetricCase, PressedBallHasTheForceOfHertz) {
  const double hertz = 4. / 3. * 210000. / (1. - 0.09) * std::sqrt(10.) * std::pow(0.03, 1.5);
  const Assignments plate = {"Mesh/File=ball.geo, plate.geo", "Material/plate/Young modulus=2.1e9",
                             "Boundary conditions/held/Displacement y=0",
                             "Contact/ground/Surface=region", "Contact/ground/Against=top"};
  EXPECT_NEAR(force_on_ball({}), hertz, 0.04 * hertz);
  EXPECT_NEAR(force_on_ball(plate), hertz, 0.04 * hertz);
}

constexpr const char *pad_geometry = R"(DefineConstant[ quadrilaterals = 1 ];
Point(1) = {0, 0, 0}; Point(2) = {5, 0, 0}; Point(3) = {5, 0.5, 0}; Point(4) = {0, 0.5, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1 : 4}; Plane Surface(1) = {1}; Transfinite Surface {1};
Transfinite Curve {1} = 41 Using Progression 1/1.05;
Transfinite Curve {3} = 41 Using Progression 1.05; Transfinite Curve {2, 4} = 9;
If(quadrilaterals) Recombine Surface {1}; EndIf
Physical Surface("pad") = {1}; Physical Curve("middle") = {1}; Physical Curve("face") = {3};
)";

/// Pad of rubber, of thickness 1 and radius 5, that plates to which friction sticks it press
/// together by `half_path` in `n_steps`, without inertia.
Stepped<2> pressed_pad(const Assignments &entries, double half_path, unsigned int n_steps) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "pad.geo") << pad_geometry;
  std::ofstream(folder / "pad.prm")
      << "subsection Mesh\n set File = pad.geo\nend\n"
         "subsection Material\n set Plane = axisymmetric\n set Young modulus = 1\n"
         " set Poisson ratio = 0.4999\nend\n"
         "subsection Boundary conditions\n subsection middle\n  set Displacement y = 0\n end\nend\n"
         "subsection Contact\n subsection plate\n  set Region = face\n  set Point = 0, 0.5\n"
         "  set Normal = 0, -1\n  set Motion y = -"
      << half_path
      << "*t\n  set Friction coefficient = 10\n end\nend\n"
         "subsection Time\n set Inertia = none\n set Theta = 1\n set End = 1\n set Step = "
      << 1. / n_steps << "\nend\n";
  return Stepped<2>(build<2>(ParameterFile::read(folder / "pad.prm"), entries));
}

/// Returns the normal force on the plate.
double force_on_plate(const Stepped<2> &pad, const StepRecord<2> &record) {
  double force = 0;
  for (const auto &contact : record.contacts)
    force += contact.percussion[0] / pad.c.choices.h;
  return force;
}

/// Returns the force on the pad pressed by 1 % over the force of Gent and Lindley (1959), E (1 + 2
/// S²) with the shape factor S = R/(2 t), in series with the bulk modulus.
double force_of_pad(const Assignments &element) {
  constexpr double bulk = 1. / (3. * (1. - 2. * 0.4999)), volume = 12.5 * dealii::numbers::PI;
  Stepped<2> pad = pressed_pad(element, 0.005, 2);
  double force = 0;
  while (pad.state.step < pad.c.span.n_steps) {
    const auto &record = pad.advance();
    // The bulk modulus times the strains of displacements up to 0.05 rounds.
    EXPECT_LT(std::abs(record.balance_residual), 1e-14 * bulk * volume * 0.05 * 0.05);
    force = force_on_plate(pad, record);
  }
  const double S = 5. / 2.;
  const double modulus = 1. / (1. / (1. + 2. * S * S) + 1. / bulk);
  return force / (modulus * 2. * volume * 0.01);
}

/// The formula neglects the edge, a fortieth of the force.
TEST(RubberPad, HasTheForceOfItsShapeFactorUnlessElementsLock) {
  EXPECT_NEAR(force_of_pad({"Material/Element=mean dilatation"}), 0.975, 0.01);
  EXPECT_NEAR(force_of_pad({"Material/Element=macro-cells", "Mesh/Parameters=quadrilaterals=0"}),
              0.975, 0.01);
  EXPECT_GT(force_of_pad({}), 1.4);
}

/// Returns the number of corrections of two steps that press the pad by 2.5 % each.
unsigned int corrections_of_pad(Assignments entries, const char *poisson_ratio) {
  entries.emplace_back(std::string("Material/Poisson ratio=") + poisson_ratio);
  entries.emplace_back("Material/Law=neo-hooke");
  Stepped<2> pad = pressed_pad(entries, 0.025, 2);
  unsigned int n_corrections = 0;
  while (pad.state.step < pad.c.span.n_steps) {
    const auto &record = pad.advance();
    EXPECT_EQ(record.n_cuts, 0u) << poisson_ratio;
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * pad.state.strain) << poisson_ratio;
    n_corrections += record.solver_iterations;
  }
  return n_corrections;
}

/// With pressures that only follow the displacements, steps are cut to 1/16 at 0.4999. Without its
/// contacts the tangent is indefinite on the face: additions on all its nodes, with a new factor in
/// each correction, cut the second step of macro-cells.
TEST(RubberPad, TakesAsManyCorrectionsNearIncompressibility) {
  const Assignments quadrilaterals = {"Material/Element=mean dilatation"},
                    triangles = {"Material/Element=macro-cells",
                                 "Mesh/Parameters=quadrilaterals=0"};
  for (const Assignments &element : {quadrilaterals, triangles})
    for (const std::string friction : {"10", "0.3"}) {
      SCOPED_TRACE(element.front() + ", friction " + friction);
      Assignments entries = element;
      entries.push_back("Contact/plate/Friction coefficient=" + friction);
      EXPECT_LE(corrections_of_pad(entries, "0.4999"), 1.5 * corrections_of_pad(entries, "0.45"));
    }
}

/// Sliding faces that are pressed by 15 % need no cut: additions act along the forces of contacts
/// alone.
TEST(RubberPad, SlidesWithoutCuts) {
  Stepped<2> pad =
      pressed_pad({"Material/Element=mean dilatation", "Material/Law=neo-hooke",
                   "Material/Poisson ratio=0.45", "Contact/plate/Friction coefficient=0.3"},
                  0.075, 6);
  while (pad.state.step < pad.c.span.n_steps)
    EXPECT_EQ(pad.advance().n_cuts, 0u) << pad.state.step;
}

TEST_F(AxisymmetricCase, RefusesWhatIsNoBodyOfRevolution) {
  const std::string plane = "Material/Plane=axisymmetric",
                    vertical = "Boundary conditions/Gravity=";
  EXPECT_EQ(check_with({plane}).status, 0) << check_with({plane}).error;
  EXPECT_EQ(check_with({plane, "Contact/ground/Motion y=0.1*t"}).status, 0);
  EXPECT_EQ(check_with({plane, "Boundary conditions/top/Displacement x=0.1*x"}).status, 0);
  const std::vector<std::pair<Assignments, std::vector<std::string>>> refusals = {
      {{"Material/Thickness=2"}, {"'Material/Thickness' is '2'", "with Plane = axisymmetric"}},
      {{"Material/Element=incompatible modes"},
       {"'Material/Element' is 'incompatible modes'",
        "incompatible modes are not for bodies of revolution; allowed is standard"}},
      {{"Material/Poisson ratio=0.5"}, {"'Material/Poisson ratio'", "in an axisymmetric body"}},
      {{vertical + "1, -10"}, {"'Boundary conditions/Gravity'", "gravity acts along the axis"}},
      {{vertical + "sin(t), -10"}, {"'Boundary conditions/Gravity'", "along the axis"}},
      {{"Boundary conditions/left/Displacement x=0.1*t"},
       {"'Boundary conditions/left/Displacement x'", "nodes on the axis of revolution"}},
      {{"Contact/ground/Region=left"},
       {"contact 'ground'", "region 'left' has a face on the axis of revolution"}},
      {{"Contact/ground/Motion x=t"}, {"'Contact/ground/Motion x'", "allowed is Motion y"}},
      {{"Contact/ground/Motion angle=t"}, {"'Contact/ground/Motion angle'", "meridian plane"}},
      {{"Contact/ground/Belt velocity x=1"}, {"'Contact/ground/Belt velocity x'", "stretch"}},
      {{"Rigid bodies/disc/Shape=disc", "Rigid bodies/disc/Mass=1", "Rigid bodies/disc/Radius=1",
        "Rigid bodies/disc/Position=0, 5"},
       {"Rigid bodies/disc", "no body of revolution"}},
      {{"Links/spring/First=right", "Links/spring/Stiffness=1"}, {"Links/spring", "a ring"}}};
  for (const auto &[entries, words] : refusals) {
    Assignments all = {plane};
    all.insert(all.end(), entries.begin(), entries.end());
    expect_refusal(check_with(all), words);
  }
}

TEST_F(AxisymmetricCase, RefusesPlaneBodiesBesideBodiesOfRevolution) {
  std::string mesh = block_mesh;
  mesh.replace(mesh.find("\"block\""), 7, "\"other\"");
  write("other.msh", mesh);
  const Assignments both = {"Mesh/File=block.msh, other.msh", "Contact/ground/Region=block:bottom",
                            "Material/Plane=axisymmetric"};
  EXPECT_EQ(check_with(both).status, 0) << check_with(both).error;
  Assignments mixed = both;
  mixed.emplace_back("Material/other/Plane=strain");
  expect_refusal(check_with(mixed), {"'Material/other/Plane' is 'strain'",
                                     "either axisymmetric bodies or plane ones"});
}

TEST_F(AxisymmetricCase, RefusesMeshesBeyondTheAxis) {
  std::string mesh = block_mesh;
  const std::string corner = "1 0 0 0\n";
  mesh.replace(mesh.find(corner), corner.size(), "1 -0.25 0 0\n");
  write("block.msh", mesh);
  expect_refusal(check_with({"Material/Plane=axisymmetric"}),
                 {"'Mesh/File' is 'block.msh'", "x = -0.25", "allowed is x >= 0"});
}

/// A case does not compute a file for bodies of revolution as a plane body.
TEST_F(AxisymmetricCase, RequiresAxisymmetryOfElementsOfRevolution) {
  write("block.inp", "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,.5,0\n6,1,.5\n7,.5,1\n8,0,.5\n"
                     "*ELEMENT, TYPE=CAX8RH, ELSET=block\n1,1,2,3,4,5,6,7,8\n"
                     "*SURFACE, NAME=bottom\nblock, S1\n");
  const Assignments revolved = {"Mesh/File=block.inp", "Material/Plane=axisymmetric"};
  EXPECT_EQ(check_with(revolved).status, 0) << check_with(revolved).error;
  expect_refusal(check_with({"Mesh/File=block.inp"}), {"'Material/Plane' (default) is 'strain'",
                                                       "block has axisymmetric elements (CAX in "
                                                       "block.inp:10); set Plane = axisymmetric in "
                                                       "Material, or change"});
}

/// The laws without plane stress have axisymmetric bodies.
TEST_F(AxisymmetricCase, AcceptsLawsWithoutPlaneStress) {
  EXPECT_EQ(check_with({"Material/Plane=axisymmetric", "Material/Law=elastoplastic",
                        "Material/Yield stress=1", "Material/Element=mean dilatation"})
                .status,
            0);
  expect_refusal(check_with({"Material/Plane=stress", "Material/Law=neo-hooke"}),
                 {"'Material/Plane' is 'stress'", "plane strain only, or axisymmetric"});
}

} // namespace cases_in_space
