#include "parameter_sections.h"
#include <algorithm>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Selection;

namespace {

const std::string linear_elastic = "linear elastic";
const std::string linear_viscosity = "linear";

/// Which entries linear elasticity takes; the others are those of the rows of hyperelastic_laws().
const std::vector<std::string> linear_constants = {"Young modulus", "Poisson ratio"};

template <typename Table>
std::string names_and(const Table &table, std::string names) {
  for (const auto &row : table)
    names += std::string("|") + row.name;
  return names;
}

template <typename Table>
std::string descriptions_of(const Table &table) {
  std::string text;
  for (const auto &row : table)
    text += std::string(" ") + row.name + ": " + row.description + ".";
  return text;
}

void declare_constants(ParameterDeclarations &declarations) {
  declarations.declare("Young modulus", "1", PositiveDouble(),
                       "Young's modulus E at small strains [M/(L T^2)].");
  declarations.declare("Poisson ratio", "0", NumberBetween({-1, false}, {0.5, true}),
                       "Poisson's ratio nu at small strains [1]. 0.5 is possible in linear plane "
                       "stress only.");
  std::vector<std::string> declared = linear_constants;
  for (const auto &law : hyperelastic_laws())
    for (const MaterialConstant &constant : law.constants)
      if (std::find(declared.begin(), declared.end(), constant.name) == declared.end()) {
        declared.emplace_back(constant.name);
        declarations.declare(constant.name, constant.default_value,
                             NumberBetween(constant.lower, constant.upper), constant.documentation);
      }
}

void declare_viscosity(ParameterDeclarations &declarations) {
  declarations.declare("Viscosity law", linear_viscosity,
                       Selection(names_and(viscosity_laws(), linear_viscosity)),
                       "Kelvin-Voigt viscosity. linear: the stress eta times strain rate, for "
                       "linear elasticity; the others for the other laws." +
                           descriptions_of(viscosity_laws()));
  declarations.declare("Viscosity", "0", Double(0), "Viscosity eta [M/(L T)].");
  declarations.declare("Rayleigh alpha", "0", Double(0),
                       "Damping proportional to the mass matrix M: alpha M is a part of the "
                       "damping matrix C, for linear elasticity [1/T].");
  declarations.declare("Rayleigh beta", "0", Double(0),
                       "Damping proportional to the stiffness matrix K: beta K is a part of the "
                       "damping matrix C, for linear elasticity [T].");
}

} // namespace

void declare_material(ParameterDeclarations &declarations) {
  const Subsection subsection(declarations, "Material");
  declarations.declare("Density", "1", PositiveDouble(), "Mass per undeformed volume [M/L^3].");
  declarations.declare("Law", linear_elastic,
                       Selection(names_and(hyperelastic_laws(), linear_elastic)),
                       "The elastic law. linear elastic: small strains and rotations. The others "
                       "are hyperelastic and allow of large deformations." +
                           descriptions_of(hyperelastic_laws()));
  declare_constants(declarations);
  declarations.declare("Plane", "strain", Selection("strain|stress"),
                       "What a two-dimensional body does out of its plane: plane strain or plane "
                       "stress.");
  declarations.declare("Thickness", "1", PositiveDouble(),
                       "Size out of the plane of a two-dimensional body [L].");
  declare_viscosity(declarations);
}

