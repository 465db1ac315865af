#include <percussion/base/error.h>
#include <percussion/report/contact_history.h>

#include <gtest/gtest.h>

#include "contact_files.h"
#include "square.h"

using namespace percussion;
using namespace percussion::report;

namespace {
class ReportContacts : public ::testing::Test {
protected:
  void SetUp() override {
    const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
    run.folder =
        fs::path(::testing::TempDir()) / (std::string("percussion-report-") + test->name());
    fs::create_directories(run.folder);
  }
  void TearDown() override { fs::remove_all(run.folder); }

  History run;
};

ContactPoint point(const double x, const double y, const int status, const int pair = 0,
                   const int body = 0, const int obstacle = 0) {
  return {{x, y}, {0, 0}, {0, 1}, 0, 0, status, pair, body, obstacle};
}
} // namespace

TEST_F(ReportContacts, PointsOfAnElasticBodyStandAlongItsEdge) {
  write_square(run.folder, {0, 1});
  // Right side and bottom of the unit square, written in another order.
  write_contacts(run.folder, {{0, {point(1, 1, 0), point(0, 0, 1), point(1, 0, 0)}},
                              {1, {point(1, 1, 2), point(0, 0, 0), point(1, 0, 1)}}});
  const ContactHistory history = read_contact_history(run);
  EXPECT_EQ(history.time, (std::vector<double>{0, 1}));
  ASSERT_EQ(history.groups.size(), 1u);
  const StatusGroup &group = history.groups.front();
  EXPECT_TRUE(group.is_along_surface);
  ASSERT_EQ(group.rows.size(), 3u);
  // With the body on the left: from (0, 0) over (1, 0) to (1, 1).
  const std::vector<std::vector<int>> expected = {{1, 0}, {0, 1}, {0, 2}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(group.rows[i].place, i, 1e-12);
    EXPECT_EQ(group.rows[i].statuses, expected[i]);
  }
}

TEST_F(ReportContacts, PointsWithoutAPlaceAreNumbered) {
  write_contacts(run.folder, {{0, {point(7, 7, 0), point(8, 7, 1)}}});
  const ContactHistory history = read_contact_history(run);
  ASSERT_EQ(history.groups.size(), 1u);
  EXPECT_FALSE(history.groups.front().is_along_surface);
  EXPECT_EQ(history.groups.front().rows[1].place, 2);
}

TEST_F(ReportContacts, PointsOfRigidBodiesComeAndGo) {
  std::ofstream(run.folder / "rigid_bodies.csv")
      << "step,time,upper.x,upper.y,lower.x,lower.y\n0,0,0,0,0,0\n";
  write_contacts(run.folder,
                 {{0, {point(0, 0, 2, 0, 2), point(1, 0, 0, 0, 2)}},
                  {1, {point(0, 0, 1, 0, 2), point(1, 0, 0, 0, 2), point(0, 1, 2, 1, 1, 2)}}});
  const ContactHistory history = read_contact_history(run);
  ASSERT_EQ(history.groups.size(), 1u);
  const auto &rows = history.groups.front().rows;
  ASSERT_EQ(rows.size(), 2u); // (1, 0) never touches
  EXPECT_EQ(rows[0].name, "lower – surface (0, 0)");
  EXPECT_EQ(rows[0].statuses, (std::vector<int>{status_slip, status_stick}));
  EXPECT_EQ(rows[1].name, "upper – lower (0, 1)");
  EXPECT_EQ(rows[1].statuses, (std::vector<int>{status_absent, status_slip}));
}

TEST_F(ReportContacts, ManyPointsOfRigidBodiesShareARow) {
  std::vector<ContactPoint> points;
  for (int i = 0; i < 30; ++i)
    points.push_back(point(i, 0, i == 7 ? 2 : 1, 0, 1 + i % 3));
  write_contacts(run.folder, {{0, points}});
  const auto rows = read_contact_history(run).groups.front().rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "body 1 – surface");
  EXPECT_EQ(rows[0].statuses, std::vector<int>{status_stick});
  EXPECT_EQ(rows[1].statuses, std::vector<int>{status_slip}); // one of its points does
}

TEST_F(ReportContacts, PressureIsTheLargestOfAnInstant) {
  const auto pressed = [](const double x, const double pressure) {
    return ContactPoint{{x, 0}, {0, 1}, {0, 1}, pressure, 0};
  };
  write_contacts(run.folder, {{2, {}}, {2.5, {pressed(0, 50), pressed(1, 300)}}});
  const ContactHistory history = read_contact_history(run);
  EXPECT_EQ(history.time, (std::vector<double>{2, 2.5}));
  EXPECT_EQ(history.pressure, (std::vector<double>{0, 300}));
}

TEST_F(ReportContacts, MissingFilesAreNamed) {
  write_contacts(run.folder, {{3, {point(0, 0, 0)}}});
  fs::remove(run.folder / "contacts-0.vtu");
  try {
    read_contact_history(run);
    FAIL();
  } catch (const InputError &error) {
    EXPECT_NE(std::string(error.what()).find("contacts-0.vtu"), std::string::npos) << error.what();
  }
}

TEST_F(ReportContacts, RunsWithoutContactsHaveNone) {
  const ContactHistory history = read_contact_history(run);
  EXPECT_TRUE(history.groups.empty());
  EXPECT_TRUE(history.time.empty());
}
