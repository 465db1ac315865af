#include "vtkhdf_series.h"

#include <percussion/base/file.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/fclib/growing_file.h>
#include <percussion/output/vtu_output.h>

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace percussion {
namespace {

const std::string root = "VTKHDF/", steps = root + "Steps/", face_counts = "Percussion/Faces",
                  times_name = steps + "Values", mesh_array = "body", time_array = "TimeValue";

/// Kind of arrays: group of their rows, group of the first row of each instant, and index with the
/// number of their rows.
struct ArrayKind {
  std::string data, offsets, count;
};
const ArrayKind point_arrays = {root + "PointData/", steps + "PointDataOffsets/",
                                root + "NumberOfPoints"},
                cell_arrays = {root + "CellData/", steps + "CellDataOffsets/",
                               root + "NumberOfCells"};

/// Cells in the order of the grid, polyhedra as their faces.
struct FlatCells {
  std::vector<std::int64_t> connectivity, offsets{0};
  std::vector<std::uint8_t> types;

  void add(int type, const vtkIdType *points, vtkIdType n) {
    connectivity.insert(connectivity.end(), points, points + n);
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    types.push_back(static_cast<std::uint8_t>(type));
  }
};

/// Calls use(points, n) for the faces of a polyhedron in VTK's list: the number of faces, then of
/// each face the number of its points and the points.
template <typename Use>
void visit_faces(vtkIdList *list, const Use &use) {
  const vtkIdType *position = list->GetPointer(0);
  for (vtkIdType n = *position++; n > 0; --n) {
    use(position + 1, *position);
    position += 1 + *position;
  }
}

FlatCells flat_cells(vtkUnstructuredGrid *grid) {
  FlatCells cells;
  vtkNew<vtkIdList> list;
  for (vtkIdType i = 0; i < grid->GetNumberOfCells(); ++i)
    if (grid->GetCellType(i) == VTK_POLYHEDRON) {
      grid->GetFaceStream(i, list);
      visit_faces(list,
                  [&](const vtkIdType *points, vtkIdType n) { cells.add(VTK_POLYGON, points, n); });
    } else {
      grid->GetCellPoints(i, list);
      cells.add(grid->GetCellType(i), list->GetPointer(0), list->GetNumberOfIds());
    }
  return cells;
}

/// Returns the number of written cells for each cell of the grid; empty without polyhedra.
std::vector<std::int64_t> numbers_of_faces(vtkUnstructuredGrid *grid) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(grid->GetNumberOfCells()), 1);
  vtkNew<vtkIdList> list;
  bool has_polyhedra = false;
  for (vtkIdType i = 0; i < grid->GetNumberOfCells(); ++i)
    if (grid->GetCellType(i) == VTK_POLYHEDRON) {
      grid->GetFaceStream(i, list);
      numbers[static_cast<std::size_t>(i)] = list->GetId(0);
      has_polyhedra = true;
    }
  return has_polyhedra ? numbers : std::vector<std::int64_t>();
}

NumberType type_of(vtkDataArray *array) {
  return array->GetDataType() == VTK_INT     ? NumberType::int32
         : array->GetDataType() == VTK_FLOAT ? NumberType::float32
                                             : NumberType::float64;
}

/// Returns the rows of an array of cells, each repeated for the faces of its cell.
std::string repeated_rows(vtkDataArray *array, const std::vector<std::int64_t> &repetitions) {
  const auto size =
      static_cast<std::size_t>(array->GetDataTypeSize() * array->GetNumberOfComponents());
  const char *row = static_cast<const char *>(array->GetVoidPointer(0));
  std::string bytes;
  for (const std::int64_t n : repetitions) {
    for (std::int64_t k = 0; k < n; ++k)
      bytes.append(row, size);
    row += size;
  }
  return bytes;
}

std::vector<vtkDataArray *> arrays_of(vtkDataSetAttributes *data) {
  std::vector<vtkDataArray *> arrays;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
    arrays.push_back(data->GetArray(i));
  return arrays;
}

/// Instants of an open file.
class Instants {
public:
  Instants(GrowingFile &open_file, StoredMesh stored_mesh) : file(open_file), mesh(stored_mesh) {}

