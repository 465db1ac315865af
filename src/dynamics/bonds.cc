#include <percussion/base/instantiate.h>
#include <percussion/dynamics/bonds.h>
#include <percussion/dynamics/state.h>

#include <algorithm>

namespace percussion {
namespace {

/// Returns the tangential vector turned into the plane normal to `normal`, with its length, on
/// which the stored energy depends.
template <int dim>
dealii::Tensor<1, dim> turned_into_plane(const dealii::Tensor<1, dim> &vector,
                                         const dealii::Tensor<1, dim> &normal) {
  const dealii::Tensor<1, dim> tangential = vector - (vector * normal) * normal;
  const double length = tangential.norm();
  return length > 0. ? vector.norm() / length * tangential : tangential;
}

/// Breaks the bonds whose contacts are not found any more.
template <int dim>
void break_lost_bonds(const Boundary<dim> &boundary, State<dim> &state, Works &works) {
  Cursor contacts(state.found.contacts);
  for (ContactBond<dim> &bond : state.history.bonds) {
    if (contacts.go_to(bond.key) != nullptr || bond.damage == 1.)
      continue;
    const double stored = stored_by_bonds<dim>({bond}, boundary);
    works.fracture -= stored;
    state.contact_potential -= stored;
    bond.damage = 1.;
  }
}

} // namespace

template <int dim>
std::vector<ContactBond<dim>> make_bonds(const ContactList<dim> &found,
                                         const Boundary<dim> &boundary) {
  constexpr double closed = 1e-6; // of the local size
  std::vector<ContactBond<dim>> bonds;
  for (const auto &contact : found.contacts) {
    const ContactPoint<dim> &point = boundary.points[contact.point];
    if (!boundary.pairs[contact.key.pair].bond.exists() || !(contact.area > 0.) ||
        contact.gap_of_law() > std::max(point.tolerance, closed * point.size))
      continue;
    ContactBond<dim> bond;
    bond.key = contact.key;
    bond.area = contact.area;
    bonds.push_back(bond);
  }
  return bonds;
}

template <int dim>
std::vector<ContactBond<dim>> continued_bonds(std::vector<ContactBond<dim>> bonds,
                                              const ContactList<dim> &found,
                                              const Boundary<dim> &boundary) {
  std::vector<bool> has_bonds(boundary.pairs.size(), false);
  for (const ContactBond<dim> &bond : bonds)
    has_bonds[bond.key.pair] = true;
  for (const ContactBond<dim> &bond : make_bonds(found, boundary))
    if (!has_bonds[bond.key.pair])
      bonds.push_back(bond);
  std::sort(bonds.begin(), bonds.end(),
            [](const ContactBond<dim> &a, const ContactBond<dim> &b) { return a.key < b.key; });
  return bonds;
}

template <int dim>
double stored_by_bonds(const std::vector<ContactBond<dim>> &bonds, const Boundary<dim> &boundary) {
  double energy = 0;
  for (const ContactBond<dim> &bond : bonds)
    energy += bond.area * stored_energy<dim>(boundary.pairs[bond.key.pair].bond, bond.damage,
                                             {bond.opening, bond.slip.norm()});
  return energy;
}

template <int dim>
void add_bonds(PosedLaw<dim> &law, const std::vector<std::optional<double>> &offset,
               const ContactSetting<dim> &setting) {
  const std::vector<ContactBond<dim>> &bonds = setting.state.history.bonds;
  Cursor all(bonds);
  for (std::size_t i = 0; i < law.active.contacts.size() && !bonds.empty(); ++i) {
    const ContactKey &key = law.active.contacts[i].key;
    const ContactBond<dim> *const bond = all.go_to(key);
    if (bond == nullptr || bond->damage == 1.)
      continue;
    law.mu[i] *= bond->damage;
    PosedBond<dim> posed_bond;
    posed_bond.contact = i;
    posed_bond.law = &setting.boundary.pairs[key.pair].bond;
    posed_bond.area = bond->area;
    posed_bond.damage = bond->damage;
    const auto directions = law.directions_of(i);
    const auto slip = turned_into_plane<dim>(bond->slip, directions[0]);
    posed_bond.opening[0] = bond->opening;
    for (unsigned int t = 1; t < dim; ++t)
      posed_bond.opening[t] = directions[t] * slip;
    const bool is_for_end = i < offset.size() && offset[i];
    posed_bond.start = is_for_end ? setting.interval.h * *offset[i] : bond->opening;
    posed_bond.traction = setting.choices.has_inertia ? BondTraction::mean : BondTraction::end;
    law.bonds.push_back(posed_bond);
    if (posed_bond.is_tie() || posed_bond.is_rigid()) { // no impact has a restitution
      std::fill_n(&law.offset[dim * i], dim, 0.);
      law.restitution[i] = TangentialRestitution::fixed;
    }
  }
}

template <int dim>
BondOpening<dim> end_opening(const PosedBond<dim> &bond, const std::vector<double> &u, double h) {
  BondOpening<dim> opening = bond.opening;
  opening[0] = bond.start;
  for (unsigned int r = 0; r < dim; ++r)
    opening[r] += h * u[dim * bond.contact + r];
  return opening;
}

template <int dim>
BondStep<dim> step_of(const PosedBond<dim> &bond, const std::vector<double> &u, double h) {
  return bond_step<dim>(*bond.law, bond.damage, bond.opening, end_opening<dim>(bond, u, h), h,
                        bond.traction);
}

/// Adds the works of a bond that is no tie. Returns its damage at the end.
template <int dim>
double add_works(const PosedBond<dim> &posed_bond, const std::vector<double> &u, double h,
                 double work, State<dim> &state, Works &works) {
  const BondStep<dim> step = step_of(posed_bond, u, h);
  const double stored = posed_bond.area * (step.stored1 - step.stored0),
               loss = posed_bond.area * step.loss;
  works.fracture -= loss;
  state.contact_potential += stored;
  if (posed_bond.traction == BondTraction::end)
    works.numerical += work + stored + loss;
  return step.damage;
}

template <int dim>
void account_bonds(const PosedLaw<dim> &law, const Reaction &reaction, const TraceField &v_theta,
                   const Interval &interval, const Boundary<dim> &boundary, State<dim> &state,
                   Works &works) {
  constexpr double round_off = 1e-12;
  std::vector<double> u(law.H.n_rows());
  for (std::size_t i = 0; i < law.bonds.size(); ++i) {
    const PosedBond<dim> &posed_bond = law.bonds[i];
    const bool holds = i < reaction.holds.size() && reaction.holds[i];
    const auto first = static_cast<unsigned int>(dim * posed_bond.contact);
    double work = 0;
    for (unsigned int row = first; row < first + dim; ++row) {
      u[row] = law.H.row_times(row, v_theta) - law.surface[row];
      work += reaction.bond[row] * u[row];
      works.prescribed += reaction.bond[row] * law.surface[row];
    }
    ContactBond<dim> &bond =
        *find_key(state.history.bonds, law.active.contacts[posed_bond.contact].key);
    if (holds) {
      works.numerical += work; // of the gap that a tie closes without inertia; otherwise round-off
      if (posed_bond.is_tie() && interval.t1 >= posed_bond.law->tied_until * (1. - round_off))
        bond.damage = 1.;
    } else
      bond.damage = add_works(posed_bond, u, interval.h, work, state, works);
    if (holds && posed_bond.is_rigid())
      continue; // the opening stays zero
    const BondOpening<dim> opening = end_opening<dim>(posed_bond, u, interval.h);
    const auto directions = law.directions_of(posed_bond.contact);
    bond.opening = opening[0];
    bond.slip = {};
    for (unsigned int t = 1; t < dim; ++t)
      bond.slip += opening[t] * directions[t];
  }
  break_lost_bonds(boundary, state, works);
}

PERCUSSION_INSTANTIATE(make_bonds);
PERCUSSION_INSTANTIATE(continued_bonds);
PERCUSSION_INSTANTIATE(stored_by_bonds);
PERCUSSION_INSTANTIATE(add_bonds);
PERCUSSION_INSTANTIATE(end_opening);
PERCUSSION_INSTANTIATE(step_of);
PERCUSSION_INSTANTIATE(account_bonds);

} // namespace percussion
