#include <percussion/base/error.h>
#include <percussion/contact/boundary.h>
#include <percussion/contact/side_geometry.h>

#include "axis_faces.h"
#include "round_on_surface.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace percussion {
namespace {

template <int dim>
double diameter(const RigidBody<dim> &body) {
  double size = 0;
  for (const auto &x : body.outline)
    for (const auto &y : body.outline)
      size = std::max(size, x.distance(y));
  return size + 2 * body.largest_radius();
}

/// Throws InputError unless the displacements are linear on the faces of a region.
template <int dim>
void check_trace(const ElasticBody<dim> &body, const Region &region, const std::string &name) {
  const Mesh<dim> &mesh = body.space.mesh;
  if (!region.nodes.empty() && region.nodes.back() >= mesh.triangulation.n_vertices())
    throw InputError("the displacements of region '" + name +
                     "' are quadratic, and contacts act on linear faces; name it in Contact/Region "
                     "or Contact/Against of the case");
}

/// Returns the nodes of each elastic body on both sides of the pairs. Nitsche's method takes the
/// stress of cells, and hence all of their nodes.
template <int dim>
std::vector<std::vector<unsigned int>> nodes_of_trace(const System<dim> &system,
                                                      const std::vector<ContactPair<dim>> &pairs) {
  std::vector<std::vector<unsigned int>> nodes(system.elastic.size());
  const auto add = [&](const ContactPair<dim> &pair, const std::string &name) {
    const auto [body, region] = system.region(name);
    check_trace(*body, *region, name);
    auto &body_nodes = nodes[system.index_of(*body)];
    body_nodes.insert(body_nodes.end(), region->nodes.begin(), region->nodes.end());
    if (pair.formulation != Formulation::nitsche)
      return;
    std::vector<bool> is_at_face(body->space.mesh.triangulation.n_active_cells(), false);
    for (const CellFace &face : region->faces)
      is_at_face[face.cell] = true;
    for (const auto &cell : body->space.mesh.triangulation.active_cell_iterators())
      if (is_at_face[cell->active_cell_index()])
        for (const unsigned int v : cell->vertex_indices())
          body_nodes.push_back(cell->vertex_index(v));
  };
  for (const ContactPair<dim> &pair : pairs)
    try {
      if (pair.region())
        add(pair, *pair.region());
      for (const std::string &name : pair.opposite_regions())
        add(pair, name);
    } catch (const InputError &error) {
      if (pair.is_on_faces())
        throw InputError("contact '" + pair.name + "': " + error.what());
      throw;
    }
  return nodes;
}

/// Returns the number of vertices of the rigid bodies of a pair of rigid bodies, otherwise zero.
template <int dim>
std::size_t n_vertices(const System<dim> &system, const ContactPair<dim> &pair) {
  std::size_t n = 0;
  if (!pair.region() && !pair.is_between_bodies())
    for (const unsigned int body : pair.bodies())
      n += system.rigid[body].outline.size();
  else if (!pair.region() && !pair.is_on_faces())
    for (const RigidBody<dim> &body : system.rigid)
      n += body.outline.size();
  return n;
}

/// Returns the points of a shape that touch faces: its vertices; of a capsule, centres of spheres
/// along the segment that are at most one radius apart.
std::vector<dealii::Point<3>> points_on_facets(const ConvexShape &shape) {
  constexpr double most_spheres = 1000;
  if (!shape.is_capsule())
    return shape.vertices;
  const dealii::Tensor<1, 3> segment = shape.vertices[1] - shape.vertices[0];
  const auto n =
      static_cast<unsigned int>(std::min(std::ceil(segment.norm() / shape.radius), most_spheres));
  std::vector<dealii::Point<3>> centres = {shape.vertices[0]};
  for (unsigned int k = 1; k < n; ++k)
    centres.push_back(shape.vertices[0] + double(k) / n * segment);
  centres.push_back(shape.vertices[1]);
  return centres;
}

/// Returns a remark on the points of a pair with friction, the last ones from `first` on, that have
/// no friction: it would act against their prescribed motion. Empty if there are none.
template <int dim>
std::string remark_on_friction(const ContactPair<dim> &pair, const ContactPointList<dim> &points,
                               unsigned int first) {
  unsigned int n = 0;
  bool are_nodes = true;
  for (unsigned int i = first; pair.has_friction() && i < points.size(); ++i) {
    const ContactPoint<dim> &point = points[i];
    n += !point.has_friction;
    are_nodes = are_nodes && point.shape().empty();
  }
  return n == 0 ? std::string()
                : "contact '" + pair.name + "': " + std::to_string(n) +
                      (are_nodes ? " nodes" : " quadrature points") +
                      " have no friction because their motion is prescribed in part";
}

} // namespace

