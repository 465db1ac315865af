#include "check.h"

#include "delassus_operator.h"
#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace percussion {
namespace {

template <typename... Parts>
[[noreturn]] void refuse(const Parts &...parts) {
  std::ostringstream message;
  message << "frictional contact problem: ";
  (message << ... << parts);
  throw std::invalid_argument(message.str());
}

void check_size(const char *name, std::size_t found, std::size_t expected) {
  if (found != expected)
    refuse(name, " has ", found, " entries instead of ", expected);
}

void check_finite(const char *name, const std::vector<double> &values) {
  // The product with zero is NaN for an entry that is not finite. Independent sums take less time.
  double sum[8] = {0., 0., 0., 0., 0., 0., 0., 0.};
  std::size_t first = 0;
  for (; first + 8 <= values.size(); first += 8)
    for (std::size_t l = 0; l < 8; ++l)
      sum[l] += 0. * values[first + l];
  for (; first < values.size(); ++first)
    sum[0] += 0. * values[first];
  if (((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])) == 0.)
    return;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      refuse("entry ", k, " of ", name, " is ", values[k]);
}

void check_dimension(unsigned int dimension) {
  if (dimension != 2 && dimension != 3)
    refuse("dimension ", dimension, " is neither 2 nor 3");
}

void check_friction(const std::vector<double> &mu) {
  check_finite("mu", mu);
  for (std::size_t i = 0; i < mu.size(); ++i)
    if (mu[i] < 0.)
      refuse("the friction coefficient of contact ", i, " is negative: ", mu[i]);
}

/// Checks compressed rows: pointers fit the entries, and columns ascend below `n_columns`.
void check_rows(const char *name, std::size_t n_rows, std::size_t n_columns,
                const std::vector<std::size_t> &start, const std::vector<std::size_t> &column) {
  if (start.size() != n_rows + 1 || start.front() != 0 || start.back() != column.size())
    refuse("the row pointers of ", name, " do not fit ", n_rows, " rows");
  for (std::size_t row = 0; row < n_rows; ++row) // all pointers before any use of them
    if (start[row] > start[row + 1])
      refuse("the row pointers of ", name, " descend in row ", row);
  for (std::size_t row = 0; row < n_rows; ++row)
    for (std::size_t k = start[row]; k < start[row + 1]; ++k)
      if (column[k] >= n_columns || (k > start[row] && column[k] <= column[k - 1]))
        refuse("the columns of row ", row, " of ", name, " do not ascend below ", n_columns);
}

void check_matrix(const char *name, const CompressedRows &matrix, std::size_t n_rows,
                  std::size_t n_columns) {
  if (matrix.n_rows != n_rows || matrix.n_columns != n_columns)
    refuse(name, " is ", matrix.n_rows, " x ", matrix.n_columns, " instead of ", n_rows, " x ",
           n_columns);
  check_rows(name, n_rows, n_columns, matrix.row_start, matrix.column);
  check_size(name, matrix.value.size(), matrix.column.size());
  check_finite(name, matrix.value);
}

void check_blocks(const FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension;
  const BlockSparseMatrix &blocks = problem.blocks;
  check_rows("W", problem.n_contacts, problem.n_contacts, blocks.row_start, blocks.column);
  check_size("W", blocks.value.size(), d * d * blocks.column.size());
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    if (!std::binary_search(
            blocks.column.begin() + static_cast<std::ptrdiff_t>(blocks.row_start[i]),
            blocks.column.begin() + static_cast<std::ptrdiff_t>(blocks.row_start[i + 1]), i))
      refuse("the diagonal block of contact ", i, " is not stored in W");
}

template <int d>
void check_diagonal(const DelassusOperator<d> &W) {
  for (std::size_t i = 0; i < W.n_contacts; ++i) {
    const local::Block<d> block = W.diagonal_block(i);
    for (std::size_t k = 0; k < d; ++k)
      if (block[k][k] < 0.)
        refuse("diagonal entry ", d * i + k, " of W is negative: ", block[k][k]);
  }
}

} // namespace

void check_problem(const FrictionContactProblem &problem, bool operators) {
  check_dimension(problem.dimension);
  const std::size_t n = problem.dimension * problem.n_contacts;
  const bool dense = problem.blocks.value.empty();
  check_size("q", problem.q.size(), n);
  check_size("mu", problem.mu.size(), problem.n_contacts);
  check_size("W", problem.W.size(), dense ? n * n : 0);
  check_finite("q", problem.q);
  if (!operators)
    return;
  check_friction(problem.mu);
  if (!dense)
    check_blocks(problem);
  check_finite("W", dense ? problem.W : problem.blocks.value);
  if (problem.dimension == 2)
    check_diagonal(DelassusOperator<2>(problem));
  else
    check_diagonal(DelassusOperator<3>(problem));
}

void check_problem(const GlobalFrictionContactProblem &problem) {
  check_dimension(problem.dimension);
  const std::size_t n = problem.q.size(), m = problem.dimension * problem.n_contacts;
  check_matrix("M", problem.M, n, n);
  check_matrix("H", problem.H, n, m);
  check_size("b", problem.b.size(), m);
  check_size("mu", problem.mu.size(), problem.n_contacts);
  check_finite("q", problem.q);
  check_finite("b", problem.b);
  check_friction(problem.mu);
}

std::size_t unstoppable_contact(const FrictionContactProblem &problem, double tolerance) {
  const std::size_t d = problem.dimension;
  // The natural map of a contact is not much smaller than a velocity that no percussion stops.
  const double overlooked = 10. * tolerance * (1. + plain_norm(problem.q));
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    if (problem.q[d * i] >= -overlooked)
      continue;
    if (d == 2 ? DelassusOperator<2>(problem).normal_row_vanishes(i)
               : DelassusOperator<3>(problem).normal_row_vanishes(i))
      return i;
  }
  return problem.n_contacts;
}

} // namespace percussion
