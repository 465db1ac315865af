#include <percussion/base/instantiate.h>
#include <percussion/body/mean_dilatation.h>

#include "cell_point.h"
#include <algorithm>

namespace percussion {

template <int dim>
void add_mean_dilatation(const dealii::FEValues<dim> &values, const Material<dim> &material,
                         double factor, dealii::FullMatrix<double> &cell_matrix) {
  const unsigned int n = cell_matrix.m();
  const double stiffness = factor * material.elastic.bulk_modulus();
  std::vector<double> mean(n, 0.), difference(n);
  double volume = 0;
  for (const unsigned int q : values.quadrature_point_indices()) {
    const double at_point = point_volume(values, material, q);
    volume += at_point;
    for (unsigned int i = 0; i < n; ++i)
      mean[i] += at_point * shape_divergence(values, material, i, q);
  }
  for (double &divergence : mean)
    divergence /= volume;
  // The mean square less the square of the mean is the variance.
  for (const unsigned int q : values.quadrature_point_indices()) {
    const double weight = stiffness * point_volume(values, material, q);
    for (unsigned int i = 0; i < n; ++i)
      difference[i] = shape_divergence(values, material, i, q) - mean[i];
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        cell_matrix(i, j) -= weight * difference[i] * difference[j];
  }
}

template <int dim>
void MacroCell<dim>::add_cell(const dealii::FEValues<dim> &values, const Material<dim> &material,
                              const std::vector<dealii::types::global_dof_index> &cell_dofs) {
  std::vector<double> divergence(all_dofs.size(), 0.);
  for (unsigned int i = 0; i < cell_dofs.size(); ++i) {
    const auto found = std::find(all_dofs.begin(), all_dofs.end(), cell_dofs[i]);
    const auto k = static_cast<std::size_t>(found - all_dofs.begin());
    if (found == all_dofs.end()) {
      all_dofs.push_back(cell_dofs[i]);
      divergence.push_back(0.);
    }
    divergence[k] = shape_divergence(values, material, i, 0); // at the only point
  }
  double volume = 0;
  for (const unsigned int q : values.quadrature_point_indices())
    volume += point_volume(values, material, q);
  volumes.push_back(volume);
  divergences.push_back(divergence);
}

template <int dim>
dealii::FullMatrix<double> MacroCell<dim>::matrix(double bulk) const {
  const std::size_t n = all_dofs.size();
  std::vector<double> mean(n, 0.);
  double volume = 0;
  for (std::size_t c = 0; c < volumes.size(); ++c) {
    volume += volumes[c];
    for (std::size_t i = 0; i < divergences[c].size(); ++i)
      mean[i] += volumes[c] * divergences[c][i];
  }
  dealii::FullMatrix<double> result(n, n);
  for (std::size_t c = 0; c < volumes.size(); ++c) {
    std::vector<double> difference = divergences[c];
    difference.resize(n, 0.);
    for (std::size_t i = 0; i < n; ++i)
      difference[i] -= mean[i] / volume;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        result(i, j) -= bulk * volumes[c] * difference[i] * difference[j];
  }
  return result;
}

PERCUSSION_INSTANTIATE(add_mean_dilatation);
template class MacroCell<2>;
template class MacroCell<3>;

} // namespace percussion
