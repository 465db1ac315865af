#pragma once

#include <percussion/base/checksum.h>

#include <vtkUnstructuredGrid.h>

#include <string>
#include <vector>

namespace percussion {

/// Writes a VTU file with this grid; returns its size and checksum. Throws WriteError.
FileSum write_vtu(const std::string &file, vtkUnstructuredGrid *grid);
/// Likewise, with the time of the grid.
FileSum write_vtu(const std::string &file, vtkUnstructuredGrid *grid, double t);

/// Files of one series, one VTU file or index of pieces for each instant, and the PVD file that
/// lists them with their times.
class VtuSeries {
public:
  /// Continues after the files at these times, which exist.
  VtuSeries(const std::string &directory, const char *name, const std::vector<double> &times);

  /// Writes a grid and lists it. Throws WriteError.
  void write(vtkUnstructuredGrid *grid, double t);

  /// Writes an index of pieces, which have these checksums, and lists it. Throws WriteError.
  void write_index(const std::string &index, double t, const std::vector<FileSum> &pieces);

  /// Returns the file of the instant of this number.
  std::string file(std::size_t number) const;

  /// Lists the file of the next instant, which has been written with this checksum. Throws
  /// WriteError.
  void list(const FileSum &file, double t);

  /// Returns the number of listed instants.
  unsigned int n_instants() const { return n_listed; }

  /// Returns the checksums of the files written by this object, and of the pieces of its indices.
  const std::vector<FileSum> &sums() const { return written; }

private:
  std::string entry(double t, const std::string &file) const;

  std::string directory;
  const char *name;
  unsigned int n_listed = 0;
  std::vector<FileSum> written;
  std::size_t list_end = 0; ///< position of the next entry in the PVD file
};

} // namespace percussion
