#include <percussion/base/text_search.h>
#include <percussion/body/region_faces.h>

#include "parameter_sections.h"
#include <utility>

namespace percussion {

void declare_components(ParameterDeclarations &declarations, Dimensions dimensions,
                        const std::string &quantity, const std::string &variables,
                        const std::string &documentation) {
  for (const auto &component : dimensions.components())
    declarations.declare(quantity + " " + component, "", formula_of(variables),
                         "Component " + component + " of the " + documentation +
                             (dimensions.plane && component == "z" ? " Only in 3D." : ""));
}

template <int dim>
std::optional<typename System<dim>::BodyRegion>
region_of(const CaseInput &input, const System<dim> &system, const std::string &section,
          const std::string &name) {
  try {
    return system.region(name);
  } catch (const InputError &error) {
    input.in(section + "/" + name).report_section(error.what());
    return {};
  }
}

namespace {

const std::string conditions = "Boundary conditions";

/// Returns the pattern of numbers, or of formulas of which at least one depends on t. Constant
/// formulas are evaluated like the items of any list.
Described gravity_pattern(const Dimensions &dimensions) {
  return Described(plain_words(dimensions.vector()) + " or a formula of t",
                   [=](const std::string &text) {
                     const std::size_t n = items_between_commas(text).size();
                     return dimensions.vector().match(text) ||
                            (!find_word(text, "t").empty() &&
                             ((dimensions.plane && n == 2) || (dimensions.space && n == 3)));
                   });
}

} // namespace

template <int dim>
GravityInput<dim> read_gravity(const CaseInput &input) {
  const CaseInput section = input.in(conditions);
  const std::string entry = "Gravity";
  GravityInput<dim> gravity;
  const auto items = items_between_commas(section.get(entry));
  for (unsigned int d = 0; d < dim; ++d)
    try {
      if (const auto number = to_number<double>(items.at(d))) {
        gravity.constant[d] = *number;
        continue;
      }
      const Expression formula(items.at(d), section.words);
      if (formula.depends_on_position())
        throw InputError("gravity is the same everywhere: it may depend on t only");
      gravity.changing[d] = formula;
    } catch (const InputError &error) {
      section.report(entry, error.what());
      break;
    }
  return gravity;
}

void declare_boundary_conditions(ParameterDeclarations &declarations, const ParameterFile *file,
                                 Dimensions dimensions) {
  const std::string variables = "t, " + dimensions.position();
  const Subsection subsection(declarations, conditions);
  declarations.declare("Gravity", dimensions.choose("0, 0", "0, 0, 0"), gravity_pattern(dimensions),
                       "Acceleration of gravity, which acts on all bodies: components " +
                           dimensions.position() + " at the time t [L/T^2]." +
                           (dimensions.plane ? " Axisymmetric bodies allow y only." : ""));
  for (const auto &region : named_subsections(declarations, file, conditions, "<region>")) {
    const Subsection region_section(declarations, region);
    declare_components(declarations, dimensions, "Traction", variables,
                       "force per undeformed area [M/(L T^2)] on the faces of this region, at the "
                       "time t and the undeformed position " +
                           dimensions.position() + ". Default: zero.");
    declarations.declare(
        "Pressure", "", formula_of("t"),
        "Pressure on the deformed faces of this region at the time t, along their current normals "
        "[M/(L T^2)], positive in compression. In 2D it acts on the deformed edges times the "
        "undeformed thickness, of axisymmetric bodies on the current circumference. For "
        "hyperelastic laws only. Default: zero.");
    declarations.declare("Fixed", "false", dealii::Patterns::Bool(),
                         "Hold the nodes of this region: as Displacement = 0 for all components.");
    declare_components(declarations, dimensions, "Displacement", variables,
                       "prescribed displacement of the nodes of this region [L]. Default: free "
                       "nodes. If theta = 1/2, the velocity of the nodes oscillates after a kink "
                       "in time: then prescribe it instead.");
    declare_components(declarations, dimensions, "Velocity", variables,
                       "prescribed velocity of the nodes of this region [L/T]. Default: free "
                       "nodes.");
  }
}

namespace {

/// Reports a radial motion of the axis of a body of revolution.
template <int dim>
void refuse_moving_axis(const CaseInput &section, const Case<dim> &c, const std::string &entry,
                        const typename System<dim>::BodyRegion &region, const Expression &formula) {
  for (const unsigned int node : region.region->nodes)
    for (const double t : first_and_last_time(c))
      if (region.body->is_on_axis(node) && formula(t, region.body->space.nodes[node]) != 0.)
        return section.report(entry, "the region has nodes on the axis of revolution x = 0, which "
                                     "cannot move radially; allowed is a formula that is 0 there");
}

template <int dim>
void read_motion(const CaseInput &section, Case<dim> &c, const std::string &name,
                 const typename System<dim>::BodyRegion &region, unsigned int component,
                 const std::string &quantity, const Expression &formula) {
  using Kind = typename PrescribedMotion<dim>::Kind;
  std::vector<dealii::Point<dim>> points;
  for (const unsigned int node : region.region->nodes)
    points.push_back(region.body->space.nodes[node]);
  section.check_finite(quantity + components(dim)[component], formula, points,
                       first_and_last_time(c));
  if (component == 0)
    refuse_moving_axis(section, c, quantity + "x", region, formula);
  try {
    c.bodies->prescribe(name, region, component,
                        quantity == "Velocity " ? Kind::velocity : Kind::displacement, formula);
  } catch (const InputError &error) {
    section.report_section(error.what());
  }
}

template <int dim>
void read_traction(const CaseInput &section, Case<dim> &c,
                   const typename System<dim>::BodyRegion &body_region, unsigned int component,
                   const std::string &entry, Expression formula) {
  const auto &[body, region] = body_region;
  if (const std::string reason = not_of_boundary_faces<dim>(*region); !reason.empty())
    return section.report(entry, reason);
  std::vector<dealii::Point<dim>> midpoints;
  for_each_face(*body, *region,
                [&](const auto &middle, const auto &, double) { midpoints.push_back(middle); });
  section.check_finite(entry, formula, midpoints, first_and_last_time(c));
  c.bodies->loads.add_traction(*body, *region, component, std::move(formula));
}

template <int dim>
void read_pressure(const CaseInput &section, Case<dim> &c,
                   const typename System<dim>::BodyRegion &body_region) {
  const auto &[body, region] = body_region;
  const std::string entry = "Pressure";
  auto formula = section.formula_of_time(entry, "a pressure is uniform over its region",
                                         first_and_last_time(c));
  if (!formula)
    return;
  if (const std::string reason = not_of_boundary_faces<dim>(*region); !reason.empty())
    return section.report(entry, reason);
  for (const CellFace &face : region->faces)
    if (!body->materials.material(face.cell).finite_strain)
      return section.report(
          entry, "a linear law neglects the rotations by which the normals of faces change; with "
                 "Law = linear elastic take Traction, or a hyperelastic law");
  c.bodies->pressures.emplace_back(*body, *region, std::move(*formula));
}

} // namespace

template <int dim>
void read_boundary_conditions(const CaseInput &input, Case<dim> &c) {
  for (const auto &name : input.subsections(conditions)) {
    const CaseInput section = input.in(conditions + "/" + name);
    const auto region = region_of(input, *c.bodies, conditions, name);
    if (region)
      read_pressure(section, c, *region);
    const bool is_fixed = section.get("Fixed") == "true";
    for (unsigned int d = 0; d < dim; ++d) {
      std::string given = is_fixed ? "value of Fixed" : "";
      if (is_fixed && region)
        read_motion(section, c, name, *region, d, "Displacement ", Expression("0"));
      for (const std::string quantity : {"Traction ", "Displacement ", "Velocity "}) {
        const std::string entry = quantity + components(dim)[d];
        auto formula = section.formula(entry);
        if (!formula)
          continue;
        if (!given.empty())
          section.report(entry,
                         "this region has a " + given + " already; remove one of the two entries");
        else if (region && quantity == "Traction ")
          read_traction(section, c, *region, d, entry, std::move(*formula));
        else if (region)
          read_motion(section, c, name, *region, d, quantity, *formula);
        given = given.empty() ? entry : given;
      }
    }
  }
}

PERCUSSION_INSTANTIATE(read_gravity);
PERCUSSION_INSTANTIATE(region_of);
PERCUSSION_INSTANTIATE(read_boundary_conditions);

} // namespace percussion
