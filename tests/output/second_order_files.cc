// Output of cells of second order, whose middles on faces in contact are no nodes.

#include <vtkCell.h>

#include "output/written_run.h"
#include "support/block.h"
#include "support/second_order.h"

namespace output_of_second_order {

using namespace percussion;

template <int dim>
dealii::Point<dim> point_of(vtkUnstructuredGrid &grid, vtkIdType i) {
  double x[3];
  grid.GetPoint(i, x);
  dealii::Point<dim> point;
  for (unsigned int d = 0; d < dim; ++d)
    point[d] = x[d];
  return point;
}

template <int dim>
dealii::Tensor<1, dim> displacement_of(vtkUnstructuredGrid &grid, vtkIdType i) {
  vtkDataArray &u = *grid.GetPointData()->GetArray("displacement");
  dealii::Tensor<1, dim> value;
  for (unsigned int d = 0; d < dim; ++d)
    value[d] = u.GetComponent(i, static_cast<int>(d));
  return value;
}

/// Returns a displacement of second order.
template <int dim>
dealii::Tensor<1, dim> bent(const dealii::Point<dim> &x) {
  dealii::Tensor<1, dim> u;
  u[0] = 0.1 * x[0] * x[dim - 1];
  u[dim - 1] = 0.2 * x[0] * x[0] - 0.1 * x[dim - 1];
  return u;
}

/// Expects that the last of some points of VTK is the mean of the first ones, the corners of an
/// edge, face or cell, and that its displacement is the field, or at the bottom the mean.
template <int dim>
void expect_middle(vtkUnstructuredGrid &grid, vtkCell &object, unsigned int n_corners) {
  const vtkIdType middle = object.GetPointId(static_cast<int>(object.GetNumberOfPoints() - 1));
  dealii::Tensor<1, dim> position, u;
  for (unsigned int k = 0; k < n_corners; ++k) {
    const vtkIdType corner = object.GetPointId(static_cast<int>(k));
    position += point_of<dim>(grid, corner) / static_cast<double>(n_corners);
    u += displacement_of<dim>(grid, corner) / static_cast<double>(n_corners);
  }
  const auto x = point_of<dim>(grid, middle);
  EXPECT_LT((x - dealii::Point<dim>(position)).norm(), 1e-14);
  const auto expected = x[dim - 1] < 1e-12 ? u : bent(x);
  EXPECT_LT((displacement_of<dim>(grid, middle) - expected).norm(), 1e-14);
}

template <int dim>
void expect_cells(std::unique_ptr<Mesh<dim>> mesh, unsigned int n_points, unsigned int n_corners) {
  const std::string name =
      "percussion-second-order-" + std::to_string(n_points) + "-" + std::to_string(getpid());
  const auto folder = test::fs::temp_directory_path() / name;
  test::fs::create_directories(folder);
  test::BlockIn<dim> block(
      test::second_order(std::move(mesh), {"bottom"}),
      Material<dim>{1., 1., LinearElastic<dim>::from_young(1., 0.3, Plane::strain), {}});
  block.set(block.state.q, [](const auto &x) {
    std::array<double, dim> value;
    const auto u = bent<dim>(x);
    for (unsigned int d = 0; d < dim; ++d)
      value[d] = u[d];
    return value;
  });
  block.add_contact("bottom", test::BlockIn<dim>::ground(-1.), ImpactLawKind::fremond, {}, 0.);
  block.start();
  {
    VtuOutput<dim> output(folder.string(), *block.bodies, *block.boundary, block.choices.h);
    output.write(block.state, block.step->last());
    output.wait();
  }
  const auto grid = test::read_vtu(folder / "solution-000000.vtu");
  const Space<dim> &space = block.space();
  EXPECT_EQ(grid->GetNumberOfCells(), static_cast<vtkIdType>(space.n_cells()));
  EXPECT_GT(grid->GetNumberOfPoints(), static_cast<vtkIdType>(space.n_nodes()));
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    vtkCell &cell = *grid->GetCell(c);
    ASSERT_EQ(cell.GetNumberOfPoints(), static_cast<vtkIdType>(n_points));
    for (int e = 0; e < cell.GetNumberOfEdges(); ++e)
      expect_middle<dim>(*grid, *cell.GetEdge(e), 2);
    for (int f = 0; n_points == 27 && f < cell.GetNumberOfFaces(); ++f)
      expect_middle<dim>(*grid, *cell.GetFace(f), 4);
    if (n_points == 9 || n_points == 27)
      expect_middle<dim>(*grid, cell, n_corners);
  }
  test::fs::remove_all(folder);
}

TEST(SecondOrderFiles, HaveMiddlesInTheOrderOfVtk) {
  expect_cells<2>(test::rectangle(CellShape::simplex, 2, 1, 3, 2, 0.2), 6, 3);
  expect_cells<2>(test::rectangle(CellShape::hypercube, 2, 1, 3, 2, 0.2), 9, 4);
  expect_cells<3>(test::box(CellShape::simplex, {2, 1, 1}, {2, 1, 2}, 0.2), 10, 4);
  expect_cells<3>(test::box(CellShape::hypercube, {2, 1, 1}, {2, 1, 2}, 0.2), 27, 8);
}

} // namespace output_of_second_order
