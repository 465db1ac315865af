#include <percussion/base/format.h>
#include <percussion/dynamics/bonds.h>
#include <percussion/input/section_table.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

using dealii::Patterns::Double;

namespace {

const std::string strength_entry = "Bond strength", energy_entry = "Fracture energy",
                  stiffness_entry = "Bond stiffness", shear_strength_entry = "Shear bond strength",
                  shear_energy_entry = "Shear fracture energy",
                  ratio_entry = "Shear bond stiffness", exponent_entry = "Mixed-mode exponent",
                  tied_entry = "Tied until";

/// Default of the final opening over the opening at which damage begins: process zones then hardly
/// depend on the stiffness.
constexpr double default_brittleness = 60.;

SectionTable<BondLaw> bond_table() {
  SectionTable<BondLaw> table;
  table.add(strength_entry, "0", Double(0),
            "Normal strength of bonds [M L^-1 T^-2]: the points of a Region that begin closed are "
            "glued to the opposite side by a cohesive law with damage. Under it, contact and "
            "friction act as usual, friction in proportion to the damage. 0: no bonds.",
            &BondLaw::strength);
  table.add(energy_entry, "0", Double(0),
            "Energy that breaks a bond by tension, per area [M T^-2]. The column work_fracture has "
            "it, for any step.",
            &BondLaw::fracture_energy);
  table.add(stiffness_entry, "0", Double(0),
            "Normal stiffness of bonds without damage [M L^-2 T^-2]. 0: damage begins at 1/60 of "
            "the opening at which the bond is broken.",
            &BondLaw::stiffness);
  table.add(ratio_entry, "1", Double(0),
            "Tangential stiffness of bonds over their normal stiffness [1].",
            &BondLaw::shear_ratio);
  table.add(shear_strength_entry, "0", Double(0),
            "Tangential strength of bonds [M L^-1 T^-2]. 0: damage depends on the magnitude of the "
            "opening alone, and the energy is the Fracture energy for all directions.",
            &BondLaw::shear_strength);
  table.add(shear_energy_entry, "0", Double(0),
            "Energy that breaks a bond by shear, per area [M T^-2].",
            &BondLaw::shear_fracture_energy);
  table.add(exponent_entry, "2", NumberBetween({0, false}, {100, true}),
            "Exponent of Benzeggagh and Kenane's law for the energy between tension and shear [1].",
            &BondLaw::mode_exponent);
  table.add(
      tied_entry, "0", Double(0),
      "Time until which the points of a Region that begin closed are tied to the opposite side "
      "[T]: they neither open nor slide, and after this time have the law of the contact. A "
      "time beyond the end ties them for the whole run. 0: not tied.",
      &BondLaw::tied_until);
  return table;
}

/// Reports schemes whose contacts have no rows of velocities at nodes with constant weights.
template <int dim>
void refuse_unsuited_scheme(const CaseInput &section, const Case<dim> &c,
                            const std::string &entry) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  if (c.choices.integrator != Integrator::theta || c.choices.penalty != Penalty::none ||
      case_scheme.formulation != Formulation::collocated || case_scheme.forecast == Forecast::trial)
    section.report(
        entry,
        "Scheme = " + c.scheme_name +
            " has no bonds and ties; allowed are moreau-jean-fremond, pdas-leapfrog and other "
            "schemes of the theta-method with contacts at nodes and without springs");
}

/// Reports a stiffness so small, or a shear energy so small, that a bond would break before its
/// damage begins.
void check_brittleness(const CaseInput &section, const BondLaw &bond) {
  const double least_stiffness = bond.strength * bond.strength / (2. * bond.fracture_energy);
  if (!(bond.stiffness > least_stiffness))
    section.report(stiffness_entry,
                   format("the bond would break at an opening of %g, before its damage begins at "
                          "%g; allowed is a stiffness > %g",
                          2. * bond.fracture_energy / bond.strength, bond.strength / bond.stiffness,
                          least_stiffness));
  if (bond.shear_strength == 0.)
    return;
  const double least_energy =
      bond.shear_strength * bond.shear_strength / (2. * bond.stiffness * bond.shear_ratio);
  if (!(bond.shear_fracture_energy > least_energy))
    section.report(shear_energy_entry,
                   format("with this strength and stiffness the bond stores %g before its damage "
                          "begins; allowed is a larger energy",
                          least_energy));
}

} // namespace

void declare_bond(ParameterDeclarations &declarations) {
  bond_table().declare_entries(declarations);
}

