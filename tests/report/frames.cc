#include <percussion/report/frames.h>

#include <gtest/gtest.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>

using namespace percussion::report;

TEST(ReportWarp, MakesTheDeformationATwentiethOfTheBody) {
  const Warp warp = automatic_warp(0.015, {{0.01, 0}}, 40);
  EXPECT_DOUBLE_EQ(warp.factor, 100); // 0.05 · 40 / 0.015 = 133
  EXPECT_FALSE(warp.about_mean[0]);
}

TEST(ReportWarp, NeverShrinksLargeDisplacements) {
  EXPECT_DOUBLE_EQ(automatic_warp(20, {{3, 0}}, 40).factor, 1);
  EXPECT_FALSE(automatic_warp(20, {{300, 0}}, 40).about_mean[0]);
}

TEST(ReportWarp, LeavesRigidMotionAlone) {
  EXPECT_DOUBLE_EQ(automatic_warp(0, {{0, 0}}, 40).factor, 1);
  EXPECT_DOUBLE_EQ(automatic_warp(1e-14, {{1, 0}}, 40).factor, 1);
}

TEST(ReportWarp, KeepsALongWayTravelledAsItIs) {
  const Warp warp = automatic_warp(0.015, {{0.6, 0.001}}, 40);
  EXPECT_TRUE(warp.about_mean[0]);
  EXPECT_FALSE(warp.about_mean[1]);
  Motion motion;
  motion.mean = {{0.6, 0.001}};
  const auto u = warped(warp, motion, {{0.61, 0.002}});
  EXPECT_NEAR(u[0], 0.6 + 100 * 0.01, 1e-12);
  EXPECT_NEAR(u[1], 100 * 0.002, 1e-12);
}

TEST(ReportWarp, MotionIsMeanAndLargestDeviation) {
  vtkNew<vtkDoubleArray> displacement;
  displacement->SetNumberOfComponents(3);
  displacement->InsertNextTuple3(1, 0, 0);
  displacement->InsertNextTuple3(1, 2, 0);
  const Motion motion = motion_of(*displacement);
  EXPECT_DOUBLE_EQ(motion.mean[0], 1);
  EXPECT_DOUBLE_EQ(motion.mean[1], 1);
  EXPECT_DOUBLE_EQ(motion.deviation, 1);
}

TEST(ReportFrames, NearestInstantIsTaken) {
  const std::vector<Frame> series = {{0, {}}, {0.1, {}}, {0.5, {}}};
  EXPECT_EQ(nearest_frame(series, -3), 0u);
  EXPECT_EQ(nearest_frame(series, 0.12), 1u);
  EXPECT_EQ(nearest_frame(series, 9), 2u);
}

TEST(ReportFrames, NotableTimesHoldTheFirstContact) {
  History run;
  for (int i = 0; i <= 100; ++i) {
    run.columns["time"].push_back(i);
    run.columns["contacts_active"].push_back(i >= 40 && i < 60 ? 1 : 0);
    run.columns["strain"].push_back(i == 47 ? 5 : i == 80 ? 9 : 1);
  }
  EXPECT_EQ(notable_times(run), (std::vector<double>{0, 47, 60, 100}));
  run.columns["contacts_active"].assign(101, 0.);
  EXPECT_EQ(notable_times(run).size(), 4u);
}

TEST(ReportFrames, OneInstantIsOnePicture) {
  History run;
  for (const char *name : {"time", "contacts_active", "strain"})
    run.columns[name] = {0};
  EXPECT_EQ(notable_times(run).size(), 1u);
}
