#include <percussion/dynamics/delassus.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace percussion {
namespace {

/// Returns one entry of G Â⁻¹ Hᵀ.
template <typename Compliance>
double entry(const ContactRows &G, unsigned int r, const ContactRows &H, unsigned int s,
             const Compliance &compliance) {
  double sum = 0;
  for (unsigned int k = G.start[r]; k < G.start[r + 1]; ++k)
    for (unsigned int l = H.start[s]; l < H.start[s + 1]; ++l)
      sum += G.value[k] * H.value[l] * compliance(G.column[k], H.column[l]);
  return sum;
}

/// Calls write(compliance) with the fastest access to entries of Â⁻¹.
template <typename Write>
void visit_compliances(ContactSystem &system, const Write &write) {
  if (const auto table = system.compliances())
    write(*table);
  else
    write([&](unsigned int i, unsigned int j) { return system.compliance(i, j); });
}

/// Returns, for each contact, its coupled contacts up to itself, in ascending order. All elastic
/// degrees of freedom are coupled; a rigid degree of freedom is coupled only with itself.
std::vector<std::vector<unsigned int>> neighbours_before(const ContactRows &H, unsigned int dim,
                                                         const ContactSystem &system) {
  const unsigned int n_contacts = H.n_rows() / dim;
  const auto n_entries = static_cast<unsigned int>(H.entries.size());
  std::vector<std::vector<unsigned int>> contacts_of(n_entries +
                                                     1); // the last: all elastic entries
  std::vector<std::vector<unsigned int>> neighbours(n_contacts);
  for (unsigned int i = 0; i < n_contacts; ++i) {
    auto &first = neighbours[i];
    for (unsigned int k = H.start[dim * i]; k < H.start[dim * (i + 1)]; ++k) {
      const unsigned int entry = system.is_uncoupled(H.column[k]) ? H.column[k] : n_entries;
      auto &contacts_on_entry = contacts_of[entry];
      if (!contacts_on_entry.empty() && contacts_on_entry.back() == i)
        continue;
      contacts_on_entry.push_back(i);
      first.insert(first.end(), contacts_on_entry.begin(), contacts_on_entry.end());
    }
    std::sort(first.begin(), first.end());
    first.erase(std::unique(first.begin(), first.end()), first.end());
  }
  return neighbours;
}

double row_times(const ContactRows &H, unsigned int row, const std::vector<double> &y) {
  double sum = 0;
  for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
    sum += H.value[k] * y[H.column[k]];
  return sum;
}

/// Returns the compliances between all m entries, row by row: a table in the order of the entries,
/// or a copy, as each row is read many times.
template <typename Compliance>
const double *compliances_by_rows(const Compliance &compliance, std::size_t m,
                                  std::vector<double> &copy) {
  if constexpr (std::is_same_v<Compliance, CompliancesTable>)
    if (compliance.is_in_order && compliance.size == m)
      return compliance.values;
  copy.resize(m * m);
  for (unsigned int i = 0; i < m; ++i)
    for (unsigned int j = 0; j < m; ++j)
      copy[i * m + j] = compliance(i, j);
  return copy.data();
}

/// Writes the matrix of write_dense() from g Â⁻¹ of each row g of G. It pays if rows have many
/// entries.
template <typename Compliance>
void write_dense_rows(const ContactRows &G, const ContactRows &H, double percussion_factor,
                      bool symmetric, const Compliance &compliance,
                      FrictionContactProblem &problem) {
  const std::size_t n = H.n_rows(), m = H.entries.size();
  std::vector<double> y(m), copy;
  const double *const compliances = compliances_by_rows(compliance, m, copy);
  for (unsigned int r = 0; r < n; ++r) {
    std::fill(y.begin(), y.end(), 0.);
    for (unsigned int k = G.start[r]; k < G.start[r + 1]; ++k) {
      const double g = G.value[k];
      const double *const row = compliances + G.column[k] * m;
      for (std::size_t j = 0; j < m; ++j)
        y[j] += g * row[j];
    }
    for (unsigned int s = symmetric ? r : 0; s < n; ++s) {
      const double w = problem.W[r * n + s] = percussion_factor * row_times(H, s, y);
      if (symmetric)
        problem.W[s * n + r] = w;
    }
  }
}

/// True if each row has one entry: nodes on surfaces along the axes.
bool has_single_entries(const ContactRows &H) {
  for (unsigned int row = 0; row < H.n_rows(); ++row)
    if (H.start[row + 1] != row + 1)
      return false;
  return true;
}

/// True if the products of all pairs of entries, N²/2, take more operations than
/// write_dense_rows(), N (m + n/2): in 3D, and in 2D for rows with the gradients of gaps.
bool has_long_rows(const ContactRows &H, unsigned int dim) {
  return dim == 3 || H.value.size() > 2 * H.entries.size() + H.n_rows();
}

template <typename Compliance>
void write_dense_single(const ContactRows &H, double percussion_factor,
                        const Compliance &compliance, FrictionContactProblem &problem) {
  const std::size_t n = H.n_rows();
  for (unsigned int r = 0; r < n; ++r) {
    const double h = H.value[r];
    const unsigned int i = H.column[r];
    for (unsigned int s = 0; s <= r; ++s)
      problem.W[r * n + s] = problem.W[s * n + r] =
          percussion_factor * (h * H.value[s] * compliance(i, H.column[s]));
  }
}

void write_dense(const ContactRows &G, const ContactRows &H, double percussion_factor,
                 ContactSystem &system, FrictionContactProblem &problem) {
  const std::size_t n = H.n_rows();
  const bool symmetric = &G == &H && system.blocks().block_size() == 1;
  problem.blocks = {};
  problem.W.resize(n * n);
  const bool is_single = symmetric && has_single_entries(H);
  visit_compliances(system, [&](const auto &compliance) {
    if (is_single)
      return write_dense_single(H, percussion_factor, compliance, problem);
    if (has_long_rows(H, problem.dimension))
      return write_dense_rows(G, H, percussion_factor, symmetric, compliance, problem);
    for (unsigned int r = 0; r < n; ++r)
      for (unsigned int s = 0; s <= r; ++s) {
        const double w = problem.W[r * n + s] = percussion_factor * entry(G, r, H, s, compliance);
        problem.W[s * n + r] = symmetric ? w : percussion_factor * entry(G, s, H, r, compliance);
      }
  });
}

void write_blocks(const ContactRows &H, unsigned int dim, double percussion_factor,
                  ContactSystem &system, const std::vector<std::vector<unsigned int>> &neighbours,
                  FrictionContactProblem &problem) {
  // The entire pattern follows from its lower half, row by row.
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
  visit_compliances(system, [&](const auto &compliance) {
    for (unsigned int i = 0; i < rows.size(); ++i) {
      for (const unsigned int j : rows[i]) {
        blocks.column.push_back(j);
        for (unsigned int k = 0; k < dim; ++k)
          for (unsigned int l = 0; l < dim; ++l)
            blocks.value.push_back(percussion_factor *
                                   entry(H, dim * i + k, H, dim * j + l, compliance));
      }
      blocks.row_start.push_back(blocks.column.size());
    }
  });
}

/// Adds C, or diag(c), to W.
void add_compliance(const std::vector<double> &c, FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  if (c.size() > n) {
    for (std::size_t k = 0; k < c.size(); ++k)
      problem.W[k] += c[k];
    return;
  }
  for (std::size_t r = 0; r < c.size() && !problem.W.empty(); ++r)
    problem.W[r * n + r] += c[r];
  BlockSparseMatrix &blocks = problem.blocks;
  for (std::size_t i = 0; !c.empty() && i + 1 < blocks.row_start.size(); ++i)
    for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < d && blocks.column[b] == i; ++k)
        blocks.value[(b * d + k) * d + k] += c[d * i + k];
}

