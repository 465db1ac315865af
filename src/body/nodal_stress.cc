#include <percussion/body/cell_gradients.h>
#include <percussion/body/nodal_stress.h>

namespace percussion {

template <int dim>
template <typename Visitor>
void NodalStress<dim>::visit_nodes(unsigned int cell, const Visitor &visit) const {
  const unsigned int *const nodes = space.nodes_of(cell);
  for (unsigned int k = 0; k < space.nodes_per_cell(); ++k)
    if (!space.is_linear_middle(cell, k))
      visit(nodes[k]);
}

template <int dim>
NodalStress<dim>::NodalStress(const System<dim> &system, const CellDivision<dim> &division,
                              std::size_t body)
    : space(system.elastic[body]->space), node_volume(space.n_nodes(), 0.) {
  const Materials<dim> &materials = system.elastic[body]->materials;
  const bool is_revolved = materials.are_axisymmetric();
  const CellGradients<dim> gradients(space, space.stiffness_quadrature);
  volume.reserve(space.n_cells());
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell) {
    volume.push_back(gradients.volume(cell, is_revolved) * materials.material(cell).thickness);
    visit_nodes(cell, [&](unsigned int node) { node_volume[node] += volume[cell]; });
  }
  if (!division.partition.is_shared())
    return;
  std::vector<std::vector<unsigned int>> cells_of_process(division.partition.n_processes());
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell)
    cells_of_process[division.owner(space, cell)].push_back(cell);
  shared_cells = SharedItems(division.partition, cells_of_process);
}

template <int dim>
std::vector<SpaceTensor> NodalStress<dim>::operator()(std::vector<SpaceTensor> &cell_stress) const {
  if (!cell_stress.empty())
    shared_cells.gather(&cell_stress.front().access_raw_entry(0),
                        SpaceTensor::n_independent_components);
  std::vector<SpaceTensor> stress(space.n_nodes());
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell) {
    const SpaceTensor weighted = volume[cell] * cell_stress[cell];
    visit_nodes(cell, [&](unsigned int node) { stress[node] += weighted; });
  }
  for (unsigned int node = 0; node < space.n_nodes(); ++node)
    stress[node] /= node_volume[node];
  return stress;
}

template class NodalStress<2>;
template class NodalStress<3>;

} // namespace percussion
