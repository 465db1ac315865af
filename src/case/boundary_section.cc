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
    input.report_subsection(section + "/" + name, error.what());
    return {};
  }
}

namespace {

const std::string conditions = "Boundary conditions";

} // namespace

void declare_boundary_conditions(ParameterDeclarations &declarations, const ParameterFile *file,
                                 Dimensions dimensions) {
  const std::string variables = "t, " + dimensions.position();
  const Subsection subsection(declarations, conditions);
  declarations.declare("Gravity", dimensions.choose("0, 0", "0, 0, 0"),
                       *pattern_of_gravity(dimensions),
                       "Acceleration of gravity, which acts on all bodies: components " +
                           dimensions.position() + " at the time t [L/T^2].");
  for (const auto &region : named_subsections(declarations, file, conditions, "<region>")) {
    const Subsection of_region(declarations, region);
    declare_components(declarations, dimensions, "Traction", variables,
                       "force per undeformed area [M/(L T^2)] on the faces of this region, at the "
                       "time t and the undeformed position " +
                           dimensions.position() + ". Default: zero.");
    declarations.declare(
        "Pressure", "", formula_of("t"),
        "Pressure on the deformed faces of this region at the time t, along their current normals "
        "[M/(L T^2)]: a load that follows the body, positive if it compresses the body. In 2D it "
        "acts on the deformed edges times the undeformed thickness. For hyperelastic laws only. "
        "Default: zero.");
    declare_components(declarations, dimensions, "Displacement", variables,
                       "prescribed displacement of the nodes of this region [L]. Default: free "
                       "nodes. If theta = 1/2, the velocity of the nodes oscillates after a "
                       "kink in time: then prescribe the velocity instead.");
    declare_components(declarations, dimensions, "Velocity", variables,
                       "prescribed velocity of the nodes of this region [L/T]. Default: free "
                       "nodes.");
  }
}

namespace {

/// Returns the nodes of the faces of a region, face by face.
template <int dim>
std::vector<std::vector<unsigned int>> nodes_of_faces(const Mesh<dim> &mesh, const Region &region) {
  std::vector<typename dealii::Triangulation<dim>::active_cell_iterator> cells;
  for (const auto &cell : mesh.triangulation.active_cell_iterators())
    cells.push_back(cell);
  std::vector<std::vector<unsigned int>> nodes;
  for (const CellFace &f : region.faces) {
    const auto face = cells[f.cell]->face(f.face);
    nodes.emplace_back();
    for (const unsigned int v : face->vertex_indices())
      nodes.back().push_back(face->vertex_index(v));
  }
  return nodes;
}

template <int dim>
void read_motion(const CaseInput &input, Case<dim> &c, const std::string &name,
                 const typename System<dim>::BodyRegion &region, unsigned int component,
                 const std::string &path, const Expression &formula) {
  using Kind = typename PrescribedMotion<dim>::Kind;
  const bool is_velocity = path.find("/Velocity ") != std::string::npos;
  std::vector<dealii::Point<dim>> points;
  for (const unsigned int node : region.region->vertices)
    points.push_back(region.body->space.nodes[node]);
  input.check_finite(path, formula, points, first_and_last_time(c));
  try {
    c.bodies->prescribe(name, region, component, is_velocity ? Kind::velocity : Kind::displacement,
                        formula);
  } catch (const InputError &error) {
    input.report_subsection(conditions + "/" + name, error.what());
  }
}

template <int dim>
void read_traction(const CaseInput &input, Case<dim> &c,
                   const typename System<dim>::BodyRegion &of_body, unsigned int component,
                   const std::string &path, Expression formula) {
  const auto &[body, region] = of_body;
  if (const std::string reason = not_of_boundary_faces<dim>(*region); !reason.empty())
    return input.report(path, reason);
  std::vector<dealii::Point<dim>> midpoints;
  for (const auto &nodes : nodes_of_faces(body->space.mesh, *region)) {
    dealii::Point<dim> sum;
    for (const unsigned int node : nodes)
      sum += body->space.nodes[node];
    midpoints.push_back(sum / static_cast<double>(nodes.size()));
  }
  input.check_finite(path, formula, midpoints, first_and_last_time(c));
  c.bodies->loads.add_traction(*body, *region, component, std::move(formula));
}

/// Reads the pressure on a region.
template <int dim>
void read_pressure(const CaseInput &input, Case<dim> &c,
                   const typename System<dim>::BodyRegion &of_body, const std::string &path,
                   Expression formula) {
  const auto &[body, region] = of_body;
  if (const std::string reason = not_of_boundary_faces<dim>(*region); !reason.empty())
    return input.report(path, reason);
  if (formula.depends_on_position())
    return input.report(path, "a pressure is uniform over its region: the formula may depend on t "
                              "only");
  for (const CellFace &face : region->faces)
    if (!body->materials.material(face.cell).finite_strain)
      return input.report(path, "a linear law neglects the rotations by which the normals of faces "
                                "change; with Law = linear elastic take Traction, or a "
                                "hyperelastic law");
  input.check_finite<dim>(path, formula, {dealii::Point<dim>()}, first_and_last_time(c));
  c.bodies->pressures.emplace_back(*body, *region, std::move(formula));
}

} // namespace

template <int dim>
void read_boundary_conditions(const CaseInput &input, Case<dim> &c) {
  for (const auto &name : input.subsections(conditions)) {
    const auto region = region_of(input, *c.bodies, conditions, name);
    const std::string pressure_path = conditions + "/" + name + "/Pressure";
    if (auto pressure = input.formula(pressure_path); pressure && region)
      read_pressure(input, c, *region, pressure_path, std::move(*pressure));
    for (unsigned int d = 0; d < dim; ++d) {
      const std::string section = conditions + "/" + name + "/", component = components(dim)[d];
      std::vector<std::string> given_quantities;
      for (const std::string quantity : {"Traction ", "Displacement ", "Velocity "}) {
        const std::string path = section + quantity + component;
        auto formula = input.formula(path);
        if (!formula)
          continue;
        given_quantities.push_back(quantity + component);
        if (given_quantities.size() > 1) {
          input.report(path, "this region has a " + given_quantities.front() +
                                 " already; remove one of the two entries");
        } else if (region && quantity == "Traction ") {
          read_traction(input, c, *region, d, path, std::move(*formula));
        } else if (region) {
          read_motion(input, c, name, *region, d, path, *formula);
        }
      }
    }
  }
}

template std::optional<typename System<2>::BodyRegion>
region_of<2>(const CaseInput &, const System<2> &, const std::string &, const std::string &);
template void read_boundary_conditions<2>(const CaseInput &, Case<2> &);
template std::optional<typename System<3>::BodyRegion>
region_of<3>(const CaseInput &, const System<3> &, const std::string &, const std::string &);
template void read_boundary_conditions<3>(const CaseInput &, Case<3> &);

} // namespace percussion
