#include <percussion/io/mesh.h>

#include "parameter_sections.h"
#include <algorithm>
#include <filesystem>

namespace percussion {

namespace fs = std::filesystem;
using dealii::Patterns::Bool;
using dealii::Patterns::Double;
using dealii::Patterns::Selection;

void declare_mesh(ParameterDeclarations &declarations) {
  const Subsection subsection(declarations, "Mesh");
  declarations.declare("File", "", Described("the name of a Gmsh file"),
                       "Gmsh mesh of first-order triangles or quadrilaterals in the plane z = 0 "
                       "[L]; a relative name starts at the folder of this file. The names of its "
                       "physical groups are the regions that the sections below speak of.");
}

template <int dim>
std::unique_ptr<Mesh<dim>> read_mesh(const CaseInput &input) {
  const std::string name = input.parameters.get("Mesh/File");
  try {
    if (name.empty())
      throw InputError("the name of a Gmsh file is needed");
    const fs::path path(name);
    return read_gmsh<dim>(
        (path.is_absolute() ? path : fs::path(input.file.name()).parent_path() / path)
            .lexically_normal()
            .string());
  } catch (const InputError &error) {
    input.parameters.report("Mesh/File", error.what(), input.problems);
    return nullptr;
  }
}

namespace {

const std::string boundary = "Boundary conditions";

void declare_components(ParameterDeclarations &declarations, const std::string &quantity,
                        const std::string &variables, const std::string &documentation) {
  for (const auto &component : components(2))
    declarations.declare(quantity + " " + component, "", formula_of(variables),
                         "Component " + component + " of the " + documentation);
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
  const std::string variables = "t, x, y";
  const Subsection subsection(declarations, boundary);
  declarations.declare("Gravity", "0, 0", dealii::Patterns::List(Double(), 2, 2),
                       "Acceleration of gravity: its components x, y [L/T^2].");
  for (const auto &region : named_subsections(file, boundary, "<region>")) {
    const Subsection of_region(declarations, region);
    declare_components(declarations, "Traction", variables,
                       "force per undeformed area [M/(L T^2)] on the faces of this region, at the "
                       "time t and the undeformed position x, y. Nothing: no traction.");
    declare_components(declarations, "Displacement", variables,
                       "displacement [L] that is prescribed on the nodes of this region. Nothing: "
                       "they are free. A kink in time leaves their velocity oscillating at theta = "
                       "1/2: there prescribe the velocity.");
    declare_components(declarations, "Velocity", variables,
                       "velocity [L/T] that is prescribed on the nodes of this region. Nothing: "
                       "they are free.");
  }
}

namespace {

/// A component of traction or of prescribed motion on a region.
struct Condition {
  std::string name;
  const Region *region;
  unsigned int component;
};

/// Nodes of the faces of a region, face by face.
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

/// Report tractions on faces all of whose nodes have to move as prescribed.
template <int dim>
void refuse_idle_tractions(const CaseInput &input, const ElasticBody<dim> &body,
                           const std::vector<Condition> &tractions,
                           const std::vector<Condition> &motions) {
  for (const Condition &traction : tractions) {
    const unsigned int d = traction.component;
    std::vector<unsigned int> nodes_held;
    std::size_t n_idle = 0;
    for (const auto &nodes : nodes_of_faces(body.space.mesh, *traction.region))
      if (std::all_of(nodes.begin(), nodes.end(), [&](unsigned int node) {
            return body.motion.is_prescribed(body.space.node_dofs[node][d]);
          })) {
        ++n_idle;
        nodes_held.insert(nodes_held.end(), nodes.begin(), nodes.end());
      }
    std::string holders;
    for (const Condition &motion : motions)
      if (motion.component == d &&
          std::any_of(nodes_held.begin(), nodes_held.end(), [&](unsigned int node) {
            const auto &of_region = motion.region->vertices; // ascending
            return std::binary_search(of_region.begin(), of_region.end(), node);
          }))
        holders += (holders.empty() ? "'" : ", '") + motion.name + "'";
    if (n_idle > 0)
      input.report_subsection(
          boundary + "/" + traction.name,
          "the traction " + components(dim)[d] + " has no effect on " + std::to_string(n_idle) +
              " of " + std::to_string(traction.region->faces.size()) +
              " faces: the same component of the motion of their nodes is prescribed on " +
              holders);
  }
}

template <int dim>
void read_motion(const CaseInput &input, Case<dim> &c, const std::string &name,
                 const Region &region, unsigned int component, const std::string &path,
                 const Expression &formula) {
  using Kind = typename PrescribedMotion<dim>::Kind;
  const bool is_velocity = path.find("/Velocity ") != std::string::npos;
  std::vector<dealii::Point<dim>> points;
  for (const unsigned int node : region.vertices)
    points.push_back(c.body->space.nodes[node]);
  input.check_finite(path, formula, points, first_and_last_time(c));
  try {
    c.body->motion.add(name, region, component, is_velocity ? Kind::velocity : Kind::displacement,
                       formula);
  } catch (const InputError &error) {
    input.report_subsection(boundary + "/" + name, error.what());
  }
}

template <int dim>
void read_traction(const CaseInput &input, Case<dim> &c, const Region &region,
                   unsigned int component, const std::string &path, Expression formula) {
  if (const std::string why = not_of_boundary_faces<dim>(region); !why.empty())
    return input.parameters.report(path, why, input.problems);
  std::vector<dealii::Point<dim>> midpoints;
  for (const auto &nodes : nodes_of_faces(*c.mesh, region)) {
    dealii::Point<dim> sum;
    for (const unsigned int node : nodes)
      sum += c.body->space.nodes[node];
    midpoints.push_back(sum / static_cast<double>(nodes.size()));
  }
  input.check_finite(path, formula, midpoints, first_and_last_time(c));
  c.body->loads.add_traction(region, component, std::move(formula));
}

} // namespace

template <int dim>
void read_boundary_conditions(const CaseInput &input, Case<dim> &c) {
  std::vector<Condition> tractions, motions;
  for (const auto &name : input.file.subsections(boundary)) {
    const Region *const region = region_of(input, *c.mesh, boundary, name);
    for (unsigned int d = 0; d < dim; ++d) {
      const std::string section = boundary + "/" + name + "/", component = components(dim)[d];
      std::vector<std::string> given;
      for (const std::string quantity : {"Traction ", "Displacement ", "Velocity "}) {
        const std::string path = section + quantity + component;
        auto formula = input.formula(path);
        if (!formula)
          continue;
        given.push_back(quantity + component);
        if (given.size() > 1) {
          input.parameters.report(
              path, "this region has a " + given.front() + " already; give one of the two",
              input.problems);
        } else if (region != nullptr && quantity == "Traction ") {
          tractions.push_back({name, region, d});
          read_traction(input, c, *region, d, path, std::move(*formula));
        } else if (region != nullptr) {
          motions.push_back({name, region, d});
          read_motion(input, c, name, *region, d, path, *formula);
        }
      }
    }
  }
  refuse_idle_tractions(input, *c.body, tractions, motions);
}

void declare_initial_state(ParameterDeclarations &declarations, const ParameterFile *file) {
  const Subsection subsection(declarations, "Initial state");
  declare_components(
      declarations, "Velocity", "x, y",
      "velocity of the body at the start [L/T]. Nothing: zero. Motions prescribed in "
      "the boundary conditions take precedence.");
  declarations.declare("Static preload", "false", Bool(),
                       "Begin in static equilibrium with the displacements that are prescribed at "
                       "the start and with those given below for named regions. Otherwise the body "
                       "begins undeformed. The next three entries and the regions below need it.");
  declarations.declare("Preload contact nodes", "fixed", Selection("fixed|free"),
                       "Whether the static preload holds the nodes of all contact regions in place "
                       "(no slip, no gap change).");
  declarations.declare("Preload gravity", "false", Bool(),
                       "Whether gravity acts in the static preload.");
  declarations.declare("Preload tractions", "false", Bool(),
                       "Whether the tractions at the starting time act in the static preload.");
  for (const auto &region : named_subsections(file, "Initial state", "<region>")) {
    const Subsection of_region(declarations, region);
    declare_components(declarations, "Displacement", "x, y",
                       "displacement of the nodes of this region in the static preload [L]; they "
                       "are let go at the start. Nothing: they are free.");
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
    for (unsigned int d = 0; region != nullptr && d < dim; ++d) {
      const std::string path = "Initial state/" + name + "/Displacement " + components(dim)[d];
      const auto value = input.formula(path);
      if (!value)
        continue;
      std::vector<dealii::Point<dim>> points;
      for (const unsigned int node : region->vertices)
        points.push_back(c.body->space.nodes[node]);
      input.check_finite(path, *value, points, {c.span.start});
      if (std::any_of(region->vertices.begin(), region->vertices.end(), [&](unsigned int node) {
            return c.body->motion.is_prescribed(c.body->space.node_dofs[node][d]);
          })) {
        input.parameters.report(path,
                                "the boundary conditions prescribe the motion of this component on "
                                "nodes of the region already",
                                input.problems);
        continue;
      }
      for (const unsigned int node : region->vertices)
        if (input.problems.empty())
          preload.displacements.emplace_back(c.body->space.node_dofs[node][d],
                                             (*value)(c.span.start, c.body->space.nodes[node]));
    }
  }
  return preload;
}

/// q in equilibrium, unless something is wrong.
template <int dim>
void preload_body(const CaseInput &input, Case<dim> &c) {
  const Preload preload = read_preload(input, c);
  if (c.body->material.finite_strain)
    input.parameters.report("Initial state/Static preload",
                            "it is available with Law = linear elastic only", input.problems);
  if (!input.problems.empty())
    return;
  std::vector<bool> held(c.body->n_dofs(), false);
  for (const unsigned int dof : c.body->motion.dofs())
    held[dof] = true;
  for (const unsigned int dof : preload.held_dofs)
    held[dof] = true;
  for (const auto &displacement : preload.displacements)
    held[displacement.first] = true;
  if (const std::string motion = free_rigid_motion(c.body->space, held); !motion.empty())
    return input.parameters.report(
        "Initial state/Static preload",
        "nothing holds the body, or a part of it: it is free to " + motion +
            " as a whole. Prescribe displacements, here or in the boundary conditions",
        input.problems);
  try {
    c.initial.q = static_displacement(*c.body, preload, c.span.start);
  } catch (const RunError &error) {
    input.parameters.report("Initial state/Static preload", error.what(), input.problems);
  }
}

void refuse_idle_preload(const CaseInput &input) {
  const std::string without = "without Initial state/Static preload = true";
  for (const std::string entry : {"Preload contact nodes", "Preload gravity", "Preload tractions"})
    input.refuse_unused("Initial state/" + entry, false, without);
  for (const auto &name : input.file.subsections("Initial state"))
    for (const auto &component : components(2)) {
      const std::string path = "Initial state/" + name + "/Displacement " + component;
      input.refuse_unused(path, false, without);
      input.formula(path);
    }
}

template <int dim>
void read_initial_velocity(const CaseInput &input, Case<dim> &c) {
  for (unsigned int d = 0; d < dim; ++d) {
    const std::string path = "Initial state/Velocity " + components(dim)[d];
    const auto velocity = input.formula(path);
    if (!velocity)
      continue;
    input.check_finite(path, *velocity, c.body->space.nodes, {c.span.start});
    for (unsigned int node = 0; input.problems.empty() && node < c.body->space.n_nodes(); ++node)
      entries(c.initial.v)[c.body->space.node_dofs[node][d]] =
          (*velocity)(c.span.start, c.body->space.nodes[node]);
  }
}

} // namespace

template <int dim>
void read_initial_state(const CaseInput &input, Case<dim> &c) {
  State<dim> &state = c.initial;
  state.time = c.span.start;
  state.q = make_vector(c.body->n_dofs());
  state.v = make_vector(c.body->n_dofs());
  const bool preloaded = input.parameters.get_bool("Initial state/Static preload");
  if (preloaded)
    preload_body(input, c);
  else
    refuse_idle_preload(input);
  read_initial_velocity(input, c);
  if (!input.problems.empty())
    return;
  c.body->motion.set_initial_velocity(c.span.start, c.choices.h, state.v);
  if (preloaded)
    return;
  c.body->motion.set_displacement(c.span.start, state.q);
  if (state.q.linfty_norm() > 0)
    c.warnings.push_back("a prescribed displacement is not zero at the start, and the body is not "
                         "preloaded: it begins with a jump there" +
                         std::string(c.body->material.finite_strain
                                         ? ""
                                         : " (Initial state/Static preload = true removes it)"));
}

template std::unique_ptr<Mesh<2>> read_mesh<2>(const CaseInput &);
template void read_boundary_conditions<2>(const CaseInput &, Case<2> &);
template void read_initial_state<2>(const CaseInput &, Case<2> &);

} // namespace percussion
