#include <percussion/base/error.h>
#include <percussion/report/history.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace percussion;
using namespace percussion::report;

namespace {
namespace fs = std::filesystem;

const std::string header =
    "step,time,kinetic,strain,total,work_external,work_viscous,work_numerical,"
    "work_contact_normal,work_contact_tangential,work_prescribed,balance_residual,"
    "tangential_work_max,tangential_work_min,contacts_active,contacts_sliding,penetration_max,"
    "solver_iterations,solver_residual,percussion_normal\n";
const std::string row_0 = "0,0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n";
const std::string row_1 = "1,0.5,1.5,2.5,4,1,0,0,0,0,0,1e-16,0,-0.25,3,2,1e-9,7,1e-12,2\n";

/// A folder whose energy.csv holds the given text.
class Report : public ::testing::Test {
protected:
  void SetUp() override {
    const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::path(::testing::TempDir()) / (std::string("percussion-report-") + test->name());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string &text) const { std::ofstream(folder / "energy.csv") << text; }

  /// What read_history complains about, or an empty string.
  std::string complaint() const {
    try {
      read_history(folder);
    } catch (const InputError &error) {
      return error.what();
    }
    return {};
  }

  fs::path folder;
};

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
} // namespace

TEST_F(Report, HistoryHoldsRemarksAndColumns) {
  write("# Percussion\n# case: sliding_block\n# units: N, mm, ms, g\n" + header + row_0 + row_1);
  const History history = read_history(folder);
  EXPECT_EQ(history.remark("case"), "sliding_block");
  EXPECT_EQ(history.remark("units"), "N, mm, ms, g");
  EXPECT_EQ(history.remark("scheme"), "");
  ASSERT_EQ(history["time"].size(), 2u);
  EXPECT_EQ(history["time"][1], 0.5);
  EXPECT_EQ(history["tangential_work_min"][1], -0.25);
  EXPECT_EQ(history["solver_residual"][1], 1e-12);
}

TEST_F(Report, HistoryAcceptsWindowsLineEndsAndBlankLines) {
  write("# case: a\r\n\r\n" + header.substr(0, header.size() - 1) + "\r\n" + row_0);
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(read_history(folder).remark("case"), "a");
}

TEST_F(Report, BadNumberIsNamedWithFileLineAndColumn) {
  write("# case: a\n" + header + row_0 + "1,0.5,1.5x,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
  const std::string text = complaint();
  EXPECT_TRUE(contains(text, "energy.csv:4:")) << text;
  EXPECT_TRUE(contains(text, "kinetic")) << text;
  EXPECT_TRUE(contains(text, "1.5x")) << text;
}

TEST_F(Report, MissingColumnsAreNamed) {
  write("step,time,kinetic\n1,2,3\n");
  const std::string text = complaint();
  EXPECT_TRUE(contains(text, "energy.csv:1:")) << text;
  EXPECT_TRUE(contains(text, "strain")) << text;
  EXPECT_TRUE(contains(text, "work_prescribed")) << text;
}

TEST_F(Report, WrongNumberOfValuesIsAnError) {
  write(header + row_0 + "1,2,3\n" + row_1);
  const std::string text = complaint();
  EXPECT_TRUE(contains(text, "energy.csv:3:")) << text;
  EXPECT_TRUE(contains(text, "expected 20 values, found 3")) << text;
}

TEST_F(Report, LastLineOfARunningRunMayBeCutShort) {
  write(header + row_0 + row_1 + "2,0.7,1.2");
  EXPECT_EQ(read_history(folder)["time"].size(), 2u);
}

TEST_F(Report, EmptyAndMissingFilesAreErrors) {
  EXPECT_TRUE(contains(complaint(), "energy.csv"));
  write("# case: a\n");
  EXPECT_TRUE(contains(complaint(), "before the header"));
  write(header);
  EXPECT_TRUE(contains(complaint(), "before the first row"));
  EXPECT_THROW(read_history(folder / "absent"), InputError);
}

TEST_F(Report, RunsAreLabelledByWhatTellsThemApart) {
  for (const char *name : {"a", "b", "c/a"}) {
    fs::create_directories(folder / name);
    std::ofstream(folder / name / "energy.csv") << header << row_0;
  }
  const auto by_name = read_histories({folder / "a" / "", folder / "b"});
  EXPECT_EQ(by_name[0].label, "a");
  EXPECT_EQ(by_name[1].label, "b");
  const auto by_path = read_histories({folder / "a", folder / "c/a"});
  EXPECT_NE(by_path[0].label, by_path[1].label);
}

TEST_F(Report, ValuesThatAreNotFiniteAreRefused) {
  for (const char *value : {"nan", "-nan", "inf", "1e999"}) {
    write(header + row_0 + "1,0.5," + value + ",2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
    const std::string text = complaint();
    EXPECT_TRUE(contains(text, "energy.csv:3: column kinetic")) << text;
    EXPECT_TRUE(contains(text, std::string("'") + value + "' is not a finite number")) << text;
  }
}

TEST_F(Report, RunsOfOneCaseAreLabelledByWhatDiffers) {
  const auto label_of = [&](const std::string &name, const std::string &scheme,
                            const std::string &end) {
    fs::create_directories(folder / name);
    std::ofstream(folder / name / "energy.csv")
        << "# case: a\n# units: kg, m, s\n# scheme: " << scheme << "\n"
        << header << row_0 << "1," << end << ",1,1,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n";
  };
  const auto labels = [&] {
    const auto runs = read_histories({folder / "x", folder / "y"});
    return runs[0].label + " | " + runs[1].label;
  };
  label_of("x", "one", "0.5");
  label_of("y", "two", "0.5");
  EXPECT_EQ(labels(), "one | two");
  label_of("y", "one", "0.001");
  EXPECT_EQ(labels(), "h = 0.5 s | h = 0.001 s");
  label_of("y", "one", "0.5");
  EXPECT_EQ(labels(), "x | y");
  EXPECT_EQ(read_histories({folder / "x"}).front().label, "x");
  EXPECT_EQ(read_histories({folder / "x", folder / "y"}, {"p", "q"})[1].label, "q");
  EXPECT_THROW(read_histories({folder / "x", folder / "y"}, {"p"}), InputError);
}

TEST_F(Report, NamesOfColumnsMayBeQuoted) {
  write("a,\"b, the \"\"first\"\".x\",\" c\"\n1,2,3\n");
  const Table table = read_table(folder / "energy.csv", {"a"});
  EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b, the \"first\".x", " c"}));
  EXPECT_EQ(table.columns.at(" c"), std::vector<double>{3});
}

TEST(ReportUnits, AreCombinedFromTheList) {
  const Units units = parse_units("N, mm, ms, g");
  EXPECT_EQ(units.energy, "N mm");
  EXPECT_EQ(units.time, "ms");
  EXPECT_EQ(units.velocity, "mm/ms");
  EXPECT_EQ(units.stress, "MPa");
  EXPECT_EQ(units.percussion, "N ms");
  EXPECT_EQ(parse_units("kg, m, s, J").energy, "J");
  EXPECT_EQ(parse_units("kg, m, s").energy, "J");
  EXPECT_EQ(parse_units("kg, m, s").force, "N");
  EXPECT_EQ(parse_units("kg, m, s").stress, "Pa");
  EXPECT_EQ(parse_units("kg, m, s").percussion, "N s");
  EXPECT_EQ(parse_units("kg, m").force, "");
  EXPECT_EQ(parse_units("").energy, "");
  EXPECT_EQ(with_unit("time", ""), "time");
  EXPECT_EQ(with_unit("time", "ms"), "time (ms)");
}
