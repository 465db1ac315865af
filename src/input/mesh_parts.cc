#include "mesh_cells.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

namespace percussion {
namespace {

/// Sets of nodes that cells join.
class Parts {
public:
  explicit Parts(std::size_t n) : leader(n) { std::iota(leader.begin(), leader.end(), 0u); }

  unsigned int of(unsigned int node) {
    while (leader[node] != node)
      node = leader[node] = leader[leader[node]];
    return node;
  }

  void join(unsigned int a, unsigned int b) { leader[of(a)] = of(b); }

  std::size_t number() {
    std::size_t n = 0;
    for (unsigned int node = 0; node < leader.size(); ++node)
      n += of(node) == node ? 1 : 0;
    return n;
  }

private:
  std::vector<unsigned int> leader;
};

using Edge = std::pair<unsigned int, unsigned int>;

/// All edges, each once, with the number of cells on it.
template <int dim>
std::map<Edge, unsigned int> edges_of(const Cells<dim> &cells) {
  std::map<Edge, unsigned int> edges;
  for (const auto &corners : cells.corners)
    for (std::size_t i = 0; i < corners.size(); ++i)
      ++edges[std::minmax(corners[i], corners[(i + 1) % corners.size()])];
  return edges;
}

template <int dim>
std::string place(const Cells<dim> &cells, unsigned int node) {
  std::ostringstream text;
  text << "node " << cells.tags[node] << " at (";
  for (unsigned int d = 0; d < dim; ++d)
    text << (d == 0 ? "" : ", ") << cells.points[node][d];
  return text.str() + ")";
}

/// Pairs of nodes nearer to each other than any cell could have them.
template <int dim>
std::vector<Edge> coincident_nodes(const Cells<dim> &cells, double shortest_edge) {
  static_assert(dim == 2, "points are sought in the plane");
  const double near = 1e-6 * shortest_edge;
  const auto square = [&](const dealii::Point<dim> &x, int i, int j) {
    return std::make_pair(std::floor(x[0] / near) + i, std::floor(x[1] / near) + j);
  };
  std::map<std::pair<double, double>, unsigned int> in_square;
  std::vector<Edge> pairs;
  for (unsigned int node = 0; node < cells.points.size(); ++node) {
    const auto &x = cells.points[node];
    bool alone = true;
    for (int i = -1; alone && i <= 1; ++i)
      for (int j = -1; alone && j <= 1; ++j) {
        const auto other = in_square.find(square(x, i, j));
        alone = other == in_square.end() || x.distance(cells.points[other->second]) > near;
        if (!alone)
          pairs.emplace_back(other->second, node);
      }
    if (alone)
      in_square.emplace(square(x, 0, 0), node);
  }
  return pairs;
}

template <int dim>
void note_coincident_nodes(const Cells<dim> &cells, const std::vector<Edge> &pairs,
                           std::vector<std::string> &remarks) {
  if (pairs.empty())
    return;
  remarks.push_back(
      std::to_string(pairs.size()) +
      (pairs.size() == 1 ? " node lies on another" : " nodes lie on others") + " (" +
      place(cells, pairs.front().first) + " is node " +
      std::to_string(cells.tags[pairs.front().second]) +
      " too): the mesh is not glued there, and its sides move through each other; to glue it, put "
      "'Coherence;' into the geometry, or remove duplicate nodes ('Coherence Mesh;')");
}

/// Where more than two boundary edges meet, cells hang together at a node alone.
template <int dim>
void note_hinges(const Cells<dim> &cells, const std::map<Edge, unsigned int> &edges,
                 std::vector<std::string> &remarks) {
  std::vector<unsigned int> n_boundary_edges(cells.points.size());
  for (const auto &[edge, n_cells] : edges)
    if (n_cells == 1) {
      ++n_boundary_edges[edge.first];
      ++n_boundary_edges[edge.second];
    }
  const auto is_hinge = [](unsigned int n) { return n > 2; };
  const auto n = std::count_if(n_boundary_edges.begin(), n_boundary_edges.end(), is_hinge);
  if (n == 0)
    return;
  const auto first = std::find_if(n_boundary_edges.begin(), n_boundary_edges.end(), is_hinge);
  remarks.push_back("the body hangs together at " +
                    (n == 1 ? "a single node" : std::to_string(n) + " single nodes, the first") +
                    " (" +
                    place(cells, static_cast<unsigned int>(first - n_boundary_edges.begin())) +
                    "), as by a hinge; let its parts share an edge, or separate them");
}

} // namespace

template <int dim>
std::vector<std::string> remarks_on_parts(const Cells<dim> &cells) {
  const auto edges = edges_of(cells);
  Parts parts(cells.points.size());
  double shortest = std::numeric_limits<double>::max();
  for (const auto &[edge, n_cells] : edges) {
    parts.join(edge.first, edge.second);
    shortest = std::min(shortest, cells.points[edge.first].distance(cells.points[edge.second]));
  }
  std::vector<std::string> remarks;
  if (const std::size_t n = parts.number(); n > 1)
    remarks.push_back("the body consists of " + std::to_string(n) +
                      " parts that have no node in common; each moves by itself");
  note_coincident_nodes(cells, coincident_nodes(cells, shortest), remarks);
  note_hinges(cells, edges, remarks);
  return remarks;
}

template std::vector<std::string> remarks_on_parts<2>(const Cells<2> &);

} // namespace percussion
