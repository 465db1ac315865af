#include <percussion/base/error.h>
#include <percussion/contact/contacts.h>
#include <percussion/contact/polygons.h>

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

constexpr double far = std::numeric_limits<double>::infinity();

/// A share of the local size, and what round-off of the coordinates makes of a closed gap; the bare
/// test where the share is zero.
double closing_tolerance(double share, double local_size, double farthest) {
  const double round_off = 8. * std::numeric_limits<double>::epsilon() * farthest;
  return share > 0. ? share * local_size + round_off : 0.;
}

double diameter(const RigidBody &body) {
  double size = 0;
  for (const auto &x : body.outline)
    for (const auto &y : body.outline)
      size = std::max(size, x.distance(y));
  return size;
}

} // namespace

template <int dim>
void GapState<dim>::take(unsigned int i, const GapState &other) {
  distance[i] = other.distance[i];
  normal[i] = other.normal[i];
  if (!arm.empty()) {
    arm[i] = other.arm[i];
    obstacle_arm[i] = other.obstacle_arm[i];
  }
}

template <int dim>
Contacts<dim>::Contacts(const System<dim> &s, std::vector<ContactPair<dim>> p)
    : pairs(std::move(p)), system(s) {
  // Bodies are looked at when they come within a tenth of their sizes: farther than a step can see.
  for (const RigidBody &body : system.rigid) {
    sizes.push_back(diameter(body));
    margins.push_back(0.1 * sizes.back());
  }
  for (unsigned int i = 0; i < pairs.size(); ++i) {
    if (!pairs[i].region.empty())
      add_nodes(i);
    else if (pairs[i].against.empty())
      add_points_of_bodies(i);
    else
      add_body_pairs(i);
  }
}

template <int dim>
void Contacts<dim>::add_nodes(unsigned int pair_index) {
  const ContactPair<dim> &pair = pairs[pair_index];
  const ElasticBody<dim> &body = *system.elastic;
  const Region &region = body.space.mesh.region(pair.region);
  if (region.faces.empty())
    throw InputError("contact '" + pair.name + "': region '" + pair.region +
                     "' has no faces on the boundary of the body");
  const Vector area = unit_traction(body.space, region, 0, body.material.thickness);
  unsigned int left_out = 0, without_friction = 0;
  std::vector<unsigned int> obstacles = pair.against;
  if (obstacles.empty())
    obstacles.push_back(ContactPoint<dim>::none);
  for (const unsigned int node : region.vertices) {
    const auto &dofs = body.space.node_dofs[node];
    const auto n_held = std::count_if(dofs.begin(), dofs.end(), [&](unsigned int dof) {
      return system.motion.is_prescribed(dof);
    });
    // A percussion cannot change a prescribed motion. A node that keeps a direction of its own
    // keeps the normal contact; so does one that may push a body away.
    const bool stays = n_held < dim || !pair.against.empty();
    const bool slides_freely = n_held > 0 && pair.against.empty();
    left_out += !stays;
    without_friction += stays && slides_freely;
    for (const unsigned int obstacle : obstacles)
      if (stays)
        points.push_back({node, ContactPoint<dim>::none, obstacle, pair_index, dofs,
                          body.space.nodes[node], entries(area)[dofs[0]],
                          closing_tolerance(pair.gap_tolerance, body.space.local_size[node],
                                            body.space.nodes[node].norm()),
                          slides_freely ? 0. : pair.friction});
  }
  if (left_out > 0)
    remarks.push_back("contact '" + pair.name + "': " + std::to_string(left_out) +
                      " nodes take no part because their motion is prescribed");
  if (without_friction > 0)
    remarks.push_back("contact '" + pair.name + "': " + std::to_string(without_friction) +
                      " nodes have no friction because their motion is prescribed in part");
}

/// Whether all of a rigid body's motion is prescribed.
template <int dim>
bool Contacts<dim>::is_held(unsigned int body) const {
  for (unsigned int d = 0; d < RigidBody::n_dofs; ++d)
    if (!system.motion.is_prescribed(system.rigid_dof(body) + d))
      return false;
  return true;
}

