#include "mesh_cells.h"

#include <percussion/base/error.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <sstream>

namespace percussion {
namespace {

/// Checks a cell by the double signed areas at its corners, and reverses its numbering if its nodes
/// run clockwise: many programs write such cells, and Gmsh on a surface whose normal is −z.
void check_orientation(Cells<2> &cells, std::size_t cell, std::size_t tag) {
  const unsigned int n = cells.n_corners;
  unsigned int *const corners = cells.corners.data() + cell * n;
  const auto x = [&](unsigned int i) { return cells.points[corners[i % n]]; };
  double smallest = std::numeric_limits<double>::max(), largest = -smallest, longest = 0;
  for (unsigned int i = 0; i < n; ++i) {
    const auto a = x(i + 1) - x(i), b = x(i + n - 1) - x(i);
    const double area = a[0] * b[1] - a[1] * b[0];
    smallest = std::min(smallest, area);
    largest = std::max(largest, area);
    longest = std::max(longest, a.norm_square());
  }
  const double negligible = 1e-12 * longest;
  if (smallest > negligible)
    return;
  if (largest < -negligible) {
    std::reverse(corners + 1, corners + n);
    return;
  }
  std::ostringstream message;
  message << "element " << tag << " with nodes";
  for (unsigned int i = 0; i < n; ++i)
    message << ' ' << cells.tags[corners[i]];
  message << (smallest < -negligible && largest > negligible
                  ? " is not convex or crosses itself (its nodes run clockwise at some corners "
                    "only); move or reorder its nodes"
                  : " is degenerate (its area vanishes at some corner); remesh there");
  throw InputError(message.str());
}

/// Neighbours of each corner of a tetrahedron and of a hexahedron along three edges, in the order
/// in which the edges span a positive volume.
constexpr unsigned int edges_from[2][8][3] = {
    {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}},
    {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7}, {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}}};

/// Checks a cell, and reverses its numbering if it is mirrored at all corners: Gmsh writes such
/// cells if a surface is extruded against its normal.
void check_orientation(Cells<3> &cells, std::size_t cell, std::size_t tag) {
  const unsigned int n = cells.n_corners;
  unsigned int *const corners = cells.corners.data() + cell * n;
  double smallest = std::numeric_limits<double>::max(), largest = -smallest, longest = 0;
  for (unsigned int i = 0; i < n; ++i) {
    dealii::Tensor<1, 3> edge[3];
    for (unsigned int k = 0; k < 3; ++k) {
      edge[k] = cells.points[corners[edges_from[n == 8][i][k]]] - cells.points[corners[i]];
      longest = std::max(longest, edge[k].norm());
    }
    const double volume = cross_product_3d(edge[0], edge[1]) * edge[2];
    smallest = std::min(smallest, volume);
    largest = std::max(largest, volume);
  }
  const double negligible = 1e-12 * longest * longest * longest;
  if (smallest > negligible)
    return;
  if (largest < -negligible) {
    if (n == 4)
      std::swap(corners[2], corners[3]);
    else
      std::swap_ranges(corners, corners + 4, corners + 4);
    return;
  }
  std::ostringstream message;
  message << "element " << tag << " with nodes";
  for (unsigned int i = 0; i < n; ++i)
    message << ' ' << cells.tags[corners[i]];
  message << " is degenerate or turned inside out at some corner; remesh there";
  throw InputError(message.str());
}

