#include <percussion/advice/passing_bodies.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>
#include <percussion/body/region_faces.h>

#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace percussion {
namespace {

constexpr double fast =
    0.25; ///< displacement in a step, relative to the thickness of the thinner body
constexpr double half = 0.5;  ///< largest overlap at the end of a step, relative to the thickness
constexpr double deep = 1e-3; ///< depth above round-off, relative to the smallest thickness
constexpr double flat = 0.1;  ///< smallest thickness, relative to the largest extent of a body
constexpr unsigned int most_instants = 64;

/// Returns the extents of points along their principal axes.
template <int dim>
std::array<double, dim> extents(const std::vector<dealii::Point<dim>> &points) {
  dealii::Point<dim> mean;
  for (const auto &x : points)
    mean += (x - dealii::Point<dim>()) / static_cast<double>(points.size());
  dealii::SymmetricTensor<2, dim> scatter;
  for (const auto &x : points)
    scatter += symmetrize(outer_product(x - mean, x - mean));
  std::array<double, dim> result{};
  if (scatter.norm() == 0.)
    return result;
  const auto axes = eigenvectors(scatter);
  for (unsigned int d = 0; d < dim; ++d) {
    double lower = std::numeric_limits<double>::max(), upper = -lower;
    for (const auto &x : points) {
      const double s = axes[d].second * (x - mean);
      lower = std::min(lower, s);
      upper = std::max(upper, s);
    }
    result[d] = upper - lower;
  }
  return result;
}

template <int dim>
double thickness_of(const RigidBody<dim> &body) {
  const auto vertex_extents = extents<dim>(body.outline);
  const double diameter = 2. * body.largest_radius();
  const auto [least, most] = std::minmax_element(vertex_extents.begin(), vertex_extents.end());
  return std::max(*least + diameter, flat * (*most + diameter));
}

/// Returns twice the volume of a body divided by its surface: the wall thickness of plates and
/// rings.
template <int dim>
double thickness_of(const ElasticBody<dim> &body) {
  double volume = 0, surface = 0;
  for (const auto &cell : body.space.mesh.triangulation.active_cell_iterators()) {
    volume += cell->measure();
    for (const unsigned int f : cell->face_indices())
      if (cell->at_boundary(f))
        surface += normal_of(*cell->face(f)).norm();
  }
  return 2. * volume / surface;
}

/// Contact pair and the two rigid bodies of a contact, the smaller index first; sides without a
/// rigid body have no index.
using PassedContact =
    std::tuple<unsigned int, std::optional<unsigned int>, std::optional<unsigned int>>;

/// Returns the pair and the bodies of a contact or of its record.
template <int dim, typename ContactType>
PassedContact passed_contact(const Boundary<dim> &boundary, const ContactType &contact) {
  const auto body = boundary.points[contact.point].rigid_body();
  return {contact.key.pair, std::min(body, contact.opposite_body),
          std::max(body, contact.opposite_body)};
}

/// True for surfaces that a body can pass and leave on another side.
template <int dim>
bool is_thin(const ContactPair<dim> &pair) {
  if (!pair.surface())
    return false;
  const auto &shape = pair.surface()->shape;
  const auto *const ball = std::get_if<Ball<dim>>(&shape);
  return ball != nullptr ? !ball->bodies_inside
                         : std::holds_alternative<LevelSet>(shape) ||
                               std::holds_alternative<Faceted<dim>>(shape);
}

} // namespace

template <int dim>
PassingBodies<dim>::PassingBodies(const Case<dim> &the_case)
    : c(the_case), finder(*the_case.boundary), n_elastic(the_case.bodies->elastic.size()) {
  for (const auto &body : c.bodies->elastic)
    thickness.push_back(thickness_of(*body));
  for (const RigidBody<dim> &body : c.bodies->rigid) {
    thickness.push_back(thickness_of(body));
    double farthest = 0;
    for (const auto &x : body.outline)
      farthest = std::max(farthest, x.distance(body.centre));
    reach.push_back(farthest + body.largest_radius());
  }
  smallest_thickness = *std::min_element(thickness.begin(), thickness.end());
}

