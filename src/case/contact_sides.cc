#include <percussion/base/nearest_name.h>

#include "../contact/round_on_surface.h"
#include "parameter_sections.h"
#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace percussion {

using dealii::Patterns::Selection;

namespace {

const std::string default_discretisation = "by the sides";

} // namespace

void declare_sides(ParameterDeclarations &declarations, Dimensions dimensions) {
  const Described names("names of rigid bodies separated by commas, or all");
  declarations.declare("Region", "", Described("the name of a region of faces, or nothing"),
                       "Region of an elastic body, with the nodes of the contact. Give Region "
                       "or Bodies.");
  declarations.declare("Bodies", "", names, "Rigid bodies of the contact. Give Region or Bodies.");
  declare_surface(declarations, dimensions);
  declarations.declare("Against", "all",
                       Described("names of rigid bodies or of regions separated by commas, or all"),
                       "Opposite side: rigid bodies if Surface = rigid bodies, regions of elastic "
                       "bodies if Surface = region; the contact's own Region for self-contact.");
  declarations.declare(
      "Discretisation", default_discretisation,
      Selection(default_discretisation + "|mortar|mortar of region|nodes|nodes of both sides"),
      "Constraints that prevent penetration, if Surface = region. Default: mortar between "
      "regions, nodes of both sides for Bodies. nodes: the nodes of Region, or the vertices of "
      "Bodies, stay out of the faces of Against. nodes of both sides: in addition, the nodes of "
      "Against stay out of Region or Bodies. mortar: gaps and pressures of the nodes of the "
      "coarser side are means over their surroundings, which makes pressures smooth on meshes "
      "that do not match (Puso and Laursen 2004; Popp, Gee and Wall 2009). The coarser side has "
      "the longer mean edge or, if both are equal, fewer faces, or the name that comes first: the "
      "choice of Region does not affect the motion. A side that turns by more than 0.1 within an "
      "edge of a coarser and flatter one takes its place. mortar of region: mortar for the nodes "
      "of "
      "Region, even if its side is finer.");
}

