#include "vtu_series.h"

#include <percussion/base/file.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/format.h>
#include <percussion/output/vtu_output.h>

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace percussion {
namespace {

const std::string list_head =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
    "  <Collection>\n";
const std::string list_tail = "  </Collection>\n</VTKFile>\n";

/// Replaces the end of a file, from the byte `begin` on, by one system call. If the disk is full,
/// restores the old end and throws WriteError.
void replace_end(const std::string &file, std::size_t begin, const std::string &new_end,
                 const std::string &old_end) {
  std::ofstream stream(file, std::ios::binary | std::ios::in); // keeps the content of the file
  if (stream.seekp(static_cast<std::streamoff>(begin)) << new_end << std::flush)
    return;
  const int reason = errno;
  std::error_code ignored;
  std::filesystem::resize_file(file, begin, ignored);
  std::ofstream(file, std::ios::binary | std::ios::in | std::ios::ate) << old_end;
  errno = reason;
  throw_write_error(file);
}

} // namespace

std::string vtu_text(vtkUnstructuredGrid *grid) {
  const NoFloatingPointTraps of_vtk; // gaps may be NaN
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetDataModeToBinary(); // base64: ParaView 5.11 on Debian 12 cannot read raw appended data
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);
  writer->WriteToOutputStringOn(); // VTK does not say why a file cannot be written
  writer->Write();
  return writer->GetOutputString();
}

std::string vtu_name(const char *series, unsigned int number) {
  return format("%s-%06u.vtu", series, number);
}

VtuSeries::VtuSeries(const std::string &folder, const char *series,
                     const std::vector<double> &times)
    : directory(folder), name(series) {
  std::string list = list_head;
  for (const double t : times)
    list += entry(t);
  list_end = list.size();
  write_file(directory + "/" + name + ".pvd", list + list_tail);
}

void VtuSeries::write(vtkUnstructuredGrid *grid, double t) {
  vtkNew<vtkDoubleArray> time;
  time->SetName("TimeValue");
  time->InsertNextValue(t);
  grid->GetFieldData()->AddArray(time);
  const std::string file = vtu_name(name, n_listed), text = vtu_text(grid);
  write_file(directory + "/" + file, text);
  written.push_back({file, text.size(), crc64(text)});
  const std::string added = entry(t);
  replace_end(directory + "/" + name + ".pvd", list_end, added + list_tail, list_tail);
  list_end += added.size();
}

std::string VtuSeries::entry(double t) {
  return format("    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", t,
                vtu_name(name, n_listed++).c_str());
}

} // namespace percussion