  /// Creates everything but rows, for grids with the arrays of this one.
  void create(vtkUnstructuredGrid *grid) {
    for (const char *const group : {"VTKHDF", "Percussion"})
      file.create_group(group);
    file.set_integers("VTKHDF", "Version", {2, 0});
    file.create_text("VTKHDF", "Type", "UnstructuredGrid");
    for (const char *const group :
         {"PointData", "CellData", "FieldData", "Steps", "Steps/PointDataOffsets",
          "Steps/CellDataOffsets", "Steps/FieldDataOffsets"})
      file.create_group(root + group);
    file.set_integers("VTKHDF/Steps", "NSteps", {0});
    create_index();
    const FlatCells cells = flat_cells(grid);
    const auto rows = [&](std::size_t n) {
      return mesh == StoredMesh::once ? std::clamp<std::size_t>(n, 1, most_chunk_rows)
                                      : chunk_of_contacts;
    };
    const std::size_t points = rows(static_cast<std::size_t>(grid->GetNumberOfPoints())),
                      n_cells = rows(cells.types.size());
    file.create_columns(root + "Points", NumberType::float64, 3, points, true);
    file.create_columns(root + "Connectivity", NumberType::int64, 0,
                        rows(cells.connectivity.size()), true);
    file.create_columns(root + "Offsets", NumberType::int64, 0, n_cells, true);
    file.create_columns(root + "Types", NumberType::uint8, 0, n_cells, true);
    file.create_columns(face_counts, NumberType::int64, 0, n_cells, true);
    create_arrays(point_arrays, grid->GetPointData(), points);
    create_arrays(cell_arrays, grid->GetCellData(), n_cells);
  }

  void append(vtkUnstructuredGrid *grid, double t) {
    const auto k = static_cast<std::int64_t>(n_recorded());
    const bool has_mesh = k == 0 || mesh == StoredMesh::each_instant;
    const std::vector<std::int64_t> repetitions = numbers_of_faces(grid);
    append_offsets();
    if (has_mesh)
      append_mesh(grid, repetitions);
    file.append(steps + "FieldDataOffsets/" + time_array, k);
    file.append(root + "FieldData/" + time_array, &t, 1);
    for (vtkDataArray *const array : arrays_of(grid->GetPointData()))
      append_array(point_arrays, array, array->GetVoidPointer(0), array->GetNumberOfTuples());
    for (vtkDataArray *const array : arrays_of(grid->GetCellData())) {
      if (array->GetName() == mesh_array && !has_mesh) {
        file.append(cell_arrays.offsets + mesh_array, 0);
      } else if (repetitions.empty()) {
        append_array(cell_arrays, array, array->GetVoidPointer(0), array->GetNumberOfTuples());
      } else {
        const std::string rows = repeated_rows(array, repetitions);
        append_array(cell_arrays, array, rows.data(), n_cells(partition_of(k)));
      }
    }
    file.append(times_name, &t, 1);
    file.set_integers("VTKHDF/Steps", "NSteps", {k + 1});
  }

  /// Removes everything after n > 0 instants.
  void cut(std::size_t n) {
    const std::size_t last = n - 1, partition = partition_of(static_cast<std::int64_t>(last));
    const auto end = [&](const std::string &offsets, std::size_t count) {
      return static_cast<std::size_t>(file.integer(steps + offsets, last)) + count;
    };
    const std::size_t points = end("PointOffsets", n_points(partition)),
                      n_cells_end = end("CellOffsets", n_cells(partition)),
                      corners = end("ConnectivityIdOffsets",
                                    number(root + "NumberOfConnectivityIds", partition));
    for (const ArrayKind &kind : {point_arrays, cell_arrays})
      for (const std::string &name : file.names(kind.data)) {
        file.cut(kind.data + name, first_row(kind, name, last) + number(kind.count, partition));
        file.cut(kind.offsets + name, n);
      }
    file.cut(root + "Points", points);
    file.cut(root + "Connectivity", corners);
    file.cut(root + "Types", n_cells_end);
    file.cut(root + "Offsets", n_cells_end + partition + 1);
    for (const char *const name : partition_columns)
      file.cut(root + name, partition + 1);
    file.cut(root + "FieldData/" + time_array, n);
    for (const char *const name : step_columns)
      file.cut(steps + name, n);
    file.set_integers("VTKHDF/Steps", "NSteps", {static_cast<std::int64_t>(n)});
  }

