#include <percussion/body/cell_gradients.h>
#include <percussion/body/nodal_stress.h>

namespace percussion {

template <int dim>
NodalStress<dim>::NodalStress(const System<dim> &system, const CellDivision<dim> &division,
                              std::size_t body)
    : space(system.elastic[body]->space) {
  const bool is_revolved = system.elastic[body]->materials.are_axisymmetric();
  const CellGradients<dim> gradients(space, space.stiffness_quadrature);
  volume.reserve(space.n_cells());
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell)
    volume.push_back(gradients.volume(cell, is_revolved));
  if (!division.partition.is_shared())
    return;
  std::vector<std::vector<unsigned int>> cells_of_process(division.partition.n_processes());
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell)
    cells_of_process[division.owner(space, cell)].push_back(cell);
  shared_cells = SharedItems(division.partition, cells_of_process);
}

template <int dim>
std::vector<SpaceTensor> NodalStress<dim>::operator()(std::vector<SpaceTensor> cell_stress) const {
  if (!cell_stress.empty())
    shared_cells.gather(&cell_stress.front().access_raw_entry(0),
                        SpaceTensor::n_independent_components);
  std::vector<SpaceTensor> stress(space.n_nodes());
  std::vector<double> weight(space.n_nodes(), 0.);
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell)
    for (unsigned int k = 0; k < space.nodes_per_cell(); ++k) {
      if (space.is_linear_middle(cell, k))
        continue;
      const unsigned int node = space.nodes_of(cell)[k];
      stress[node] += volume[cell] * cell_stress[cell];
      weight[node] += volume[cell];
    }
  for (unsigned int node = 0; node < space.n_nodes(); ++node)
    stress[node] /= weight[node];
  return stress;
}

template class NodalStress<2>;
template class NodalStress<3>;

} // namespace percussion
