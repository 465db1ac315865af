#include <percussion/base/format.h>
#include <percussion/contact/find.h>
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
                  stiffness_entry = "Bond stiffness", cohesion_entry = "Cohesion",
                  shear_strength_entry = "Shear bond strength",
                  shear_energy_entry = "Shear fracture energy",
                  ratio_entry = "Shear bond stiffness", exponent_entry = "Mixed-mode exponent",
                  mixed_mode_entry = "Mixed-mode law", adhesion_entry = "Adhesion energy",
                  viscosity_entry = "Adhesion viscosity", tied_entry = "Tied until";

/// Default of the final opening over the opening at which damage begins: process zones then hardly
/// depend on the stiffness.
constexpr double default_brittleness = 60.;

SectionTable<BondLaw> bond_table() {
  SectionTable<BondLaw> table;
  table.add(strength_entry, "0", Double(0),
            "Normal strength of bonds [M L^-1 T^-2]: the points of a Region that begin closed are "
            "glued to the opposite side by a cohesive law with damage, beside contact, and "
            "friction in proportion to the damage. 0: no bonds.",
            &BondLaw::strength);
  table.add(energy_entry, "0", Double(0),
            "Energy that breaks a bond by tension, per area [M T^-2].", &BondLaw::fracture_energy);
  table.add(stiffness_entry, "0", Double(0),
            "Normal stiffness of bonds without damage [M L^-2 T^-2]. 0: damage begins at 1/60 of "
            "the opening at which a bond with a Bond strength is broken.",
            &BondLaw::stiffness);
  table.add_choice(cohesion_entry,
                   std::vector<Choice<bool>>{{"intrinsic", false}, {"extrinsic", true}},
                   "intrinsic: bonds are elastic until their damage begins, and soften from there. "
                   "extrinsic: bonds are rigid until their traction reaches the Bond strength, "
                   "and soften from there (Camacho and Ortiz 1996); tangential tractions count "
                   "divided by Shear bond strength over Bond strength, or else by the root of "
                   "Shear bond stiffness.",
                   &BondLaw::is_extrinsic);
  table.add(ratio_entry, "1", Double(0),
            "Tangential stiffness of bonds over their normal stiffness [1].",
            &BondLaw::shear_ratio);
  table.add(shear_strength_entry, "0", Double(0),
            "Tangential strength of bonds [M L^-1 T^-2]. 0: the energy is the Fracture energy for "
            "all directions.",
            &BondLaw::shear_strength);
  table.add(shear_energy_entry, "0", Double(0),
            "Energy that breaks a bond by shear, per area [M T^-2].",
            &BondLaw::shear_fracture_energy);
  table.add_choice(mixed_mode_entry,
                   std::vector<Choice<MixedMode>>{{"benzeggagh-kenane", MixedMode::interpolation},
                                                  {"power law", MixedMode::power_law}},
                   "Law for the energy that breaks a bond between tension and shear. "
                   "benzeggagh-kenane: the energy of tension plus a power of the fraction of shear "
                   "times the difference of the energies. power law: powers of the energies of "
                   "tension and shear, each over its own fracture energy, add up to one.",
                   &BondLaw::mixed_mode);
  table.add(exponent_entry, "2", NumberBetween({0, false}, {100, true}),
            "Exponent of the Mixed-mode law [1]; at least 1 in the power law.",
            &BondLaw::mode_exponent);
  table.add(adhesion_entry, "0", Double(0),
            "Energy of decohesion per area, in place of a Bond strength [M T^-2]: the points of a "
            "Region that begin closed adhere to the opposite side (Raous, Cangemi and Cocou 1999). "
            "0: no adhesion.",
            &BondLaw::adhesion_energy);
  table.add(viscosity_entry, "0", Double(0), "Viscosity of the loss of adhesion [M T^-1].",
            &BondLaw::adhesion_viscosity);
  table.add(tied_entry, "0", Double(0),
            "Time until which the points of a Region that begin closed neither open nor slide [T]. "
            "0: not tied.",
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

/// Returns the entry that gives a pair its bonds.
const std::string &kind_of(const BondLaw &bond) {
  return bond.is_tie() ? tied_entry : bond.is_adhesive() ? adhesion_entry : strength_entry;
}

/// Reports entries without effect, and laws that exclude each other.
void check_kinds(const CaseInput &section, const BondLaw &bond) {
  const bool is_cohesive = bond.strength > 0.;
  for (const std::string &entry : {energy_entry, shear_strength_entry, cohesion_entry})
    section.refuse_unused(entry, is_cohesive, "without a Bond strength");
  section.refuse_unused(stiffness_entry, !bond.is_extrinsic, "with Cohesion = extrinsic");
  section.refuse_unused(ratio_entry, !bond.is_extrinsic || bond.shear_strength == 0.,
                        "with Cohesion = extrinsic and a Shear bond strength");
  for (const std::string &entry : {stiffness_entry, ratio_entry})
    section.refuse_unused(entry, is_cohesive || bond.is_adhesive(),
                          "without a Bond strength or an Adhesion energy");
  for (const std::string &entry : {shear_energy_entry, mixed_mode_entry, exponent_entry})
    section.refuse_unused(entry, bond.shear_strength > 0., "without a Shear bond strength");
  section.refuse_unused(viscosity_entry, bond.is_adhesive(), "without an Adhesion energy");
  if (bond.is_tie() && (is_cohesive || bond.is_adhesive()))
    section.report(tied_entry, "tied points do not break: give a " + kind_of({bond.strength}) +
                                   " or a time of ties");
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

/// Sets the ratio by which tangential tractions of rigid bonds count from their strengths.
void set_extrinsic_modes(const CaseInput &section, BondLaw &bond) {
  if (bond.shear_strength == 0.)
    return;
  if (!(bond.shear_fracture_energy > 0.))
    section.report(shear_energy_entry, "a Shear bond strength requires an energy > 0");
  bond.shear_ratio = std::pow(bond.shear_strength / bond.strength, 2);
}

/// Reports adhesion without stiffness, and with the law of cohesion, too.
void check_adhesion(const CaseInput &section, const BondLaw &bond) {
  if (bond.strength > 0.)
    section.report(adhesion_entry, "bonds adhere or have a Bond strength, not both");
  if (!(bond.stiffness > 0.))
    section.report(stiffness_entry, "an Adhesion energy requires a stiffness > 0");
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
  check_kinds(section, bond);
  if (!bond.exists())
    return;
  const std::string &kind = kind_of(bond);
  refuse_unsuited_scheme(section, c, kind);
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
  if (!(bond.shear_ratio > 0.))
    section.report(ratio_entry, "the ratio must be > 0");
  if (bond.is_adhesive())
    return check_adhesion(section, bond);
  if (!(bond.fracture_energy > 0.))
    return section.report(energy_entry, "a Bond strength requires an energy > 0");
  if (bond.mixed_mode == MixedMode::power_law && bond.mode_exponent < 1.)
    section.report(exponent_entry, "allowed in the power law are numbers >= 1");
  if (bond.is_extrinsic)
    return set_extrinsic_modes(section, bond);
  if (bond.stiffness == 0.)
    bond.stiffness =
        default_brittleness * bond.strength * bond.strength / (2. * bond.fracture_energy);
  if (section.is_understood())
    check_brittleness(section, bond);
}

namespace {

/// Returns the largest Young's modulus of elastic bodies.
template <int dim>
double largest_modulus(const Case<dim> &c) {
  double modulus = 0;
  for (const auto &body : c.bodies->elastic)
    for (const auto &material : body->materials.list) {
      const auto &law = material.elastic;
      modulus = std::max(modulus, law.mu * (3. * law.lambda + 2. * law.mu) / (law.lambda + law.mu));
    }
  return modulus;
}

/// Reports bonds that open farther than contacts on faces are found, and warns of process zones of
/// cohesion that elements do not resolve.
template <int dim>
void check_opening(const CaseInput &section, unsigned int k, Case<dim> &c) {
  constexpr double cells = 3.; // of a process zone
  const ContactPair<dim> &pair = c.boundary->pairs[k];
  double size = 0, shortest = std::numeric_limits<double>::infinity();
  for (unsigned int i = c.boundary->first_point[k]; i < c.boundary->first_point[k + 1]; ++i) {
    size = std::max(size, c.boundary->points[i].size);
    shortest = std::min(shortest, c.boundary->points[i].size);
  }
  const BondLaw &bond = pair.bond;
  const double zone = largest_modulus(c) * bond.fracture_energy / (bond.strength * bond.strength);
  if (!bond.is_adhesive() && zone < cells * size)
    c.warnings.push_back(section.remark(
        strength_entry,
        format("the process zone of a crack, E G/sigma^2 = %.3g, is shorter than three elements of "
               "%.3g: bonds ahead of the crack break too late; a smaller strength with the same "
               "Fracture energy, or finer elements, resolve it",
               zone, size)));
  if (pair.is_on_faces() && final_opening(bond) > shortest)
    section.report(bond.is_adhesive() ? stiffness_entry : energy_entry,
                   format("bonds %s at an opening of %g, farther than contacts on faces are "
                          "found (the shortest edge, %g)",
                          bond.is_adhesive() ? "have a hundredth of their adhesion" : "break",
                          final_opening(bond), shortest));
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
        section.report(kind_of(pair.bond), "a case with rolling friction (contact '" + second.name +
                                               "') has no bonds and ties");
    const auto found = ContactFinder<dim>(*c.boundary)
                           .find(c.boundary->trace.gather(c.bodies->zero_field()), c.span.start);
    const auto bonds = make_bonds(found, *c.boundary);
    if (std::none_of(bonds.begin(), bonds.end(),
                     [&](const ContactBond<dim> &bond) { return bond.key.pair == k; }))
      section.report(kind_of(pair.bond),
                     "no point begins closed, so that nothing is bonded; Begin closed up to makes "
                     "matching faces with gaps closed");
  }
}

std::string bond_in_words(const BondLaw &bond) {
  if (bond.is_tie())
    return format("points that begin closed are tied until t = %g", bond.tied_until);
  if (bond.is_adhesive())
    return format(
        "adhesion of energy %g, viscosity %g and stiffness %g, which falls from an opening "
        "of %.3g",
        bond.adhesion_energy, bond.adhesion_viscosity, bond.stiffness,
        std::sqrt(bond.adhesion_energy / bond.stiffness));
  std::string text =
      bond.is_extrinsic
          ? format("rigid bonds of strength %g and fracture energy %g (broken at %.3g)",
                   bond.strength, bond.fracture_energy, final_opening(bond))
          : format("bonds of strength %g and fracture energy %g, stiffness %g (damage from %.3g, "
                   "broken at %.3g)",
                   bond.strength, bond.fracture_energy, bond.stiffness,
                   bond.strength / bond.stiffness, final_opening(bond));
  if (bond.shear_strength > 0.)
    text += format("; in shear %g and %g", bond.shear_strength, bond.shear_fracture_energy);
  return text;
}

PERCUSSION_INSTANTIATE(read_bond);
PERCUSSION_INSTANTIATE(check_bonds);

} // namespace percussion
