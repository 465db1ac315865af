#pragma once

#include <percussion/body/mesh.h>

#include "mesh_model.h"
#include <vector>

namespace percussion {

/// Cells of the body and their nodes, numbered from 0 in the order of Gmsh's tags.
template <int dim>
struct Cells {
  unsigned int n_corners = 0; ///< number of corners of each cell
  std::vector<dealii::Point<dim>> points;
  std::vector<std::size_t> tags;     ///< Gmsh's tag of each point
  std::vector<unsigned int> number;  ///< point of each node of the model, or no_point
  std::vector<unsigned int> corners; ///< n_corners points per cell, in Gmsh's order
  std::vector<std::vector<unsigned int>> group_cells; ///< cells of groups of dimension dim

  /// Number of a node without cell.
  static constexpr unsigned int no_point = static_cast<unsigned int>(-1);

  std::size_t size() const { return corners.size() / n_corners; }
  const unsigned int *corners_of(std::size_t cell) const {
    return corners.data() + cell * n_corners;
  }
};

/// Makes the cells, each once, even if it is in two or more groups or twice in the file. Throws
/// InputError if cells are inverted or degenerate, or overlap at an edge or a face.
template <int dim>
Cells<dim> make_cells(const MeshModel &model);

/// Returns, for each element with `n` corners, the index of the first element with the same corners
/// in any order; this is its own index if there is no earlier one.
std::vector<unsigned int> first_with_same_corners(const std::vector<unsigned int> &corners,
                                                  unsigned int n);

} // namespace percussion
