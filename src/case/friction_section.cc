#include <percussion/base/format.h>
#include <percussion/base/text_search.h>
#include <percussion/contact/friction_formula.h>
#include <percussion/input/section_table.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Returns the pattern of a number >= 0, or of a formula that contains a variable. A formula of
/// constants is evaluated to a number like the value of any other entry.
Described coefficient_pattern(const Dimensions &dimensions, const ParameterFile *file) {
  const dealii::Patterns::Double number(0);
  std::vector<std::string> names = FrictionFormula::variables(dimensions.space ? 3 : 2);
  for (const std::string &signal : entries_of_section("Signals", file))
    names.push_back(signal);
  const auto has_variable = [names](const std::string &text) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string &name) { return !find_word(text, name).empty(); });
  };
  return Described(plain_words(number) + ", or a formula of " + dimensions.position() +
                       ", t, slip_speed, pressure, slip, signals",
                   [=](const std::string &text) {
                     return to_number<double>(text) ? number.match(text) : has_variable(text);
                   });
}

/// Reads a formula of the coefficient.
template <int dim>
void read_formula(const CaseInput &section, const std::string &text, ContactPair<dim> &pair) {
  try {
    pair.friction_formula = std::make_shared<const FrictionFormula>(text, *section.words, dim);
  } catch (const InputError &error) {
    section.report("Friction coefficient", error.what());
  }
}

/// Table of the entries on friction that depends on the slip speed of the step.
SectionTable<RateStateLaw> rate_table() {
  using dealii::Patterns::Double;
  SectionTable<RateStateLaw> table;
  table.add(
      "Rate effect", "0", Double(0),
      "Coefficient a of friction that depends on rate and state [1], a asinh(V/(2 V0) "
      "exp((mu + b ln(V0 theta/D))/a)) with the slip speed V of the step, the state theta and "
      "the Friction coefficient mu. 0: no such friction.",
      &RateStateLaw::direct);
  table.add("State effect", "0", Double(0), "Coefficient b of rate-and-state friction [1].",
            &RateStateLaw::evolution);
  table.add("State length", "0", Double(0), "Slip D over which the state evolves [L].",
            &RateStateLaw::length);
  table.add("Reference speed", "0", Double(0),
            "Slip speed V0 at which steady friction is the Friction coefficient [L/T].",
            &RateStateLaw::speed);
  table.add_choice<RateStateLaw::Evolution>(
      "State law",
      {{"ageing", RateStateLaw::Evolution::ageing}, {"slip", RateStateLaw::Evolution::slip}},
      "Evolution of the state theta: ageing: 1 - V theta/D. slip: -(V theta/D) ln(V theta/D). It "
      "is exact for the slip speed of each substep.",
      &RateStateLaw::kind);
  table.add("Initial state", "0", Double(0),
            "State theta of a new contact [T]. 0: State length over Reference speed.",
            &RateStateLaw::initial_state);
  return table;
}

/// Reads friction that depends on rate and state; reports entries that are missing or idle.
template <int dim>
void read_rate_law(const CaseInput &section, ContactPair<dim> &pair) {
  RateStateLaw &law = pair.rate_law;
  rate_table().read(section.parameters, section.path, law);
  for (const char *const entry :
       {"State effect", "State length", "Reference speed", "State law", "Initial state"})
    section.refuse_unused(entry, law.exists(), "without a Rate effect");
  if (!law.exists())
    return;
  law.base = pair.friction;
  if (pair.friction_formula != nullptr || !(pair.friction > 0.))
    section.report("Rate effect", "the Friction coefficient must be a number > 0");
  for (const auto &[entry, value] :
       {std::pair{"State length", law.length}, std::pair{"Reference speed", law.speed}})
    if (!(value > 0.))
      section.report(entry, "rate-and-state friction requires a value > 0");
  if (law.initial_state == 0. && law.speed > 0.)
    law.initial_state = law.length / law.speed;
}

/// Reports schemes and laws with which friction cannot depend on the slip speed of the step.
template <int dim>
void check_rate_law(const CaseInput &section, const Case<dim> &c, const ContactPair<dim> &pair) {
  const std::string entry = "Rate effect";
  const Scheme &case_scheme = scheme(c.scheme_name);
  if (c.choices.integrator != Integrator::theta || c.choices.penalty != Penalty::none ||
      case_scheme.formulation != Formulation::collocated || case_scheme.forecast == Forecast::trial)
    section.report(entry, "Scheme = " + c.scheme_name +
                              " has no such friction; allowed are moreau-jean-fremond, "
                              "pdas-leapfrog and other schemes of the theta-method with contacts "
                              "at nodes and without springs");
  if (pair.has_elliptic_cone() || pair.has_unequal_friction())
    section.report(entry, "rate-and-state friction is the same in all directions: Friction ratio "
                          "and Backward friction ratio must be 1");
  for (const ContactPair<dim> &second : c.boundary->pairs)
    if (second.bond.exists() || second.has_moments())
      section.report(entry, "a case with bonds, ties or rolling friction (contact '" + second.name +
                                "') has no friction that depends on the rate");
}

