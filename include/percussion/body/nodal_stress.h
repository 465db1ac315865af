#pragma once

#include <percussion/body/cell_division.h>
#include <percussion/material/space_tensor.h>

#include <vector>

namespace percussion {

/// Stress at the nodes of a body: the mean of the stresses of the cells of a node, weighted by
/// their undeformed volumes, in 2D area times thickness, as a mean over the body is. All processes
/// hold the stresses of all cells while it is computed. Stresses that jump from cell to cell, or
/// alternate as pressures of mean dilatation do, become smooth; so does a jump between materials.
template <int dim>
class NodalStress {
public:
  /// Takes the body of this index; the system must outlive this object.
  NodalStress(const System<dim> &system, const CellDivision<dim> &division, std::size_t body);

  /// Returns the stress at each node [stress] from the stress of each cell of the body; each
  /// process needs the stress of its own cells only, and receives the others'. Sums are in the
  /// order of the cells for any number of processes. Collective.
  std::vector<SpaceTensor> operator()(std::vector<SpaceTensor> &cell_stress) const;

private:
  /// Calls `visit` with the nodes of a cell that are no linear middles.
  template <typename Visitor>
  void visit_nodes(unsigned int cell, const Visitor &visit) const;

  const Space<dim> &space;
  std::vector<double> volume;      ///< volume of each cell; over 2 π in a body of revolution
  std::vector<double> node_volume; ///< sum of the volumes of the cells at each node
  SharedItems shared_cells;        ///< cells whose stress each process computes
};

} // namespace percussion
