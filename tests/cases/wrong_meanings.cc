// Wrong inputs, one for each row: each is refused with its cause and its line, without side
// effects. Here: meaning, mesh and command line.

#include "cases/wrong_inputs.h"

namespace {

using cases::last;
using cases::name_of;
using cases::region;
using cases::step;
using cases::WrongInput;
using cases::WrongInputs;
using cases::young;

class WrongMeanings : public WrongInputs {};

TEST_P(WrongMeanings, AreRefused) { expect_refusal_of(GetParam()); }

std::string left_subsection(const std::string &entry) {
  return "  subsection left\n" + entry + "\n  end\n";
}
const std::string gravity = "  set Gravity = 0, -1\n";
const std::string ground = "    set Region = bottom\n    set Friction coefficient = 0.3\n  end\n";

INSTANTIATE_TEST_SUITE_P(
    Meaning, WrongMeanings,
    testing::Values(
        WrongInput{"EndBeforeStart",
                   {{step, step + "  set Start = 3\n"}},
                   {},
                   {"case.prm:17: 'Time/End' is '0.02': it must be later than Time/Start = 3"}},
        WrongInput{"TooManySteps",
                   {{"1e-3", "1e-13"}},
                   {},
                   {"case.prm:18: 'Time/Step' is '1e-13': this makes more than 4e9 steps"}},
        WrongInput{"NoSuchRegion",
                   {{region, "Region = botom"}},
                   {},
                   {"case.prm:12: 'Contact/ground/Region' is 'botom': no such region",
                    "did you mean 'bottom'?"}},
        WrongInput{"NoFormula",
                   {{gravity, gravity + left_subsection("set Traction x = 2*sin(")}},
                   {},
                   {"case.prm:10: 'Boundary conditions/left/Traction x' is '2*sin(': not a "
                    "formula"}},
        WrongInput{"WithoutEffect",
                   {{region, region + "\n    set Radius = 2"}},
                   {},
                   {"case.prm:13: 'Contact/ground/Radius' is '2': this has no effect with Surface "
                    "= half-plane"}},
        WrongInput{"MissingEntry",
                   {{"    set Region = bottom\n", ""}},
                   {},
                   {"case.prm:11: subsection 'Contact/ground': its entry Region or Bodies is "
                    "missing"}},
        WrongInput{"TheSameContactTwice",
                   {{ground, ground + "  subsection floor\n    set Region = bottom\n"
                                      "    set Normal = 0, 2\n    set Restitution = 0.5\n  end\n"}},
                   {},
                   {"percussion: case.prm:15: subsection 'Contact/floor': region 'bottom' meets "
                    "the same surface in contact 'ground' already"}},
        WrongInput{
            "APartOfTheSameContact",
            {{"    set Region = bottom\n", "    set Region = left\n  end\n  subsection again\n"
                                           "    set Region = upper left\n    set Point = 3, 0\n"}},
            {},
            {"case.prm:14: subsection 'Contact/again': a part of region 'upper left' meets "
             "the same surface in contact 'ground' already"}},
        WrongInput{"PoissonRatioOfPlaneStrain",
                   {{young, "Poisson ratio = 0.5"}},
                   {},
                   {"case.prm:5: 'Material/Poisson ratio' is '0.5': in plane strain allowed is"}},
        WrongInput{"FolderThatIsAFile",
                   {{"  set Number", "  set Directory = block.msh\n  set Number"}},
                   {},
                   {"case.prm:21: 'Output/Directory' is 'block.msh': this is a file"}}),
    name_of);

const std::string no_inertia = step + "  set Theta = 1\n  set Inertia = none\n";

INSTANTIATE_TEST_SUITE_P(
    WithoutInertia, WrongMeanings,
    testing::Values(
        WrongInput{"OtherTheta",
                   {{step, step + "  set Theta = 0.7\n  set Inertia = none\n"}},
                   {},
                   {"case.prm:19: 'Time/Theta' is '0.7': with Inertia = none it must be 1"}},
        WrongInput{"OtherThetaWithALawThatContainsIt",
                   {{step, step + "  set Theta = 0.7\n  set Inertia = none\n"}},
                   {"--set", "Contact/ground/Impact law=as in the paper"},
                   {"case.prm:19: 'Time/Theta' is '0.7': with Inertia = none it must be 1"}},
        WrongInput{
            "SchemeWithAccelerations",
            {{step, no_inertia + "  set Scheme = newmark-signorini\n"}, {"  set Theta = 1\n", ""}},
            {},
            {"case.prm:19: 'Time/Inertia' is 'none': Scheme = newmark-signorini integrates "
             "accelerations"}},
        WrongInput{"SpringsOfMeanForces",
                   {{step, no_inertia + "  set Scheme = hauret\n"}},
                   {},
                   {"case.prm:20: 'Time/Inertia' is 'none': Scheme = hauret has springs with the "
                    "mean force of a step"}},
        WrongInput{
            "ContactsOfTheBeginning",
            {{step, no_inertia + "  set Scheme = augmented-lagrangian\n"}},
            {},
            {"case.prm:20: 'Time/Inertia' is 'none': Scheme = augmented-lagrangian makes the "
             "contacts active that are closed at the beginning of a step"}},
        WrongInput{"ForecastByPosition",
                   {{step, no_inertia},
                    {"  subsection ground", "  set Forecast = position\n  subsection ground"}},
                   {},
                   {"case.prm:11: 'Contact/Forecast' is 'position': with Time/Inertia = none a "
                    "contact that closes in a step would penetrate by the whole step"}},
        WrongInput{
            "TwoComponents",
            {{step, no_inertia}, {"block.msh", "two.geo"}},
            {},
            {"case.prm:20: 'Time/Inertia' is 'none': the mesh 'two.geo' has separate components, "
             "and contacts alone hold one of them"},
            {{"two.geo",
              "Point(1) = {0, 0, 0};\nPoint(2) = {1, 0, 0};\nPoint(3) = {1, 1, 0};\n"
              "Point(4) = {0, 1, 0};\nPoint(5) = {3, 0, 0};\nPoint(6) = {4, 0, 0};\n"
              "Point(7) = {4, 1, 0};\nPoint(8) = {3, 1, 0};\nLine(1) = {1, 2};\n"
              "Line(2) = {2, 3};\nLine(3) = {3, 4};\nLine(4) = {4, 1};\nLine(5) = {5, 6};\n"
              "Line(6) = {6, 7};\nLine(7) = {7, 8};\nLine(8) = {8, 5};\n"
              "Curve Loop(1) = {1 : 4};\nCurve Loop(2) = {5 : 8};\nPlane Surface(1) = {1};\n"
              "Plane Surface(2) = {2};\nPhysical Surface(\"blocks\") = {1, 2};\n"
              "Physical Curve(\"bottom\") = {1, 5};\nPhysical Curve(\"top\") = {3, 7};\n"}}},
        WrongInput{
            "RigidBody",
            {{step, no_inertia},
             {last, last + "subsection Rigid bodies\n  subsection ball\n    set Shape = disc\n"
                           "    set Radius = 0.1\n    set Density = 1\n    set Position = 3, "
                           "3\n  end\nend\n"}},
            {},
            {"case.prm:20: 'Time/Inertia' is 'none': a rigid body without inertia has no "
             "equation of motion"}},
        WrongInput{"Rebound",
                   {{step, no_inertia}, {region, region + "\n    set Restitution = 0.5"}},
                   {},
                   {"case.prm:13: 'Contact/ground/Restitution' is '0.5': with Time/Inertia = none "
                    "there are no impacts"}},
        WrongInput{"RedistributedInertia",
                   {{step, no_inertia},
                    {"  subsection ground", "  set Node inertia = redistributed\n"
                                            "  subsection ground"}},
                   {},
                   {"case.prm:11: 'Contact/Node inertia' is 'redistributed': with Time/Inertia = "
                    "none there is no inertia to redistribute"}},
        WrongInput{"InitialVelocity",
                   {{step, no_inertia},
                    {last, last + "subsection Initial state\n  set Velocity x = 1\nend\n"}},
                   {},
                   {"'Initial state/Velocity x' is '1': this has no effect with Time/Inertia = "
                    "none"}},
        WrongInput{"NoSupport",
                   {{step, no_inertia}, {"  subsection ground\n" + ground, ""}},
                   {},
                   {"case.prm:16: 'Time/Inertia' is 'none': the body or a component of it is not "
                    "held: without inertia it is free to move in the direction x as a whole"}},
        WrongInput{"GravityWithoutDensity",
                   {{step, no_inertia}, {"  set Density = 1\n", ""}},
                   {},
                   {"its Density is missing"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Pressures, WrongMeanings,
    testing::Values(
        WrongInput{"OnALinearBody",
                   {{gravity, gravity + left_subsection("set Pressure = 2*t")}},
                   {},
                   {"case.prm:10: 'Boundary conditions/left/Pressure' is '2*t': a linear law "
                    "neglects the rotations"}},
        WrongInput{"ThatVaries",
                   {{gravity, gravity + left_subsection("set Pressure = 2*x")}},
                   {},
                   {"case.prm:10: 'Boundary conditions/left/Pressure' is '2*x': a pressure is "
                    "uniform over its region"}},
        WrongInput{
            "SeparatingContactsThatCannotBeInactive",
            {{step, step + "  set Theta = 1\n"},
             {"  subsection ground", "  set Separating contacts = inactive\n  set Forecast = "
                                     "closing\n  subsection ground"}},
            {},
            {"case.prm:11: 'Contact/Separating contacts' is 'inactive': inactive is for "
             "forecasts by the gap"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Meshes, WrongMeanings,
    testing::Values(
        WrongInput{"Missing",
                   {{"block.msh", "blok.msh"}},
                   {},
                   {"case.prm:2: 'Mesh/File' is 'blok.msh'", "did you mean 'block.msh'?"}},
        WrongInput{"NoMesh",
                   {{"block.msh", "case.prm"}},
                   {},
                   {"percussion: case.prm:2: 'Mesh/File' is 'case.prm': "}},
        WrongInput{"TwoOfOneName",
                   {{"block.msh", "block.msh, block.msh"}},
                   {},
                   {"percussion: case.prm:2: 'Mesh/File' is 'block.msh, block.msh': two meshes are "
                    "called 'block'"}},
        WrongInput{"CutOff",
                   {{"block.msh", "half.msh"}},
                   {},
                   {"percussion: case.prm:2: 'Mesh/File' is 'half.msh': "},
                   {{"half.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0 0\n"}}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    CommandLine, WrongMeanings,
    testing::Values(
        WrongInput{"NoAssignment", {}, {"--set", "Time/Step"}, {"--set: 'Time/Step': expected"}},
        WrongInput{"UnknownEntry",
                   {},
                   {"--set", "Time/Stpe=1"},
                   {"percussion: --set: unknown entry 'Time/Stpe'; did you mean 'Step'?"}},
        WrongInput{"Value",
                   {},
                   {"--set", "Time/Step=0"},
                   {"percussion: --set: 'Time/Step' is '0': allowed is a number > 0"}},
        WrongInput{
            "Comment", {}, {"--set", "Output/Units=kg # m"}, {"--set: 'Output/Units=kg # m': '#'"}},
        WrongInput{"MistakeOfTheFile",
                   {{young, "Young modulus = stiff"}},
                   {"--set", "Time/Step=1e-4"},
                   {"percussion: case.prm:5: 'Material/Young modulus' is 'stiff'"}},
        WrongInput{"Validated",
                   {{young, "Young modulus = stiff"}},
                   {"--validate"},
                   {"percussion: case.prm:5: 'Material/Young modulus' is 'stiff'"}},
        WrongInput{"Printed",
                   {{young, "Young modulus = stiff"}},
                   {"--print-parameters"},
                   {"percussion: case.prm:5: 'Material/Young modulus' is 'stiff'"}},
        WrongInput{"MarkdownOfACase",
                   {},
                   {"--print-parameters", "--markdown"},
                   {"--markdown goes with --print-parameters and without a case"}},
        WrongInput{"EverythingAtOnce",
                   {{"set " + young, "ste " + young},
                    {"0, -1", "0, down"},
                    {"set Friction", "set Fricton"},
                    {"0.02", "-1"}},
                   {"--set", "Solver/Tolerance=2"},
                   {"5 problems in the input", "--set: 'Solver/Tolerance' is '2'",
                    "case.prm:5: unknown keyword 'ste'",
                    "case.prm:8: 'Boundary conditions/Gravity' is '0, down'",
                    "case.prm:13: unknown entry 'Contact/ground/Fricton coefficient'",
                    "case.prm:17: 'Time/End' is '-1': it must be later than Time/Start = 0"}}),
    name_of);

const std::string brick = R"(subsection Rigid bodies
  subsection brick
    set Mass = 1
  end
end
subsection Contact
  subsection ground
    set Bodies = brick
  end
end
)";

using WrongRigidInputs = cases::CaseFolder;

TEST_F(WrongRigidInputs, AreRefusedWithoutFollowingComplaints) {
  const auto refuse = [&](const std::string &part, const std::string &other,
                          const std::vector<std::string> &words) {
    std::string text = brick;
    text.replace(text.find(part), part.size(), other);
    write("case.prm", text);
    expect_refusal(start("percussion", {"case.prm"}), words);
  };
  refuse("subsection Rigid bodies", "subsection Rigid bodis",
         {"percussion: case.prm:1: unknown subsection 'Rigid bodis'"});
  refuse("set Mass", "set Mas", {"percussion: case.prm:3: unknown entry 'Rigid bodies/brick/Mas'"});
  refuse("Mass = 1", "Mass = -1", {"percussion: case.prm:3: 'Rigid bodies/brick/Mass' is '-1'"});
  refuse("set Mass = 1", "set Mass = 1\nset Shape = stik\nset Length = 2",
         {"percussion: case.prm:4: 'Rigid bodies/brick/Shape' is 'stik'"});
  refuse("  subsection ground",
         "  subsection floor\n    set Bodies = all\n  end\n  subsection ground",
         {"percussion: case.prm:10: subsection 'Contact/ground': body 'brick' meets the same "
          "surface in contact 'floor' already"});
}

} // namespace
