#include <percussion/advice/idle_bodies.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/body/mesh.h>
#include <percussion/contact/broad_phase.h>

#include <algorithm>
#include <array>
#include <set>
#include <variant>

namespace percussion {
namespace {

/// Bodies and surfaces that a body may be in contact with.
template <int dim>
struct Partners {
  std::set<std::size_t> bodies; ///< elastic bodies, then rigid bodies
  std::vector<const Surface<dim> *> surfaces;

  bool empty() const { return bodies.empty() && surfaces.empty(); }
};

/// Returns the bodies of both sides of a pair.
template <int dim>
std::array<std::set<std::size_t>, 2> sides(const Case<dim> &c, const ContactPair<dim> &pair) {
  const System<dim> &system = *c.bodies;
  std::array<std::set<std::size_t>, 2> bodies;
  const auto add_region = [&](const std::string &name, std::size_t side) {
    bodies[side].insert(system.index_of(*system.region(name).body));
  };
  if (pair.region())
    add_region(*pair.region(), 0);
  for (const std::string &name : pair.opposite_regions())
    add_region(name, 1);
  for (const unsigned int body : pair.bodies())
    bodies[0].insert(system.elastic.size() + body);
  for (const unsigned int body : pair.opposite_bodies())
    bodies[1].insert(system.elastic.size() + body);
  return bodies;
}

/// Returns the partners of a body.
template <int dim>
Partners<dim> partners(const Case<dim> &c, std::size_t body) {
  Partners<dim> found;
  for (const auto &pair : c.boundary->pairs) {
    const auto bodies = sides(c, pair);
    for (const std::size_t side : {std::size_t(0), std::size_t(1)})
      if (bodies[side].count(body) > 0)
        found.bodies.insert(bodies[1 - side].begin(), bodies[1 - side].end());
    if (pair.surface() && bodies[0].count(body) > 0)
      found.surfaces.push_back(pair.surface());
  }
  found.bodies.erase(body);
  return found;
}

/// True if nothing prescribes or holds the motion of the body.
template <int dim>
bool is_free(const System<dim> &system, std::size_t body) {
  if (body < system.elastic.size()) {
    const Space<dim> &space = system.elastic[body]->space;
    for (unsigned int node = 0; node < space.n_nodes(); ++node)
      for (unsigned int d = 0; d < dim; ++d)
        if (system.is_prescribed(space, node, d))
          return false;
    return true;
  }
  const std::size_t rigid = body - system.elastic.size();
  for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
    if (system.is_prescribed(rigid, d))
      return false;
  return std::none_of(system.links.begin(), system.links.end(), [&](const Link<dim> &link) {
    return link.first.rigid == rigid || link.second.rigid == rigid;
  });
}

/// Positions of the outline of a body and the radius around them.
template <int dim>
struct Outline {
  std::vector<dealii::Point<dim>> points;
  double radius = 0; ///< [length]
};

/// Returns the outline of a body at the displacements q.
template <int dim>
Outline<dim> outline(const System<dim> &system, std::size_t body, const Vector &q) {
  if (body >= system.elastic.size()) {
    const RigidBody<dim> &rigid = system.rigid[body - system.elastic.size()];
    const RigidPose<dim> pose(rigid, system.rigid_values(q, body - system.elastic.size()));
    return {pose.outline(rigid), rigid.largest_radius()};
  }
  const Space<dim> &space = system.elastic[body]->space;
  Outline<dim> found{space.nodes, 0.};
  for (unsigned int node = 0; node < space.n_nodes(); ++node)
    found.points[node] += space.value_at(node, q);
  return found;
}

/// Returns the box around the outline at the end of a run, and after the displacements of another
/// run of the same duration at the last velocities.
template <int dim>
typename NearBodies<dim>::Box swept_box(const System<dim> &system, std::size_t body,
                                        const Vector &q, const Vector &later) {
  auto box = NearBodies<dim>::Box::empty();
  for (const Vector *const positions : {&q, &later}) {
    const auto around = outline(system, body, *positions);
    box.add(around.points);
    box.widen(around.radius);
  }
  return box;
}

/// True if the body would reach a partner: if the boxes of their paths intersect, or if it ends in
/// a surface. A level set counts as reached.
template <int dim>
bool would_meet(const Case<dim> &c, const State<dim> &state, const Vector &later, std::size_t body,
                const Partners<dim> &candidates) {
  const auto box = swept_box(*c.bodies, body, state.q, later);
  for (const std::size_t partner : candidates.bodies)
    if (box.intersects(swept_box(*c.bodies, partner, state.q, later)))
      return true;
  const auto reached = outline(*c.bodies, body, later);
  for (const Surface<dim> *const surface : candidates.surfaces) {
    if (std::holds_alternative<LevelSet>(surface->shape))
      return true; // its formula may have no value there
    for (const auto &x : reached.points)
      if (gap(*surface, x, state.time).distance < reached.radius)
        return true;
  }
  return false;
}

template <int dim>
std::string name_of(const Case<dim> &c, std::size_t body) {
  return body < c.bodies->elastic.size() ? c.meshes[body]->name()
                                         : c.bodies->rigid[body - c.bodies->elastic.size()].name;
}

} // namespace

template <int dim>
PressedBodies<dim>::PressedBodies(const Boundary<dim> &all) : boundary(all) {
  for (const auto &facets : boundary.facets) {
    facet_bodies.emplace_back();
    for (const auto &node : facets.nodes)
      facet_bodies.back().insert(node.elastic);
  }
}

template <int dim>
void PressedBodies<dim>::add(const StepRecord<dim> &record,
                             std::vector<unsigned int> &steps) const {
  const System<dim> &system = boundary.system;
  const std::size_t n_elastic = system.elastic.size();
  std::vector<bool> pressed(n_elastic + system.rigid.size());
  for (const auto &contact : record.contacts) {
    if (!contact.carries())
      continue;
    const ContactPoint<dim> &point = boundary.points[contact.point];
    for (const auto &body : {point.rigid_body(), contact.opposite_body})
      if (body)
        pressed[n_elastic + *body] = true;
    if (const auto body = point.elastic_body())
      pressed[*body] = true;
    if (point.opposite_facets)
      for (const std::size_t body : facet_bodies[*point.opposite_facets])
        pressed[body] = true;
  }
  steps.resize(pressed.size());
  for (std::size_t b = 0; b < pressed.size(); ++b)
    steps[b] += pressed[b] ? 1 : 0;
}

template <int dim>
std::string idle_bodies(const Case<dim> &c, const State<dim> &state,
                        const std::vector<unsigned int> &steps) {
  constexpr std::size_t most_searched = 100; // bodies without a contact, in crowds
  if (std::none_of(steps.begin(), steps.end(), [](unsigned int n) { return n > 0; }))
    return {};
  Vector later = state.q;
  c.bodies->move(state.time - c.span.start, state.v, later);
  const std::vector<bool> absent = absent_bodies(*c.bodies, state.time);
  std::vector<std::size_t> idle;
  std::size_t n_searched = 0;
  for (std::size_t body = 0; body < steps.size() && n_searched < most_searched; ++body) {
    const bool is_absent = body >= c.bodies->elastic.size() && !absent.empty() &&
                           absent[body - c.bodies->elastic.size()];
    if (steps[body] > 0 || is_absent || !is_free(*c.bodies, body))
      continue;
    ++n_searched;
    const auto candidates = partners(c, body);
    if (!candidates.empty() && !would_meet(c, state, later, body, candidates))
      idle.push_back(body);
  }
  if (idle.empty())
    return {};
  const std::string name = "'" + name_of(c, idle.front()) + "'";
  return (idle.size() == 1 ? "body " + name + " has"
                           : format("%zu bodies, the first ", idle.size()) + name + ", have") +
         " met nothing in this run, as other bodies have, and moves past all that its contacts "
         "name; if it should have met something, look at its position and velocity, at the "
         "direction of Gravity and at the sides that its contacts name";
}

template class PressedBodies<2>;
template class PressedBodies<3>;
PERCUSSION_INSTANTIATE(idle_bodies);

} // namespace percussion
