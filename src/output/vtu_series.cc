#include "vtu_series.h"

#include <percussion/io/floating_point_traps.h>

#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <cstdio>

namespace percussion {
namespace {

std::string file_name(const std::string &series, unsigned int number) {
  char text[64];
  std::snprintf(text, sizeof text, "%s-%06u.vtu", series.c_str(), number);
  return text;
}

} // namespace

VtuSeries::VtuSeries(BackgroundWriter &background, const std::string &dir,
                     const std::string &series_name, const std::vector<double> &times)
    : files(background), directory(dir), name(series_name) {
  time->SetName("TimeValue");
  time->SetNumberOfTuples(1);
  grid->GetFieldData()->AddArray(time);
  writer->SetInputData(grid);
  // Encoded within the text, not raw behind it: ParaView 5.11 of Debian 12 does not find where raw
  // data begin with the expat 2.5.0-1+deb12u2 that comes with it.
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToLZ4();
  // Into memory and from there to the file at once: the writer flushes after every element, which
  // would make writing a large part of a run.
  writer->WriteToOutputStringOn();
  for (const double t : times)
    add_to_list(t);
  write_list();
}

void VtuSeries::write(double t) {
  time->SetValue(0, t);
  forget_ranges();
  const NoFloatingPointTraps of_vtk; // gaps may be NaN
  writer->Write();
  files.write(directory + "/" + file_name(name, n_listed), writer->GetOutputString());
  add_to_list(t);
  write_list();
}

void VtuSeries::add_to_list(double t) {
  char entry[160];
  std::snprintf(entry, sizeof entry, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                t, file_name(name, n_listed).c_str());
  list += entry;
  ++n_listed;
}

void VtuSeries::write_list() {
  files.write_list(directory + "/" + name + ".pvd", "<?xml version=\"1.0\"?>\n"
                                                    "<VTKFile type=\"Collection\" version=\"1.0\" "
                                                    "byte_order=\"LittleEndian\">\n"
                                                    "  <Collection>\n" +
                                                        list + "  </Collection>\n</VTKFile>\n");
}

/// Arrays keep the range of their values until they are told to have changed, and what was written
/// of it once would be written as a remark in all later files.
void VtuSeries::forget_ranges() {
  const auto forget = [](vtkAbstractArray *array) {
    array->Modified();
    if (array->HasInformation())
      array->GetInformation()->Clear();
  };
  forget(time);
  forget(grid->GetPoints()->GetData());
  vtkFieldData *const all[] = {grid->GetPointData(), grid->GetCellData()};
  for (vtkFieldData *const data : all)
    for (int k = 0; k < data->GetNumberOfArrays(); ++k)
      forget(data->GetAbstractArray(k));
  grid->Modified();
}

} // namespace percussion