template <int dim>
Boundary<dim>::Boundary(const System<dim> &s, std::vector<ContactPair<dim>> p)
    : system(s), pairs(std::move(p)), trace(s, nodes_of_trace(s, pairs)), carriers(pairs.size()),
      multipliers(pairs.size()), roles(pairs.size()), vertices(pairs.size()) {
  for (unsigned int body = 0; body < system.rigid.size(); ++body) {
    sizes.push_back(diameter(system.rigid[body]));
    is_fixed.push_back(is_held(body));
  }
  for (unsigned int i = 0; i < pairs.size(); ++i) {
    first_point.push_back(static_cast<unsigned int>(points.size()));
    points.start_pair(n_vertices(system, pairs[i]));
    if (pairs[i].is_on_faces())
      add_sides(i);
    else if (pairs[i].region() && pairs[i].contact_points == ContactPoints::quadrature)
      add_quadrature_points(i);
    else if (pairs[i].region())
      add_nodes(i);
    else if (!pairs[i].is_between_bodies())
      add_points_of_bodies(i);
    else
      add_vertices(i);
    points.finish_pair();
    if (const std::string remark = remark_on_friction(pairs[i], points, first_point[i]);
        !remark.empty())
      remarks.push_back(remark);
  }
  first_point.push_back(static_cast<unsigned int>(points.size()));
  points.shrink();
  for (unsigned int i = 0; i < pairs.size(); ++i)
    make_multipliers(i);
  refuse_repeated_bodies();
}

template <int dim>
typename Boundary<dim>::OwnRegion Boundary<dim>::own_region(const ContactPair<dim> &pair) const {
  const auto [body, region] = system.region(*pair.region());
  if (region->faces.empty())
    throw InputError("contact '" + pair.name + "': region '" + *pair.region() +
                     "' has no faces on the boundary of the body");
  refuse_axis_faces(*body, *region, "contact '" + pair.name + "': region '" + *pair.region() + "'");
  return {*body, *region, system.index_of(*body)};
}

/// Returns the stiffness given for the pair or, if it is zero, ten times the P-wave modulus of the
/// body's stiffest material over the shortest edge.
template <int dim>
double Boundary<dim>::spring(const ContactPair<dim> &pair, unsigned int elastic,
                             double size) const {
  constexpr double factor = 10;
  if (pair.penalty_stiffness > 0.)
    return pair.penalty_stiffness;
  double modulus = 0;
  for (const auto &material : system.elastic[elastic]->materials.list)
    modulus = std::max(modulus, material.elastic.lambda + 2. * material.elastic.mu);
  return factor * modulus / size;
}

