#pragma once

#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>

#include <deal.II/grid/tria.h>

#include <map>
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
  std::vector<CellFace> faces; ///< of a region of dimension dim − 1, where they bound the body
  std::vector<unsigned int> cells; ///< active indices of a region of dimension dim, ascending
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
  const Region &region(const std::string &name) const {
    const auto found = regions.find(name);
    if (found != regions.end())
      return found->second;
    const auto names = region_names();
    const std::string hint = did_you_mean(name, names);
    throw InputError("no such region in '" + file + "'" + (hint.empty() ? "." : hint) +
                     " Its regions: " + joined(names, ", "));
  }

  /// The names of all regions, in alphabetical order.
  std::vector<std::string> region_names() const {
    std::vector<std::string> names;
    for (const auto &entry : regions)
      names.push_back(entry.first);
    return names;
  }
};

} // namespace percussion
