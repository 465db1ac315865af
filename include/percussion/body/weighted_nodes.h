#pragma once

#include <percussion/body/space.h>

#include <array>
#include <utility>
#include <vector>

namespace percussion {

/// Degrees of freedom of nodes of elastic bodies, with a weight for each node.
template <int dim>
using WeightedNodes = std::vector<std::pair<std::array<unsigned int, dim>, double>>;

/// Returns nodes of an elastic body with these weights.
template <int dim>
WeightedNodes<dim> weighted_nodes(const Space<dim> &space, const std::vector<unsigned int> &nodes,
                                  const std::vector<double> &weights) {
  WeightedNodes<dim> weighted;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    weighted.emplace_back(space.node_dofs[nodes[k]], weights[k]);
  return weighted;
}

/// Returns the weighted sum of the vectors at nodes in a field over all degrees of freedom.
template <int dim>
dealii::Tensor<1, dim> weighted_sum(const WeightedNodes<dim> &nodes, const Vector &field) {
  dealii::Tensor<1, dim> sum;
  for (const auto &[dofs, weight] : nodes)
    for (unsigned int d = 0; d < dim; ++d)
      sum[d] += weight * field[dofs[d]];
  return sum;
}

/// Returns the nodes of a cell with their shape values at a point; empty if the point is outside
/// the cell.
template <int dim>
WeightedNodes<dim>
weights_in_cell(const typename dealii::DoFHandler<dim>::active_cell_iterator &cell,
                const Space<dim> &space, const dealii::Point<dim> &x);

} // namespace percussion
