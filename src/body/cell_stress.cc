#include <percussion/body/cell_stress.h>

namespace percussion {

template <int dim>
CellStress<dim>::CellStress(const ElasticBody<dim> &body)
    : space(body.space), gradients(space, space.stiffness_quadrature) {
  const Materials<dim> &materials = body.materials;
  law_locations.resize(space.n_cells());
  for (unsigned int cell = 0; cell < law_locations.size(); ++cell)
    law_locations[cell] = {true, materials.number(cell), cell};
  for (unsigned int number = 0; number < materials.list.size(); ++number) {
    laws.push_back(materials.list[number].elastic);
    if (!materials.list[number].finite_strain)
      continue;
    const auto law = static_cast<unsigned int>(finite_strain.size());
    finite_strain.emplace_back(body, number);
    for (unsigned int cell = 0; cell < finite_strain[law].n_cells(); ++cell)
      law_locations[finite_strain[law].index_in_mesh(cell)] = {false, law, cell};
  }
  for (unsigned int cell = 0; dim == 2 && cell < n_cells(); ++cell)
    stored_gradients.push_back(gradients.mean(cell));
}

template <int dim>
dealii::SymmetricTensor<2, 3> CellStress<dim>::operator()(unsigned int cell,
                                                          const Vector &q) const {
  const Place &of_cell = law_locations[cell];
  if (!of_cell.is_linear)
    return finite_strain[of_cell.law].cauchy_stress(of_cell.cell, q);
  const Gradients of_shapes = dim == 2 ? stored_gradients[cell] : gradients.mean(cell);
  dealii::Tensor<2, dim> gradient;
  for (unsigned int v = 0; v < space.n_corners(); ++v) {
    const auto &dofs = space.node_dofs[space.corners_of(cell)[v]];
    for (unsigned int i = 0; i < dim; ++i)
      gradient[i] += entries(q)[dofs[i]] * of_shapes[v];
  }
  return laws[of_cell.law].full_stress(symmetrize(gradient));
}

template class CellStress<2>;
template class CellStress<3>;

} // namespace percussion