/// Declares the moments of round rigid bodies.
void declare_moments(ParameterDeclarations &declarations, const Dimensions &dimensions) {
  declarations.declare("Rolling friction", "0", dealii::Patterns::Double(0),
                       "Coefficient of rolling friction mu_r [L] of rigid discs, spheres, capsules "
                       "and cylinders: the largest moment against rolling over the normal force. "
                       "For schemes without springs and with contacts at nodes.");
  if (dimensions.space)
    declarations.declare("Spinning friction", "0", dealii::Patterns::Double(0),
                         "Coefficient of spinning friction mu_s [L], as Rolling friction, about "
                         "the normal of the contact. In 3D.");
}

} // namespace

void declare_friction(ParameterDeclarations &declarations, const ParameterFile *file,
                      Dimensions dimensions) {
  declarations.declare(
      "Friction coefficient", "0", coefficient_pattern(dimensions, file),
      "Coulomb's coefficient of friction mu [1]. A formula, evaluated for each contact at the "
      "beginning of each substep, may contain the time t, the position of the contact [L], "
      "slip_speed, the tangential speed relative to the opposite side [L/T], pressure, the normal "
      "pressure in the last substep [M L^-1 T^-2], 0 before the contact presses, which points of "
      "rigid bodies do not have, and slip, the distance slipped while it pressed [L], from 0 on "
      "for each pair of points or bodies. A run ends if a value is negative or not finite. "
      "Example: 0.2 + 0.1*exp(-slip_speed/0.01) for speeds in m/s.");
  rate_table().declare_entries(declarations);
  if (dimensions.plane)
    declarations.declare(
        "Backward friction ratio", "1", NumberBetween({0, true}, {1e3, true}),
        "Coefficient of friction against slip backward over the Friction coefficient, which then "
        "holds against slip forward [1]. Forward is the direction of the normal turned clockwise: "
        "to the right on a ground with an upward normal; between bodies it does not depend on the "
        "order of names. In 2D, for schemes without springs and with contacts at nodes.");
  declare_moments(declarations, dimensions);
  if (!dimensions.space)
    return;
  declarations.declare(
      "Friction ratio", "1", NumberBetween({1e-3, true}, {1e3, true}),
      "Coefficient of friction across the Friction direction over the Friction coefficient, which "
      "then holds along it [1]. The cone is elliptic, and friction the force in it with the "
      "largest dissipation. In 3D, for contacts with rigid surfaces.");
  declarations.declare("Friction direction", "1, 0, 0", Dimensions{false, true}.vector(),
                       "Direction in which the Friction coefficient holds, fixed to the rigid "
                       "surface: x, y, z, of any length. Its tangential component counts.");
}

template <int dim>
void read_friction(const CaseInput &section, ContactPair<dim> &pair) {
  const std::string entry = "Friction coefficient", text = section.get(entry);
  pair.rolling_friction = section.number("Rolling friction");
  if constexpr (dim == 3) {
    pair.spinning_friction = section.number("Spinning friction");
    pair.friction_ratio = section.number("Friction ratio");
    pair.friction_direction = section.vector<dim>("Friction direction");
  } else
    pair.backward_friction_ratio = section.number("Backward friction ratio");
  const auto number = to_number<double>(text);
  if (number)
    pair.friction = *number;
  else
    read_formula(section, text, pair);
  read_rate_law(section, pair);
}

namespace {

/// Reports a ratio of coefficients without friction, or with a scheme that has the same coefficient
/// in these directions.
template <int dim>
void check_ratio(const CaseInput &section, const std::string &entry, const Case<dim> &c,
                 const ContactPair<dim> &pair, const std::string &directions) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  section.refuse_unused(entry, pair.has_friction(), "with Friction coefficient = 0");
  if (case_scheme.penalty != Penalty::none || case_scheme.formulation != Formulation::collocated)
    section.report(entry, "Scheme = " + c.scheme_name + " has the same friction in " + directions +
                              " directions only; allowed are schemes without springs and with "
                              "contacts at nodes");
}

/// Reports entries on elliptic cones that have no effect or no meaning.
void refuse_idle_ratio(const CaseInput &section, const Case<3> &c, const ContactPair<3> &pair) {
  const std::string entry = "Friction ratio", direction = "Friction direction";
  section.refuse_unused(
      direction, pair.has_elliptic_cone(),
      "with Friction ratio = 1, with which friction is the same in all directions");
  if (!pair.has_elliptic_cone())
    return;
  check_ratio(section, entry, c, pair, "all");
  if (pair.is_between_bodies())
    section.report(entry, "the direction of friction is fixed to a rigid surface; contacts between "
                          "bodies have none");
  if (pair.surface() && pair.surface()->turn)
    section.report(entry, "the direction of friction does not turn with a surface: it has no "
                          "meaning with Motion angle");
  if (!(pair.friction_direction.norm() > 0.))
    section.report(direction, "the direction must not be zero");
  const auto *const plane =
      pair.surface() ? std::get_if<HalfPlane<3>>(&pair.surface()->shape) : nullptr;
  if (plane != nullptr && cross_product_3d(plane->normal, pair.friction_direction).norm() <=
                              1e-6 * pair.friction_direction.norm())
    section.report(direction,
                   "the direction is normal to the surface; it must have a tangential component");
}

