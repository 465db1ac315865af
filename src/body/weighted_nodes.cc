#include <percussion/base/instantiate.h>
#include <percussion/body/nodal_masses.h>
#include <percussion/body/weighted_nodes.h>

namespace percussion {

template <int dim>
WeightedNodes<dim>
weights_in_cell(const typename dealii::DoFHandler<dim>::active_cell_iterator &cell,
                const Space<dim> &space, const dealii::Point<dim> &x) {
  constexpr double round_off = 1e-9; // relative to the unit cell
  auto box = cell->bounding_box();
  box.extend(round_off * cell->diameter());
  if (!box.point_inside(x))
    return {};
  dealii::Point<dim> unit;
  try {
    unit = space.mapping->transform_real_to_unit_cell(cell, x);
  } catch (const typename dealii::Mapping<dim>::ExcTransformationFailed &) {
    return {};
  }
  if (!cell->reference_cell().contains_point(unit, round_off))
    return {};
  const unsigned int index = cell->active_cell_index();
  std::vector<double> shape(space.nodes_per_cell());
  for (unsigned int k = 0; k < shape.size(); ++k)
    shape[k] = space.element.shape_value(space.element.component_to_system_index(0, k), unit);
  space.join_linear_middles(index, shape);
  WeightedNodes<dim> nodes;
  for (unsigned int k = 0; k < shape.size(); ++k)
    if (!space.is_linear_middle(index, k))
      nodes.emplace_back(space.node_dofs[space.nodes_of(index)[k]], shape[k]);
  return nodes;
}

template <int dim>
WeightedNodes<dim> nodal_masses(const System<dim> &system, const ElasticBody<dim> &body) {
  constexpr unsigned int component = dim - 1; // of bodies of revolution, along the axis
  Vector unit = system.zero_field(), momentum = system.zero_field();
  for (const auto &dofs : body.space.node_dofs)
    unit[dofs[component]] = 1.;
  multiply(system.operators.mass, system.operators.partition, unit, momentum);
  WeightedNodes<dim> nodes;
  for (const auto &dofs : body.space.node_dofs)
    nodes.emplace_back(dofs, momentum[dofs[component]]);
  return nodes;
}

template <int dim>
MassMean<dim> mass_mean(const System<dim> &system, const ElasticBody<dim> &body) {
  MassMean<dim> mean{0., nodal_masses(system, body)};
  for (const auto &node : mean.nodes)
    mean.mass += node.second;
  for (auto &node : mean.nodes)
    node.second = mean.mass > 0. ? node.second / mean.mass : 0.;
  return mean;
}

PERCUSSION_INSTANTIATE(weights_in_cell);
PERCUSSION_INSTANTIATE(nodal_masses);
PERCUSSION_INSTANTIATE(mass_mean);

} // namespace percussion
