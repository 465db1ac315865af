#include <percussion/advice/idle_bodies.h>
#include <percussion/advice/watch.h>
#include <percussion/body/boundary_of_body.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/large_deformation.h>
#include <percussion/body/mesh.h>
#include <percussion/contact/broad_phase.h>
#include <percussion/material/hyperelastic.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

constexpr double deep_fraction = 0.1; ///< fraction of a body's size
const std::string deformation_prefix = "linear law: ", strain_prefix = "large strain: ";

template <int dim>
double shorter_side(const ElasticBody<dim> &body) {
  double side = std::numeric_limits<double>::max();
  for (unsigned int d = 0; d < dim; ++d) {
    const auto [lowest, highest] =
        std::minmax_element(body.space.nodes.begin(), body.space.nodes.end(),
                            [d](const auto &x, const auto &y) { return x[d] < y[d]; });
    side = std::min(side, (*highest)[d] - (*lowest)[d]);
  }
  return side;
}

/// True if a contact acts between two regions of the boundary of the same body.
template <int dim>
bool has_self_contact(const Case<dim> &c, const ElasticBody<dim> &body) {
  return std::any_of(c.boundary->pairs.begin(), c.boundary->pairs.end(), [&](const auto &pair) {
    return pair.region() && c.bodies->region(*pair.region()).body == &body &&
           std::any_of(
               pair.opposite_regions().begin(), pair.opposite_regions().end(),
               [&](const std::string &name) { return c.bodies->region(name).body == &body; });
  });
}

/// Returns the remedy for a deep contact of this pair.
template <int dim>
std::string remedy_of_depth(const Case<dim> &c, const ContactPair<dim> &pair) {
  if (c.choices.penalty != Penalty::none)
    return "springs stand for this contact, and a larger Penalty stiffness makes them stiffer";
  if (pair.is_mortar())
    return "gaps are means over the surroundings of nodes, and a finer mesh or a shorter step "
           "keeps single points from getting deep";
  return "a shorter step detects the contact in time";
}

/// Boundary simplices, by their nodes. Quadrilaterals, in deal.II's order of corners, are split
/// into two triangles.
template <int dim>
std::vector<std::vector<unsigned int>> simplices(const BoundaryOfBody<dim> &boundary) {
  std::vector<std::vector<unsigned int>> all;
  for (const auto &face : boundary.faces)
    if (dim == 2)
      all.push_back(face);
    else {
      all.push_back({face[0], face[1], face.back()});
      if (face.size() == 4)
        all.push_back({face[0], face[3], face[2]});
    }
  return all;
}

/// Returns twice the signed area of a triangle, or six times the volume of a tetrahedron.
double orientation(const dealii::Point<2> &a, const dealii::Point<2> &b,
                   const dealii::Point<2> &x) {
  return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
}
double orientation(const dealii::Point<3> &a, const dealii::Point<3> &b, const dealii::Point<3> &c,
                   const dealii::Point<3> &x) {
  return cross_product_3d(b - a, c - a) * (x - a);
}

/// Returns the point where the segment from x to y crosses a simplex, between its ends and by more
/// than round-off; no value if it does not.
std::optional<dealii::Point<2>> crossing(const dealii::Point<2> &x, const dealii::Point<2> &y,
                                         const std::vector<dealii::Point<2>> &s) {
  const double side_x = orientation(s[0], s[1], x), side_y = orientation(s[0], s[1], y);
  const double first = orientation(x, y, s[0]), second = orientation(x, y, s[1]);
  const double round_off = 1e-9 * (s[0].distance_square(s[1]) + x.distance_square(y));
  if (side_x * side_y >= 0. || first * second >= 0. ||
      std::min({std::abs(side_x), std::abs(side_y), std::abs(first), std::abs(second)}) < round_off)
    return {};
  return x + side_x / (side_x - side_y) * (y - x);
}
std::optional<dealii::Point<3>> crossing(const dealii::Point<3> &x, const dealii::Point<3> &y,
                                         const std::vector<dealii::Point<3>> &s) {
  const double side_x = orientation(s[0], s[1], s[2], x), side_y = orientation(s[0], s[1], s[2], y);
  const double size = std::max({s[0].distance(s[1]), s[1].distance(s[2]), s[2].distance(s[0])}) +
                      x.distance(y),
               round_off = 1e-9 * size * size * size;
  if (side_x * side_y >= 0. || std::min(std::abs(side_x), std::abs(side_y)) < round_off)
    return {};
  std::array<double, 3> volumes;
  for (unsigned int i = 0; i < 3; ++i)
    volumes[i] = orientation(x, y, s[i], s[(i + 1) % 3]);
  const auto [least, most] = std::minmax_element(volumes.begin(), volumes.end());
  if (*least<round_off && * most> - round_off)
    return {};
  return x + side_x / (side_x - side_y) * (y - x);
}

