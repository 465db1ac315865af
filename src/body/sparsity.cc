#include "sparsity.h"

#include <percussion/base/error.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace percussion {
namespace {

/// Lists of numbers, stored consecutively.
struct Lists {
  std::vector<std::size_t> start;
  std::vector<unsigned int> number;
};

/// Returns the nodes of each cell, of macro-cells together. Nodes are numbered as their degrees of
/// freedom.
template <int dim>
Lists nodes_of_cells(const ElasticBody<dim> &body) {
  Lists cells;
  cells.start.push_back(0);
  const Space<dim> &space = body.space;
  for (unsigned int index = 0; index < space.n_cells(); ++index) {
    const bool is_macro = body.materials.material(index).element == ElementKind::macro_cells;
    if (is_macro && index % cells_per_macro_cell<dim> != 0)
      cells.start.pop_back(); // the nodes belong to the list of the first cell
    for (unsigned int k = 0; k < space.nodes_per_cell(); ++k) {
      if (space.is_linear_middle(index, k))
        continue;
      const unsigned int node =
          (space.node_dofs[space.nodes_of(index)[k]][0] - space.first_dof) / dim;
      const auto first = cells.number.begin() + static_cast<std::ptrdiff_t>(cells.start.back());
      if (!is_macro || std::find(first, cells.number.end(), node) == cells.number.end())
        cells.number.push_back(node);
    }
    cells.start.push_back(cells.number.size());
  }
  return cells;
}

/// Returns the nodes that share a cell or macro-cell with each node, itself included, in ascending
/// order.
template <int dim>
Lists neighbours(const ElasticBody<dim> &body) {
  const Lists cells = nodes_of_cells(body);
  Lists all;
  all.start.assign(body.space.n_nodes() + 1, 0);
  for (std::size_t cell = 0; cell + 1 < cells.start.size(); ++cell)
    for (std::size_t v = cells.start[cell]; v < cells.start[cell + 1]; ++v)
      all.start[cells.number[v] + 1] += cells.start[cell + 1] - cells.start[cell];
  std::partial_sum(all.start.begin(), all.start.end(), all.start.begin());
  all.number.resize(all.start.back());
  std::vector<std::size_t> end(all.start.begin(), all.start.end() - 1);
  for (std::size_t cell = 0; cell + 1 < cells.start.size(); ++cell)
    for (std::size_t v = cells.start[cell]; v < cells.start[cell + 1]; ++v)
      for (std::size_t w = cells.start[cell]; w < cells.start[cell + 1]; ++w)
        all.number[end[cells.number[v]]++] = cells.number[w];
  Lists once;
  once.start.push_back(0);
  for (std::size_t node = 0; node + 1 < all.start.size(); ++node) {
    const auto iterator_at = [&](std::size_t index) {
      return all.number.begin() + static_cast<std::ptrdiff_t>(index);
    };
    std::sort(iterator_at(all.start[node]), iterator_at(all.start[node + 1]));
    std::unique_copy(iterator_at(all.start[node]), iterator_at(all.start[node + 1]),
                     std::back_inserter(once.number));
    once.start.push_back(once.number.size());
  }
  return once;
}

/// Returns the pairs of neighbouring nodes of all bodies with blocks of this process.
template <int dim>
std::shared_ptr<const NodePattern>
pattern_by_nodes(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
                 const Partition &partition) {
  auto pattern = std::make_shared<NodePattern>();
  pattern->first_node = partition.begin() / dim;
  const unsigned int end_node = partition.end() / dim;
  pattern->start.reserve(2 * std::size_t(end_node - pattern->first_node) + 1);
  for (const auto &body : elastic) {
    Lists nodes = neighbours(*body);
    const unsigned int first = body->space.first_dof / dim;
    for (unsigned int &node : nodes.number)
      node += first;
    std::size_t n_blocks = pattern->column.size();
    for (std::size_t node = 0; node + 1 < nodes.start.size(); ++node)
      if (pattern->first_node <= first + node && first + node < end_node)
        for (std::size_t k = nodes.start[node]; k < nodes.start[node + 1]; ++k)
          n_blocks += nodes.number[k] < pattern->first_node || nodes.number[k] >= first + node;
    pattern->column.reserve(n_blocks);
    for (std::size_t node = 0; node + 1 < nodes.start.size(); ++node)
      if (pattern->first_node <= first + node && first + node < end_node)
        pattern->append_node(nodes.number.data() + nodes.start[node],
                             nodes.number.data() + nodes.start[node + 1]);
  }
  return pattern;
}

/// Coupling of an operator: between all components of neighbouring nodes, or between equal ones
/// only.
enum class Coupling { all_components, each_component };

/// Calls visit(columns) for the rows of a body, with ascending columns.
template <int dim, typename Visit>
void visit_rows(const Space<dim> &space, const Lists &nodes, Coupling coupling,
                const Visit &visit) {
  std::vector<int> columns;
  for (std::size_t node = 0; node + 1 < nodes.start.size(); ++node)
    for (unsigned int component = 0; component < dim; ++component) {
      columns.clear();
      for (std::size_t k = nodes.start[node]; k < nodes.start[node + 1]; ++k)
        for (unsigned int d = 0; d < dim; ++d)
          if (coupling == Coupling::all_components || d == component)
            columns.push_back(static_cast<int>(space.first_dof + dim * nodes.number[k] + d));
      visit(columns);
    }
}

/// Does so for the rows of a rigid body: a diagonal, and in 3D a block of its rotations.
template <int dim, typename Visit>
void visit_rows(const RigidBody<dim> &, int first_dof, const Visit &visit) {
  std::vector<int> rotations(RigidBody<dim>::n_rotations);
  std::iota(rotations.begin(), rotations.end(), first_dof + dim);
  for (int i = 0; i < dim; ++i)
    visit(std::vector<int>{first_dof + i});
  for (std::size_t i = 0; i < rotations.size(); ++i)
    visit(rotations);
}

/// Returns a matrix of zeros; `visit_all_rows(visit)` calls visit(columns) for each row from
/// first_row on. The rows before it are blocks of nodes.
template <typename VisitAllRows>
SparseMatrix allocate(const VisitAllRows &visit_all_rows, unsigned int first_row,
                      NodeBlocks blocks) {
  std::size_t n_rows = 0, n_entries = 0;
  visit_all_rows([&](const std::vector<int> &columns) {
    ++n_rows;
    n_entries += columns.size();
  });
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->first_row = first_row;
  pattern->start.reserve(n_rows + 1);
  pattern->column.reserve(n_entries);
  visit_all_rows([&](const std::vector<int> &columns) { pattern->append_row(columns); });
  return SparseMatrix(std::move(pattern), std::move(blocks));
}

} // namespace

