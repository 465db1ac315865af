#pragma once

#include <percussion/body/cell_division.h>

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <map>
#include <optional>
#include <vector>

namespace percussion {

/// Points and cells of the solution that this process writes. A process alone writes all of them.
/// Several processes divide the elastic bodies: each writes its cells and their nodes, so that a
/// node on a border is in the pieces of all its cells; the first process also writes the rigid
/// bodies.
template <int dim>
class SolutionPiece {
public:
  /// Nodes of an elastic body, in ascending order.
  struct ElasticPiece {
    std::vector<unsigned int> nodes;
    vtkIdType first_point; ///< point of the first node in the piece
    /// Point of each middle in the piece that is no node, by its position in
    /// Space::middles.
    std::map<unsigned int, vtkIdType> middles = {};
  };

  /// Stores a reference to the bodies. `divides`: several processes write pieces of them; else this
  /// one writes everything.
  SolutionPiece(const System<dim> &bodies, bool divides);

  /// Returns the processes whose pieces have cells; empty if the solution is not divided.
  const std::vector<unsigned int> &writers() const { return processes_with_cells; }
  bool is_empty() const { return n_cells == 0; }
  /// True if the memory of the piece counts more than the time to make it again.
  bool is_large() const { return n_points > most_points_of_small; }
  /// True if no step should be computed while its grid is in memory.
  bool is_huge() const { return n_points > most_points_beside_step; }

  /// Returns the point of a node in the piece; no value if another process writes it.
  std::optional<vtkIdType> point_of_node(unsigned int elastic, unsigned int node) const;
  /// Returns the point of a vertex of a rigid body by its initial position; no value if it is no
  /// vertex, or if another process writes it.
  std::optional<vtkIdType> point_of_vertex(unsigned int body,
                                           const dealii::Point<dim> &position) const;

  /// Returns the grid of an instant, in a divided solution with the numbers of points and cells in
  /// the undivided one. Large grids are made for each instant: they take as much memory as the
  /// fields.
  vtkSmartPointer<vtkUnstructuredGrid> grid_of_instant();

  CellDivision<dim> division;
  std::vector<ElasticPiece> elastic; ///< nodes of the cells of each elastic body
  std::vector<std::vector<dealii::Point<dim>>>
      vertices;                        ///< vertices of each rigid body; empty on other processes
  std::vector<vtkIdType> first_vertex; ///< point of the first vertex of each rigid body
  std::vector<int> body_of_cell;       ///< number of the rigid body of each of its cells
  vtkIdType n_points = 0, n_cells = 0;

private:
  static constexpr vtkIdType most_points_of_small = 25000;
  static constexpr vtkIdType most_points_beside_step = 100000;

  void select_nodes();
  void add_middles();
  void add_rigid_bodies();
  vtkSmartPointer<vtkUnstructuredGrid> make_grid() const;
  void add_numbers(vtkUnstructuredGrid *grid) const;

  const System<dim> &system;
  bool is_divided;
  std::vector<unsigned int> processes_with_cells;
  vtkSmartPointer<vtkUnstructuredGrid> small_grid; ///< points and cells of a small piece
};

} // namespace percussion
