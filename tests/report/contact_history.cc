#include <percussion/base/error.h>
#include <percussion/report/contact_history.h>

#include <gtest/gtest.h>

#include "contact_files.h"

using namespace percussion;
using namespace percussion::report;

namespace {
/// A run of ten steps of 0.1 that wrote its contacts at its start, its middle and its end.
class ReportContacts : public ::testing::Test {
protected:
  void SetUp() override {
    const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
    run.folder =
        fs::path(::testing::TempDir()) / (std::string("percussion-report-") + test->name());
    fs::create_directories(run.folder);
    run.columns["step"] = {0, 5, 10};
    run.columns["time"] = {2, 2.5, 3};
  }
  void TearDown() override { fs::remove_all(run.folder); }

  History run;
};
} // namespace

TEST_F(ReportContacts, ForceIsThePercussionOfAStepOverItsLength) {
  const ContactPoint idle{{0, 0}, {0, 0}, {0, 1}, 0, 0};
  const ContactPoint right{{0, 0}, {5, 3}, {0, 1}, 300, 0}, left{{1, 0}, {0, 1}, {0, 1}, 50, 0};
  write_contacts(run.folder, {{2, {idle, idle}}, {2.5, {right, left}}, {3, {idle, left}}});
  const ContactHistory history = read_contact_history(run);
  EXPECT_EQ(history.time, (std::vector<double>{2.5, 3}));
  ASSERT_EQ(history.normal_force.size(), 2u);
  EXPECT_NEAR(history.normal_force[0], 40, 1e-12);
  EXPECT_NEAR(history.normal_force[1], 10, 1e-12);
  EXPECT_EQ(history.pressure, (std::vector<double>{300, 50}));
}

TEST_F(ReportContacts, RunsWithoutContactsOrStepsHaveNone) {
  EXPECT_TRUE(read_contact_history(run).time.empty());
  write_contacts(run.folder, {{2, {{{0, 0}, {0, 0}, {0, 1}, 0, 0}}}});
  EXPECT_TRUE(read_contact_history(run).time.empty());
  run.columns["step"] = {0};
  run.columns["time"] = {2};
  EXPECT_TRUE(read_contact_history(run).time.empty());
}

TEST_F(ReportContacts, MissingFilesAreNamed) {
  write_contacts(run.folder, {{3, {{{0, 0}, {0, 1}, {0, 1}, 0, 0}}}});
  fs::remove(run.folder / "contacts-0.vtu");
  EXPECT_THROW(read_contact_history(run), InputError);
}
