#pragma once

#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <fstream>
#include <future>
#include <string>

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
  VtuSeries(const std::string &directory, const std::string &name);

  vtkNew<vtkUnstructuredGrid> grid;

  /// Write the grid as it is, in the background: it may change meanwhile. Throws RunError where a
  /// file, this one or the one before, cannot be written.
  void write(double t);

  /// Wait for what is being written; its failure is thrown here.
  void finish();

  unsigned int size() const { return n_listed; }

private:
  void forget_ranges();
  void append_to_collection(const std::string &entry);

  std::string directory, name;
  vtkNew<vtkDoubleArray> time;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  std::ofstream collection;
  std::streamoff end_of_entries = 0;
  unsigned int n_listed = 0;
  std::future<void> being_written; ///< last: it uses the others until it is done
};

} // namespace percussion
