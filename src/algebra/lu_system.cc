#include <percussion/algebra/lu_system.h>
#include <percussion/base/error.h>

#include <algorithm>
#include <klu.h>

namespace percussion {

/// Compressed columns of the matrix, and KLU's objects.
struct LuSystem::Factor {
  std::vector<int> start, row;
  std::vector<double> value;
  klu_common common;
  klu_symbolic *symbolic = nullptr;
  klu_numeric *numeric = nullptr;
  std::vector<double> pivot_values; ///< that the pivots were chosen for
  bool has_own_pivots = true;       ///< the last factorisation has chosen them

  Factor() {
    klu_defaults(&common);
    common.btf = 0;   // the matrix is irreducible
    common.scale = 2; // rows by their largest entry: nodes without mass have smaller ones
  }
  ~Factor() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Factor(const Factor &) = delete;
  Factor &operator=(const Factor &) = delete;

  /// With the pivots of the last factorisation, unless they do not suit any more.
  bool factorise() {
    if (row.empty())
      return true;
    constexpr double smallest_rcond = 1e-12;
    if (numeric != nullptr && refactor() && common.rcond > smallest_rcond)
      return true;
    choose_pivots();
    return numeric != nullptr && klu_rcond(symbolic, numeric, &common) && common.rcond > 1e-15;
  }

  bool refactor() {
    has_own_pivots = false;
    return klu_refactor(start.data(), row.data(), value.data(), symbolic, numeric, &common) &&
           klu_rcond(symbolic, numeric, &common);
  }

  void choose_pivots() {
    klu_free_numeric(&numeric, &common);
    numeric = klu_factor(start.data(), row.data(), value.data(), symbolic, &common);
    if (common.status == KLU_OUT_OF_MEMORY)
      throw RunError("the factorisation of the tangent failed: out of memory");
    pivot_values = value;
    has_own_pivots = true;
  }

  /// In place, for n_columns right-hand sides one after the other.
  void solve(double *b, int n_columns = 1) {
    if (n_columns > 0 && !row.empty())
      klu_solve(symbolic, numeric, static_cast<int>(start.size()) - 1, n_columns, b, &common);
  }
};

LuSystem::LuSystem(const SparseMatrix &A, const std::vector<unsigned int> &prescribed_dofs,
                   const std::vector<unsigned int> &contact_dofs)
    : ContactSystem(static_cast<unsigned int>(A.m()), prescribed_dofs, contact_dofs),
      factor(std::make_unique<Factor>()), unknowns(free_dofs()), place_of(A.m(), -1),
      solution(unknowns.size()), columns(contacts.size()), is_ready(contacts.size(), false) {
  for (unsigned int k = 0; k < unknowns.size(); ++k)
    place_of[unknowns[k]] = static_cast<int>(k);
  factor->start.push_back(0);
  for (const unsigned int column : unknowns) {
    const auto begin = factor->row.size();
    for (auto entry = A.begin(column); entry != A.end(column); ++entry)
      if (const int row = place_of[entry->column()]; row >= 0)
        factor->row.push_back(row);
    std::sort(factor->row.begin() + static_cast<std::ptrdiff_t>(begin), factor->row.end());
    factor->start.push_back(static_cast<int>(factor->row.size()));
  }
  factor->value.resize(factor->row.size());
  if (unknowns.empty())
    return;
  factor->symbolic = klu_analyze(static_cast<int>(unknowns.size()), factor->start.data(),
                                 factor->row.data(), &factor->common);
  if (factor->symbolic == nullptr)
    throw RunError("the fill-reducing ordering of the tangent failed");
}

LuSystem::~LuSystem() = default;

int LuSystem::index(unsigned int row_dof, unsigned int column_dof) const {
  const int row = place_of[row_dof], column = place_of[column_dof];
  if (row < 0 || column < 0)
    return -1;
  const auto begin = factor->row.begin() + factor->start[static_cast<unsigned int>(column)];
  const auto end = factor->row.begin() + factor->start[static_cast<unsigned int>(column) + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - factor->row.begin());
}

std::vector<double> &LuSystem::values() { return factor->value; }

bool LuSystem::refactor() {
  is_ready.assign(contacts.size(), false);
  return factor->factorise();
}

LuMemory LuSystem::memory() const {
  return {factor->value, factor->numeric == nullptr ? std::vector<double>{} : factor->pivot_values,
          factor->has_own_pivots};
}

void LuSystem::restore(const LuMemory &memory) {
  is_ready.assign(contacts.size(), false);
  if (!memory.pivot_values.empty()) {
    factor->value = memory.pivot_values;
    factor->choose_pivots();
  }
  factor->value = memory.values;
  if (!memory.has_own_pivots && factor->numeric != nullptr)
    factor->refactor();
}

void LuSystem::use_contacts(const std::vector<unsigned int> &places) {
  in_use = places;
  std::vector<unsigned int> &missing = being_made;
  missing.clear();
  for (const unsigned int i : places)
    if (!is_ready[i]) {
      is_ready[i] = true;
      missing.push_back(i);
    }
  // All at once: KLU goes through its factors once for several of them.
  const std::size_t n = unknowns.size();
  block.assign(missing.size() * n, 0.);
  for (std::size_t k = 0; k < missing.size(); ++k)
    block[k * n + static_cast<unsigned int>(place_of[contacts[missing[k]]])] = 1.;
  factor->solve(block.data(), static_cast<int>(missing.size()));
  for (std::size_t k = 0; k < missing.size(); ++k)
    columns[missing[k]].assign(block.begin() + static_cast<std::ptrdiff_t>(k * n),
                               block.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
}

void LuSystem::start(const double *b, const std::vector<double> &prescribed_values, double *x) {
  for (std::size_t i = 0; i < prescribed.size(); ++i)
    x[prescribed[i]] = prescribed_values[i];
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    solution[k] = b[unknowns[k]];
  factor->solve(solution.data());
  for (const unsigned int i : in_use)
    x[contacts[i]] = solution[static_cast<unsigned int>(place_of[contacts[i]])];
}

void LuSystem::add_contact_force(const std::vector<double> &force) {
  for (const unsigned int i : in_use)
    if (force[i] != 0.)
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        solution[k] += columns[i][k] * force[i];
}

void LuSystem::finish(double *x) {
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    x[unknowns[k]] = solution[k];
}

double LuSystem::compliance(unsigned int i, unsigned int j) const {
  return columns[j][static_cast<unsigned int>(place_of[contacts[i]])];
}

} // namespace percussion
