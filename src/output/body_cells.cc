#include "body_cells.h"

#include <percussion/base/instantiate.h>

#include <vtkCellType.h>

#include "round_cells.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

void add_cell(vtkUnstructuredGrid *grid, int type, const std::vector<vtkIdType> &ids) {
  grid->InsertNextCell(type, static_cast<vtkIdType>(ids.size()), ids.data());
}

/// Returns a polygon of n points in place of the unit disc.
Outline unit_cell(unsigned int n, std::integral_constant<int, 2>) {
  Outline polygon;
  for (unsigned int i = 0; i < n; ++i) {
    const double angle = 2 * dealii::numbers::PI * i / n;
    polygon.emplace_back(std::cos(angle), std::sin(angle));
  }
  return polygon;
}

/// Returns a polyhedron in place of the unit sphere: the convex hull of n points distributed evenly
/// along a spiral.
ConvexShape unit_cell(unsigned int n, std::integral_constant<int, 3>) {
  std::vector<dealii::Point<3>> points;
  for (unsigned int i = 0; i < n; ++i) {
    const double z = 1 - (2. * i + 1) / n, r = std::sqrt(1 - z * z);
    const double angle = dealii::numbers::PI * (3 - std::sqrt(5.)) * i;
    points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  return convex_hull(points);
}

template <int dim>
void place(std::vector<dealii::Point<dim>> &unit_points, const dealii::Point<dim> &centre,
           double radius) {
  for (auto &x : unit_points)
    x = centre + radius * dealii::Tensor<1, dim>(x);
}

} // namespace

template <int dim>
vtkNew<vtkPoints> make_points(const std::vector<dealii::Point<dim>> &positions) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(positions.size()));
  set_points(positions, 0, points);
  return points;
}

template <int dim>
void set_points(const std::vector<dealii::Point<dim>> &positions, vtkIdType first,
                vtkPoints *points) {
  for (const auto &x : positions)
    set_point(points, first++, x);
}

namespace {

/// Type of a cell of VTK, and the positions of its points among the nodes of a cell of deal.II,
/// which are in lexicographic order of vertices; VTK runs around the boundary.
struct CellType {
  int type;
  std::vector<unsigned int> order;
};

template <int dim>
CellType cell_type(const Mesh<dim> &mesh) {
  const bool is_simplex = mesh.shape == CellShape::simplex;
  if (mesh.order == 1 && is_simplex)
    return dim == 3 ? CellType{VTK_TETRA, {0, 1, 2, 3}} : CellType{VTK_TRIANGLE, {0, 1, 2}};
  if (mesh.order == 1)
    return dim == 3 ? CellType{VTK_HEXAHEDRON, {0, 1, 3, 2, 4, 5, 7, 6}}
                    : CellType{VTK_QUAD, {0, 1, 3, 2}};
  if (is_simplex)
    return dim == 3 ? CellType{VTK_QUADRATIC_TETRA, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
                    : CellType{VTK_QUADRATIC_TRIANGLE, {0, 1, 2, 3, 4, 5}};
  if (dim == 2) // edges of deal.II: left, right, below, above
    return {VTK_BIQUADRATIC_QUAD, {0, 1, 3, 2, 6, 5, 7, 4, 8}};
  // Edges of deal.II: of the faces z = 0 and z = 1 in the order of a quadrilateral, then along z;
  // faces in both orders: left, right, front, back, bottom, top.
  return {VTK_TRIQUADRATIC_HEXAHEDRON, {0,  1,  3,  2,  4,  5,  7,  6,  10, 9,  11, 8,  14, 13,
                                        15, 12, 16, 17, 19, 18, 20, 21, 22, 23, 24, 25, 26}};
}

} // namespace

template <int dim>
void add_cells(vtkUnstructuredGrid *grid, const Mesh<dim> &mesh,
               const std::vector<unsigned int> &cells,
               const std::function<vtkIdType(unsigned int, unsigned int)> &point_of) {
  const CellType shape = cell_type(mesh);
  std::vector<vtkIdType> ids(shape.order.size());
  for (const unsigned int cell : cells) {
    for (std::size_t k = 0; k < ids.size(); ++k)
      ids[k] = point_of(cell, shape.order[k]);
    grid->InsertNextCell(shape.type, static_cast<vtkIdType>(ids.size()), ids.data());
  }
}

void add_cell(vtkUnstructuredGrid *grid, const Outline &outline, vtkIdType first_point) {
  std::vector<vtkIdType> ids(outline.size());
  std::iota(ids.begin(), ids.end(), first_point);
  add_cell(grid, ids.size() == 2 ? VTK_LINE : VTK_POLYGON, ids);
}

void add_cell(vtkUnstructuredGrid *grid, const ConvexShape &shape, vtkIdType first_point) {
  std::vector<vtkIdType> faces;
  for (const auto &face : shape.faces) {
    faces.push_back(static_cast<vtkIdType>(face.size()));
    for (const unsigned int vertex : face)
      faces.push_back(first_point + vertex);
  }
  grid->InsertNextCell(VTK_POLYHEDRON, static_cast<vtkIdType>(shape.faces.size()), faces.data());
}

template <int dim>
RigidCells<dim>::RigidCells(const std::vector<RigidBody<dim>> &bodies) {
  constexpr std::size_t max_points = 40000, most = dim == 2 ? 72 : 200, fewest = dim == 2 ? 16 : 12;
  const auto n_round = static_cast<std::size_t>(
      std::count_if(bodies.begin(), bodies.end(),
                    [](const RigidBody<dim> &body) { return body.largest_radius() > 0.; }));
  if (n_round == 0)
    return;
  unit_round_cell =
      unit_cell(static_cast<unsigned int>(std::clamp(max_points / n_round, fewest, most)),
                std::integral_constant<int, dim>());
}

template <>
std::vector<Outline> RigidCells<2>::cells(const RigidBody<2> &body) const {
  std::vector<Outline> pieces;
  auto vertex = body.outline.begin();
  for (const PlanePiece &piece : pieces_of(body)) {
    pieces.emplace_back(vertex, vertex + piece.n_vertices);
    if (piece.radius > 0.) {
      pieces.back() = unit_round_cell;
      place(pieces.back(), *vertex, piece.radius);
    }
    vertex += piece.n_vertices;
  }
  return pieces;
}

template <>
std::vector<ConvexShape> RigidCells<3>::cells(const RigidBody<3> &body) const {
  std::vector<ConvexShape> shapes = body.shapes;
  for (ConvexShape &shape : shapes)
    if (shape.is_round() && !shape.is_sphere())
      shape = round_cell(shape, static_cast<unsigned int>(unit_round_cell.vertices.size()));
    else if (shape.is_sphere()) {
      const dealii::Point<3> centre = shape.vertices[0];
      const double radius = shape.radius;
      shape = unit_round_cell;
      place(shape.vertices, centre, radius);
    }
  return shapes;
}

template class RigidCells<2>;
template class RigidCells<3>;
PERCUSSION_INSTANTIATE(make_points);
PERCUSSION_INSTANTIATE(set_points);
PERCUSSION_INSTANTIATE(add_cells);

} // namespace percussion
