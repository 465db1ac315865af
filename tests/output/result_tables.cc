// The tables of results are documented, and columns stay where other programs read them.

#include <percussion/output/ledger_columns.h>
#include <percussion/output/point_fields.h>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

using namespace percussion;

std::string page(const std::string &name) {
  std::ifstream stream(std::string(PERCUSSION_SOURCE_DIR) + "/doc/" + name);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(LedgerColumns, KeepTheirPlaces) {
  const std::vector<std::string> published = {"step",
                                              "time",
                                              "kinetic",
                                              "strain",
                                              "total",
                                              "work_external",
                                              "work_viscous",
                                              "work_numerical",
                                              "work_contact_normal",
                                              "work_contact_tangential",
                                              "work_prescribed",
                                              "balance_residual",
                                              "tangential_work_max",
                                              "tangential_work_min",
                                              "contacts_active",
                                              "contacts_sliding",
                                              "penetration_max",
                                              "solver_iterations",
                                              "solver_residual",
                                              "percussion_normal",
                                              "contact_potential",
                                              "work_position_correction",
                                              "missed_depth",
                                              "relapse_depth",
                                              "drift",
                                              "pressing_gap",
                                              "cone_violation",
                                              "slip_direction_error",
                                              "resting_work",
                                              "work_plastic",
                                              "work_fracture"};
  ASSERT_GE(ledger_columns().size(), published.size());
  for (std::size_t i = 0; i < published.size(); ++i)
    EXPECT_EQ(ledger_columns()[i].name, published[i]);
}

TEST(LedgerColumns, AreDocumented) {
  const std::string text = page("results.md");
  std::string names;
  for (const LedgerColumn &column : ledger_columns()) {
    names += (names.empty() ? "" : ",") + column.name;
    const std::string row = "| `" + column.name + "` | " + column.description +
                            (column.unit.empty() ? "" : " [" + column.unit + "]") + " |";
    EXPECT_NE(text.find("\n" + row), text.npos) << row;
  }
  const std::size_t begin = text.find("    step,time,");
  ASSERT_NE(begin, text.npos);
  std::string header = text.substr(begin, text.find("\n\n", begin) - begin);
  for (const char blank : {' ', '\n'})
    header.erase(std::remove(header.begin(), header.end(), blank), header.end());
  EXPECT_EQ(header, names);
}

TEST(PointFields, AreDocumented) {
  const std::string text = page("paraview.md");
  for (const PointField<2> &field : point_fields<2>()) {
    const std::string row =
        "| `" + field.name + "` | " + field.unit + " | " + field.description + " |";
    EXPECT_NE(text.find("\n" + row), text.npos) << row;
  }
}

/// Steps with increasing, decreasing and alternating values.
TEST(RowExtremes, AreThoseOfAllSteps) {
  StepRecord<2> first, second;
  first.balance_residual = 1;
  second.balance_residual = -2;
  first.tangential_work_max = 3;
  second.tangential_work_min = -4;
  first.contacts.resize(5);
  second.n_sliding = 6;
  first.penetration_max = 7;
  second.solver_iterations = 8;
  first.solver_residual = 9;
  first.defects.add(DefectKind::drift, {10., 0., 0, 0});
  RowExtremes extremes;
  extremes.add(first);
  extremes.add(second);
  const std::map<std::string, double> expected = {
      {"balance_residual", -2}, {"tangential_work_max", 3}, {"tangential_work_min", -4},
      {"contacts_active", 5},   {"contacts_sliding", 6},    {"penetration_max", 7},
      {"solver_iterations", 8}, {"solver_residual", 9},     {"drift", 10}};
  LedgerRow row;
  row.extremes = extremes;
  for (const LedgerColumn &column : ledger_columns())
    if (const auto value = expected.find(column.name); value != expected.end()) {
      EXPECT_EQ(column.value(row), value->second) << column.name;
    }
}

} // namespace