/// Rows h of a contact on three degrees of freedom of a rigid body in 3D, and z = h Â⁻¹.
struct OnBlock {
  unsigned int contact, block;
  std::array<std::array<double, 3>, 3> h{}, z{};
};

/// Returns the rows of contacts between rigid bodies in 3D on each block, contact by contact; empty
/// if a contact acts on an elastic body.
std::vector<OnBlock> rows_on_blocks(const ContactRows &H, const ContactSystem &system) {
  const BlockDiagonal &blocks = system.blocks();
  std::vector<OnBlock> all;
  if (blocks.block_size() != 3)
    return all;
  for (unsigned int i = 0; 3 * i < H.n_rows(); ++i) {
    const std::size_t first = all.size();
    for (unsigned int r = 0; r < 3; ++r)
      for (unsigned int k = H.start[3 * i + r]; k < H.start[3 * i + r + 1]; ++k) {
        if (!system.is_uncoupled(H.column[k]))
          return {};
        const unsigned int block_row = system.index_in_blocks(H.column[k]),
                           block = blocks.block(block_row);
        auto same_block = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                                       [&](const OnBlock &index) { return index.block == block; });
        if (same_block == all.end()) {
          all.push_back({i, block});
          same_block = all.end() - 1;
        }
        same_block->h[r][block_row % 3] += H.value[k];
      }
    for (std::size_t index = first; index < all.size(); ++index)
      for (unsigned int r = 0; r < 3; ++r)
        for (unsigned int k = 0; k < 3; ++k)
          for (unsigned int l = 0; l < 3; ++l)
            all[index].z[r][k] += all[index].h[r][l] * blocks.inverse(3 * all[index].block + l,
                                                                      3 * all[index].block + k);
  }
  return all;
}

