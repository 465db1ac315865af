#include <percussion/base/linear_system.h>
#include <percussion/cone/lemke.h>
#include <percussion/cone/residual.h>

#include "delassus_operator.h"
#include <algorithm>
#include <limits>
#include <random>

namespace percussion {
namespace {

/// Tableau of variables, numbered as follows: w_k is k, z_k is m + k, the artificial one 2 m;
/// complements differ by m.
class Tableau {
public:
  Tableau(const FrictionContactProblem &problem, unsigned int attempt);

  /// Pivots until the artificial variable leaves the basis. Returns false if it stays.
  bool pivot(unsigned int max_pivots, const Deadline &deadline);
  unsigned int n_pivots() const { return pivots; }

  /// Computes the percussions of the current basis from the data. Returns false if they are not
  /// finite.
  bool percussions(std::vector<double> &p) const;

private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void fill(const FrictionContactProblem &problem);
  std::size_t first_row() const;
  std::size_t leaving_row(std::size_t column) const;
  void exchange(std::size_t row, std::size_t column);
  std::size_t column_of(std::size_t variable) const;
  double entry(std::size_t row, std::size_t column) const { return table[row * width + column]; }

  std::size_t m, width;
  std::vector<double> mu, M, q, cover;
  std::vector<double> scale; ///< scale of the percussions; velocities are scaled by the inverse
  double unit = 1.;          ///< unit of scaled velocities: makes q of order one
  std::vector<double> table; ///< basic = table · (nonbasic, 1): m rows; z, artificial, constant
  std::vector<std::size_t> basic, nonbasic;
  unsigned int pivots = 0;
};

Tableau::Tableau(const FrictionContactProblem &problem, unsigned int attempt)
    : m(3 * problem.n_contacts), width(m + 2), mu(problem.mu), M(m * m, 0.), q(m, 0.),
      table(m * width) {
  fill(problem);
  std::minstd_rand random(1 + attempt); // the same numbers on all platforms
  for (std::size_t row = 0; row < m; ++row) {
    cover.push_back(0.5 + static_cast<double>(random() % 1000) / 1000.);
    for (std::size_t column = 0; column < m; ++column)
      table[row * width + column] = M[row * m + column];
    table[row * width + m] = cover[row];
    table[row * width + m + 1] = q[row];
    basic.push_back(row);
    nonbasic.push_back(m + row);
  }
  nonbasic.push_back(2 * m);
}

void Tableau::fill(const FrictionContactProblem &problem) {
  const DelassusOperator<2> W(problem);
  scale = W.percussion_scales();
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    double *const u_N = &M[3 * i * m], *const u_plus = u_N + m, *const a_plus = u_plus + m;
    W.visit_row_blocks(i, [&](std::size_t j, const double *block, std::size_t stride) {
      const double s = scale[i] * scale[j];
      u_N[3 * j] = s * (block[0] - problem.mu[j] * block[1]);
      u_N[3 * j + 1] = s * block[1];
      u_plus[3 * j] = s * (block[stride] - problem.mu[j] * block[stride + 1]);
      u_plus[3 * j + 1] = s * block[stride + 1];
    });
    u_plus[3 * i + 2] = 1.;
    a_plus[3 * i] = 2. * problem.mu[i];
    a_plus[3 * i + 1] = -1.;
    q[3 * i] = scale[i] * problem.q[2 * i];
    q[3 * i + 1] = scale[i] * problem.q[2 * i + 1];
  }
  if (const double largest = largest_of(q); largest > 0.)
    unit = largest;
  for (double &entry : q)
    entry /= unit;
}

std::size_t Tableau::column_of(std::size_t variable) const {
  return static_cast<std::size_t>(std::find(nonbasic.begin(), nonbasic.end(), variable) -
                                  nonbasic.begin());
}

std::size_t Tableau::first_row() const {
  std::size_t lowest = 0;
  for (std::size_t row = 1; row < m; ++row)
    if (q[row] * cover[lowest] < q[lowest] * cover[row])
      lowest = row;
  return lowest;
}

/// Returns the row of the ratio test: among ties the row of the artificial variable, else the
/// largest pivot.
std::size_t Tableau::leaving_row(std::size_t column) const {
  constexpr double least_pivot = 1e-11, tie = 1e-12;
  double smallest_ratio = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < m; ++row)
    if (entry(row, column) < -least_pivot)
      smallest_ratio =
          std::min(smallest_ratio, std::max(0., entry(row, m + 1)) / -entry(row, column));
  std::size_t chosen = none;
  for (std::size_t row = 0; row < m; ++row) {
    if (!(entry(row, column) < -least_pivot) ||
        std::max(0., entry(row, m + 1)) / -entry(row, column) >
            smallest_ratio + tie * (1. + smallest_ratio))
      continue;
    if (basic[row] == 2 * m)
      return row;
    if (chosen == none || entry(row, column) < entry(chosen, column))
      chosen = row;
  }
  return chosen;
}