namespace {

const HyperelasticLawEntry *hyperelastic_entry(const std::string &name) {
  for (const auto &row : hyperelastic_laws())
    if (row.name == name)
      return &row;
  return nullptr;
}

/// Report constants that the law does not take.
void refuse_unused_constants(const CaseInput &input, const std::string &law_name) {
  const HyperelasticLawEntry *const of_law = hyperelastic_entry(law_name);
  std::map<std::string, bool> is_used;
  for (const auto &name : linear_constants)
    is_used[name] = of_law == nullptr;
  for (const auto &law : hyperelastic_laws())
    for (const MaterialConstant &constant : law.constants)
      is_used[constant.name] = is_used[constant.name] || &law == of_law;
  for (const auto &[name, used] : is_used)
    input.refuse_unused("Material/" + name, used, "with Law = " + law_name);
}

Plane read_plane(const CaseInput &input, const HyperelasticLawEntry *law) {
  if (input.parameters.get("Material/Plane") == "strain")
    return Plane::strain;
  if (law == nullptr || law->plane_stress)
    return Plane::stress;
  input.parameters.report(
      "Material/Plane", std::string("the law ") + law->name + " is available in plane strain only",
      input.problems);
  return Plane::strain;
}

/// Poisson's ratio; where displacements alone cannot compute the body it is reported.
double read_poisson_ratio(const CaseInput &input, bool linear_plane_stress) {
  const double poisson = input.parameters.get_double("Material/Poisson ratio");
  if (poisson < 0.5 || linear_plane_stress)
    return poisson;
  input.parameters.report("Material/Poisson ratio",
                          "in plane strain allowed is a number > -1 and < 0.5; an incompressible "
                          "body cannot be computed by its displacement alone",
                          input.problems);
  return 0; // to go on to the next mistake
}

/// A constant that the law allows; another is reported. (Laws share names, and the pattern of an
/// entry is that of the first.)
double read_constant(const CaseInput &input, const MaterialConstant &constant) {
  const std::string entry = std::string("Material/") + constant.name;
  const double value = input.parameters.get_double(entry);
  const NumberBetween allowed(constant.lower, constant.upper);
  if (allowed.match(input.parameters.get(entry)))
    return value;
  input.parameters.report(entry,
                          "with Law = " + input.parameters.get("Material/Law") + " allowed is " +
                              plain_words(allowed),
                          input.problems);
  return 0.5 * (constant.lower.value + constant.upper.value); // to go on to the next mistake
}

HyperelasticLaw read_hyperelastic_law(const CaseInput &input, const HyperelasticLawEntry &law,
                                      Plane plane) {
  std::vector<double> constants;
  for (const MaterialConstant &constant : law.constants)
    constants.push_back(read_constant(input, constant));
  return law.make(constants, plane);
}

FiniteViscosity read_finite_viscosity(const CaseInput &input) {
  FiniteViscosity viscosity;
  viscosity.eta = input.parameters.get_double("Material/Viscosity");
  bool found = false;
  for (const auto &row : viscosity_laws())
    if (input.parameters.get("Material/Viscosity law") == row.name) {
      viscosity.kind = row.kind;
      found = true;
    }
  if (!found && viscosity.present())
    input.parameters.report("Material/Viscosity law",
                            "a viscosity of large deformations is needed: allowed is " +
                                plain_words(Selection(names_and(viscosity_laws(), "").substr(1))),
                            input.problems);
  input.refuse_unused("Material/Viscosity law", viscosity.present(), "with Viscosity = 0");
  for (const std::string entry : {"Rayleigh alpha", "Rayleigh beta"})
    input.refuse_unused("Material/" + entry, false,
                        "with Law = " + input.parameters.get("Material/Law"));
  return viscosity;
}

LinearViscosity read_linear_viscosity(const CaseInput &input) {
  const Parameters &parameters = input.parameters;
  input.refuse_unused("Material/Viscosity law",
                      parameters.get("Material/Viscosity law") == linear_viscosity,
                      "with Law = " + linear_elastic);
  return {parameters.get_double("Material/Viscosity"),
          parameters.get_double("Material/Rayleigh alpha"),
          parameters.get_double("Material/Rayleigh beta")};
}

} // namespace

template <int dim>
Material<dim> read_material(const CaseInput &input) {
  const Parameters &parameters = input.parameters;
  const std::string name = parameters.get("Material/Law");
  const HyperelasticLawEntry *const law = hyperelastic_entry(name);
  const Plane plane = read_plane(input, law);
  refuse_unused_constants(input, name);
  Material<dim> material{};
  material.density = parameters.get_double("Material/Density");
  material.thickness = parameters.get_double("Material/Thickness");
  if (law != nullptr) {
    material.finite_strain = {read_hyperelastic_law(input, *law, plane),
                              read_finite_viscosity(input)};
    material.elastic = small_strain_limit(material.finite_strain->law);
  } else {
    material.elastic =
        LinearElastic<dim>::from_young(parameters.get_double("Material/Young modulus"),
                                       read_poisson_ratio(input, plane == Plane::stress), plane);
    material.viscosity = read_linear_viscosity(input);
  }
  return material;
}

template Material<2> read_material<2>(const CaseInput &);

} // namespace percussion
