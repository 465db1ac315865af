#include <percussion/cone/operators.h>
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
    first.push_back(i);
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
                      bool symmetric, const Compliance &compliance, std::vector<double> &W) {
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
      W[r * n + s] = percussion_factor * row_times(H, s, y);
      if (symmetric)
        W[s * n + r] = W[r * n + s];
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
                        const Compliance &compliance, std::vector<double> &W) {
  const std::size_t n = H.n_rows();
  for (unsigned int r = 0; r < n; ++r) {
    const double h = H.value[r];
    const unsigned int i = H.column[r];
    for (unsigned int s = 0; s <= r; ++s)
      W[r * n + s] = W[s * n + r] =
          percussion_factor * (h * H.value[s] * compliance(i, H.column[s]));
  }
}

void write_dense(const ContactRows &G, const ContactRows &H, unsigned int dim,
                 double percussion_factor, ContactSystem &system, std::vector<double> &W) {
  const std::size_t n = H.n_rows();
  const bool symmetric = &G == &H && system.blocks().block_size() == 1;
  W.resize(n * n);
  const bool is_single = symmetric && has_single_entries(H);
  visit_compliances(system, [&](const auto &compliance) {
    if (is_single)
      return write_dense_single(H, percussion_factor, compliance, W);
    if (has_long_rows(H, dim))
      return write_dense_rows(G, H, percussion_factor, symmetric, compliance, W);
    for (unsigned int r = 0; r < n; ++r)
      for (unsigned int s = 0; s <= r; ++s) {
        W[r * n + s] = percussion_factor * entry(G, r, H, s, compliance);
        W[s * n + r] = symmetric ? W[r * n + s] : percussion_factor * entry(G, s, H, r, compliance);
      }
  });
}

void write_blocks(const ContactRows &H, unsigned int dim, double percussion_factor,
                  ContactSystem &system, const std::vector<std::vector<unsigned int>> &neighbours,
                  BlockSparseMatrix &blocks) {
  // The entire pattern follows from its lower half, row by row.
  std::vector<std::vector<unsigned int>> rows = neighbours;
  for (unsigned int i = 0; i < neighbours.size(); ++i)
    for (const unsigned int j : neighbours[i])
      if (j != i)
        rows[j].push_back(i);
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
                 double percussion_factor, BlockSparseMatrix &W) {
  std::vector<std::vector<const OnBlock *>> rows_on_block(n_blocks), rows_of_contact(n_contacts);
  for (const OnBlock &row : rows) {
    rows_on_block[row.block].push_back(&row);
    rows_of_contact[row.contact].push_back(&row);
  }
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
    double &diagonal_entry = diagonal_block(problem, r / problem.dimension)(r % problem.dimension,
                                                                            r % problem.dimension);
    if (diagonal_entry > round_off * untied)
      continue;
    clear_row_and_column(r, problem);
    diagonal_entry = fraction * untied;
  }
}

/// Completes the tangential blocks of W. In 3D, a node may be fixed in a tangential direction: no
/// percussion moves it there, and any positive compliance in this direction makes the percussion
/// zero.
void complete_tangents(FrictionContactProblem &problem) {
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    const DelassusBlock W = diagonal_block(problem, i);
    double &a = W(1, 1), &b = W(1, 2), &c = W(2, 1), &d = W(2, 2);
    const double sum = a + d;
    // A block of rank one has the eigenvalues sum and 0; sum × I replaces it.
    if (sum > 0. && a * d - b * c <= 1e-12 * sum * sum) {
      a = d = sum;
      b = c = 0.;
    }
  }
}

/// Scales W to a mean diagonal entry of one. Returns the unit of mass, in which a percussion of one
/// changes the velocity of a contact by about one.
double scale(FrictionContactProblem &problem) {
  const double sum = trace(problem);
  const double unit =
      sum > 0. ? static_cast<double>(problem.dimension * problem.n_contacts) / sum : 1.;
  percussion::scale(unit, problem);
  return unit;
}

/// Writes W of contacts by blocks if they pay, otherwise dense. Returns its unit of mass.
double write_operator(const ContactRows &G, const ContactRows &H, double percussion_factor,
                      ContactSystem &system, const Compliance &compliance,
                      FrictionContactProblem &problem) {
  constexpr std::size_t few_contacts = 100;
  const std::size_t n_contacts = problem.n_contacts;
  const bool is_plain = G.n_rows() == 0 && compliance.full.empty(); // W = θ H Â⁻¹ Hᵀ + diag(c)
  const bool may_have_blocks = n_contacts > few_contacts && is_plain;
  // Blocks pay if at most a quarter of them is nonzero.
  const auto pay = [n_contacts](std::size_t n_blocks) {
    return 4 * n_blocks < n_contacts * n_contacts;
  };
  problem.W.clear();
  problem.bodies = {};
  const auto rows = rows_on_blocks(H, system);
  if (!rows.empty()) {
    write_rigid(rows, n_contacts, system.blocks().size() / 3, percussion_factor, problem.blocks);
    if (!may_have_blocks || !pay(problem.blocks.column.size()))
      make_dense(problem);
  } else {
    std::vector<std::vector<unsigned int>> neighbours;
    std::size_t n_blocks = 0;
    if (may_have_blocks)
      neighbours = neighbours_before(H, problem.dimension, system);
    for (const auto &contact_neighbours : neighbours)
      n_blocks += 2 * contact_neighbours.size() - 1;
    if (may_have_blocks && pay(n_blocks)) {
      write_blocks(H, problem.dimension, percussion_factor, system, neighbours, problem.blocks);
    } else {
      problem.blocks = {};
      write_dense(G.n_rows() > 0 ? G : H, H, problem.dimension, percussion_factor, system,
                  problem.W);
    }
    complete_tied_rows(H, percussion_factor, system, problem);
    if (problem.dimension == 3)
      complete_tangents(problem);
  }
  add_to_diagonal(compliance.diagonal, problem);
  for (std::size_t k = 0; k < compliance.full.size(); ++k)
    problem.W[k] += compliance.full[k];
  const double mass_unit = scale(problem);
  if (!rows.empty() && is_plain)
    write_bodies(rows, n_contacts, system.blocks(), percussion_factor, mass_unit,
                 compliance.diagonal, problem.bodies);
  return mass_unit;
}

} // namespace

void Delassus::write(const ContactRows &H, const std::vector<double> &mu, unsigned int dim,
                     double percussion_factor, ContactSystem &system,
                     FrictionContactProblem &problem, const Compliance &compliance,
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
  unit_of_mass = write_operator(G, H, percussion_factor, system, compliance, problem);
}

std::vector<double> dense_delassus(const ContactRows &H, unsigned int dim, double percussion_factor,
                                   ContactSystem &system) {
  FrictionContactProblem problem;
  problem.dimension = dim;
  problem.n_contacts = H.n_rows() / dim;
  write_dense(H, H, dim, percussion_factor, system, problem.W);
  complete_tied_rows(H, percussion_factor, system, problem);
  return std::move(problem.W);
}

} // namespace percussion
