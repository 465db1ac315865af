#include <percussion/input/parameter_file.h>

#include <deal.II/base/parameter_handler.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {
using namespace percussion;
using Strings = std::vector<std::string>;
namespace fs = std::filesystem;

/// Returns the problems of a file; "" if there are none.
std::string complaint(const ParameterFile &file) {
  try {
    file.problems().throw_if_any();
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

std::string complaint(const std::string &text) {
  return complaint(ParameterFile::parse(text, "case.prm"));
}

/// Returns "Time/Step = 1 (case.prm:2)" for each entry, sorted by path.
Strings summary(const ParameterFile &file) {
  Strings lines;
  for (const auto &[path, entry] : file.assignments())
    lines.push_back(to_string(path) + " = " + entry.value + " (" +
                    location(entry.source, entry.line) + ")");
  return lines;
}

/// Fixture with a folder for each test, removed at its end.
class ParameterFiles : public testing::Test {
protected:
  ParameterFiles() { fs::create_directories(folder / "parts"); }

  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }

  std::string error_of_reading(const std::string &filename) const {
    try {
      ParameterFile::read(filename);
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  }

  const percussion::test::ScratchFolder scratch;
  const fs::path folder = scratch.path;
};

TEST(ParameterSyntax, ReadsEntriesWithTheirLines) {
  const auto file = ParameterFile::parse("# a comment\n"
                                         "set Title = a = b   # trailing\r\n"
                                         "\n"
                                         "subsection   Boundary \t conditions\n"
                                         "\tSUBSECTION Contact BC\n"
                                         "    set  Inner   name=  1  2 \n"
                                         "  end # of Contact BC\n"
                                         "END\n"
                                         "set Empty =",
                                         "case.prm");
  EXPECT_EQ(complaint(file), "");
  EXPECT_EQ(summary(file), (Strings{"Boundary conditions/Contact BC/Inner name = 1  2 (case.prm:6)",
                                    "Empty =  (case.prm:9)", "Title = a = b (case.prm:2)"}));
}

TEST(ParameterSyntax, ContinuesLinesAndCountsThem) {
  const auto file =
      ParameterFile::parse("set List = 1, \\\r\n   2,\\\n 3\nset B = 4\n", "case.prm");
  EXPECT_EQ(summary(file), (Strings{"B = 4 (case.prm:4)", "List = 1, 2,3 (case.prm:1)"}));
  EXPECT_EQ(complaint("set A = 1 \\"),
            "case.prm:1: the last line ends with a backslash, but no line follows");
}

TEST(ParameterSyntax, AgreesWithDealII) {
  const std::string text =
      "set A = x  y # comment\nsubsection S\n  set  B=1,\\\n   2, \\\n 3\nend\n";
  dealii::ParameterHandler handler;
  handler.declare_entry("A", "");
  handler.enter_subsection("S");
  handler.declare_entry("B", "");
  handler.leave_subsection();
  handler.parse_input_from_string(text);

  const auto file = ParameterFile::parse(text, "case.prm");
  EXPECT_EQ(file.assignments().at({"A"}).value, handler.get("A"));
  EXPECT_EQ(file.assignments().at({"S", "B"}).value, handler.get({"S"}, "B"));
}

TEST(ParameterSyntax, DistinguishesCaseOfNames) {
  EXPECT_EQ(complaint("set step = 1\nset Step = 2"), "");
}

TEST(ParameterSyntax, NamesUnbalancedSubsections) {
  EXPECT_EQ(complaint("end"), "case.prm:1: 'end' without an open subsection");
  EXPECT_EQ(complaint("subsection A\nsubsection B\nend"),
            "case.prm:1: subsection 'A' has no 'end'");
  EXPECT_EQ(complaint("subsection A\nend A"), "case.prm:2: unexpected 'A' after 'end'");
}

/// Names of very many levels together would take all memory.
TEST(ParameterSyntax, RefusesVeryManyLevels) {
  std::string opened, closed;
  for (unsigned int level = 0; level < 100000; ++level) {
    opened += "subsection a\n";
    closed += "end\n";
  }
  const std::string reason =
      "case.prm:17: subsections in subsections beyond 16 levels; is an 'end' missing?";
  EXPECT_EQ(complaint(opened + "set b = 1\n" + closed), reason);
  EXPECT_NE(complaint(opened).find(reason), std::string::npos);
}

TEST(ParameterSyntax, NamesTheNearestKeyword) {
  const std::string forms =
      " A line is 'subsection NAME', 'end', 'set NAME = VALUE' or 'include FILE'";
  EXPECT_EQ(complaint("subsecton A\nend"),
            "case.prm:1: unknown keyword 'subsecton'; did you mean 'subsection'?" + forms);
  EXPECT_EQ(complaint("Step = 5"),
            "case.prm:1: unknown keyword 'Step'; did you mean 'set Step = 5'?" + forms);
  EXPECT_EQ(complaint("hello"), "case.prm:1: unknown keyword 'hello'." + forms);
}

TEST(ParameterSyntax, NamesWhatIsMissing) {
  EXPECT_EQ(complaint("set Step 5"),
            "case.prm:1: '=' is missing in 'set Step 5'; expected 'set NAME = VALUE'");
  EXPECT_EQ(complaint("set = 5"), "case.prm:1: a name is missing after 'set'");
  EXPECT_EQ(complaint("subsection\n set A = 1\nend"),
            "case.prm:1: a name is missing after 'subsection'");
  EXPECT_EQ(complaint("include"),
            "case.prm:1: the name of the file is missing; expected 'include FILE'");
}

TEST(ParameterSyntax, RefusesASlashInNames) {
  const auto file = ParameterFile::parse("subsection a/b\nset C = 1\nend", "case.prm");
  EXPECT_EQ(complaint(file), "case.prm:1: the name 'a/b' contains '/', which separates names in "
                             "messages and --set");
  EXPECT_EQ(file.subsections(""), Strings{});
}

TEST(ParameterSyntax, ListsAllProblemsInOrderOfLines) {
  EXPECT_EQ(complaint("subsection A\nset B 1\nend x"), "2 problems in the input:\n"
                                                       "case.prm:2: '=' is missing in 'set B 1'; "
                                                       "expected 'set NAME = VALUE'\n"
                                                       "case.prm:3: unexpected 'x' after 'end'");
}

TEST(ParameterSyntax, RefusesAnEntrySetTwice) {
  EXPECT_EQ(complaint("set A = 1\n\nset A = 1"),
            "case.prm:3: 'A' is set again; it was set in case.prm:1");
  EXPECT_EQ(complaint("subsection S\nset A = 1\nend\nset A = 1\nsubsection S\nset B = 1\nend"), "");
}

TEST(ParameterSyntax, TakesTheLineEndsOfUnixAndWindows) {
  for (const std::string end : {"\n", "\r\n"}) {
    const auto file = ParameterFile::parse("# first" + end + "set A = 1, \\" + end + "2" + end +
                                               "subsection S" + end + "set B = 2" + end + "end",
                                           "case.prm");
    EXPECT_EQ(complaint(file), "");
    EXPECT_EQ(summary(file), (Strings{"A = 1, 2 (case.prm:2)", "S/B = 2 (case.prm:5)"}));
  }
}

TEST(ParameterSyntax, ListsTheFirstOfVeryManyProblems) {
  std::string text;
  for (unsigned int i = 0; i < 50000; ++i)
    text += "hello\n";
  const std::string all = complaint(text);
  EXPECT_EQ(all.substr(0, 29), "50000 problems in the input:\n");
  EXPECT_NE(all.find("\ncase.prm:100: unknown keyword"), std::string::npos);
  EXPECT_EQ(all.substr(all.rfind('\n')), "\n… and 49900 more");
}

TEST(ParameterSubsections, AreListedOnceInOrderEvenIfEmpty) {
  auto file =
      ParameterFile::parse("subsection BC\n subsection z\n end\n subsection a\n  set T = 1\n"
                           "  subsection deep\n  end\n end\nend\n"
                           "subsection BC\n subsection z\n end\nend\n",
                           "case.prm");
  file.override_with("BC/New region/T=2");
  EXPECT_EQ(file.subsections("BC"), (Strings{"z", "a", "New region"}));
  EXPECT_EQ(file.subsections(""), Strings{"BC"});
  EXPECT_EQ(file.subsections("BC/a"), Strings{"deep"});
  EXPECT_EQ(file.subsections("Nowhere"), Strings{});
}

TEST(ParameterOverride, ReplacesAndAdds) {
  auto file = ParameterFile::parse("subsection Time\nset Step = 1\nend", "case.prm");
  file.override_with(" Time / Step = 1e-5 ");
  file.override_with("Mesh/File=a=b.msh");
  EXPECT_EQ(complaint(file), "");
  EXPECT_EQ(summary(file), (Strings{"Mesh/File = a=b.msh (--set)", "Time/Step = 1e-5 (--set)"}));
}

TEST(ParameterOverride, SetsAnEntryOnce) {
  auto file = ParameterFile::parse("subsection Time\nset Step = 1\nend", "case.prm");
  file.override_with("Time/Step=2");
  file.override_with("Time/Step=3", "--other");
  EXPECT_EQ(complaint(file), "");
  file.override_with("Time/Step=4", "--other");
  EXPECT_EQ(complaint(file), "--other: 'Time/Step=4': an earlier option sets this entry to '3'");
}

TEST(ParameterOverride, ShowsTheExpectedForm) {
  for (const std::string bad : {"Time/Step", "=1", "Time//Step=1", "Time/Step/=1", "/=1", ""}) {
    auto file = ParameterFile::parse("", "case.prm");
    file.override_with(bad);
    EXPECT_EQ(complaint(file), "--set: '" + bad +
                                   "': expected SUBSECTION/NAME=VALUE, for example "
                                   "--set \"Time/Step=1e-5\"");
  }
}

TEST(ParameterOverride, RefusesWhatCannotBeWrittenToAFile) {
  for (const std::string bad : {"A=1 # 2", "A=1\nset B = 2", "A=C:\\"}) {
    auto file = ParameterFile::parse("", "case.prm");
    file.override_with(bad);
    EXPECT_NE(complaint(file).find("cannot stand in a parameter file"), std::string::npos) << bad;
    EXPECT_TRUE(file.assignments().empty());
  }
}

TEST_F(ParameterFiles, IncludeStartsAtTheIncludingFile) {
  const std::string steel = write("parts/steel.prm", "set E = 210\nset nu = 0.3\ninclude unit.prm");
  const std::string unit = write("parts/unit.prm", "set Unit = GPa");
  const std::string main =
      write("case.prm", "subsection Material\ninclude parts/steel.prm\nset E = 200\nend");
  const auto file = ParameterFile::read(main);
  EXPECT_EQ(complaint(file), "");
  EXPECT_EQ(summary(file),
            (Strings{"Material/E = 200 (" + main + ":3)", "Material/Unit = GPa (" + unit + ":1)",
                     "Material/nu = 0.3 (" + steel + ":2)"}));
}

TEST_F(ParameterFiles, IncludeDoesNotSilentlyUndoTheIncludingFile) {
  const std::string part = write("parts/part.prm", "\nset E = 210");
  const std::string main = write("case.prm", "set E = 200\ninclude parts/part.prm");
  EXPECT_EQ(complaint(ParameterFile::read(main)),
            part + ":2: 'E' is set again; it was set in " + main +
                ":1, before this file was included; include first, then override");
}

TEST_F(ParameterFiles, LaterOfTwoIncludesWins) {
  write("a.prm", "set E = 1");
  write("b.prm", "set E = 2");
  const auto file =
      ParameterFile::read(write("case.prm", "include a.prm\ninclude a.prm\ninclude b.prm"));
  EXPECT_EQ(complaint(file), "");
  EXPECT_EQ(file.assignments().at({"E"}).value, "2");
}

TEST_F(ParameterFiles, IncludeCannotCloseForeignSubsections) {
  const std::string part = write("part.prm", "end\nsubsection B");
  const auto file =
      ParameterFile::read(write("case.prm", "subsection A\ninclude part.prm\nset C = 1\nend"));
  EXPECT_EQ(complaint(file), "2 problems in the input:\n" + part +
                                 ":1: 'end' without an open subsection\n" + part +
                                 ":2: subsection 'A/B' has no 'end'");
  EXPECT_EQ(file.assignments().count({"A", "C"}), 1u);
}

TEST_F(ParameterFiles, CyclesOfIncludesEnd) {
  const std::string part = write("parts/part.prm", "include ../case.prm");
  const std::string main = write("case.prm", "include parts/part.prm");
  EXPECT_EQ(complaint(ParameterFile::read(main)),
            part + ":1: '" + (folder / "parts/../case.prm").string() + "' includes itself");
}

TEST_F(ParameterFiles, MissingIncludeIsReportedWhereItStands) {
  const std::string main = write("case.prm", "\ninclude nowhere.prm");
  EXPECT_EQ(complaint(ParameterFile::read(main)),
            main + ":2: cannot read '" + (folder / "nowhere.prm").string() + "': no such file");
}

TEST_F(ParameterFiles, SaysWhyAFileCannotBeRead) {
  const std::string main = write("sliding.prm", "");
  EXPECT_EQ(error_of_reading(main), "");
  const std::string typo = (folder / "slidng.prm").string();
  EXPECT_EQ(error_of_reading(typo),
            "cannot read '" + typo + "': no such file; did you mean 'sliding.prm'?");
  const std::string lost = (folder / "no folder/x.prm").string();
  EXPECT_EQ(error_of_reading(lost), "cannot read '" + lost + "': no such file");
  EXPECT_EQ(error_of_reading(folder.string()),
            "cannot read '" + folder.string() + "': it is a directory");
  const std::string other = (folder / "zz.prm").string();
  write("ia.prm", "");
  EXPECT_EQ(error_of_reading(other), "cannot read '" + other + "': no such file");
  const std::string binary = write("mesh.bin", std::string("\x7f\0\1", 3));
  EXPECT_EQ(error_of_reading(binary), "cannot read '" + binary + "': it is not a text file");
}

/// Editors on Windows write a byte order mark, in an included file, too.
TEST_F(ParameterFiles, MayBeginWithAByteOrderMark) {
  const std::string mark = "\xEF\xBB\xBF";
  write("part.prm", mark + "subsection Time\r\n  set End = 2\r\nend\r\n");
  const std::string main = write("case.prm", mark + "include part.prm\n");
  const auto file = ParameterFile::read(main);
  EXPECT_EQ(complaint(file), "");
  EXPECT_EQ(file.assignments().at(to_path("Time/End")).value, "2");
  const std::string wide = write("wide.prm", std::string("\xFF\xFEs\0e\0t\0", 8));
  EXPECT_EQ(error_of_reading(wide),
            "cannot read '" + wide + "': its text is in UTF-16; save it as UTF-8");
}

TEST_F(ParameterFiles, SaysWhereLinksLead) {
  const std::string loop = (folder / "loop.prm").string();
  fs::create_symlink("loop.prm", loop);
  EXPECT_EQ(error_of_reading(loop),
            "cannot read '" + loop + "': Too many levels of symbolic links");
  const std::string lost = (folder / "lost.prm").string();
  fs::create_symlink("nowhere.prm", lost);
  EXPECT_EQ(error_of_reading(lost),
            "cannot read '" + lost + "': it is a link to 'nowhere.prm', which does not exist");
}

TEST_F(ParameterFiles, SaysThatAFileIsForbidden) {
  const std::string secret = write("secret.prm", "set A = 1");
  fs::permissions(secret, fs::perms::none);
  const uid_t user = geteuid();
  if (user == 0 && seteuid(65534) != 0)
    GTEST_SKIP() << "root may read everything, and may not become another user here";
  const std::string error = error_of_reading(secret);
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_EQ(error, "cannot read '" + secret + "': Permission denied");
}

} // namespace
