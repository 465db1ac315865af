#include "body_system.h"
#include <algorithm>
#include <amd.h>

namespace percussion {
namespace {

using Graph = std::vector<std::vector<std::size_t>>; ///< neighbours of each body, ascending

void sort_and_unite(std::vector<std::size_t> &list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

Graph graph_of(const ContactingBodies &bodies) {
  Graph graph(bodies.n_bodies);
  for (std::size_t i = 0; i + 1 < bodies.row_start.size(); ++i)
    for (std::size_t k = bodies.row_start[i]; k < bodies.row_start[i + 1]; ++k)
      for (std::size_t l = bodies.row_start[i]; l < bodies.row_start[i + 1]; ++l)
        if (bodies.body[k] != bodies.body[l])
          graph[bodies.body[k]].push_back(bodies.body[l]);
  for (auto &neighbours : graph)
    sort_and_unite(neighbours);
  return graph;
}

/// Returns the position of each body in an order of elimination with little fill.
std::vector<std::size_t> positions_of(const Graph &graph) {
  std::vector<SuiteSparse_long> start{0}, index, order(graph.size());
  for (const auto &neighbours : graph) {
    index.insert(index.end(), neighbours.begin(), neighbours.end());
    start.push_back(static_cast<SuiteSparse_long>(index.size()));
  }
  amd_l_order(static_cast<SuiteSparse_long>(graph.size()), start.data(), index.data(), order.data(),
              nullptr, nullptr);
  std::vector<std::size_t> position(graph.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    position[static_cast<std::size_t>(order[k])] = k;
  return position;
}

} // namespace

void BodyPattern::make(const ContactingBodies &bodies) {
  if (row_start == bodies.row_start && body == bodies.body && position.size() == bodies.n_bodies)
    return;
  row_start = bodies.row_start;
  body = bodies.body;
  const Graph graph = graph_of(bodies);
  const std::size_t n = graph.size();
  position = positions_of(graph);
  Graph factor(n); // bodies coupled to a body, and the coupling that its elimination adds to the
                   // next of these
  for (std::size_t b = 0; b < n; ++b)
    for (const std::size_t neighbour : graph[b])
      if (position[neighbour] > position[b])
        factor[position[b]].push_back(position[neighbour]);
  start.assign(1, 0);
  later_bodies.clear();
  for (std::size_t k = 0; k < n; ++k) {
    sort_and_unite(factor[k]);
    if (!factor[k].empty())
      factor[factor[k].front()].insert(factor[factor[k].front()].end(), factor[k].begin() + 1,
                                       factor[k].end());
    later_bodies.insert(later_bodies.end(), factor[k].begin(), factor[k].end());
    start.push_back(later_bodies.size());
  }
  later_pair.clear();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t a = start[k]; a < start[k + 1]; ++a)
      for (std::size_t b = a + 1; b < start[k + 1]; ++b)
        later_pair.push_back(static_cast<unsigned int>(coupling(later_bodies[a], later_bodies[b])));
  pair_blocks.clear();
  for (std::size_t i = 0; i + 1 < row_start.size(); ++i)
    for (std::size_t e = row_start[i]; e < row_start[i + 1]; ++e)
      for (std::size_t f = row_start[i]; f < row_start[i + 1]; ++f)
        pair_blocks.push_back(block(position[body[f]], position[body[e]]));
}

std::size_t BodyPattern::coupling(std::size_t earlier, std::size_t later) const {
  const auto begin = later_bodies.begin() + static_cast<std::ptrdiff_t>(start[earlier]);
  const auto end = later_bodies.begin() + static_cast<std::ptrdiff_t>(start[earlier + 1]);
  return static_cast<std::size_t>(std::lower_bound(begin, end, later) - later_bodies.begin());
}

std::size_t BodyPattern::block(std::size_t row, std::size_t column) const {
  if (row == column)
    return row;
  return position.size() + coupling(std::min(row, column), std::max(row, column)) +
         (row < column ? later_bodies.size() : 0);
}

} // namespace percussion