namespace {

/// Returns the faces of a region that an entry names; no value if the region is missing or unfit,
/// which is reported.
template <int dim>
std::optional<typename System<dim>::BodyRegion>
region_of_contact(const CaseInput &section, const std::string &entry, const std::string &name,
                  const Case<dim> &c) {
  if (c.meshes.empty() && !section.is_understood())
    return {}; // possibly because of a reported error
  try {
    if (c.meshes.empty())
      throw InputError("there is no elastic body with regions: Mesh/File is empty");
    const auto region = c.bodies->region(name);
    if (const std::string reason = not_of_boundary_faces<dim>(*region.region); !reason.empty())
      throw InputError(reason);
    return region;
  } catch (const InputError &error) {
    section.report(entry, (section.get(entry) == name ? "" : "'" + name + "': ") + error.what());
    return {};
  }
}

/// Returns the bodies that an entry names, ascending; empty if one of the names is wrong, which is
/// reported.
template <int dim>
std::vector<unsigned int> named_bodies(const CaseInput &section, const std::string &entry,
                                       const RigidInput<dim> &rigid) {
  std::vector<unsigned int> bodies;
  const auto fail = [&](const std::string &reason) {
    section.report(entry, reason);
    return std::vector<unsigned int>();
  };
  if (rigid.bodies.empty() && !section.is_understood())
    return {}; // possibly because of a reported error
  if (rigid.bodies.empty())
    return fail("this case has no rigid bodies");
  for (const std::string &name : section.list(entry)) {
    if (name == "all") {
      bodies.resize(rigid.bodies.size());
      std::iota(bodies.begin(), bodies.end(), 0);
      return bodies;
    }
    const auto found = rigid.names.find(name);
    if (found == rigid.names.end()) {
      auto known_names = rigid.section_names();
      const std::string names = listed(known_names);
      known_names.insert(known_names.begin(), "all");
      const std::string hint = did_you_mean(name, known_names);
      return fail("there is no rigid body '" + name + "'" + (hint.empty() ? "." : hint) +
                  " The rigid bodies: " + names);
    }
    bodies.insert(bodies.end(), found->second.begin(), found->second.end());
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

/// True if other bodies can touch these bodies; reports a body with an unfit shape.
template <int dim>
bool can_be_opposite(const CaseInput &section, const std::string &entry, const System<dim> &system,
                     const std::vector<unsigned int> &bodies,
                     [[maybe_unused]] bool is_touched_by_nodes) {
  for (const unsigned int b : bodies) {
    const RigidBody<dim> &body = system.rigid[b];
    std::string reason;
    if constexpr (dim == 2) {
      unsigned int vertex = 0;
      for (const PlanePiece &piece : pieces_of(body)) {
        const auto first = body.outline.begin() + vertex;
        if (is_touched_by_nodes && piece.n_vertices == 2)
          reason =
              "is a stick, which has no interior to keep nodes out of; make it a thin rectangle";
        else if (piece.n_vertices > 2 && !is_convex(Outline(first, first + piece.n_vertices)))
          reason = "is not convex, and a body that touches other bodies must be convex; compose it "
                   "of convex pieces (Part of), or let it touch surfaces only";
        vertex += piece.n_vertices;
      }
    }
    if (!reason.empty()) {
      section.report(entry, "the body '" + body.name + "' " + reason);
      return false;
    }
  }
  return true;
}

/// Reads the first side of a contact: a region or bodies.
template <int dim>
bool read_first_side(const CaseInput &section, const RigidInput<dim> &rigid, const Case<dim> &c,
                     ContactPair<dim> &pair) {
  const std::string name_of_region = section.get("Region");
  if (section.has("Bodies") && !name_of_region.empty()) {
    section.report("Bodies", "this contact has a Region already; give either Region or Bodies");
    return false;
  }
  if (section.has("Bodies")) {
    pair.own_side = RigidBodies{named_bodies(section, "Bodies", rigid)};
    return !pair.bodies().empty();
  }
  if (name_of_region.empty()) {
    section.report_idle(c.meshes.empty() ? "its entry Bodies is missing"
                                         : "its entry Region or Bodies is missing");
    return false;
  }
  pair.own_side = ElasticRegion{name_of_region};
  return region_of_contact(section, "Region", name_of_region, c).has_value();
}

/// Reads the bodies on the second side.
template <int dim>
bool read_opposite_bodies(const CaseInput &section, const RigidInput<dim> &rigid,
                          const Case<dim> &c, ContactPair<dim> &pair) {
  const std::string entry = "Against";
  pair.opposite_side = RigidBodies{named_bodies(section, entry, rigid)};
  const auto &bodies = pair.bodies(), &opposite_bodies = pair.opposite_bodies();
  std::vector<unsigned int> second_bodies; // reports no body twice
  std::set_difference(opposite_bodies.begin(), opposite_bodies.end(), bodies.begin(), bodies.end(),
                      std::back_inserter(second_bodies));
  const bool first_fits = can_be_opposite(section, "Bodies", *c.bodies, bodies, false);
  const bool second_fits =
      can_be_opposite(section, entry, *c.bodies, second_bodies, pair.region() != nullptr);
  if (opposite_bodies.empty() || !first_fits || !second_fits)
    return false;
  if (bodies.size() > 1 || opposite_bodies.size() > 1 || bodies != opposite_bodies)
    return true;
  section.report(entry, "no body touches itself; name another body");
  return false;
}

/// Reads the regions on the second side.
template <int dim>
bool read_opposite_regions(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair) {
  const std::string entry = "Against";
  const auto fail = [&](const std::string &reason) {
    section.report(entry, reason);
    return false;
  };
  if (!section.is_changed(entry))
    return fail("Surface = region requires the names of the opposite regions" +
                (pair.region() ? "; '" + *pair.region() + "' again means self-contact" : ""));
  const auto names = section.list(entry);
  pair.opposite_side = ElasticRegions{names};
  if (pair.is_self_contact())
    return true;
  std::vector<std::pair<std::string, typename System<dim>::BodyRegion>> regions;
  if (pair.region())
    if (const auto own_region = region_of_contact(section, "Region", *pair.region(), c))
      regions.emplace_back(*pair.region(), *own_region);
  const std::size_t n_own = regions.size();
  for (const std::string &name : names) {
    const auto region = region_of_contact(section, entry, name, c);
    if (!region)
      return false;
    for (std::size_t i = 0; i < regions.size(); ++i)
      if (const auto &[region_name, faces] = regions[i]; have_common_faces<dim>(faces, *region))
        return fail("the regions '" + region_name + "' and '" + name + "' have faces in common" +
                    (i < n_own
                         ? ", which would be on both sides of the contact: leave them out of one "
                           "region, or name the same region on both sides for self-contact"
                         : ": name each face once"));
    regions.emplace_back(name, *region);
  }
  return true;
}

template <int dim>
bool read_discretisation(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair) {
  const std::string entry = "Discretisation", value = section.get(entry);
  const bool has_bodies = !pair.bodies().empty();
  pair.discretisation = value == "nodes"              ? Discretisation::nodes
                        : value == "mortar of region" ? Discretisation::mortar_of_region
                        : value == "mortar" || (value == default_discretisation && !has_bodies)
                            ? Discretisation::mortar
                            : Discretisation::nodes_of_both_sides;
  if (pair.is_mortar() && has_bodies) {
    section.report(entry,
                   "rigid bodies touch by their vertices; mortar is for Region against regions");
    return false;
  }
  return pair.discretisation != Discretisation::nodes_of_both_sides || !has_bodies ||
         can_be_opposite(section, "Bodies", *c.bodies, pair.bodies(), true);
}

/// True if no cylinder is on the first side of a contact that has no contacts of cylinders;
/// otherwise reports it.
template <int dim>
bool can_touch_cylinders([[maybe_unused]] const CaseInput &section,
                         [[maybe_unused]] const System<dim> &system,
                         [[maybe_unused]] const ContactPair<dim> &pair) {
  if constexpr (dim == 3) {
    const bool is_convex = pair.surface() && may_touch_between_ends(*pair.surface());
    if (!is_convex && !pair.is_on_faces())
      return true;
    for (const unsigned int b : pair.bodies())
      for (const ConvexShape &shape : system.rigid[b].shapes)
        if (shape.is_cylinder()) {
          section.report("Surface",
                         "the body '" + system.rigid[b].name +
                             "' is or has a cylinder, which touches half-spaces, the inside of "
                             "spheres and of cylinders, rigid bodies, and nodes of elastic bodies "
                             "(Region and Surface = rigid bodies); a capsule or a polyhedron "
                             "touches all surfaces");
          return false;
        }
  }
  return true;
}

} // namespace

template <int dim>
bool have_common_faces(const typename System<dim>::BodyRegion &a,
                       const typename System<dim>::BodyRegion &b) {
  std::set<std::pair<unsigned int, unsigned int>> faces;
  for (const CellFace &face : a.region->faces)
    faces.emplace(face.cell, face.face);
  return a.body == b.body &&
         std::any_of(b.region->faces.begin(), b.region->faces.end(), [&](const CellFace &face) {
           return faces.count({face.cell, face.face}) > 0;
         });
}

template <int dim>
OwnPoints<dim> own_points(const System<dim> &system, const ContactPair<dim> &pair) {
  OwnPoints<dim> own;
  if (pair.region()) {
    const auto [body, region] = system.region(*pair.region());
    const auto &nodes = body->space.nodes;
    for (const auto &x : nodes)
      own.size = std::max(own.size, x.distance(nodes.front()));
    for (const unsigned int node : region->nodes)
      own.points.push_back(nodes[node]);
  }
  for (const unsigned int b : pair.bodies()) {
    const RigidBody<dim> &body = system.rigid[b];
    for (const auto &x : body.outline)
      own.size = std::max(own.size, x.distance(body.outline.front()) + 2 * body.largest_radius());
    const auto &points = dim == 2 ? body.contact_points : body.outline;
    own.points.insert(own.points.end(), points.begin(), points.end());
    if (own.points.empty())
      own.points = body.outline; // centre of a disc
  }
  return own;
}

template <int dim>
bool read_sides(const CaseInput &section, const RigidInput<dim> &rigid, const Case<dim> &c,
                ContactPair<dim> &pair) {
  const std::string kind = section.get("Surface");
  const bool has_bodies = kind == "rigid bodies", has_regions = kind == "region";
  const bool first_fits = read_first_side(section, rigid, c, pair);
  auto surface =
      read_surface(section, c, first_fits ? own_points(*c.bodies, pair) : OwnPoints<dim>());
  section.refuse_unused("Against", has_bodies || has_regions,
                        "with Surface = " + kind + "; take Surface = region or rigid bodies");
  section.refuse_unused("Discretisation", has_regions, "with Surface = " + kind);
  if (has_regions && (!first_fits || !read_opposite_regions(section, c, pair) ||
                      !read_discretisation(section, c, pair)))
    return false;
  if (has_bodies && !read_opposite_bodies(section, rigid, c, pair))
    return false;
  if (!surface || !first_fits)
    return false;
  if (!has_regions && !has_bodies)
    pair.opposite_side = std::move(*surface);
  return can_touch_cylinders(section, *c.bodies, pair);
}

PERCUSSION_INSTANTIATE(have_common_faces);
PERCUSSION_INSTANTIATE(own_points);
PERCUSSION_INSTANTIATE(read_sides);

} // namespace percussion
