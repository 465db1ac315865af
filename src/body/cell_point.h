#pragma once

#include <percussion/body/material.h>

#include <deal.II/fe/fe_values.h>

namespace percussion {

/// Flags of the values that the functions below read.
inline const dealii::UpdateFlags cell_point_flags =
    dealii::update_values | dealii::update_gradients | dealii::update_quadrature_points |
    dealii::update_JxW_values;

/// Returns the volume of a quadrature point of a cell [length³], or the area of a point of a face.
template <int dim>
double point_volume(const dealii::FEValuesBase<dim> &values, const Material<dim> &material,
                    unsigned int q) {
  return values.JxW(q) * material.out_of_plane_size(values.quadrature_point(q));
}

/// Returns the hoop strain u_r/r of a shape function at a quadrature point [1 / length]; zero
/// unless the body is axisymmetric.
template <int dim>
double hoop_strain(const dealii::FEValuesBase<dim> &values, const Material<dim> &material,
                   unsigned int i, unsigned int q) {
  if (!material.is_axisymmetric || values.get_fe().system_to_component_index(i).first != 0)
    return 0.;
  return values.shape_value(i, q) / values.quadrature_point(q)[0];
}

/// Returns the strain of a shape function at a quadrature point [1 / length], with the hoop strain
/// as third component if `space` is 3 in 2D.
template <int space, int dim>
dealii::SymmetricTensor<2, space> shape_strain(const dealii::FEValuesBase<dim> &values,
                                               const Material<dim> &material, unsigned int i,
                                               unsigned int q) {
  const auto in_plane = values[dealii::FEValuesExtractors::Vector(0)].symmetric_gradient(i, q);
  if constexpr (space == dim)
    return in_plane;
  else
    return full_tensor<dim>(in_plane, hoop_strain(values, material, i, q));
}

/// Returns div u of a shape function at a quadrature point [1 / length].
template <int dim>
double shape_divergence(const dealii::FEValuesBase<dim> &values, const Material<dim> &material,
                        unsigned int i, unsigned int q) {
  return values[dealii::FEValuesExtractors::Vector(0)].divergence(i, q) +
         hoop_strain(values, material, i, q);
}

} // namespace percussion
