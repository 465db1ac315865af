#include <percussion/algebra/interface_factor.h>

#include "blas.h"
#include <algorithm>

namespace percussion {
namespace {

/// Number of layers of nodes around those in use that are added to the interface.
constexpr unsigned int n_layers = 12;

/// Copies the lower triangle of a matrix to the upper one.
void make_symmetric(std::vector<double> &matrix, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j + 1; i < n; ++i)
      matrix[i * n + j] = matrix[j * n + i];
}

} // namespace

InterfaceFactor::InterfaceFactor(const SystemPattern &p) : pattern(p), cholesky(p.matrix, {}) {}

void InterfaceFactor::analyse(const std::vector<unsigned int> &interface) {
  interface_dofs = interface;
  const std::vector<unsigned int> unknowns = pattern.unknowns();
  // A large number of unknowns is ordered once for all interfaces; a smaller number is ordered for
  // each interface, which makes less fill.
  if (sequence.empty() && unknowns.size() >= Cholesky::metis_threshold) {
    if (pattern.order)
      sequence = pattern.order();
    else if (!pattern.is_constant())
      sequence = Cholesky::fill_reducing_order(pattern.matrix, unknowns);
  }
  cholesky = Cholesky(pattern.matrix, unknowns, interface_dofs, sequence);
  n_entries = cholesky.fill();
  numbers.assign(pattern.size(), -1);
  const auto &positions = cholesky.interface_positions();
  for (std::size_t k = 0; k < positions.size(); ++k)
    numbers[cholesky.elimination_order()[static_cast<unsigned int>(positions[k])]] =
        static_cast<int>(k);
  inverted = 0;
}

void InterfaceFactor::forget() {
  cholesky = Cholesky(pattern.matrix, {});
  interface_dofs.clear();
  numbers.clear();
}

std::vector<unsigned int>
InterfaceFactor::add_surroundings(const std::vector<unsigned int> &dofs) const {
  std::vector<bool> may_touch(pattern.size(), false), is_taken(pattern.size(), false);
  for (const unsigned int dof : pattern.may_touch)
    may_touch[dof] = true;
  std::vector<unsigned int> result, front;
  const auto take = [&](unsigned int dof, std::vector<unsigned int> &list) {
    if (may_touch[dof] && !is_taken[dof]) {
      is_taken[dof] = true;
      list.push_back(dof);
    }
  };
  for (const unsigned int dof : dofs)
    take(dof, front);
  for (unsigned int layer = 0; layer <= n_layers; ++layer) {
    result.insert(result.end(), front.begin(), front.end());
    std::vector<unsigned int> next;
    for (const unsigned int dof : front) {
      const SparseRow neighbours = pattern.matrix.row(dof);
      for (int e = 0; e < neighbours.size; ++e)
        take(static_cast<unsigned int>(neighbours.column[e]), next);
    }
    front = std::move(next);
  }
  std::sort(result.begin(), result.end());
  return result;
}

bool InterfaceFactor::factorise() {
  ++n_factors;
  return cholesky.factorise();
}

const std::vector<double> &InterfaceFactor::inverse() {
  if (inverted == n_factors)
    return interface_inverse;
  inverted = n_factors;
  interface_inverse = cholesky.interface_factor();
  const int n = static_cast<int>(interface_dofs.size());
  int info = 0;
  if (n > 0)
    dpotri_("L", &n, interface_inverse.data(), &n, &info);
  make_symmetric(interface_inverse, interface_dofs.size());
  return interface_inverse;
}

/// Computes L_II⁻¹ times unit vectors, and their products.
std::vector<double> InterfaceFactor::inverse_between(const std::vector<int> &used_numbers) const {
  const std::size_t m = used_numbers.size(), size = interface_dofs.size();
  std::vector<double> Z(m * size, 0.), inverse(m * m, 0.);
  for (std::size_t k = 0; k < m; ++k)
    if (used_numbers[k] >= 0)
      Z[k * size + static_cast<unsigned int>(used_numbers[k])] = 1.;
  if (size == 0 || m == 0)
    return inverse;
  const int n = static_cast<int>(size), n_used = static_cast<int>(m);
  const double unit = 1., zero = 0.;
  dtrsm_("L", "L", "N", "N", &n, &n_used, &unit, cholesky.interface_factor().data(), &n, Z.data(),
         &n);
  dsyrk_("L", "T", &n_used, &n, &unit, Z.data(), &n, &zero, inverse.data(), &n_used);
  make_symmetric(inverse, m);
  return inverse;
}

void InterfaceFactor::start(const Vector &b, const PrescribedColumns &columns, const Vector &x) {
  double *const y = cholesky.work();
  const auto &order = cholesky.elimination_order();
  for (std::size_t k = 0; k < order.size(); ++k)
    y[k] = b[order[k]];
  columns.subtract_from(
      x, [&](unsigned int dof, double value) { y[cholesky.position(dof)] -= value; });
  cholesky.forward();
}

void InterfaceFactor::finish(Vector &x) {
  cholesky.backward();
  const auto &order = cholesky.elimination_order();
  const double *const y = cholesky.work();
  for (std::size_t k = 0; k < order.size(); ++k)
    x[order[k]] = y[k];
}

} // namespace percussion