void Tableau::exchange(std::size_t row, std::size_t column) {
  double *const pivot_row = &table[row * width];
  const double inverse = 1. / pivot_row[column];
  pivot_row[column] = -1.;
  for (std::size_t k = 0; k < width; ++k)
    pivot_row[k] *= -inverse;
  for (std::size_t r = 0; r < m; ++r) {
    double *const row_entries = &table[r * width];
    const double factor = row_entries[column];
    if (r == row || factor == 0.)
      continue;
    row_entries[column] = 0.;
    for (std::size_t k = 0; k < width; ++k)
      row_entries[k] += factor * pivot_row[k];
  }
  std::swap(basic[row], nonbasic[column]);
  ++pivots;
}

bool Tableau::pivot(unsigned int max_pivots, const Deadline &deadline) {
  const std::size_t first = first_row();
  if (m == 0 || q[first] >= 0.)
    return true;
  exchange(first, m);
  std::size_t leaving = first; // the variable that left the basis
  while (pivots < max_pivots && !deadline.is_over()) {
    const std::size_t column = column_of(leaving < m ? leaving + m : leaving - m);
    const std::size_t row = leaving_row(column);
    if (row == none)
      return false;
    leaving = basic[row];
    exchange(row, column);
    if (leaving == 2 * m)
      return true;
  }
  return false;
}

/// Solves for the percussions: the rows of M of the nonbasic w, times the basic z, equal −q.
bool Tableau::percussions(std::vector<double> &p) const {
  std::vector<std::size_t> rows, columns;
  for (const std::size_t variable : nonbasic)
    if (variable < m)
      rows.push_back(variable);
  for (const std::size_t variable : basic)
    if (variable >= m && variable < 2 * m)
      columns.push_back(variable - m);
  const std::size_t n = rows.size();
  if (columns.size() != n)
    return false;
  LinearSystem system;
  double *const matrix = system.dense(n);
  std::vector<double> z(n);
  for (std::size_t r = 0; r < n; ++r) {
    z[r] = -q[rows[r]];
    for (std::size_t c = 0; c < n; ++c)
      matrix[c * n + r] = M[rows[r] * m + columns[c]];
  }
  system.factorise_dense(); // nearly singular matrices are acceptable here
  if (!system.solve(z))
    return false;
  std::vector<double> all(m, 0.);
  for (std::size_t c = 0; c < n; ++c)
    all[columns[c]] = z[c];
  for (std::size_t i = 0; i < mu.size(); ++i) {
    p[2 * i] = scale[i] * unit * all[3 * i];
    p[2 * i + 1] = scale[i] * unit * (all[3 * i + 1] - mu[i] * all[3 * i]);
  }
  return true;
}

} // namespace

unsigned int lemke(const FrictionContactProblem &problem, double tolerance, unsigned int max_pivots,
                   const Deadline &deadline, std::vector<double> &p) {
  constexpr unsigned int max_attempts = 12;
  // One or two pivots per row at most, unless ties lead to cycles.
  const auto many_pivots = static_cast<unsigned int>(6 * problem.n_contacts + 50);
  double best_residual = natural_map_residual(problem, p);
  unsigned int pivots = 0;
  std::vector<double> found(p.size());
  for (unsigned int attempt = 0; attempt < max_attempts && best_residual > tolerance &&
                                 pivots < max_pivots && !deadline.is_over();
       ++attempt) {
    Tableau tableau(problem, attempt);
    const bool ended = tableau.pivot(std::min(many_pivots, max_pivots - pivots), deadline);
    pivots += tableau.n_pivots();
    if (!ended || !tableau.percussions(found))
      continue;
    if (const double residual = natural_map_residual(problem, found); residual < best_residual) {
      best_residual = residual;
      p = found;
    }
  }
  return pivots;
}

} // namespace percussion
