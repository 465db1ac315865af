#include <percussion/input/mesh_extremes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

double angle_in_degrees(const dealii::Tensor<1, 2> &a, const dealii::Tensor<1, 2> &b) {
  return std::abs(std::atan2(a[0] * b[1] - a[1] * b[0], a * b)) * 180 / std::acos(-1.);
}

} // namespace

template <int dim>
MeshExtremes mesh_extremes(const Mesh<dim> &mesh) {
  static_assert(dim == 2, "edges and angles are those of plane cells");
  MeshExtremes extremes{0, std::numeric_limits<double>::infinity(), 0, 180};
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    extremes.area += cell->measure();
    std::array<dealii::Point<2>, 4> x; // in order around the cell
    const unsigned int n = cell->n_vertices();
    for (unsigned int i = 0; i < n; ++i)
      x[n == 4 && i > 1 ? 5 - i : i] = cell->vertex(i);
    for (unsigned int i = 0; i < n; ++i) {
      const auto onward = x[(i + 1) % n] - x[i], back = x[(i + n - 1) % n] - x[i];
      extremes.shortest_edge = std::min(extremes.shortest_edge, onward.norm());
      extremes.longest_edge = std::max(extremes.longest_edge, onward.norm());
      extremes.smallest_angle = std::min(extremes.smallest_angle, angle_in_degrees(onward, back));
    }
  }
  return extremes;
}

template MeshExtremes mesh_extremes<2>(const Mesh<2> &);

} // namespace percussion
