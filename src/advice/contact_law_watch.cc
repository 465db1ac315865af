#include <percussion/advice/contact_law_watch.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/body/mesh.h>

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

/// Gap tolerance above which opening a contact is due to more than round-off.
constexpr double wide_tolerance = 1e-6;
/// Drift relative to the indentation: the fraction of the force that it costs. In the first steps
/// of an impact the indentation is smaller than it will be.
constexpr double costly_drift = 0.2;
/// Drift relative to the local size that rows of gaps may leave, beside which an indentation may be
/// small.
constexpr double gap_round_off = 1e-9;

/// True for contacts between bodies whose contact nodes have no inertia.
template <int dim>
bool is_light(const ContactPair<dim> &pair, const Case<dim> &c) {
  if (!pair.is_on_faces())
    return false;
  const std::string path = "Contact/Node inertia";
  return c.has_value(path, "redistributed") ||
         (!c.has_value(path, "consistent") && scheme(c.scheme_name).redistributes_inertia);
}

/// True if a missed depth is due to a relapse, whose warning names its cause and remedy.
bool is_known_as_relapse(const ContactDefects &defects, DefectKind kind) {
  const Defect &missed = defects.defect(DefectKind::missed_depth),
               &relapse = defects.defect(DefectKind::relapse_depth);
  return kind == DefectKind::missed_depth && relapse.value == missed.value &&
         relapse.point == missed.point;
}

/// Returns the bounds for a contact pair, in the order of DefectKind.
template <int dim>
std::array<double, n_defect_kinds> defect_bounds(const ContactPair<dim> &pair, const Case<dim> &c) {
  constexpr double long_step = 10; // transits, after which waves do not resolve a closing contact
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Forecast forecast = c.choices.forecast;
  const bool forecasts_position = forecast == Forecast::position || forecast == Forecast::closing;
  const bool forecasts_trial = forecast == Forecast::trial;
  return {// missed_depth: a first touch is O(h u); beyond the local size the point has passed its
          // contact surface.
          1.,
          // relapse_depth: a point that presses has no velocity to sink with, and gains O(h²); with
          // the forecasts prediction and leapfrog contacts may take turns.
          forecasts_position || forecasts_trial ? 2e-3 : (is_light(pair, c) ? 0.01 : 1.),
          // drift of bodies that no contact indents, as rigid ones: round-off on planes, O(h²) a
          // step on curves.
          0.5,
          // pressing_gap: the gap tolerance, and what a curved face does to a gap; another forecast
          // holds points as far away as they move in half a step, and in a long step for all waves
          // that follow.
          forecasts_position ? 0.01 + pair.gap_tolerance
                             : (transits_of_step(pair, c) > long_step ? 0.1 : 1.),
          // cone_violation: the tolerance of the solver is below.
          std::max(1e-6, 10. * c.cone.tolerance),
          // slip_direction_error: the default tolerance is far below; a loose tolerance leaves the
          // directions of small forces open.
          c.cone.tolerance > 1e-8 ? infinite : 1e-2,
          // resting_work: contacts at rest do no work, except springs, which store it.
          c.choices.penalty == Penalty::none ? 1e-2 : infinite};
}

} // namespace

bool has_beginning(const std::vector<std::string> &warnings, const std::string &beginning) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string &text) { return begins_with(text, beginning); });
}

template <int dim>
DefectPlace defect_place(const Case<dim> &c, const Defect &defect) {
  DefectPlace result;
  result.value = defect.value;
  result.time = defect.time;
  if (defect.pair == Defect::none)
    return result;
  const ContactPoint<dim> &point = c.boundary->points[defect.point];
  result.contact = c.boundary->pairs[defect.pair].name;
  result.local_size = point.size;
  if (const auto body = point.rigid_body())
    result.body = c.bodies->rigid[*body].name;
  else
    result.body = c.meshes[*point.elastic_body()]->name();
  for (unsigned int d = 0; d < dim; ++d)
    result.position.push_back(defect.material_point[d]);
  return result;
}

