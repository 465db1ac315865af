#include <percussion/base/nearest_name.h>

#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>
#include <iterator>

namespace percussion {

using dealii::Patterns::Selection;

namespace {

const std::string section = "Contact";

} // namespace

void declare_sides(ParameterDeclarations &declarations) {
  const Described names("names of rigid bodies separated by commas, or all");
  declarations.declare("Region", "", Described("the name of a region of faces, or nothing"),
                       "Region of an elastic body whose nodes may touch. Give Region or Bodies.");
  declarations.declare("Bodies", "", names,
                       "Rigid bodies that may touch: surfaces by their contact points, other "
                       "bodies by their vertices and edges. Give Region or Bodies.");
  declare_surface(declarations);
  declarations.declare("Against", "all", names,
                       "Rigid bodies that may be touched, with Surface = rigid bodies. No body "
                       "touches itself.");
}

namespace {

/// The faces that may touch; nothing where they are reported as missing or unfit.
template <int dim>
std::optional<typename System<dim>::BodyRegion>
region_of_contact(const CaseInput &input, const std::string &entry, const Case<dim> &c) {
  if (c.meshes.empty() && !input.is_understood())
    return {}; // perhaps because of what is reported
  try {
    if (c.meshes.empty())
      throw InputError("there is no elastic body whose region this could be: Mesh/File is empty");
    const auto region = c.bodies->region(input.parameters.get(entry));
    const std::string why = not_of_boundary_faces<dim>(*region.region);
    if (!why.empty())
      throw InputError(why);
    return region;
  } catch (const InputError &error) {
    input.parameters.report(entry, error.what(), input.problems);
    return {};
  }
}

/// The bodies that an entry names, ascending; empty where one of the names is reported as wrong.
std::vector<unsigned int> named_bodies(const CaseInput &input, const std::string &entry,
                                       const RigidInput &rigid) {
  std::vector<unsigned int> bodies;
  const auto fail = [&](const std::string &why) {
    input.parameters.report(entry, why, input.problems);
    return std::vector<unsigned int>();
  };
  if (rigid.bodies.empty() && !input.is_understood())
    return {}; // perhaps because of what is reported
  if (rigid.bodies.empty())
    return fail("this case has no rigid bodies");
  const auto names = dealii::Utilities::split_string_list(input.parameters.get(entry), ',');
  if (std::find(names.begin(), names.end(), "all") != names.end()) {
    for (unsigned int b = 0; b < rigid.bodies.size(); ++b)
      bodies.push_back(b);
    return bodies;
  }
  for (const std::string &name : names) {
    const auto found = rigid.names.find(name);
    if (found == rigid.names.end()) {
      std::vector<std::string> known = {"all"};
      for (const auto &[known_name, copies] : rigid.sections)
        known.push_back(known_name);
      return fail("there is no rigid body '" + name + "'" + did_you_mean(name, known) +
                  (did_you_mean(name, known).empty() ? "." : "") +
                  " The rigid bodies: " + joined({known.begin() + 1, known.end()}, ", "));
    }
    bodies.insert(bodies.end(), found->second.begin(), found->second.end());
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

/// Report bodies whose shape keeps others from touching them.
bool can_be_touched(const CaseInput &input, const std::string &entry, const System<2> &system,
                    const std::vector<unsigned int> &bodies, bool by_nodes) {
  for (const unsigned int b : bodies) {
    const RigidBody &body = system.rigid[b];
    std::string why;
    if (by_nodes && body.outline.size() == 2)
      why = "is a stick, which has no inside that nodes could be kept out of; make it a thin "
            "rectangle";
    else if (!is_convex(body.outline))
      why = "is not convex, and a body that touches other bodies must be; put it together of "
            "convex ones, or let it touch surfaces only";
    if (!why.empty()) {
      input.parameters.report(entry, "the body '" + body.name + "' " + why, input.problems);
      return false;
    }
  }
  return true;
}

/// Report a contact in which nothing meets anything.
bool some_may_touch(const CaseInput &input, const std::string &entry,
                    const std::vector<unsigned int> &bodies,
                    const std::vector<unsigned int> &against) {
  if (bodies.size() > 1 || against.size() > 1 || bodies != against)
    return true;
  input.parameters.report(entry, "no body touches itself; name another one", input.problems);
  return false;
}

template <int dim>
TouchingPoints<dim> points_of_region(const typename System<dim>::BodyRegion &region) {
  TouchingPoints<dim> touching;
  const auto &nodes = region.body->space.nodes;
  for (const auto &x : nodes)
    touching.size = std::max(touching.size, x.distance(nodes.front()));
  for (const unsigned int node : region.region->vertices)
    touching.points.push_back(nodes[node]);
  return touching;
}

template <int dim>
TouchingPoints<dim> points_of_bodies(const Case<dim> &c, const std::vector<unsigned int> &bodies) {
  TouchingPoints<dim> touching;
  for (const unsigned int b : bodies) {
    const RigidBody &body = c.bodies->rigid[b];
    for (const auto &x : body.outline)
      touching.size = std::max(touching.size, x.distance(body.outline.front()));
    touching.points.insert(touching.points.end(), body.contact_points.begin(),
                           body.contact_points.end());
  }
  return touching;
}

/// What may touch: a region or bodies.
template <int dim>
bool read_first_side(const CaseInput &input, const std::string &name, const RigidInput &rigid,
                     const Case<dim> &c, ContactPair<dim> &pair, TouchingPoints<dim> &touching) {
  const std::string path = section + "/" + name + "/";
  const bool has_bodies = !input.parameters.get(path + "Bodies").empty();
  pair.region = input.parameters.get(path + "Region");
  if (has_bodies && !pair.region.empty()) {
    input.parameters.report(
        path + "Bodies", "this contact has a Region already; give one of the two", input.problems);
    return false;
  }
  if (has_bodies) {
    pair.bodies = named_bodies(input, path + "Bodies", rigid);
    touching = points_of_bodies(c, pair.bodies);
    return !pair.bodies.empty();
  }
  if (pair.region.empty()) {
    input.report_idle(section + "/" + name, c.meshes.empty()
                                                ? "its entry Bodies is missing"
                                                : "its entry Region or Bodies is missing");
    return false;
  }
  const auto region = region_of_contact(input, path + "Region", c);
  if (region)
    touching = points_of_region<dim>(*region);
  return region.has_value();
}

/// The bodies that are touched.
template <int dim>
bool read_obstacles(const CaseInput &input, const std::string &path, const RigidInput &rigid,
                    const Case<dim> &c, ContactPair<dim> &pair) {
  const std::string entry = path + "Against";
  pair.against = named_bodies(input, entry, rigid);
  std::vector<unsigned int> others; // no body is reported twice
  std::set_difference(pair.against.begin(), pair.against.end(), pair.bodies.begin(),
                      pair.bodies.end(), std::back_inserter(others));
  const bool first_fits = can_be_touched(input, path + "Bodies", *c.bodies, pair.bodies, false);
  const bool second_fits = can_be_touched(input, entry, *c.bodies, others, !pair.region.empty());
  return !pair.against.empty() && first_fits && second_fits &&
         some_may_touch(input, entry, pair.bodies, pair.against);
}

} // namespace

template <int dim>
bool read_sides(const CaseInput &input, const RigidInput &rigid, const Case<dim> &c,
                ContactPair<dim> &pair) {
  const std::string path = section + "/" + pair.name + "/";
  const std::string kind = input.parameters.get(path + "Surface");
  TouchingPoints<dim> touching;
  const bool first_fits = read_first_side(input, pair.name, rigid, c, pair, touching);
  auto surface = read_surface(input, path, c, touching);
  input.refuse_unused(path + "Against", kind == "rigid bodies", "with Surface = " + kind);
  if (kind == "rigid bodies" && !read_obstacles(input, path, rigid, c, pair))
    return false;
  if (!surface || !first_fits)
    return false;
  pair.surface = std::move(*surface);
  return true;
}

template bool read_sides<2>(const CaseInput &, const RigidInput &, const Case<2> &,
                            ContactPair<2> &);

} // namespace percussion
