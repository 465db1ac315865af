#pragma once

#include <deal.II/grid/tria.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

enum class CellShape { simplex, hypercube };

/// A face of a cell: the cell's active index and the face's number in it.
struct CellFace {
  unsigned int cell;
  unsigned int face;
};

/// What a physical group of the Gmsh file names: cells, faces or single nodes.
struct Region {
  unsigned int dimension = 0;
  std::vector<unsigned int> vertices; ///< every vertex of the region once, ascending
  std::vector<CellFace> faces; ///< filled for dimension dim − 1 where the face bounds the body
  unsigned int n_elements = 0;
};

/// A mesh of first-order simplices or hypercubes with its named regions.
template <int dim>
struct Mesh {
  std::string file;
  CellShape shape = CellShape::simplex;
  dealii::Triangulation<dim> triangulation;
  std::map<std::string, Region> regions;

  /// The region of that name. Throws an InputError that says which there are and which is nearest,
  /// but not again the name that was asked for.
  const Region &region(const std::string &name) const;

  std::vector<std::string> region_names() const;
};

/// Read a Gmsh mesh through the Gmsh SDK.
///
/// Throws InputError, saying what, where and the way out but not the file (the caller knows who
/// asked for it, and in which line), for a file that is missing or no mesh, that
/// has no named physical group of dimension `dim`, that is of another dimension or of second order,
/// that mixes cell shapes, or that has an inverted or degenerate cell.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const std::string &file);

} // namespace percussion
