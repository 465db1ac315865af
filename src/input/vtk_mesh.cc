#include "vtk_mesh.h"

#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/plain_text.h>

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "curved_element.h"
#include "element_faces.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

namespace percussion {
namespace {

/// First error that a reader of VTK reports.
class ErrorObserver : public vtkCommand {
public:
  static ErrorObserver *New() { return new ErrorObserver; }
  void Execute(vtkObject *, unsigned long, void *text) override {
    if (message.empty() && text != nullptr) // "ERROR: In file, line n", and "class (address): text"
      message = std::regex_replace(static_cast<const char *>(text),
                                   std::regex("^ERROR:[^\n]*\n[^\n]*\\(0x[0-9a-f]*\\): |\n"), "");
  }
  std::string message;
};

template <typename Reader>
vtkSmartPointer<vtkUnstructuredGrid> read_with(Reader *reader, const std::string &file) {
  vtkNew<ErrorObserver> errors;
  reader->AddObserver(vtkCommand::ErrorEvent, errors);
  reader->SetFileName(file.c_str());
  reader->Update();
  vtkSmartPointer<vtkUnstructuredGrid> grid = reader->GetOutput();
  const std::string &message = errors->message;
  if (!message.empty() || grid == nullptr || grid->GetNumberOfCells() == 0)
    throw InputError("VTK reads no unstructured grid with cells from this file (" +
                     (!message.empty()
                          ? message
                          : "it has " + std::to_string(grid ? grid->GetNumberOfPoints() : 0) +
                                " points and no cells") +
                     "); if it is cut off, write it again");
  return grid;
}

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::string &file) {
  std::string ending = std::filesystem::path(file).extension().string();
  if (std::tolower(static_cast<unsigned char>(ending.back())) == 'u') {
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    return read_with(reader.Get(), file);
  }
  vtkNew<vtkUnstructuredGridReader> reader;
  reader->ReadAllScalarsOn();
  const std::string text = read_file(file).value_or("");
  if (const std::size_t mark = length_of_byte_order_mark(text); mark > 0) {
    reader->ReadFromInputStringOn();
    reader->SetInputString(text.data() + mark, static_cast<int>(text.size() - mark));
  }
  return read_with(reader.Get(), file);
}

/// Returns the number of corners of a type of cells of first or second order; 0 for others.
unsigned int n_corners_of(int type) {
  static const std::map<int, unsigned int> numbers = {{VTK_VERTEX, 1},
                                                      {VTK_LINE, 2},
                                                      {VTK_QUADRATIC_EDGE, 2},
                                                      {VTK_TRIANGLE, 3},
                                                      {VTK_QUADRATIC_TRIANGLE, 3},
                                                      {VTK_QUAD, 4},
                                                      {VTK_PIXEL, 4},
                                                      {VTK_QUADRATIC_QUAD, 4},
                                                      {VTK_BIQUADRATIC_QUAD, 4},
                                                      {VTK_TETRA, 4},
                                                      {VTK_QUADRATIC_TETRA, 4},
                                                      {VTK_VOXEL, 8},
                                                      {VTK_HEXAHEDRON, 8},
                                                      {VTK_QUADRATIC_HEXAHEDRON, 8},
                                                      {VTK_TRIQUADRATIC_HEXAHEDRON, 8}};
  const auto found = numbers.find(type);
  return found == numbers.end() ? 0 : found->second;
}

/// Returns the corners of a cell in the order of Gmsh; pixels and voxels have another one.
std::vector<unsigned int> corners_of(vtkCell &cell) {
  std::vector<unsigned int> corners;
  for (unsigned int k = 0; k < n_corners_of(cell.GetCellType()); ++k)
    corners.push_back(static_cast<unsigned int>(cell.GetPointId(k)));
  for (std::size_t first = 2; first < corners.size(); first += 4)
    if (cell.GetCellType() == VTK_PIXEL || cell.GetCellType() == VTK_VOXEL)
      std::swap(corners[first], corners[first + 1]);
  return corners;
}

/// Returns the curvature of a cell of second order.
double curvature_of(vtkCell &cell, const MeshModel &model) {
  const auto dimension = static_cast<unsigned int>(cell.GetCellDimension());
  std::vector<std::array<double, 3>> positions;
  std::vector<double> local;
  for (vtkIdType k = 0; k < cell.GetNumberOfPoints(); ++k) {
    positions.push_back(model.nodes[static_cast<std::size_t>(cell.GetPointId(k))]);
    const double *const coordinates = cell.GetParametricCoords() + 3 * k;
    local.insert(local.end(), coordinates, coordinates + dimension);
  }
  return curvature(positions, local, dimension, n_corners_of(cell.GetCellType()));
}

void check_type(vtkCell &cell, vtkIdType number) {
  const int type = cell.GetCellType();
  if (n_corners_of(type) > 0)
    return;
  const std::string subject = "cell " + std::to_string(number) + " (" + cell.GetClassName() + ") ";
  if (!cell.IsLinear())
    throw InputError(subject + "is none of the cells of first or second order that are supported: "
                               "edges, triangles, quadrilaterals, tetrahedra and hexahedra");
  if (type == VTK_WEDGE || type == VTK_PYRAMID)
    throw InputError(subject + "is a pyramid or wedge; mesh the body with tetrahedra or hexahedra "
                               "alone");
  throw InputError(subject + "is no triangle, quadrilateral, tetrahedron or hexahedron");
}

/// Returns the name of an array as formulas have it.
std::string variable(const std::string &name) {
  std::string result = name;
  for (char &c : result)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0)
      c = '_';
  return result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0
             ? "_" + result
             : result;
}

