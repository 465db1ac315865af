#pragma once

#include <percussion/body/mesh.h>

#include "gmsh_model.h"
#include <string>
#include <vector>

namespace percussion {

/// The body's cells and the nodes that they use, numbered from 0 in the order of Gmsh's tags.
template <int dim>
struct Cells {
  unsigned int n_corners = 0; ///< of each cell
  std::vector<dealii::Point<dim>> points;
  std::vector<std::size_t> tags;                   ///< Gmsh's, of each point
  std::vector<unsigned int> number;                ///< of each node of the model; or no_point
  std::vector<unsigned int> corners;               ///< n_corners per cell, in Gmsh's order
  std::vector<std::vector<unsigned int>> in_group; ///< cells of groups of dimension dim

  static constexpr unsigned int no_point = static_cast<unsigned int>(-1); ///< of no cell

  std::size_t size() const { return corners.size() / n_corners; }
  const unsigned int *corners_of(std::size_t cell) const {
    return corners.data() + cell * n_corners;
  }
};

/// Each cell once, though it may be in several groups or stand in the file twice. Throws InputError
/// for cells that are inverted or degenerate, or overlap at an edge or a face.
template <int dim>
Cells<dim> make_cells(const GmshModel &model);

/// For each of the elements with `n` corners, one after the other, the first element that has the
/// same corners in any order: an element's own index where no earlier one has.
std::vector<unsigned int> first_with_same_corners(const std::vector<unsigned int> &corners,
                                                  unsigned int n);

/// How many parts elements with `n` corners form that have no node in common.
unsigned int number_of_parts(const std::vector<unsigned int> &corners, unsigned int n);

} // namespace percussion
