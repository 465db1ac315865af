#include "watch.h"

#include <percussion/body/bracketed_point.h>
#include <percussion/body/large_deformation.h>
#include <percussion/body/mesh.h>
#include <percussion/body/self_crossing.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace percussion {
namespace {

constexpr double deep = 0.1; ///< fraction of a body's size
const std::string deformation_prefix = "linear law: ", strain_prefix = "large strain: ",
                  penetration_prefix = "penetration: ", correction_prefix = "position correction: ",
                  energy_prefix = "contact energy: ", passing_prefix = "passing: ",
                  crossing_prefix = "self-crossing: ";

bool has_prefix(const std::vector<std::string> &found, const std::string &prefix) {
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string &text) { return text.rfind(prefix, 0) == 0; });
}

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

} // namespace

template <int dim>
Watch<dim>::Watch(const Case<dim> &of_case, const std::vector<std::string> &found)
    : c(of_case), contact_law(of_case, found), passing_bodies(of_case), has_linear_cells(false),
      deformation_is_known(has_prefix(found, deformation_prefix) ||
                           has_prefix(found, strain_prefix)),
      penetration_is_known(has_prefix(found, penetration_prefix)),
      correction_is_known(has_prefix(found, correction_prefix)),
      energy_is_known(has_prefix(found, energy_prefix)),
      passing_is_known(has_prefix(found, passing_prefix)),
      crossing_is_known(has_prefix(found, crossing_prefix)),
      smallest_size(std::numeric_limits<double>::max()), free_mass(c.bodies->mass_in_motion()) {
  for (const auto &body : c.bodies->elastic) {
    for (const auto &material : body->materials.list)
      has_linear_cells = has_linear_cells || !material.finite_strain ||
                         std::holds_alternative<StVenantKirchhoff>(material.finite_strain->law);
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
  std::vector<std::string> found;
  const auto note = [&](bool &is_known, const std::string &text) {
    is_known = !text.empty();
    if (is_known)
      found.push_back(text);
  };
  if (look_at_cells && has_linear_cells && !deformation_is_known)
    note(deformation_is_known, deformation(state));
  if (record.penetration_max > deep * smallest_size && !penetration_is_known)
    note(penetration_is_known, penetration(state));
  if (!passing_is_known)
    if (const std::string sentence = passing_bodies.look(state, record); !sentence.empty())
      note(passing_is_known, passing_prefix + sentence);
  if (look_at_cells && !crossing_is_known)
    note(crossing_is_known, crossing(state));
  if (record.is_uncorrected && !correction_is_known)
    note(correction_is_known,
         correction_prefix + format("at t = %.6g no displacement of the bodies removes the depths "
                                    "of their contacts, for instance because prescribed motions "
                                    "press the bodies together; this step corrects no positions",
                                    state.time));
  if (!energy_is_known)
    note(energy_is_known, contact_energy(state, summary));
  for (std::string &text : contact_law.look(record, scales(record, summary)))
    found.push_back(std::move(text));
  return found;
}

template <int dim>
StepScales Watch<dim>::scales(const StepRecord<dim> &record, const Summary &summary) const {
  if (!(free_mass > 0.))
    return {0., 0.};
  double percussion = 0;
  for (const auto &contact : record.contacts)
    percussion += contact.percussion[0];
  return {std::sqrt(2. * summary.statistics.energy_max / free_mass), percussion / free_mass};
}

template <int dim>
std::string Watch<dim>::deformation(const State<dim> &state) const {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b)
    if (const auto cell = beyond_linear_law(*c.bodies->elastic[b], state.q))
      return (cell->law_bears_rotation ? strain_prefix : deformation_prefix) +
             format("at t = %.6g the cell that began at %s%s is %s%sstretched by %.2g %%",
                    state.time, in_brackets(cell->centre, 4).c_str(),
                    c.meshes.size() > 1
                        ? (" of '" + std::filesystem::path(c.meshes[b]->file).stem().string() + "'")
                              .c_str()
                        : "",
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
    if (contact.gap < -deep * size)
      return penetration_prefix +
             format("at t = %.6g a point of contact '%s' is %.3g deep, more than a tenth of its "
                    "body's size %.3g; ",
                    state.time, c.boundary->pairs[contact.key.pair].name.c_str(), -contact.gap,
                    size) +
             remedy_of_depth(c, c.boundary->pairs[contact.key.pair]);
  }
  return {};
}

/// Returns a warning of schemes that pose Signorini's condition or springs on gaps at instants:
/// these lose or gain energy at impacts, although the condition and springs do no work in the
/// continuous problem.
template <int dim>
std::string Watch<dim>::contact_energy(const State<dim> &state, const Summary &summary) const {
  constexpr double share = 0.03; // relative to the largest energy
  constexpr double negligible_path =
      1e-6; // path of the mean force, relative to the size of the smallest body
  if (c.choices.gap != GapLaw::end && c.choices.gap != GapLaw::middle)
    return {};
  const double work = summary.works.contact_normal, energy = summary.statistics.energy_max;
  const double force = summary.statistics.percussion_normal / (state.time - c.span.start);
  if (!(std::abs(work) > share * energy &&
        std::abs(work) > negligible_path * smallest_size * std::abs(force)))
    return {};
  return energy_prefix +
         format("up to t = %.6g the contacts have %s %.3g by their normal work, more than 3 %% of "
                "the largest energy %.3g",
                state.time, work > 0. ? "given" : "taken", std::abs(work), energy) +
         ", although Signorini's condition and springs do no work: '" + c.scheme_name +
         "' guarantees no bound of this work; moreau-jean-fremond never gains energy by contacts, "
         "and pdas-leapfrog conserves it";
}

template <int dim>
std::string Watch<dim>::crossing(const State<dim> &state) const {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b)
    if (!touches_itself[b])
      if (const auto point = self_crossing(*c.bodies->elastic[b], state.q))
        return crossing_prefix +
               format("at t = %.6g the boundary of '%s' crosses itself at %s, where no contact "
                      "prevents it; a contact whose Region and Against are the same region does "
                      "(Surface = region)",
                      state.time, std::filesystem::path(c.meshes[b]->file).stem().string().c_str(),
                      in_brackets(*point, 4).c_str());
  return {};
}

template class Watch<2>;
template class Watch<3>;

} // namespace percussion