  /// Adds the content of an instant to a checksum: its time, its arrays, and its mesh if it has one
  /// of its own.
  void add_to(FileSum &sum, std::size_t k) const {
    const std::size_t partition = partition_of(static_cast<std::int64_t>(k));
    const auto add = [&](const std::string &name, std::size_t first, std::size_t n) {
      const std::string bytes = file.rows(name, first, n);
      sum.bytes += bytes.size();
      sum.checksum = crc64(bytes, sum.checksum);
    };
    add(times_name, k, 1);
    if (k == 0 || mesh == StoredMesh::each_instant) {
      const auto first = [&](const char *const name) {
        return static_cast<std::size_t>(file.integer(steps + name, k));
      };
      add(root + "Points", first("PointOffsets"), n_points(partition));
      add(root + "Connectivity", first("ConnectivityIdOffsets"),
          number(root + "NumberOfConnectivityIds", partition));
      add(root + "Offsets", first("CellOffsets") + partition, n_cells(partition) + 1);
      add(root + "Types", first("CellOffsets"), n_cells(partition));
    }
    for (const ArrayKind &kind : {point_arrays, cell_arrays})
      for (const std::string &name : file.names(kind.data))
        add(kind.data + name, first_row(kind, name, k), number(kind.count, partition));
  }

  std::size_t n_recorded() const { return file.n_rows(times_name); }

private:
  static constexpr std::size_t most_chunk_rows = 1u << 24, chunk_of_contacts = 1024,
                               chunk_of_index = 64;
  static constexpr const char *partition_columns[] = {"NumberOfPoints", "NumberOfCells",
                                                      "NumberOfConnectivityIds"};
  static constexpr const char *step_columns[] = {"Values",
                                                 "PartOffsets",
                                                 "NumberOfParts",
                                                 "PointOffsets",
                                                 "CellOffsets",
                                                 "ConnectivityIdOffsets",
                                                 "FieldDataOffsets/TimeValue"};

  void create_index() {
    for (const char *const name : partition_columns)
      file.create_columns(root + name, NumberType::int64, 0, chunk_of_index, false);
    for (const std::string name : step_columns) {
      const bool has_topologies = name == "CellOffsets" || name == "ConnectivityIdOffsets";
      file.create_columns(steps + name, name == "Values" ? NumberType::float64 : NumberType::int64,
                          has_topologies ? 1 : 0, chunk_of_index, false);
    }
    file.create_columns(root + "FieldData/" + time_array, NumberType::float64, 0, chunk_of_index,
                        false);
  }

  /// A chunk has the rows of an instant, so that an instant is written and read as a whole.
  void create_arrays(const ArrayKind &kind, vtkDataSetAttributes *data, std::size_t chunk_rows) {
    for (vtkDataArray *const array : arrays_of(data)) {
      const int width = array->GetNumberOfComponents();
      file.create_columns(kind.data + array->GetName(), type_of(array),
                          width == 1 ? 0 : static_cast<std::size_t>(width), chunk_rows, true);
      file.create_columns(kind.offsets + array->GetName(), NumberType::int64, 0, chunk_of_index,
                          false);
    }
  }

  /// Appends the rows at which the mesh of the next instant begins.
  void append_offsets() {
    const bool is_shared = mesh == StoredMesh::once;
    const auto rows = [&](const char *const name) {
      return is_shared ? 0 : static_cast<std::int64_t>(file.n_rows(root + name));
    };
    file.append(steps + "PartOffsets", rows("NumberOfPoints"));
    file.append(steps + "NumberOfParts", 1);
    file.append(steps + "PointOffsets", rows("Points"));
    file.append(steps + "CellOffsets", rows("Types"));
    file.append(steps + "ConnectivityIdOffsets", rows("Connectivity"));
  }

