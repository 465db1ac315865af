#include "mesh_model_of_file.h"

#include <percussion/base/child_process.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/missing_file.h>
#include <percussion/base/plain_text.h>
#include <percussion/base/processes.h>

#include "abaqus_mesh.h"
#include "gmsh_model.h"
#include "mesh_bytes.h"
#include "mesh_file.h"
#include "mesh_format.h"
#include "nastran_file.h"
#include "vtk_mesh.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace percussion {

namespace fs = std::filesystem;

bool is_geometry(const std::string &file) { return mesh_format(file) == MeshFormat::geometry; }
bool is_cad(const std::string &file) { return mesh_format(file) == MeshFormat::cad; }

namespace {

/// Returns the longest processor time for a file [s]: a hundred times the time that a slow machine
/// needs for its bytes. Geometries, which may take hours to mesh, have no limit (0).
double time_limit(const std::string &file) {
  constexpr double shortest = 20, bytes_per_second = 1e5;
  std::error_code error;
  const auto size = static_cast<double>(fs::file_size(file, error));
  return is_geometry(file) || is_cad(file) || error ? 0. : shortest + size / bytes_per_second;
}

void check_exists(const std::string &file) {
  std::error_code error;
  if (const std::string reason = obstacle(file); !reason.empty())
    throw InputError("the file '" + file + "' cannot be read (" + reason + ")");
  if (!fs::exists(file, error))
    throw InputError("there is no file '" + file + "'" + similar_file(file));
  if (fs::is_directory(file, error))
    throw InputError("this is a directory, not a mesh file");
  if (!fs::is_regular_file(file, error)) // a pipe or device may never end
    throw InputError("this is not a regular file");
}

/// Refuses texts in UTF-16, which no reader of meshes takes.
void check_encoding(const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  std::string mark(2, '\0');
  stream.read(mark.data(), 2);
  plain_text(mark);
}

std::string text_of(const std::string &file) { return plain_text(read_file(file).value_or("")); }

void check_nodes(const MeshModel &model, unsigned int dim) {
  double extent = 0;
  for (const auto &x : model.nodes)
    for (unsigned int d = 0; d < dim; ++d)
      extent = std::max(extent, std::abs(x[d]));
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto &x = model.nodes[i];
    const bool usable = std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]) < 1e100; // false for NaN
    if (usable && (dim == 3 || std::abs(x[2]) <= 1e-10 * extent))
      continue;
    std::ostringstream message;
    message << "node " << model.tags[i] << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ") "
            << (usable ? "lies off the plane z = 0; a 2D mesh lies in it (Gmsh: Translate or "
                         "Rotate the geometry)"
                       : "is not a finite number or too far away to compute with; choose other "
                         "units");
    throw InputError(message.str());
  }
}

bool is_nastran(const std::string &file) {
  std::string ending = fs::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".bdf" || ending == ".nas";
}

MeshModel read_model(const MeshSource &source, unsigned int dim, int version) {
  if (is_nastran(source.file))
    expect_properties(text_of(source.file));
  switch (mesh_format(source.file)) {
  case MeshFormat::abaqus:
    return read_abaqus_mesh(text_of(source.file), dim);
  case MeshFormat::vtk:
    return read_vtk_mesh(source.file, dim);
  default:
    return model_of_gmsh(source, dim, version);
  }
}

/// Returns the bytes of the model that a child process reads.
std::string bytes_of_model(const MeshSource &source, unsigned int dim) {
  check_exists(source.file);
  check_encoding(source.file);
  const bool geometry = is_geometry(source.file);
  if (const auto text = geometry ? read_file(source.file) : std::nullopt;
      text && length_of_byte_order_mark(*text) > 0)
    throw InputError("the geometry begins with a byte order mark, which Gmsh does not read; save "
                     "it as UTF-8 without one");
  const int version =
      mesh_format(source.file) == MeshFormat::gmsh ? checked_version(source.file) : 0;
  const auto read = [&] {
    MeshModel model = read_model(source, dim, version);
    for (auto &x : model.nodes)
      for (double &coordinate : x)
        coordinate *= source.unit;
    check_nodes(model, dim);
    return to_bytes(model);
  };
  try {
    return run_in_child(read, time_limit(source.file));
  } catch (const ChildFailure &failure) {
    const MeshFormat format = mesh_format(source.file);
    const std::string kind = geometry ? "geometry" : "mesh";
    throw InputError((format == MeshFormat::abaqus ? "this " + kind + " cannot be read"
                      : format == MeshFormat::vtk  ? "VTK cannot read this " + kind
                                                   : "Gmsh cannot read this " + kind) +
                     " (" + failure.what() + ")" +
                     (geometry ? "" : "; the file may be damaged: write it again"));
  }
}

/// Returns the dimension of a file that is opened in a child process.
unsigned int dimension_in_child(const MeshSource &source) {
  const auto read = [&]() -> unsigned int {
    switch (mesh_format(source.file)) {
    case MeshFormat::abaqus:
      return abaqus_dimension(text_of(source.file));
    case MeshFormat::vtk:
      return vtk_dimension(source.file);
    default:
      return dimension_by_gmsh(source);
    }
  };
  try {
    const std::string dimension =
        run_in_child([&] { return std::to_string(read()); }, time_limit(source.file));
    return dimension == "3" ? 3 : 2;
  } catch (const std::exception &) { // reported when the mesh is read
    return 2;
  }
}

} // namespace

unsigned int body_dimension(const MeshSource &source) {
  std::error_code error;
  if (!fs::is_regular_file(source.file, error))
    return 2;
  if (mesh_format(source.file) == MeshFormat::gmsh) {
    int largest = 0;
    for_each_group(source.file, [&](int dimension, const std::string &) {
      largest = std::max(largest, dimension);
    });
    if (largest > 0)
      return largest < 3 ? 2 : 3;
    try { // without names all cells are the body
      checked_version(source.file);
    } catch (const InputError &) { // reported when the mesh is read
      return 2;
    }
  }
  if (is_geometry(source.file)) {
    const std::string text = read_file(source.file).value_or("");
    const auto contains = [&](const char *word) { return text.find(word) != std::string::npos; };
    if (!contains("Volume") && !contains("Include") && !contains("Merge"))
      return 2;
  }
  return dimension_in_child(source);
}

MeshModel read_mesh_model(const MeshSource &source, unsigned int dim) {
  const std::string bytes = processes::broadcast_bytes([&] { return bytes_of_model(source, dim); });
  try {
    return to_model(bytes, dim);
  } catch (const ChildFailure &failure) {
    throw InputError("this mesh cannot be read (" + std::string(failure.what()) + ")");
  }
}

} // namespace percussion
