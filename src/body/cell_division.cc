#include <percussion/body/cell_division.h>

namespace percussion {

template <int dim>
CellDivision<dim>::CellDivision(const System<dim> &system, const Partition &division)
    : partition(division), has_cells(partition.n_processes(), false) {
  for (const auto &body : system.elastic) {
    const Space<dim> &space = body->space;
    std::vector<unsigned int> &body_cells = cells.emplace_back();
    for (unsigned int cell = 0; cell < space.n_cells(); ++cell) {
      const unsigned int process = owner(space, cell);
      has_cells[process] = true;
      if (process == partition.process())
        body_cells.push_back(cell);
    }
    body_cells.shrink_to_fit();
  }
}

template struct CellDivision<2>;
template struct CellDivision<3>;

} // namespace percussion