template <int dim>
void allocate(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
              const std::vector<RigidBody<dim>> &rigid, const Partition &partition,
              MatrixStorage storage, SparseMatrix &mass, SparseMatrix &stiffness) {
  const bool are_nodes = storage == MatrixStorage::nodes;
  std::vector<Lists> nodes;
  std::shared_ptr<const NodePattern> node_pattern;
  if (are_nodes)
    node_pattern = pattern_by_nodes(elastic, partition);
  else
    for (const auto &body : elastic)
      nodes.push_back(neighbours(*body));
  const auto allocate_coupled = [&](Coupling coupling) {
    NodeBlocks blocks;
    if (are_nodes)
      blocks.allocate(node_pattern, dim, coupling == Coupling::each_component);
    return allocate(
        [&](const auto &visit) {
          for (std::size_t b = 0; b < nodes.size(); ++b)
            visit_rows(elastic[b]->space, nodes[b], coupling, visit);
          auto first_dof = static_cast<int>(partition.size());
          for (const RigidBody<dim> &body : rigid) {
            visit_rows(body, first_dof, visit);
            first_dof += static_cast<int>(RigidBody<dim>::n_dofs);
          }
        },
        are_nodes ? partition.size() : 0, std::move(blocks));
  };
  mass = allocate_coupled(Coupling::each_component);
  stiffness = allocate_coupled(Coupling::all_components);
}

template void allocate(const std::vector<std::unique_ptr<ElasticBody<2>>> &,
                       const std::vector<RigidBody<2>> &, const Partition &, MatrixStorage,
                       SparseMatrix &, SparseMatrix &);
template void allocate(const std::vector<std::unique_ptr<ElasticBody<3>>> &,
                       const std::vector<RigidBody<3>> &, const Partition &, MatrixStorage,
                       SparseMatrix &, SparseMatrix &);

} // namespace percussion