template <int dim>
std::optional<dealii::Point<dim>> crossing(const std::vector<dealii::Point<dim>> &a,
                                           const std::vector<dealii::Point<dim>> &b) {
  for (unsigned int i = 0; i < (dim == 2 ? 1 : 3); ++i) {
    if (const auto found = crossing(a[i], a[(i + 1) % dim], b))
      return found;
    if (const auto found = crossing(b[i], b[(i + 1) % dim], a))
      return found;
  }
  return {};
}

/// Returns a point where boundary faces of the displaced body cross; no value if none do. Faces
/// with a common node are not compared.
template <int dim>
std::optional<dealii::Point<dim>> self_crossing(const ElasticBody<dim> &body, const Vector &q) {
  const BoundaryOfBody<dim> boundary(body.space, &q);
  const auto nodes = simplices(boundary);
  std::vector<std::vector<dealii::Point<dim>>> corners;
  for (const auto &simplex : nodes) {
    corners.emplace_back();
    for (const unsigned int node : simplex)
      corners.back().push_back(boundary.x(node));
  }
  const BroadPhase<dim> boxes(corners, std::vector<double>(corners.size(), 0.));
  for (const auto &[i, j] : boxes.near_pairs())
    if (std::find_first_of(nodes[i].begin(), nodes[i].end(), nodes[j].begin(), nodes[j].end()) ==
        nodes[i].end())
      if (const auto found = crossing<dim>(corners[i], corners[j]))
        return found;
  return {};
}

} // namespace

template <int dim>
Watch<dim>::Watch(const Case<dim> &the_case, const std::vector<std::string> &found)
    : c(the_case), contact_law(the_case), passing_bodies(the_case), hopping(the_case),
      impact_loss(the_case), lost_indentation(the_case), warnings(found),
      smallest_size(std::numeric_limits<double>::max()), free_mass(c.bodies->mass_in_motion()) {
  for (const auto &body : c.bodies->elastic) {
    for (const auto &material : body->materials.list)
      has_linear_cells = has_linear_cells || !material.finite_strain ||
                         std::holds_alternative<StVenantKirchhoff>(material.finite_strain->law());
    elastic_sizes.push_back(shorter_side(*body));
    touches_itself.push_back(has_self_contact(c, *body));
    smallest_size = std::min(smallest_size, elastic_sizes.back());
  }
  for (const double size : c.boundary->sizes)
    smallest_size = std::min(smallest_size, size);
}