/// Writes the contacts as bodies with their mass, in the unit of mass of W.
void write_bodies(const std::vector<OnBlock> &rows, std::size_t n_contacts,
                  const BlockDiagonal &blocks, double percussion_factor, double mass_unit,
                  const std::vector<double> &compliance, ContactingBodies &bodies) {
  bodies = {};
  std::vector<std::size_t> number(blocks.size() / 6, blocks.size());
  for (const OnBlock &row : rows)
    if (std::size_t &b = number[row.block / 2]; b == blocks.size()) {
      b = bodies.n_bodies++;
      const unsigned int first = 6 * (row.block / 2);
      for (unsigned int r = first; r < first + 6; ++r)
        for (unsigned int c = first; c < first + 6; ++c) {
          const bool is_free = !blocks.is_fixed(r) && !blocks.is_fixed(c);
          bodies.mass.push_back(blocks.block(r) != blocks.block(c) ? 0.
                                : is_free ? blocks(r, c) / (percussion_factor * mass_unit)
                                          : (r == c ? 1. : 0.));
        }
    }
  bodies.row_start.assign(1, 0);
  for (std::size_t i = 0, k = 0; i < n_contacts; ++i) {
    for (; k < rows.size() && rows[k].contact == i; ++k) {
      const std::size_t b = number[rows[k].block / 2];
      const auto begin = bodies.body.begin() + static_cast<std::ptrdiff_t>(bodies.row_start[i]);
      const auto e =
          static_cast<std::size_t>(std::find(begin, bodies.body.end(), b) - bodies.body.begin());
      if (e == bodies.body.size()) {
        bodies.body.push_back(b);
        bodies.rows.resize(bodies.rows.size() + 18, 0.);
      }
      for (unsigned int r = 0; r < 3; ++r)
        for (unsigned int c = 0; c < 3; ++c)
          if (!blocks.is_fixed(3 * rows[k].block + c))
            bodies.rows[18 * e + 6 * r + 3 * (rows[k].block % 2) + c] = rows[k].h[r][c];
    }
    bodies.row_start.push_back(bodies.body.size());
  }
  for (const double c : compliance)
    bodies.compliance.push_back(c * mass_unit);
}

