#pragma once

#include <percussion/body/mesh.h>
#include <percussion/input/gmsh_model.h>

#include <map>
#include <string>
#include <vector>

namespace percussion {

/// The body's cells and the nodes that they use, numbered from 0 in the order of Gmsh's tags.
template <int dim>
struct Cells {
  CellShape shape = CellShape::simplex;
  std::vector<dealii::Point<dim>> points;
  std::vector<std::size_t> tags;                  ///< Gmsh's of each point
  std::map<std::size_t, unsigned int> number;     ///< of the point with Gmsh's tag
  std::vector<std::vector<unsigned int>> corners; ///< of each cell, around it
  std::vector<std::string> remarks;
};

/// Each cell once, though it may stand in several groups.
/// Throws InputError for cells of two shapes, inverted, degenerate or overlapping ones.
template <int dim>
Cells<dim> make_cells(const GmshModel &model);

/// What is legal and perhaps not meant: a body in several parts, nodes on each other, hinges.
template <int dim>
std::vector<std::string> remarks_on_parts(const Cells<dim> &cells);

} // namespace percussion
