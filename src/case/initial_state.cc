#include <percussion/body/free_rigid_motion.h>
#include <percussion/body/static_equilibrium.h>

#include "parameter_sections.h"
#include <algorithm>

namespace percussion {

using dealii::Patterns::Bool;
using dealii::Patterns::Selection;

void declare_initial_state(ParameterDeclarations &declarations, const ParameterFile *file,
                           Dimensions dimensions) {
  const Subsection subsection(declarations, "Initial state");
  declare_components(
      declarations, dimensions, "Velocity", dimensions.position(),
      "velocity of all elastic bodies at the start [L/T]. Default: zero. Motions prescribed in "
      "the boundary conditions take precedence.");
  declarations.declare(
      "From", "", Described("the folder of the results of a run, or nothing"),
      "Folder of an earlier run, whose final displacements and velocities are the initial state "
      "at Start. Bodies must be the same; loads, contacts, materials and motions may differ. If "
      "these are the same and Start is the end time of the earlier run, the new run continues "
      "it exactly; otherwise each contact begins as if its points had arrived with their "
      "velocities. A relative name starts at the folder where the program is started. Initial "
      "velocities of rigid bodies and the other entries of this subsection then have no meaning.");
  declarations.declare(
      "Static preload", "false", Bool(),
      "If true, the run begins in static equilibrium, with the displacements prescribed at the "
      "start and the displacements of the regions below; rigid bodies stay in place, and links "
      "do not act. If false, elastic bodies begin undeformed. The next three entries and the "
      "regions below require a static preload.");
  declarations.declare(
      "Preload contact nodes", "fixed", Selection("fixed|free"),
      "Treatment of contact nodes in the static preload. fixed: nodes of a Region with closed "
      "contacts stay in place (no slip, no gap change). free: contact nodes are free.");
  declarations.declare("Preload gravity", "false", Bool(),
                       "If true, gravity acts in the static preload.");
  declarations.declare("Preload tractions", "false", Bool(),
                       "If true, the tractions at the start time act in the static preload; "
                       "pressures do not.");
  for (const auto &region : named_subsections(declarations, file, "Initial state", "<region>")) {
    const Subsection of_region(declarations, region);
    declare_components(declarations, dimensions, "Displacement", dimensions.position(),
                       "displacement of the nodes of this region in the static preload [L]; the "
                       "start of the run releases the nodes. Default: free nodes.");
  }
}

namespace {

template <int dim>
Preload read_preload(const CaseInput &input, Case<dim> &c) {
  Preload preload;
  preload.gravity = input.parameters.get_bool("Initial state/Preload gravity");
  preload.tractions = input.parameters.get_bool("Initial state/Preload tractions");
  if (input.parameters.get("Initial state/Preload contact nodes") == "fixed")
    preload.held_dofs = held_by_contacts(input, c);
  for (const auto &name : input.subsections("Initial state")) {
    const auto of_body = region_of(input, *c.bodies, "Initial state", name);
    for (unsigned int d = 0; of_body && d < dim; ++d) {
      const auto &[body, region] = *of_body;
      const Space<dim> &space = body->space;
      const std::string path = "Initial state/" + name + "/Displacement " + components(dim)[d];
      const auto value = input.formula(path);
      if (!value)
        continue;
      std::vector<dealii::Point<dim>> points;
      for (const unsigned int node : region->vertices)
        points.push_back(space.nodes[node]);
      input.check_finite(path, *value, points, {c.span.start});
      if (std::any_of(region->vertices.begin(), region->vertices.end(), [&](unsigned int node) {
            return c.bodies->motion.is_prescribed(space.node_dofs[node][d]);
          })) {
        input.report(path, "the boundary conditions prescribe the motion of this component on "
                           "nodes of the region already");
        continue;
      }
      for (const unsigned int node : region->vertices)
        if (input.problems.empty())
          preload.displacements.emplace_back(space.node_dofs[node][d],
                                             (*value)(c.span.start, space.nodes[node]));
    }
  }
  return preload;
}

/// Sets q to the static equilibrium under the preload; problems are reported.
template <int dim>
void preload_body(const CaseInput &input, Case<dim> &c) {
  const Preload preload = read_preload(input, c);
  if (!input.problems.empty())
    return;
  std::vector<bool> is_prescribed(c.bodies->n_dofs(), false);
  for (const unsigned int dof : c.bodies->motion.dofs())
    is_prescribed[dof] = true;
  for (const unsigned int dof : preload.held_dofs)
    is_prescribed[dof] = true;
  for (const auto &displacement : preload.displacements)
    is_prescribed[displacement.first] = true;
  for (const auto &body : c.bodies->elastic)
    if (const std::string motion = free_rigid_motion(body->space, is_prescribed); !motion.empty())
      return input.report(
          "Initial state/Static preload",
          "a body or a component of it has no support: it is free to " + motion +
              " as a whole. Prescribe displacements, here or in the boundary conditions");
  try {
    c.initial.q = static_equilibrium(*c.bodies, preload, c.span.start);
  } catch (const RunError &error) {
    input.report("Initial state/Static preload", error.what());
  }
}

void refuse_idle_preload(const CaseInput &input) {
  const std::string context = "without Initial state/Static preload = true";
  for (const std::string entry : {"Preload contact nodes", "Preload gravity", "Preload tractions"})
    input.refuse_unused("Initial state/" + entry, false, context);
  for (const auto &name : input.subsections("Initial state"))
    for (const auto &component : components(input.dimension)) {
      const std::string path = "Initial state/" + name + "/Displacement " + component;
      input.refuse_unused(path, false, context);
      input.formula(path);
    }
}

template <int dim>
void read_elastic_velocity(const CaseInput &input, Case<dim> &c) {
  for (unsigned int d = 0; d < dim; ++d) {
    const std::string path = "Initial state/Velocity " + components(dim)[d];
    const auto velocity = input.formula(path);
    if (!velocity)
      continue;
    input.refuse_unused(path, c.choices.has_inertia,
                        "with Time/Inertia = none: velocities follow from the displacements");
    for (const auto &body : c.bodies->elastic) {
      const Space<dim> &space = body->space;
      input.check_finite(path, *velocity, space.nodes, {c.span.start});
      for (unsigned int node = 0; input.problems.empty() && node < space.n_nodes(); ++node)
        entries(c.initial.v)[space.node_dofs[node][d]] =
            (*velocity)(c.span.start, space.nodes[node]);
    }
  }
}

/// Warns of prescribed displacements of elastic bodies that are not zero at the start. Rigid bodies
/// may begin anywhere.
template <int dim>
void warn_of_jump(Case<dim> &c) {
  const unsigned int n = c.bodies->n_elastic_dofs();
  const double *const q = entries(c.initial.q);
  if (std::all_of(q, q + n, [](double displacement) { return displacement == 0; }))
    return;
  c.warnings.push_back("a prescribed displacement is not zero at the start, and the body is not "
                       "preloaded: it begins with a jump there (Initial state/Static preload = "
                       "true removes it)");
}

} // namespace

template <int dim>
void read_initial_state(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  State<dim> &state = c.initial;
  state.time = c.span.start;
  state.q = make_vector(c.bodies->n_dofs());
  state.v = make_vector(c.bodies->n_dofs());
  if (start_from_run(input, c))
    return;
  const bool preloaded =
      !c.meshes.empty() && input.parameters.get_bool("Initial state/Static preload");
  if (preloaded)
    preload_body(input, c);
  else if (!c.meshes.empty())
    refuse_idle_preload(input);
  if (!c.meshes.empty())
    read_elastic_velocity(input, c);
  read_rigid_velocity(input, rigid, c);
  if (!input.problems.empty())
    return;
  c.bodies->motion.set_initial_velocity(c.span.start, c.choices.h, state.v);
  if (!preloaded) {
    c.bodies->motion.set_displacement(c.span.start, state.q);
    warn_of_jump(c);
  }
}

template void read_initial_state<2>(const CaseInput &, const RigidInput<2> &, Case<2> &);
template void read_initial_state<3>(const CaseInput &, const RigidInput<3> &, Case<3> &);

} // namespace percussion
