#include <percussion/contact/friction_formula.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

namespace percussion {
namespace {

/// Pattern of a number >= 0, or of a formula that contains a variable. A formula of constants is
/// evaluated to a number like the value of any other entry.
class FrictionPattern : public dealii::Patterns::PatternBase {
public:
  explicit FrictionPattern(Dimensions d) : dimensions(d) {}

  bool match(const std::string &text) const override {
    return to_number<double>(text)
               ? number.match(text)
               : std::regex_search(text, std::regex(R"(\b()" +
                                                    joined(names(dimensions.space ? 3 : 2), "|") +
                                                    R"()\b)"));
  }
  std::string description(OutputStyle = Machine) const override {
    return plain_words(number) + ", or a formula of " + dimensions.position() +
           ", t, slip_speed, pressure, slip";
  }
  std::unique_ptr<PatternBase> clone() const override {
    return std::make_unique<FrictionPattern>(dimensions);
  }

private:
  static std::vector<std::string> names(unsigned int dimension) {
    return FrictionFormula::variables(dimension);
  }

  Dimensions dimensions;
  dealii::Patterns::Double number{0};
};

} // namespace

void declare_friction(ParameterDeclarations &declarations, Dimensions dimensions) {
  declarations.declare(
      "Friction coefficient", "0", FrictionPattern(dimensions),
      "Coulomb's coefficient of friction mu [1]. A formula is evaluated for each contact at the "
      "beginning of each substep. Its variables are the time t, the position of the contact in "
      "space [L], slip_speed, the tangential speed relative to the opposite side [L/T], pressure, "
      "the normal pressure in the last substep [M L^-1 T^-2], which is 0 before the contact "
      "presses "
      "and which points of rigid bodies do not have, and slip, the distance that the contact has "
      "slipped while it pressed [L]: the sum of its mean tangential speeds times the length of "
      "each "
      "substep, which begins at 0 for another pair of points or bodies. A run ends if a value is "
      "negative or not finite. Example: "
      "0.2 + 0.1*exp(-slip_speed/0.01) for speeds in m/s.");
  if (dimensions.plane)
    declarations.declare(
        "Backward friction ratio", "1", NumberBetween({0, true}, {1e3, true}),
        "Coefficient of friction against slip backward over the Friction coefficient, which then "
        "holds against slip forward [1]. Forward is the direction of the normal turned clockwise: "
        "to the right on a ground with an upward normal, for the body on it; between bodies it "
        "does not depend on which body is named first. In 2D, for schemes without springs and with "
        "contacts at nodes.");
  if (!dimensions.space)
    return;
  declarations.declare(
      "Friction ratio", "1", NumberBetween({1e-3, true}, {1e3, true}),
      "Coefficient of friction across the Friction direction over the Friction coefficient, which "
      "then holds along it [1]. With another ratio than 1 the friction cone is elliptic, and "
      "friction is the force in it with the largest dissipation. In 3D, for contacts with rigid "
      "surfaces.");
  declarations.declare("Friction direction", "1, 0, 0", Dimensions{false, true}.vector(),
                       "Direction in which the Friction coefficient holds, fixed to the rigid "
                       "surface: x, y, z, of any length. Its tangential component counts.");
}

template <int dim>
void read_friction(const CaseInput &input, const std::string &path, ContactPair<dim> &pair) {
  const std::string entry = path + "Friction coefficient", text = input.parameters.get(entry);
  if constexpr (dim == 3) {
    pair.friction_ratio = input.parameters.get_double(path + "Friction ratio");
    pair.friction_direction = input.vector<dim>(path + "Friction direction");
  }
  if constexpr (dim == 2)
    pair.backward_friction_ratio = input.parameters.get_double(path + "Backward friction ratio");
  if (const auto number = to_number<double>(text)) {
    pair.friction = *number;
    return;
  }
  try {
    pair.friction_formula = std::make_shared<const FrictionFormula>(text, *input.words, dim);
  } catch (const InputError &error) {
    input.parameters.report(entry, error.what(), input.problems);
  }
}

namespace {

/// Reports entries on elliptic cones that have no effect or no meaning.
void refuse_idle_ratio(const CaseInput &input, const std::string &path, const Case<3> &c,
                       const ContactPair<3> &pair) {
  const std::string entry = path + "Friction ratio";
  const auto coefficient = to_number<double>(input.parameters.get(path + "Friction coefficient"));
  input.refuse_unused(path + "Friction direction", pair.has_elliptic_cone(),
                      "with Friction ratio = 1, with which friction is the same in all directions");
  if (!pair.has_elliptic_cone())
    return;
  const Scheme &of_case = scheme(c.scheme_name);
  if (coefficient && *coefficient == 0.)
    input.refuse_unused(entry, false, "with Friction coefficient = 0");
  if (pair.is_between_bodies())
    input.parameters.report(entry,
                            "the direction of friction is fixed to a rigid surface; contacts "
                            "between bodies have none",
                            input.problems);
  if (of_case.penalty != Penalty::none || of_case.formulation != Formulation::collocated)
    input.parameters.report(entry,
                            "Scheme = " + c.scheme_name +
                                " has the same friction in all directions only; allowed are "
                                "schemes without springs and with contacts at nodes",
                            input.problems);
  if (!(pair.friction_direction.norm() > 0.))
    input.parameters.report(path + "Friction direction", "the direction must not be zero",
                            input.problems);
  const auto *const plane =
      pair.surface() ? std::get_if<HalfPlane<3>>(&pair.surface()->shape) : nullptr;
  if (plane != nullptr && cross_product_3d(plane->normal, pair.friction_direction).norm() <=
                              1e-6 * pair.friction_direction.norm())
    input.parameters.report(path + "Friction direction",
                            "the direction is normal to the surface; it must have a tangential "
                            "component",
                            input.problems);
}

/// Reports a ratio of friction backward to friction forward that has no effect or no meaning.
void refuse_idle_ratio(const CaseInput &input, const std::string &path, const Case<2> &c,
                       const ContactPair<2> &pair) {
  const std::string entry = path + "Backward friction ratio";
  if (!pair.has_unequal_friction())
    return;
  input.refuse_unused(entry, pair.has_friction(), "with Friction coefficient = 0");
  const Scheme &of_case = scheme(c.scheme_name);
  if (of_case.penalty != Penalty::none || of_case.formulation != Formulation::collocated)
    input.report(entry, "Scheme = " + c.scheme_name +
                            " has the same friction in both directions only; allowed are schemes "
                            "without springs and with contacts at nodes");
}

/// Reports a formula whose value for a contact at its first moment is negative or not finite. The
/// positions and speeds of contacts are not known before the run.
template <int dim>
void check_first_value(const CaseInput &input, const std::string &entry, double t,
                       const FrictionFormula &formula) {
  for (const char *const unknown : {"x", "y", "z", "slip_speed"})
    if (formula.depends_on(unknown))
      return;
  FrictionVariables values;
  values.t = t;
  try {
    const double mu = formula(values);
    if (mu >= 0. && std::isfinite(mu))
      return;
    std::ostringstream reason;
    reason << "the coefficient is " << mu << " at t = " << t
           << " for a contact without pressure and slip; it must be a number >= 0";
    input.parameters.report(entry, reason.str(), input.problems);
  } catch (const RunError &error) { // thrown by tables
    input.parameters.report(entry, error.what(), input.problems);
  }
}

} // namespace

template <int dim>
void check_friction(const CaseInput &input, const Case<dim> &c) {
  for (unsigned int i = 0; i < c.boundary->pairs.size(); ++i) {
    const ContactPair<dim> &pair = c.boundary->pairs[i];
    refuse_idle_ratio(input, contact_section + "/" + pair.name + "/", c, pair);
    if (pair.friction_formula == nullptr)
      continue;
    const std::string entry = contact_section + "/" + pair.name + "/Friction coefficient";
    const auto has_rigid_point = [&] {
      for (unsigned int k = c.boundary->first_point[i]; k < c.boundary->first_point[i + 1]; ++k)
        if (c.boundary->points[k].rigid_point())
          return true;
      return false;
    };
    if (pair.friction_formula->depends_on("pressure") && has_rigid_point())
      input.parameters.report(entry,
                              "the formula depends on the pressure, and points of rigid bodies "
                              "have no area and hence no pressure",
                              input.problems);
    if (pair.friction_formula->depends_on("slip") && pair.formulation == Formulation::nitsche)
      input.report(entry, "Scheme = " + c.scheme_name +
                              " presses by tractions, whose changes would count as slip; allowed "
                              "are schemes without Nitsche's method");
    check_first_value<dim>(input, entry, c.span.start, *pair.friction_formula);
  }
}

template <int dim>
std::string friction_in_words(const ContactPair<dim> &pair) {
  std::ostringstream number, ratio_text;
  number << pair.friction; // six digits, as %g
  if (pair.has_elliptic_cone())
    ratio_text << " (times " << pair.friction_ratio << " across its direction)";
  if (pair.has_unequal_friction())
    ratio_text << " (times " << pair.backward_friction_ratio << " backward)";
  return (pair.friction_formula != nullptr ? pair.friction_formula->text() : number.str()) +
         ratio_text.str();
}

template void read_friction<2>(const CaseInput &, const std::string &, ContactPair<2> &);
template void check_friction<2>(const CaseInput &, const Case<2> &);
template std::string friction_in_words<2>(const ContactPair<2> &);
template void read_friction<3>(const CaseInput &, const std::string &, ContactPair<3> &);
template void check_friction<3>(const CaseInput &, const Case<3> &);
template std::string friction_in_words<3>(const ContactPair<3> &);

} // namespace percussion
