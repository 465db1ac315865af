#include "solution_piece.h"

#include <percussion/base/processes.h>

#include <vtkCellData.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include "body_cells.h"
#include <algorithm>

namespace percussion {
namespace {

/// Returns a named array for the numbers of points or cells in the undivided solution; copies of a
/// node have the same number. VTK and ParaView merge points with equal numbers by the name of the
/// array.
vtkNew<vtkIdTypeArray> make_numbers(const char *name, vtkIdType n) {
  vtkNew<vtkIdTypeArray> numbers;
  numbers->SetName(name);
  numbers->SetNumberOfTuples(n);
  return numbers;
}

/// True if the grid has cells of elastic bodies, too. Polyhedra are then written as their
/// faces: meshio reads no file with polyhedra among other cells.
template <int dim>
bool has_elastic_cells(const System<dim> &system) {
  return !system.elastic.empty();
}

/// Returns the number of cells that a part of a rigid body is written as.
std::size_t n_cells_of(const Outline &, bool) { return 1; }
std::size_t n_cells_of(const ConvexShape &shape, bool as_faces) {
  return as_faces ? shape.faces.size() : 1;
}

void add_rigid_cells(vtkUnstructuredGrid *grid, const Outline &outline, vtkIdType first_point,
                     bool) {
  add_cell(grid, outline, first_point);
}
void add_rigid_cells(vtkUnstructuredGrid *grid, const ConvexShape &shape, vtkIdType first_point,
                     bool as_faces) {
  if (!as_faces)
    return add_cell(grid, shape, first_point);
  for (const auto &face : shape.faces) {
    std::vector<vtkIdType> ids;
    for (const unsigned int vertex : face)
      ids.push_back(first_point + vertex);
    grid->InsertNextCell(VTK_POLYGON, static_cast<vtkIdType>(ids.size()), ids.data());
  }
}

} // namespace

template <int dim>
SolutionPiece<dim>::SolutionPiece(const System<dim> &bodies, bool divides)
    : division(bodies, divides ? Partition(bodies.n_elastic_dofs(), dim)
                               : Partition::undivided(bodies.n_elastic_dofs(), dim)),
      system(bodies), is_divided(divides) {
  select_nodes();
  add_middles();
  if (!is_divided || processes::is_first())
    add_rigid_bodies();
  for (unsigned int process = 0; is_divided && process < division.has_cells.size(); ++process)
    if (division.has_cells[process] || (process == 0 && !system.rigid.empty()))
      processes_with_cells.push_back(process);
}

template <int dim>
void SolutionPiece<dim>::select_nodes() {
  for (std::size_t b = 0; b < system.elastic.size(); ++b) {
    const Space<dim> &space = system.elastic[b]->space;
    std::vector<bool> is_written(space.n_nodes(), !is_divided);
    for (const unsigned int cell : division.cells[b])
      for (unsigned int v = 0; v < space.nodes_per_cell(); ++v)
        is_written[space.nodes_of(cell)[v]] = true;
    ElasticPiece &piece = elastic.emplace_back(ElasticPiece{{}, n_points});
    for (unsigned int node = 0; node < space.n_nodes(); ++node)
      if (is_written[node])
        piece.nodes.push_back(node);
    piece.nodes.shrink_to_fit();
    n_points += static_cast<vtkIdType>(piece.nodes.size());
    n_cells += static_cast<vtkIdType>(division.cells[b].size());
  }
}

template <int dim>
void SolutionPiece<dim>::add_middles() {
  for (std::size_t b = 0; b < elastic.size(); ++b) {
    const Space<dim> &space = system.elastic[b]->space;
    if (space.middles.linear.empty())
      continue;
    auto &middles = elastic[b].middles;
    for (const unsigned int cell : division.cells[b])
      for (unsigned int k = space.vertices_per_cell(); k < space.nodes_per_cell(); ++k)
        if (space.is_linear_middle(cell, k))
          middles[space.number_in_cell(cell, k) - space.n_nodes()] = 0;
    for (auto &[middle, point] : middles)
      point = n_points++;
  }
}

template <int dim>
void SolutionPiece<dim>::add_rigid_bodies() {
  const RigidCells<dim> rigid_cells(system.rigid);
  for (std::size_t b = 0; b < system.rigid.size(); ++b) {
    first_vertex.push_back(n_points);
    vertices.emplace_back();
    for (const auto &shape : rigid_cells.cells(system.rigid[b])) {
      vertices[b].insert(vertices[b].end(), points_of(shape).begin(), points_of(shape).end());
      body_of_cell.insert(body_of_cell.end(), n_cells_of(shape, has_elastic_cells(system)),
                          static_cast<int>(b) + 1);
    }
    n_points += static_cast<vtkIdType>(vertices[b].size());
  }
  n_cells += static_cast<vtkIdType>(body_of_cell.size());
}

template <int dim>
std::optional<vtkIdType> SolutionPiece<dim>::point_of_node(unsigned int body,
                                                           unsigned int node) const {
  const ElasticPiece &piece = elastic[body];
  const auto found = std::lower_bound(piece.nodes.begin(), piece.nodes.end(), node);
  if (found == piece.nodes.end() || *found != node)
    return {};
  return piece.first_point + (found - piece.nodes.begin());
}

template <int dim>
std::optional<vtkIdType>
SolutionPiece<dim>::point_of_vertex(unsigned int body, const dealii::Point<dim> &position) const {
  if (vertices.empty())
    return {};
  const auto &all = vertices[body];
  const auto vertex = std::find(all.begin(), all.end(), position);
  if (vertex == all.end())
    return {};
  return first_vertex[body] + (vertex - all.begin());
}

template <int dim>
vtkSmartPointer<vtkUnstructuredGrid> SolutionPiece<dim>::grid_of_instant() {
  vtkSmartPointer<vtkUnstructuredGrid> grid;
  if (is_large())
    grid = make_grid();
  else {
    if (small_grid == nullptr)
      small_grid = make_grid();
    grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    grid->CopyStructure(small_grid);
  }
  if (is_divided)
    add_numbers(grid);
  return grid;
}

template <int dim>
vtkSmartPointer<vtkUnstructuredGrid> SolutionPiece<dim>::make_grid() const {
  const auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(n_points);
  vtkIdType n_corners = n_points;
  for (std::size_t b = 0; b < elastic.size(); ++b)
    n_corners += static_cast<vtkIdType>(division.cells[b].size()) *
                 static_cast<vtkIdType>(system.elastic[b]->space.nodes_per_cell());
  grid->AllocateExact(n_cells, n_corners);
  for (std::size_t b = 0; b < elastic.size(); ++b) {
    const Space<dim> &space = system.elastic[b]->space;
    std::vector<vtkIdType> point_of_node(space.n_nodes());
    vtkIdType point = elastic[b].first_point;
    for (const unsigned int node : elastic[b].nodes) {
      set_point(points.Get(), point, space.nodes[node]);
      point_of_node[node] = point++;
    }
    for (const auto &[middle, middle_point] : elastic[b].middles) {
      dealii::Tensor<1, dim> sum;
      for (const unsigned int node : space.middles.linear[middle])
        sum += space.nodes[node];
      set_point(points.Get(), middle_point,
                dealii::Point<dim>(sum / static_cast<double>(space.middles.linear[middle].size())));
    }
    add_cells<dim>(
        grid.Get(), space.mesh, division.cells[b], [&](unsigned int cell, unsigned int k) {
          const unsigned int number = space.number_in_cell(cell, k);
          return number < space.n_nodes() ? point_of_node[number]
                                          : elastic[b].middles.at(number - space.n_nodes());
        });
  }
  const RigidCells<dim> rigid_cells(system.rigid);
  for (std::size_t b = 0; b < vertices.size(); ++b) {
    vtkIdType first = first_vertex[b];
    set_points(vertices[b], first, points.Get());
    for (const auto &shape : rigid_cells.cells(system.rigid[b])) {
      add_rigid_cells(grid.Get(), shape, first, has_elastic_cells(system));
      first += static_cast<vtkIdType>(points_of(shape).size());
    }
  }
  grid->SetPoints(points);
  return grid;
}

/// Numbers are global identifiers of VTK: nodes of all bodies, linear middles, then vertices; cells
/// likewise.
template <int dim>
void SolutionPiece<dim>::add_numbers(vtkUnstructuredGrid *grid) const {
  const auto point_ids = make_numbers("GlobalPointIds", n_points),
             cell_ids = make_numbers("GlobalCellIds", n_cells);
  vtkIdType point = 0, cell = 0, first_node = 0, first_cell = 0;
  for (std::size_t b = 0; b < elastic.size(); ++b) {
    for (const unsigned int node : elastic[b].nodes)
      point_ids->SetValue(point++, first_node + node);
    for (const unsigned int index : division.cells[b])
      cell_ids->SetValue(cell++, first_cell + index);
    first_node += system.elastic[b]->space.n_nodes();
    first_cell += system.elastic[b]->space.n_cells();
  }
  for (std::size_t b = 0; b < elastic.size(); ++b) {
    for (const auto &[middle, middle_point] : elastic[b].middles)
      point_ids->SetValue(point++, first_node + middle);
    first_node += static_cast<vtkIdType>(system.elastic[b]->space.middles.linear.size());
  }
  while (point < n_points)
    point_ids->SetValue(point++, first_node++);
  while (cell < n_cells)
    cell_ids->SetValue(cell++, first_cell++);
  grid->GetPointData()->SetGlobalIds(point_ids);
  grid->GetCellData()->SetGlobalIds(cell_ids);
}

template class SolutionPiece<2>;
template class SolutionPiece<3>;

} // namespace percussion