/// Component of an array of cells.
struct ArrayComponent {
  vtkDataArray *array;
  int component;
};

/// Returns the ending of the name of a component of a vector in formulas, e.g. ".x"; the name of an
/// array with one component has none.
std::string component_ending(int component, int n_components) {
  return n_components == 1 ? "" : std::string(".") + "xyz"[component];
}

/// Arrays of cells with one component and the components of vectors, by their names in formulas.
std::map<std::string, ArrayComponent> arrays_of(vtkUnstructuredGrid &grid, MeshModel &model) {
  static const std::set<std::string> reserved = {"x", "y", "z", "t", "e", "pi"};
  std::map<std::string, ArrayComponent> arrays;
  vtkCellData &data = *grid.GetCellData();
  for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
    vtkDataArray *const array = data.GetArray(k);
    if (array == nullptr || array->GetName() == nullptr || array->GetNumberOfComponents() > 3)
      continue;
    const std::string name = variable(array->GetName());
    bool is_left_out = reserved.count(name) > 0;
    for (int i = 0; i < array->GetNumberOfComponents() && !is_left_out; ++i)
      is_left_out = !arrays
                         .emplace(name + component_ending(i, array->GetNumberOfComponents()),
                                  ArrayComponent{array, i})
                         .second;
    if (is_left_out)
      model.remarks.push_back("formulas have another meaning for the array '" +
                              std::string(array->GetName()) + "' of the file: it is left out");
  }
  return arrays;
}

/// Adds groups of elements of a lower dimension by the values of an array of whole numbers with one
/// component.
void add_by_values(const MeshGroup &all, MeshModel &model) {
  constexpr std::size_t max_values = 200; // an array with more values does not number regions
  for (const auto &[name, values] : all.arrays) {
    if (name.find('.') != std::string::npos)
      continue;
    const std::set<double> different(values.begin(), values.end());
    if (different.size() > max_values ||
        !std::all_of(different.begin(), different.end(),
                     [](double v) { return v == std::round(v) && std::abs(v) < 1e9; }))
      continue;
    for (const double value : different) {
      MeshGroup group{name + " " + std::to_string(static_cast<long>(value)),
                      all.dimension,
                      all.n_corners,
                      {},
                      {}};
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] == value) {
          group.tags.push_back(all.tags[i]);
          group.corners.insert(group.corners.end(),
                               all.corners.begin() + static_cast<std::ptrdiff_t>(i * all.n_corners),
                               all.corners.begin() +
                                   static_cast<std::ptrdiff_t>((i + 1) * all.n_corners));
        }
      if (!model.contains(group.name))
        model.add(std::move(group));
    }
  }
}

} // namespace

MeshModel read_vtk_mesh(const std::string &file, unsigned int dim) {
  const auto grid = read_grid(file);
  MeshModel model;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
    std::array<double, 3> x{};
    grid->GetPoint(i, x.data());
    model.tags.push_back(static_cast<std::size_t>(i));
    model.nodes.push_back(x);
  }
  const auto arrays = arrays_of(*grid, model);
  std::map<std::pair<unsigned int, unsigned int>, MeshGroup> groups; // by dimension and corners
  double largest_curvature = 0;
  for (vtkIdType i = 0; i < grid->GetNumberOfCells(); ++i) {
    vtkCell &cell = *grid->GetCell(i);
    check_type(cell, i);
    const auto dimension = static_cast<unsigned int>(cell.GetCellDimension());
    const auto corners = corners_of(cell);
    const auto n_corners = static_cast<unsigned int>(corners.size());
    MeshGroup &group = groups[{dimension, n_corners}];
    if (dimension == dim && !cell.IsLinear()) {
      model.order = 2;
      largest_curvature = std::max(largest_curvature, curvature_of(cell, model));
    }
    group.dimension = dimension;
    group.n_corners = n_corners;
    group.tags.push_back(static_cast<std::size_t>(i));
    group.corners.insert(group.corners.end(), corners.begin(), corners.end());
    for (const auto &[name, entry] : arrays)
      group.arrays[name].push_back(entry.array->GetComponent(i, entry.component));
  }
  for (const std::string &remark : remark_on_curvature(largest_curvature))
    model.remarks.push_back(remark);
  std::set<unsigned int> shapes;
  for (auto &[key, group] : groups)
    if (group.dimension == dim) {
      group.name = "body";
      shapes.insert(group.n_corners);
      model.add(group);
    }
  if (shapes.empty())
    throw InputError("the mesh has no " + std::to_string(dim) + "D cells");
  if (shapes.size() > 1)
    throw InputError(dim == 2 ? "the mesh mixes triangles and quadrilaterals; mesh it with one kind"
                              : "the mesh mixes tetrahedra and hexahedra; mesh it with one kind");
  const std::size_t n_corners_of_face = element_faces(dim, *shapes.begin()).front().size();
  for (const auto &[key, group] : groups)
    if (group.dimension + 1 < dim ||
        (group.dimension + 1 == dim && group.n_corners == n_corners_of_face))
      add_by_values(group, model);
  return model;
}

unsigned int vtk_dimension(const std::string &file) {
  const auto grid = read_grid(file);
  int largest = 2;
  for (vtkIdType i = 0; i < grid->GetNumberOfCells(); ++i)
    largest = std::max(largest, grid->GetCell(i)->GetCellDimension());
  return static_cast<unsigned int>(largest);
}

} // namespace percussion
