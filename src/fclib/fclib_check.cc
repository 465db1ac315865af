#include "fclib_check.h"

#include <algorithm>

namespace percussion {
namespace {

using hdf5::Group;
using Integers = std::vector<int>;

int integer_from(const Group &group, const std::string &name, int least) {
  const int value = group.integer(name);
  if (value < least)
    group.fail(name, std::to_string(value), "at least " + std::to_string(least));
  return value;
}

/// The first n numbers are indices: from 0 to below `end`.
bool are_indices(const Integers &x, int n, int end) {
  return std::all_of(x.begin(), x.begin() + n, [=](int i) { return 0 <= i && i < end; });
}

void check_indices(const Group &matrix, const std::string &name, const Integers &x, int n,
                   int end) {
  if (are_indices(x, n, end))
    return;
  const auto bad = std::find_if(x.begin(), x.end(), [=](int i) { return i < 0 || i >= end; });
  matrix.fail(name, std::to_string(*bad) + " at place " + std::to_string(bad - x.begin()),
              "indices from 0 to " + std::to_string(end - 1));
}

/// p and i are row and column of each entry, or column and row: see are_transposed() in
/// fclib_structs.cc.
void check_triplets(const Group &matrix, int m, int n, int nz) {
  const Integers p = matrix.integers("p", nz, nz), i = matrix.integers("i", nz, nz);
  if (are_indices(p, nz, n) && are_indices(i, nz, m))
    return;
  check_indices(matrix, "p", p, nz, m);
  check_indices(matrix, "i", i, nz, n);
}

/// The number of entries of compressed rows (columns), of which there are `lines`.
int check_pointers(const Group &matrix, int lines, int nzmax) {
  const long long length = lines + 1ll;
  const Integers p = matrix.integers("p", length, length);
  if (p.front() != 0)
    matrix.fail("p", std::to_string(p.front()) + " at place 0", "0");
  for (std::size_t k = 1; k < p.size(); ++k)
    if (p[k] < p[k - 1])
      matrix.fail("p", std::to_string(p[k]) + " after " + std::to_string(p[k - 1]),
                  "pointers that do not descend");
  if (p.back() > nzmax)
    matrix.fail("p", std::to_string(p.back()) + " entries",
                "at most nzmax = " + std::to_string(nzmax));
  return p.back();
}

/// FCLib has memory for nzmax indices and values, and all that the file has goes there.
void check_compressed(const Group &matrix, int lines, int end, int nzmax) {
  const int n_entries = check_pointers(matrix, lines, nzmax);
  check_indices(matrix, "i", matrix.integers("i", n_entries, nzmax), n_entries, end);
  matrix.reals("x", n_entries, nzmax);
}

/// What is told of a matrix by the way. FCLib needs all if there is the conditioning.
void check_matrix_info(const Group &matrix) {
  if (!matrix.has_optional("conditioning"))
    return;
  matrix.text("comment");
  matrix.reals("conditioning", 1);
  matrix.reals("determinant", 1);
  matrix.integer("rank");
}

struct Size {
  int m, n;
};

Size check_matrix(const Group &matrix) {
  const int m = integer_from(matrix, "m", 0), n = integer_from(matrix, "n", 0),
            nz = integer_from(matrix, "nz", -2), nzmax = integer_from(matrix, "nzmax", 0);
  if (nz == -1)
    check_compressed(matrix, n, m, nzmax);
  else if (nz == -2)
    check_compressed(matrix, m, n, nzmax);
  else {
    if (nz > nzmax)
      matrix.fail("nzmax", std::to_string(nzmax), "at least nz = " + std::to_string(nz));
    check_triplets(matrix, m, n, nz);
    matrix.reals("x", nz, nzmax);
  }
  check_matrix_info(matrix);
  return {m, n};
}

/// A matrix of equality constraints, of which FCLib allows any number and we none.
void check_no_constraints(const Group &problem, const std::string &name) {
  if (!problem.has(name))
    return;
  const Group matrix = problem.group(name);
  if (const Size size = check_matrix(matrix); size.n != 0)
    problem.fail(name, "equality constraints, " + std::to_string(size.n) + " of them",
                 "none: they are not supported");
}

void check_square(const Group &problem, const std::string &name, Size size) {
  if (size.m != size.n)
    problem.fail(name, std::to_string(size.m) + " rows and " + std::to_string(size.n) + " columns",
                 "as many rows as columns");
}

/// The number of contacts, of which `size` = dimension × contacts is told by a matrix.
std::size_t check_contacts(const Group &problem, const std::string &size_name, int size,
                           int dimension) {
  if (size % dimension != 0)
    problem.fail(size_name, std::to_string(size),
                 "a multiple of spacedim = " + std::to_string(dimension));
  problem.group("vectors").reals("mu", size / dimension);
  return static_cast<std::size_t>(size / dimension);
}

int check_dimension(const Group &problem) {
  const int dimension = problem.integer("spacedim");
  if (dimension != 2 && dimension != 3)
    problem.fail("spacedim", std::to_string(dimension), "2 or 3");
  return dimension;
}

void check_info(const Group &problem) {
  if (!problem.has("info"))
    return;
  const Group info = problem.group("info");
  for (const char *name : {"title", "description", "math_info"})
    info.text(name);
}

FclibContents check_local(const Group &problem) {
  const int d = check_dimension(problem);
  const Size W = check_matrix(problem.group("W"));
  check_square(problem, "W", W);
  const Group vectors = problem.group("vectors");
  vectors.reals("q", W.m);
  check_no_constraints(problem, "V");
  check_no_constraints(problem, "R");
  if (problem.has("V") != problem.has("R"))
    problem.fail(problem.has("V") ? "R" : "V", "nothing", "both V and R, or neither");
  if (problem.has("R"))
    vectors.reals("s", problem.group("R").integer("m"));
  check_info(problem);

  return {true, static_cast<unsigned int>(d), check_contacts(problem, "W/m", W.m, d), 0};
}

FclibContents check_global(const Group &problem) {
  const int d = check_dimension(problem);
  const Size M = check_matrix(problem.group("M")), H = check_matrix(problem.group("H"));
  check_square(problem, "M", M);
  if (H.m != M.m)
    problem.fail("H/m", std::to_string(H.m), "as many rows as M: " + std::to_string(M.m));
  const Group vectors = problem.group("vectors");
  vectors.reals("f", M.m);
  vectors.reals("w", H.n);
  check_no_constraints(problem, "G");
  if (problem.has("G"))
    vectors.reals("b", 0);
  check_info(problem);

  return {false, static_cast<unsigned int>(d), check_contacts(problem, "H/n", H.n, d),
          static_cast<std::size_t>(M.m)};
}

std::string listed(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "nothing" : list;
}

} // namespace

FclibContents check_fclib(const Group &root) {
  const bool is_local = root.has("fclib_local");
  if (is_local == root.has("fclib_global"))
    root.fail("/", is_local ? "both fclib_local and fclib_global" : listed(root.names()),
              "one group fclib_local or fclib_global");
  return is_local ? check_local(root.group("fclib_local"))
                  : check_global(root.group("fclib_global"));
}

} // namespace percussion