/// Returns the number of prescribed directions of a node, and whether they remove its friction. In
/// 3D, friction remains in the free tangential direction if the only prescribed direction is at
/// rest and tangential to the surface, as in plane strain.
template <int dim>
typename Boundary<dim>::Held Boundary<dim>::held_directions(const ContactPair<dim> &pair,
                                                            unsigned int first_entry) const {
  Held held_ones{0, false};
  for (unsigned int d = 0; d < dim; ++d)
    held_ones.n_directions += trace.is_prescribed(first_entry + d);
  held_ones.has_no_friction = held_ones.n_directions > 0 && !pair.is_between_bodies();
  const bool may_slip = dim == 3 && held_ones.n_directions == 1 && pair.surface();
  for (unsigned int d = 0; d < dim && may_slip; ++d)
    if (trace.is_at_rest(first_entry + d) && is_along(*pair.surface(), d))
      held_ones.has_no_friction = false;
  return held_ones;
}

template <int dim>
void Boundary<dim>::add_nodes(unsigned int pair_index) {
  const ContactPair<dim> &pair = pairs[pair_index];
  const auto [own_body, region, elastic] = own_region(pair);
  const ElasticBody<dim> *const body = &own_body;
  const std::vector<double> area = tributary_areas(*body, region);
  unsigned int left_out = 0;
  for (const unsigned int node : region.nodes) {
    const unsigned int entry = trace.node_entry(body->space, node);
    const auto [n_held, has_no_friction] = held_directions(pair, entry);
    // A percussion cannot change a prescribed motion. A node with a free direction keeps its normal
    // contact; so does a node that may push a body away.
    const bool stays = n_held < dim || pair.is_between_bodies();
    left_out += !stays;
    if (!stays)
      continue;
    ContactPoint<dim> point;
    point.location = MeshNode{elastic, node};
    point.entry = entry;
    point.position = body->space.nodes[node];
    point.area = area[node];
    const double size = body->space.local_size[node];
    set_law(pair, size, spring(pair, elastic, size), !has_no_friction, point);
    points.push_back(point);
  }
  if (left_out > 0)
    remarks.push_back("contact '" + pair.name + "': " + std::to_string(left_out) +
                      " nodes take no part because their motion is prescribed");
}

/// Adds the points of both sides of a pair on faces. A node with prescribed motion keeps its
/// contacts, because it may push the opposite side away.
template <int dim>
void Boundary<dim>::add_sides(unsigned int pair_index) {
  const ContactPair<dim> &pair = pairs[pair_index];
  const auto add_side = [&](const std::vector<std::string> &regions) {
    try {
      facets.push_back(make_facets(system, regions));
    } catch (const InputError &error) {
      throw InputError("contact '" + pair.name + "': " + error.what());
    }
    for (FacetNode<dim> &node : facets.back().nodes)
      node.entry = trace.node_entry(system.elastic[node.elastic]->space, node.node);
    return static_cast<unsigned int>(facets.size()) - 1;
  };
  const bool is_symmetric = pair.discretisation == Discretisation::nodes_of_both_sides;
  const unsigned int opposite_facets = add_side(pair.opposite_regions());
  if (!pair.bodies().empty()) {
    add_vertices_on_facets(pair_index, opposite_facets);
    if (is_symmetric)
      add_nodes_of_facets(pair_index, opposite_facets, {});
  } else if (pair.is_self_contact())
    add_points_of_facets(pair_index, opposite_facets, opposite_facets, pair.opposite_regions());
  else {
    const unsigned int own_facets = add_side({*pair.region()});
    const bool turned =
        opposite_side_carries(pair_index, facets[own_facets], facets[opposite_facets]);
    if (pair.is_mortar())
      carriers[pair_index] = turned ? pair.opposite_regions() : std::vector{*pair.region()};
    if (!turned)
      add_points_of_facets(pair_index, own_facets, opposite_facets, {*pair.region()});
    if (turned || is_symmetric)
      add_points_of_facets(pair_index, opposite_facets, own_facets, pair.opposite_regions());
  }
}

