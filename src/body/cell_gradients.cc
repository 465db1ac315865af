#include <percussion/body/cell_gradients.h>

namespace percussion {

template <int dim>
CellGradients<dim>::CellGradients(const Space<dim> &s, const dealii::Quadrature<dim> &rule)
    : space(s) {
  for (unsigned int q = 0; q < rule.size(); ++q) {
    points.push_back({rule.weight(q), {}});
    for (unsigned int v = 0; v < space.n_corners(); ++v)
      points.back().gradients[v] = space.element.shape_grad_component(
          space.element.component_to_system_index(0, v), rule.point(q), 0);
  }
}

template <int dim>
typename CellGradients<dim>::Gradients CellGradients<dim>::mean(unsigned int cell) const {
  const unsigned int *const nodes = space.corners_of(cell), n_corners = space.n_corners();
  Gradients gradients{};
  double volume = 0;
  for (const Point &point : points) {
    dealii::Tensor<2, dim> jacobian;
    for (unsigned int v = 0; v < n_corners; ++v)
      jacobian += outer_product(dealii::Tensor<1, dim>(space.nodes[nodes[v]]), point.gradients[v]);
    const double point_volume = point.weight * determinant(jacobian);
    const dealii::Tensor<2, dim> map = point_volume * transpose(invert(jacobian));
    for (unsigned int v = 0; v < n_corners; ++v)
      gradients[v] += map * point.gradients[v];
    volume += point_volume;
  }
  for (auto &gradient : gradients)
    gradient /= volume;
  return gradients;
}

template class CellGradients<2>;
template class CellGradients<3>;

} // namespace percussion
