#include <percussion/base/format.h>
#include <percussion/body/supports.h>
#include <percussion/contact/find.h>
#include <percussion/dynamics/contact_equilibrium.h>
#include <percussion/material/hyperelastic.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

namespace percussion {

using dealii::Patterns::Bool;
using dealii::Patterns::Selection;

namespace {

const std::string initial_section = "Initial state";

} // namespace

void declare_initial_state(ParameterDeclarations &declarations, const ParameterFile *file,
                           Dimensions dimensions) {
  const Subsection subsection(declarations, initial_section);
  declare_components(
      declarations, dimensions, "Velocity", dimensions.position(),
      "velocity of all elastic bodies at the start [L/T]. Default: zero. Motions prescribed in "
      "the boundary conditions take precedence.");
  declarations.declare(
      "From", "", Described("the folder of the results of a run, or nothing"),
      "Folder of an earlier run, whose final displacements and velocities are the initial state at "
      "Start. Bodies must be the same; loads, contacts, materials and motions may differ. If these "
      "are the same and Start is its end time, the earlier run is continued exactly; otherwise "
      "contacts begin as if their points had arrived with their velocities. A relative name starts "
      "at the folder where the program is started. Initial velocities and the other entries of "
      "this subsection have no effect.");
  declarations.declare(
      "Static preload", "false", Bool(),
      "If true, the run begins in static equilibrium with the displacements prescribed at the "
      "start and those of the regions below; rigid bodies and surfaces stay in place, and links do "
      "not act. If false, elastic bodies begin undeformed, and the next three entries and the "
      "regions below are not allowed.");
  declarations.declare(
      "Preload contact nodes", "contact", Selection("contact|fixed|free"),
      "Treatment of contact nodes in the static preload. contact: contacts act with friction and "
      "springs, so that the run begins in equilibrium. fixed: nodes of a Region with closed "
      "contacts on a Surface stay in place, even if they are pulled; the run begins to move unless "
      "friction and pressure hold them. Contacts between bodies, and with springs, act as with "
      "contact. free: contact nodes are free.");
  declarations.declare("Preload gravity", "false", Bool(),
                       "If true, gravity acts in the static preload.");
  declarations.declare("Preload tractions", "false", Bool(),
                       "If true, the tractions at the start time act in the static preload; "
                       "pressures do not.");
  for (const auto &region : named_subsections(declarations, file, initial_section, "<region>")) {
    const Subsection region_section(declarations, region);
    declare_components(declarations, dimensions, "Displacement", dimensions.position(),
                       "displacement of the nodes of this region in the static preload [L]; the "
                       "start of the run releases the nodes. Default: free nodes.");
  }
}

namespace {

/// Largest gap of a contact that counts as closed in the preload, relative to the local mesh size;
/// it allows for coordinates in files with few digits.
constexpr double closed = 1e-3;

/// Nodes of a contact's region at closed points of the contact, by their first entries in the
/// trace, and the smallest gap of the other points.
struct ClosedNodes {
  std::set<unsigned int> first_entries;
  double smallest_open_gap = std::numeric_limits<double>::infinity();
};

template <int dim>
ClosedNodes closed_nodes(const Boundary<dim> &boundary, const ContactList<dim> &found,
                         unsigned int pair) {
  ClosedNodes nodes;
  for (const auto &contact : found.contacts) {
    if (contact.key.pair != pair)
      continue;
    const ContactPoint<dim> &point = boundary.points[contact.point];
    if (contact.gap > std::max({point.tolerance, boundary.pairs[pair].largest_reference_gap,
                                closed * point.size})) {
      nodes.smallest_open_gap = std::min(nodes.smallest_open_gap, contact.gap);
      continue;
    }
    if (point.mesh_node())
      nodes.first_entries.insert(point.entry);
    const SupportRange shape = point.shape();
    for (unsigned int k = shape.begin; k < shape.end; ++k)
      nodes.first_entries.insert(boundary.supports[k].entry);
  }
  return nodes;
}

/// True if the preload may hold the nodes of a pair in place of its contacts: bodies on the
/// opposite side need the contact forces, and springs have a force only if they are compressed.
template <int dim>
bool may_be_held(const ContactPair<dim> &pair, const Case<dim> &c) {
  return pair.region() && pair.surface() && c.choices.penalty == Penalty::none &&
         pair.formulation == Formulation::collocated;
}

/// Holds the nodes of closed contacts on surfaces in the static preload, except for prescribed
/// components. Warns of contacts that are open at some or all of their nodes.
template <int dim>
void hold_closed_contacts(Case<dim> &c, Preload &preload) {
  const Boundary<dim> &boundary = *c.boundary;
  const auto found = ContactFinder<dim>(boundary).find_undeformed();
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    const auto &pair = boundary.pairs[i];
    if (!may_be_held(pair, c))
      continue;
    const auto nodes = closed_nodes(boundary, found, i);
    const auto [body, region] = c.bodies->region(*pair.region());
    std::size_t n_open = 0;
    for (const unsigned int node : region->nodes) {
      std::vector<unsigned int> free;
      for (unsigned int d = 0; d < dim; ++d)
        if (!c.bodies->is_prescribed(body->space, node, d))
          free.push_back(d);
      if (free.empty())
        continue; // such a node may have no contact point
      if (nodes.first_entries.count(boundary.trace.node_entry(body->space, node)) == 0) {
        ++n_open;
        continue;
      }
      for (const unsigned int d : free)
        preload.hold(body->space, node, d);
    }
    if (n_open > 0)
      c.warnings.push_back(
          "contact '" + pair.name +
          format("': the static preload holds %zu of its %zu nodes, for the other nodes are open",
                 region->nodes.size() - n_open, region->nodes.size()) +
          (nodes.smallest_open_gap < std::numeric_limits<double>::infinity()
               ? format(", the nearest by %.3g", nodes.smallest_open_gap)
               : std::string()));
  }
}

template <int dim>
Preload read_preload(const CaseInput &input, Case<dim> &c) {
  const CaseInput section = input.in(initial_section);
  Preload preload;
  preload.gravity = section.get("Preload gravity") == "true";
  preload.tractions = section.get("Preload tractions") == "true";
  if (section.get("Preload contact nodes") == "fixed")
    hold_closed_contacts(c, preload);
  for (const auto &name : input.subsections(initial_section)) {
    const auto body_region = region_of(input, *c.bodies, initial_section, name);
    for (unsigned int d = 0; body_region && d < dim; ++d) {
      const auto &[body, region] = *body_region;
      const Space<dim> &space = body->space;
      const std::string entry = name + "/Displacement " + components(dim)[d];
      const auto value = section.formula(entry);
      if (!value)
        continue;
      std::vector<dealii::Point<dim>> points;
      for (const unsigned int node : region->nodes)
        points.push_back(space.nodes[node]);
      section.check_finite(entry, *value, points, {c.span.start});
      if (std::any_of(region->nodes.begin(), region->nodes.end(),
                      [&](unsigned int node) { return c.bodies->is_prescribed(space, node, d); })) {
        section.report(entry, "the boundary conditions prescribe the motion of this component on "
                              "nodes of the region already");
        continue;
      }
      for (const unsigned int node : region->nodes)
        if (input.problems.empty())
          preload.hold(space, node, d, (*value)(c.span.start, space.nodes[node]));
    }
  }
  return preload;
}

/// True if contacts act in the static preload.
template <int dim>
bool contacts_act(const std::string &treatment, const Case<dim> &c) {
  const auto &pairs = c.boundary->pairs;
  return std::any_of(pairs.begin(), pairs.end(), [&](const ContactPair<dim> &pair) {
    return !pair.is_between_rigid_bodies() &&
           (treatment == "contact" || (treatment == "fixed" && !may_be_held(pair, c)));
  });
}

/// Warns of contacts that carry nothing in the static equilibrium, although they are open: their
/// body may hang on another support than the user thinks.
template <int dim>
void warn_of_open_contacts(Case<dim> &c) {
  const Boundary<dim> &boundary = *c.boundary;
  const auto &memories = c.initial.history.memories;
  const auto found =
      ContactFinder<dim>(boundary).find(boundary.trace.gather(c.initial.q), c.span.start);
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    const auto presses = [i](const ContactMemory<dim> &memory) {
      return memory.key.pair == i && memory.percussion[0] > 0.;
    };
    if (boundary.pairs[i].is_between_rigid_bodies() ||
        std::any_of(memories.begin(), memories.end(), presses))
      continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto &contact : found.contacts)
      if (contact.key.pair == i)
        nearest = std::min(nearest, contact.gap);
    if (nearest > 0.)
      c.warnings.push_back("contact '" + boundary.pairs[i].name +
                           "' carries nothing in the static preload" +
                           (std::isfinite(nearest) ? format(": it is open by %.3g", nearest) : ""));
  }
}

