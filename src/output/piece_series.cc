#include "piece_series.h"

#include <percussion/base/format.h>
#include <percussion/base/processes.h>

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPointData.h>

#include "vtu_series.h"
#include <algorithm>
#include <utility>

namespace percussion {
namespace {

std::string quoted(const std::string &name, const std::string &value) {
  return " " + name + "=\"" + value + "\"";
}

/// Returns the element that declares an array.
std::string declaration(vtkDataArray *array) {
  const std::string type = vtkIdTypeArray::SafeDownCast(array) != nullptr ? "Int64\" IdType=\"1"
                           : array->GetDataType() == VTK_INT              ? "Int32"
                           : array->GetDataType() == VTK_FLOAT            ? "Float32"
                                                                          : "Float64";
  std::string text = "      <PDataArray" + quoted("type", type) + quoted("Name", array->GetName());
  const int n = array->GetNumberOfComponents();
  if (n > 1)
    text += quoted("NumberOfComponents", std::to_string(n));
  for (int i = 0; i < n && array->HasAComponentName(); ++i)
    text += quoted("ComponentName" + std::to_string(i), array->GetComponentName(i));
  return text + "/>\n";
}

std::string declarations(const std::string &element, vtkDataSetAttributes *data) {
  std::string text =
      "    <" + element + quoted("GlobalIds", data->GetGlobalIds()->GetName()) + ">\n";
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
    text += declaration(data->GetArray(i));
  return text + "    </" + element + ">\n";
}

/// Returns the index of pieces with the arrays of this grid. VTK's writer of indices belongs to a
/// parallel pipeline, which would write the pieces, too.
std::string index_of(vtkUnstructuredGrid *grid, const std::vector<std::string> &pieces) {
  std::string text = "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" "
                     "byte_order=\"LittleEndian\" header_type=\"UInt32\" "
                     "compressor=\"vtkZLibDataCompressor\">\n"
                     "  <PUnstructuredGrid GhostLevel=\"0\">\n" +
                     declarations("PPointData", grid->GetPointData()) +
                     declarations("PCellData", grid->GetCellData()) +
                     "    <PPoints>\n"
                     "      <PDataArray type=\"Float64\" Name=\"Points\" "
                     "NumberOfComponents=\"3\"/>\n"
                     "    </PPoints>\n";
  for (const std::string &piece : pieces)
    text += "    <Piece" + quoted("Source", piece) + "/>\n";
  return text + "  </PUnstructuredGrid>\n</VTKFile>\n";
}

} // namespace

PieceSeries::PieceSeries(const std::string &folder, const char *series,
                         const std::vector<unsigned int> &process_numbers, std::size_t n_instants)
    : directory(folder), name(series), writers(process_numbers),
      n_begun_instants(static_cast<unsigned int>(n_instants)) {}

std::string PieceSeries::piece_name(unsigned int number, unsigned int process) const {
  return format("%s-%06u_%u.vtu", name, number, process);
}

std::string PieceSeries::begin(double time, vtkUnstructuredGrid *grid) {
  const unsigned int number = n_begun_instants++;
  std::vector<std::string> pieces;
  for (const unsigned int process : writers)
    pieces.push_back(piece_name(number, process));
  instants.push_back({number, time, processes::is_first() ? index_of(grid, pieces) : ""});
  return directory + "/" + piece_name(number, processes::rank());
}

/// After a failure a process may have begun an instant more than another one: each sends as many
/// numbers.
void PieceSeries::collect() {
  constexpr std::size_t most_incomplete = 2; // each instant waits for its predecessor
  constexpr std::size_t n_numbers = 3, size = most_incomplete * n_numbers;
  std::vector<std::uint64_t> own_numbers(size, 0);
  for (std::size_t i = 0; i < std::min(instants.size(), most_incomplete); ++i)
    if (const auto &files = instants[i].files) {
      own_numbers[n_numbers * i] = 1;
      own_numbers[n_numbers * i + 1] = files->piece.bytes;
      own_numbers[n_numbers * i + 2] = files->piece.checksum;
    }
  const auto all = processes::gathered(own_numbers);
  for (std::size_t i = 0; i < most_incomplete; ++i) {
    const auto numbers_of = [&](std::size_t process) {
      return &all[process * size + n_numbers * i];
    };
    for (unsigned int process = 0; process < processes::number(); ++process)
      if (*numbers_of(process) == 0)
        return;
    Instant complete = std::move(instants.front());
    instants.pop_front();
    for (const unsigned int process : writers)
      complete.pieces.push_back(
          {piece_name(complete.number, process), numbers_of(process)[1], numbers_of(process)[2]});
    if (processes::is_first())
      unlisted.push_back(std::move(complete));
  }
}

void PieceSeries::list(VtuSeries &solution, VtuSeries &contacts) {
  for (; !unlisted.empty(); unlisted.pop_front()) {
    const Instant &instant = unlisted.front();
    // One of both may list it already, if the other could not be written.
    if (solution.n_instants() == instant.number)
      solution.write_index(instant.index, instant.time, instant.pieces);
    if (contacts.n_instants() == instant.number)
      contacts.list(instant.files->contacts, instant.time);
  }
}

} // namespace percussion