template <int dim>
std::vector<std::string> Watch<dim>::look(const State<dim> &state, const StepRecord<dim> &record,
                                          const Summary &summary, bool look_at_cells) {
  const std::size_t n_known = warnings.size();
  const auto note = [&](const std::string &beginning, const auto &find_warning) {
    if (!has_beginning(warnings, beginning))
      if (const std::string text = find_warning(); !text.empty())
        warnings.push_back(beginning + text);
  };
  if (look_at_cells && has_linear_cells && !has_beginning(warnings, strain_prefix) &&
      !has_beginning(warnings, deformation_prefix))
    if (const std::string text = deformation(state); !text.empty())
      warnings.push_back(text);
  if (record.penetration_max > deep_fraction * smallest_size)
    note("penetration: ", [&] { return penetration(state); });
  note("passing: ", [&] { return passing_bodies.look(state, record); });
  if (look_at_cells)
    note("self-crossing: ", [&] { return crossing(state); });
  if (record.is_uncorrected)
    note("position correction: ", [&] {
      return format("at t = %.6g no displacement of the bodies removes the depths of their "
                    "contacts, for instance because prescribed motions press the bodies together; "
                    "this step corrects no positions",
                    state.time);
    });
  note("contact energy: ", [&] { return contact_energy(state, summary); });
  note("hopping: ", [&] { return hopping.look(state, record); });
  impact_loss.add(state, record);
  lost_indentation.add(state, record);
  largest_strain = std::max(largest_strain, state.strain);
  contact_law.look(record, scales(record, summary), warnings);
  return {warnings.begin() + static_cast<std::ptrdiff_t>(n_known), warnings.end()};
}

template <int dim>
std::vector<std::string> Watch<dim>::look_back(const State<dim> &state,
                                               const Summary &summary) const {
  std::vector<std::string> found;
  const auto note = [&](const std::string &beginning, const std::string &text) {
    if (!text.empty())
      found.push_back(beginning + text);
  };
  note("idle: ", idle_bodies(c, state, summary.statistics.steps_of_bodies));
  note("one point: ", single_points(summary));
  note("impact energy: ", impact_loss.look(summary.statistics.energy_max));
  note("indentation: ", lost_indentation.look());
  return found;
}

/// Returns a warning of a contact of an elastic body that one node carries most of the time.
template <int dim>
std::string Watch<dim>::single_points(const Summary &summary) const {
  constexpr unsigned int many_steps = 20;
  for (std::size_t i = 0; i < summary.statistics.contacts.size(); ++i) {
    const ContactUse &use = summary.statistics.contacts[i];
    const ContactPair<dim> &pair = c.boundary->pairs[i];
    const std::string owner = pair.region() ? " of region '" + *pair.region() + "'" : "";
    if ((pair.region() || pair.is_on_faces()) && use.steps_at_one_point >= many_steps &&
        2 * use.steps_at_one_point > use.steps)
      return format("in %u of the %u steps in which contact '", use.steps_at_one_point, use.steps) +
             pair.name + "' was closed, one point" + owner +
             " carried all of it: its pressure, the stress below it and, where a motion and no "
             "load presses it, its force follow from the size of the elements; a finer mesh there "
             "resolves them";
  }
  return {};
}

template <int dim>
StepScales Watch<dim>::scales(const StepRecord<dim> &record, const Summary &summary) {
  double percussion = 0;
  for (const auto &contact : record.contacts)
    percussion += contact.percussion[0];
  largest_force = std::max(largest_force, percussion / c.choices.h);
  StepScales result{0., 0., largest_force > 0. ? 2. * largest_strain / largest_force : 0.};
  if (free_mass > 0.) {
    result.energy = std::sqrt(2. * summary.statistics.energy_max / free_mass);
    result.percussion = percussion / free_mass;
  }
  return result;
}

template <int dim>
std::string Watch<dim>::deformation(const State<dim> &state) const {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b)
    if (const auto cell = beyond_linear_law(*c.bodies->elastic[b], state.q))
      return (cell->law_bears_rotation ? strain_prefix : deformation_prefix) +
             format("at t = %.6g the cell that began at %s%s is %s%sstretched by %.2g %%",
                    state.time, bracketed_point(cell->centre, 4).c_str(),
                    c.meshes.size() > 1 ? (" of '" + c.meshes[b]->name() + "'").c_str() : "",
                    cell->is_inverted ? "inside out, " : "",
                    cell->law_bears_rotation
                        ? ""
                        : format("turned by %.3g degrees and ", cell->angle).c_str(),
                    100. * cell->stretch) +
             (cell->law_bears_rotation
                  ? "; beyond 20 % the law of St. Venant and Kirchhoff softens under compression: "
                    "neo-hooke has the same constants and permits large strains"
                  : "; beyond 5 degrees or 10 % use a hyperelastic law: St. Venant-Kirchhoff has "
                    "the same constants and permits any rotation, neo-hooke large strains too");
  return {};
}