/// Sets the state to the static equilibrium under the preload; problems are reported.
template <int dim>
void preload_body(const CaseInput &input, Case<dim> &c) {
  const Preload preload = read_preload(input, c);
  const std::string entry = "Initial state/Static preload";
  for (const auto &body : c.bodies->elastic)
    for (const auto &material : body->materials.list)
      if (material.finite_strain && n_history(material.finite_strain->law()) > 0)
        return input.report(entry, "the equilibrium of a material with memory depends on its past: "
                                   "apply the loads in a run of its own with Time/Inertia = none, "
                                   "and begin with Initial state/From");
  if (!input.problems.empty())
    return;
  const bool have_contacts = contacts_act(input.get("Initial state/Preload contact nodes"), c);
  Supports<dim> supports(*c.bodies, preload);
  if (have_contacts)
    supports.add(c.boundary->trace);
  for (const auto &body : c.bodies->elastic)
    if (const std::string motion = supports.free_motion(*body); !motion.empty())
      return input.report(
          entry, "a body or a component of it has no support: it is free to " + motion +
                     " as a whole. Prescribe displacements, here or in the boundary conditions");
  try {
    if (have_contacts) {
      c.initial =
          contact_equilibrium(*c.bodies, *c.boundary, c.choices, c.cone, preload, c.span.start);
      warn_of_open_contacts(c);
    } else
      c.initial.q = static_equilibrium(*c.bodies, preload, c.span.start);
  } catch (const RunError &error) {
    input.report(entry, error.what());
  }
}