template <int dim>
bool Boundary<dim>::opposite_side_carries(unsigned int pair, const Facets<dim> &own_facets,
                                          const Facets<dim> &opposite_facets) const {
  if (pairs[pair].discretisation != Discretisation::mortar)
    return false;
  if (is_curved_within_facets(own_facets, opposite_facets))
    return false;
  if (is_curved_within_facets(opposite_facets, own_facets))
    return true;
  const double own_length = mean_length(own_facets), opposite_length = mean_length(opposite_facets);
  constexpr double round_off = 1e-6; // round-off of coordinates in mesh files
  if (std::abs(own_length - opposite_length) > round_off * own_length)
    return opposite_length > own_length;
  // A slider is covered by what it slides on, while nodes ahead of it become covered at a depth.
  const std::size_t n_own = own_facets.facets.size(), n_opposite = opposite_facets.facets.size();
  if (n_own != n_opposite)
    return n_opposite < n_own;
  const auto &names = pairs[pair].opposite_regions();
  return *std::min_element(names.begin(), names.end()) < *pairs[pair].region();
}

/// Adds the nodes or quadrature points of one side, with the names of its regions.
template <int dim>
void Boundary<dim>::add_points_of_facets(unsigned int pair, unsigned int own_facets,
                                         unsigned int opposite_facets,
                                         const std::vector<std::string> &regions) {
  if (pairs[pair].contact_points == ContactPoints::quadrature)
    add_quadrature_points_of_facets(pair, own_facets, opposite_facets, regions);
  else
    add_nodes_of_facets(pair, own_facets, opposite_facets);
}

/// Gives a point its size and the law of its pair. A gap counts as closed up to a fraction of the
/// size plus the round-off of the coordinates; only at zero if the fraction is zero.
template <int dim>
void Boundary<dim>::set_law(const ContactPair<dim> &pair, double size, double stiffness,
                            bool may_have_friction, ContactPoint<dim> &point) {
  const double round_off = 8. * std::numeric_limits<double>::epsilon() * point.position.norm();
  point.size = size;
  point.tolerance = pair.gap_tolerance > 0. ? pair.gap_tolerance * size + round_off : 0.;
  point.spring = stiffness;
  point.has_friction = may_have_friction && pair.has_friction();
  point.friction = may_have_friction ? pair.friction : 0.;
}

template <int dim>
void Boundary<dim>::add_nodes_of_facets(unsigned int pair, unsigned int own_facets,
                                        std::optional<unsigned int> opposite_facets) {
  std::set<std::pair<unsigned int, unsigned int>> shared;
  if (opposite_facets && *opposite_facets != own_facets)
    for (const FacetNode<dim> &node : facets[*opposite_facets].nodes)
      shared.emplace(node.elastic, node.node);
  for (unsigned int i = 0; i < facets[own_facets].nodes.size(); ++i) {
    const FacetNode<dim> &node = facets[own_facets].nodes[i];
    ContactPoint<dim> point;
    point.is_on_both_sides = shared.count({node.elastic, node.node}) > 0;
    point.location = MeshNode{node.elastic, node.node};
    point.entry = node.entry;
    point.position = node.position;
    point.area = node.area;
    set_law(pairs[pair], node.size, spring(pairs[pair], node.elastic, node.size), true, point);
    point.opposite_facets = opposite_facets;
    point.own_facets = {own_facets, i};
    points.push_back(point);
  }
}

template <int dim>
void Boundary<dim>::add_vertices_on_facets(unsigned int pair, unsigned int opposite_facets) {
  const auto add_vertex = [&](const RigidPoint &rigid_point, const dealii::Point<dim> &x) {
    ContactPoint<dim> point = point_of_body(pair, rigid_point, x);
    point.opposite_facets = opposite_facets;
    points.push_back(point);
  };
  for (const unsigned int body : pairs[pair].bodies()) {
    const RigidBody<dim> &rigid_body = system.rigid[body];
    if constexpr (dim == 2) {
      unsigned int v = 0;
      for (const PlanePiece &piece : pieces_of(rigid_body))
        for (unsigned int k = 0; k < piece.n_vertices; ++k, ++v)
          add_vertex({body, piece.radius, v}, rigid_body.outline[v]);
    } else
      for (unsigned int shape = 0; shape < rigid_body.shapes.size(); ++shape)
        for (const auto &vertex : points_on_facets(rigid_body.shapes[shape]))
          add_vertex({body, rigid_body.shapes[shape].radius, shape}, vertex);
  }
}

