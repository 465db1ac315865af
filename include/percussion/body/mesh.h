#pragma once

#include <percussion/base/error.h>
#include <percussion/base/natural_order.h>
#include <percussion/base/nearest_name.h>

#include <deal.II/grid/tria.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace percussion {

/// Shape of cells: triangles or quadrilaterals in two dimensions, tetrahedra or hexahedra in three.
enum class CellShape { simplex, hypercube };

/// Face of a cell: active index of the cell and number of the face within it.
struct CellFace {
  unsigned int cell;
  unsigned int face;
};

/// Cells, faces or single nodes of a group of the file.
struct Region {
  unsigned int dimension = 0;
  std::vector<unsigned int> nodes; ///< all nodes of the region, ascending
  std::vector<CellFace> faces;     ///< boundary faces of a region of dimension dim − 1
  std::vector<unsigned int> cells; ///< active indices of a region of dimension dim, ascending
  unsigned int n_elements = 0;
  double measure = 0; ///< undeformed length, area or volume; 0 for points
};

/// Mesh of simplices or hypercubes with straight edges and its named regions.
template <int dim>
struct Mesh {
  std::string file; ///< name of the file
  CellShape shape = CellShape::simplex;
  unsigned int order = 1;       ///< order of the displacements of a cell, 1 or 2
  bool is_axisymmetric = false; ///< true if the file has elements of revolution
  /// Boundary faces on which the displacements stay linear although `order` is 2: the nodes between
  /// their vertices move with these (MeshNodes).
  std::vector<CellFace> linear_faces;
  dealii::Triangulation<dim> triangulation; ///< the cells
  std::map<std::string, Region, NaturalOrder> regions;
  /// Arrays of numbers of the file, with the value of each cell; of vectors "name.x", "name.y" and
  /// "name.z".
  std::map<std::string, std::vector<double>> arrays;
  std::vector<std::string> remarks; ///< remarks on valid but possibly unintended input

  /// Returns the name of the file without its folder and ending.
  std::string name() const { return std::filesystem::path(file).stem().string(); }

  /// Returns "triangles", "quadrilaterals", "tetrahedra" or "hexahedra".
  std::string cells_in_words() const {
    return shape == CellShape::simplex ? (dim == 3 ? "tetrahedra" : "triangles")
           : dim == 3                  ? "hexahedra"
                                       : "quadrilaterals";
  }

  /// Returns the region of this name. Throws InputError, which lists the existing regions and the
  /// nearest name, but does not repeat the requested one.
  const Region &region(const std::string &name) const {
    const auto found = regions.find(name);
    if (found != regions.end())
      return found->second;
    const auto names = region_names();
    const std::string hint = did_you_mean(name, names);
    throw InputError("no such region in '" + file + "'" + (hint.empty() ? "." : hint) +
                     " Its regions: " + joined(names, ", "));
  }

  /// Returns the names of all regions, in the order of NaturalOrder.
  std::vector<std::string> region_names() const {
    std::vector<std::string> names;
    for (const auto &entry : regions)
      names.push_back(entry.first);
    return names;
  }
};

} // namespace percussion