/// Returns an upper bound of the speeds of all points for each body.
template <int dim>
std::vector<double> PassingBodies<dim>::speeds(const State<dim> &state) const {
  std::vector<double> all;
  for (const auto &body : c.bodies->elastic)
    all.push_back(std::sqrt(double(dim)) * c.bodies->largest_of_body(*body, state.v));
  for (std::size_t b = 0; b < c.bodies->rigid.size(); ++b) {
    const double *const velocity = c.bodies->rigid_values(state.v, b);
    double translation = 0, rotation = 0;
    for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
      (d < dim ? translation : rotation) += velocity[d] * velocity[d];
    all.push_back(std::sqrt(translation) + std::sqrt(rotation) * reach[b]);
  }
  return all;
}

template <int dim>
typename PassingBodies<dim>::Box PassingBodies<dim>::box(std::size_t body, const Vector &q) const {
  Box box = Box::empty();
  if (body < n_elastic) {
    const Space<dim> &space = c.bodies->elastic[body]->space;
    std::vector<dealii::Point<dim>> positions = space.nodes;
    for (unsigned int node = 0; node < space.n_nodes(); ++node)
      positions[node] += space.value_at(node, q);
    box.add(positions);
    return box;
  }
  const RigidBody<dim> &rigid = c.bodies->rigid[body - n_elastic];
  const RigidPose<dim> pose(rigid, c.bodies->rigid_values(q, body - n_elastic));
  box.add(pose.outline(rigid));
  box.widen(rigid.largest_radius());
  return box;
}

/// Returns the index of the body of a point; rigid bodies follow elastic bodies.
template <int dim>
std::size_t PassingBodies<dim>::index_of(const ContactPoint<dim> &point) const {
  return point.rigid_point() ? n_elastic + point.rigid_point()->body : *point.elastic_body();
}

/// True if a contact relates the body to a surface that it could pass.
template <int dim>
bool PassingBodies<dim>::meets_surface(std::size_t body) const {
  for (unsigned int pair = 0; pair < c.boundary->pairs.size(); ++pair)
    if (is_thin(c.boundary->pairs[pair]))
      for (unsigned int i = c.boundary->first_point[pair]; i < c.boundary->first_point[pair + 1];
           ++i)
        if (body == index_of(c.boundary->points[i]))
          return true;
  return false;
}

/// Returns the instants of a step, between 0 and 1, at which fast bodies may have met other bodies.
template <int dim>
std::vector<double> PassingBodies<dim>::instants(const std::vector<double> &speeds,
                                                 const Vector &begin,
                                                 const State<dim> &state) const {
  const double h = state.previous_h;
  const std::size_t n_bodies = thickness.size();
  std::vector<Path> paths;
  for (std::size_t b = 0; b < n_bodies; ++b)
    paths.push_back({box(b, begin), box(b, state.q), h * speeds[b]});
  std::set<double> found;
  const auto add = [&](double travel, double wall_thickness, const auto &meet) {
    const auto n = static_cast<unsigned int>(
        std::clamp(8. * travel / wall_thickness, 4., double(most_instants)));
    for (unsigned int i = 1; i < n; ++i)
      if (const double s = double(i) / n; meet(s))
        found.insert(s);
  };
  for (std::size_t a = 0; a < n_bodies; ++a) {
    if (paths[a].length > fast * thickness[a] && meets_surface(a))
      add(paths[a].length, thickness[a], [](double) { return true; });
    for (std::size_t b = 0; b < a; ++b) {
      const double travel = paths[a].length + paths[b].length,
                   thinner = std::min(thickness[a], thickness[b]);
      if (travel > fast * thinner)
        add(travel, thinner, [&](double s) {
          // Rotating bodies leave the boxes interpolated between both ends of the step.
          const auto widened = [&](std::size_t body) {
            Box box = paths[body].begin;
            box.low += s * (paths[body].end.low - box.low);
            box.high += s * (paths[body].end.high - box.high);
            if (body >= n_elastic) {
              Box middle{box.low + 0.5 * (box.high - box.low), {}};
              middle.high = middle.low;
              middle.widen(reach[body - n_elastic]);
              box.add({middle.low, middle.high});
            }
            return box;
          };
          return widened(a).intersects(widened(b));
        });
    }
  }
  return {found.begin(), found.end()};
}

