#include "support/meshes.h"

#include <percussion/input/read_mesh.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include "support/scratch_folder.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <sstream>

namespace percussion::test {
namespace {

using Point = dealii::Point<2>;

template <int dim>
void distort(Mesh<dim> &mesh, double amount,
             const std::function<bool(const dealii::Point<dim> &)> &on_boundary) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> shift(-amount, amount);
  std::vector<dealii::Point<dim>> offset(mesh.triangulation.n_vertices());
  for (auto &o : offset)
    for (unsigned int d = 0; d < dim; ++d)
      o[d] = shift(generator);
  std::vector<bool> moved(offset.size(), false);
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices()) {
      const unsigned int i = cell->vertex_index(v);
      if (!moved[i] && !on_boundary(cell->vertex(v)))
        cell->vertex(v) += offset[i];
      moved[i] = true;
    }
}

} // namespace

template <int dim>
void add_region(Mesh<dim> &mesh, const std::string &name,
                const std::function<bool(const dealii::Point<dim> &)> &contains) {
  Region region;
  region.dimension = dim - 1;
  std::set<unsigned int> vertices;
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary() && contains(cell->face(f)->center())) {
        region.faces.push_back({cell->active_cell_index(), f});
        for (const unsigned int v : cell->face(f)->vertex_indices())
          vertices.insert(cell->face(f)->vertex_index(v));
      }
  region.n_elements = static_cast<unsigned int>(region.faces.size());
  region.nodes.assign(vertices.begin(), vertices.end());
  mesh.regions[name] = region;
}

template void add_region<2>(Mesh<2> &, const std::string &,
                            const std::function<bool(const dealii::Point<2> &)> &);
template void add_region<3>(Mesh<3> &, const std::string &,
                            const std::function<bool(const dealii::Point<3> &)> &);

std::unique_ptr<Mesh<2>> rectangle(CellShape shape, double width, double height, unsigned int n,
                                   unsigned int m, double distortion) {
  auto mesh = std::make_unique<Mesh<2>>();
  mesh->file = "rectangle";
  mesh->shape = shape;
  const Point end(width, height);
  if (shape == CellShape::simplex)
    dealii::GridGenerator::subdivided_hyper_rectangle_with_simplices(mesh->triangulation, {n, m},
                                                                     Point(), end);
  else
    dealii::GridGenerator::subdivided_hyper_rectangle(mesh->triangulation, {n, m}, Point(), end);
  const double tolerance = 1e-10 * (width + height);
  const auto near = [&](double a, double b) { return std::abs(a - b) < tolerance; };
  const auto on_boundary = [&](const Point &x) {
    return near(x[0], 0) || near(x[0], width) || near(x[1], 0) || near(x[1], height);
  };
  distort<2>(*mesh, distortion * std::min(width / n, height / m), on_boundary);
  add_region<2>(*mesh, "left", [&](const Point &x) { return near(x[0], 0); });
  add_region<2>(*mesh, "right", [&](const Point &x) { return near(x[0], width); });
  add_region<2>(*mesh, "bottom", [&](const Point &x) { return near(x[1], 0); });
  add_region<2>(*mesh, "top", [&](const Point &x) { return near(x[1], height); });
  add_region<2>(*mesh, "boundary", on_boundary);
  return mesh;
}

std::unique_ptr<Mesh<3>> box(CellShape shape, const dealii::Point<3> &size,
                             const std::vector<unsigned int> &n, double distortion) {
  auto mesh = std::make_unique<Mesh<3>>();
  mesh->file = "box";
  mesh->shape = shape;
  using Point3 = dealii::Point<3>;
  if (shape == CellShape::simplex)
    dealii::GridGenerator::subdivided_hyper_rectangle_with_simplices(mesh->triangulation, n,
                                                                     Point3(), size);
  else
    dealii::GridGenerator::subdivided_hyper_rectangle(mesh->triangulation, n, Point3(), size);
  const auto near = [&](double a, double b) { return std::abs(a - b) < 1e-10 * size.norm(); };
  const auto on_boundary = [&](const Point3 &x) {
    for (unsigned int d = 0; d < 3; ++d)
      if (near(x[d], 0) || near(x[d], size[d]))
        return true;
    return false;
  };
  distort<3>(*mesh, distortion * std::min({size[0] / n[0], size[1] / n[1], size[2] / n[2]}),
             on_boundary);
  add_region<3>(*mesh, "left", [&](const Point3 &x) { return near(x[0], 0); });
  add_region<3>(*mesh, "right", [&](const Point3 &x) { return near(x[0], size[0]); });
  add_region<3>(*mesh, "front", [&](const Point3 &x) { return near(x[1], 0); });
  add_region<3>(*mesh, "back", [&](const Point3 &x) { return near(x[1], size[1]); });
  add_region<3>(*mesh, "bottom", [&](const Point3 &x) { return near(x[2], 0); });
  add_region<3>(*mesh, "top", [&](const Point3 &x) { return near(x[2], size[2]); });
  add_region<3>(*mesh, "boundary", on_boundary);
  return mesh;
}

