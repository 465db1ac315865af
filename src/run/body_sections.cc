#include <percussion/io/mesh.h>

#include "parameter_sections.h"
#include <filesystem>

namespace percussion {

namespace fs = std::filesystem;
using dealii::Patterns::Anything;
using dealii::Patterns::Bool;
using dealii::Patterns::Double;
using dealii::Patterns::Selection;

void declare_mesh(ParameterDeclarations &declarations) {
  const Subsection subsection(declarations, "Mesh");
  declarations.declare("File", "", Anything(),
                       "Gmsh mesh of first order, relative to this file. Regions are the names of "
                       "its physical groups.");
}

template <int dim>
std::unique_ptr<Mesh<dim>> read_mesh(const CaseInput &input) {
  const std::string name = input.parameters.get("Mesh/File");
  if (name.empty())
    input.parameters.fail("Mesh/File", "a mesh file is needed");
  const fs::path path(name);
  return read_gmsh<dim>(
      (path.is_absolute() ? path : fs::path(input.file.name()).parent_path() / path)
          .lexically_normal()
          .string());
}

void declare_material(ParameterDeclarations &declarations) {
  const Subsection subsection(declarations, "Material");
  declarations.declare("Density", "1", PositiveDouble(), "Mass per volume [M/L^3].");
  declarations.declare("Young modulus", "1", PositiveDouble(),
                       "Young's modulus E of linear elasticity [M/(L T^2)].");
  declarations.declare("Poisson ratio", "0", NumberBetween({-1, false}, {0.5, true}),
                       "Poisson's ratio. 0.5 is possible in plane stress only.");
  declarations.declare("Plane", "strain", Selection("strain|stress"),
                       "What a two-dimensional body does out of its plane: plane strain or plane "
                       "stress.");
  declarations.declare("Thickness", "1", PositiveDouble(),
                       "Size out of the plane of a two-dimensional body [L].");
  declarations.declare("Viscosity", "0", Double(0),
                       "Kelvin-Voigt viscosity eta of the stress eta times strain rate "
                       "[M/(L T)].");
  declarations.declare("Rayleigh alpha", "0", Double(0),
                       "Damping proportional to the mass: C contains alpha M [1/T].");
  declarations.declare("Rayleigh beta", "0", Double(0),
                       "Damping proportional to the stiffness: C contains beta K [T].");
}

template <int dim>
LinearMaterial<dim> read_material(const CaseInput &input) {
  const Parameters &parameters = input.parameters;
  const Plane plane = parameters.get("Material/Plane") == "stress" ? Plane::stress : Plane::strain;
  const double poisson = parameters.get_double("Material/Poisson ratio");
  if (poisson >= 0.5 && plane == Plane::strain)
    parameters.report("Material/Poisson ratio",
                      "an incompressible body has no displacement formulation in plane strain; "
                      "allowed is a number > -1 and < 0.5",
                      input.problems);
  LinearMaterial<dim> material{};
  material.density = parameters.get_double("Material/Density");
  material.thickness = parameters.get_double("Material/Thickness");
  material.elastic = LinearElastic<dim>::from_young(parameters.get_double("Material/Young modulus"),
                                                    poisson, plane);
  material.viscosity = {parameters.get_double("Material/Viscosity"),
                        parameters.get_double("Material/Rayleigh alpha"),
                        parameters.get_double("Material/Rayleigh beta")};
  return material;
}

namespace {

const std::string boundary = "Boundary conditions";

void declare_components(ParameterDeclarations &declarations, const std::string &quantity,
                        const std::string &documentation) {
  for (const auto &component : components(2))
    declarations.declare(quantity + " " + component, "", Anything(),
                         quantity + " in the direction " + component + ": " + documentation);
}

/// The region that a subsection is named after; a wrong name is reported.
template <int dim>
const Region *region_of(const CaseInput &input, const Mesh<dim> &mesh, const std::string &section,
                        const std::string &name) {
  try {
    return &mesh.region(name);
  } catch (const InputError &error) {
    input.report_subsection(section + "/" + name, error.what());
    return nullptr;
  }
}

} // namespace

void declare_boundary_conditions(ParameterDeclarations &declarations, const ParameterFile *file) {
  const Subsection subsection(declarations, boundary);
  declarations.declare("Gravity", "0, 0", dealii::Patterns::List(Double(), 2, 3),
                       "Acceleration of gravity, component by component [L/T^2].");
  for (const auto &region : named_subsections(file, boundary, "<region>")) {
    const Subsection of_region(declarations, region);
    declare_components(declarations, "Traction",
                       "force per area [M/(L T^2)], a formula of t, x, y (undeformed position); "
                       "empty: none.");
    declare_components(declarations, "Displacement",
                       "prescribed displacement [L], a formula of t, x, y; empty: free.");
    declare_components(declarations, "Velocity",
                       "prescribed velocity [L/T], a formula of t, x, y; empty: free.");
  }
}

template <int dim>
dealii::Tensor<1, dim> read_gravity(const CaseInput &input) {
  return input.vector<dim>(boundary + "/Gravity");
}

template <int dim>
void read_boundary_conditions(const CaseInput &input, ElasticBody<dim> &body) {
  using Kind = typename PrescribedMotion<dim>::Kind;
  for (const auto &name : input.file.subsections(boundary)) {
    const Region *const region = region_of(input, body.space.mesh, boundary, name);
    if (region == nullptr)
      continue;
    const std::string section = boundary + "/" + name + "/";
    for (unsigned int d = 0; d < dim; ++d) {
      const std::string component = components(dim)[d];
      auto traction = input.formula(section + "Traction " + component);
      const auto displacement = input.formula(section + "Displacement " + component);
      const auto velocity = input.formula(section + "Velocity " + component);
      if ((traction != nullptr) + (displacement != nullptr) + (velocity != nullptr) > 1) {
        input.report_subsection(boundary + "/" + name,
                                "component " + component +
                                    " can have a traction, a displacement or a velocity, not two "
                                    "of them");
        continue;
      }
      try {
        if (displacement)
          body.motion.add(name, *region, d, Kind::displacement, *displacement);
        if (velocity)
          body.motion.add(name, *region, d, Kind::velocity, *velocity);
      } catch (const InputError &error) {
        input.report_subsection(boundary + "/" + name, error.what());
      }
      if (traction && region->faces.empty())
        input.report_subsection(boundary + "/" + name,
                                "a traction needs faces on the boundary of the body, and this "
                                "region has none");
      else if (traction)
        body.loads.add_traction(*region, d, std::move(*traction));
    }
  }
}

void declare_initial_state(ParameterDeclarations &declarations, const ParameterFile *file) {
  const Subsection subsection(declarations, "Initial state");
  declare_components(declarations, "Velocity",
                     "initial velocity of the body [L/T], a formula of x, y; empty: zero.");
  declarations.declare("Static preload", "false", Bool(),
                       "Begin in static equilibrium with the prescribed displacements at the "
                       "starting time and with those given below for named regions.");
  declarations.declare("Preload contact nodes", "fixed", Selection("fixed|free"),
                       "Whether the static preload holds the nodes of all contact regions in place "
                       "(no slip, no gap change).");
  declarations.declare("Preload gravity", "false", Bool(),
                       "Whether gravity acts in the static preload.");
  declarations.declare("Preload tractions", "false", Bool(),
                       "Whether the tractions at the starting time act in the static preload.");
  for (const auto &region : named_subsections(file, "Initial state", "<region>")) {
    const Subsection of_region(declarations, region);
    declare_components(declarations, "Displacement",
                       "value in the static preload [L], a formula of x, y; empty: free.");
  }
}

namespace {

template <int dim>
Preload read_preload(const CaseInput &input, const Case<dim> &c) {
  Preload preload;
  preload.gravity = input.parameters.get_bool("Initial state/Preload gravity");
  preload.tractions = input.parameters.get_bool("Initial state/Preload tractions");
  if (input.parameters.get("Initial state/Preload contact nodes") == "fixed")
    for (const auto &pair : c.contacts->pairs)
      for (const unsigned int node : c.mesh->region(pair.region).vertices)
        for (const unsigned int dof : c.body->space.node_dofs[node])
          if (!c.body->motion.is_prescribed(dof))
            preload.held_dofs.push_back(dof);
  for (const auto &name : input.file.subsections("Initial state")) {
    const Region *const region = region_of(input, *c.mesh, "Initial state", name);
    for (unsigned int d = 0; region != nullptr && d < dim; ++d)
      if (const auto value =
              input.formula("Initial state/" + name + "/Displacement " + components(dim)[d]))
        for (const unsigned int node : region->vertices)
          preload.displacements.emplace_back(c.body->space.node_dofs[node][d],
                                             (*value)(c.span.start, c.body->space.nodes[node]));
  }
  return preload;
}

} // namespace

template <int dim>
void read_initial_state(const CaseInput &input, Case<dim> &c) {
  State<dim> &state = c.initial;
  state.time = c.span.start;
  state.q = make_vector(c.body->n_dofs());
  state.v = make_vector(c.body->n_dofs());
  if (input.parameters.get_bool("Initial state/Static preload")) {
    const Preload preload = read_preload(input, c);
    try {
      state.q = static_displacement(*c.body, preload, c.span.start);
    } catch (const RunError &error) {
      input.parameters.fail("Initial state/Static preload", error.what());
    }
  } else {
    c.body->motion.set_displacement(c.span.start, state.q);
    if (state.q.linfty_norm() > 0)
      c.warnings.push_back("a prescribed displacement is not zero at the start, and the body is "
                           "not preloaded: it begins with a jump there "
                           "(Initial state/Static preload = true removes it)");
    for (const auto &name : input.file.subsections("Initial state"))
      input.report_subsection("Initial state/" + name,
                              "has no effect without Initial state/Static preload = true");
  }
  for (unsigned int d = 0; d < dim; ++d)
    if (const auto velocity = input.formula("Initial state/Velocity " + components(dim)[d]))
      for (unsigned int node = 0; node < c.body->space.n_nodes(); ++node)
        entries(state.v)[c.body->space.node_dofs[node][d]] =
            (*velocity)(c.span.start, c.body->space.nodes[node]);
  c.body->motion.set_initial_velocity(c.span.start, c.choices.h, state.v);
}

template std::unique_ptr<Mesh<2>> read_mesh<2>(const CaseInput &);
template LinearMaterial<2> read_material<2>(const CaseInput &);
template dealii::Tensor<1, 2> read_gravity<2>(const CaseInput &);
template void read_boundary_conditions<2>(const CaseInput &, ElasticBody<2> &);
template void read_initial_state<2>(const CaseInput &, Case<2> &);

} // namespace percussion
