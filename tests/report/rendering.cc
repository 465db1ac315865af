#include <percussion/report/charts.h>
#include <percussion/report/display.h>
#include <percussion/report/png.h>
#include <percussion/report/snapshots.h>

#include <gtest/gtest.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include "contact_files.h"
#include "picture.h"

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

/// Two triangles, stretched to the right and pressed from below, as one written instant.
void write_square(const fs::path &folder) {
  vtkNew<vtkPoints> points;
  for (const auto &[x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
    points->InsertNextPoint(x, y, 0);
  vtkNew<vtkUnstructuredGrid> mesh;
  mesh->SetPoints(points);
  const vtkIdType first[3] = {0, 1, 2}, second[3] = {0, 2, 3};
  mesh->InsertNextCell(VTK_TRIANGLE, 3, first);
  mesh->InsertNextCell(VTK_TRIANGLE, 3, second);
  vtkNew<vtkDoubleArray> displacement, percussion;
  displacement->SetName("displacement");
  percussion->SetName("percussion");
  for (auto *array : {displacement.Get(), percussion.Get()})
    array->SetNumberOfComponents(3);
  for (int i = 0; i < 4; ++i) {
    displacement->InsertNextTuple3(points->GetPoint(i)[0] * 1e-3, 0, 0);
    percussion->InsertNextTuple3(0, i < 2 ? 1 + i : 0, 0);
  }
  mesh->GetPointData()->AddArray(displacement);
  mesh->GetPointData()->AddArray(percussion);
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetFileName((folder / "solution-000000.vtu").c_str());
  writer->SetInputData(mesh);
  writer->Write();
  std::ofstream(folder / "solution.pvd")
      << "<VTKFile type=\"Collection\"><Collection>"
         "<DataSet timestep=\"0.5\" part=\"0\" file=\"solution-000000.vtu\"/>"
         "</Collection></VTKFile>\n";
}
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
  write_square(folder);
  History run;
  run.folder = folder;
  run.label = "square";
  SnapshotOptions options;
  options.times = {0, 1};
  const auto pictures = draw_snapshots(run, options, folder, "snapshot-");
  ASSERT_EQ(pictures.size(), 1u); // both times have the same nearest instant
  EXPECT_NE(pictures[0].caption.find("displacement × 100"), std::string::npos)
      << pictures[0].caption;
  EXPECT_GT(content_of(pictures[0].file).n_colours(), 100u);
}

TEST_F(ReportRendering, SnapshotShowsStraightGroundOnly) {
  write_square(folder);
  History run;
  run.folder = folder;
  SnapshotOptions options;
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
