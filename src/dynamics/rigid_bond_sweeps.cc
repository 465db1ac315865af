#include <percussion/dynamics/bonds.h>

#include "rigid_bonds.h"
#include "single_bond.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Group of rows of a symmetric matrix.
struct RowGroup {
  std::size_t bond;
  std::vector<std::size_t> rows;
  bool is_eliminated = false;
};

/// Gaussian elimination of groups of rows of a positive semidefinite matrix, the group first of
/// which most is left.
class GroupElimination {
public:
  GroupElimination(std::vector<double> matrix, std::size_t n_rows)
      : A(std::move(matrix)), n(n_rows), diagonal(n) {
    for (std::size_t i = 0; i < n; ++i)
      diagonal[i] = A[i * n + i];
  }

  /// Eliminates all groups except dependent ones.
  void run(std::vector<RowGroup> &groups) {
    while (RowGroup *const group = next(groups)) {
      group->is_eliminated = true;
      for (const std::size_t pivot : group->rows)
        if (remaining(pivot) > dependent)
          eliminate(pivot);
    }
  }

private:
  static constexpr double dependent = 1e-6; ///< fraction of the diagonal that others leave

  double remaining(std::size_t i) const { return A[i * n + i] / diagonal[i]; }
  RowGroup *next(std::vector<RowGroup> &groups) const {
    RowGroup *found = nullptr;
    double most = dependent;
    for (RowGroup &group : groups)
      for (const std::size_t i : group.rows)
        if (!group.is_eliminated && remaining(i) > most) {
          found = &group;
          most = remaining(i);
        }
    return found;
  }
  void eliminate(std::size_t pivot) {
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i == pivot ? 0. : A[i * n + pivot] / A[pivot * n + pivot];
      for (std::size_t k = 0; k < n && factor != 0.; ++k)
        A[i * n + k] -= factor * A[pivot * n + k];
    }
  }

  std::vector<double> A;
  std::size_t n;
  std::vector<double> diagonal; ///< before the elimination
};

/// Sides of a bond without its percussions.
template <int dim>
struct FreeSides {
  dealii::Tensor<2, dim> compliance; ///< B: the traction t closes the opening by B t
  dealii::Tensor<1, dim> opening;    ///< opening at the end [length]
};

/// Returns the sides of a bond without the percussions of it and its contact, with the velocities u
/// under all percussions. Directions in which nothing moves them have no traction.
template <int dim>
FreeSides<dim> free_sides(const PosedBond<dim> &bond, const JoinedContacts<dim> &bodies, double h,
                          const std::vector<double> &percussions, const std::vector<double> &u) {
  constexpr double immovable = 1e-14; // of the largest response
  const std::size_t first = dim * bond.contact;
  const BondOpening<dim> opening = end_opening<dim>(bond, u, h);
  FreeSides<dim> sides;
  double largest = 0;
  for (unsigned int r = 0; r < dim; ++r) {
    largest = std::max(largest, bodies.response(first + r, first + r));
    sides.opening[r] = opening[r];
    for (unsigned int c = 0; c < dim; ++c) {
      sides.compliance[r][c] = h * h * bond.area * bodies.response(first + r, first + c);
      sides.opening[r] -= h * bodies.response(first + r, first + c) * percussions[first + c];
    }
  }
  for (unsigned int r = 0; r < dim; ++r)
    if (!(bodies.response(first + r, first + r) > immovable * largest)) {
      for (unsigned int c = 0; c < dim; ++c)
        sides.compliance[r][c] = sides.compliance[c][r] = 0.;
      sides.compliance[r][r] = 1.;
      sides.opening[r] = 0.;
    }
  // A point may be immovable in a direction between the rows.
  const double least = 1e-12 * trace(sides.compliance);
  for (unsigned int r = 0; r < dim; ++r)
    sides.compliance[r][r] += least;
  return sides;
}

} // namespace