template <int dim>
bool Boundary<dim>::is_held(unsigned int body) const {
  for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
    if (!trace.is_prescribed(trace.rigid_body_entry(body) + d))
      return false;
  return true;
}

template <int dim>
ContactPoint<dim> Boundary<dim>::point_of_body(unsigned int pair, const RigidPoint &rigid_point,
                                               const dealii::Point<dim> &position) const {
  const unsigned int body = rigid_point.body;
  ContactPoint<dim> point;
  point.location = rigid_point;
  point.entry = trace.rigid_body_entry(body);
  point.position = position;
  set_law(pairs[pair], sizes[body], pairs[pair].penalty_stiffness, true, point);
  return point;
}

template <int dim>
void Boundary<dim>::add_points_of_bodies(unsigned int pair) {
  for (const unsigned int body : pairs[pair].bodies()) {
    if (is_fixed[body]) {
      remarks.push_back("contact '" + pairs[pair].name + "': body '" + system.rigid[body].name +
                        "' takes no part because its motion is prescribed");
      continue;
    }
    for (const auto &position : system.rigid[body].contact_points)
      points.push_back(point_of_body(pair, {body}, position));
    unsigned int first = 0;
    for (const PlanePiece &piece : system.rigid[body].pieces) {
      if (piece.radius > 0.)
        points.push_back(
            point_of_body(pair, {body, piece.radius}, system.rigid[body].outline[first]));
      first += piece.n_vertices;
    }
    if constexpr (dim == 3)
      for (unsigned int shape = 0; shape < system.rigid[body].shapes.size(); ++shape)
        add_points_of_shape(pair, body, shape);
  }
}

/// Adds the vertices of a shape, the rims of a cylinder in place of them, and the segment of a
/// capsule if it may touch the surface between its ends.
template <int dim>
void Boundary<dim>::add_points_of_shape(unsigned int pair, unsigned int body, unsigned int index) {
  if constexpr (dim == 3) {
    constexpr unsigned int n_quarters = 4;
    const ConvexShape &shape = system.rigid[body].shapes[index];
    for (const auto &vertex : shape.vertices)
      if (!shape.is_cylinder())
        points.push_back(point_of_body(pair, {body, shape.radius}, vertex));
      else
        for (unsigned int quarter = 0; quarter < n_quarters; ++quarter)
          points.push_back(
              point_of_body(pair, {body, 0., index, RigidFeature::rim, quarter}, vertex));
    if (shape.is_capsule() && may_touch_between_ends(*pairs[pair].surface()))
      points.push_back(point_of_body(pair, {body, shape.radius, index, RigidFeature::segment},
                                     shape.vertices[0]));
  }
}

template <int dim>
void Boundary<dim>::add_vertices(unsigned int pair) {
  roles[pair].resize(system.rigid.size());
  vertices[pair].resize(system.rigid.size());
  for (const unsigned int body : pairs[pair].bodies())
    roles[pair][body].is_own = true;
  for (const unsigned int body : pairs[pair].opposite_bodies())
    roles[pair][body].is_opposite = true;
  for (unsigned int body = 0; body < system.rigid.size(); ++body) {
    if (!roles[pair][body].is_own && !roles[pair][body].is_opposite)
      continue;
    vertices[pair][body] = static_cast<unsigned int>(points.size());
    for (const auto &position : system.rigid[body].outline)
      points.push_back(point_of_body(pair, {body}, position));
  }
}

template <int dim>
bool Boundary<dim>::admits_contact(unsigned int pair, unsigned int a, unsigned int b) const {
  if (roles[pair].empty() || a == b || (is_fixed[a] && is_fixed[b]))
    return false;
  const Role &first_role = roles[pair][a], &second_role = roles[pair][b];
  return (first_role.is_own && second_role.is_opposite) ||
         (first_role.is_opposite && second_role.is_own);
}

