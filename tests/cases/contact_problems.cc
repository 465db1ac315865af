// Contact problems written by a run.

#include <percussion/base/error.h>
#include <percussion/cone/method.h>
#include <percussion/cone/residual.h>
#include <percussion/fclib/fclib.h>
#include <percussion/output/problem_files.h>

#include <nlohmann/json.hpp>

#include "cases/checked_case.h"
#include "cases/reference_runs.h"
#include "support/csv.h"
#include <set>

namespace {

using namespace percussion;
using cases::has;
namespace fs = std::filesystem;

class ContactProblems : public cases::CheckedCase {
protected:
  using Columns = std::map<std::string, std::vector<double>>;

  Columns energy() const {
    return percussion::test::read_csv((folder / "output/case/energy.csv").string());
  }
  nlohmann::json summary() const { return nlohmann::json::parse(read("output/case/summary.json")); }
  /// Returns the names of all files in the folder of the problems.
  std::set<std::string> written() const {
    std::set<std::string> names;
    const fs::path problems = folder / "output/case/problems";
    if (fs::exists(problems))
      for (const auto &entry : fs::directory_iterator(problems))
        names.insert(entry.path().filename().string());
    return names;
  }
  FclibFile problem_file(const std::string &name) const {
    return read_fclib((folder / "output/case/problems" / name).string());
  }
  static std::string step_file(double step) {
    char name[32];
    std::snprintf(name, sizeof name, "step-%06u.hdf5", static_cast<unsigned int>(step));
    return name;
  }

  /// Expects one file for each step with contacts whose number is a multiple of `interval`, and no
  /// others, each with the solution of the step.
  void expect_problems(unsigned int interval) const {
    const Columns steps = energy();
    std::set<std::string> expected;
    for (std::size_t k = 1; k < steps.at("step").size(); ++k)
      if (k % interval == 0 && steps.at("contacts_active")[k] > 0) {
        expected.insert(step_file(steps.at("step")[k]));
        expect_solved(problem_file(step_file(steps.at("step")[k])), steps, k);
      }
    EXPECT_EQ(written(), expected);
    EXPECT_GE(expected.size(), 2u);
    EXPECT_EQ(summary()["counts"]["contact_problems"], expected.size());
    EXPECT_TRUE(
        has(read("output/case/log.txt"), "Problems  " + std::to_string(expected.size()) +
                                             " contact problems written to output/case/problems"));
  }

