// Contacts between regions: input read and input refused.

#include <percussion/run/run.h>

#include "cases/wrong_inputs.h"
#include <sstream>

namespace {

using cases::CheckedCase;
using cases::name_of;
using cases::WrongInput;
using cases::WrongInputs;
using percussion::Discretisation;

struct Square : CheckedCase {
  static const char *text() { return block_mesh; }
  void TestBody() override {}
};

/// Returns the unit square raised by `height`.
std::string raised(double height) {
  std::istringstream lines(Square::text());
  std::ostringstream text;
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    unsigned int number;
    double x, y, z;
    std::string rest;
    if (words >> number >> x >> y >> z && !(words >> rest) && z == 0.)
      text << number << ' ' << x << ' ' << y + height << " 0\n";
    else
      text << line << '\n';
  }
  return text.str();
}

const cases::Replacement two_meshes{"block.msh", "block.msh, upper.msh"};
const std::string contact = "    set Region = bottom\n    set Friction coefficient = 0.3\n";

/// Returns a contact between regions in place of the contact with the ground.
WrongInput on_regions(const std::string &name, const std::string &entries,
                      const std::vector<std::string> &words, double height = 1.) {
  return {name, {two_meshes, {contact, entries}}, {}, words, {{"upper.msh", raised(height)}}};
}

/// Returns the contact between the blocks with a scheme and other values of parameters.
WrongInput scheme_input(const std::string &name, const std::string &scheme,
                        const std::vector<std::string> &assignments,
                        const std::vector<std::string> &words) {
  WrongInput input = on_regions(name,
                                "    set Region = upper:bottom\n    set Surface = region\n"
                                "    set Against = block:top\n",
                                words);
  input.arguments = {"--validate", "--set", "Time/Scheme=" + scheme};
  for (const std::string &assignment : assignments) {
    input.arguments.emplace_back("--set");
    input.arguments.push_back(assignment);
  }
  return input;
}

class WrongElasticContacts : public WrongInputs {};