/// Throws if two pairs define contact between the same two bodies. They do so if one of the bodies
/// is on the own side in both pairs and the other on the opposite side in both, or if the roles are
/// exchanged in one of the pairs.
template <int dim>
void Boundary<dim>::refuse_repeated_bodies() const {
  using Member = bool Role::*;
  const auto common_bodies = [&](unsigned int p, Member a, unsigned int q, Member b) {
    std::vector<unsigned int> bodies;
    for (unsigned int body = 0; body < roles[p].size() && body < roles[q].size(); ++body)
      if (roles[p][body].*a && roles[q][body].*b)
        bodies.push_back(body);
    return bodies;
  };
  const auto refuse_common = [&](unsigned int p, unsigned int q, Member as_first,
                                 Member as_second) {
    const auto first_bodies = common_bodies(p, &Role::is_own, q, as_first);
    const auto second_bodies = common_bodies(p, &Role::is_opposite, q, as_second);
    // If any two of these bodies may touch, two of the first few do: the loops end early.
    for (const unsigned int a : first_bodies)
      for (const unsigned int b : second_bodies)
        if (a != b && !(is_fixed[a] && is_fixed[b]))
          throw InputError("contacts '" + pairs[p].name + "' and '" + pairs[q].name +
                           "' both define contact between '" + system.rigid[std::min(a, b)].name +
                           "' and '" + system.rigid[std::max(a, b)].name + "'");
  };
  for (unsigned int q = 0; q < pairs.size(); ++q)
    for (unsigned int p = 0; p < q; ++p) {
      refuse_common(p, q, &Role::is_own, &Role::is_opposite);
      refuse_common(p, q, &Role::is_opposite, &Role::is_own);
    }
}

template <int dim>
Projectable Boundary<dim>::projectable() const {
  for (const ContactPair<dim> &pair : pairs)
    if (pair.contact_points == ContactPoints::quadrature)
      return Projectable::none;
  const auto has_prescribed_motion = [this](const ContactPoint<dim> &point) {
    for (unsigned int d = 0; d < dim; ++d)
      if (trace.is_prescribed(point.entry + d))
        return true;
    return false;
  };
  for (unsigned int pair = 0; pair < pairs.size(); ++pair)
    for (unsigned int i = first_point[pair]; pairs[pair].is_on_faces() && i < first_point[pair + 1];
         ++i)
      if (points[i].mesh_node() && has_prescribed_motion(points[i]))
        return Projectable::most;
  return Projectable::all;
}

template <int dim>
unsigned int Boundary<dim>::pair_of(unsigned int i) const {
  const auto next = std::upper_bound(first_point.begin(), first_point.end(), i);
  return static_cast<unsigned int>(next - first_point.begin()) - 1;
}

template <int dim>
bool Boundary<dim>::acts_on_free_entries(const unsigned int *entry, const double *value,
                                         unsigned int n) const {
  // Moment arms are measured in units of the size of their body.
  const auto size_of = [&](unsigned int i) {
    if (i < trace.n_elastic())
      return 1.;
    const unsigned int rigid_entry = i - trace.n_elastic();
    return rigid_entry % RigidBody<dim>::n_dofs >= dim ? sizes[rigid_entry / RigidBody<dim>::n_dofs]
                                                       : 1.;
  };
  double free_part = 0, total = 0;
  for (unsigned int k = 0; k < n; ++k) {
    const double relative = value[k] / size_of(entry[k]), square = relative * relative;
    total += square;
    free_part += trace.is_prescribed(entry[k]) ? 0. : square;
  }
  return free_part > 1e-12 * total;
}

template struct ContactPoint<2>;
template class Boundary<2>;
template struct ContactPoint<3>;
template class Boundary<3>;

} // namespace percussion
