#include <percussion/body/cell_gradients.h>

namespace percussion {

template <int dim>
CellGradients<dim>::CellGradients(const Space<dim> &s, const dealii::Quadrature<dim> &rule)
    : space(s) {
  for (unsigned int q = 0; q < rule.size(); ++q) {
    points.push_back({rule.weight(q), {}, {}});
    for (unsigned int v = 0; v < space.n_corners(); ++v) {
      const unsigned int i = space.element.component_to_system_index(0, v);
      points.back().values[v] = space.element.shape_value_component(i, rule.point(q), 0);
      points.back().gradients[v] = space.element.shape_grad_component(i, rule.point(q), 0);
    }
  }
}

template <int dim>
typename CellGradients<dim>::Revolved CellGradients<dim>::means(unsigned int cell,
                                                                bool is_revolved) const {
  const unsigned int *const nodes = space.corners_of(cell), n_corners = space.n_corners();
  Revolved mean{};
  for (const Point &point : points) {
    dealii::Tensor<2, dim> jacobian;
    for (unsigned int v = 0; v < n_corners; ++v)
      jacobian += outer_product(dealii::Tensor<1, dim>(space.nodes[nodes[v]]), point.gradients[v]);
    const double point_area = point.weight * determinant(jacobian);
    double radius = 0;
    for (unsigned int v = 0; v < n_corners; ++v)
      radius += point.values[v] * space.nodes[nodes[v]][0];
    const double point_volume = is_revolved ? radius * point_area : point_area;
    const dealii::Tensor<2, dim> map = point_volume * transpose(invert(jacobian));
    for (unsigned int v = 0; v < n_corners; ++v)
      mean.gradients[v] += map * point.gradients[v];
    for (unsigned int v = 0; v < n_corners && is_revolved; ++v)
      mean.hoops[v] += point_area * point.values[v];
    mean.volume += point_volume;
  }
  for (auto &gradient : mean.gradients)
    gradient /= mean.volume;
  for (double &hoop : mean.hoops)
    hoop /= mean.volume;
  return mean;
}

template class CellGradients<2>;
template class CellGradients<3>;

} // namespace percussion
