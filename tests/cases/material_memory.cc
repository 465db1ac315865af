// Runs of materials with memory: tables, fields, and runs that begin where another has ended.

#include "cases/read_vtu.h"
#include "cases/support.h"
#include "support/csv.h"
#include <algorithm>
#include <cmath>

namespace {

class MaterialMemory : public cases::CaseFolder {
protected:
  MaterialMemory() {
    entries = {"Material/Law=elastoplastic",
               "Material/Yield stress=0.5",
               "Material/Hardening modulus=5",
               "Material/Element=mean dilatation",
               "Initial state/Velocity y=-0.5",
               "Contact/ground/Point=0, -0.001",
               "Time/End=0.04"};
  }
  /// Runs the case with more entries, or with other values of them.
  cases::Outcome run(const std::vector<std::string> &more) const {
    auto all = more;
    for (const auto &entry : entries) {
      const std::string name = entry.substr(0, entry.find('=') + 1);
      if (std::none_of(more.begin(), more.end(),
                       [&](const auto &other) { return other.rfind(name, 0) == 0; }))
        all.push_back(entry);
    }
    return run_with(all);
  }

  std::vector<std::string> entries;
};

TEST_F(MaterialMemory, RunBalancesPlasticWorkAndWritesPlasticStrain) {
  ASSERT_EQ(run({"Output/Directory=results"}).status, 0);
  const auto table = percussion::test::read_csv((folder / "results/energy.csv").string());
  double last = 0, largest = 0;
  for (std::size_t i = 0; i < table.at("step").size(); ++i) {
    const double plastic = table.at("work_plastic")[i];
    EXPECT_LE(plastic, last);
    last = plastic;
    largest = std::max(largest, table.at("total")[i]);
    EXPECT_LT(std::abs(table.at("balance_residual")[i]), 1e-13 * largest) << i;
  }
  EXPECT_LT(last, -0.02 * largest);
  EXPECT_TRUE(cases::has(read("results/solution-000004.vtu"), "equivalent_plastic_strain"));
}

/// The heat in the bodies is what plastic flow has taken.
TEST_F(MaterialMemory, RunHeatsByThePlasticWork) {
  ASSERT_EQ(
      run({"Output/Directory=results", "Material/Heat capacity=20", "Material/Hardening modulus=0",
           "Material/Hardening strains=0.01, 0.1", "Material/Hardening stresses=0.6, 0.8"})
          .status,
      0);
  const auto table = percussion::test::read_csv((folder / "results/energy.csv").string());
  for (std::size_t k = 1; k <= 4; ++k) {
    const auto grid =
        cases::read_vtu((folder / "results/solution-00000").string() + std::to_string(k) + ".vtu");
    const double time = grid->GetFieldData()->GetArray("TimeValue")->GetComponent(0, 0);
    const auto &times = table.at("time");
    const auto row = std::find(times.begin(), times.end(), time) - times.begin();
    auto *const rise = grid->GetCellData()->GetArray("temperature_rise");
    ASSERT_NE(rise, nullptr);
    double heat = 0;
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
      heat += 20. * 0.25 * rise->GetComponent(c, 0); // capacity times area
    EXPECT_NEAR(heat, -table.at("work_plastic")[row], 1e-13 * table.at("total")[0]) << time;
  }
  EXPECT_LT(table.at("work_plastic").back(), -0.02 * table.at("total")[0]);
}

/// Two runs in sequence are one run.
TEST_F(MaterialMemory, RunBeginsWithTheHistoryOfAnother) {
  ASSERT_EQ(run({"Output/Directory=whole"}).status, 0);
  ASSERT_EQ(run({"Output/Directory=first", "Time/End=0.02"}).status, 0);
  entries.erase(entries.begin() + 4);
  ASSERT_EQ(run({"Output/Directory=second", "Time/Start=0.02", "Initial state/From=first"}).status,
            0);
  // Another scheme restarts from displacements, velocities and histories.
  ASSERT_EQ(run({"Output/Directory=restarted", "Time/Start=0.02", "Initial state/From=first",
                 "Solver/Newton tolerance=1e-11"})
                .status,
            0);
  const auto whole = percussion::test::read_csv((folder / "whole/energy.csv").string());
  for (const std::string name : {"second", "restarted"}) {
    const auto part = percussion::test::read_csv((folder / name / "energy.csv").string());
    EXPECT_NEAR(part.at("strain")[0], whole.at("strain")[20], 1e-12 * whole.at("total")[0]);
    EXPECT_NEAR(part.at("total").back(), whole.at("total").back(), 1e-9 * whole.at("total")[0]);
  }
}

TEST_F(MaterialMemory, RunRefusesTheHistoryOfAnotherLaw) {
  ASSERT_EQ(run({"Output/Directory=first", "Time/End=0.02"}).status, 0);
  entries.erase(entries.begin() + 4);
  for (const std::string entry :
       {"Material/Kinematic modulus=1", "Material/Element=standard", "Material/Law=neo-hooke"}) {
    const auto kept = entries;
    if (entry == "Material/Law=neo-hooke")
      entries.erase(entries.begin() + 1, entries.begin() + 3);
    const auto refused =
        run({entry, "Time/Start=0.02", "Initial state/From=first", "Output/Directory=second"});
    entries = kept;
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(cases::has(refused.error, "its materials have a memory")) << refused.error;
  }
}

} // namespace
