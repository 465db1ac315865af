// What a user can get wrong: the message, the status, and that nothing is written.

#include "cases/support.h"

namespace {

using BadInput = cases::CaseFolder;
using cases::has;

/// The text with one part replaced by another; the part has to be there.
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
  // --set takes one assignment: what follows is the case.
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
      start("percussion", {"case.prm"}),
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
      run_with({"Material/Poisson ratio=0.5", "Boundary conditions/tp/Traction x=1",
                "Boundary conditions/top/Traction y=2*sin(",
                "Boundary conditions/left/Traction x=1/t", "Contact/ground/Dissipation index=0.5",
                "Contact/ground/Radius=2", "Contact/ground/Motion x=y",
                "Initial state/Preload gravity=true", "Output/Directory=case.prm/results"}),
      {"11 problems in the input",
       "case.prm:12: 'Contact/ground/Region' is 'botom': no such region",
       "did you mean 'bottom'? Its regions: block, bottom, left, right, top, upper left",
       "case.prm:17: 'Time/End' is '-1': it must be later than Time/Start = 0",
       "'Material/Poisson ratio' is '0.5': in plane strain allowed is a number > -1 and < 0.5",
       "subsection 'Boundary conditions/tp': no such region in 'block.msh'; did you mean 'top'?",
       "'Boundary conditions/top/Traction y' is '2*sin(': not a formula: unexpected end",
       "'Boundary conditions/left/Traction x' is '1/t': not a finite number at t = 0",
       "'Contact/ground/Dissipation index' is '0.5': this has no effect with the impact law "
       "fremond",
       "'Contact/ground/Radius' is '2': this has no effect with Surface = half-plane",
       "'Contact/ground/Motion x' is 'y': a rigid surface moves as a whole",
       "'Initial state/Preload gravity' is 'true': this has no effect without",
       "'Output/Directory' is 'case.prm/results': no folder can be made in"});
}

TEST_F(BadInput, FormulasAreCheckedWithoutAMesh) {
  expect_refusal(run_with({"Mesh/File=blok.msh", "Boundary conditions/top/Traction x=1,5",
                           "Contact/ground/Motion x=sine(t)"}),
                 {"3 problems", "there is no file 'blok.msh'; did you mean 'block.msh'?",
                  "2 numbers separated by commas", "did you mean 'sin'?"});
}

TEST_F(BadInput, RegionsThatContradictEachOther) {
  const std::string section = "Boundary conditions/";
  expect_refusal(run_with({section + "top/Traction x=1", section + "top/Displacement x=0"}),
                 {"'Boundary conditions/top/Displacement x' is '0': this region has a Traction x"});
  expect_refusal(
      run_with({section + "left/Traction x=1", section + "upper left/Displacement x=0"}),
      {"subsection 'Boundary conditions/left': the traction x has no effect on 1 of 2 faces",
       "'upper left'"});
  expect_refusal(run_with({section + "left/Displacement x=1", section + "top/Displacement x=0"}),
                 {"'left' and 'top' share a node and prescribe different motions", "component x"});
  expect_refusal(run_with({section + "block/Traction x=1"}),
                 {"faces of the boundary are needed", "dimension 2"});
  expect_refusal(run_with({section + "bottom/Velocity x=0", section + "bottom/Velocity y=0"}),
                 {"subsection 'Contact/ground': this has no effect", "'bottom' is prescribed"});
  // Another component, or no more than a common corner, contradicts nothing.
  const auto fine = start(
      "percussion", {"case.prm", "--validate", "--set", section + "top/Traction x=1", "--set",
                     section + "left/Displacement x=0", "--set", section + "top/Displacement y=0"});
  EXPECT_EQ(fine.status, 0) << fine.error;
}

TEST_F(BadInput, PreloadOfABodyThatNothingHolds) {
  const std::string preload = "Initial state/Static preload=true";
  const std::string let_go = "Initial state/Preload contact nodes=free";
  expect_refusal(run_with({preload, let_go}),
                 {"'Initial state/Static preload' is 'true': nothing holds the body",
                  "free to move in the direction x"});
  expect_refusal(run_with({preload, let_go, "Boundary conditions/top/Displacement y=0"}),
                 {"free to move in the direction x"});
  // The corner at the top left is the centre of a rotation that neither side feels.
  expect_refusal(run_with({preload, let_go, "Initial state/top/Displacement x=0",
                           "Initial state/left/Displacement y=0"}),
                 {"free to rotate"});
  EXPECT_EQ(run_with({preload, let_go, "Initial state/right/Displacement x=0",
                      "Initial state/right/Displacement y=0"})
                .status,
            0);
}

TEST_F(BadInput, MessagesNameTheMeshOnce) {
  write("bad.msh", replaced(block_mesh, "13 3 2 5 1 5 6 9 8", "13 3 2 5 1 5 8 9 6"));
  const auto outcome = run_with({"Mesh/File=bad.msh"});
  expect_refusal(outcome, {"--set: 'Mesh/File' is 'bad.msh': element 13 with nodes 5 8 9 6"});
  EXPECT_EQ(count(outcome.error, "bad.msh"), 1u) << outcome.error;
  const auto missing = run_with({"Mesh/File="});
  expect_refusal(missing, {"the name of a Gmsh file is needed"});
  EXPECT_EQ(count(missing.error, "Mesh/File"), 1u) << missing.error;
}

TEST_F(BadInput, ARunThatFailsKeepsWhatItHas) {
  // Falls first, so that some steps succeed; then the tolerance is below round-off.
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
      EXPECT_EQ(count(line, ","), 18u) << line;
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
