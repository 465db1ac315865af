#include <percussion/base/instantiate.h>
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
  WeightedNodes<dim> nodes;
  for (const unsigned int v : cell->vertex_indices())
    nodes.emplace_back(
        space.node_dofs[cell->vertex_index(v)],
        space.element.shape_value(space.element.component_to_system_index(0, v), unit));
  return nodes;
}

PERCUSSION_INSTANTIATE(weights_in_cell);

} // namespace percussion
