// The ground in pictures: every shape of surface by its gap function, and the file of continued
// runs.

#include "../src/output/ground.h"

#include <percussion/output/vtu_output.h>

#include <gtest/gtest.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "support/rigid.h"
#include "support/scratch_folder.h"
#include <cmath>

namespace {

using namespace percussion;

template <int dim>
Box<dim> cube(double half_width) {
  Box<dim> box;
  for (const double x : {-half_width, half_width}) {
    dealii::Point<dim> corner;
    for (unsigned int d = 0; d < dim; ++d)
      corner[d] = x;
    box.include(corner);
  }
  return box;
}

/// Returns the normal times the length of a line or the area of a triangle.
dealii::Tensor<1, 2> area_of(const SurfacePiece<2> &piece) {
  const dealii::Tensor<1, 2> side = piece[1] - piece[0];
  return dealii::Tensor<1, 2>({-side[1], side[0]});
}
dealii::Tensor<1, 3> area_of(const SurfacePiece<3> &piece) {
  return 0.5 * cross_product_3d(dealii::Tensor<1, 3>(piece[1] - piece[0]),
                                dealii::Tensor<1, 3>(piece[2] - piece[0]));
}

/// Expects corners on the surface, normals to the admissible side, and this total area.
template <int dim>
void expect_pieces(const Surface<dim> &surface, double area, double tolerance, double distance) {
  double sum = 0;
  for (const SurfacePiece<dim> &piece : surface_pieces(surface, cube<dim>(1.))) {
    dealii::Point<dim> middle;
    for (const auto &x : piece) {
      EXPECT_NEAR(gap(surface, x).distance, 0., distance);
      middle += x / double(dim);
    }
    const auto normal = area_of(piece);
    EXPECT_GE(normal * gap(surface, middle).normal, -1e-12);
    sum += normal.norm();
  }
  EXPECT_NEAR(sum, area, tolerance * area);
}

TEST(Ground, ShowsSurfacesIn2D) {
  const dealii::Tensor<1, 2> normal({-0.6, 0.8});
  // the line y = 0.75 x - 0.25 in the square [-1, 1]²
  expect_pieces<2>({HalfPlane<2>{dealii::Point<2>(0., -0.25), normal}, {}}, 2. / 0.8, 1e-12, 1e-14);
  for (const bool inside : {false, true})
    expect_pieces<2>({Ball<2>{dealii::Point<2>(3., 0.), 0.5, inside, {}}, {}}, M_PI, 1e-3, 1e-4);
  expect_pieces<2>({LevelSet{Expression("x^2 + y^2 - 0.25"), 1.}, {}}, M_PI, 1e-3, 1e-4);
}

TEST(Ground, ShowsSurfacesIn3D) {
  const dealii::Tensor<1, 3> up({0., 0., 1.});
  expect_pieces<3>({HalfPlane<3>{dealii::Point<3>(0., 0., -0.3), up}, {}}, 4., 1e-12, 1e-14);
  for (const bool inside : {false, true}) {
    expect_pieces<3>({Ball<3>{dealii::Point<3>(3., 0., 0.), 0.5, inside, {}}, {}}, M_PI, 0.01,
                     2e-3);
    expect_pieces<3>({Ball<3>{dealii::Point<3>(), 0.5, inside, up}, {}}, 2 * M_PI, 0.01, 2e-3);
  }
}

/// A level set without a gradient at a point of the grid has no gap there.
TEST(Ground, LeavesOutPointsWithoutAGap) {
  const Surface<2> surface = {LevelSet{Expression("x^2 + y^2 - 0.25"), 1.}, {}};
  EXPECT_THROW(gap(surface, dealii::Point<2>()), std::exception);
  EXPECT_FALSE(surface_pieces(surface, cube<2>(1.)).empty()); // its grid has the origin
}

Box<2> box_at(double x) {
  Box<2> box;
  box.include(dealii::Point<2>(x, 0.));
  box.include(dealii::Point<2>(x + 1., 2.));
  return box;
}

vtkSmartPointer<vtkUnstructuredGrid> read_ground(const std::string &file) {
  const vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

/// A run that continues writes the file of an uninterrupted run. If the file is gone, or no body
/// has been seen yet, the surfaces are left out or cover later instants only.
TEST(Ground, IsTheSameInAContinuedRun) {
  test::RigidSystem system;
  system.rigid.push_back(test::rectangle("box", 1, 1, 1, dealii::Point<2>(0, 0.5)));
  auto &surface =
      std::get<Surface<2>>(system.add_contact(ImpactLawKind::newton_coulomb, {}, 0.).opposite_side);
  surface.motion.emplace_back("0.5*t");
  surface.motion.emplace_back("t^2");
  system.make();
  system.start();
  const std::vector<double> instants = {0., 0.5, 2.};
  const test::ScratchFolder folder, second;
  Ground<2> whole(folder.path, *system.boundary, 0), begun(second.path, *system.boundary, 0);
  whole.add(box_at(0.), 0.);
  whole.add(box_at(3.), 0.5);
  whole.add(box_at(-2.), 2.);
  whole.write(instants);
  begun.add(box_at(0.), 0.);
  begun.add(box_at(3.), 0.5);
  begun.write({0., 0.5});
  const std::string half = test::content_of(second / ground_name);
  Ground<2> continued(second.path, *system.boundary, 2);
  continued.add(box_at(-2.), 2.);
  continued.write(instants);
  const std::string text = test::content_of(folder / ground_name);
  EXPECT_EQ(test::content_of(second / ground_name), text);
  EXPECT_NE(half, text);
  EXPECT_EQ(continued.sum()->checksum, crc64(text));

  std::filesystem::remove(second / ground_name);
  Ground<2> without(second.path, *system.boundary, 2);
  without.write({0., 0.5});                                    // no instant has a box
  EXPECT_FALSE(std::filesystem::exists(second / ground_name)); // without cells it is no mesh
  without.add(box_at(-2.), 2.);
  without.write(instants);
  const auto grid = read_ground(second / ground_name);
  EXPECT_EQ(grid->GetNumberOfCells(), 1);
  EXPECT_EQ(grid->GetFieldData()->GetArray("displacement-0")->GetComponent(2, 0), 1.);
}

/// Bodies that are still far from the ground, or have not appeared: the file has cells, or is not
/// written.
TEST(Ground, HasCellsFarFromTheBodies) {
  const std::vector<Surface<2>> surfaces = {
      {HalfPlane<2>{dealii::Point<2>(), dealii::Tensor<1, 2>({0.6, 0.8})}, {}},
      {LevelSet{Expression("y - sin(x)^2"), 1.}, {}}};
  for (const Surface<2> &surface : surfaces) {
    test::RigidSystem system;
    system.rigid.push_back(test::rectangle("box", 1, 1, 1, dealii::Point<2>(0, 0.5)));
    system.add_contact(ImpactLawKind::newton_coulomb, {}, 0.)
        .opposite_side.emplace<Surface<2>>(surface);
    system.make();
    system.start();
    Box<2> box;
    const test::ScratchFolder folder;
    Ground<2> ground(folder.path, *system.boundary, 0);
    ground.add(box, 0.);
    ground.write({0.});
    EXPECT_FALSE(std::filesystem::exists(folder / ground_name));
    for (const double y : {50., 52.})
      box.include(dealii::Point<2>(y, y));
    ground.add(box, 1.);
    ground.write({0., 1.});
    const auto grid = read_ground(folder / ground_name);
    ASSERT_GT(grid->GetNumberOfCells(), 0);
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      const double *const x = grid->GetPoint(i);
      EXPECT_NEAR(gap(surface, dealii::Point<2>(x[0], x[1])).distance, 0., 1e-2);
    }
  }
}

} // namespace
