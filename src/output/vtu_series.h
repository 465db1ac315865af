#pragma once

#include <percussion/output/background_writer.h>

#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

#include <string>
#include <vector>

namespace percussion {

/// A named array of a grid's points or cells, set to a value.
template <typename Array>
Array *add_array(vtkDataSetAttributes *data, const char *name, int components, vtkIdType n,
                 double value) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(n);
  array->Fill(value);
  data->AddArray(array);
  return array; // the grid keeps it alive
}

/// VTU files of one kind that a PVD file lists with their times.
class VtuSeries {
public:
  /// Go on behind the files of these times, which are there; without any, begin.
  VtuSeries(BackgroundWriter &files, const std::string &directory, const std::string &name,
            const std::vector<double> &times);

  vtkNew<vtkUnstructuredGrid> grid;

  /// Write the grid as it is now, in the background: it may change meanwhile. Throws RunError where
  /// an earlier file cannot be written.
  void write(double t);

private:
  void add_to_list(double t);
  void write_list();

  BackgroundWriter &files;
  std::string directory, name;
  vtkNew<vtkDoubleArray> time;
  std::string list; ///< entries of the PVD file
  std::size_t n_listed = 0;
};

} // namespace percussion