void refuse_idle_preload(const CaseInput &input) {
  const CaseInput section = input.in(initial_section);
  const std::string context = "without Initial state/Static preload = true";
  for (const std::string entry : {"Preload contact nodes", "Preload gravity", "Preload tractions"})
    section.refuse_unused(entry, false, context);
  for (const auto &name : input.subsections(initial_section))
    for (const auto &component : components(input.dimension)) {
      section.refuse_unused(name + "/Displacement " + component, false, context);
      section.formula(name + "/Displacement " + component);
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
        space.set_value(node, d, (*velocity)(c.span.start, space.nodes[node]), c.initial.v);
    }
  }
}

/// Warns of prescribed displacements of elastic bodies that are not zero at the start. Rigid bodies
/// may begin anywhere.
template <int dim>
void warn_of_jump(Case<dim> &c) {
  if (c.bodies->largest_elastic(c.initial.q) == 0.)
    return;
  c.warnings.push_back("a prescribed displacement is not zero at the start, and the body is not "
                       "preloaded: it begins with a jump there (Initial state/Static preload = "
                       "true removes it)");
}

/// True if a mesh has several components, and contacts alone hold one of them: the additions to the
/// factor of linear bodies are found for whole meshes.
template <int dim>
bool has_loose_component(const ElasticBody<dim> &body, const Supports<dim> &supports) {
  const auto &component = body.space.component;
  return std::count(component.begin(), component.end(), component.front()) !=
             static_cast<std::ptrdiff_t>(component.size()) &&
         !supports.free_motion(body).empty();
}

} // namespace

template <int dim>
void read_initial_state(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  State<dim> &state = c.initial;
  state.time = c.span.start;
  state.q = state.v = c.bodies->zero_field();
  if (start_from_run(input, c))
    return;
  const bool preloaded = !c.meshes.empty() && input.get("Initial state/Static preload") == "true";
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

template <int dim>
void check_supports(const CaseInput &input, const Case<dim> &c) {
  if (c.choices.has_inertia)
    return;
  const Supports<dim> supports(*c.bodies);
  Supports<dim> contact_supports = supports;
  contact_supports.add(c.boundary->trace);
  for (const auto &body : c.bodies->elastic) {
    if (c.bodies->operators.linear && has_loose_component(*body, supports))
      input.report("Time/Inertia",
                   "the mesh '" + std::filesystem::path(body->space.mesh.file).filename().string() +
                       "' has separate components, and contacts alone hold one of them; give each "
                       "component a mesh of its own (Mesh/File = one.msh, other.msh)");
    if (const std::string motion = contact_supports.free_motion(*body); !motion.empty())
      input.report("Time/Inertia",
                   (c.meshes.size() > 1 ? "body '" + body->space.mesh.name() + "'"
                                        : std::string("the body")) +
                       " or a component of it is not held: without inertia it is free to " +
                       motion +
                       " as a whole. Prescribe displacements, or let it touch another "
                       "body or a surface");
  }
}

PERCUSSION_INSTANTIATE(read_initial_state);
PERCUSSION_INSTANTIATE(check_supports);

} // namespace percussion
