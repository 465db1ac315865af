#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/input/gmsh_model.h>
#include <percussion/input/read_mesh.h>

#include <deal.II/grid/grid_tools.h>

#include "mesh_cells.h"
#include <algorithm>
#include <array>
#include <set>

namespace percussion {
namespace {

/// Gmsh walks around a quadrilateral, deal.II goes through it lexicographically.
constexpr std::array<unsigned int, 4> lexicographic = {{0, 1, 3, 2}};

template <int dim>
void make_triangulation(const Cells<dim> &cells, dealii::Triangulation<dim> &triangulation) {
  std::vector<dealii::CellData<dim>> of_dealii;
  for (const auto &corners : cells.corners) {
    const auto n = static_cast<unsigned int>(corners.size());
    of_dealii.emplace_back(n);
    for (unsigned int i = 0; i < n; ++i)
      of_dealii.back().vertices[i] = corners[n == 4 ? lexicographic[i] : i];
  }
  if (cells.shape == CellShape::hypercube)
    dealii::GridTools::consistently_order_cells(of_dealii);
  triangulation.create_triangulation(cells.points, of_dealii, dealii::SubCellData());
}

using FaceTable = std::map<std::vector<unsigned int>, CellFace>;

/// Boundary faces by their sorted vertices.
template <int dim>
FaceTable boundary_faces(const dealii::Triangulation<dim> &triangulation) {
  FaceTable table;
  for (const auto &cell : triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary()) {
        std::vector<unsigned int> vertices;
        for (const unsigned int v : cell->face(f)->vertex_indices())
          vertices.push_back(cell->face(f)->vertex_index(v));
        std::sort(vertices.begin(), vertices.end());
        table[vertices] = CellFace{cell->active_cell_index(), f};
      }
  return table;
}

/// The length of an edge or the area of a polygon; none for a point.
template <int dim>
double measure(const Cells<dim> &cells, const std::vector<unsigned int> &corners) {
  static_assert(dim == 2, "areas are those of the plane");
  const auto &x = cells.points;
  if (corners.size() == 2)
    return x[corners[0]].distance(x[corners[1]]);
  double twice_area = 0;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const auto a = x[corners[i]] - x[corners[0]], b = x[corners[i + 1]] - x[corners[0]];
    twice_area += a[0] * b[1] - a[1] * b[0];
  }
  return twice_area / 2;
}

/// The corners of an element of a region, all of which the body has to have.
template <int dim>
std::vector<unsigned int> corners_of(const GmshElement &element, const std::string &region,
                                     const Cells<dim> &cells) {
  std::vector<unsigned int> corners;
  for (const std::size_t node : element.nodes) {
    const auto found = cells.number.find(node);
    if (found == cells.number.end())
      throw InputError("region '" + region + "' has node " + std::to_string(node) +
                       ", which belongs to no cell of the body; name parts of the body only");
    corners.push_back(found->second);
  }
  return corners;
}

template <int dim>
Region make_region(const GmshGroup &group, const Cells<dim> &cells, const FaceTable &faces,
                   std::vector<std::string> &remarks) {
  Region region;
  region.dimension = group.dimension;
  std::set<unsigned int> vertices;
  std::set<std::vector<unsigned int>> met;
  for (const GmshElement &element : group.elements) {
    const auto corners = corners_of(element, group.name, cells);
    auto sorted = corners;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      throw InputError("element " + std::to_string(element.tag) + " of region '" + group.name +
                       "' is degenerate: both of its nodes are the same; remesh there");
    if (!met.insert(sorted).second)
      continue;
    vertices.insert(corners.begin(), corners.end());
    region.measure += measure(cells, corners);
    if (group.dimension + 1 == dim)
      if (const auto face = faces.find(sorted); face != faces.end())
        region.faces.push_back(face->second);
  }
  region.n_elements = static_cast<unsigned int>(met.size());
  region.vertices.assign(vertices.begin(), vertices.end());
  if (const std::size_t n = group.elements.size() - met.size(); n > 0)
    remarks.push_back(std::to_string(n) + (n == 1 ? " element" : " elements") + " of region '" +
                      group.name + "' stand in the mesh twice; each counts once");
  return region;
}

} // namespace

template <int dim>
std::unique_ptr<Mesh<dim>> make_mesh(const GmshModel &model) {
  const Cells<dim> cells = make_cells<dim>(model);
  auto mesh = std::make_unique<Mesh<dim>>();
  mesh->shape = cells.shape;
  make_triangulation(cells, mesh->triangulation);
  mesh->remarks = model.remarks;
  const auto add_remarks = [&](const std::vector<std::string> &remarks) {
    mesh->remarks.insert(mesh->remarks.end(), remarks.begin(), remarks.end());
  };
  add_remarks(cells.remarks);
  const FaceTable faces = boundary_faces(mesh->triangulation);
  for (const GmshGroup &group : model.groups)
    mesh->regions[group.name] = make_region(group, cells, faces, mesh->remarks);
  add_remarks(remarks_on_parts(cells));
  return mesh;
}

template <int dim>
std::unique_ptr<Mesh<dim>> read_gmsh(const GmshSource &source) {
  auto mesh = make_mesh<dim>(read_gmsh_model(source, dim));
  mesh->file = source.file;
  return mesh;
}

template std::unique_ptr<Mesh<2>> make_mesh<2>(const GmshModel &);
template std::unique_ptr<Mesh<2>> read_gmsh<2>(const GmshSource &);

} // namespace percussion
