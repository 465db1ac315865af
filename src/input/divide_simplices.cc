#include "divide_simplices.h"

#include <algorithm>
#include <array>
#include <map>

namespace percussion {
namespace {

/// Edges of a simplex by their corners; an edge is a node behind the corners in the same order.
constexpr std::array<std::array<unsigned int, 2>, 6> edges = {
    {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};

/// Nodes of the children of an edge, a triangle and a tetrahedron. The octahedron that the corners
/// of a tetrahedron leave is divided along the middles of its edges 0-1 and 2-3.
const std::vector<std::vector<unsigned int>> children_of_edge = {{0, 2}, {2, 1}};
const std::vector<std::vector<unsigned int>> children_of_triangle = {
    {0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
const std::vector<std::vector<unsigned int>> children_of_tetrahedron = {
    {0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
    {4, 9, 6, 5}, {4, 9, 5, 8}, {4, 9, 8, 7}, {4, 9, 7, 6}};

const std::vector<std::vector<unsigned int>> &children(unsigned int n_corners) {
  return n_corners == 2   ? children_of_edge
         : n_corners == 3 ? children_of_triangle
                          : children_of_tetrahedron;
}

/// True for edges, triangles and tetrahedra; elements with one corner are nodes.
bool is_simplex(const MeshGroup &group) {
  return group.n_corners == group.dimension + 1 && group.dimension > 0;
}

/// Nodes in the middle of edges.
class Middles {
public:
  explicit Middles(MeshModel &m) : model(m) {}

  /// Returns the node in the middle of an edge, the same for both directions.
  unsigned int middle(unsigned int a, unsigned int b) {
    const auto [entry, is_new] =
        nodes.emplace(std::minmax(a, b), static_cast<unsigned int>(model.nodes.size()));
    if (is_new) {
      std::array<double, 3> x;
      for (unsigned int d = 0; d < 3; ++d)
        x[d] = 0.5 * (model.nodes[a][d] + model.nodes[b][d]);
      model.nodes.push_back(x);
      model.tags.push_back(model.tags.back() + 1);
    }
    return entry->second;
  }

private:
  MeshModel &model;
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> nodes;
};

void divide(MeshGroup &group, Middles &middles) {
  const unsigned int n = group.n_corners, n_edges = n * (n - 1) / 2;
  MeshGroup divided = group;
  divided.tags.clear();
  divided.corners.clear();
  for (auto &[name, values] : divided.arrays)
    values.clear();
  for (std::size_t i = 0; i < group.tags.size(); ++i) {
    const auto first = group.corners.begin() + static_cast<std::ptrdiff_t>(i * n);
    std::vector<unsigned int> nodes(first, first + n);
    for (unsigned int e = 0; e < n_edges; ++e)
      nodes.push_back(middles.middle(nodes[edges[e][0]], nodes[edges[e][1]]));
    for (const auto &child : children(n)) {
      divided.tags.push_back(group.tags[i]);
      for (const unsigned int node : child)
        divided.corners.push_back(nodes[node]);
      for (auto &[name, values] : divided.arrays)
        values.push_back(group.arrays.at(name)[i]);
    }
  }
  group = std::move(divided);
}

} // namespace

void divide_simplices(MeshModel &model) {
  for (const MeshGroup &group : model.groups)
    if (group.dimension > 0 && !is_simplex(group))
      return;
  Middles middles(model);
  for (MeshGroup &group : model.groups)
    if (is_simplex(group))
      divide(group, middles);
}

} // namespace percussion