template <int dim>
void read_bond(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair) {
  section.refuse_unused("Wear coefficient", pair.region() != nullptr || pair.is_on_faces(),
                        "without a Region: points of rigid bodies have no area and no pressure");
  BondLaw &bond = pair.bond;
  bond_table().read(section.parameters, section.path, bond);
  for (const std::string &entry : {energy_entry, stiffness_entry, ratio_entry, shear_strength_entry,
                                   shear_energy_entry, exponent_entry})
    section.refuse_unused(entry, bond.strength > 0., "without a Bond strength");
  if (!bond.exists())
    return;
  const std::string &kind = bond.is_tie() ? tied_entry : strength_entry;
  refuse_unsuited_scheme(section, c, kind);
  if (bond.is_tie() && bond.strength > 0.)
    section.report(tied_entry, "tied points do not break: give a Bond strength or a time of ties");
  if (pair.region() == nullptr)
    section.report(kind, "bonds have an area, which points of rigid bodies have not; the contact "
                         "must have a Region");
  else if (pair.is_on_faces() && pair.discretisation == Discretisation::nodes_of_both_sides)
    section.report(kind, "nodes of both sides would be bonded twice; allowed are "
                         "Discretisation = mortar and nodes");
  if (pair.has_elliptic_cone() || pair.has_unequal_friction())
    section.report(kind, "bonds have the same friction in all directions: Friction ratio "
                         "and Backward friction ratio must be 1");
  if (bond.is_tie())
    return;
  if (!(bond.fracture_energy > 0.))
    return section.report(energy_entry, "a Bond strength requires an energy > 0");
  if (!(bond.shear_ratio > 0.))
    return section.report(ratio_entry, "the ratio must be > 0");
  if (bond.stiffness == 0.)
    bond.stiffness =
        default_brittleness * bond.strength * bond.strength / (2. * bond.fracture_energy);
  section.refuse_unused(shear_energy_entry, bond.shear_strength > 0.,
                        "without a Shear bond strength");
  section.refuse_unused(exponent_entry, bond.shear_strength > 0., "without a Shear bond strength");
  if (section.is_understood())
    check_brittleness(section, bond);
}

namespace {

/// Reports bonds that open farther than contacts on faces are found, and warns of process zones
/// that elements do not resolve.
template <int dim>
void check_opening(const CaseInput &section, unsigned int k, Case<dim> &c) {
  constexpr double cells = 3.; // of a process zone
  const ContactPair<dim> &pair = c.boundary->pairs[k];
  double size = 0, shortest = std::numeric_limits<double>::infinity(), modulus = 0;
  for (unsigned int i = c.boundary->first_point[k]; i < c.boundary->first_point[k + 1]; ++i) {
    size = std::max(size, c.boundary->points[i].size);
    shortest = std::min(shortest, c.boundary->points[i].size);
  }
  for (const auto &body : c.bodies->elastic)
    for (const auto &material : body->materials.list) {
      const auto &law = material.elastic;
      modulus = std::max(modulus, law.mu * (3. * law.lambda + 2. * law.mu) / (law.lambda + law.mu));
    }
  const double zone =
      modulus * pair.bond.fracture_energy / (pair.bond.strength * pair.bond.strength);
  if (zone < cells * size)
    c.warnings.push_back(section.remark(
        strength_entry,
        format("the process zone of a crack, E G/sigma^2 = %.3g, is shorter than three elements of "
               "%.3g: bonds ahead of the crack break too late; a smaller strength with the same "
               "Fracture energy, or finer elements, resolve it",
               zone, size)));
  if (pair.is_on_faces() && final_opening(pair.bond) > shortest)
    section.report(energy_entry,
                   format("bonds break at an opening of %g, farther than contacts on faces are "
                          "found (the shortest edge, %g)",
                          final_opening(pair.bond), shortest));
}

} // namespace

template <int dim>
void check_bonds(const CaseInput &input, Case<dim> &c) {
  for (unsigned int k = 0; k < c.boundary->pairs.size(); ++k) {
    const ContactPair<dim> &pair = c.boundary->pairs[k];
    if (!pair.bond.exists())
      continue;
    const CaseInput section = input.in(contact_section + "/" + pair.name);
    if (!pair.bond.is_tie())
      check_opening(section, k, c);
    else if (pair.bond.tied_until <= c.span.start)
      section.report(tied_entry,
                     format("ties must last beyond the start of the run, %g", c.span.start));
    for (const ContactPair<dim> &second : c.boundary->pairs)
      if (second.has_moments())
        section.report(pair.bond.is_tie() ? tied_entry : strength_entry,
                       "a case with rolling friction (contact '" + second.name +
                           "') has no bonds and ties");
    const auto found = ContactFinder<dim>(*c.boundary)
                           .find(c.boundary->trace.gather(c.bodies->zero_field()), c.span.start);
    const auto bonds = make_bonds(found, *c.boundary);
    if (std::none_of(bonds.begin(), bonds.end(),
                     [&](const ContactBond<dim> &bond) { return bond.key.pair == k; }))
      section.report(pair.bond.is_tie() ? tied_entry : strength_entry,
                     "no point begins closed, so that nothing is bonded; Begin closed up to makes "
                     "matching faces with gaps closed");
  }
}

std::string bond_in_words(const BondLaw &bond) {
  if (bond.is_tie())
    return format("points that begin closed are tied until t = %g", bond.tied_until);
  std::string text =
      format("bonds of strength %g and fracture energy %g, stiffness %g (damage from %.3g, broken "
             "at %.3g)",
             bond.strength, bond.fracture_energy, bond.stiffness, bond.strength / bond.stiffness,
             final_opening(bond));
  if (bond.shear_strength > 0.)
    text += format("; in shear %g and %g", bond.shear_strength, bond.shear_fracture_energy);
  return text;
}

PERCUSSION_INSTANTIATE(read_bond);
PERCUSSION_INSTANTIATE(check_bonds);

} // namespace percussion
