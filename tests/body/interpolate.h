#pragma once

#include <percussion/body/space.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>

#include <array>
#include <cmath>

namespace percussion::test {

/// Returns the nodal values of a displacement field.
template <typename Field>
Vector interpolate(const Space<2> &space, const Field &field) {
  Vector u(space.n_dofs());
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    const std::array<double, 2> value = field(space.nodes[i]);
    for (unsigned int d = 0; d < 2; ++d)
      u[space.node_dofs[i][d]] = value[d];
  }
  return u;
}

/// Returns the L2 norm of the difference from a field, of a space whose trace is nowhere linear.
template <int dim, typename Field>
double l2_error(const Space<dim> &space, const Vector &q, const Field &field) {
  const dealii::Quadrature<dim> rule =
      space.mesh.shape == CellShape::simplex
          ? dealii::Quadrature<dim>(dealii::QWitherdenVincentSimplex<dim>(4))
          : dealii::Quadrature<dim>(dealii::QGauss<dim>(5));
  dealii::FEValues<dim> values(*space.mapping, space.element, rule,
                               dealii::update_values | dealii::update_quadrature_points |
                                   dealii::update_JxW_values);
  double sum = 0;
  for (const auto &cell : space.dofs.active_cell_iterators()) {
    values.reinit(cell);
    for (const unsigned int k : values.quadrature_point_indices()) {
      std::array<double, dim> difference = field(values.quadrature_point(k));
      for (unsigned int i = 0; i < space.element.n_dofs_per_cell(); ++i)
        difference[space.element.system_to_component_index(i).first] -=
            values.shape_value(i, k) * q[space.dof_of_cell(cell->active_cell_index(), i)];
      for (const double component : difference)
        sum += component * component * values.JxW(k);
    }
  }
  return std::sqrt(sum);
}

} // namespace percussion::test
