#include "rigid_bonds.h"

#include <percussion/dynamics/bonds.h>

#include <algorithm>
#include <cmath>

namespace percussion {

template <int dim>
void RigidBonds<dim>::start(const PosedLaw<dim> &law) {
  n_reversals = 0;
  states.clear();
  for (const PosedBond<dim> &bond : law.bonds)
    states.push_back(bond.is_tie() || bond.is_rigid() ? BondState::holds : BondState::opens);
  borne.assign(law.bonds.size(), {});
  sizes.assign(law.bonds.size(), 0.);
}

/// Returns the traction of a bond.
template <int dim>
std::array<double, dim> RigidBonds<dim>::traction_of(const PosedBond<dim> &bond,
                                                     const std::vector<double> &percussions,
                                                     double h) {
  std::array<double, dim> traction;
  for (unsigned int r = 0; r < dim; ++r)
    traction[r] = -percussions[dim * bond.contact + r] / (h * bond.area);
  return traction;
}

/// Returns the traction of a rigid bond over its strength.
template <int dim>
double RigidBonds<dim>::load_of(const PosedBond<dim> &bond, const std::vector<double> &percussions,
                                double h) {
  return equivalent_traction<dim>(*bond.law, traction_of(bond, percussions, h)) /
         bond.law->strength;
}

/// Returns the opening that the strength of a bond would cause in the step [length].
template <int dim>
double RigidBonds<dim>::opening_by_strength(const PosedBond<dim> &bond,
                                            const JoinedContacts<dim> &bodies, double h) {
  double response = 0;
  for (std::size_t row = dim * bond.contact; row < dim * (bond.contact + 1); ++row)
    response = std::max(response, bodies.response(row, row));
  return h * h * bond.area * response * bond.law->strength;
}

/// True if an opening is more than the round-off and the slip of a step leave to bonds that others
/// hold.
template <int dim>
bool RigidBonds<dim>::moves(const BondOpening<dim> &opening, const PosedBond<dim> &bond,
                            const JoinedContacts<dim> &bodies, double h) {
  constexpr double negligible = 1e-8; // of the opening by the strength
  double largest = 0;
  for (const double component : opening)
    largest = std::max(largest, std::abs(component));
  return largest > negligible * opening_by_strength(bond, bodies, h);
}

template <int dim>
bool RigidBonds<dim>::change(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies,
                             const std::vector<double> &percussions, double h, bool decides,
                             std::vector<double> &next) {
  constexpr double round_off = 1e-9;
  std::vector<std::size_t> overloaded;
  double largest_load = 1. + round_off;
  bool has_changed = false;
  for (std::size_t i = 0; i < law.bonds.size(); ++i) {
    const PosedBond<dim> &bond = law.bonds[i];
    if (!bond.is_rigid())
      continue;
    if (states[i] != BondState::holds) {
      has_changed = change_opening(i, bond, bodies, percussions, h, decides, next) || has_changed;
      continue;
    }
    const double load = load_of(bond, percussions, h);
    if (!decides || !(load > (n_reversals > 0 ? largest_load : 1. + round_off)))
      continue;
    if (n_reversals > 0)
      overloaded.clear();
    overloaded.push_back(i);
    largest_load = load;
  }
  for (const std::size_t i : overloaded)
    bear(i, law.bonds[i], traction_of(law.bonds[i], percussions, h));
  return has_changed || !overloaded.empty();
}

/// Lets a rigid bond bear its strength in the direction of a traction.
template <int dim>
void RigidBonds<dim>::bear(std::size_t i, const PosedBond<dim> &bond,
                           std::array<double, dim> traction) {
  traction[0] = std::max(traction[0], 0.); // contact bears pressure
  const double size = equivalent_traction<dim>(*bond.law, traction);
  for (double &component : traction)
    component *= bond.law->strength / size;
  borne[i] = traction;
  sizes[i] = bond.law->strength;
  states[i] = BondState::bears;
}

/// Changes the state of a rigid bond that bears its strength or opens. Its traction t and opening w
/// follow from the tangents; as with friction, t is the part of t + ρ w within the strength, for
/// any ρ > 0. This gives the direction in which it opens next, which w alone gives badly: the
/// traction of the smallest opening has the size of the strength. Returns true if the state is
/// another one.
template <int dim>
bool RigidBonds<dim>::change_opening(std::size_t i, const PosedBond<dim> &bond,
                                     const JoinedContacts<dim> &bodies,
                                     const std::vector<double> &percussions, double h, bool decides,
                                     std::vector<double> &next) {
  const BondState last = states[i];
  const std::size_t first = dim * bond.contact;
  const BondOpening<dim> opening = end_opening<dim>(bond, next, h);
  const bool is_moving = moves(opening, bond, bodies, h);
  const double rho = bond.law->strength / opening_by_strength(bond, bodies, h);
  std::array<double, dim> sum = traction_of(bond, percussions, h);
  for (unsigned int r = 0; r < dim && is_moving; ++r)
    sum[r] += rho * (r == 0 ? 1. : bond.law->shear_ratio) * opening[r];
  const double size = equivalent_traction<dim>(*bond.law, sum);
  if (!is_moving) {
    if (last == BondState::opens)
      bear(i, bond, sum);
  } else if (size > sizes[i]) {
    states[i] = BondState::opens;
    sum[0] = std::max(sum[0], 0.);
    for (unsigned int r = 0; r < dim; ++r) {
      const double w =
          (1. - sizes[i] / size) * sum[r] / (rho * (r == 0 ? 1. : bond.law->shear_ratio));
      next[first + r] = (w - (r == 0 ? bond.start : bond.opening[r])) / h;
    }
  } else if (decides) {
    states[i] = BondState::holds;
    ++n_reversals;
  }
  return states[i] != last;
}

template <int dim>
bool RigidBonds<dim>::is_overloaded(const PosedLaw<dim> &law,
                                    const std::vector<double> &percussions, double h) const {
  constexpr double round_off = 1e-9;
  for (std::size_t i = 0; i < law.bonds.size(); ++i)
    if (law.bonds[i].is_rigid() && states[i] == BondState::holds &&
        load_of(law.bonds[i], percussions, h) > 1. + round_off)
      return true;
  return false;
}

template <int dim>
void RigidBonds<dim>::bear_all(const PosedLaw<dim> &law, const std::vector<double> &percussions,
                               double h) {
  for (std::size_t i = 0; i < law.bonds.size(); ++i)
    if (law.bonds[i].is_rigid()) {
      borne[i] = traction_of(law.bonds[i], percussions, h);
      states[i] = BondState::bears;
    }
}

template <int dim>
bool RigidBonds<dim>::open_moving(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies,
                                  const std::vector<double> &u, double h) {
  bool has_changed = false;
  for (std::size_t i = 0; i < law.bonds.size(); ++i) {
    const PosedBond<dim> &bond = law.bonds[i];
    if (states[i] != BondState::bears || !moves(end_opening<dim>(bond, u, h), bond, bodies, h))
      continue;
    states[i] = BondState::opens;
    has_changed = true;
  }
  return has_changed;
}

template class RigidBonds<2>;
template class RigidBonds<3>;

} // namespace percussion
