#pragma once

#include "delassus_operator.h"
#include <algorithm>
#include <cmath>
#include <vector>

/// Lorentz cone x_N ≥ ‖x_T‖ and its Jordan algebra, for interior points.
namespace percussion::lorentz {

using local::Block;
using local::Vector;

template <int d>
double tangential_norm(const Vector<d> &x) {
  return plain_norm(x.data() + 1, d - 1);
}

/// Returns x_N² − ‖x_T‖², the product of the eigenvalues in the Jordan algebra of the Lorentz cone.
template <int d>
double determinant(const Vector<d> &x) {
  const double t = tangential_norm<d>(x);
  return (x[0] - t) * (x[0] + t);
}

template <int d>
double dot(const Vector<d> &x, const Vector<d> &y) {
  double sum = 0.;
  for (std::size_t k = 0; k < d; ++k)
    sum += x[k] * y[k];
  return sum;
}

/// Returns x ∘ y = (x · y, x_N y_T + y_N x_T).
template <int d>
Vector<d> product(const Vector<d> &x, const Vector<d> &y) {
  Vector<d> z;
  z[0] = dot<d>(x, y);
  for (std::size_t k = 1; k < d; ++k)
    z[k] = x[0] * y[k] + y[0] * x[k];
  return z;
}

/// Returns the z of λ ∘ z = b.
template <int d>
Vector<d> quotient(const Vector<d> &b, const Vector<d> &lambda) {
  Vector<d> z;
  z[0] = 2. * lambda[0] * b[0] - dot<d>(lambda, b);
  z[0] /= determinant<d>(lambda);
  for (std::size_t k = 1; k < d; ++k)
    z[k] = (b[k] - z[0] * lambda[k]) / lambda[0];
  return z;
}

/// Returns the longest step from x along dx that stays in the cone, if shorter than the limit.
template <int d>
double longest_step(const Vector<d> &x, const Vector<d> &dx, double limit) {
  double a = dx[0] * dx[0], b = x[0] * dx[0];
  for (std::size_t k = 1; k < d; ++k) {
    a -= dx[k] * dx[k];
    b -= x[k] * dx[k];
  }
  const double c = determinant<d>(x), root = b * b - a * c; // root of a s² + 2 b s + c
  if (root >= 0. && (a < 0. || b < 0.)) {
    const double s = b < 0. ? c / (-b + std::sqrt(root)) : (-b - std::sqrt(root)) / a;
    if (s >= 0.)
      limit = std::min(limit, s);
  }
  if (dx[0] < 0.)
    limit = std::min(limit, -x[0] / dx[0]);
  return limit;
}

/// Scaling N of Nesterov and Todd, symmetric, with N y = N⁻¹ x = λ.
template <int d>
struct Scaling {
  double eta = 1.;
  Vector<d> w{};

  Scaling() = default;
  Scaling(const Vector<d> &x, const Vector<d> &y) {
    const double dx = std::sqrt(determinant<d>(x)), dy = std::sqrt(determinant<d>(y));
    eta = std::sqrt(dx / dy);
    const double gamma = std::sqrt(0.5 * (1. + dot<d>(x, y) / (dx * dy)));
    for (std::size_t k = 0; k < d; ++k)
      w[k] = (x[k] / dx + (k == 0 ? 1. : -1.) * y[k] / dy) / (2. * gamma);
  }
  /// Returns N z or N⁻¹ z.
  Vector<d> times(const Vector<d> &z, bool inverse) const {
    const double s = inverse ? -1. : 1., factor = inverse ? 1. / eta : eta;
    double tangential_product = 0.;
    for (std::size_t k = 1; k < d; ++k)
      tangential_product += w[k] * z[k];
    Vector<d> r;
    r[0] = factor * (w[0] * z[0] + s * tangential_product);
    for (std::size_t k = 1; k < d; ++k)
      r[k] = factor * (z[k] + w[k] * (s * z[0] + tangential_product / (1. + w[0])));
    return r;
  }
  /// Returns N⁻².
  Block<d> inverse_square() const {
    Block<d> theta;
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t l = 0; l < d; ++l)
        theta[k][l] = (2. * w[k] * w[l] * ((k == 0) == (l == 0) ? 1. : -1.) -
                       (k == l ? (k == 0 ? 1. : -1.) : 0.)) /
                      (eta * eta);
    return theta;
  }
};

/// Vectors of all contacts.
template <int d>
using Field = std::vector<Vector<d>>;

/// Variables of interior points, or a direction of them.
template <int d>
struct Pair {
  Field<d> x, y;

  void add(double factor, const Pair &second) {
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t k = 0; k < d; ++k) {
        x[i][k] += factor * second.x[i][k];
        y[i][k] += factor * second.y[i][k];
      }
  }

  /// Returns the longest step along `direction` within the cone.
  double longest(const Pair &direction, double sign, double limit) const {
    const auto times_sign = [sign](Vector<d> v) {
      for (double &entry : v)
        entry *= sign;
      return v;
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
      limit = longest_step<d>(x[i], times_sign(direction.x[i]), limit);
      limit = longest_step<d>(y[i], times_sign(direction.y[i]), limit);
    }
    return limit;
  }

  bool is_inside() const {
    const auto inside = [](const Vector<d> &v) { return v[0] > 0. && determinant<d>(v) > 0.; };
    return std::all_of(x.begin(), x.end(), inside) && std::all_of(y.begin(), y.end(), inside);
  }
};

/// Returns the factors of p = factor x and y = factor u + …, which give W_ii a mean diagonal of one
/// and transform Coulomb's cone to the Lorentz cone. Without friction only normal components are
/// nonzero.
template <int d>
std::vector<Vector<d>> factors(const FrictionContactProblem &problem) {
  const DelassusOperator<d> W(problem);
  std::vector<Vector<d>> factor(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const Block<d> W_ii = W.diagonal_block(i);
    const double mu = problem.mu[i];
    double trace = mu > 0. ? W_ii[0][0] / (mu * mu) : d * W_ii[0][0];
    for (std::size_t k = 1; k < d && mu > 0.; ++k)
      trace += W_ii[k][k];
    const double scale = trace > 0. ? std::sqrt(d / trace) : 1.;
    factor[i].fill(mu > 0. ? scale : 0.);
    factor[i][0] = mu > 0. ? scale / mu : scale;
  }
  return factor;
}

} // namespace percussion::lorentz
