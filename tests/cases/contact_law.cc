// Defects of the contact law: shipped cases in 3D have none above their bounds, runs warn of
// significant defects; and works of single contacts sum up to the ledger, in files and probes.

#include "cases/contact_law.h"

#include <nlohmann/json.hpp>

#include "cases/read_vtu.h"
#include "cases/support.h"
#include "support/csv.h"

namespace {

namespace fs = std::filesystem;
using cases::has;
using Assignments = std::vector<std::string>;

class ContactLaw : public cases::CaseFolder {
protected:
  /// Runs a shipped case with assignments.
  cases::Outcome run_shipped(const std::string &name, const Assignments &assignments) const {
    Assignments arguments = {PERCUSSION_SOURCE_DIR "/params/" + name + ".prm", "--output",
                             "results"};
    for (const auto &assignment : assignments)
      arguments.insert(arguments.end(), {"--set", assignment});
    return start("percussion", arguments);
  }

  nlohmann::json summary(const std::string &results = "results") const {
    return nlohmann::json::parse(read(results + "/summary.json"));
  }

  /// Returns the sum of a field over the points of the last file of a series.
  double sum_of(const std::string &series, const char *field) const {
    std::string last;
    for (const auto &entry : fs::directory_iterator(folder / "results"))
      if (const std::string name = entry.path().filename().string();
          name.rfind(series + "-", 0) == 0 && name > last)
        last = name;
    const auto grid = cases::read_vtu((folder / "results" / last).string());
    auto *const values = grid->GetPointData()->GetArray(field);
    double sum = 0;
    for (vtkIdType i = 0; i < values->GetNumberOfTuples(); ++i)
      sum += values->GetComponent(i, 0);
    return sum;
  }

  /// Expects that the works of the contacts, in both series and in a probe, sum up to the works in
  /// energy.csv.
  void expect_sums(const std::string &contact) const {
    const auto ledger = test_csv("energy.csv"), probes = test_csv("probes.csv");
    const double normal = ledger.at("work_contact_normal").back(),
                 tangential = ledger.at("work_contact_tangential").back();
    const double tolerance = 1e-14 * (std::abs(normal) + std::abs(tangential));
    EXPECT_NE(tangential, 0);
    for (const char *series : {"contacts", "solution"}) {
      EXPECT_NEAR(sum_of(series, "normal_work"), normal, tolerance) << series;
      EXPECT_NEAR(sum_of(series, "tangential_work"), tangential, tolerance) << series;
    }
    EXPECT_NEAR(probes.at(contact + ".work_normal").back(), normal, tolerance);
    EXPECT_NEAR(probes.at(contact + ".work_tangential").back(), tangential, tolerance);
    EXPECT_GT(probes.at("slid.slip").back(), 0);
    for (const char *name : {"missed_depth", "drift"})
      EXPECT_GE(probes.at(std::string("wrong.") + name).back(), ledger.at(name).front());
  }

  std::map<std::string, std::vector<double>> test_csv(const std::string &name) const {
    return percussion::test::read_csv((folder / "results" / name).string());
  }