template <int dim>
ContactPoint<dim> Contacts<dim>::point_of_body(unsigned int pair, unsigned int body,
                                               unsigned int obstacle,
                                               const dealii::Point<dim> &position) const {
  ContactPoint<dim> point;
  point.body = body;
  point.obstacle = obstacle;
  point.pair = pair;
  for (unsigned int d = 0; d < dim; ++d)
    point.dofs[d] = system.rigid_dof(body) + d;
  point.position = position;
  point.tolerance = closing_tolerance(pairs[pair].gap_tolerance, sizes[body], position.norm());
  point.friction = pairs[pair].friction;
  return point;
}

template <int dim>
void Contacts<dim>::add_points_of_bodies(unsigned int pair) {
  for (const unsigned int body : pairs[pair].bodies) {
    if (is_held(body)) {
      remarks.push_back("contact '" + pairs[pair].name + "': body '" + system.rigid[body].name +
                        "' takes no part because its motion is prescribed");
      continue;
    }
    for (const auto &position : system.rigid[body].contact_points)
      points.push_back(point_of_body(pair, body, ContactPoint<dim>::none, position));
  }
}

/// Each candidate costs memory and time in every step, near or far.
template <int dim>
void Contacts<dim>::refuse_too_many(const ContactPair<dim> &pair) const {
  constexpr unsigned int most = 2000000;
  if (size() > most)
    throw InputError("contact '" + pair.name + "': more than " + std::to_string(most) +
                     " vertices of bodies against other bodies; name fewer bodies that may touch "
                     "each other");
}

template <int dim>
void Contacts<dim>::add_body_pairs(unsigned int pair) {
  for (const unsigned int one : pairs[pair].bodies)
    for (const unsigned int other : pairs[pair].against) {
      if (one == other || (is_held(one) && is_held(other)))
        continue;
      refuse_too_many(pairs[pair]);
      const unsigned int a = std::min(one, other), b = std::max(one, other);
      const auto [found, is_new] = body_pairs.insert({{a, b}, {pair, size()}});
      if (!is_new && found->second.pair == pair)
        continue; // named in both lists
      if (!is_new)
        throw InputError("contacts '" + pairs[found->second.pair].name + "' and '" +
                         pairs[pair].name + "' both speak of the bodies '" + system.rigid[a].name +
                         "' and '" + system.rigid[b].name + "'");
      for (const auto &position : system.rigid[a].outline)
        points.push_back(point_of_body(pair, a, b, position));
      for (const auto &position : system.rigid[b].outline)
        points.push_back(point_of_body(pair, b, a, position));
    }
}

template <int dim>
bool Contacts<dim>::constant_frames() const {
  for (const auto &pair : pairs)
    if (!pair.surface.is_flat() || !pair.bodies.empty() || !pair.against.empty())
      return false;
  return true;
}