template <int dim>
void RigidBonds<dim>::sweep(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies, double h,
                            Reaction &reaction, std::vector<double> &u) {
  constexpr unsigned int max_sweeps = 100;
  constexpr double tolerance = 1e-6; // of the largest percussion
  u = bodies.velocities(reaction.total_percussions());
  for (unsigned int k = 0; k < max_sweeps; ++k) {
    double change = 0;
    for (std::size_t i = 0; i < law.bonds.size(); ++i)
      if (law.bonds[i].is_rigid() || law.bonds[i].is_tie())
        change = std::max(change, sweep_bond(i, law.bonds[i], bodies, h, reaction, u));
    if (change <= tolerance * largest_of(reaction.bond))
      return;
  }
}

/// Solves the law of a rigid bond and its contact with all other percussions given. Returns the
/// largest change of a percussion.
template <int dim>
double RigidBonds<dim>::sweep_bond(std::size_t i, const PosedBond<dim> &bond,
                                   const JoinedContacts<dim> &bodies, double h, Reaction &reaction,
                                   std::vector<double> &u) {
  const std::size_t first = dim * bond.contact;
  const std::vector<double> last = reaction.total_percussions();
  const FreeSides<dim> sides = free_sides<dim>(bond, bodies, h, last, u);
  const SingleBond<dim> solution = solve_single_bond<dim>(bond, sides.compliance, sides.opening, h);
  BondOpening<dim> opening;
  std::copy_n(solution.opening.begin_raw(), dim, opening.begin());
  std::copy_n(solution.traction.begin_raw(), dim, borne[i].begin());
  states[i] = solution.holds                    ? BondState::holds
              : moves(opening, bond, bodies, h) ? BondState::opens
                                                : BondState::bears;
  double change = 0;
  for (unsigned int r = 0; r < dim; ++r) {
    reaction.bond[first + r] = -h * bond.area * solution.traction[r];
    reaction.p[first + r] = r == 0 ? h * bond.area * solution.pressure : 0.;
    const double difference = reaction.bond[first + r] + reaction.p[first + r] - last[first + r];
    bodies.add_response(first + r, difference, u);
    change = std::max(change, std::abs(difference));
  }
  return change;
}

template <int dim>
void RigidBonds<dim>::release_redundant(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies,
                                        const std::vector<double> &percussions, double h) {
  constexpr double immovable = 1e-14; // of the largest response
  double largest = 0;
  for (const PosedBond<dim> &bond : law.bonds)
    for (std::size_t row = dim * bond.contact; row < dim * (bond.contact + 1); ++row)
      largest = std::max(largest, bodies.response(row, row));
  std::vector<RowGroup> groups;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < law.bonds.size(); ++i) {
    if (states[i] != BondState::holds)
      continue;
    groups.push_back({i, {}});
    const std::size_t first = dim * law.bonds[i].contact;
    for (std::size_t row = first; row < first + dim; ++row)
      if (bodies.response(row, row) > immovable * largest) {
        groups.back().rows.push_back(rows.size());
        rows.push_back(row);
      }
  }
  std::vector<double> A;
  for (const std::size_t row : rows)
    for (const std::size_t column : rows)
      A.push_back(bodies.response(row, column));
  GroupElimination(std::move(A), rows.size()).run(groups);
  for (const RowGroup &group : groups)
    if (!group.is_eliminated && law.bonds[group.bond].is_rigid()) {
      borne[group.bond] = traction_of(law.bonds[group.bond], percussions, h);
      states[group.bond] = BondState::bears;
    }
}

template void RigidBonds<2>::sweep(const PosedLaw<2> &, const JoinedContacts<2> &, double,
                                   Reaction &, std::vector<double> &);
template void RigidBonds<3>::sweep(const PosedLaw<3> &, const JoinedContacts<3> &, double,
                                   Reaction &, std::vector<double> &);
template void RigidBonds<2>::release_redundant(const PosedLaw<2> &, const JoinedContacts<2> &,
                                               const std::vector<double> &, double);
template void RigidBonds<3>::release_redundant(const PosedLaw<3> &, const JoinedContacts<3> &,
                                               const std::vector<double> &, double);

} // namespace percussion
