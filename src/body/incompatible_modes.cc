#include <percussion/base/instantiate.h>
#include <percussion/body/incompatible_modes.h>

namespace percussion {
namespace {

using dealii::SymmetricTensor;
using dealii::Tensor;

/// Returns the gradients of the modes 1 − ξ_m² at each point, up to a factor.
template <int dim>
std::vector<std::array<Tensor<1, dim>, dim>>
gradients_of_modes(const dealii::FEValues<dim> &values) {
  const auto &rule = values.get_quadrature();
  // No derivative of N by ξ_m contains ξ_m twice, so that the mean over symmetric points is J at
  // the centre.
  Tensor<2, dim> centre;
  for (const unsigned int q : values.quadrature_point_indices())
    centre += Tensor<2, dim>(values.jacobian(q)) / static_cast<double>(rule.size());
  const Tensor<2, dim> inverse = invert(centre);
  std::vector<std::array<Tensor<1, dim>, dim>> gradients(rule.size());
  for (const unsigned int q : values.quadrature_point_indices())
    for (unsigned int m = 0; m < dim; ++m) {
      const double slope = (1. - 2. * rule.point(q)[m]) * determinant(centre) /
                           determinant(Tensor<2, dim>(values.jacobian(q)));
      gradients[q][m] = slope * inverse[m];
    }
  return gradients;
}

/// Returns sym(e_i ⊗ g).
template <int dim>
SymmetricTensor<2, dim> strain(unsigned int i, const Tensor<1, dim> &g) {
  Tensor<2, dim> gradient;
  gradient[i] = g;
  return symmetrize(gradient);
}

} // namespace

template <int dim>
void add_incompatible_modes(const dealii::FEValues<dim> &values, const LinearElastic<dim> &law,
                            double factor, dealii::FullMatrix<double> &cell_matrix) {
  constexpr unsigned int n_modes = dim * dim;
  const unsigned int n = cell_matrix.m();
  const dealii::FEValuesExtractors::Vector displacement(0);
  const auto gradients = gradients_of_modes(values);
  dealii::FullMatrix<double> mode_matrix(n_modes), coupling(n_modes, n), answer(n_modes, n);
  for (const unsigned int q : values.quadrature_point_indices())
    for (unsigned int a = 0; a < n_modes; ++a) {
      const auto stress = law.stress(strain(a % dim, gradients[q][a / dim]));
      for (unsigned int b = 0; b < n_modes; ++b)
        mode_matrix(a, b) += stress * strain(b % dim, gradients[q][b / dim]) * values.JxW(q);
      for (unsigned int j = 0; j < n; ++j)
        coupling(a, j) += stress * values[displacement].symmetric_gradient(j, q) * values.JxW(q);
    }
  mode_matrix.gauss_jordan();
  mode_matrix.mmult(answer, coupling);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
      for (unsigned int a = 0; a < n_modes; ++a)
        cell_matrix(i, j) -= factor * coupling(a, i) * answer(a, j);
}

PERCUSSION_INSTANTIATE(add_incompatible_modes);

} // namespace percussion