/// Writes W of rigid bodies in 3D: sums over the common blocks of two contacts.
void write_rigid(const std::vector<OnBlock> &rows, std::size_t n_contacts, unsigned int n_blocks,
                 double percussion_factor, FrictionContactProblem &problem) {
  std::vector<std::vector<const OnBlock *>> rows_on_block(n_blocks), rows_of_contact(n_contacts);
  for (const OnBlock &row : rows) {
    rows_on_block[row.block].push_back(&row);
    rows_of_contact[row.contact].push_back(&row);
  }
  problem.W.clear();
  BlockSparseMatrix &W = problem.blocks;
  W.row_start.assign(1, 0);
  W.column.clear();
  for (std::size_t i = 0; i < n_contacts; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(W.column.size());
    W.column.push_back(i);
    for (const OnBlock *first : rows_of_contact[i])
      for (const OnBlock *second : rows_on_block[first->block])
        W.column.push_back(second->contact);
    std::sort(W.column.begin() + begin, W.column.end());
    W.column.erase(std::unique(W.column.begin() + begin, W.column.end()), W.column.end());
    W.row_start.push_back(W.column.size());
  }
  W.value.assign(9 * W.column.size(), 0.);
  std::vector<std::size_t> entry_of_contact(n_contacts);
  for (std::size_t i = 0; i < n_contacts; ++i) {
    for (std::size_t k = W.row_start[i]; k < W.row_start[i + 1]; ++k)
      entry_of_contact[W.column[k]] = k;
    for (const OnBlock *first : rows_of_contact[i])
      for (const OnBlock *second : rows_on_block[first->block]) {
        double *const w = &W.value[9 * entry_of_contact[second->contact]];
        for (unsigned int r = 0; r < 3; ++r)
          for (unsigned int s = 0; s < 3; ++s)
            for (unsigned int k = 0; k < 3; ++k)
              w[3 * r + s] += percussion_factor * first->z[r][k] * second->h[s][k];
      }
  }
}

/// Returns a diagonal entry of W.
double &diagonal_entry(FrictionContactProblem &problem, std::size_t r) {
  const std::size_t d = problem.dimension, i = r / d, k = r % d;
  if (!problem.W.empty())
    return problem.W[r * (d * problem.n_contacts + 1)];
  BlockSparseMatrix &blocks = problem.blocks;
  std::size_t b = blocks.row_start[i];
  while (blocks.column[b] != i)
    ++b;
  return blocks.value[(b * d + k) * d + k];
}

/// Sets a row and a column of W to zero.
void clear_row_and_column(FrictionContactProblem &problem, std::size_t r) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts, i = r / d, k = r % d;
  for (std::size_t s = 0; s < n && !problem.W.empty(); ++s)
    problem.W[r * n + s] = problem.W[s * n + r] = 0.;
  BlockSparseMatrix &blocks = problem.blocks;
  for (std::size_t j = 0; j + 1 < blocks.row_start.size(); ++j)
    for (std::size_t b = blocks.row_start[j]; b < blocks.row_start[j + 1]; ++b)
      for (std::size_t l = 0; l < d; ++l) {
        if (j == i)
          blocks.value[(b * d + k) * d + l] = 0.;
        if (blocks.column[b] == i)
          blocks.value[(b * d + l) * d + k] = 0.;
      }
}

/// Replaces the rows and columns of W in which ties hold both bodies: their entries are round-off
/// of zero. No percussion changes these velocities unless it ends the sticking of a joint, which
/// the next correction finds from the percussion of this one. As corrections relate velocities to
/// the last percussion, their limit does not depend on the compliance here, half of the one
/// without ties: a contact whose joint would stop the approach then lets the joint slide again
/// without pushing it beyond.
void complete_tied_rows(const ContactRows &H, double percussion_factor, ContactSystem &system,
                        FrictionContactProblem &problem) {
  constexpr double round_off = 1e-12, fraction = 0.5;
  for (unsigned int r = 0; system.has_ties() && r < H.n_rows(); ++r) {
    const double untied =
        percussion_factor * entry(H, r, H, r, [&](unsigned int i, unsigned int j) {
          return system.untied_compliance(i, j);
        });
    if (diagonal_entry(problem, r) > round_off * untied)
      continue;
    clear_row_and_column(problem, r);
    diagonal_entry(problem, r) = fraction * untied;
  }
}

void make_dense(FrictionContactProblem &problem) {
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  const BlockSparseMatrix &blocks = problem.blocks;
  problem.W.assign(n * n, 0.);
  for (std::size_t i = 0; i + 1 < blocks.row_start.size(); ++i)
    for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l)
          problem.W[(d * i + k) * n + d * blocks.column[b] + l] = blocks.value[(b * d + k) * d + l];
  problem.blocks = {};
}

