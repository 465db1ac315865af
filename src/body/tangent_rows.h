#pragma once

#include <percussion/body/finite_strain.h>

/// Rows of strain of the degrees of freedom of a cell, of which tangents are made.
namespace percussion {

using dealii::Tensor;

/// Components of a symmetric tensor, the diagonal ones first.
template <int dim>
using StrainComponents =
    std::array<double, dealii::SymmetricTensor<2, dim>::n_independent_components>;

/// Returns sym(a ⊗ b), with its mixed components doubled, so that their product with the components
/// of a symmetric tensor is the double contraction.
template <int dim>
StrainComponents<dim> doubled_symmetric_product(const Tensor<1, dim> &a, const Tensor<1, dim> &b) {
  StrainComponents<dim> product;
  unsigned int k = 0;
  for (unsigned int i = 0; i < dim; ++i)
    product[k++] = a[i] * b[i];
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i + 1; j < dim; ++j)
      product[k++] = a[i] * b[j] + a[j] * b[i];
  return product;
}

/// Returns dΣ = D : dC for the components of dC, mixed ones doubled.
template <int dim>
StrainComponents<dim> contract(const dealii::SymmetricTensor<4, dim> &D,
                               const StrainComponents<dim> &dC) {
  const auto component = [&](unsigned int i, unsigned int j) {
    double sum = D[i][j][0][0] * dC[0];
    unsigned int n = 1;
    for (unsigned int k = 1; k < dim; ++k)
      sum += D[i][j][k][k] * dC[n++];
    for (unsigned int k = 0; k < dim; ++k)
      for (unsigned int l = k + 1; l < dim; ++l)
        sum += D[i][j][k][l] * dC[n++];
    return sum;
  };
  StrainComponents<dim> result;
  unsigned int n = 0;
  for (unsigned int i = 0; i < dim; ++i)
    result[n++] = component(i, i);
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i + 1; j < dim; ++j)
      result[n++] = component(i, j);
  return result;
}

/// Returns the components of a symmetric tensor.
template <int dim>
StrainComponents<dim> components(const dealii::SymmetricTensor<2, dim> &S) {
  StrainComponents<dim> result;
  unsigned int k = 0;
  for (unsigned int i = 0; i < dim; ++i)
    result[k++] = S[i][i];
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = i + 1; j < dim; ++j)
      result[k++] = S[i][j];
  return result;
}

/// Returns Σ a b.
template <std::size_t n>
double product(const std::array<double, n> &a, const std::array<double, n> &b) {
  double sum = a[0] * b[0];
  for (std::size_t i = 1; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Gradients of the shape functions of a cell at a point, and their N/r.
template <int dim, std::size_t n_nodes>
struct ShapeSlopes {
  std::array<Tensor<1, dim>, n_nodes> slope; ///< ∇N [1 / length]
  std::array<double, n_nodes> hoop;          ///< N/r [1 / length]; zero without axis of revolution

  /// Returns ∇N of a node with `space` components.
  template <int space>
  Tensor<1, space> gradient(unsigned int a) const {
    Tensor<1, space> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = slope[a][d];
    return result;
  }
  /// Returns sym(Fᵀ dF), mixed components doubled, for dF = e_i ⊗ ∇N_a, and for i = 0 with the hoop
  /// strain N_a/r.
  template <int space>
  StrainComponents<space> strain(const Tensor<2, space> &F, unsigned int a, unsigned int i) const {
    auto result = doubled_symmetric_product<space>(F[i], gradient<space>(a));
    if (space > dim && i == 0)
      result[space - 1] += F[space - 1][space - 1] * hoop[a];
    return result;
  }
};

/// Part of the tangent due to the change of the mean pressure, of rank one: its force 2 D_J times
/// the change of the volume. `dim` is the dimension of the tensors of strain.
template <int dim>
struct PressureTangent {
  static constexpr unsigned int max_dofs = 81; // of H27
  std::array<double, max_dofs> force{}, volume{};

  /// Adds the force of p̄ = 1 at a point on dof i, with the gradient of its J.
  void add_force(unsigned int i, const dealii::SymmetricTensor<2, dim> &weighted_gradient,
                 const StrainComponents<dim> &row) {
    force[i] += 2. * product(row, components<dim>(weighted_gradient));
  }
  /// Adds J'(C₁) : dC of a point for dof i.
  void add_volume(unsigned int i, const dealii::SymmetricTensor<2, dim> &slope,
                  const StrainComponents<dim> &dC) {
    volume[i] += product(components<dim>(slope), dC);
  }
  /// Adds the product with the derivative of the pressure.
  void add_to(double pressure_slope, unsigned int n, double *tangent) const {
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        tangent[i * n + j] += pressure_slope * force[i] * volume[j];
  }
};

} // namespace percussion
