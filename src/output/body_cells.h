#pragma once

#include <percussion/body/rigid_body.h>
#include <percussion/body/space.h>

#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <functional>
#include <type_traits>
#include <vector>

namespace percussion {

/// Returns the points; in 2D z is zero.
template <int dim>
vtkNew<vtkPoints> make_points(const std::vector<dealii::Point<dim>> &positions);

/// Sets a point; in 2D z is zero.
template <int dim>
void set_point(vtkPoints *points, vtkIdType i, const dealii::Point<dim> &x) {
  points->SetPoint(i, x[0], x[1], dim == 3 ? x[dim - 1] : 0.);
}

/// Sets points from an index on.
template <int dim>
void set_points(const std::vector<dealii::Point<dim>> &positions, vtkIdType first,
                vtkPoints *points);

/// Adds cells of an elastic body by their active indices; point_of(cell, k) is the point of the
/// k-th node of a cell in deal.II's order.
template <int dim>
void add_cells(vtkUnstructuredGrid *grid, const Mesh<dim> &mesh,
               const std::vector<unsigned int> &cells,
               const std::function<vtkIdType(unsigned int, unsigned int)> &point_of);

/// Cell of a rigid body: a polygon or stick in 2D, a convex polyhedron in 3D.
template <int dim>
using RigidCell = std::conditional_t<dim == 2, Outline, ConvexShape>;
inline const Outline &points_of(const Outline &outline) { return outline; }
inline const std::vector<dealii::Point<3>> &points_of(const ConvexShape &shape) {
  return shape.vertices;
}
/// Adds a cell whose vertices are consecutive points.
void add_cell(vtkUnstructuredGrid *grid, const Outline &outline, vtkIdType first_point);
void add_cell(vtkUnstructuredGrid *grid, const ConvexShape &shape, vtkIdType first_point);

/// Drawing of rigid bodies. The more discs and round shapes there are, the fewer points draw each,
/// so that files of crowds stay small.
template <int dim>
class RigidCells {
public:
  explicit RigidCells(const std::vector<RigidBody<dim>> &bodies);

  /// Returns the cells of a body: one for each piece.
  std::vector<RigidCell<dim>> cells(const RigidBody<dim> &body) const;

private:
  RigidCell<dim> unit_round_cell; ///< in place of the unit disc or sphere; empty if there is none
};

template <>
std::vector<Outline> RigidCells<2>::cells(const RigidBody<2> &body) const;
template <>
std::vector<ConvexShape> RigidCells<3>::cells(const RigidBody<3> &body) const;

} // namespace percussion
