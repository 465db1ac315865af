#include <percussion/body/cell_stress.h>

#include <deal.II/fe/fe_values.h>

namespace percussion {

template <int dim>
CellStress<dim>::CellStress(const Space<dim> &space, const Material<dim> &material)
    : law(material.elastic), first_node(1, 0) {
  if (material.finite_strain)
    finite_strain.emplace(space, material.thickness, *material.finite_strain);
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
  if (finite_strain)
    return finite_strain->cauchy_stress(cell, q);
  dealii::Tensor<2, dim> gradient;
  for (unsigned int k = first_node[cell]; k < first_node[cell + 1]; ++k)
    for (unsigned int i = 0; i < dim; ++i)
      gradient[i] += entries(q)[nodes[k].dofs[i]] * nodes[k].mean_gradient;
  return law.full_stress(symmetrize(gradient));
}

template class CellStress<2>;

} // namespace percussion
