#include "vtu_series.h"

#include <percussion/algebra/floating_point_traps.h>
#include <percussion/io/error.h>

#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkPointData.h>

#include <cstdio>

namespace percussion {
namespace {

void write_file(const std::string &file, const std::string &content) {
  std::ofstream out(file, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out)
    throw RunError(file + ": cannot be written (disk full, or no permission?)");
}

} // namespace

VtuSeries::VtuSeries(const std::string &dir, const std::string &series_name)
    : directory(dir), name(series_name) {
  time->SetName("TimeValue");
  time->SetNumberOfTuples(1);
  grid->GetFieldData()->AddArray(time);
  writer->SetInputData(grid);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetCompressorTypeToLZ4();
  // Into memory and from there to the file at once: the writer flushes after every element, which
  // would make writing a large part of a run.
  writer->WriteToOutputStringOn();
  collection.open(directory + "/" + name + ".pvd", std::ios::binary);
  append_to_collection("<?xml version=\"1.0\"?>\n"
                       "<VTKFile type=\"Collection\" version=\"1.0\" "
                       "byte_order=\"LittleEndian\">\n"
                       "  <Collection>\n");
}

void VtuSeries::write(double t) {
  char file[64];
  std::snprintf(file, sizeof file, "%s-%06u.vtu", name.c_str(), n_listed);
  time->SetValue(0, t);
  forget_ranges();
  const NoFloatingPointTraps of_vtk; // gaps may be NaN
  writer->Write();
  char entry[160];
  std::snprintf(entry, sizeof entry, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                t, file);
  finish();
  being_written = std::async(std::launch::async,
                             [this, path = directory + "/" + file,
                              content = writer->GetOutputString(), entry = std::string(entry)] {
                               write_file(path, content);
                               append_to_collection(entry);
                             });
  ++n_listed;
}

void VtuSeries::finish() {
  if (being_written.valid())
    being_written.get();
}

/// Arrays keep the range of their values until they are told to have changed.
void VtuSeries::forget_ranges() {
  time->Modified();
  vtkFieldData *const all[] = {grid->GetPointData(), grid->GetCellData()};
  for (vtkFieldData *const data : all)
    for (int k = 0; k < data->GetNumberOfArrays(); ++k)
      data->GetAbstractArray(k)->Modified();
  grid->Modified();
}

/// The new entry takes the place of the closing tags and brings them again, in one write, so that
/// the list is complete at every moment.
void VtuSeries::append_to_collection(const std::string &entry) {
  const std::string closing_tags = "  </Collection>\n</VTKFile>\n";
  collection.seekp(end_of_entries);
  collection << entry << closing_tags << std::flush;
  if (!collection)
    throw RunError(directory + "/" + name +
                   ".pvd: cannot be written (disk full, or no permission?)");
  end_of_entries += static_cast<std::streamoff>(entry.size());
}

} // namespace percussion
