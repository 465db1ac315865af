// The estimates of --validate; none of these tests depends on measured times.

#include <percussion/advice/estimate.h>
#include <percussion/advice/memory.h>

#include "cases/stepped.h"
#include "cases/support.h"

namespace {

using namespace percussion;

class EstimateOfARun : public cases::CaseFolder {
protected:
  Case<2> build(const std::vector<std::string> &assignments) const {
    auto file = ParameterFile::read((folder / "case.prm").string());
    for (const auto &assignment : assignments)
      file.override_with(assignment);
    file.override_with("Output/Directory=" + (folder / "output/case").string());
    return build_case<2>(Parameters(declare_case(&file), file), file);
  }
};

TEST_F(EstimateOfARun, TakesStepsAndWritesNothing) {
  const Estimate estimate = estimate_run(build({}));
  EXPECT_GE(estimate.n_steps, 1u);
  EXPECT_LE(estimate.n_steps, 20u);
  EXPECT_EQ(estimate.failure, "");
  EXPECT_GT(estimate.memory, 1000000u);
  EXPECT_FALSE(exists("output"));
}

TEST_F(EstimateOfARun, LooksAtLaterInstants) {
  const Estimate estimate = estimate_run(build({"Time/Step=1e-4"}));
  EXPECT_GE(estimate.n_instants, 1u);
  EXPECT_LE(estimate.n_instants, 8u);
  EXPECT_EQ(estimate_run(build({})).n_instants,
            0u); // all of the 20 steps are taken from the beginning
}

TEST_F(EstimateOfARun, TakesNoMoreStepsThanTheRun) {
  EXPECT_EQ(estimate_run(build({"Time/End=1e-3"})).n_steps, 1u);
}

TEST_F(EstimateOfARun, SaysWhichStepFails) {
  // The block falls first, so that some steps succeed; then the tolerance is below round-off.
  const Estimate estimate =
      estimate_run(build({"Solver/Method=nsgs", "Solver/Max iterations=1", "Solver/Tolerance=1e-30",
                          "Contact/ground/Point=0, -1e-5"}));
  EXPECT_GE(estimate.n_steps, 1u);
  EXPECT_TRUE(
      cases::has(estimate.failure, "step " + std::to_string(estimate.n_steps + 1) + " (t = "))
      << estimate.failure;
}

TEST_F(EstimateOfARun, EndsWhenTheTimeOfContactsIsOver) {
  const Estimate estimate = estimate_run(build({"Contact/ground/Friction coefficient=0.3"}), 0);
  EXPECT_EQ(estimate.failure, "its contacts take more than 0 s of processor time");
  EXPECT_EQ(estimate.n_steps, 0u);
}

TEST_F(EstimateOfARun, KnowsTheSizeOfTheResults) {
  for (const std::vector<std::string> &assignments :
       {std::vector<std::string>{"Output/Number of instants=20"},
        std::vector<std::string>{"Output/Number of instants=1", "Time/Step=1e-5"}}) {
    const double expected = expected_size(build(assignments));
    ASSERT_EQ(run_with(assignments).status, 0);
    double written = 0;
    for (const auto &file : std::filesystem::directory_iterator(folder / "output/case"))
      if (const auto kind = file.path().extension(); kind == ".vtu" || kind == ".csv")
        written += static_cast<double>(file.file_size());
    EXPECT_GT(expected, written / 2);
    EXPECT_LT(expected, written * 2);
    std::filesystem::remove_all(folder / "output");
  }
}

TEST_F(EstimateOfARun, RefusesMemoryThatIsNotThere) {
  const auto c = build({});
  const ExpectedMemory memory = expected_memory(c);
  EXPECT_GT(memory.present, 1e7);
  EXPECT_GT(memory.factor_entries, c.bodies->n_elastic_dofs());
  EXPECT_GT(available_memory(), memory.present);
  Log silent(true);
  EXPECT_NO_THROW(require_memory(c, memory.sum(), silent)); // an estimate is no measurement
  try {
    require_memory(c, 0.4 * memory.sum(), silent);
    FAIL();
  } catch (const InputError &error) {
    EXPECT_TRUE(cases::has(error.what(), "GB of memory (")) << error.what();
    EXPECT_TRUE(cases::has(error.what(), "GB are available")) << error.what();
  }
}

/// The dense operator of condensed contacts may be larger than the largest with conjugate
/// gradients; projected contacts have none of this size.
TEST(EstimateIn3D, CountsTheDenseOperatorOfCondensedContacts) {
  const auto memory_of_contacts = [](const std::string &elimination) {
    const auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/box_slide.prm");
    const auto c = cases_in_space::build<3>(
        file, {"Mesh/Parameters=size = 0.75", "Material/Law=neo-hooke",
               "Initial state/Static preload=false", "Initial state/Preload contact nodes=contact",
               "Solver/Contact elimination=" + elimination});
    EXPECT_EQ(c.boundary->trace.n_elastic(), 3465u);
    return expected_memory(c).contacts;
  };
  EXPECT_EQ(memory_of_contacts("condensed"), 24. * 3465 * 3465);
  EXPECT_LE(memory_of_contacts("projected"), 24. * 3000 * 3000);
}

} // namespace