/// Completes the tangential blocks of W. In 3D, a node may be fixed in a tangential direction: no
/// percussion moves it there, and any positive compliance in this direction makes the percussion
/// zero.
void complete_tangents(FrictionContactProblem &problem) {
  const auto complete = [](double *w, std::size_t stride) {
    w += stride + 1; // the block below and to the right of W_nn
    double &a = w[0], &b = w[1], &c = w[stride], &d = w[stride + 1];
    const double sum = a + d;
    // A block of rank one has the eigenvalues sum and 0; sum × I replaces it.
    if (sum > 0. && a * d - b * c <= 1e-12 * sum * sum) {
      a = d = sum;
      b = c = 0.;
    }
  };
  const std::size_t n = 3 * problem.n_contacts;
  for (std::size_t i = 0; i < problem.n_contacts && !problem.W.empty(); ++i)
    complete(problem.W.data() + 3 * i * (n + 1), n);
  BlockSparseMatrix &blocks = problem.blocks;
  for (std::size_t i = 0; i + 1 < blocks.row_start.size(); ++i)
    for (std::size_t k = blocks.row_start[i]; k < blocks.row_start[i + 1]; ++k)
      if (blocks.column[k] == i)
        complete(blocks.value.data() + 9 * k, 3);
}

/// Scales W to a mean diagonal entry of one. Returns the unit of mass, in which a percussion of one
/// changes the velocity of a contact by about one.
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
                     double percussion_factor, ContactSystem &system,
                     FrictionContactProblem &problem, const std::vector<double> &compliance,
                     const ContactRows &G) {
  const bool has_same_W =
      is_of(system) && H == made_of && G == made_of_G && compliance == made_of_c;
  if (has_same_W && mu.size() == made_of_mu.size()) {
    if (mu == made_of_mu)
      return;
    problem.mu = made_of_mu = mu;
    ++problem.version;
    return;
  }
  version = system.version();
  made_of = H;
  made_of_G = G;
  made_of_mu = mu;
  made_of_c = compliance;
  ++problem.version;
  problem.dimension = dim;
  problem.n_contacts = mu.size();
  problem.mu = mu;
  // Blocks pay if at most a quarter of them is nonzero.
  constexpr std::size_t few_contacts = 100;
  const std::size_t n_contacts = mu.size();
  if (const auto rows = rows_on_blocks(H, system); !rows.empty()) {
    write_rigid(rows, n_contacts, system.blocks().size() / 3, percussion_factor, problem);
    if (n_contacts <= few_contacts || 4 * problem.blocks.column.size() >= n_contacts * n_contacts)
      make_dense(problem);
    add_compliance(compliance, problem);
    unit_of_mass = scale(problem);
    problem.bodies = {};
    if (G.n_rows() == 0 && compliance.size() <= H.n_rows()) // else W has another form
      write_bodies(rows, n_contacts, system.blocks(), percussion_factor, unit_of_mass, compliance,
                   problem.bodies);
    return;
  }
  problem.bodies = {};
  std::vector<std::vector<unsigned int>> neighbours;
  std::size_t n_blocks = 0;
  const bool dense = G.n_rows() > 0 || compliance.size() > H.n_rows();
  if (n_contacts > few_contacts && !dense) {
    neighbours = neighbours_before(H, dim, system);
    for (const auto &contact_neighbours : neighbours)
      n_blocks += 2 * contact_neighbours.size() - 1;
  }
  if (n_contacts > few_contacts && !dense && 4 * n_blocks < n_contacts * n_contacts)
    write_blocks(H, dim, percussion_factor, system, neighbours, problem);
  else
    write_dense(G.n_rows() > 0 ? G : H, H, percussion_factor, system, problem);
  complete_tied_rows(H, percussion_factor, system, problem);
  if (dim == 3)
    complete_tangents(problem);
  add_compliance(compliance, problem);
  unit_of_mass = scale(problem);
}

std::vector<double> dense_delassus(const ContactRows &H, unsigned int dim, double percussion_factor,
                                   ContactSystem &system) {
  FrictionContactProblem problem;
  problem.dimension = dim;
  problem.n_contacts = H.n_rows() / dim;
  write_dense(H, H, percussion_factor, system, problem);
  complete_tied_rows(H, percussion_factor, system, problem);
  return std::move(problem.W);
}

} // namespace percussion
