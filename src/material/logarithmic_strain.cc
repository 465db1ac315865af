#include <percussion/material/logarithmic_strain.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

using dealii::Tensor;

namespace {

/// Rotates rows and columns p and q of B so that B_pq vanishes, and the columns of V likewise (W.
/// H. Press et al., Numerical Recipes, §11.1).
void rotate(unsigned int p, unsigned int q, Tensor<2, 3> &B, Tensor<2, 3> &V) {
  const double ratio = (B[q][q] - B[p][p]) / (2. * B[p][q]);
  const double t =
      std::isfinite(ratio * ratio)
          ? std::copysign(1., ratio) / (std::abs(ratio) + std::sqrt(1. + ratio * ratio))
          : 0.5 / ratio;
  const double c = 1. / std::sqrt(1. + t * t), s = t * c, tau = s / (1. + c);
  const double h = t * B[p][q];
  B[p][p] -= h;
  B[q][q] += h;
  B[p][q] = B[q][p] = 0.;
  const unsigned int r = 3 - p - q;
  const double g = B[r][p], k = B[r][q];
  B[r][p] = B[p][r] = g - s * (k + g * tau);
  B[r][q] = B[q][r] = k + s * (g - k * tau);
  for (unsigned int i = 0; i < 3; ++i) {
    const double x = V[i][p], y = V[i][q];
    V[i][p] = x - s * (y + x * tau);
    V[i][q] = y + s * (x - y * tau);
  }
}

/// Returns ln[1 + b, 1 + a].
double first_difference(double b, double a) {
  const double r = (b - a) / (1. + a);
  return (std::abs(r) < std::numeric_limits<double>::min() ? 1. : std::log1p(r) / r) / (1. + a);
}

/// Returns ln[x, y, z] of numbers that differ by less than 5 %, by its series about their mean m,
///
///     m² ln[x, y, z] = Σ_k (−1)^(k+1)/(k + 2) h_k ,   h_k = −e₂ h_(k−2) + e₃ h_(k−3) ,
///
/// with the complete and elementary symmetric polynomials h_k and e_k of (x − m)/m, ….
double close_difference(double x, double y, double z) {
  const double m = (x + y + z) / 3., u = (x - m) / m, v = (y - m) / m, w = (z - m) / m;
  const double e2 = u * v + u * w + v * w, e3 = u * v * w;
  double h3 = 0., h2 = 1., h1 = 0., sum = -0.5; // h_(k−3), h_(k−2), h_(k−1) at k = 2
  double sign = -1.;
  for (unsigned int k = 2; k <= 10; ++k, sign = -sign) {
    const double h = -e2 * h2 + e3 * h3;
    sum += sign / (k + 2.) * h;
    h3 = h2;
    h2 = h1;
    h1 = h;
  }
  return sum / (m * m);
}

/// Returns ln[1 + a, 1 + b, 1 + c].
double second_difference(double a, double b, double c) {
  const double smallest = std::min({a, b, c}), largest = std::max({a, b, c});
  const double middle = std::max(std::min(a, b), std::min(std::max(a, b), c));
  if (largest - smallest < 0.05 * (1. + middle))
    return close_difference(1. + a, 1. + b, 1. + c);
  return (first_difference(largest, middle) - first_difference(middle, smallest)) /
         (largest - smallest);
}

std::array<double, 3> half_logarithms(const std::array<double, 3> &values) {
  return {0.5 * std::log1p(values[0]), 0.5 * std::log1p(values[1]), 0.5 * std::log1p(values[2])};
}

/// Returns sym(N (f ∘ (Nᵀ X M)) Mᵀ).
SpaceTensor weighted(const Tensor<2, 3> &N, const Tensor<2, 3> &f, const SpaceTensor &X,
                     const Tensor<2, 3> &M) {
  Tensor<2, 3> x = transpose(N) * Tensor<2, 3>(X) * M;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      x[i][j] *= f[i][j];
  return symmetrize(N * x * transpose(M));
}

} // namespace

