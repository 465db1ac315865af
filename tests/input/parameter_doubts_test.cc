// What parameters do after a mistake: units and magnitudes, doubts, old names.

#include <percussion/input/parameters.h>

#include <deal.II/base/exceptions.h>
#include <gtest/gtest.h>

#include <sstream>

namespace {
using namespace percussion;
namespace Patterns = dealii::Patterns;
using Strings = std::vector<std::string>;

ParameterDeclarations declarations() {
  ParameterDeclarations declare;
  {
    Subsection mesh(declare, "Mesh");
    declare.declare("File", "", Patterns::Anything(), "");
  }
  {
    Subsection time(declare, "Time");
    declare.declare("Step", "1e-3", PositiveDouble(), "");
    declare.declare("End", "1", PositiveDouble(), "");
    declare.declare("Cuts", "10", Patterns::Integer(0, 20), "");
    declare.was_called("Solver/Max cuts");
    declare.was_called("Numerics/Cuts");
    declare.declare("Gravity", "0, 0", Patterns::List(Patterns::Double(), 2, 2), "");
  }
  Subsection solver(declare, "Solver");
  declare.declare("Tolerance", "1e-12", PositiveDouble(1), "");
  return declare;
}

Parameters parameters(const std::string &text, const Strings &assignments = {}) {
  auto file = ParameterFile::parse(text, "case.prm");
  for (const auto &assignment : assignments)
    file.override_with(assignment);
  return {declarations(), file};
}

std::string complaint(const Parameters &values) {
  try {
    values.problems().throw_if_any();
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

std::string in_time(const std::string &line) { return "subsection Time\n" + line + "\nend\n"; }

TEST(WithoutUnits, TakesAwayWhatStandsBehindNumbers) {
  EXPECT_EQ(without_units("210 GPa"), "210");
  EXPECT_EQ(without_units("1e-5s"), "1e-5");
  EXPECT_EQ(without_units("-.5e+3 mm/ms^2"), "-.5e+3");
  EXPECT_EQ(without_units("5 N/(m s)"), "5");
  EXPECT_EQ(without_units("3 kg m^-1  "), "3");
  EXPECT_EQ(without_units("4µm"), "4");
  EXPECT_EQ(without_units("1 m, -2 m; 3., 4 m"), "1, -2; 3., 4");
  for (const std::string none : {"", "5", "1e-5", "0x10", "1e", "2*pi", "stiff", "1 2", "0,3"})
    EXPECT_EQ(without_units(none), none);
}

/// The number alone would be another one.
TEST(WithoutUnits, LeavesWhatMayBeAFactor) {
  for (const std::string none :
       {"2d-3",      "2D6",        "2d6", "1e-3=2", "30%",      "45°",     "2k",
        "210G",      "3x",         "2 t", "5 pi",   "2 inf",    "2×10^-3", "2 x 10^-3",
        "1e\u22123", "1\u00a0000", "10²", "1 e3",   "2 sin(t)", "5 m 3",   "1e-3e2"})
    EXPECT_EQ(without_units(none), none);
}

/// A recursion for each character would end the program.
TEST(WithoutUnits, TakesTextsOfAnyLength) {
  const std::string digits(1000000, '1'), letters(1000000, 'm');
  EXPECT_EQ(without_units(digits), digits);
  EXPECT_EQ(without_units("5 " + letters), "5");
}

TEST(WithEExponents, TakesFortransNumbers) {
  EXPECT_EQ(with_e_exponents("2d-3"), "2e-3");
  EXPECT_EQ(with_e_exponents("2D6, 1.d0; -.5d+3"), "2e6, 1.e0; -.5e+3");
  for (const std::string same : {"2d", "d3", "2 d3", "2e-3", "2d-"})
    EXPECT_EQ(with_e_exponents(same), same);
}

TEST(Values, OfFortranAreUnderstood) {
  const std::string line = in_time("set Step = 2d-3");
  EXPECT_EQ(complaint(parameters(line)),
            "case.prm:2: 'Time/Step' is '2d-3': allowed is a number > 0; exponents are written "
            "with an e: did you mean '2e-3'?");
  EXPECT_EQ(complaint(parameters(in_time("set Step = 1e-3=2"))),
            "case.prm:2: 'Time/Step' is '1e-3=2': allowed is a number > 0");
}

TEST(Values, WithSpacesThatLookUsualAreExplained) {
  const std::string start = "case.prm:2: 'Time/Step' is '";
  EXPECT_EQ(complaint(parameters(in_time("set Step = 1\u00a0"))),
            start + "1\u00a0': allowed is a number > 0; there is a no-break space (U+00A0) in it");
  EXPECT_NE(complaint(parameters(in_time("set Step = 1\u00a0ms"))).find("write '1'. Units"),
            std::string::npos);
}

TEST(Values, ThatAreLongAreQuotedInPart) {
  const std::string text(90000, 'x');
  EXPECT_EQ(complaint(parameters(in_time("set Step = " + text))),
            "case.prm:2: 'Time/Step' is '" + text.substr(0, 200) + "…': allowed is a number > 0");
  EXPECT_EQ(parameters("subsection Mesh\nset File = " + text + "\nend")
                .remark("Mesh/File", "no such file"),
            "case.prm:2: 'Mesh/File' is '" + text.substr(0, 200) + "…': no such file");
}

TEST(WithDecimalPoints, ReplacesCommasBetweenDigits) {
  EXPECT_EQ(with_decimal_points("0,3"), "0.3");
  EXPECT_EQ(with_decimal_points("-1,5, 0,25"), "-1.5, 0.25");
  EXPECT_EQ(with_decimal_points("a,b, 1, 2"), "a,b, 1, 2");
}

TEST(Magnitudes, LeaveRoomForEveryUnitSystem) {
  const PositiveDouble positive;
  EXPECT_EQ(magnitude_problem(positive, "1e50"), "");
  EXPECT_EQ(magnitude_problem(positive, "1e-50"), "");
  EXPECT_NE(magnitude_problem(positive, "1.1e50").find("too large"), std::string::npos);
  EXPECT_NE(magnitude_problem(positive, "9e-51").find("too small"), std::string::npos);
  EXPECT_EQ(magnitude_problem(Patterns::Double(), "0"), "");
  EXPECT_NE(magnitude_problem(Patterns::List(Patterns::Double()), "1, -1e60"), "");
  EXPECT_EQ(magnitude_problem(Patterns::Anything(), "1e60"), "");
  EXPECT_EQ(magnitude_problem(Described("a name"), "1e60"), "");
}

TEST(Doubts, ARefusedValueIsTheDefaultAndDoubtful) {
  const Parameters values = parameters(in_time("set Step = -1"));
  EXPECT_EQ(values.get("Time/Step"), "1e-3");
  EXPECT_TRUE(values.is_doubtful("Time/Step"));
  EXPECT_FALSE(values.is_doubtful("Time/End"));
  EXPECT_FALSE(values.is_set("Time/Step"));
  Problems more;
  values.report("Time/Step", "too long", more);
  EXPECT_TRUE(more.empty());
  values.report("Time/End", "too late", more);
  EXPECT_FALSE(more.empty());
}

TEST(Doubts, AMisspeltEntryMakesWhatItMayBeDoubtful) {
  const Parameters values = parameters(in_time("set Stpe = 1\nset Gravity = 0, 1"));
  EXPECT_TRUE(values.is_doubtful("Time/Step"));
  EXPECT_TRUE(values.is_doubtful("Time/End")); // not given here
  EXPECT_FALSE(values.is_doubtful("Time/Gravity"));
  EXPECT_FALSE(values.is_doubtful("Solver/Tolerance"));
  EXPECT_TRUE(values.is_incomplete("Time"));
  EXPECT_FALSE(values.is_incomplete("Solver"));

  const Parameters elsewhere = parameters("subsection Solver\nset File = x\nend");
  EXPECT_TRUE(elsewhere.is_doubtful("Mesh/File"));
  EXPECT_FALSE(elsewhere.is_doubtful("Time/End"));
}

TEST(Doubts, AMisspeltSubsectionMakesAllOfItDoubtful) {
  const Parameters values = parameters("subsection Tiem\nset End = 2\nend\n");
  EXPECT_TRUE(values.is_doubtful("Time/End"));
  EXPECT_FALSE(values.is_doubtful("Mesh/File"));
  // Nobody knows what this one is: whatever is not given may be in it.
  const Parameters unknown = parameters("subsection Zzz\nend\n" + in_time("set End = 2"));
  EXPECT_TRUE(unknown.is_doubtful("Mesh/File"));
  EXPECT_FALSE(unknown.is_doubtful("Time/End"));
}

TEST(Doubts, FollowMistakesOfSyntax) {
  EXPECT_TRUE(parameters(in_time("set End 2")).is_doubtful("Time/End"));
  EXPECT_FALSE(parameters(in_time("set End 2")).is_doubtful("Mesh/File"));
  EXPECT_TRUE(parameters("include nothing.prm").is_doubtful("Mesh/File"));
  // A misspelt keyword is understood.
  const Parameters values = parameters("subsecton Time\nste End = 2\nend\n");
  EXPECT_EQ(values.get("Time/End"), "2");
  EXPECT_FALSE(values.is_doubtful("Time/End"));
}

TEST(Doubts, AMissingEndIsNamedBySubsectionsThatLieOutside) {
  EXPECT_EQ(complaint(parameters("subsection Time\nsubsection Solver\nset Tolerance = 0.1\nend\n")),
            "2 problems in the input:\n"
            "case.prm:1: subsection 'Time' has no 'end'\n"
            "case.prm:2: unknown subsection 'Time/Solver'; 'Solver' exists: is an 'end' missing "
            "before this line?");
}

TEST(OldNames, WorkWithANotice) {
  const Parameters values = parameters("subsection Solver\nset Max cuts = 3\nend\n");
  EXPECT_EQ(complaint(values), "");
  EXPECT_EQ(values.get_integer("Time/Cuts"), 3);
  EXPECT_TRUE(values.is_set("Time/Cuts"));
  EXPECT_EQ(values.notices(),
            Strings{"case.prm:2: 'Solver/Max cuts' is now called 'Time/Cuts'; the "
                    "old name will go in a later release"});
  EXPECT_EQ(values.remark("Time/Cuts", "few"),
            "case.prm:2: 'Time/Cuts' (written as 'Solver/Max cuts') is '3': few");
  EXPECT_TRUE(parameters(in_time("set Cuts = 3")).notices().empty());
  EXPECT_EQ(
      complaint(parameters("subsection Numerics\nset Cuts = 99\nend\n")),
      "case.prm:2: 'Time/Cuts' (written as 'Numerics/Cuts') is '99': allowed is an integer >= "
      "0 and <= 20");
}

TEST(OldNames, AreRefusedBesideTheNewOnes) {
  const std::string old = "subsection Solver\nset Max cuts = 3\nend\n";
  EXPECT_EQ(complaint(parameters(in_time("set Cuts = 3") + old)),
            "case.prm:5: 'Solver/Max cuts' is set again; it was set in case.prm:2 as 'Time/Cuts', "
            "which is the same entry");
  EXPECT_EQ(complaint(parameters(old + in_time("set Cuts = 3"))),
            "case.prm:5: 'Time/Cuts' is set again; it was set in case.prm:2 as 'Solver/Max cuts', "
            "which is the same entry");
}

TEST(OldNames, AreOverridden) {
  const std::string old = "subsection Solver\nset Max cuts = 3\nend\n";
  const Parameters by_new = parameters(old, {"Time/Cuts=5"});
  EXPECT_EQ(complaint(by_new), "");
  EXPECT_EQ(by_new.get("Time/Cuts"), "5");
  const Parameters by_old = parameters(in_time("set Cuts = 3"), {"Solver/Max cuts=5"});
  EXPECT_EQ(complaint(by_old), "");
  EXPECT_EQ(by_old.get("Time/Cuts"), "5");
}

TEST(OldNames, CannotBeTaken) {
  ParameterDeclarations declare;
  EXPECT_THROW(declare.was_called("A"), dealii::ExceptionBase);
  declare.declare("A", "", Patterns::Anything(), "");
  EXPECT_THROW(declare.was_called("A"), dealii::ExceptionBase);
  declare.was_called("B");
  EXPECT_THROW(declare.was_called("B"), dealii::ExceptionBase);
}

TEST(Markdown, DocumentsEachEntry) {
  ParameterDeclarations declare;
  Subsection section(declare, "Contact");
  Subsection named(declare, "<name>");
  declare.declare("Motion", "", Described("a formula of t"), "2*pi <= t of e_T.");
  declare.was_called("Contact/Move");
  std::ostringstream out;
  print_markdown(out, declare);
  EXPECT_EQ(out.str(),
            "\n## Contact\n\n## Contact/\\<name>\n\n### Motion\n\n2\\*pi \\<= t of e_T.\n\n"
            "* Default: empty\n* Allowed: a formula of t\n"
            "* Was called `Contact/Move`, which goes on to work for a while\n");
}
} // namespace
