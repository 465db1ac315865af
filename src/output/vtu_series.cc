#include "vtu_series.h"

#include <percussion/base/floating_point_traps.h>
#include <percussion/output/vtu_list.h>

#include <vtkFieldData.h>
#include <vtkSmartPointer.h>
#include <vtkXMLUnstructuredGridWriter.h>

namespace percussion {
namespace {

/// Encoded within the text, not raw behind it: ParaView 5.11 of Debian 12 does not find where raw
/// data begin with the expat 2.5.0-1+deb12u2 that comes with it. Into memory and from there to the
/// file at once: the writer flushes after every element.
std::string vtu_text(vtkUnstructuredGrid *grid) {
  const NoFloatingPointTraps of_vtk; // gaps may be NaN
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToLZ4();
  writer->WriteToOutputStringOn();
  writer->Write();
  return writer->GetOutputString();
}

} // namespace

VtuSeries::VtuSeries(BackgroundWriter &background, const std::string &dir,
                     const std::string &series_name, const std::vector<double> &times)
    : files(background), directory(dir), name(series_name) {
  time->SetName("TimeValue");
  time->SetNumberOfTuples(1);
  grid->GetFieldData()->AddArray(time);
  for (const double t : times)
    add_to_list(t);
  write_list();
}

void VtuSeries::write(double t) {
  time->SetValue(0, t);
  // A copy of its own for each file: VTK keeps in an array the range of its values once it has
  // looked for it, and would write it as a remark into all later files.
  const auto now = vtkSmartPointer<vtkUnstructuredGrid>::New();
  now->DeepCopy(grid);
  files.write(
      directory + "/" + vtu_name(name, n_listed), [now] { return vtu_text(now); },
      1024 * now->GetActualMemorySize());
  add_to_list(t);
  write_list();
}

void VtuSeries::add_to_list(double t) { list += pvd_entry(name, n_listed++, t); }

void VtuSeries::write_list() { files.write_list(directory + "/" + name + ".pvd", pvd_text(list)); }

} // namespace percussion
