// Functions given by points in files, and the named values that formulas of a case may use besides
// t, x and y.

#include <percussion/base/error.h>
#include <percussion/base/expression.h>
#include <percussion/base/table.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"

namespace {

using namespace percussion;
using test::put;
using test::ScratchFolder;

std::string complaint(const ScratchFolder &folder, const std::string &name = "t.csv") {
  try {
    read_table(name, folder.path.string());
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

TEST(Tables, AreLinearBetweenTheirPoints) {
  const ScratchFolder folder;
  put(folder / "t.csv", "# measured\ntime, force\n0, 1\n\n2, 5 # the peak\n3, -1\n");
  const Table table = read_table("t.csv", folder.path.string());
  EXPECT_EQ(table(0), 1.);
  EXPECT_EQ(table(0.5), 2.);
  EXPECT_EQ(table(2), 5.);
  EXPECT_EQ(table(2.5), 2.);
  EXPECT_EQ(table(3), -1.);
  EXPECT_EQ(table(3 + 1e-10), -1.); // a last step whose end is late by round-off
  for (const double outside : {-0.1, 3.1})
    EXPECT_NE(test::error_of([&] { table(outside); }).find("it goes from 0 to 3"),
              std::string::npos);
}

TEST(Tables, MayHaveManyColumnsAndOtherSeparators) {
  const ScratchFolder folder;
  put(folder / "t.csv", "t;\"upper force\";lower\r\n0;1;10\r\n1;2;+20\r\n");
  EXPECT_EQ(read_table("t.csv:lower", folder.path.string())(0.5), 15.);
  EXPECT_EQ(read_table("t.csv:upper force", folder.path.string())(0.5), 1.5);
  put(folder / "u.dat", "0 1\n 1\t2e0\n");
  EXPECT_EQ(read_table("u.dat", folder.path.string())(0.5), 1.5);
  EXPECT_EQ(read_table(folder / "u.dat", "/elsewhere")(0.5), 1.5);
}

TEST(Tables, MayHaveLinesThatEndInCarriageReturnsAlone) {
  const ScratchFolder folder;
  put(folder / "t.csv", "time, force\r0, 1\r2, 5\r");
  EXPECT_EQ(read_table("t.csv:force", folder.path.string())(1), 3.);
}

TEST(Tables, MayBeginWithAByteOrderMark) {
  const ScratchFolder folder;
  const std::string mark = "\xEF\xBB\xBF";
  put(folder / "t.csv", mark + "0, 1\r\n2, 5\r\n");
  EXPECT_EQ(read_table("t.csv", folder.path.string())(1), 3.);
  put(folder / "named.csv", mark + "time, force\r\n0, 1\r\n2, 5\r\n");
  EXPECT_EQ(read_table("named.csv:force", folder.path.string())(1), 3.);
  EXPECT_EQ(read_named_columns("named.csv", folder.path.string()).names.front(), "time");
  put(folder / "t.csv", "\xFF\xFE,");
  EXPECT_NE(complaint(folder).find("its text is in UTF-16"), std::string::npos);
}

TEST(Tables, SayWhatIsWrongAndInWhichLine) {
  const ScratchFolder folder;
  const auto expect = [&](const std::string &text, const std::string &words) {
    put(folder / "t.csv", text);
    EXPECT_NE(complaint(folder).find(words), std::string::npos) << complaint(folder);
  };
  expect("0, 1\n1, x\n", "t.csv:2: 'x' is not a finite number");
  expect("0, 1\n1, nan\n", "t.csv:2: 'nan' is not a finite number");
  expect("0, 1\n1\n", "t.csv:2: 1 values for 2 columns");
  expect("0, 1\n1, 2\n1, 3\n", "t.csv:3: 1 follows a number that is no smaller");
  expect("t, f\n0, 1\n", "t.csv: it has 1 rows of numbers");
  expect("", "it has 0 rows");
  expect("t, a, b\n0, 1, 2\n1, 2, 3\n", "its columns are 't', 'a', 'b'");
  expect("0, 1, 2\n1, 2, 3\n", "the file has no header");
  EXPECT_NE(complaint(folder, "t.csv:c").find("no header"), std::string::npos);
  put(folder / "t.csv", "t, force\n0, 1\n1, 2\n");
  EXPECT_NE(complaint(folder, "t.csv:forse").find("did you mean 'force'?"), std::string::npos);
  put(folder / "blow.csv", "");
  EXPECT_NE(complaint(folder, "bow.csv").find("no such file; did you mean 'blow.csv'?"),
            std::string::npos);
  EXPECT_NE(complaint(folder, ".").find("not a regular file"), std::string::npos);
}

// ---- in formulas ----

struct Words : testing::Test {
  const ScratchFolder folder;
  std::shared_ptr<FormulaWords> words = std::make_shared<FormulaWords>();

  Words() {
    put(folder / "ramp.csv", "1, 0\n3, 10\n");
    words->folder = folder.path.string();
    words->constants = {{"mm", 1e-3}, {"T", 0.5}};
  }
  double value(const std::string &formula, double t) const { return Expression(formula, words)(t); }
  std::string complaint(const std::string &formula) const {
    try {
      const Expression expression(formula, words);
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Words, TablesAreFunctions) {
  EXPECT_EQ(value("2*table(\"ramp.csv\", t) + 1", 2), 11.);
  EXPECT_EQ(value("table( \"ramp.csv\" , 2*t)", 1), 5.);
  const Expression formula("table(\"ramp.csv\", t)", words), copy(formula);
  EXPECT_TRUE(copy.depends_on_time());
  EXPECT_EQ(copy(1.5), 2.5);
  EXPECT_EQ(words->tables.size(), 1u);
  EXPECT_NE(test::error_of([&] { copy(0.); }).find("table \"ramp.csv\" has no value at 0"),
            std::string::npos);
  EXPECT_NE(complaint("table(\"rump.csv\", t)").find("did you mean 'ramp.csv'?"),
            std::string::npos);
  EXPECT_NE(complaint("table(t, 1)"), "");
  EXPECT_NE(complaint("table(\"ramp.csv\")"), "");
}

TEST_F(Words, ConstantsAndFurtherFunctions) {
  EXPECT_EQ(value("2*mm", 0), 2e-3);
  EXPECT_EQ(value("if(t < T, 1, 2)", 0.4), 1.);
  EXPECT_EQ(value("if(t < T, 1, 2)", 0.6), 2.);
  EXPECT_EQ(value("floor(-1.5) + ceil(1.5)", 0), 0.);
  EXPECT_DOUBLE_EQ(value("mod(t, T)", 1.2), 0.2);
  EXPECT_DOUBLE_EQ(value("mod(t, T)", -0.1), 0.4); // a phase
  EXPECT_EQ(value("min(3, t) + max(1, 2, t)", 5), 8.);
  EXPECT_NE(complaint("cm").find("'cm' is no variable (t, x, y; in 3D z), constant (pi, e, "
                                 "constants of the file) or function; did you mean 'mm'?"),
            std::string::npos);
}

TEST_F(Words, OwnVariablesMayHaveFullStops) {
  words->variables = {"t", "tip.gap"};
  const Expression formula("tip.gap > 2.5*mm && t > .5", words);
  EXPECT_EQ(formula(std::vector<double>{1., 3e-3}), 1.);
  EXPECT_EQ(formula(std::vector<double>{1., 2e-3}), 0.);
  EXPECT_NE(complaint("tip.gab").find("did you mean 'tip.gap'?"), std::string::npos);
}

TEST(Constants, HaveNamesOfTheirOwn) {
  EXPECT_EQ(problem_of_constant("mm"), "");
  EXPECT_EQ(problem_of_constant("E_1"), "");
  for (const char *name : {"t", "pi", "e", "sin", "if", "mod", "table", "1a", "a b", "", "a.b"})
    EXPECT_NE(problem_of_constant(name), "") << name;
}

} // namespace