template <int dim>
std::vector<DefectPlace> defect_places(const Case<dim> &c, const ContactDefects &defects) {
  std::vector<DefectPlace> results;
  for (const DefectEntry &entry : defect_entries()) {
    results.push_back(defect_place(c, defects.defect(entry.kind)));
    results.back().entry = &entry;
  }
  return results;
}

std::string point_in_words(const DefectPlace &defect) {
  std::string position;
  for (const double x : defect.position)
    position += (position.empty() ? "(" : ", ") + format("%.6g", x);
  return "the point at " + position + ") of '" + defect.body + "'";
}

template <int dim>
ContactLawWatch<dim>::ContactLawWatch(const Case<dim> &the_case) : c(the_case) {
  for (const auto &pair : c.boundary->pairs)
    bounds.push_back(defect_bounds(pair, c));
}

template <int dim>
void ContactLawWatch<dim>::look(const StepRecord<dim> &record, const StepScales &scales,
                                std::vector<std::string> &warnings) const {
  for (const DefectEntry &entry : defect_entries()) {
    const Defect &defect = record.defects.defect(entry.kind);
    if (defect.pair == Defect::none || is_known_as_relapse(record.defects, entry.kind))
      continue;
    if (!(defect.value > bound(defect, entry, scales)))
      continue;
    std::string name = entry.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string beginning = name + ": contact '" + c.boundary->pairs[defect.pair].name + "'";
    if (!has_beginning(warnings, beginning))
      warnings.push_back(beginning + warning(defect, entry.kind, scales));
  }
  look_for_reversals(record, scales, warnings);
}

template <int dim>
bool ContactLawWatch<dim>::is_judged_by_force(const Defect &defect, DefectKind kind,
                                              const StepScales &scales) const {
  const ContactPair<dim> &pair = c.boundary->pairs[defect.pair];
  // A restitution moves contacts that press, by its law, unless they last.
  return kind == DefectKind::drift && scales.indentation > 0. && !pair.is_between_rigid_bodies() &&
         (pair.region() || pair.is_on_faces()) &&
         impact_law(pair.law, pair.restitution, c.choices.theta).e == 0.;
}

template <int dim>
double ContactLawWatch<dim>::bound(const Defect &defect, const DefectEntry &entry,
                                   const StepScales &scales) const {
  if (is_judged_by_force(defect, entry.kind, scales))
    return std::max(costly_drift * scales.indentation,
                    gap_round_off * c.boundary->points[defect.point].size);
  return bounds[defect.pair][static_cast<std::size_t>(entry.kind)] *
         (entry.is_length ? c.boundary->points[defect.point].size : 1.);
}

/// True if a velocity of a sticking contact is less than 1e-4 of the velocity of the largest
/// energy, or moves by less than 1e-8 of the local size in a step at less than 1 % of the velocity
/// that the percussions of the step give.
template <int dim>
bool ContactLawWatch<dim>::is_negligible(const Defect &reversal, const StepScales &scales) const {
  return reversal.value < 1e-4 * scales.energy ||
         (reversal.value < 1e-2 * scales.percussion &&
          c.choices.h * reversal.value < 1e-8 * c.boundary->points[reversal.point].size);
}

template <int dim>
void ContactLawWatch<dim>::look_for_reversals(const StepRecord<dim> &record,
                                              const StepScales &scales,
                                              std::vector<std::string> &warnings) const {
  const Defect &reversal = record.reversal;
  if (reversal.pair == Defect::none || is_negligible(reversal, scales))
    return;
  const ContactPair<dim> &pair = c.boundary->pairs[reversal.pair];
  const std::string beginning = "alternating stick: contact '" + pair.name + "'";
  if (has_beginning(warnings, beginning))
    return;
  const bool has_law = c.choices.gap == GapLaw::rate && c.choices.forecast != Forecast::trial &&
                       pair.formulation == Formulation::collocated;
  const bool is_least = impact_law(pair.law, pair.restitution, c.choices.theta).takes_least_e_T;
  const std::string setting = !has_law   ? "Scheme = moreau-jean-fremond or pdas-leapfrog"
                              : is_least ? "Time/Theta = 1"
                              : is_persistent(pair.law) ? "Impact law = persistent-dissipative"
                                                        : "Impact law = dissipative";
  warnings.push_back(
      beginning + format(" at t = %.6g: ", reversal.time) +
      point_in_words(defect_place(c, reversal)) +
      format(" sticks and has a tangential velocity of %.3g, which has changed its sign in each of "
             "many steps: ",
             reversal.value) +
      (is_least ? "at rest friction would do positive work; "
                : "the law reverses sticking contacts; ") +
      setting + " brings it to rest");
}

