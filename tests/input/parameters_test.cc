#include <percussion/input/parameters.h>

#include <deal.II/base/exceptions.h>
#include <gtest/gtest.h>

#include <sstream>

namespace {
using namespace percussion;
namespace Patterns = dealii::Patterns;
using Strings = std::vector<std::string>;

ParameterDeclarations declarations(const ParameterFile &file) {
  ParameterDeclarations declare;
  declare.declare("Title", "", Patterns::Anything(), "What the case shows.");
  {
    Subsection time(declare, "Time");
    declare.declare("Step", "1e-3", PositiveDouble(),
                    "Length of a step [T], e.g. 1e-3. Smaller is more accurate.");
    declare.declare("End", "1", PositiveDouble(), "End of the simulation [T].");
    declare.declare("Scheme", "moreau", Patterns::Selection("moreau|paoli|newmark"),
                    "The time scheme.");
  }
  {
    Subsection conditions(declare, "Boundary conditions");
    for (const std::string &region : file.subsections("Boundary conditions")) {
      Subsection section(declare, region);
      declare.declare("Traction", "0, 0", Patterns::List(Patterns::Double(), 2, 3),
                      "Force on an area [M L^-1 T^-2].");
    }
  }
  {
    Subsection solver(declare, "Solver");
    declare.declare("Tolerance", "1e-12", PositiveDouble(1), "");
    declare.declare("Iterations", "100", Patterns::Integer(1), "At most so many.");
    declare.declare("Verbose", "false", Patterns::Bool(), "Whether to say more.");
    declare.declare("Fields", "gap, status", Patterns::List(Patterns::Anything()),
                    "What to write.");
  }
  return declare;
}

Parameters parameters(const ParameterFile &file) { return {declarations(file), file}; }
Parameters parameters(const std::string &text) {
  return parameters(ParameterFile::parse(text, "case.prm"));
}

template <typename Action>
std::string error_of(const Action &action) {
  try {
    action();
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

std::string complaint_of(const std::string &text) {
  return error_of([&] { parameters(text).problems().throw_if_any(); });
}

std::string time_section(const std::string &line) { return "subsection Time\n" + line + "\nend"; }

TEST(PlainWords, SayWhatAPatternAllows) {
  EXPECT_EQ(plain_words(Patterns::Double()), "a number");
  EXPECT_EQ(plain_words(Patterns::Double(0)), "a number >= 0");
  EXPECT_EQ(plain_words(Patterns::Double(-0.5, 1)), "a number >= -0.5 and <= 1");
  EXPECT_EQ(plain_words(Patterns::Double(Patterns::Double::min_double_value, 1)), "a number <= 1");
  EXPECT_EQ(plain_words(Patterns::Double(1, 0)), "a number"); // denotes "no bounds" in deal.II
  EXPECT_EQ(plain_words(Patterns::Integer()), "an integer");
  EXPECT_EQ(plain_words(Patterns::Integer(1)), "an integer >= 1");
  EXPECT_EQ(plain_words(Patterns::Integer(2, 3)), "an integer >= 2 and <= 3");
  EXPECT_EQ(plain_words(Patterns::Integer(1, 0)), "an integer");
  EXPECT_EQ(plain_words(Patterns::Selection("a | b|c")), "one of a | b | c");
  EXPECT_EQ(plain_words(Patterns::Bool()), "true or false");
  EXPECT_EQ(plain_words(Patterns::Anything()), "any text");
  EXPECT_EQ(plain_words(Described("a formula of t")), "a formula of t");
  const OrNothing positive{PositiveDouble()};
  const Patterns::PatternBase &inherited = positive;
  EXPECT_EQ(plain_words(OrNothing(inherited)), "a number > 0, or nothing");
}

TEST(Described, AcceptsTheTextsThatMeetItsCondition) {
  const Described any("a formula of t"),
      time_formula("a formula of t", [](const std::string &text) { return text == "t"; });
  EXPECT_TRUE(any.match("x") && time_formula.clone()->match("t"));
  EXPECT_FALSE(time_formula.clone()->match("x"));
}

TEST(PlainWords, SayWhatAListAllows) {
  using Patterns::List;
  EXPECT_EQ(plain_words(List(Patterns::Double(0), 3, 3)),
            "3 values separated by ',', each a number >= 0");
  EXPECT_EQ(plain_words(List(PositiveDouble(), 2, 2)),
            "2 values separated by ',', each a number > 0");
}

TEST(PlainWords, FallBackToDealII) {
  EXPECT_EQ(plain_words(Patterns::FileName()), Patterns::FileName().description());
}

TEST(Numbers, HaveOpenAndClosedBounds) {
  const PositiveDouble positive(1);
  EXPECT_EQ(plain_words(positive), "a number > 0 and <= 1");
  EXPECT_EQ(plain_words(PositiveDouble()), "a number > 0");
  EXPECT_FALSE(positive.match("0"));
  EXPECT_TRUE(positive.match("1e-300"));
  EXPECT_TRUE(positive.match(" 1 "));
  EXPECT_FALSE(positive.match("1.0001"));

  const NumberBetween poisson({-1, false}, {0.5, false});
  EXPECT_EQ(plain_words(poisson), "a number > -1 and < 0.5");
  EXPECT_FALSE(poisson.match("-1"));
  EXPECT_FALSE(poisson.match("0.5"));
  EXPECT_TRUE(poisson.match("0.4999"));
  EXPECT_TRUE(poisson.clone()->match("-0.9"));
  EXPECT_FALSE(poisson.clone()->match("0.5"));
}

TEST(Numbers, AreFiniteAndNothingElse) {
  const auto traction = [](const std::string &last) {
    return "subsection Boundary conditions\nsubsection r\nset Traction = 0, " + last + "\nend\nend";
  };
  EXPECT_EQ(complaint_of(traction("1")), "");
  for (const std::string bad : {"nan", "inf", "infinity", "1e-5x", "1 2", "0x10", "1e999"}) {
    EXPECT_FALSE(PositiveDouble().match(bad)) << bad;
    EXPECT_NE(complaint_of(time_section("set Step = " + bad)), "") << bad;
    EXPECT_NE(complaint_of(traction(bad)), "") << bad;
    EXPECT_NE(complaint_of("subsection Solver\nset Iterations = " + bad + "\nend"), "") << bad;
  }
  EXPECT_FALSE(PositiveDouble().match(""));
  EXPECT_FALSE(PositiveDouble().match("1,5"));
}

TEST(ParametersCheck, NamesUnknownEntries) {
  EXPECT_EQ(complaint_of(time_section("set Stp = 1")),
            "case.prm:2: unknown entry 'Time/Stp'; did you mean 'Step'? Allowed here: "
            "Step, End, Scheme.");
  EXPECT_EQ(complaint_of(time_section("set Colour = 1")),
            "case.prm:2: unknown entry 'Time/Colour'. Allowed here: Step, End, "
            "Scheme.");
  EXPECT_EQ(complaint_of("set Titel = x"),
            "case.prm:1: unknown entry 'Titel'; did you mean 'Title'? Allowed here: "
            "Title.");
}

TEST(ParametersCheck, SaysWhereAnEntryBelongs) {
  EXPECT_EQ(complaint_of(time_section("set Tolerance = 1")),
            "case.prm:2: unknown entry 'Time/Tolerance'; there is 'Solver/Tolerance'. "
            "Allowed here: Step, End, Scheme.");
  EXPECT_EQ(complaint_of(time_section("set Title = 1")),
            "case.prm:2: unknown entry 'Time/Title'; there is 'Title'. Allowed "
            "here: Step, End, Scheme.");
  EXPECT_EQ(complaint_of("set Time = 1"), "case.prm:1: unknown entry 'Time'; it is a subsection. "
                                          "Allowed here: Title.");
  EXPECT_EQ(complaint_of("subsection Boundary conditions\nset Foo = 1\nsubsection r\nend\nend"),
            "case.prm:2: unknown entry 'Boundary conditions/Foo'.");
}

TEST(ParametersCheck, NamesUnknownSubsectionsOnceForAllTheirEntries) {
  EXPECT_EQ(complaint_of("subsection Tiem\nset A = 1\nsubsection Deep\nset B = 1\nend\nend"),
            "case.prm:1: unknown subsection 'Tiem'; did you mean 'Time'? Allowed here: Time, "
            "Boundary conditions, Solver.");
  EXPECT_EQ(complaint_of("subsection Nothing\nend"),
            "case.prm:1: unknown subsection 'Nothing'. "
            "Allowed here: Time, Boundary conditions, Solver.");
  EXPECT_EQ(complaint_of(time_section("subsection Step\nend")),
            "case.prm:2: unknown subsection 'Time/Step'; it is an entry: use 'set'.");
}

TEST(ParametersCheck, NamesWrongValues) {
  EXPECT_EQ(complaint_of(time_section("set Step = -1")),
            "case.prm:2: 'Time/Step' is '-1': allowed is a number > 0; Length of a step [T], e.g. "
            "1e-3.");
  EXPECT_EQ(complaint_of(time_section("set Scheme = morau")),
            "case.prm:2: 'Time/Scheme' is 'morau': allowed is one of moreau | paoli | newmark; did "
            "you mean 'moreau'? The time scheme.");
  EXPECT_EQ(complaint_of("subsection Solver\nset Tolerance =\nend"),
            "case.prm:2: 'Solver/Tolerance' is '': allowed is a number > 0 and <= 1");
}

TEST(ParametersCheck, ListsEverythingAtOnceInOrder) {
  auto file = ParameterFile::parse("subsection Time\nset End = x\nset Step 1\nset Stp = 1\nend",
                                   "case.prm");
  file.override_with("Solver/Verbose=yes");
  EXPECT_EQ(error_of([&] { parameters(file).problems().throw_if_any(); }),
            "4 problems in the input:\n"
            "--set: 'Solver/Verbose' is 'yes': allowed is true or false; Whether to say more.\n"
            "case.prm:2: 'Time/End' is 'x': allowed is a number > 0; End of the simulation [T].\n"
            "case.prm:3: '=' is missing in 'set Step 1'; expected 'set NAME = VALUE'\n"
            "case.prm:4: unknown entry 'Time/Stp'; did you mean 'Step'? Allowed here: "
            "Step, End, Scheme.");
}

TEST(ParametersValues, AreTheUsersElseTheDefaults) {
  auto file = ParameterFile::parse("subsection Time\nset Step = 2.5e-4\nend\nsubsection Boundary "
                                   "conditions\nsubsection Contact BC\nset Traction = 1, -2.5\n"
                                   "end\nsubsection Top (2)\nend\nend",
                                   "case.prm");
  file.override_with("Solver/Verbose=true");
  const Parameters values = parameters(file);
  EXPECT_EQ(values.get_double("Time/Step"), 2.5e-4);
  EXPECT_EQ(values.get_double("Time/End"), 1.);
  EXPECT_EQ(values.get_integer("Solver/Iterations"), 100);
  EXPECT_TRUE(values.get_bool("Solver/Verbose"));
  EXPECT_EQ(values.get("Time/Scheme"), "moreau");
  EXPECT_EQ(values.get_double_list("Boundary conditions/Contact BC/Traction"),
            (std::vector<double>{1, -2.5}));
  EXPECT_EQ(values.get_double_list("Boundary conditions/Top (2)/Traction"),
            (std::vector<double>{0, 0}));

  EXPECT_TRUE(values.is_changed("Time/Step"));
  EXPECT_FALSE(values.is_changed("Time/End"));
}

TEST(ParametersValues, MustBeDeclared) {
  const Parameters values = parameters("");
  EXPECT_THROW(values.get("Time/Stp"), dealii::ExceptionBase);
  EXPECT_THROW(values.is_changed("Time"), dealii::ExceptionBase);
  EXPECT_THROW(values.remark("Stp", ""), dealii::ExceptionBase);
}

TEST(ParametersRemark, SaysWhere) {
  auto file = ParameterFile::parse(time_section("\nset End = 3"), "case.prm");
  file.override_with("Solver/Iterations=7");
  const Parameters values = parameters(file);
  EXPECT_EQ(values.remark("Time/End", "too late"), "case.prm:3: 'Time/End' is '3': too late");
  EXPECT_EQ(values.remark("Time/Step", "too long"),
            "case.prm: 'Time/Step' (default) is '1e-3': too long");
  EXPECT_EQ(values.remark("Solver/Iterations", "too few"),
            "--set: 'Solver/Iterations' is '7': too few");
}

TEST(ParametersReport, Gathers) {
  const Parameters values = parameters(time_section("set End = 3\nset Step = 2"));
  Problems problems, others;
  EXPECT_NO_THROW(problems.throw_if_any());
  values.report("Time/Step", "b", others);
  problems.add(others);
  values.report("Time/End", "a", problems);
  EXPECT_EQ(error_of([&] { problems.throw_if_any(); }), "2 problems in the input:\n"
                                                        "case.prm:2: 'Time/End' is '3': a\n"
                                                        "case.prm:3: 'Time/Step' is '2': b");
}

TEST(ParametersReport, SpeaksOfARefusedValueOnce) {
  const Parameters values = parameters(time_section("set Step = -1"));
  EXPECT_EQ(values.get("Time/Step"), "1e-3");
  Problems more;
  values.report("Time/Step", "too long", more);
  EXPECT_TRUE(more.empty());
  values.report("Time/End", "too late", more);
  EXPECT_FALSE(more.empty());
}

TEST(ParametersPrint, FollowsTheDeclarations) {
  std::ostringstream plain;
  parameters("subsection Boundary conditions\nsubsection r\nend\nend\nset Title = x")
      .print(plain, false);
  EXPECT_EQ(plain.str(), "set Title = x\n"
                         "subsection Time\n"
                         "  set Step   = 1e-3\n"
                         "  set End    = 1\n"
                         "  set Scheme = moreau\n"
                         "end\n"
                         "subsection Boundary conditions\n"
                         "  subsection r\n"
                         "    set Traction = 0, 0\n"
                         "  end\n"
                         "end\n"
                         "subsection Solver\n"
                         "  set Tolerance  = 1e-12\n"
                         "  set Iterations = 100\n"
                         "  set Verbose    = false\n"
                         "  set Fields     = gap, status\n"
                         "end\n");
}

TEST(ParametersPrint, DocumentsEachEntry) {
  std::ostringstream text;
  parameters(time_section("set Step = 2")).print(text, true);
  EXPECT_NE(text.str().find("subsection Time\n"
                            "  # Length of a step [T], e.g. 1e-3. Smaller is more accurate.\n"
                            "  # Allowed: a number > 0.\n"
                            "  set Step   = 2      # default: 1e-3\n"
                            "\n"
                            "  # End of the simulation [T].\n"),
            std::string::npos)
      << text.str();
  EXPECT_NE(text.str().find("# Allowed: any text.\nset Title = \n"), std::string::npos)
      << text.str();
}

TEST(ParametersPrint, ReadsBackToTheSameValues) {
  auto file = ParameterFile::parse("set Title = a = b \\\n c\nsubsection Boundary conditions\n"
                                   "subsection Contact BC\nset Traction = 1, 2,3\nend\n"
                                   "subsection empty\nend\nend",
                                   "case.prm");
  file.override_with("Time/Step=1e-5");
  const Parameters original = parameters(file);
  for (const bool has_documentation : {false, true}) {
    std::ostringstream printed, again;
    original.print(printed, has_documentation);
    const Parameters copy = parameters(printed.str());
    copy.print(again, has_documentation);
    EXPECT_EQ(again.str(), printed.str());
    EXPECT_EQ(copy.get("Title"), "a = b c");
    EXPECT_EQ(copy.get("Time/Step"), "1e-5");
    EXPECT_EQ(copy.get("Boundary conditions/Contact BC/Traction"), "1, 2,3");
    EXPECT_EQ(copy.get("Boundary conditions/empty/Traction"), "0, 0");
  }
}

TEST(Declarations, RefuseMistakesOfTheProgram) {
  ParameterDeclarations declare;
  declare.declare("A", "1", Patterns::Double(), "");
  declare.enter("S");
  declare.leave();
  EXPECT_THROW(declare.declare("A", "", Patterns::Anything(), ""), dealii::ExceptionBase);
  EXPECT_THROW(declare.declare("S", "", Patterns::Anything(), ""), dealii::ExceptionBase);
  EXPECT_THROW(declare.declare("C", "x", Patterns::Double(), ""), dealii::ExceptionBase);
  EXPECT_THROW(declare.leave(), dealii::ExceptionBase);
}

TEST(Markdown, DocumentsEachEntry) {
  ParameterDeclarations declare;
  Subsection section(declare, "Contact");
  Subsection named(declare, "<name>");
  declare.declare("Motion", "", Described("a formula of t"), "2*pi <= t of e_T.");
  declare.declare("Law", "none", Patterns::Selection("none|a law"), "Law.");
  std::ostringstream out;
  print_markdown(out, declare);
  EXPECT_EQ(out.str(), "\n## Contact/\\<name>\n\n### Motion\n\n2\\*pi \\<= t of e_T.\n\n"
                       "* Default: empty\n* Allowed: a formula of t\n"
                       "\n### Law\n\nLaw.\n\n* Default: `none`\n* Allowed: one of none, 'a law'\n");
}

TEST(PrintMarkdown, RefersToTheEntryWithTheDefault) {
  ParameterDeclarations declare;
  Subsection material(declare, "Material");
  Subsection region(declare, "<region>");
  declare.declare("Law", "", Described("a law"), "Law: of stress. Default: value of Material/Law.");
  declare.declare("Rule", "", Described("a rule"), "Rule. Default: value of Material/Law.");
  std::ostringstream out;
  print_markdown(out, declare);
  EXPECT_EQ(out.str(), "\n## Material/\\<region>\n\n### Law\n\n"
                       "As in [Material](#material), whose value is the default.\n"
                       "\n### Rule\n\nRule. Default: value of Material/Law.\n\n"
                       "* Default: empty\n* Allowed: a rule\n");
}

TEST(PrintMarkdown, RefersToTheSectionWithTheDefaults) {
  ParameterDeclarations declare;
  Subsection material(declare, "Material");
  Subsection region(declare, "<region>");
  for (const std::string name : {"Law", "Plane"})
    declare.declare(name, "", Described("a word"),
                    "Word. Default: value of Material/" + name + ".");
  std::ostringstream out;
  print_markdown(out, declare);
  EXPECT_EQ(out.str(), "\n## Material/\\<region>\n\n"
                       "The entries of [Material](#material), whose values are the defaults.\n");
}

TEST(PrintMarkdown, DescribesComponentsTogether) {
  ParameterDeclarations declare;
  Subsection section(declare, "Body");
  for (const std::string c : {"x", "y", "z"}) {
    declare.declare("Force " + c, "", Described("a formula of x, y, or nothing"),
                    "Force in the direction " + c + " at x, y [N]." +
                        (c == "z" ? " Only in 3D." : ""));
    declare.declare("Speed " + c, "0", Described("a number"),
                    c == "z" ? "Speed upwards." : "Speed in the direction " + c + ".");
  }
  std::ostringstream out;
  print_markdown(out, declare);
  EXPECT_EQ(out.str(), "\n## Body\n"
                       "\n### Force x, y, z\n\nForce in the direction x, y or z at x, y [N].\n\n"
                       "* Allowed: a formula of x, y\n"
                       "\n### Speed x, y\n\nSpeed in the direction x or y.\n\n"
                       "* Default: `0`\n* Allowed: a number\n"
                       "\n### Speed z\n\nSpeed upwards.\n\n"
                       "* Default: `0`\n* Allowed: a number\n");
}

TEST(PrintMarkdown, DescribesEqualEntriesOnce) {
  ParameterDeclarations declare;
  for (const std::string section : {"Links", "Joints"}) {
    Subsection kind(declare, section);
    Subsection link(declare, "<link>");
    for (const std::string limit : {"Lower", "Upper"})
      declare.declare(limit + " angle", "0", Described("a number"), "Limit of the angle.");
  }
  std::ostringstream out;
  print_markdown(out, declare);
  EXPECT_EQ(out.str(),
            "\n## Links/\\<link>\n\n### Lower angle, Upper angle\n\nLimit of the angle.\n\n"
            "* Default: `0`\n* Allowed: a number\n"
            "\n## Joints/\\<link>\n\n### Lower angle, Upper angle\n\n"
            "As in [Links/\\<link>](#linkslink).\n");
}
} // namespace