/// Corners of the faces of a tetrahedron and of a hexahedron, counter-clockwise seen from outside.
constexpr unsigned int faces_of_tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
constexpr unsigned int faces_of_hexahedron[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

/// Checks that no two cells overlap on the same side of a face: the corners of the face would have
/// the same direction of rotation in both cells.
void check_faces(const Cells<3> &cells) {
  const bool hexahedra = cells.n_corners == 8;
  const unsigned int n = hexahedra ? 4 : 3, n_faces = hexahedra ? 6 : 4;
  std::vector<unsigned int> corners;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (unsigned int f = 0; f < n_faces; ++f)
      for (unsigned int i = 0; i < n; ++i)
        corners.push_back(cells.corners_of(
            cell)[hexahedra ? faces_of_hexahedron[f][i] : faces_of_tetrahedron[f][i]]);
  const auto first = first_with_same_corners(corners, n);
  std::vector<bool> has_second(first.size());
  for (std::size_t face = 0; face < first.size(); ++face) {
    if (first[face] == face)
      continue;
    const auto *const first_corners = corners.data() + std::size_t{first[face]} * n;
    const auto *const second_corners = corners.data() + face * n;
    const auto position =
        std::find(first_corners, first_corners + n, second_corners[0]) - first_corners;
    if (first_corners[(position + 1) % n] == second_corners[1] || has_second[first[face]]) {
      std::ostringstream message;
      message << "two elements lie on the same side of the face with nodes";
      for (unsigned int i = 0; i < n; ++i)
        message << ' ' << cells.tags[second_corners[i]];
      message << ": they overlap; mesh again (Gmsh: Coherence, if volumes of the geometry overlap)";
      throw InputError(message.str());
    }
    has_second[first[face]] = true;
  }
}

/// Checks that no two cells overlap on the same side of an edge: the edge would have the same
/// direction in both cells. deal.II accepts such cells in a release build.
void check_faces(const Cells<2> &cells) {
  std::vector<unsigned int> ends; // two ends per side of a cell
  for (std::size_t i = 0; i < cells.corners.size(); ++i) {
    const bool last = (i + 1) % cells.n_corners == 0;
    ends.push_back(cells.corners[i]);
    ends.push_back(cells.corners[last ? i + 1 - cells.n_corners : i + 1]);
  }
  const auto first = first_with_same_corners(ends, 2);
  std::vector<bool> has_second(first.size());
  for (std::size_t side = 0; side < first.size(); ++side) {
    if (first[side] == side)
      continue;
    const unsigned int begin = ends[2 * side], end = ends[2 * side + 1];
    if (ends[2 * first[side]] == begin || has_second[first[side]])
      throw InputError(
          "two elements lie on the same side of the edge between the nodes " +
          std::to_string(cells.tags[std::min(begin, end)]) + " and " +
          std::to_string(cells.tags[std::max(begin, end)]) +
          ": they overlap; mesh again (Gmsh: Coherence, if surfaces of the geometry overlap)");
    has_second[first[side]] = true;
  }
}

/// Numbers the nodes that belong to a cell.
template <int dim>
void number_nodes(const MeshModel &model, Cells<dim> &cells) {
  cells.number.assign(model.nodes.size(), cells.no_point);
  for (const MeshGroup &group : model.groups)
    if (group.dimension == dim)
      for (const unsigned int node : group.corners)
        cells.number[node] = 0;
  for (std::size_t node = 0; node < model.nodes.size(); ++node)
    if (cells.number[node] != cells.no_point) {
      cells.number[node] = static_cast<unsigned int>(cells.points.size());
      cells.tags.push_back(model.tags[node]);
      cells.points.emplace_back();
      for (unsigned int d = 0; d < dim; ++d)
        cells.points.back()[d] = model.nodes[node][d];
    }
}

template <int dim>
void number_cells(const MeshModel &model, Cells<dim> &cells) {
  std::vector<unsigned int> corners; // corners of all elements of dimension dim
  for (const MeshGroup &group : model.groups)
    if (group.dimension == dim)
      for (const unsigned int node : group.corners)
        corners.push_back(cells.number[node]);
  const auto first = first_with_same_corners(corners, cells.n_corners);
  std::vector<unsigned int> cell_of(first.size());
  std::size_t element = 0;
  for (std::size_t g = 0; g < model.groups.size(); ++g)
    for (std::size_t i = 0; model.groups[g].dimension == dim && i < model.groups[g].tags.size();
         ++i, ++element) {
      if (first[element] == element) {
        cell_of[element] = static_cast<unsigned int>(cells.size());
        for (unsigned int k = 0; k < cells.n_corners; ++k)
          cells.corners.push_back(corners[element * cells.n_corners + k]);
        check_orientation(cells, cell_of[element], model.groups[g].tags[i]);
      }
      cells.group_cells[g].push_back(cell_of[first[element]]);
    }
}

} // namespace

std::vector<unsigned int> first_with_same_corners(const std::vector<unsigned int> &corners,
                                                  unsigned int n) {
  auto sorted = corners;
  for (auto position = sorted.begin(); position != sorted.end(); position += n)
    std::sort(position, position + n);
  const auto corners_of = [&](unsigned int element) {
    return sorted.data() + std::size_t{element} * n;
  };
  // Each key has the smallest corner, which decides most comparisons, before the element's index.
  std::vector<std::uint64_t> order;
  for (unsigned int i = 0; i < corners.size() / n; ++i)
    order.push_back(std::uint64_t{*corners_of(i)} << 32 | i);
  std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    if (a >> 32 != b >> 32)
      return a < b;
    const auto *corners_a = corners_of(static_cast<unsigned int>(a));
    const auto *corners_b = corners_of(static_cast<unsigned int>(b));
    const auto differ = std::mismatch(corners_a, corners_a + n, corners_b);
    return differ.first == corners_a + n ? a < b : *differ.first < *differ.second;
  });
  std::vector<unsigned int> first(order.size());
  unsigned int previous = 0;
  for (const std::uint64_t entry : order) {
    const auto element = static_cast<unsigned int>(entry);
    const bool is_same =
        std::equal(corners_of(element), corners_of(element) + n, corners_of(previous));
    first[element] = is_same && element != previous ? first[previous] : element;
    previous = element;
  }
  return first;
}

template <int dim>
Cells<dim> make_cells(const MeshModel &model) {
  Cells<dim> cells;
  cells.n_corners = model.groups.back().n_corners;
  cells.group_cells.resize(model.groups.size());
  number_nodes(model, cells);
  number_cells(model, cells);
  check_faces(cells);
  return cells;
}

template Cells<2> make_cells<2>(const MeshModel &);
template Cells<3> make_cells<3>(const MeshModel &);

} // namespace percussion