/// Returns the warning of a defect without its beginning.
template <int dim>
std::string ContactLawWatch<dim>::warning(const Defect &defect, DefectKind kind,
                                          const StepScales &scales) const {
  const DefectPlace position = defect_place(c, defect);
  const DefectEntry &entry = defect_entries()[static_cast<std::size_t>(kind)];
  return format(" at t = %.6g: ", defect.time) + point_in_words(position) +
         format(" has %.3g", defect.value) +
         (entry.is_length ? format(" (local size %.3g)", position.local_size) : "") + ", the " +
         entry.description +
         (is_judged_by_force(defect, kind, scales)
              ? format(", beside an indentation of %.3g: it changes forces by up to %.2g %%",
                       scales.indentation, 100. * defect.value / scales.indentation)
              : "") +
         "; " + remedy(c.boundary->pairs[defect.pair], kind);
}

/// True if the forecast `closing` would close a contact at a point that has missed its contact.
template <int dim>
bool ContactLawWatch<dim>::may_close(const ContactPair<dim> &pair) const {
  return c.choices.gap == GapLaw::rate && c.choices.forecast != Forecast::closing &&
         c.choices.forecast != Forecast::trial && pair.formulation == Formulation::collocated &&
         (is_light(pair, c) || impact_law(pair.law, pair.restitution, c.choices.theta).e == 0.);
}

template <int dim>
std::string ContactLawWatch<dim>::remedy(const ContactPair<dim> &pair, DefectKind kind) const {
  const std::string shorter_step = "a shorter Time/Step makes it smaller";
  const bool jumps = is_light(pair, c);
  switch (kind) {
  case DefectKind::relapse_depth:
    if (c.choices.forecast == Forecast::trial)
      return "the trial without contacts excludes a point that has stopped before the surface; " +
             shorter_step + ", and Scheme = pdas-leapfrog holds the point";
    if (c.choices.separating != SeparatingContacts::dissipative &&
        pair.gap_tolerance < wide_tolerance && !jumps)
      return "round-off may have opened the contact: Contact/Gap tolerance = 1e-6 keeps it closed";
    [[fallthrough]];
  case DefectKind::missed_depth:
    if (may_close(pair))
      return shorter_step + "; with Contact/Forecast = closing the point stops at the surface";
    return jumps ? "nodes without inertia move by jumps: Contact/Node inertia = consistent "
                   "holds them"
                 : shorter_step;
  case DefectKind::drift:
    if (c.choices.normal_rows == NormalRows::secant && !pair.is_between_rigid_bodies())
      return shorter_step;
    if (!pair.is_between_rigid_bodies() && (pair.region() || pair.is_on_faces()))
      return "leave out Contact/Frames: without it contacts of elastic bodies keep their gaps";
    return c.choices.frames == Frames::start
               ? "Contact/Frames = midpoint or a shorter Time/Step makes it smaller"
               : shorter_step;
  case DefectKind::pressing_gap:
    if (c.choices.forecast != Forecast::position && c.choices.forecast != Forecast::closing)
      return "a shorter Time/Step, or Contact/Forecast = position, makes it smaller";
    return pair.gap_tolerance > wide_tolerance ? "a smaller Contact/Gap tolerance lets it close"
                                               : shorter_step;
  case DefectKind::cone_violation:
  case DefectKind::slip_direction_error:
  case DefectKind::resting_work:
    break;
  }
  return "the contact problem is not solved well enough: Solver/Tolerance = 1e-14 solves it better";
}

PERCUSSION_INSTANTIATE(defect_place);
PERCUSSION_INSTANTIATE(defect_places);
template class ContactLawWatch<2>;
template class ContactLawWatch<3>;

} // namespace percussion
