#include <percussion/contact/find.h>
#include <percussion/contact/reference_gaps.h>

#include "round_on_surface.h"
#include "search.h"
#include <cmath>
#include <limits>
#include <numeric>

namespace percussion {
namespace {

/// Returns the point of a rim or a segment that is nearest to a surface, relative to the surface in
/// its initial position, as is `x`, the position of the contact point, an end of the axis.
std::optional<NearestToSurface> nearest_to_surface(const Search<3> &search, const RigidPoint &point,
                                                   const Surface<3> &surface, double angle,
                                                   const dealii::Point<3> &x) {
  const RigidBody<3> &body = search.system.rigid[point.body];
  const ConvexShape &shape = body.shapes[point.vertex];
  const dealii::Tensor<1, 3> segment =
      turned<3>(surface, -angle,
                search.bodies->poses[point.body].turned(shape.vertices[1] - shape.vertices[0]));
  if (point.feature == RigidFeature::segment)
    return nearest_between_ends(surface, x, x + segment);
  return nearest_on_rim(surface, {x, segment / segment.norm(), shape.radius}, point.quarter);
}

/// Adds the contact of a point that moves along a round shape.
void add_round_contact(Search<3> &search, unsigned int pair, unsigned int i,
                       const SurfacePose<3> &surface_pose) {
  const ContactPoint<3> &point = search.boundary.points[i];
  const unsigned int body = point.rigid_point()->body;
  const double radius = point.radius();
  const Surface<3> &surface = *search.boundary.pairs[pair].surface();
  const auto found = nearest_to_surface(search, *point.rigid_point(), surface, surface_pose.angle,
                                        seen_from(surface, surface_pose, search.position(point)));
  if (!found ||
      found->gap.distance - radius > std::max(search.boundary.sizes[body], search.limits.travel))
    return;
  const dealii::Point<3> x = placed(surface, surface_pose, found->x);
  const dealii::Tensor<1, 3> normal = turned(surface, surface_pose.angle, found->gap.normal);
  search.add_rigid({{{pair, i, 0, 0}, i, {}, normal}, found->gap.distance - radius}, body,
                   x - radius * normal,
                   search.bodies->poses[body].initial_position(search.system.rigid[body], x));
}
void add_round_contact(Search<2> &, unsigned int, unsigned int, const SurfacePose<2> &) {}

/// Adds the contacts of the points of a pair with its surface.
template <int dim>
void find_points_on_surface(Search<dim> &search, unsigned int pair) {
  const Boundary<dim> &boundary = search.boundary;
  const Surface<dim> &surface = *boundary.pairs[pair].surface();
  const auto surface_pose = search.t ? pose(surface, *search.t) : SurfacePose<dim>();
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
    const ContactPoint<dim> &point = boundary.points[i];
    const auto body = point.rigid_body();
    if (!search.is_present(point) || (body && !search.limits.may_want({pair, i, 0, 0})))
      continue;
    if (body && point.rigid_point()->feature != RigidFeature::vertex) {
      add_round_contact(search, pair, i, surface_pose);
      continue;
    }
    const dealii::Point<dim> x = search.position(point);
    const double radius = point.radius();
    const Gap<dim> g = gap(surface, seen_from(surface, surface_pose, x));
    const dealii::Tensor<1, dim> normal = turned(surface, surface_pose.angle, g.normal);
    Contact<dim> contact{{{pair, i, 0, 0}, i, {}, normal}, g.distance - radius};
    if (body) {
      if (contact.gap <= std::max(boundary.sizes[*body], search.limits.travel))
        search.add_rigid(contact, *body, radius > 0. ? x - radius * normal : x);
      continue;
    }
    contact.x = x;
    search.set_support(point, x);
    search.add(contact);
  }
}

template <int dim>
void find_between_bodies(Search<dim> &search, unsigned int pair) {
  const ContactPair<dim> &contact_pair = search.boundary.pairs[pair];
  if (contact_pair.is_mortar())
    return find_mortar_contacts(search, pair);
  if (contact_pair.is_on_faces())
    find_points_on_facets(search, pair);
  if (contact_pair.is_between_rigid_bodies())
    find_bodies_on_bodies(search, pair);
  else
    find_nodes_on_bodies(search, pair);
}

/// Finds all contacts.
template <int dim>
void find_contacts(Search<dim> &search) {
  const auto &pairs = search.boundary.pairs;
  move_facets(search);
  if (!search.bodies->poses.empty() &&
      std::any_of(pairs.begin(), pairs.end(),
                  [](const ContactPair<dim> &pair) { return pair.is_between_bodies(); }))
    place_bodies(search);
  std::size_t n_on_surfaces = 0;
  for (unsigned int pair = 0; pair < pairs.size(); ++pair)
    if (pairs[pair].surface() && pairs[pair].region())
      n_on_surfaces += search.boundary.n_points(pair);
  search.list.reserve(std::max(n_on_surfaces, search.limits.n_expected), dim * n_on_surfaces);
  for (unsigned int pair = 0; pair < pairs.size(); ++pair)
    if (pairs[pair].is_between_bodies())
      find_between_bodies(search, pair);
    else
      find_points_on_surface(search, pair);
  search.list.bodies = search.bodies;
}

/// Returns the number of points of rigid bodies that may touch surfaces.
template <int dim>
std::size_t n_rigid_points_on_surfaces(const Boundary<dim> &boundary) {
  std::size_t n = 0;
  for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair)
    if (!boundary.pairs[pair].region() && !boundary.pairs[pair].is_between_bodies())
      n += boundary.n_points(pair);
  return n;
}

