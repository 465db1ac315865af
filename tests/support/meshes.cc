#include "support/meshes.h"

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

namespace percussion::test {
namespace {

using Point = dealii::Point<2>;

void distort(Mesh<2> &mesh, double amount, const std::function<bool(const Point &)> &on_boundary) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> shift(-amount, amount);
  std::vector<Point> offset(mesh.triangulation.n_vertices());
  for (auto &o : offset) {
    o[0] = shift(generator);
    o[1] = shift(generator);
  }
  std::vector<bool> moved(offset.size(), false);
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices()) {
      const unsigned int i = cell->vertex_index(v);
      if (!moved[i] && !on_boundary(cell->vertex(v)))
        cell->vertex(v) += offset[i];
      moved[i] = true;
    }
}

void add_region(Mesh<2> &mesh, const std::string &name,
                const std::function<bool(const Point &)> &contains) {
  Region region;
  region.dimension = 1;
  std::set<unsigned int> vertices;
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary() && contains(cell->face(f)->center())) {
        region.faces.push_back({cell->active_cell_index(), f});
        for (unsigned int v = 0; v < 2; ++v)
          vertices.insert(cell->face(f)->vertex_index(v));
      }
  region.n_elements = static_cast<unsigned int>(region.faces.size());
  region.vertices.assign(vertices.begin(), vertices.end());
  mesh.regions[name] = region;
}

} // namespace

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
  distort(*mesh, distortion * std::min(width / n, height / m), on_boundary);
  add_region(*mesh, "left", [&](const Point &x) { return near(x[0], 0); });
  add_region(*mesh, "right", [&](const Point &x) { return near(x[0], width); });
  add_region(*mesh, "bottom", [&](const Point &x) { return near(x[1], 0); });
  add_region(*mesh, "top", [&](const Point &x) { return near(x[1], height); });
  add_region(*mesh, "boundary", on_boundary);
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
  add_region(*mesh, "inner", [&](const Point &x) { return x.norm() < middle; });
  add_region(*mesh, "outer", [&](const Point &x) { return x.norm() > middle; });
  return mesh;
}

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
