#include <percussion/dynamics/delassus.h>

#include <algorithm>

namespace percussion {
namespace {

/// One entry of H Â⁻¹ Hᵀ.
double entry(const ContactRows &H, unsigned int r, unsigned int s, ContactSystem &system) {
  double sum = 0;
  for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k)
    for (unsigned int l = H.start[s]; l < H.start[s + 1]; ++l)
      sum += H.value[k] * H.value[l] * system.compliance(H.column[k], H.column[l]);
  return sum;
}

/// Which contacts have something in common: elastic degrees of freedom all do, rigid ones with
/// themselves only. For each contact those up to itself, in ascending order.
std::vector<std::vector<unsigned int>> neighbours_before(const ContactRows &H, unsigned int dim,
                                                         const ContactSystem &system) {
  const unsigned int n_contacts = H.n_rows() / dim;
  const auto n_dofs = static_cast<unsigned int>(H.dofs.size());
  std::vector<std::vector<unsigned int>> contacts_of(n_dofs + 1); // the last: elastic ones
  std::vector<std::vector<unsigned int>> neighbours(n_contacts);
  for (unsigned int i = 0; i < n_contacts; ++i) {
    auto &own = neighbours[i];
    for (unsigned int k = H.start[dim * i]; k < H.start[dim * (i + 1)]; ++k) {
      const unsigned int dof = system.is_uncoupled(H.column[k]) ? H.column[k] : n_dofs;
      auto &others = contacts_of[dof];
      if (others.empty() || others.back() != i)
        others.push_back(i);
      own.insert(own.end(), others.begin(), others.end());
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return neighbours;
}

void write_dense(const ContactRows &H, double theta, ContactSystem &system,
                 FrictionContactProblem &problem) {
  const std::size_t n = H.n_rows();
  problem.blocks = {};
  problem.W.resize(n * n);
  for (unsigned int r = 0; r < n; ++r)
    for (unsigned int s = 0; s <= r; ++s)
      problem.W[r * n + s] = problem.W[s * n + r] = theta * entry(H, r, s, system);
}

void write_blocks(const ContactRows &H, unsigned int dim, double theta, ContactSystem &system,
                  const std::vector<std::vector<unsigned int>> &neighbours,
                  FrictionContactProblem &problem) {
  // The whole pattern from its lower half, row by row.
  std::vector<std::vector<unsigned int>> rows = neighbours;
  for (unsigned int i = 0; i < neighbours.size(); ++i)
    for (const unsigned int j : neighbours[i])
      if (j != i)
        rows[j].push_back(i);
  problem.W.clear();
  BlockSparseMatrix &blocks = problem.blocks;
  blocks.row_start.assign(1, 0);
  blocks.column.clear();
  blocks.value.clear();
  for (unsigned int i = 0; i < rows.size(); ++i) {
    for (const unsigned int j : rows[i]) {
      blocks.column.push_back(j);
      for (unsigned int k = 0; k < dim; ++k)
        for (unsigned int l = 0; l < dim; ++l)
          blocks.value.push_back(theta * entry(H, dim * i + k, dim * j + l, system));
    }
    blocks.row_start.push_back(blocks.column.size());
  }
}

/// W += diag(c)
void add_to_diagonal(const std::vector<double> &c, FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension, n = c.size();
  for (std::size_t r = 0; r < n && !problem.W.empty(); ++r)
    problem.W[r * n + r] += c[r];
  BlockSparseMatrix &blocks = problem.blocks;
  for (std::size_t i = 0; !c.empty() && i + 1 < blocks.row_start.size(); ++i)
    for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < d && blocks.column[b] == i; ++k)
        blocks.value[(b * d + k) * d + k] += c[d * i + k];
}

/// Percussions in a unit that changes a contact's velocity by about one: in it W has a mean
/// diagonal of one.
double scale(FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  double trace = 0;
  const BlockSparseMatrix &blocks = problem.blocks;
  for (std::size_t r = 0; r < n && !problem.W.empty(); ++r)
    trace += problem.W[r * n + r];
  for (std::size_t i = 0; i + 1 < blocks.row_start.size(); ++i)
    for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < d && blocks.column[b] == i; ++k)
        trace += blocks.value[(b * d + k) * d + k];
  const double unit = trace > 0. ? static_cast<double>(n) / trace : 1.;
  for (double &value : problem.W)
    value *= unit;
  for (double &value : problem.blocks.value)
    value *= unit;
  return unit;
}

} // namespace

void Delassus::write(const ContactRows &H, const std::vector<double> &mu, unsigned int dim,
                     double theta, ContactSystem &system, FrictionContactProblem &problem,
                     const std::vector<double> &compliance) {
  if (is_of(system) && H == made_of && mu == made_of_mu && compliance == made_of_c)
    return;
  version = system.version();
  made_of = H;
  made_of_mu = mu;
  made_of_c = compliance;
  ++problem.version;
  problem.dimension = dim;
  problem.n_contacts = mu.size();
  problem.mu = mu;
  // Blocks pay where a quarter of them at most does not vanish.
  constexpr std::size_t few_contacts = 100;
  std::vector<std::vector<unsigned int>> neighbours;
  std::size_t n_blocks = 0;
  if (mu.size() > few_contacts) {
    neighbours = neighbours_before(H, dim, system);
    for (const auto &of_contact : neighbours)
      n_blocks += 2 * of_contact.size() - 1;
  }
  if (mu.size() > few_contacts && 4 * n_blocks < mu.size() * mu.size())
    write_blocks(H, dim, theta, system, neighbours, problem);
  else
    write_dense(H, theta, system, problem);
  add_to_diagonal(compliance, problem);
  percussion_unit = scale(problem);
}

} // namespace percussion
