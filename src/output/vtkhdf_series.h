#pragma once

#include <percussion/base/checksum.h>

#include <vtkUnstructuredGrid.h>

#include <string>
#include <vector>

namespace percussion {

/// Points and cells of the instants of a VTKHDF file.
enum class StoredMesh {
  once,        ///< all instants have the points and cells of the first one
  each_instant ///< points and cells change
};

/// Grids of all instants in one file of VTKHDF 2.0: `Steps` has the time of each instant and the
/// rows at which its fields begin in `PointData` and `CellData`. A polyhedron, which VTKHDF 2.0
/// lacks, is written as one polygon for each of its faces, and `Percussion/Faces` has the number of
/// polygons of each cell. Between two instants the file is closed and complete.
class VtkHdfSeries {
public:
  /// Continues after the instants at these times, which the file has, and removes later ones.
  /// Throws RunError.
  VtkHdfSeries(const std::string &directory, const char *name, const std::vector<double> &times,
               StoredMesh stored_mesh);

  /// Writes the grid of the next instant. Arrays of doubles, floats and ints are the same at all
  /// instants; the array `body` of cells is written with the mesh. Throws WriteError; then the file
  /// has the earlier instants.
  void write(vtkUnstructuredGrid *grid, double t);

  /// Returns the checksum of the instants; empty if there are none.
  std::vector<FileSum> sums() const;

private:
  std::string path;
  StoredMesh mesh;
  std::size_t n_instants;
  FileSum sum;
};

} // namespace percussion
