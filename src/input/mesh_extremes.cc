#include <percussion/input/mesh_extremes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// The corners of a plane cell in the order in which one walks around it.
std::vector<dealii::Point<2>> around(const dealii::CellAccessor<2> &cell) {
  std::vector<dealii::Point<2>> corners;
  for (const unsigned int v : cell.vertex_indices())
    corners.push_back(cell.vertex(v));
  if (corners.size() == 4)
    std::swap(corners[2], corners[3]);
  return corners;
}

double angle_in_degrees(const dealii::Tensor<1, 2> &a, const dealii::Tensor<1, 2> &b) {
  return std::abs(std::atan2(a[0] * b[1] - a[1] * b[0], a * b)) * 180 / std::acos(-1.);
}

} // namespace

template <int dim>
MeshExtremes mesh_extremes(const Mesh<dim> &mesh) {
  static_assert(dim == 2, "edges and angles are those of plane cells");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  MeshExtremes extremes{0, infinity, 0, 180};
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    extremes.area += cell->measure();
    const auto x = around(*cell);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto onward = x[(i + 1) % x.size()] - x[i];
      const auto back = x[(i + x.size() - 1) % x.size()] - x[i];
      extremes.shortest_edge = std::min(extremes.shortest_edge, onward.norm());
      extremes.longest_edge = std::max(extremes.longest_edge, onward.norm());
      extremes.smallest_angle = std::min(extremes.smallest_angle, angle_in_degrees(onward, back));
    }
  }
  return extremes;
}

template MeshExtremes mesh_extremes<2>(const Mesh<2> &);

} // namespace percussion
