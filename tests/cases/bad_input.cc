// Wrong input of users: the message, the exit status, and no written files.

#include <percussion/output/ledger_columns.h>

#include "cases/checked_case.h"

namespace {

using BadInput = cases::CheckedCase;
using cases::has;

/// Returns the text with one piece replaced by another; the piece must be there.
std::string replaced(std::string text, const std::string &part, const std::string &other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

std::size_t count(const std::string &text, const std::string &words) {
  std::size_t n = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++n;
  return n;
}

TEST_F(BadInput, TheCaseOfTheseTestsRuns) {
  const auto outcome = run_with({});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(has(outcome.out, "Results   output/case"));
}

TEST_F(BadInput, CommandLine) {
  expect_refusal(start("percussion", {}), {"parameter file", "--help"});
  expect_refusal(start("percussion", {"case.prm", "--outptu", "x"}),
                 {"unknown option '--outptu'; did you mean '--output'?"});
  expect_refusal(start("percussion", {"cas.prm"}),
                 {"cannot read 'cas.prm': no such file; did you mean 'case.prm'?"});
  expect_refusal(start("percussion", {"block.msh"}), {"it is a Gmsh mesh, not a parameter file"});
  expect_refusal(run_with({"Time/Stpe=1"}),
                 {"--set: unknown entry 'Time/Stpe'; did you mean 'Step'?"});
  expect_refusal(check_with({"Time/Step/=1"}),
                 {"--set: 'Time/Step/=1': expected SUBSECTION/NAME="});
  // --set takes one assignment: the next argument is the case.
  const auto valid = start("percussion", {"--set", "Time/Step=2e-3", "case.prm", "--validate"});
  EXPECT_EQ(valid.status, 0) << valid.error;
  EXPECT_TRUE(has(valid.out, "10 steps of 0.002")) << valid.out;
  EXPECT_FALSE(exists("output"));
}

TEST_F(BadInput, EntriesOfTheFile) {
  write("case.prm", R"(subsection Mesh
  set Fil = block.msh
end
subsection Material
  set Density = -1
  set Young modulus = stiff
  set Poisson ratio = 0.6
end
subsection Bondary conditions
end
subsection Time
  set Scheme = moreau-jan
end
)");
  expect_refusal(
      run_with({}),
      {"6 problems in the input", "case.prm:2: unknown entry 'Mesh/Fil'; did you mean 'File'?",
       "case.prm:5: 'Material/Density' is '-1': allowed is a number > 0",
       "case.prm:6: 'Material/Young modulus' is 'stiff': allowed is a number > 0",
       "case.prm:7: 'Material/Poisson ratio' is '0.6': allowed is a number > -1 and <= 0.5",
       "case.prm:9: unknown subsection 'Bondary conditions'; did you mean 'Boundary conditions'?",
       "case.prm:12: 'Time/Scheme' is 'moreau-jan': allowed is one of moreau-jean",
       "'moreau-jean'"});
}

TEST_F(BadInput, AllMistakesOfMeaningAtOnce) {
  const std::string text =
      replaced(replaced(cases::CaseFolder::case_file, "Region = bottom", "Region = botom"),
               "set End = 0.02", "set End = -1");
  write("case.prm", text);
  expect_refusal(
      check_with({"Material/Poisson ratio=0.5", "Boundary conditions/tp/Traction x=1",
                  "Boundary conditions/top/Traction y=2*sin(",
                  "Boundary conditions/left/Traction x=1/t", "Contact/ground/Dissipation index=0.5",
                  "Contact/ground/Radius=2", "Contact/ground/Motion x=y",
                  "Contact/ground/Motion angle=x", "Contact/ground/Belt velocity x=1/t",
                  "Initial state/Preload gravity=true", "Output/Directory=case.prm/results"}),
      {"13 problems in the input",
       "case.prm:12: 'Contact/ground/Region' is 'botom': no such region",
       "did you mean 'bottom'? Its regions: block, bottom, left, right, top, upper left",
       "case.prm:17: 'Time/End' is '-1': it must be later than Time/Start = 0",
       "'Material/Poisson ratio' is '0.5': in plane strain allowed is a number > -1 and < 0.5",
       "subsection 'Boundary conditions/tp': no such region in 'block.msh'; did you mean 'top'?",
       "'Boundary conditions/top/Traction y' is '2*sin(': not a formula: unexpected end",
       "'Boundary conditions/left/Traction x' is '1/t': not a finite number at t = 0",
       "'Contact/ground/Dissipation index' is '0.5': this has no effect with the impact law "
       "dissipative",
       "'Contact/ground/Radius' is '2': this has no effect with Surface = half-plane",
       "'Contact/ground/Motion x' is 'y': a rigid surface moves as a whole",
       "'Contact/ground/Motion angle' is 'x': a rigid surface turns as a whole",
       "'Contact/ground/Belt velocity x' is '1/t': not a finite number at t = 0",
       "'Initial state/Preload gravity' is 'true': this has no effect without",
       "'Output/Directory' is 'case.prm/results': no folder can be made in"});
}

TEST_F(BadInput, PrecisionOfIterations) {
  expect_refusal(check_with({"Solver/Precision=single"}),
                 {"'Solver/Precision' is 'single': allowed is one of automatic | double | mixed"});
  expect_refusal(check_with({"Solver/Precision=mixed"}),
                 {"'Solver/Precision' is 'mixed': this has no effect in 2D"});
}

/// Without a mesh the regions are unknown, and errors of other entries may be false.
TEST_F(BadInput, AMissingMeshIsReportedAlone) {
  std::vector<std::string> assignments = {"Boundary conditions/top/Traction x=1,5",
                                          "Contact/ground/Motion x=sine(t)"};
  expect_refusal(check_with(assignments),
                 {"2 problems", "2 numbers separated by commas", "did you mean 'sin'?"});
  assignments.emplace_back("Mesh/File=blok.msh");
  const auto outcome = check_with(assignments);
  expect_refusal(outcome, {"there is no file 'blok.msh'; did you mean 'block.msh'?"});
  EXPECT_FALSE(has(outcome.error, "Traction") || has(outcome.error, "Motion")) << outcome.error;
}

TEST_F(BadInput, RegionsThatContradictEachOther) {
  const std::string section = "Boundary conditions/";
  expect_refusal(check_with({section + "top/Traction x=1", section + "top/Displacement x=0"}),
                 {"'Boundary conditions/top/Displacement x' is '0': this region has a Traction x"});
  expect_refusal(
      check_with({section + "left/Displacement x=1", section + "top/Displacement x=0"}),
      {"'left' and 'top' prescribe different motions of a common node in the direction x"});
  expect_refusal(check_with({section + "block/Traction x=1"}),
                 {"faces of the boundary are needed", "dimension 2"});
  expect_refusal(check_with({section + "bottom/Velocity x=0", section + "bottom/Velocity y=0"}),
                 {"subsection 'Contact/ground': this has no effect", "'bottom' is prescribed"});
  // Another component, or only a common corner, is no contradiction.
  const auto fine = check_with({section + "top/Traction x=1", section + "left/Displacement x=0",
                                section + "top/Displacement y=0"});
  EXPECT_EQ(fine.status, 0) << fine.error;
}

TEST_F(BadInput, PreloadOfABodyThatNothingHolds) {
  const std::string preload = "Initial state/Static preload=true";
  const std::string let_go = "Initial state/Preload contact nodes=free";
  expect_refusal(
      check_with({preload, let_go}),
      {"'Initial state/Static preload' is 'true': a body or a component of it has no support",
       "free to move in the direction x"});
  expect_refusal(check_with({preload, let_go, "Boundary conditions/top/Displacement y=0"}),
                 {"free to move in the direction x"});
  // The corner at the top left is the centre of a rotation that neither side resists.
  expect_refusal(check_with({preload, let_go, "Initial state/top/Displacement x=0",
                             "Initial state/left/Displacement y=0"}),
                 {"free to rotate"});
  EXPECT_EQ(check_with({preload, let_go, "Initial state/right/Displacement x=0",
                        "Initial state/right/Displacement y=0"})
                .status,
            0);
}

TEST_F(BadInput, MessagesNameTheMeshOnce) {
  write("bad.msh", replaced(block_mesh, "13 3 2 5 1 5 6 9 8", "13 3 2 5 1 5 6 8 9"));
  const auto outcome = check_with({"Mesh/File=bad.msh"});
  expect_refusal(outcome, {"--set: 'Mesh/File' is 'bad.msh': element 13 with nodes 5 6 8 9"});
  EXPECT_EQ(count(outcome.error, "bad.msh"), 1u) << outcome.error;
  const auto missing = check_with({"Mesh/File="});
  expect_refusal(missing, {"there is no body: give the name of a mesh file here, or rigid bodies"});
  EXPECT_EQ(count(missing.error, "Mesh/File"), 1u) << missing.error;
}

/// Two copies of a square at the same position and a non-convex body, above the ground.
const char *const rigid_case = R"(subsection Rigid bodies
  subsection brick
    set Density = 1
    set Position = 0, 0.5
    set Copies = 2
    set Offset = 0, 1
  end
  subsection arrow
    set Shape = polygon
    set Vertices = 3, 0; 5, 2; 3, 1; 1, 2
    set Mass = 1
  end
end
subsection Contact
  subsection ground
    set Bodies = all
  end
  subsection pile
    set Bodies = brick
    set Surface = rigid bodies
    set Against = brick
  end
end
subsection Time
  set End = 0.02
end
)";

class BadRigidInput : public BadInput {
protected:
  BadRigidInput() { write("case.prm", rigid_case); }
};

TEST_F(BadRigidInput, TheCaseOfTheseTestsIsValid) {
  const auto outcome = check_with({});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
}

TEST_F(BadRigidInput, EntriesOfTheFile) {
  write("case.prm", R"(subsection Rigid bodies
  subsection brick
    set Shape = rectangel
    set Width = 0
    set Vertices = 0, 0; 1
    set Position = 1
    set Mass = -1
    set Moment of inertia = 0
    set Copies = 0
    set Dichte = 1
  end
end
)");
  expect_refusal(
      check_with({}),
      {"8 problems in the input",
       "case.prm:3: 'Rigid bodies/brick/Shape' is 'rectangel': allowed is one of rectangle | "
       "polygon | stick | disc; did you mean 'rectangle'?",
       "case.prm:4: 'Rigid bodies/brick/Width' is '0': allowed is a number > 0",
       "case.prm:5: 'Rigid bodies/brick/Vertices' is '0, 0; 1': allowed is points x, y; x, y; ...",
       "case.prm:6: 'Rigid bodies/brick/Position' is '1': allowed is 2 values separated by ',', "
       "each a number, or nothing",
       "case.prm:7: 'Rigid bodies/brick/Mass' is '-1': allowed is a number > 0, or nothing",
       "case.prm:8: 'Rigid bodies/brick/Moment of inertia' is '0'",
       "case.prm:9: 'Rigid bodies/brick/Copies' is '0': allowed is an integer >= 1",
       "case.prm:10: unknown entry 'Rigid bodies/brick/Dichte'"});
}

TEST_F(BadRigidInput, AllMistakesOfMeaningAtOnce) {
  const std::string body = "Rigid bodies/";
  expect_refusal(check_with({body + "brick/Mass=1", body + "brick/Radius of gyration=1"}),
                 {"--set: unknown entry 'Rigid bodies/brick/Radius of gyration'"});
  expect_refusal(
      check_with({body + "brick/Mass=1", body + "brick/Length=2", body + "brick/Displacement x=x",
                  body + "brick/Velocity y=1/t", body + "brick/Rotation=t",
                  body + "brick/Angular velocity=1", body + "arrow/Vertices=0, 0; 2, 2; 2, 0; 0, 2",
                  body + "arrow/Thickness=2", body + "arrow/Offset=1, 0",
                  "Contact/ground/Region=top", "Contact/ground/Against=brick",
                  "Contact/pile/Point=0, 1", "Contact/pile/Motion x=t"}),
      {"12 problems in the input",
       "'Rigid bodies/brick/Mass' is '1': this body has a Density already; give either Density or "
       "Mass",
       "'Rigid bodies/brick/Length' is '2': this has no effect with Shape = rectangle",
       "'Rigid bodies/brick/Displacement x' is 'x': a rigid body moves as a whole: the formula may "
       "depend on t only",
       "'Rigid bodies/brick/Velocity y' is '1/t': not a finite number at t = 0",
       "'Rigid bodies/brick/Angular velocity' is '1': this body has a Rotation already",
       "'Rigid bodies/arrow/Vertices' is '0, 0; 2, 2; 2, 0; 0, 2': the edges 1-2 and 3-4 cross",
       "'Rigid bodies/arrow/Thickness' is '2': this has no effect with Mass",
       "'Rigid bodies/arrow/Offset' is '1, 0': this has no effect with Copies = 1",
       "'Contact/ground/Bodies' is 'all': this contact has a Region already; give either Region or "
       "Bodies",
       "'Contact/ground/Against' is 'brick': this has no effect with Surface = half-plane",
       "'Contact/pile/Point' is '0, 1': this has no effect with Surface = rigid bodies",
       "'Contact/pile/Motion x' is 't': this has no effect with Surface = rigid bodies"});
}

TEST_F(BadRigidInput, MassesThatAreMissing) {
  const std::string body = "Rigid bodies/brick/";
  expect_refusal(
      check_with({body + "Density="}),
      {"case.prm:2: subsection 'Rigid bodies/brick': its Mass or its Density is missing"});
  expect_refusal(check_with({body + "Shape=stick"}),
                 {"case.prm:3: 'Rigid bodies/brick/Density' is '1': a stick has no area"});
  expect_refusal(check_with({body + "Offset=0, 0"}),
                 {"'Rigid bodies/brick/Offset' is '0, 0': the copies would lie upon each other"});
  expect_refusal(check_with({"Rigid bodies/arrow/Vertices="}),
                 {"'Rigid bodies/arrow/Vertices' is '': vertices are needed for Shape = polygon"});
  for (const std::string size : {"1e-200", "1e200"})
    for (const auto &mass :
         std::vector<std::vector<std::string>>{{}, {body + "Density=", body + "Mass=1"}}) {
      std::vector<std::string> assignments = {body + "Width=" + size, body + "Height=" + size};
      assignments.insert(assignments.end(), mass.begin(), mass.end());
      expect_refusal(check_with(assignments),
                     {"case.prm:2: subsection 'Rigid bodies/brick': the moment of inertia of this "
                      "body is not a positive number; check its size and its mass"});
    }
  expect_refusal(
      check_with({body + "Initial velocity=1, 0", body + "Velocity x=2"}),
      {"'Rigid bodies/brick/Initial velocity' is '1, 0': its x has no effect: Velocity x "
       "is prescribed"});
}

TEST_F(BadRigidInput, NamesOfBodies) {
  expect_refusal(check_with({"Contact/ground/Bodies=brik"}),
                 {"'Contact/ground/Bodies' is 'brik': there is no rigid body 'brik'; did you mean "
                  "'brick'? The rigid bodies: brick, arrow"});
  expect_refusal(check_with({"Contact/pile/Against=brick 3"}),
                 {"there is no rigid body 'brick 3'; did you mean 'brick'?"});
  expect_refusal(check_with({"Contact/ground/Bodies="}),
                 {"case.prm:15: subsection 'Contact/ground': its entry Bodies is missing"});
  expect_refusal(check_with({"Contact/pile/Bodies=brick 1", "Contact/pile/Against=brick 1"}),
                 {"'Contact/pile/Against' is 'brick 1': no body touches itself"});
  write("case.prm", replaced(rigid_case, "subsection arrow", "subsection all"));
  expect_refusal(check_with({}),
                 {"case.prm:8: subsection 'Rigid bodies/all': 'all' stands for all"});
  write("case.prm", replaced(rigid_case, "subsection arrow", "subsection brick 2"));
  expect_refusal(check_with({}), {"case.prm:8: subsection 'Rigid bodies/brick 2': another body has "
                                  "the name 'brick 2' already"});
}

TEST_F(BadRigidInput, BodiesThatCannotTouchEachOther) {
  expect_refusal(check_with({"Contact/pile/Against=all"}),
                 {"'Contact/pile/Against' is 'all': the body 'arrow' is not convex"});
  expect_refusal(check_with({"Contact/pile/Bodies=all"}),
                 {"'Contact/pile/Bodies' is 'all': the body 'arrow' is not convex"});
  write("case.prm", std::string(rigid_case) + R"(subsection Contact
  subsection again
    set Bodies = brick 1
    set Surface = rigid bodies
    set Against = brick 2
  end
end
)");
  expect_refusal(check_with({}),
                 {"case.prm:14: subsection 'Contact': contacts 'pile' and 'again' both define "
                  "contact between 'brick 1' and 'brick 2'"});
}

TEST_F(BadRigidInput, WhatHasNoEffectWithoutAnElasticBody) {
  expect_refusal(
      check_with({"Material/Density=2", "Boundary conditions/top/Traction x=1",
                  "Initial state/Velocity x=1", "Contact/Node inertia=redistributed",
                  "Contact/ground/Region=top", "Contact/ground/Bodies="}),
      {"5 problems in the input",
       "'Material/Density' is '2': this has no effect without an elastic body: Mesh/File is empty",
       "subsection 'Boundary conditions/top': this has no effect without an elastic body",
       "'Initial state/Velocity x' is '1': this has no effect without",
       "'Contact/Node inertia' is 'redistributed': this has no effect without",
       "'Contact/ground/Region' is 'top': there is no elastic body with regions"});
}

TEST_F(BadRigidInput, WhatNoContactUses) {
  expect_refusal(
      check_with({"Contact/ground/Bodies=arrow", "Rigid bodies/brick/Contact points=0, 0"}),
      {"'Rigid bodies/brick/Contact points' is '0, 0': this has no effect unless the body may "
       "touch a surface"});
  std::vector<std::string> held = {"Contact/ground/Bodies=brick"};
  for (const std::string entry : {"Displacement x", "Displacement y", "Rotation"})
    held.push_back("Rigid bodies/brick/" + entry + "=0");
  expect_refusal(
      check_with(held),
      {"subsection 'Contact/ground': this has no effect: the motion of all its bodies is "
       "prescribed",
       "subsection 'Contact/pile': this has no effect"});
}

TEST_F(BadInput, RigidBodiesThatAnElasticBodyCannotTouch) {
  expect_refusal(check_with({"Contact/ground/Surface=rigid bodies"}),
                 {"'Contact/ground/Against' (default) is 'all': this case has no rigid bodies"});
  write("case.prm", std::string(case_file) + R"(subsection Rigid bodies
  subsection pole
    set Shape = stick
    set Mass = 1
  end
end
)");
  expect_refusal(check_with({"Contact/ground/Surface=rigid bodies"}),
                 {"'Contact/ground/Against' (default) is 'all': the body 'pole' is a stick"});
  expect_refusal(
      check_with({"Contact/ground/Region="}),
      {"case.prm:11: subsection 'Contact/ground': its entry Region or Bodies is missing"});
}

TEST_F(BadInput, PositionCorrectionOfElasticBodies) {
  expect_refusal(check_with({"Contact/Position correction=projection"}),
                 {"'Contact/Position correction' is 'projection': the correction moves rigid "
                  "bodies only, and would deform elastic bodies"});
}

TEST_F(BadInput, RestitutionThatTheLawDoesNotTake) {
  const std::string ground = "Contact/ground/";
  expect_refusal(
      check_with({ground + "Tangential restitution=0.5"}),
      {"'Contact/ground/Tangential restitution' is '0.5': this has no effect with the impact law "
       "dissipative; Impact law = moreau has a tangential restitution (AC24, eq. 58)"});
  expect_refusal(check_with({ground + "Impact law=dissipation-index", ground + "Restitution=0.5",
                             ground + "Dissipation index=0.5"}),
                 {"'Contact/ground/Restitution' is '0.5': this has no effect with the impact law "
                  "dissipation-index; give the Dissipation index delta = (1 - e)/(1 + e)"});
  EXPECT_EQ(check_with({ground + "Tangential restitution=0.0"}).status, 0);
}

TEST_F(BadInput, ARunThatFailsKeepsWhatItHas) {
  // The block falls first, so that some steps succeed; then the tolerance is below round-off.
  const auto outcome = run_with({"Solver/Method=nsgs", "Solver/Max iterations=1",
                                 "Solver/Tolerance=1e-30", "Contact/ground/Point=0, -1e-4"});
  EXPECT_EQ(outcome.status, 1);
  for (const std::string words :
       {"percussion: step ", "(t = ", "residual ", "Try a smaller Time/Step", "output/case"})
    EXPECT_TRUE(has(outcome.error, words)) << outcome.error;
  EXPECT_FALSE(has(outcome.out, "Results"));

  EXPECT_TRUE(has(read("output/case/summary.json"), "\"status\": \"failed\""));
  EXPECT_TRUE(has(read("output/case/log.txt"), "Failed: step "));
  const std::string energy = read("output/case/energy.csv");
  ASSERT_FALSE(energy.empty());
  EXPECT_EQ(energy.back(), '\n');
  std::istringstream lines(energy);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);)
    if (line[0] != '#') {
      EXPECT_EQ(count(line, ",") + 1, percussion::ledger_columns().size()) << line;
      ++rows;
    }
  EXPECT_GT(rows, 5u); // header, start and some steps
  const std::string collection = read("output/case/solution.pvd");
  EXPECT_GE(count(collection, "<DataSet"), 2u);
  EXPECT_TRUE(has(collection, "</VTKFile>"));
  EXPECT_TRUE(has(read("output/case/solution-000001.vtu"), "</VTKFile>"));
}

TEST_F(BadInput, EffectiveParametersAreACaseThatGivesTheSameRun) {
  const auto printed = start("percussion", {"--print-parameters", "case.prm"});
  ASSERT_EQ(printed.status, 0) << printed.error;
  write("elsewhere/copy.prm", printed.out);
  ASSERT_EQ(run_with({}).status, 0);
  const auto again = start("percussion", {"elsewhere/copy.prm"});
  ASSERT_EQ(again.status, 0) << again.error;
  const auto rows = [](const std::string &text) { return text.substr(text.find("step,time")); };
  EXPECT_EQ(rows(read("output/copy/energy.csv")), rows(read("output/case/energy.csv")));
  EXPECT_EQ(start("percussion", {"output/case/parameters.prm", "--validate"}).status, 0);
}

} // namespace