std::unique_ptr<Mesh<2>> ring(double inner_radius, double outer_radius, unsigned int n_around,
                              unsigned int n_across) {
  auto mesh = std::make_unique<Mesh<2>>();
  mesh->file = "ring";
  mesh->shape = CellShape::hypercube;
  dealii::GridGenerator::concentric_hyper_shells(mesh->triangulation, Point(), inner_radius,
                                                 outer_radius, n_across, 0., n_around);
  const double middle = (inner_radius + outer_radius) / 2;
  add_region<2>(*mesh, "inner", [&](const Point &x) { return x.norm() < middle; });
  add_region<2>(*mesh, "outer", [&](const Point &x) { return x.norm() > middle; });
  return mesh;
}

template <int dim>
std::unique_ptr<Mesh<dim>> divided(const Mesh<dim> &mesh) {
  const dealii::Triangulation<dim> &cells = mesh.triangulation;
  std::ostringstream names, nodes, elements;
  unsigned int n_elements = 0, n_names = 0;
  const auto add_name = [&](unsigned int dimension, const std::string &name) {
    names << dimension << ' ' << ++n_names << " \"" << name << "\"\n";
  };
  const auto add_element = [&](unsigned int dimension, const auto &element) {
    constexpr unsigned int types[] = {15, 1, 2, 4}; // Gmsh's numbers by the dimension
    elements << ++n_elements << ' ' << types[dimension] << " 2 " << n_names << ' ' << n_names;
    for (const unsigned int v : element->vertex_indices())
      elements << ' ' << element->vertex_index(v) + 1;
    elements << '\n';
  };
  for (const auto &[name, region] : mesh.regions) {
    add_name(dim - 1, name);
    for (const auto &cell : cells.active_cell_iterators())
      for (const CellFace &face : region.faces)
        if (face.cell == cell->active_cell_index())
          add_element(dim - 1, cell->face(face.face));
  }
  add_name(dim, "body");
  for (const auto &cell : cells.active_cell_iterators())
    add_element(dim, cell);
  nodes.precision(17);
  for (unsigned int i = 0; i < cells.n_vertices(); ++i) {
    const auto &x = cells.get_vertices()[i];
    nodes << i + 1 << ' ' << x[0] << ' ' << x[1] << ' ' << (dim == 3 ? x[dim - 1] : 0.) << '\n';
  }
  const ScratchFolder folder;
  put(folder / "divided.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" + std::to_string(n_names) + "\n" +
          names.str() + "$EndPhysicalNames\n$Nodes\n" + std::to_string(cells.n_vertices()) + "\n" +
          nodes.str() + "$EndNodes\n$Elements\n" + std::to_string(n_elements) + "\n" +
          elements.str() + "$EndElements\n");
  return read_mesh<dim>(MeshSource{folder / "divided.msh", {}, 0., 1., true});
}

template std::unique_ptr<Mesh<2>> divided(const Mesh<2> &);
template std::unique_ptr<Mesh<3>> divided(const Mesh<3> &);

void move(Mesh<2> &mesh, double angle, const dealii::Tensor<1, 2> &translation) {
  mesh.triangulation.reset_all_manifolds();
  dealii::GridTools::transform(
      [&](const Point &x) {
        return Point(std::cos(angle) * x[0] - std::sin(angle) * x[1] + translation[0],
                     std::sin(angle) * x[0] + std::cos(angle) * x[1] + translation[1]);
      },
      mesh.triangulation);
}

} // namespace percussion::test