PrincipalAxes principal_axes(const SpaceTensor &A) {
  constexpr unsigned int max_sweeps = 12; // a few suffice; not a number never becomes diagonal
  Tensor<2, 3> B = A, V = dealii::unit_symmetric_tensor<3>();
  for (unsigned int sweep = 0; sweep < max_sweeps; ++sweep) {
    bool is_diagonal = true;
    for (unsigned int p = 0; p < 2; ++p)
      for (unsigned int q = p + 1; q < 3; ++q) {
        const double negligible = 1e-20 * (std::abs(B[p][p]) + std::abs(B[q][q]));
        if (std::abs(B[p][q]) <= std::max(negligible, std::numeric_limits<double>::min()))
          continue;
        is_diagonal = false;
        rotate(p, q, B, V);
      }
    if (is_diagonal)
      break;
  }
  return {{B[0][0], B[1][1], B[2][2]}, V};
}

SpaceTensor from_principal_axes(const std::array<double, 3> &values, const Tensor<2, 3> &V) {
  SpaceTensor sum;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = i; j < 3; ++j)
      sum[i][j] = V[i][0] * values[0] * V[j][0] + V[i][1] * values[1] * V[j][1] +
                  V[i][2] * values[2] * V[j][2];
  return sum;
}

SpaceTensor logarithmic_strain(const SpaceTensor &A) {
  const PrincipalAxes axes = principal_axes(A);
  return from_principal_axes(half_logarithms(axes.values), axes.vectors);
}

SpaceTensor stress_of_logarithmic(const SpaceTensor &A, const SpaceTensor &T) {
  return LogarithmicStep(A, A, SpaceTensor()).stress(T);
}

LogarithmicStep::LogarithmicStep(const SpaceTensor &A0, const SpaceTensor &A1,
                                 const SpaceTensor &dC)
    : axes0(principal_axes(A0)), axes1(principal_axes(A1)) {
  start = from_principal_axes(half_logarithms(axes0.values), axes0.vectors);
  end = from_principal_axes(half_logarithms(axes1.values), axes1.vectors);
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      quotient[i][j] = first_difference(axes1.values[i], axes0.values[j]);
  change = 0.5 * weighted(axes1.vectors, quotient, dC, axes0.vectors);
}

SpaceTensor LogarithmicStep::stress(const SpaceTensor &T) const {
  return weighted(axes1.vectors, quotient, T, axes0.vectors);
}

LogarithmicTangent::LogarithmicTangent(const LogarithmicStep &step, const SpaceTensor &T)
    : map(step) {
  const auto &alpha = map.axes0.values, &beta = map.axes1.values;
  const Tensor<2, 3> t = transpose(map.axes1.vectors) * Tensor<2, 3>(T) * map.axes0.vectors;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int k = i; k < 3; ++k) {
      end_quotient[i][k] = end_quotient[k][i] = first_difference(beta[i], beta[k]);
      for (unsigned int j = 0; j < 3; ++j) {
        const double difference = second_difference(beta[i], beta[k], alpha[j]);
        weights[i][k][j] = difference * t[k][j];
        weights[k][i][j] = difference * t[i][j];
      }
    }
}

SpaceTensor LogarithmicTangent::strain_change(const SpaceTensor &dC) const {
  return 0.5 * weighted(map.axes1.vectors, end_quotient, dC, map.axes1.vectors);
}

/// With g_j(x) = ln[x, α_j] the derivative of g_j(C₁) is Σ_ik ln[β_i, β_k, α_j] N_i (N_i · dC N_k)
/// N_kᵀ.
SpaceTensor LogarithmicTangent::stress_change(const SpaceTensor &dC, const SpaceTensor &dT) const {
  const Tensor<2, 3> &N = map.axes1.vectors, &M = map.axes0.vectors;
  const Tensor<2, 3> c = transpose(N) * Tensor<2, 3>(dC) * N;
  Tensor<2, 3> x = transpose(N) * Tensor<2, 3>(dT) * M;
  for (unsigned int i = 0; i < 3; ++i)
    for (unsigned int j = 0; j < 3; ++j)
      x[i][j] = map.quotient[i][j] * x[i][j] + c[i][0] * weights[i][0][j] +
                c[i][1] * weights[i][1][j] + c[i][2] * weights[i][2][j];
  return symmetrize(N * x * transpose(M));
}

} // namespace percussion