template <int dim>
std::string Watch<dim>::penetration(const State<dim> &state) const {
  for (const auto &contact : state.found.contacts) {
    const ContactPoint<dim> &point = c.boundary->points[contact.point];
    const double size = point.rigid_point() ? c.boundary->sizes[point.rigid_point()->body]
                                            : elastic_sizes[*point.elastic_body()];
    if (contact.gap < -deep_fraction * size)
      return format("at t = %.6g a point of contact '%s' is %.3g deep, more than a tenth of its "
                    "body's size %.3g; ",
                    state.time, c.boundary->pairs[contact.key.pair].name.c_str(), -contact.gap,
                    size) +
             remedy_of_depth(c, c.boundary->pairs[contact.key.pair]);
  }
  return {};
}

namespace {

/// Work of contacts that their laws exclude, and its name.
struct ExcludedWork {
  double work = 0; ///< [energy]
  const char *name = "";
};

/// Returns the work of contacts that the scheme does not bound. Signorini's condition and springs
/// on gaps at instants may lose or gain energy at impacts. Integrators other than the theta-rule
/// gain it by their numerical work, which may also be negative by their own damping. Paoli &
/// Schatzman's law gains it by the sum of both, as its velocities are half a step older than its
/// positions; its losses are the restitution's.
ExcludedWork excluded_work(const StepChoices &choices, const Works &works) {
  const double normal = works.contact_normal, numerical = works.numerical;
  switch (choices.gap) {
  case GapLaw::rate:
    return {};
  case GapLaw::two_steps:
    return {std::max(0., normal + numerical), "their normal work and numerical work"};
  case GapLaw::middle:
  case GapLaw::end:
    break;
  }
  if (choices.integrator != Integrator::theta && numerical > std::abs(normal))
    return {numerical, "numerical work"};
  return {normal, "their normal work"};
}

} // namespace

/// Returns a warning of schemes whose contacts lose or gain energy at impacts, although they do no
/// work in the continuous problem.
template <int dim>
std::string Watch<dim>::contact_energy(const State<dim> &state, const Summary &summary) const {
  constexpr double share = 0.03; // relative to the largest energy
  constexpr double negligible_path =
      1e-6; // path of the mean force, relative to the size of the smallest body
  const double energy = summary.statistics.energy_max;
  const auto [work, name] = excluded_work(c.choices, summary.works);
  const double force = summary.statistics.percussion_normal / (state.time - c.span.start);
  if (!(force > 0. && std::abs(work) > share * energy &&
        std::abs(work) > negligible_path * smallest_size * std::abs(force)))
    return {};
  return format("up to t = %.6g the contacts have %s %.3g by %s, more than 3 %% of the largest "
                "energy %.3g",
                state.time, work > 0. ? "given" : "taken", std::abs(work), name, energy) +
         (c.choices.gap == GapLaw::two_steps
              ? ", although impacts give none: '"
              : ", although Signorini's condition and springs do no work: '") +
         c.scheme_name +
         "' guarantees no bound of this work; moreau-jean-fremond never gains energy by contacts, "
         "and pdas-leapfrog conserves it";
}

template <int dim>
std::string Watch<dim>::crossing(const State<dim> &state) const {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b)
    if (!touches_itself[b])
      if (const auto point = self_crossing(*c.bodies->elastic[b], state.q))
        return format("at t = %.6g the boundary of '%s' crosses itself at %s, where no contact "
                      "prevents it; a contact whose Region and Against are the same region does "
                      "(Surface = region)",
                      state.time, c.meshes[b]->name().c_str(), bracketed_point(*point, 4).c_str());
  return {};
}

template class Watch<2>;
template class Watch<3>;

} // namespace percussion