template <int dim>
std::vector<unsigned int> Contacts<dim>::touched_dofs() const {
  std::vector<unsigned int> dofs;
  const auto add_body = [&](unsigned int body) {
    for (unsigned int d = 0; d < RigidBody::n_dofs; ++d)
      dofs.push_back(system.rigid_dof(body) + d);
  };
  for (const auto &point : points) {
    if (point.node != ContactPoint<dim>::none)
      dofs.insert(dofs.end(), point.dofs.begin(), point.dofs.end());
    else
      add_body(point.body);
    if (point.obstacle != ContactPoint<dim>::none)
      add_body(point.obstacle);
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

template <int dim>
void Contacts<dim>::evaluate(const Vector &q, double t, GapState<dim> &gaps) const {
  gaps.distance.assign(size(), far);
  gaps.normal.resize(size());
  const std::vector<RigidPose> poses = system.poses(q);
  if (!poses.empty()) {
    gaps.arm.resize(size());
    gaps.obstacle_arm.resize(size());
  }
  std::vector<Outline> outlines;
  for (std::size_t b = 0; b < poses.size(); ++b)
    outlines.push_back(poses[b].outline(system.rigid[b]));
  std::vector<dealii::Tensor<1, dim>> moved; // a formula costs more than a gap
  for (const auto &pair : pairs)
    moved.push_back(displacement(pair.surface, t));
  for (unsigned int i = 0; i < size(); ++i) {
    const ContactPoint<dim> &point = points[i];
    dealii::Point<dim> x = point.position;
    if (point.body != ContactPoint<dim>::none) {
      if (point.obstacle != ContactPoint<dim>::none)
        continue;
      const RigidPose &pose = poses[point.body];
      gaps.arm[i] = pose.turned(x - system.rigid[point.body].centre);
      x = pose.centre + gaps.arm[i];
    } else
      for (unsigned int d = 0; d < dim; ++d)
        x[d] += entries(q)[point.dofs[d]];
    if (point.obstacle != ContactPoint<dim>::none) {
      const PolygonGap g = gap(outlines[point.obstacle], x);
      gaps.distance[i] = g.distance;
      gaps.normal[i] = g.normal;
      gaps.obstacle_arm[i] = x - poses[point.obstacle].centre;
    } else {
      const Gap<dim> g = gap(pairs[point.pair].surface, x - moved[point.pair]);
      gaps.distance[i] = g.distance;
      gaps.normal[i] = g.normal;
    }
  }
  evaluate_body_pairs(poses, outlines, gaps);
}

template <int dim>
void Contacts<dim>::evaluate_body_pairs(const std::vector<RigidPose> &poses,
                                        const std::vector<Outline> &outlines,
                                        GapState<dim> &gaps) const {
  if (body_pairs.empty())
    return;
  for (const auto &near : near_pairs(outlines, margins)) {
    const auto found = body_pairs.find(near);
    if (found == body_pairs.end())
      continue;
    const unsigned int a = near.first, b = near.second;
    for (const VertexOnEdge &place : touching_vertices(outlines[a], outlines[b])) {
      const unsigned int own = place.of_first ? a : b, other = place.of_first ? b : a;
      const unsigned int before =
          place.of_first ? 0 : static_cast<unsigned int>(outlines[a].size());
      const unsigned int i = found->second.first_candidate + before + place.vertex;
      const dealii::Point<2> &x = outlines[own][place.vertex];
      gaps.distance[i] = place.gap;
      gaps.normal[i] = place.normal;
      gaps.arm[i] = x - poses[own].centre;
      gaps.obstacle_arm[i] = x - poses[other].centre;
    }
  }
}

template <int dim>
void Contacts<dim>::jacobian(const GapState<dim> &gaps, ContactJacobian &H) const {
  static_assert(dim == 2, "a rotation in space has three components");
  H.rows_per_contact = dim;
  H.start.assign(1, 0);
  H.column.clear();
  H.value.clear();
  const auto add_body = [&](unsigned int body, const dealii::Tensor<1, dim> &direction,
                            const dealii::Tensor<1, dim> &arm, double sign) {
    const unsigned int dof = system.rigid_dof(body);
    H.column.insert(H.column.end(), {dof, dof + 1, dof + 2});
    const double moment = arm[0] * direction[1] - arm[1] * direction[0];
    H.value.insert(H.value.end(), {sign * direction[0], sign * direction[1], sign * moment});
  };
  for (unsigned int i = 0; i < size(); ++i) {
    if (!gaps.is_near(i)) {
      H.start.insert(H.start.end(), dim, H.start.back());
      continue;
    }
    for (const auto &direction : local_frame<dim>(gaps.normal[i])) {
      if (points[i].body != ContactPoint<dim>::none)
        add_body(points[i].body, direction, gaps.arm[i], 1.);
      else
        for (unsigned int d = 0; d < dim; ++d) {
          H.column.push_back(points[i].dofs[d]);
          H.value.push_back(direction[d]);
        }
      if (points[i].obstacle != ContactPoint<dim>::none)
        add_body(points[i].obstacle, direction, gaps.obstacle_arm[i], -1.);
      H.start.push_back(static_cast<unsigned int>(H.column.size()));
    }
  }
}

/// Of the body whose rotation a degree of freedom is, in which its moment arms are measured;
/// else 1.
template <int dim>
double Contacts<dim>::size_of(unsigned int dof) const {
  if (dof < system.n_elastic_dofs())
    return 1.;
  const unsigned int of_rigid = dof - system.n_elastic_dofs();
  return of_rigid % RigidBody::n_dofs == dim ? sizes[of_rigid / RigidBody::n_dofs] : 1.;
}

template <int dim>
bool Contacts<dim>::can_yield(const ContactJacobian &H, unsigned int row) const {
  double free_part = 0, whole = 0;
  for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k) {
    const double of_size = H.value[k] / size_of(H.column[k]), square = of_size * of_size;
    whole += square;
    free_part += system.motion.is_prescribed(H.column[k]) ? 0. : square;
  }
  return free_part > 1e-12 * whole;
}

template struct ContactPoint<2>;
template struct GapState<2>;
template class Contacts<2>;

} // namespace percussion
