#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/body/system.h>

#include <vector>

namespace percussion {

/// Division of the cells of elastic bodies among processes: a cell belongs to the process whose
/// range of a Partition has its first node. A process alone has all cells.
template <int dim>
struct CellDivision {
  /// `division`: ranges of the degrees of freedom of all elastic bodies.
  CellDivision(const System<dim> &system, const Partition &division);

  /// Returns the process that has a cell.
  unsigned int owner(const Space<dim> &space, unsigned int cell) const {
    return partition.owner(space.node_dofs[space.nodes_of(cell)[0]][0]);
  }

  Partition partition;
  std::vector<std::vector<unsigned int>>
      cells; ///< cells of this process in each elastic body, by ascending active indices
  std::vector<bool> has_cells; ///< for each process, true if it has cells
};

} // namespace percussion
