#pragma once

#include <percussion/base/checksum.h>

#include <vtkUnstructuredGrid.h>

#include <string>
#include <vector>

namespace percussion {

/// Writes a VTU file with this grid; returns its size and checksum. Throws WriteError.
FileSum write_vtu(const std::string &file, vtkUnstructuredGrid *grid);

/// VTU files of one series, and the PVD file that lists them with their times.
class VtuSeries {
public:
  /// Continues after the files at these times, which exist.
  VtuSeries(const std::string &directory, const char *name, const std::vector<double> &times);

  /// Writes a grid and lists it. Throws WriteError.
  void write(vtkUnstructuredGrid *grid, double t);

  /// Returns the checksums of the files written by this object.
  const std::vector<FileSum> &sums() const { return written; }

private:
  std::string entry(double t);

  std::string directory;
  const char *name;
  unsigned int n_listed = 0;
  std::vector<FileSum> written;
  std::size_t list_end = 0; ///< position of the next entry in the PVD file
};

} // namespace percussion
