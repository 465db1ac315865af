#include <percussion/base/error.h>
#include <percussion/report/charts.h>
#include <percussion/report/display.h>
#include <percussion/report/image.h>
#include <percussion/report/pictures.h>

#include <gtest/gtest.h>

#include "contact_files.h"
#include "picture.h"
#include "square.h"
#include <cmath>
#include <fstream>
#include <iterator>

using namespace percussion;
using namespace percussion::report;

namespace {
/// Tests that draw; they need an X display.
class ReportRendering : public ::testing::Test {
protected:
  void SetUp() override {
    if (!display_answers())
      GTEST_SKIP() << "no X display (run under xvfb-run -a)";
    const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::path(::testing::TempDir()) / (std::string("percussion-report-") + test->name());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  fs::path folder;
};
} // namespace

TEST_F(ReportRendering, ChartIsNotUniform) {
  Panel panel;
  panel.title = "title";
  panel.curves.push_back({"curve", {0, 1, 2}, {0, 1, 0}, {}});
  draw_panels({panel, panel}, folder / "chart.png");
  const Content content = content_of(folder / "chart.png");
  EXPECT_EQ(content.width, picture_width);
  EXPECT_GT(content.n_colours(), 10u);
}

TEST_F(ReportRendering, ChartWithoutValuesSaysSo) {
  Panel panel;
  panel.logarithmic = true;
  panel.if_empty = "nothing but zeros";
  panel.curves.push_back({"", {0, 1}, {0, 0}, {}});
  draw_panels({panel}, folder / "empty.png");
  EXPECT_GT(content_of(folder / "empty.png").n_colours(), 3u);
}

TEST_F(ReportRendering, SnapshotIsNotUniform) {
  write_square(folder, {0.5});
  History run;
  run.folder = folder;
  run.label = "square";
  SceneOptions options;
  options.times = {0, 1};
  const auto pictures = draw_snapshots(run, options, folder, "snapshot-");
  ASSERT_EQ(pictures.size(), 1u); // both times have the same nearest instant
  EXPECT_NE(pictures[0].caption.find("displacement × 100"), std::string::npos)
      << pictures[0].caption;
  EXPECT_GT(content_of(pictures[0].file).n_colours(), 100u);
}

TEST_F(ReportRendering, SnapshotShowsStraightGroundOnly) {
  write_square(folder, {0.5});
  History run;
  run.folder = folder;
  SceneOptions options;
  options.times = {0.5};
  options.warp = 1;
  const auto ground_is_shown = [&] {
    const auto pictures = draw_snapshots(run, options, folder, "snapshot-");
    return content_of(pictures.front().file).count(colour_of_ground) > 3000;
  };
  EXPECT_FALSE(ground_is_shown());
  const ContactPoint left{{0, 0}, {0, 0}, {0, 1}, 0, 0.1}, right{{1, 0}, {0, 0}, {0, 1}, 0, 0.1};
  const ContactPoint top{{0, 1}, {0, 0}, {0, 1}, 0, 1.1}, other{{0, 1}, {0, 0}, {0, 1}, 0, 0.2};
  write_contacts(folder, {{0.5, {left, right, top}}});
  EXPECT_TRUE(ground_is_shown());
  write_contacts(folder, {{0.5, {left, right, other}}});
  EXPECT_FALSE(ground_is_shown());
  // Exaggerated, a body that starts off the ground and has corners at different heights goes
  // through a line.
  options.warp = 10;
  write_contacts(folder, {{0.5, {left, right}}});
  EXPECT_TRUE(ground_is_shown());
  write_contacts(folder, {{0.5, {left, right, top}}});
  EXPECT_FALSE(ground_is_shown());
}

namespace {
std::string bytes_of(const fs::path &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A run whose energy.csv would tell of these instants.
History run_of(const fs::path &folder, const std::vector<double> &times) {
  History run;
  run.folder = folder;
  run.label = "square";
  run.columns["time"] = times;
  for (const char *column : {"strain", "contacts_active"})
    run.columns[column].assign(times.size(), 0.);
  return run;
}
} // namespace

TEST_F(ReportRendering, AnimationHasFramesAndEqualBytesFromEqualInput) {
  const std::vector<double> times = {0, 1, 2, 3, 4};
  write_square(folder, times);
  const History run = run_of(folder, times);
  SceneOptions options;
  options.frames = 3;
  fs::create_directories(folder / "frames");
  std::ofstream(folder / "frames" / "frame-077.png") << "of an earlier report";
  std::ofstream(folder / "frames" / "notes.txt") << "of the user";
  const auto pictures = draw_animation({run}, options, folder);
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_EQ(pictures.front().file, folder / "animation.gif");
  EXPECT_TRUE(fs::exists(folder / "frames" / "frame-002.png"));
  EXPECT_FALSE(fs::exists(folder / "frames" / "frame-003.png"));
  EXPECT_FALSE(fs::exists(folder / "frames" / "frame-077.png"));
  EXPECT_TRUE(fs::exists(folder / "frames" / "notes.txt"));
  EXPECT_GT(content_of(folder / "frames" / "frame-001.png").n_colours(), 100u);
  const std::string gif = bytes_of(folder / "animation.gif");
  const std::string frame = bytes_of(folder / "frames" / "frame-001.png");
  EXPECT_EQ(gif.substr(0, 6), "GIF89a");
  draw_animation({run}, options, folder);
  EXPECT_EQ(bytes_of(folder / "animation.gif"), gif);
  EXPECT_EQ(bytes_of(folder / "frames" / "frame-001.png"), frame);
}

TEST_F(ReportRendering, AnimationOfSeveralRunsShowsThemSideBySide) {
  write_square(folder / "a", {0, 1});
  write_square(folder / "b", {0, 0.5, 1});
  const auto pictures =
      draw_animation({run_of(folder / "a", {0, 1}), run_of(folder / "b", {0, 0.5, 1})}, {}, folder);
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_TRUE(fs::exists(folder / "frames" / "frame-002.png"));
  EXPECT_TRUE(draw_animation({run_of(folder / "absent", {0, 1})}, {}, folder).empty());
}

TEST_F(ReportRendering, ValuesThatAreNotFiniteAreRefused) {
  write_square(folder, {0, 1}, std::nan(""));
  EXPECT_THROW(draw_snapshots(run_of(folder, {0, 1}), {}, folder, "snapshot-"), InputError);
  EXPECT_THROW(draw_animation({run_of(folder, {0, 1})}, {}, folder), InputError);
}

TEST_F(ReportRendering, TruncatedFilesAreRefused) {
  write_square(folder, {0, 1});
  const std::string whole = bytes_of(folder / "solution-000001.vtu");
  for (const double share : {0., 0.3, 0.6, 0.95}) {
    std::ofstream(folder / "solution-000001.vtu", std::ios::binary)
        << whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
    EXPECT_THROW(draw_snapshots(run_of(folder, {0, 1}), {}, folder, "snapshot-"), InputError)
        << share;
  }
}