/// Returns true if a formula moves a surface or a body: the velocity at the beginning of a step
/// does not tell how far, since the motion may begin or jump in this step.
template <int dim>
bool has_given_motion(const Boundary<dim> &boundary) {
  const auto moves = [](const ContactPair<dim> &pair) {
    return pair.surface() && pair.surface()->moves();
  };
  return !boundary.system.motion.is_at_rest() ||
         std::any_of(boundary.pairs.begin(), boundary.pairs.end(), moves);
}

/// Returns the largest distance of a point of a rigid body from its centre of mass.
template <int dim>
double arm(const RigidBody<dim> &body) {
  double largest = 0;
  for (const dealii::Point<dim> &x : body.outline)
    largest = std::max(largest, x.distance(body.centre));
  return largest + body.largest_radius();
}

/// Returns the largest velocity of a node of an elastic body on the trace, or of a point of a rigid
/// body.
template <int dim>
double fastest(const Boundary<dim> &boundary, const std::vector<double> &arms,
               const TraceField &v) {
  const auto norm = [&](unsigned int first, unsigned int n) {
    const double *const begin = v.data() + first;
    return std::sqrt(std::inner_product(begin, begin + n, begin, 0.));
  };
  double largest = 0;
  for (unsigned int entry = 0; entry < boundary.trace.n_elastic(); entry += dim)
    largest = std::max(largest, norm(entry, dim));
  for (std::size_t b = 0; b < arms.size(); ++b) {
    const unsigned int entry = boundary.trace.rigid_body_entry(b);
    largest = std::max(largest, norm(entry, dim) +
                                    norm(entry + dim, RigidBody<dim>::n_dofs - dim) * arms[b]);
  }
  return largest;
}

} // namespace

template <int dim>
ContactFinder<dim>::ContactFinder(const Boundary<dim> &b)
    : boundary(b), memory(std::make_unique<SearchMemory<dim>>()) {
  constexpr std::size_t max_points = 20000; // of rigid bodies on surfaces, unless in a crowd
  for (const double size : boundary.sizes)
    margins.push_back(0.1 * size);
  is_crowd = n_rigid_points_on_surfaces(boundary) > max_points && !has_given_motion(boundary);
  for (const Facets<dim> &facets : boundary.facets)
    memory->facets.emplace_back(facets);
  for (const RigidBody<dim> &body : boundary.system.rigid)
    memory->arms.push_back(arm(body));
}

template <int dim>
ContactFinder<dim>::ContactFinder(ContactFinder &&) noexcept = default;

template <int dim>
ContactFinder<dim>::~ContactFinder() = default;

template <int dim>
void ContactFinder<dim>::expect_motion(const TraceField &v, double h) {
  if (!is_crowd)
    return;
  travel = 4. * h * fastest(boundary, memory->arms, v);
  // Margins of two bodies add; beside a node there is one.
  const double share = boundary.system.elastic.empty() ? 0.5 : 1.;
  for (std::size_t b = 0; b < margins.size(); ++b)
    margins[b] = std::clamp(share * travel, 0.005 * boundary.sizes[b], 0.1 * boundary.sizes[b]);
}

template <int dim>
ContactList<dim> ContactFinder<dim>::search(const TraceField &q, std::optional<double> t,
                                            const std::vector<Contact<dim>> *wanted,
                                            GapGradients choice) const {
  const double reach = is_crowd ? travel : std::numeric_limits<double>::infinity();
  Search<dim> search(
      boundary, q, t,
      {margins, absent, reach, wanted, wanted ? wanted->size() : n_found, entries, choice},
      *memory);
  find_contacts(search);
  compared = search.n_compared;
  return std::move(search.list);
}

template <int dim>
ContactList<dim> ContactFinder<dim>::find(const TraceField &q, double t) const {
  const bool is_known = memory->found && memory->found->t == t && memory->found->q == q;
  auto list = is_known ? std::move(memory->found->contacts) : search(q, t, nullptr, gradients);
  memory->found.reset();
  n_found =
      list.contacts.size() + list.contacts.size() / 4; // unused pages of large lists take no memory
  if (!is_known)
    subtract_reference_gaps(boundary, t, list);
  return list;
}

template <int dim>
ContactList<dim> ContactFinder<dim>::find_again(const std::vector<Contact<dim>> &contacts,
                                                const TraceField &q, double t,
                                                bool has_gradients) const {
  auto list = search(q, t, &contacts, has_gradients ? gradients : GapGradients::none);
  subtract_reference_gaps(boundary, t, list);
  // Elastic bodies have all their contacts in any search; a step ends where it was searched last.
  const bool is_complete = has_gradients || gradients == GapGradients::none;
  if (is_complete && boundary.system.rigid.empty())
    memory->found = {q, t, list};
  return list;
}

template <int dim>
ContactList<dim> ContactFinder<dim>::find_undeformed() const {
  return search(TraceField(boundary.trace.size(), 0.), {}, nullptr, GapGradients::none);
}

template class ContactFinder<2>;
template class ContactFinder<3>;

} // namespace percussion
