#include <percussion/base/error.h>
#include <percussion/input/read_mesh.h>

#include <deal.II/grid/grid_tools.h>

#include "divide_simplices.h"
#include "mesh_cells.h"
#include "mesh_model_of_file.h"
#include "split_mesh.h"
#include <array>

namespace percussion {
namespace {

/// Order of the corners in deal.II, which is lexicographic; Gmsh's order is around a quadrilateral.
constexpr std::array<unsigned int, 8> lexicographic = {{0, 1, 3, 2, 4, 5, 7, 6}};

template <int dim>
void make_triangulation(const Cells<dim> &cells, Mesh<dim> &mesh) {
  const unsigned int n = cells.n_corners;
  mesh.shape = n == dim + 1 ? CellShape::simplex : CellShape::hypercube;
  std::vector<dealii::CellData<dim>> dealii_cells(cells.size(), dealii::CellData<dim>(n));
  const bool hypercubes = mesh.shape == CellShape::hypercube;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (unsigned int i = 0; i < n; ++i)
      dealii_cells[cell].vertices[i] = cells.corners_of(cell)[hypercubes ? lexicographic[i] : i];
  if (dim == 2 && hypercubes) // in 3D, deal.II accepts any order
    dealii::GridTools::consistently_order_cells(dealii_cells);
  mesh.triangulation.create_triangulation(cells.points, dealii_cells, dealii::SubCellData());
}

struct BoundaryFaces {
  std::vector<CellFace> faces;
  std::vector<unsigned int> vertices; ///< vertices of one face after the other
};

template <int dim>
BoundaryFaces boundary_faces(const dealii::Triangulation<dim> &triangulation) {
  BoundaryFaces boundary;
  for (const auto &cell : triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->at_boundary(f)) {
        boundary.faces.push_back({cell->active_cell_index(), f});
        for (const unsigned int v : cell->face(f)->vertex_indices())
          boundary.vertices.push_back(cell->face(f)->vertex_index(v));
      }
  return boundary;
}

/// Returns the volume of a tetrahedron, or of a hexahedron as the mean of two divisions into
/// tetrahedra.
double volume(const std::vector<dealii::Point<3>> &x, const unsigned int *corners, unsigned int n) {
  const auto tetrahedron_volume = [&](unsigned int a, unsigned int b, unsigned int c,
                                      unsigned int d) {
    const auto &o = x[corners[a]];
    return cross_product_3d(x[corners[b]] - o, x[corners[c]] - o) * (x[corners[d]] - o) / 6.;
  };
  if (n == 4)
    return std::abs(tetrahedron_volume(0, 1, 2, 3));
  constexpr unsigned int tetrahedra[10][4] = {
      {0, 1, 3, 4}, {1, 2, 3, 6}, {4, 6, 5, 1}, {4, 7, 6, 3}, {1, 6, 3, 4},
      {1, 2, 0, 5}, {3, 0, 2, 7}, {4, 5, 0, 7}, {6, 7, 2, 5}, {0, 5, 2, 7}};
  double sum = 0;
  for (const auto &t : tetrahedra)
    sum += std::abs(tetrahedron_volume(t[0], t[1], t[2], t[3]));
  return sum / 2.;
}

/// Returns the length of an edge, the area of a polygon or the volume of a cell; zero for a point.
template <int dim>
double measure(const std::vector<dealii::Point<dim>> &x, const unsigned int *corners,
               unsigned int n, unsigned int dimension) {
  if (dimension == 0)
    return 0.;
  if (n == 2)
    return x[corners[0]].distance(x[corners[1]]);
  if constexpr (dim == 3) {
    if (dimension == 3)
      return volume(x, corners, n);
    dealii::Tensor<1, dim> twice;
    for (unsigned int i = 1; i + 1 < n; ++i)
      twice += cross_product_3d(x[corners[i]] - x[corners[0]], x[corners[i + 1]] - x[corners[0]]);
    return twice.norm() / 2;
  }
  double twice_area = 0;
  for (unsigned int i = 1; i + 1 < n; ++i) {
    const auto a = x[corners[i]] - x[corners[0]], b = x[corners[i + 1]] - x[corners[0]];
    twice_area += a[0] * b[1] - a[1] * b[0];
  }
  return std::abs(twice_area) / 2; // the nodes of the file may run clockwise
}

/// Returns the corners of a region's elements, which must all belong to the body.
template <int dim>
std::vector<unsigned int> corners_in_body(const MeshModel &model, const MeshGroup &group,
                                          const Cells<dim> &cells) {
  std::vector<unsigned int> corners;
  for (const unsigned int node : group.corners) {
    corners.push_back(cells.number[node]);
    if (corners.back() == cells.no_point)
      throw InputError("region '" + group.name + "' has node " + std::to_string(model.tags[node]) +
                       ", which belongs to no cell of the body; name only regions of the body");
  }
  return corners;
}

std::vector<unsigned int> indices(const std::vector<bool> &is_in) {
  std::vector<unsigned int> found;
  for (unsigned int i = 0; i < is_in.size(); ++i)
    if (is_in[i])
      found.push_back(i);
  return found;
}

template <int dim>
Region make_region(const MeshModel &model, std::size_t g, const Cells<dim> &cells,
                   const BoundaryFaces &boundary) {
  const MeshGroup &group = model.groups[g];
  const unsigned int n = group.n_corners;
  const bool has_cells = group.dimension == dim, has_faces = group.dimension + 1 == dim;
  const auto corners = corners_in_body(model, group, cells);
  // Indices of cells or boundary faces or, for other elements, of the first element with the same
  // corners.
  auto elements_of_group = cells.group_cells[g];
  const std::size_t n_faces = has_faces ? boundary.faces.size() : 0;
  if (!has_cells) {
    auto elements = has_faces ? boundary.vertices : std::vector<unsigned int>();
    elements.insert(elements.end(), corners.begin(), corners.end());
    elements_of_group = first_with_same_corners(elements, n);
    elements_of_group.erase(elements_of_group.begin(),
                            elements_of_group.begin() + static_cast<std::ptrdiff_t>(n_faces));
  }
  Region region;
  region.dimension = group.dimension;
  std::vector<bool> is_met(has_cells ? cells.size() : n_faces + elements_of_group.size());
  std::vector<bool> has_vertex(cells.points.size());
  for (std::size_t i = 0; i < elements_of_group.size(); ++i) {
    if (is_met[elements_of_group[i]])
      continue;
    is_met[elements_of_group[i]] = true;
    ++region.n_elements;
    region.measure += measure(cells.points, corners.data() + i * n, n, group.dimension);
    if (elements_of_group[i] < n_faces)
      region.faces.push_back(boundary.faces[elements_of_group[i]]);
    for (unsigned int k = 0; k < n; ++k)
      has_vertex[corners[i * n + k]] = true;
  }
  region.nodes = indices(has_vertex);
  if (has_cells)
    region.cells = indices(is_met);
  return region;
}

} // namespace

template <int dim>
std::unique_ptr<Mesh<dim>> read_mesh(const MeshSource &source) {
  MeshModel model = read_mesh_model(source, dim);
  split_mesh(model, dim, source.split);
  if (source.is_divided)
    divide_simplices(model);
  const Cells<dim> cells = make_cells<dim>(model);
  auto mesh = std::make_unique<Mesh<dim>>();
  mesh->file = source.file;
  make_triangulation(cells, *mesh);
  if (!(source.is_divided && mesh->shape == CellShape::simplex)) // whose children are linear
    mesh->order = model.order;
  const BoundaryFaces boundary = boundary_faces(mesh->triangulation);
  for (std::size_t g = 0; g < model.groups.size(); ++g)
    mesh->regions[model.groups[g].name] = make_region(model, g, cells, boundary);
  for (std::size_t g = 0; g < model.groups.size(); ++g)
    for (const auto &[name, values] : model.groups[g].arrays) {
      auto &array = mesh->arrays[name];
      array.resize(cells.size(), 0.);
      for (std::size_t i = 0; i < cells.group_cells[g].size(); ++i)
        array[cells.group_cells[g][i]] = values[i];
    }
  mesh->remarks = model.remarks;
  mesh->is_axisymmetric = model.is_axisymmetric;
  return mesh;
}

template std::unique_ptr<Mesh<2>> read_mesh<2>(const MeshSource &);
template std::unique_ptr<Mesh<3>> read_mesh<3>(const MeshSource &);

} // namespace percussion
