// Pressures of mean dilatation as unknowns of corrections.

#include <percussion/body/finite_strain.h>

#include "cell_dilatation.h"
#include "finite_strain_points.h"
#include "tangent_rows.h"
#include <algorithm>

namespace percussion {

template <int dim>
void FiniteStrain<dim>::begin_pressures() {
  pressures.iterated = pressures.mean;
}

template <int dim>
void FiniteStrain<dim>::set_volume_rows(const Vector &q) {
  if (!iterates_pressures)
    return;
  const unsigned int n = this->dofs_per_group();
  pressures.rows.assign(std::size_t(this->n_groups()) * n, 0.);
  pressures.slopes.resize(this->n_groups());
  for (unsigned int group = 0; group < this->n_groups(); ++group)
    in_strain_space([&](auto space) {
      CellDilatation<space> dilatation;
      set_dilatation(group, q, true, dilatation);
      pressures.slopes[group] = dilatation.pressure_slope();
      add_volume_row<space>(group, q, dilatation, pressures.rows.data() + std::size_t(group) * n);
    });
}

/// Adds the gradient 2 w D_J : sym(Fᵀ dF) of V J̄ at rest at q.
template <int dim>
template <int space>
void FiniteStrain<dim>::add_volume_row(unsigned int group, const Vector &q,
                                       const CellDilatation<space> &dilatation, double *row) const {
  for (unsigned int c = 0; c < cells_per_group; ++c) {
    const unsigned int cell = group * cells_per_group + c, lane = cell % n_lanes;
    const unsigned char *const index = &cells.indices_in_group[std::size_t(cell) * dofs_per_cell()];
    const auto u = deformation(cell / n_lanes, q);
    for (unsigned int k = 0; k < points_per_cell; ++k) {
      const std::size_t point = first_point(cell) + k;
      const ShapeSlopes<dim, max_nodes> shapes{shape_gradients(point, lane),
                                               hoop_shapes(point, lane)};
      const Tensor<2, space> F =
          deformation_gradient(extract_lane(gradient<space>(point, u), lane));
      const auto slope = components<space>(2. * points[point].weight[lane] *
                                           dilatation.change(c * points_per_cell + k).gradient);
      for (unsigned int a = 0; a < nodes_per_cell; ++a)
        for (unsigned int i = 0; i < dim; ++i)
          row[index[dim * a + i]] += product(shapes.strain(F, a, i), slope);
    }
  }
}

template <int dim>
void FiniteStrain<dim>::append_predicted_pressures(double factor, const Vector &delta,
                                                   std::vector<double> &predicted) const {
  if (!iterates_pressures)
    return;
  const unsigned int n = this->dofs_per_group();
  for (unsigned int group = 0; group < this->n_groups(); ++group) {
    const unsigned int *const dofs = this->dofs_of_group(group);
    const double *const row = pressures.rows.data() + std::size_t(group) * n;
    double change = 0;
    for (unsigned int i = 0; i < n; ++i)
      change += row[i] * delta[dofs[i]];
    predicted.push_back(pressures.mean[group * cells_per_group] +
                        factor * pressures.slopes[group] * change);
  }
}

template <int dim>
const double *FiniteStrain<dim>::set_pressures(const double *group_pressures) {
  if (!iterates_pressures)
    return group_pressures;
  for (unsigned int group = 0; group < this->n_groups(); ++group)
    std::fill_n(pressures.iterated.begin() + static_cast<std::ptrdiff_t>(group * cells_per_group),
                cells_per_group, group_pressures[group]);
  return group_pressures + this->n_groups();
}

template <int dim>
void FiniteStrain<dim>::append_pressures(std::vector<double> &values) const {
  if (!iterates_pressures)
    return;
  for (unsigned int group = 0; group < this->n_groups(); ++group)
    values.push_back(pressures.iterated[group * cells_per_group]);
}

template <int dim>
void FiniteStrain<dim>::subtract_row_forces(Vector &force) const {
  const unsigned int n = this->dofs_per_group();
  for (unsigned int group = 0; group < this->n_groups(); ++group) {
    const unsigned int *const dofs = this->dofs_of_group(group);
    const unsigned int cell = group * cells_per_group;
    const double lag = pressures.mean[cell] - pressures.iterated[cell];
    for (unsigned int i = 0; i < n; ++i)
      force[dofs[i]] -= lag * pressures.rows[std::size_t(group) * n + i];
  }
}

template <int dim>
void FiniteStrain<dim>::add_volume_stiffness(unsigned int group, double *tangent) const {
  if (!iterates_pressures)
    return;
  const unsigned int n = this->dofs_per_group();
  const double *const row = pressures.rows.data() + std::size_t(group) * n;
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
      tangent[i * n + j] += pressures.slopes[group] * row[i] * row[j];
}

template void FiniteStrain<2>::begin_pressures();
template void FiniteStrain<2>::set_volume_rows(const Vector &);
template void FiniteStrain<2>::append_predicted_pressures(double, const Vector &,
                                                          std::vector<double> &) const;
template void FiniteStrain<2>::append_pressures(std::vector<double> &) const;
template void FiniteStrain<2>::subtract_row_forces(Vector &) const;
template void FiniteStrain<2>::add_volume_stiffness(unsigned int, double *) const;
template const double *FiniteStrain<2>::set_pressures(const double *);
template void FiniteStrain<3>::begin_pressures();
template void FiniteStrain<3>::set_volume_rows(const Vector &);
template void FiniteStrain<3>::append_predicted_pressures(double, const Vector &,
                                                          std::vector<double> &) const;
template void FiniteStrain<3>::append_pressures(std::vector<double> &) const;
template void FiniteStrain<3>::subtract_row_forces(Vector &) const;
template void FiniteStrain<3>::add_volume_stiffness(unsigned int, double *) const;
template const double *FiniteStrain<3>::set_pressures(const double *);

} // namespace percussion