TEST_P(WrongElasticContacts, AreRefused) { expect_refusal_of(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Regions, WrongElasticContacts,
    testing::Values(
        on_regions("OneInsideTheOther",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:top\n    set Discretisation = nodes\n",
                   {"case.prm:11: subsection 'Contact/ground': the two sides begin inside of each "
                    "other, 0.05 deep at (",
                    "0.025 would count as an error"},
                   0.95),
        on_regions("OneInsideTheOtherByMortar",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:top\n",
                   {"case.prm:11: subsection 'Contact/ground': the two sides begin inside of each "
                    "other, 0.05 deep at ("},
                   0.95),
        on_regions("OneDeepInsideTheOther",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:top\n",
                   {"case.prm:11: subsection 'Contact/ground': the two sides begin inside of each "
                    "other, "},
                   0.3),
        on_regions("FacesOnBothSides",
                   "    set Region = block:left\n    set Surface = region\n"
                   "    set Against = upper:left, block:upper left\n",
                   {"case.prm:14: 'Contact/ground/Against' is 'upper:left, block:upper left': the "
                    "regions 'block:left' and 'block:upper left' have faces in common, which would "
                    "be on both sides"}),
        on_regions("FacesTwice",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:left, block:upper left\n",
                   {"case.prm:14", "'block:left' and 'block:upper left' have faces in common: name "
                                   "each face once"}),
        on_regions("NoSuchRegion",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:top, block:rihgt\n",
                   {"case.prm:14: 'Contact/ground/Against' is 'block:top, block:rihgt': "
                    "'block:rihgt': ",
                    "did you mean 'block:right'?"}),
        on_regions("RegionOfCells",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:block\n",
                   {"case.prm:14: 'Contact/ground/Against' is 'block:block': faces of the boundary "
                    "are needed here"}),
        on_regions("NothingNamed", "    set Region = upper:bottom\n    set Surface = region\n",
                   {"'Contact/ground/Against'",
                    "Surface = region requires the names of the opposite regions; 'upper:bottom' "
                    "again means self-contact"}),
        WrongInput{
            "NodesOfBothSidesWithoutInertia",
            {two_meshes,
             {contact, "    set Region = upper:bottom\n    set Surface = region\n"
                       "    set Against = block:top\n"
                       "    set Discretisation = nodes of both sides\n"}},
            {"--set", "Contact/Node inertia=redistributed"},
            {"'Contact/Node inertia' is 'redistributed': contact 'ground' has Discretisation "
             "= nodes of both sides: if no node of either side has inertia, ",
             "mortar and nodes accept this inertia"},
            {{"upper.msh", raised(1.)}}},
        scheme_input(
            "AStressAtNodes", "nitsche-skew", {"Contact/ground/Discretisation=nodes"},
            {"'Contact/ground/Discretisation' is 'nodes': with nitsche-skew the law is for "
             "the stress in faces, which only a mortar integrates"}),
        scheme_input("AStressAtNodesOfAMortar", "nitsche-skew", {"Contact/ground/Points=nodes"},
                     {"'Contact/ground/Points' is 'nodes': with nitsche-skew the law is for the "
                      "stress in faces; "}),
        scheme_input("AStressOfASideThatIsNotFixed", "nitsche-symmetric",
                     {"Contact/ground/Region=block:top"},
                     {"subsection 'Contact/ground': with nitsche-symmetric the stiffness contains "
                      "terms of the stress of one side, and a boundary that touches itself has no "
                      "fixed side"}),
        scheme_input("QuadraturePointsOfNodes", "augmented-lagrangian",
                     {"Contact/ground/Discretisation=nodes",
                      "Contact/ground/Points=quadrature points"},
                     {"'Contact/ground/Points' is 'quadrature points': this has no effect with "
                      "contacts of nodes or vertices on faces; Discretisation = mortar accepts"}),
        scheme_input("MoreConstraintsThanNodes", "pdas-leapfrog",
                     {"Contact/ground/Points=quadrature points"},
                     {"with pdas-leapfrog there would be more contact constraints than nodes"}),
        scheme_input(
            "AugmentationAtNodes", "augmented-lagrangian",
            {"Contact/ground/Points=nodes", "Contact/ground/Normal augmentation=1"},
            {"'Contact/ground/Normal augmentation' is '1': this has no effect with contacts "
             "at nodes, whose multipliers are their forces; "}),
        WrongInput{
            "AStressInTwoContacts",
            {two_meshes,
             {contact, "    set Region = upper:bottom\n    set Surface = region\n"
                       "    set Against = block:top\n"
                       "    set Discretisation = mortar of region\n  end\n"
                       "  subsection again\n    set Region = upper:bottom\n"}},
            {"--validate", "--set", "Time/Scheme=nitsche-symmetric"},
            {"subsection 'Contact/again': with nitsche-symmetric the stiffness contains "
             "terms of the stress of region 'upper:bottom', whose faces contact 'ground' has "
             "added already"},
            {{"upper.msh", raised(1.)}}},
        on_regions("DiscretisationOfASurface",
                   "    set Region = upper:bottom\n    set Discretisation = mortar\n",
                   {"case.prm:13: 'Contact/ground/Discretisation' is 'mortar': this has no effect "
                    "with Surface = half-plane"}),
        on_regions("MotionOfARegion",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:top\n    set Motion x = t\n",
                   {"case.prm:15: 'Contact/ground/Motion x' is 't': this has no effect with "
                    "Surface = region; prescribe the motion of the bodies"}),
        on_regions("TheSameFacesTwice",
                   "    set Region = upper:bottom\n    set Surface = region\n"
                   "    set Against = block:top\n  end\n  subsection again\n"
                   "    set Region = block:top\n    set Surface = region\n"
                   "    set Against = upper:bottom\n",
                   {"case.prm:16: subsection 'Contact/again': faces of region 'block:top' meet the "
                    "same faces in contact 'ground' already"})),
    name_of);

class ElasticContactInput : public CheckedCase {
protected:
  percussion::Case<2> build(const std::string &entries) const {
    std::string text = case_file;
    text.replace(text.find("block.msh"), 9, "block.msh, upper.msh");
    text.replace(text.find(contact), contact.size(), entries);
    write("upper.msh", raised(1.));
    write("case.prm", text);
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    const percussion::Parameters parameters(percussion::declare_case(&file), file);
    return percussion::build_case<2>(parameters, file);
  }
};

TEST_F(ElasticContactInput, TakesMortarBetweenRegions) {
  const auto c = build("    set Region = upper:bottom\n    set Surface = region\n"
                       "    set Against = block:top\n    set Friction coefficient = 0.3\n");
  ASSERT_EQ(c.boundary->pairs.size(), 1u);
  EXPECT_EQ(c.boundary->pairs[0].discretisation, Discretisation::mortar);
  EXPECT_EQ(c.boundary->points.size(), 3u);
  EXPECT_EQ(c.boundary->facets.size(), 2u);
  bool said = false;
  for (const auto &line : percussion::describe(c))
    said = said ||
           cases::has(line,
                      "region 'upper:bottom' against region 'block:top' (mortar on the nodes of '"
                      "block:top')");
  EXPECT_TRUE(said);
}

/// The results of the run are written, and its effective parameters run again.
TEST_F(ElasticContactInput, RunsAndCanBeRepeated) {
  build("    set Region = upper:bottom\n    set Surface = region\n"
        "    set Against = block:top\n    set Discretisation = nodes of both sides\n");
  const auto outcome = start("percussion", {"case.prm", "--output", "results"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  const auto again = start("percussion", {"results/parameters.prm", "--validate"});
  EXPECT_EQ(again.status, 0) << again.error;
}

} // namespace
