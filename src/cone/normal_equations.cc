#include "normal_equations.h"

namespace percussion {

using namespace lorentz;

template <int d>
bool NormalEquations<d>::factorise(const std::vector<Scaling<d>> &scalings, const Field &couplings,
                                   double damping) {
  scaling = scalings;
  coupling = couplings;
  return is_scaled ? factorise_scaled(damping) : factorise_plain(damping);
}

/// Factorises F W F + (1 − n cᵀ) N⁻² + δ.
template <int d>
bool NormalEquations<d>::factorise_plain(double damping) {
  theta.resize(scaling.size());
  for (std::size_t i = 0; i < scaling.size(); ++i)
    theta[i] = scaling[i].inverse_square();
  return factors.factorise(
      W, [&](std::size_t i, std::size_t j, const double *block, std::size_t stride, auto &&result) {
        for (std::size_t k = 0; k < d; ++k)
          for (std::size_t l = 0; l < d; ++l) {
            result(k, l) = factor[i][k] * block[k * stride + l] * factor[j][l];
            if (i != j)
              continue;
            double diagonal = theta[i][k][l] + (k == l ? damping : 0.);
            for (std::size_t m = 0; m < d && k == 0; ++m)
              diagonal -= coupling[i][m] * theta[i][m][l];
            result(k, l) += diagonal;
          }
      });
}

template <int d>
bool NormalEquations<d>::factorise_scaled(double damping) {
  std::vector<ContactEquations<d>> contacts(scaling.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Scaling<d> &N = scaling[i];
    const Vector<d> normal_product = N.times({1.}, false),
                    coupling_product = N.times(coupling[i], true);
    ContactEquations<d> &contact = contacts[i];
    contact.size = d;
    for (std::size_t k = 0; k < d; ++k) {
      Vector<d> unit{};
      unit[k] = 1.;
      const Vector<d> column = N.times(unit, false), square = N.times(column, false);
      for (std::size_t l = 0; l < d; ++l) {
        contact.test[k][l] = contact.basis[k][l] = column[l] * factor[i][l];
        contact.diagonal_block[l][k] =
            (k == l ? 1. : 0.) - normal_product[l] * coupling_product[k] + damping * square[l];
      }
    }
  }
  return factors.factorise_by_bodies(W, contacts);
}

template <int d>
bool NormalEquations<d>::solve(const Field &target, const Field &defect, Field &dx,
                               Field &dy) const {
  const std::size_t n = scaling.size();
  std::vector<double> b(d * n);
  for (std::size_t i = 0; i < n; ++i) {
    Vector<d> right;
    for (std::size_t k = 0; k < d; ++k)
      right[k] = target[i][k] - defect[i][k];
    right[0] -= dot<d>(coupling[i], target[i]);
    if (is_scaled)
      right = scaling[i].times(right, false);
    std::copy(right.begin(), right.end(), &b[d * i]);
  }
  if (!factors.solve(W, b))
    return false;
  dx.resize(n);
  dy = target;
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(&b[d * i], d, dx[i].begin());
    if (is_scaled) {
      const Vector<d> change = scaling[i].times(dx[i], true);
      dx[i] = scaling[i].times(dx[i], false);
      for (std::size_t k = 0; k < d; ++k)
        dy[i][k] -= change[k];
    } else {
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l)
          dy[i][k] -= theta[i][k][l] * dx[i][l];
    }
  }
  return true;
}

template class NormalEquations<2>;
template class NormalEquations<3>;

} // namespace percussion
