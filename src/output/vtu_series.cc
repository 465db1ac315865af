#include "vtu_series.h"

#include <percussion/base/file.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/format.h>
#include <percussion/output/vtu_output.h>

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputStream.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <streambuf>

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

/// Passes bytes to a file up to the first failure, which VTK must not see: it does not report the
/// reason, and may crash.
class BytesOfFile : public std::streambuf {
public:
  explicit BytesOfFile(std::streambuf &destination) : file(destination) {}
  /// Returns errno of the first failure; 0 if there was none.
  int reason() const { return first_failure; }

protected:
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    xsputn(&byte, 1);
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char *bytes, std::streamsize n) override {
    if (first_failure == 0)
      note(file.sputn(bytes, n) == n);
    return n;
  }
  pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                   std::ios_base::openmode mode) override {
    return first_failure == 0 ? noted(file.pubseekoff(offset, from, mode)) : pos_type(0);
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode mode) override {
    return first_failure == 0 ? noted(file.pubseekpos(position, mode)) : pos_type(0);
  }

private:
  void note(bool succeeded) {
    if (!succeeded)
      first_failure = errno;
  }
  pos_type noted(pos_type position) {
    note(position != pos_type(off_type(-1)));
    return first_failure == 0 ? position : pos_type(0);
  }

  std::streambuf &file;
  int first_failure = 0;
};

/// Writer to a stream. VTK itself writes files, or strings, which it copies.
class VtuWriter : public vtkXMLUnstructuredGridWriter {
public:
  static VtuWriter *New();
  void set_stream(std::ostream &s) {
    stream = &s;
    WriteToOutputStringOn(); // an empty string, instead of a file
  }

protected:
  int StartFile() override {
    Stream = stream;
    GetDataStream()->SetStream(stream);
    return vtkXMLUnstructuredGridWriter::StartFile();
  }

private:
  std::ostream *stream = nullptr;
};
vtkStandardNewMacro(VtuWriter);

void write(vtkUnstructuredGrid *grid, std::ostream &stream) {
  const NoFloatingPointTraps no_traps; // gaps may be NaN
  vtkNew<VtuWriter> writer;
  writer->SetInputData(grid);
  writer->SetDataModeToBinary(); // base64: ParaView 5.11 on Debian 12 cannot read raw appended data
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);
  writer->set_stream(stream);
  writer->Write();
}

} // namespace

FileSum write_vtu(const std::string &file, vtkUnstructuredGrid *grid) {
  write_file(file, [grid](std::ostream &destination) {
    BytesOfFile bytes(*destination.rdbuf());
    std::ostream stream(&bytes);
    percussion::write(grid, stream);
    if (bytes.reason() == 0)
      return;
    destination.setstate(std::ios::badbit);
    errno = bytes.reason();
  });
  return sum_of_file(file); // VTK writes the head of compressed data after the data
}

FileSum write_vtu(const std::string &file, vtkUnstructuredGrid *grid, double t) {
  vtkNew<vtkDoubleArray> time;
  time->SetName("TimeValue");
  time->InsertNextValue(t);
  grid->GetFieldData()->AddArray(time);
  return write_vtu(file, grid);
}

std::string vtu_name(const char *series, unsigned int number) {
  return format("%s-%06u.vtu", series, number);
}

std::string pvtu_name(const char *series, unsigned int number) {
  return format("%s-%06u.pvtu", series, number);
}

std::string name_of_instant(const std::string &folder, const char *series, unsigned int number) {
  const std::string index = pvtu_name(series, number);
  return std::filesystem::exists(folder + "/" + index) ? index : vtu_name(series, number);
}

VtuSeries::VtuSeries(const std::string &folder, const char *series,
                     const std::vector<double> &times)
    : directory(folder), name(series) {
  std::string text = list_head;
  for (const double t : times)
    text += entry(t, name_of_instant(directory, name, n_listed++));
  list_end = text.size();
  write_file(directory + "/" + name + ".pvd", text + list_tail);
}

void VtuSeries::write(vtkUnstructuredGrid *grid, double t) {
  list(write_vtu(file(n_listed), grid, t), t);
}

void VtuSeries::write_index(const std::string &index, double t,
                            const std::vector<FileSum> &pieces) {
  const std::string index_name = pvtu_name(name, n_listed);
  write_file(directory + "/" + index_name, index);
  list({index_name, index.size(), crc64(index)}, t);
  written.insert(written.end(), pieces.begin(), pieces.end());
}

std::string VtuSeries::file(std::size_t number) const {
  return directory + "/" + vtu_name(name, static_cast<unsigned int>(number));
}

void VtuSeries::list(const FileSum &file_sum, double t) {
  const std::string added = entry(t, file_sum.name);
  replace_end(directory + "/" + name + ".pvd", list_end, added + list_tail, list_tail);
  written.push_back(file_sum);
  list_end += added.size();
  ++n_listed;
}

std::string VtuSeries::entry(double t, const std::string &file) const {
  return format("    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", t, file.c_str());
}

} // namespace percussion