  static Assignments add_probes(Assignments list, const std::string &contact) {
    for (const std::string &probe : {contact + "/Kind=work", std::string("slid/Kind=slip"),
                                     std::string("wrong/Kind=defects")}) {
      list.push_back("Probes/" + probe);
      list.push_back("Probes/" + probe.substr(0, probe.find('/')) + "/Contact=" + contact);
    }
    return list;
  }
};

TEST_F(ContactLaw, HoldsInShippedCasesInSpace) {
  const std::vector<std::pair<std::string, Assignments>> short_cases = {
      {"bars_in_space", {"Time/End=5"}},
      {"box_slide", {"Time/End=0.05"}},
      {"sphere_impact", {"Time/End=0.01"}},
      {"tyre_drop", {"Time/End=0.015"}},
      {"spinning_top", {"Time/End=0.2"}},
      {"dominoes", {"Time/End=0.15"}},
      {"cart", {"Time/End=0.5"}}};
  for (const auto &[name, assignments] : short_cases) {
    SCOPED_TRACE(name);
    const auto outcome = run_shipped(name, assignments);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    cases::expect_contact_law(summary(), name);
  }
}

// ---- accounts of contacts ----

TEST_F(ContactLaw, WorksOfContactsSumUpToTheLedger) {
  const auto run = run_shipped(
      "sliding_block", add_probes({"Time/End=0.05", "Output/Number of instants=2"}, "ground"));
  ASSERT_EQ(run.status, 0) << run.error;
  expect_sums("ground");
}

TEST_F(ContactLaw, WorksOfContactsSumUpInSpace) {
  const auto run = run_shipped(
      "box_slide", add_probes({"Time/End=0.05", "Output/Number of instants=2"}, "ground"));
  ASSERT_EQ(run.status, 0) << run.error;
  expect_sums("ground");
}

/// With substeps, and with rigid bodies whose contacts open and close, open contacts keep their
/// accounts.
TEST_F(ContactLaw, WorksOfContactsSumUpOverSubsteps) {
  const auto run = run_shipped("impacting_stick_classical",
                               add_probes({"Time/Step=1e-3", "Time/Adaptive=true",
                                           "Time/Energy error=1e-6", "Output/Number of instants=3"},
                                          "ground"));
  ASSERT_EQ(run.status, 0) << run.error;
  EXPECT_GT(summary().at("counts").at("cuts"), 0);
  expect_sums("ground");
}

// ---- warnings ----

/// A point moves by more than an edge in a step.
TEST_F(ContactLaw, IsWarnedOfOnceForEachContact) {
  const auto run =
      run_with({"Contact/ground/Point=0, -0.01", "Initial state/Velocity y=-800*(1+x/10)"});
  ASSERT_EQ(run.status, 0) << run.error;
  const auto law = summary("output/case").at("contact_law").at("missed_depth");
  EXPECT_EQ(law.at("contact"), "ground");
  EXPECT_EQ(law.at("body"), "block");
  EXPECT_EQ(law.at("position"), nlohmann::json({1., 0.})); // the fastest point
  EXPECT_EQ(law.at("local_size"), 0.5);
  EXPECT_GT(law.at("value"), 0.5);
  unsigned int n_missed = 0;
  const auto warnings = summary("output/case").at("warnings");
  for (const std::string warning : warnings)
    n_missed += warning.rfind("missed depth: contact 'ground' at t = 0.001: the point at (1, 0) "
                              "of 'block' has 0.",
                              0) == 0;
  EXPECT_EQ(n_missed, 1u) << run.out;
  EXPECT_TRUE(has(run.out, "Warning: missed depth: contact 'ground'")) << run.out;
  EXPECT_TRUE(
      has(read("output/case/log.txt"), "Law       depth that an inactive point gained in a step"));
  const auto slow = run_with({"Contact/ground/Point=0, -0.01", "Initial state/Velocity y=-1"});
  EXPECT_FALSE(has(slow.out, "missed depth:")) << slow.out;
}

/// The leapfrog forecast presses a point that is half a step's motion away. In a long step this
/// force outlasts many waves.
TEST_F(ContactLaw, ForcesAtADistanceInLongStepsAreWarnedOf) {
  const auto out = [&](const std::string &step, const std::string &speed,
                       const std::string &scheme) {
    fs::remove_all(folder / "output");
    return run_with({"Contact/ground/Point=0, -0.08", "Boundary conditions/Gravity=0, 0",
                     "Time/Scheme=" + scheme, "Time/Step=" + step, "Time/End=" + step,
                     "Initial state/Velocity y=-" + speed})
        .out;
  };
  const std::string words = "Warning: pressing gap: contact 'ground'";
  EXPECT_TRUE(has(out("1", "0.18", "pdas-leapfrog"), words)); // some 20 transits
  EXPECT_TRUE(has(out("1", "0.18", "pdas-leapfrog"), "Contact/Forecast = position"));
  EXPECT_FALSE(has(out("0.1", "1.8", "pdas-leapfrog"), words)); // two transits
  EXPECT_FALSE(has(out("1", "0.18", "moreau-jean-fremond"), words));
}

/// A scheme with a law on gaps gains energy in the impact; a conserving scheme does not.
TEST_F(ContactLaw, EnergyOfContactsIsWarnedOf) {
  const Assignments impact = {"Contact/ground/Point=0, -0.001",
                              "Boundary conditions/Gravity=0, 0",
                              "Initial state/Velocity y=-0.1",
                              "Contact/ground/Friction coefficient=0",
                              "Time/End=0.5",
                              "Material/Poisson ratio=0"};
  const auto run = [&](const std::string &scheme) {
    Assignments assignments = impact;
    assignments.push_back("Time/Scheme=" + scheme);
    fs::remove_all(folder / "output");
    const auto outcome = run_with(assignments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return outcome.out;
  };
  EXPECT_TRUE(has(run("signorini-midpoint"), "Warning: contact energy: up to t = "));
  EXPECT_GT(summary("output/case").at("end_state").at("work_contact_normal"), 0);
  EXPECT_FALSE(has(run("moreau-jean-fremond"), "contact energy:"));
}

} // namespace