  static void expect_solved(const FclibFile &file, const Columns &steps, std::size_t k) {
    const auto &problem = std::get<FrictionContactProblem>(file.problem);
    EXPECT_EQ(problem.dimension, 2u);
    EXPECT_EQ(problem.n_contacts, steps.at("contacts_active")[k]);
    EXPECT_EQ(problem.mu, std::vector<double>(problem.n_contacts, 0.3));
    ASSERT_TRUE(file.solution);
    EXPECT_EQ(natural_map_residual(problem, file.solution->p), steps.at("solver_residual")[k]);
    ASSERT_EQ(file.guesses.size(), 1u);
    EXPECT_EQ(file.guesses[0].p.size(), problem.q.size());
    EXPECT_EQ(file.title, "case, step " + std::to_string(k));
    char time[64];
    std::snprintf(time, sizeof time, "to the time t = %.17g.", steps.at("time")[k]);
    EXPECT_TRUE(has(file.description, time)) << file.description;
  }
};

TEST_F(ContactProblems, NoneAreWrittenUnlessAskedFor) {
  ASSERT_EQ(run_with({}).status, 0);
  EXPECT_FALSE(exists("output/case/problems"));
  EXPECT_EQ(summary()["counts"]["contact_problems"], 0);
  EXPECT_FALSE(has(read("output/case/log.txt"), "Problems"));
}

/// The block falls first: steps without contact have no problem.
TEST_F(ContactProblems, ThoseOfEveryNthStepWithContact) {
  const auto outcome = run_with({"Output/Contact problems=every 3", "Time/End=0.06",
                                 "Contact/ground/Point=0, -2e-4", "Output/Units=kg, m, s"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  expect_problems(3);
  EXPECT_FALSE(exists("output/case/problems/step-000003.hdf5"));
  const FclibFile file = problem_file(*written().begin());
  for (const std::string words :
       {"Percussion", "Scheme moreau-jean-fremond, theta = 0.5", "in units of kg, m, s"})
    EXPECT_TRUE(has(file.description, words)) << file.description;
  EXPECT_TRUE(has(file.math_info, "u = W p + q")) << file.math_info;
}

/// With one update of the statuses in each iteration, and with the solver.
TEST_F(ContactProblems, TheLastIterationOfAHyperelasticStepCounts) {
  for (const std::string method : {"of the scheme", "auto"}) {
    const auto outcome = run_with({"Material/Law=neo-hooke", "Time/Scheme=pdas-leapfrog",
                                   "Solver/Method=" + method, "Output/Contact problems=every 5"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    expect_problems(5);
    EXPECT_EQ(summary()["counts"]["cuts"], 0);
  }
}

TEST_F(ContactProblems, WhatIsWrittenIsWhatTheSolverGot) {
  cases::SteppedCase run("sliding_block", {});
  ProblemFiles files(folder.string(), {"block", "moreau-jean-fremond", "N, mm, ms, g", 0.5});
  for (unsigned int k = 1; k <= 3; ++k) {
    const auto before = run.state.history; // percussions of the last step
    run.advance();
    ASSERT_NE(run.step.posed_problem(), nullptr);
    const PosedProblem &posed_problem = *run.step.posed_problem();
    files.write(k, posed_problem);
    EXPECT_EQ(files.n_written(), k);
    const FclibFile file = read_fclib((folder / "problems" / step_file(k)).string());
    const auto &problem = std::get<FrictionContactProblem>(file.problem);
    ASSERT_GT(problem.n_contacts, 2u);
    EXPECT_EQ(problem.W, posed_problem.problem.W);
    EXPECT_EQ(problem.q, posed_problem.problem.q);
    EXPECT_EQ(problem.mu, posed_problem.problem.mu);
    EXPECT_EQ(file.solution->p, posed_problem.solution.p);
    EXPECT_EQ(file.solution->u, posed_problem.solution.u);
    EXPECT_EQ(posed_problem.interval.t1, run.state.time);
    ASSERT_EQ(problem.n_contacts, run.record->contacts.size());
    for (std::size_t a = 0; a < problem.n_contacts; ++a) {
      const auto &contact = run.record->contacts[a];
      const auto *const memory = before.find(contact.key);
      const auto guess = memory == nullptr ? std::array<double, 2>{} : memory->percussion;
      for (unsigned int r = 0; r < 2; ++r) {
        EXPECT_EQ(file.guesses[0].p[2 * a + r], guess[r] / posed_problem.percussion_unit);
        EXPECT_EQ(file.percussion_unit, posed_problem.percussion_unit);
        EXPECT_EQ(file.velocity_unit, posed_problem.velocity_unit);
        EXPECT_EQ(file.solution->p[2 * a + r] * posed_problem.percussion_unit,
                  contact.percussion[r]);
        // θ û = u_θ: Frémond's law at θ = ½ with e = 0 has no tangential offset.
        if (r == 1) {
          EXPECT_NEAR(file.solution->u[2 * a + r] * posed_problem.velocity_unit,
                      contact.velocity[r], 1e-12 * posed_problem.velocity_unit);
        }
      }
    }
  }
}

TEST_F(ContactProblems, AStepThatFailsLeavesItsProblem) {
  // The block falls first, so that some steps succeed; then the tolerance is below round-off.
  const auto outcome =
      run_with({"Solver/Method=nsgs", "Solver/Max iterations=1", "Solver/Tolerance=1e-30",
                "Contact/ground/Point=0, -1e-4", "Output/Contact problems=every 1, on failure"});
  EXPECT_EQ(outcome.status, 1);
  ASSERT_EQ(written().size(), 1u);
  const std::string name = *written().begin();
  const std::string step = std::to_string(summary()["time"]["steps"].get<unsigned int>() + 1);
  EXPECT_EQ(name, "failed-" + std::string(6 - step.size(), '0') + step + ".hdf5");
  const std::string told = "Its contact problem is in output/case/problems/" + name;
  EXPECT_TRUE(has(outcome.error, told)) << outcome.error;
  EXPECT_TRUE(has(summary()["message"], told));
  EXPECT_EQ(summary()["counts"]["contact_problems"], 1);
  EXPECT_TRUE(has(read("output/case/log.txt"), "Problems  1 contact problem written"));

  const FclibFile file = problem_file(name);
  const auto &problem = std::get<FrictionContactProblem>(file.problem);
  EXPECT_GT(problem.n_contacts, 0u);
  EXPECT_EQ(file.title, "case, step " + step + ", which failed");
  EXPECT_FALSE(file.solution);
  ASSERT_EQ(file.guesses.size(), 1u);
  EXPECT_EQ(file.guesses[0].u.size(), problem.q.size());
}

TEST_F(ContactProblems, OnFailureWritesNothingWhereNothingFails) {
  ASSERT_EQ(run_with({"Output/Contact problems=on failure"}).status, 0);
  EXPECT_FALSE(exists("output/case/problems"));
  EXPECT_TRUE(has(read("output/case/log.txt"), "Problems  0 contact problems written"));
}

TEST_F(ContactProblems, AFailureWithoutContactHasNoProblem) {
  const auto outcome =
      run_with({"Material/Law=neo-hooke", "Solver/Max Newton iterations=1", "Time/Max cuts=0",
                "Boundary conditions/top/Traction x=20", "Time/Step=0.1", "Time/End=1",
                "Contact/ground/Point=0, -10", "Output/Contact problems=on failure"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.error, "the momentum is not balanced")) << outcome.error;
  EXPECT_FALSE(has(outcome.error, "contact problem")) << outcome.error;
  EXPECT_FALSE(exists("output/case/problems"));
}

TEST_F(ContactProblems, AFileThatCannotBeWrittenIsNamed) {
  cases::SteppedCase run("sliding_block", {});
  run.advance();
  write("run/problems", "no folder");
  ProblemFiles files((folder / "run").string(), {"block", "", "", 0.5});
  try {
    files.write(1, *run.step.posed_problem());
    FAIL();
  } catch (const RunError &error) {
    EXPECT_TRUE(has(error.what(), (folder / "run/problems/step-000001.hdf5").string()))
        << error.what();
  }
  EXPECT_EQ(files.n_written(), 0u);
  EXPECT_EQ(read("run/problems"), "no folder");
}

TEST_F(ContactProblems, BadChoicesAreRefused) {
  const std::string allowed = "allowed is 'none', 'every N' with an integer N > 0, 'on failure', "
                              "or 'every N, on failure'";
  for (const std::string choice :
       {"all", "every", "every 0", "every -2", "every 2.5", "every 2 steps", "none, on failure",
        "every 2, every 3", "on failure, on failure", "every 2,", ", on failure", "10", ""})
    expect_refusal(check_with({"Output/Contact problems=" + choice}),
                   {"--set: 'Output/Contact problems' is '" + choice + "': " + allowed});
  write("case.prm", "subsection Output\n  set Contact problems = every third\nend\n" +
                        read("case.prm") + "subsection Solver\n  set Method = newtn\nend\n");
  expect_refusal(check_with({}),
                 {"2 problems in the input",
                  "case.prm:2: 'Output/Contact problems' is 'every third': " + allowed,
                  "'Solver/Method' is 'newtn': allowed is one of 'of the scheme' | auto",
                  "'newton'"});
}

TEST_F(ContactProblems, EveryMethodCanBeChosen) {
  const auto printed = start("percussion", {"--print-parameters"});
  for (const std::string words : {"set Contact problems", "'every N' with", "failed-000123.hdf5"})
    EXPECT_TRUE(has(printed.out, words)) << words;
  for (const ConeMethodEntry &row : cone_methods()) {
    const auto outcome = check_with({"Solver/Method=" + std::string(row.name)});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_TRUE(has(printed.out, std::string(row.name)));
  }
}

} // namespace
