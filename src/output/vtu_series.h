#pragma once

#include <percussion/base/checksum.h>

#include <vtkUnstructuredGrid.h>

#include <string>
#include <vector>

namespace percussion {

/// VTU files of one kind and the PVD file that lists them with their times.
class VtuSeries {
public:
  /// Continue after the files of these times, which exist.
  VtuSeries(const std::string &directory, const char *name, const std::vector<double> &times);

  /// Write a grid and list it. Throws WriteError.
  void write(vtkUnstructuredGrid *grid, double t);

  /// Sums of the files that this object has written.
  const std::vector<FileSum> &sums() const { return written; }

private:
  std::string entry(double t);

  std::string directory;
  const char *name;
  unsigned int n_listed = 0;
  std::vector<FileSum> written;
  std::size_t list_end = 0; ///< where the next entry of the PVD file begins
};

} // namespace percussion