template <int dim>
std::string PassingBodies<dim>::look(const State<dim> &state, const StepRecord<dim> &record) {
  const std::vector<double> speed = speeds(state);
  if (const std::string text = overlap(state, record, speed); !text.empty())
    return text;
  const double h = state.previous_h;
  const double fastest = *std::max_element(speed.begin(), speed.end());
  if (c.boundary->pairs.empty() || !(2. * h * fastest > fast * smallest_thickness))
    return {};
  Vector begin = state.q;
  c.bodies->move(-h, state.v, begin);
  const auto checked = instants(speed, begin, state);
  if (checked.empty())
    return {};
  std::set<PassedContact> seen; // contacts that the step or its successor treats
  for (const auto &contact : record.contacts)
    if (contact.carries())
      seen.insert(passed_contact(*c.boundary, contact));
  finder.exclude(absent_bodies(*c.bodies, state.time));
  const auto before = finder.find(c.boundary->trace.gather(begin), state.time - h);
  for (const ContactList<dim> *const list : {&before, &state.found})
    for (const auto &contact : list->contacts)
      if (contact.gap < 0)
        seen.insert(passed_contact(*c.boundary, contact));
  const Trace<dim> &trace = c.boundary->trace;
  for (const double s : checked) {
    TraceField q = trace.gather(state.q);
    trace.move(-(1. - s) * h, trace.gather(state.v), q);
    for (const auto &contact : finder.find(q, state.time - (1. - s) * h).contacts)
      if (contact.gap < -deep * smallest_thickness &&
          seen.count(passed_contact(*c.boundary, contact)) == 0)
        return sentence(state, contact, speed);
  }
  return {};
}

template <int dim>
std::optional<std::size_t> PassingBodies<dim>::opposite_body(const Contact<dim> &contact) const {
  const ContactPoint<dim> &point = c.boundary->points[contact.point];
  if (contact.opposite_body)
    return n_elastic + *contact.opposite_body;
  if (point.opposite_facets)
    return c.boundary->facets[*point.opposite_facets].nodes.front().elastic;
  return {};
}

template <int dim>
std::string PassingBodies<dim>::overlap(const State<dim> &state, const StepRecord<dim> &record,
                                        const std::vector<double> &speeds) const {
  if (!(record.penetration_max > half * smallest_thickness) || c.choices.penalty != Penalty::none)
    return {};
  for (const auto &contact : state.found.contacts) {
    const auto opposite = opposite_body(contact);
    const std::size_t body = index_of(c.boundary->points[contact.point]);
    if (!opposite || *opposite == body)
      continue;
    const double thinner = std::min(thickness[body], thickness[*opposite]);
    if (!(-contact.gap > half * thinner))
      continue;
    const double travel = state.previous_h * (speeds[body] + speeds[*opposite]);
    return format("at t = %.6g the sides of contact '%s' overlap by %.3g, more than half of the "
                  "thickness %.3g of the thinner side, and keep this depth; take a step of %.2g or "
                  "less",
                  state.time, c.boundary->pairs[contact.key.pair].name.c_str(), -contact.gap,
                  thinner,
                  half * fast * thinner / std::max(travel, -contact.gap) * state.previous_h);
  }
  return {};
}

template <int dim>
std::string PassingBodies<dim>::sentence(const State<dim> &state, const Contact<dim> &contact,
                                         const std::vector<double> &speeds) const {
  const std::size_t body = index_of(c.boundary->points[contact.point]);
  double travel = speeds[body], thinner = thickness[body];
  if (const auto opposite = opposite_body(contact)) {
    travel += speeds[*opposite];
    thinner = std::min(thinner, thickness[*opposite]);
  }
  travel *= state.previous_h;
  return format(
      "in the step before t = %.6g the sides of contact '%s' pass through each other undetected: "
      "they move by up to %.3g, and the thinner side measures %.3g; take a step of %.2g or less",
      state.time, c.boundary->pairs[contact.key.pair].name.c_str(), travel, thinner,
      0.5 * fast * thinner / travel * state.previous_h);
}

template class PassingBodies<2>;
template class PassingBodies<3>;

} // namespace percussion