/// Reports a ratio of friction backward to friction forward that has no effect or no meaning.
void refuse_idle_ratio(const CaseInput &section, const Case<2> &c, const ContactPair<2> &pair) {
  if (pair.has_unequal_friction())
    check_ratio(section, "Backward friction ratio", c, pair, "both");
}

/// Reports moments of friction of bodies that are not round, and with schemes that have none.
template <int dim>
void refuse_idle_moments(const CaseInput &section, const Case<dim> &c,
                         const ContactPair<dim> &pair) {
  if (!pair.has_moments())
    return;
  const std::string entry = pair.rolling_friction > 0. ? "Rolling friction" : "Spinning friction";
  const auto is_round = [&](unsigned int b) { return c.bodies->rigid[b].largest_radius() > 0.; };
  const auto has_round = [&](const std::vector<unsigned int> &bodies) {
    return std::any_of(bodies.begin(), bodies.end(), is_round);
  };
  if (!has_round(pair.bodies()) && !has_round(pair.opposite_bodies()))
    section.report(entry, std::string("this has no effect: neither side has a rigid ") +
                              (dim == 2 ? "disc" : "sphere, capsule or cylinder"));
  const Scheme &case_scheme = scheme(c.scheme_name);
  if (case_scheme.penalty != Penalty::none || case_scheme.formulation != Formulation::collocated)
    section.report(entry, "Scheme = " + c.scheme_name +
                              " has no moments of friction; allowed are schemes without springs "
                              "and with contacts at nodes");
}

/// Reports a formula whose value for a contact at its first moment is negative or not finite. The
/// positions and speeds of contacts are not known before the run.
void check_first_value(const CaseInput &section, const std::string &entry, double t,
                       const FrictionFormula &formula) {
  for (const char *const unknown : {"x", "y", "z", "slip_speed"})
    if (formula.depends_on(unknown))
      return;
  FrictionVariables values;
  values.t = t;
  try {
    const double mu = formula(values);
    if (!(mu >= 0. && std::isfinite(mu)))
      section.report(entry, format("the coefficient is %g at t = %g for a contact without pressure "
                                   "and slip; it must be a number >= 0",
                                   mu, t));
  } catch (const RunError &error) { // thrown by tables
    section.report(entry, error.what());
  }
}

} // namespace

template <int dim>
void check_friction(const CaseInput &input, const Case<dim> &c) {
  for (unsigned int i = 0; i < c.boundary->pairs.size(); ++i) {
    const ContactPair<dim> &pair = c.boundary->pairs[i];
    const CaseInput section = input.in(contact_section + "/" + pair.name);
    refuse_idle_ratio(section, c, pair);
    if (pair.rate_law.exists())
      check_rate_law(section, c, pair);
    refuse_idle_moments(section, c, pair);
    if (pair.friction_formula == nullptr)
      continue;
    const std::string entry = "Friction coefficient";
    const auto has_rigid_point = [&] {
      for (unsigned int k = c.boundary->first_point[i]; k < c.boundary->first_point[i + 1]; ++k)
        if (c.boundary->points[k].rigid_point())
          return true;
      return false;
    };
    if (pair.friction_formula->depends_on("pressure") && has_rigid_point())
      section.report(entry, "the formula depends on the pressure, and points of rigid bodies have "
                            "no area and hence no pressure");
    if (pair.friction_formula->depends_on("slip") && pair.formulation == Formulation::nitsche)
      section.report(entry, "Scheme = " + c.scheme_name +
                                " presses by tractions, whose changes would count as slip; allowed "
                                "are schemes without Nitsche's method");
    check_first_value(section, entry, c.span.start, *pair.friction_formula);
  }
}

template <int dim>
std::string friction_in_words(const ContactPair<dim> &pair) {
  return (pair.friction_formula != nullptr ? pair.friction_formula->text()
                                           : format("%g", pair.friction)) +
         (pair.has_elliptic_cone() ? format(" (times %g across its direction)", pair.friction_ratio)
                                   : "") +
         (pair.has_unequal_friction() ? format(" (times %g backward)", pair.backward_friction_ratio)
                                      : "") +
         (pair.rolling_friction > 0. ? format(", rolling friction %g", pair.rolling_friction)
                                     : "") +
         (pair.spinning_friction > 0. ? format(", spinning friction %g", pair.spinning_friction)
                                      : "");
}

PERCUSSION_INSTANTIATE(read_friction);
PERCUSSION_INSTANTIATE(check_friction);
PERCUSSION_INSTANTIATE(friction_in_words);

} // namespace percussion
