#pragma once

#include <percussion/body/cell_division.h>
#include <percussion/material/space_tensor.h>

#include <vector>

namespace percussion {

/// Stress at the nodes of a body: the mean of the stresses of the cells of a node, weighted by
/// their undeformed volumes, in the plane by their areas whatever their thickness. All processes
/// hold the stresses of all cells while it is computed. Stresses that jump from cell to cell, or
/// alternate as pressures of mean dilatation do, become smooth; so does a jump between materials.
template <int dim>
class NodalStress {
public:
  /// Takes the body of this index; the system must outlive this object.
  NodalStress(const System<dim> &system, const CellDivision<dim> &division, std::size_t body);

  /// Returns the stress at each node [stress] from the stress of each cell; each process needs the
  /// stress of its own cells only. Sums are in the order of the cells for any number of processes.
  /// Collective.
  std::vector<SpaceTensor> operator()(std::vector<SpaceTensor> cell_stress) const;

private:
  const Space<dim> &space;
  std::vector<double> volume; ///< volume of each cell; over 2 π in a body of revolution
  SharedItems shared_cells;   ///< cells whose stress each process computes
};

} // namespace percussion
