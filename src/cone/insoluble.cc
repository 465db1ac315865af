#include <percussion/cone/lemke.h>
#include <percussion/cone/operators.h>

#include "check.h"
#include "delassus_operator.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace percussion {
namespace {

/// Computes the normal rows of W and q, with rows of unit length unless they vanish.
template <int d>
void normal_rows(const FrictionContactProblem &problem, std::vector<double> &rows,
                 std::vector<double> &q) {
  const std::size_t n = problem.q.size();
  const DelassusOperator<d> W(problem);
  rows.assign(problem.n_contacts * n, 0.);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    double *const row = rows.data() + i * n;
    W.visit_row_blocks(i, [&](std::size_t j, const double *block, std::size_t) {
      std::copy_n(block, d, row + d * j);
    });
    const double length = std::sqrt(dot(row, row, n));
    q.push_back(length > 0. ? problem.q[d * i] / length : problem.q[d * i]);
    for (std::size_t k = 0; k < n && length > 0.; ++k)
      row[k] /= length;
  }
}

/// Returns the fraction of a combination of rows that is orthogonal to their columns: 1 if the
/// combination vanishes up to round-off, 0 if the rows are independent, however little.
double vanishing_fraction(const std::vector<double> &rows, std::size_t n,
                          std::vector<double> multiplier) {
  constexpr double round_off = 1e-13;
  const std::size_t n_rows = multiplier.size();
  std::vector<std::vector<double>> columns(n, std::vector<double>(n_rows, 0.));
  for (std::size_t i = 0; i < n_rows; ++i)
    for (std::size_t k = 0; k < n && multiplier[i] > 0.; ++k)
      columns[k][i] = rows[i * n + k];
  const auto subtract = [&](const std::vector<double> &unit, std::vector<double> &x) {
    for (unsigned int repetition = 0; repetition < 2; ++repetition) {
      const double component = dot(unit, x);
      for (std::size_t i = 0; i < n_rows; ++i)
        x[i] -= component * unit[i];
    }
  };
  const double size = std::sqrt(dot(multiplier, multiplier));
  for (std::size_t rank = 0; rank < n; ++rank) {
    const auto largest =
        std::max_element(columns.begin(), columns.end(),
                         [](const auto &a, const auto &b) { return dot(a, a) < dot(b, b); });
    const double length = std::sqrt(dot(*largest, *largest));
    if (!(length > round_off))
      break;
    std::vector<double> unit = *largest;
    for (double &component : unit)
      component /= length;
    for (std::vector<double> &column : columns)
      subtract(unit, column);
    subtract(unit, multiplier);
  }
  return size > 0. ? std::sqrt(dot(multiplier, multiplier)) / size : 0.;
}

} // namespace

/// Searches for λ: it is a direction in which ½ ‖λᵀ W_N‖² + λ · q_N has no minimum for λ ≥ 0. With
/// ε ‖λ‖² added the minimum exists, is found by pivots, and points in this direction. It also does
/// if bodies of very different masses touch; their rows depend on each other only approximately.
bool closes_on_what_cannot_give(const FrictionContactProblem &problem) {
  constexpr std::size_t most_contacts = 200;
  constexpr double epsilon = 1e-9, negligible = 1e-8;
  const std::size_t n = problem.q.size(), n_contacts = problem.n_contacts;
  if (n_contacts > most_contacts)
    return false;
  std::vector<double> rows;
  std::vector<double> q;
  if (problem.dimension == 2)
    normal_rows<2>(problem, rows, q);
  else
    normal_rows<3>(problem, rows, q);
  const double largest = largest_of(q);
  if (!(largest > 0.))
    return false;
  FrictionContactProblem normal; // in 2D, with a tangent that is coupled to no other row
  normal.n_contacts = n_contacts;
  normal.mu.assign(n_contacts, 0.);
  normal.q.assign(2 * n_contacts, 0.);
  std::vector<double> W(4 * n_contacts * n_contacts, 0.);
  for (std::size_t i = 0; i < n_contacts; ++i) {
    normal.q[2 * i] = q[i] / largest;
    for (std::size_t j = 0; j < n_contacts; ++j)
      W[4 * n_contacts * i + 2 * j] = dot(&rows[i * n], &rows[j * n], n) + (i == j ? epsilon : 0.);
    W[(2 * i + 1) * (2 * n_contacts + 1)] = 1.;
  }
  set_delassus(std::move(W), normal);
  std::vector<double> lambda(2 * n_contacts, 0.), sum(n, 0.);
  lemke(normal, 1e-12, 10000, Deadline(), lambda);
  double size = 0., closing = 0.;
  for (std::size_t i = 0; i < n_contacts; ++i) {
    const double multiplier = std::max(0., lambda[2 * i]);
    size += multiplier;
    closing -= multiplier * normal.q[2 * i];
    for (std::size_t k = 0; k < n; ++k)
      sum[k] += multiplier * rows[i * n + k];
  }
  if (!(size > 0. && largest_of(sum) < negligible * closing && closing > 1e-6 * size))
    return false;
  std::vector<double> multiplier(n_contacts);
  for (std::size_t i = 0; i < n_contacts; ++i)
    multiplier[i] = std::max(0., lambda[2 * i]);
  return vanishing_fraction(rows, n, std::move(multiplier)) > 0.5;
}

} // namespace percussion
