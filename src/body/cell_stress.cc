#include <percussion/body/cell_stress.h>

#include <deal.II/fe/fe_values.h>

namespace percussion {

template <int dim>
CellStress<dim>::CellStress(const ElasticBody<dim> &body) : first_node(1, 0) {
  const Space<dim> &space = body.space;
  const Materials<dim> &materials = body.materials;
  law_locations.resize(space.mesh.triangulation.n_active_cells());
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
  dealii::FEValues<dim> values(*space.mapping, space.element, space.stiffness_quadrature,
                               dealii::update_gradients | dealii::update_JxW_values);
  for (const auto &cell : space.dofs.active_cell_iterators()) {
    values.reinit(cell);
    for (const unsigned int v : cell->vertex_indices()) {
      CellNode node{space.node_dofs[cell->vertex_index(v)], {}};
      const unsigned int shape = space.element.component_to_system_index(0, v);
      double volume = 0;
      for (const unsigned int point : values.quadrature_point_indices()) {
        volume += values.JxW(point);
        node.mean_gradient += values.JxW(point) * values.shape_grad(shape, point);
      }
      node.mean_gradient /= volume;
      nodes.push_back(node);
    }
    first_node.push_back(static_cast<unsigned int>(nodes.size()));
  }
}

template <int dim>
dealii::SymmetricTensor<2, 3> CellStress<dim>::operator()(unsigned int cell,
                                                          const Vector &q) const {
  const Place &of_cell = law_locations[cell];
  if (!of_cell.is_linear)
    return finite_strain[of_cell.law].cauchy_stress(of_cell.cell, q);
  dealii::Tensor<2, dim> gradient;
  for (unsigned int k = first_node[cell]; k < first_node[cell + 1]; ++k)
    for (unsigned int i = 0; i < dim; ++i)
      gradient[i] += entries(q)[nodes[k].dofs[i]] * nodes[k].mean_gradient;
  return laws[of_cell.law].full_stress(symmetrize(gradient));
}

template class CellStress<2>;
template class CellStress<3>;

} // namespace percussion