  void append_mesh(vtkUnstructuredGrid *grid, const std::vector<std::int64_t> &repetitions) {
    const FlatCells cells = flat_cells(grid);
    file.append(root + "NumberOfPoints", grid->GetNumberOfPoints());
    file.append(root + "NumberOfCells", static_cast<std::int64_t>(cells.types.size()));
    file.append(root + "NumberOfConnectivityIds",
                static_cast<std::int64_t>(cells.connectivity.size()));
    const auto n = static_cast<std::size_t>(grid->GetNumberOfPoints());
    if (n > 0)
      file.append(root + "Points", grid->GetPoints()->GetVoidPointer(0), n);
    file.append(root + "Connectivity", cells.connectivity.data(), cells.connectivity.size());
    file.append(root + "Offsets", cells.offsets.data(), cells.offsets.size());
    file.append(root + "Types", cells.types.data(), cells.types.size());
    file.append(face_counts, repetitions.data(), repetitions.size());
  }

  void append_array(const ArrayKind &kind, vtkDataArray *array, const void *data, std::int64_t n) {
    const std::string name = array->GetName();
    file.append(kind.offsets + name, static_cast<std::int64_t>(file.n_rows(kind.data + name)));
    file.append(kind.data + name, data, static_cast<std::size_t>(n));
  }

  std::size_t partition_of(std::int64_t k) const {
    return mesh == StoredMesh::once ? 0 : static_cast<std::size_t>(k);
  }
  std::size_t number(const std::string &name, std::size_t row) const {
    return static_cast<std::size_t>(file.integer(name, row));
  }
  std::size_t n_points(std::size_t partition) const {
    return number(point_arrays.count, partition);
  }
  std::size_t n_cells(std::size_t partition) const { return number(cell_arrays.count, partition); }
  std::size_t first_row(const ArrayKind &kind, const std::string &name, std::size_t k) const {
    return number(kind.offsets + name, k);
  }

  GrowingFile &file;
  StoredMesh mesh;
};

StoredMesh stored_mesh_of(const std::string &name) {
  return name == std::string(vtu_series[0]) + vtkhdf_ending ? StoredMesh::once
                                                            : StoredMesh::each_instant;
}

} // namespace

VtkHdfSeries::VtkHdfSeries(const std::string &directory, const char *name,
                           const std::vector<double> &times, StoredMesh stored_mesh)
    : path(directory + "/" + name + vtkhdf_ending), mesh(stored_mesh),
      n_instants(times.size()), sum{std::string(name) + vtkhdf_ending} {
  if (times.empty())
    return;
  const NoFloatingPointTraps no_traps;
  {
    GrowingFile file(path, GrowingFile::Mode::change);
    Instants(file, mesh).cut(n_instants);
    file.complete();
  }
  GrowingFile file(path, GrowingFile::Mode::read);
  for (std::size_t k = 0; k < n_instants; ++k)
    Instants(file, mesh).add_to(sum, k);
}

void VtkHdfSeries::write(vtkUnstructuredGrid *grid, double t) {
  const NoFloatingPointTraps no_traps; // gaps may be NaN
  using Mode = GrowingFile::Mode;
  {
    GrowingFile file(path, n_instants == 0 ? Mode::create : Mode::change);
    Instants instants(file, mesh);
    if (n_instants == 0)
      instants.create(grid);
    instants.append(grid, t);
    file.complete();
  }
  GrowingFile file(path, Mode::read);
  Instants(file, mesh).add_to(sum, n_instants);
  ++n_instants;
}

std::vector<FileSum> VtkHdfSeries::sums() const {
  return n_instants == 0 ? std::vector<FileSum>() : std::vector{sum};
}

bool is_vtkhdf(const std::string &name) {
  return std::filesystem::path(name).extension() == vtkhdf_ending;
}

void check_unchanged_instants(const std::string &folder, const FileSum &sum) {
  const NoFloatingPointTraps no_traps;
  const std::string path = folder + "/" + sum.name;
  GrowingFile file(path, GrowingFile::Mode::read);
  const Instants instants(file, stored_mesh_of(sum.name));
  FileSum found{sum.name};
  for (std::size_t k = 0; found.bytes < sum.bytes && k < instants.n_recorded(); ++k)
    instants.add_to(found, k);
  if (found.bytes < sum.bytes)
    throw RunError(path + ": has fewer instants than at the checkpoint: it was changed since");
  if (found.bytes != sum.bytes || found.checksum != sum.checksum)
    throw RunError(path + ": its content differs from the content at the checkpoint: the file was "
                          "changed since");
}

} // namespace percussion
