#pragma once

#include <percussion/io/gmsh_model.h>

#include <deal.II/grid/tria.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Triangles or quadrilaterals in two dimensions, tetrahedra or hexahedra in three.
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
  double measure = 0; ///< undeformed length of edges or area of cells; none of points
};

/// A mesh of first-order simplices or hypercubes with its named regions.
template <int dim>
struct Mesh {
  std::string file; ///< that it was read from
  CellShape shape = CellShape::simplex;
  dealii::Triangulation<dim> triangulation; ///< the cells
  std::map<std::string, Region> regions;
  std::vector<std::string> remarks; ///< what is legal, and perhaps not meant

  /// The region of that name. Throws an InputError that says which there are and which is nearest,
  /// but not again the name that was asked for.
  const Region &region(const std::string &name) const;

  /// The names of all regions, in alphabetical order.
  std::vector<std::string> region_names() const;
};

/// A mesh of what Gmsh holds; of no file yet.
/// Throws InputError for cells of two shapes, inverted, degenerate or overlapping ones, and for
/// regions that are not of the body.
template <int dim>
std::unique_ptr<Mesh<dim>> make_mesh(const GmshModel &model);

/// Read a Gmsh mesh, or mesh a geometry, through the Gmsh SDK.
///
/// Throws InputError, saying what, where and the way out but not the file (the caller knows who
/// asked for it, and in which line), for a file that is missing, damaged or no mesh, that
/// has no named physical group of dimension `dim`, that is of another dimension or of second order,
/// that mixes cell shapes, or that has an inverted or degenerate cell.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const GmshSource &source);

/// The same without parameters of a geometry.
template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const std::string &file) {
  return read_gmsh<dim>(GmshSource{file, {}});
}

} // namespace percussion
