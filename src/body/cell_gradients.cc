#include <percussion/body/cell_gradients.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>

namespace percussion {

template <int dim>
CellGradients<dim>::CellGradients(const Space<dim> &s, const dealii::Quadrature<dim> &rule)
    : space(s) {
  const bool is_simplex = space.mesh.shape == CellShape::simplex;
  const auto linear =
      is_simplex ? dealii::FE_SimplexP<dim>(1).clone() : dealii::FE_Q<dim>(1).clone();
  for (unsigned int q = 0; q < rule.size(); ++q) {
    points.push_back({rule.weight(q), {}, {}, {}, {}});
    Point &point = points.back();
    for (unsigned int k = 0; k < space.nodes_per_cell(); ++k) {
      const unsigned int i = space.element.component_to_system_index(0, k);
      point.values[k] = space.element.shape_value_component(i, rule.point(q), 0);
      point.gradients[k] = space.element.shape_grad_component(i, rule.point(q), 0);
    }
    for (unsigned int v = 0; v < space.vertices_per_cell(); ++v) {
      point.vertex_values[v] = linear->shape_value(v, rule.point(q));
      point.vertex_gradients[v] = linear->shape_grad(v, rule.point(q));
    }
  }
}

template <int dim>
typename CellGradients<dim>::Revolved CellGradients<dim>::means(unsigned int cell,
                                                                bool is_revolved) const {
  const unsigned int *const nodes = space.nodes_of(cell);
  const unsigned int n = space.nodes_per_cell(), n_vertices = space.vertices_per_cell();
  Revolved mean{};
  for (const Point &point : points) {
    dealii::Tensor<2, dim> jacobian;
    for (unsigned int v = 0; v < n_vertices; ++v)
      jacobian +=
          outer_product(dealii::Tensor<1, dim>(space.nodes[nodes[v]]), point.vertex_gradients[v]);
    const double point_area = point.weight * determinant(jacobian);
    double radius = 0;
    for (unsigned int v = 0; v < n_vertices; ++v)
      radius += point.vertex_values[v] * space.nodes[nodes[v]][0];
    const double point_volume = is_revolved ? radius * point_area : point_area;
    const dealii::Tensor<2, dim> map = point_volume * transpose(invert(jacobian));
    for (unsigned int k = 0; k < n; ++k)
      mean.gradients[k] += map * point.gradients[k];
    for (unsigned int k = 0; k < n && is_revolved; ++k)
      mean.hoops[k] += point_area * point.values[k];
    mean.volume += point_volume;
  }
  space.join_linear_middles(cell, mean.gradients);
  space.join_linear_middles(cell, mean.hoops);
  for (auto &gradient : mean.gradients)
    gradient /= mean.volume;
  for (double &hoop : mean.hoops)
    hoop /= mean.volume;
  return mean;
}

template class CellGradients<2>;
template class CellGradients<3>;

} // namespace percussion
