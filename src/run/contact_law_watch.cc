#include "contact_law_watch.h"

#include <percussion/base/format.h>
#include <percussion/body/waves.h>

#include "defect_places.h"
#include <algorithm>
#include <limits>

namespace percussion {
namespace {

/// Gap tolerance above which opening a contact is due to more than round-off.
constexpr double wide_tolerance = 1e-6;

/// Returns the beginning of the warning of alternating stick velocities: "alternating stick:
/// contact 'ground'".
template <int dim>
std::string beginning_of_reversals(const ContactPair<dim> &pair) {
  return "alternating stick: contact '" + pair.name + "'";
}

/// True for contacts between bodies whose contact nodes have no inertia.
template <int dim>
bool is_light(const ContactPair<dim> &pair, const Case<dim> &c) {
  if (!pair.is_on_faces())
    return false;
  const std::string path = "Contact/Node inertia";
  const auto has_value = [&](const char *value) {
    return std::find(c.parameters.begin(), c.parameters.end(),
                     std::pair{path, std::string(value)}) != c.parameters.end();
  };
  return has_value("redistributed") ||
         (!has_value("consistent") && scheme(c.scheme_name).redistributes_inertia);
}

/// True if a missed depth is due to a relapse, whose warning names its cause and remedy.
bool is_known_as_relapse(const ContactDefects &defects, DefectKind kind) {
  const Defect &missed = defects.defect(DefectKind::missed_depth),
               &relapse = defects.defect(DefectKind::relapse_depth);
  return kind == DefectKind::missed_depth && relapse.value == missed.value &&
         relapse.point == missed.point;
}

} // namespace

template <int dim>
std::array<DefectBound, n_defect_kinds>
defect_bounds(const ContactPair<dim> &pair, const StepChoices &choices, double solver_tolerance,
              bool is_light, double n_transits) {
  constexpr double long_step = 10; // transits, after which waves do not resolve a closing contact
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const bool by_position =
      choices.forecast == Forecast::position || choices.forecast == Forecast::closing;
  const bool by_trial = choices.forecast == Forecast::trial;
  return {
      {{DefectKind::missed_depth, 1,
        "a first touch is O(h u); beyond the local size the point has passed its contact surface"},
       {DefectKind::relapse_depth, by_position || by_trial ? 2e-3 : (is_light ? 0.01 : 1.),
        "a point that presses has no velocity to sink with, and gains O(h²); with the forecasts "
        "prediction and leapfrog contacts may take turns"},
       {DefectKind::drift, pair.is_mortar() ? 1. : 0.5,
        "round-off on planes, O(h²) a step on curves; gaps that are means follow their weights"},
       {DefectKind::pressing_gap,
        by_position ? 0.01 + pair.gap_tolerance : (n_transits > long_step ? 0.1 : 1.),
        "the gap tolerance, and what a curved face does to a gap; another forecast holds points as "
        "far away as they move in half a step, and in a long step for all waves that follow"},
       {DefectKind::cone_violation, std::max(1e-6, 10. * solver_tolerance),
        "the tolerance of the solver is below"},
       {DefectKind::slip_direction_error, solver_tolerance > 1e-8 ? infinite : 1e-2,
        "the default tolerance is far below; a loose tolerance leaves the directions of small "
        "forces open"},
       {DefectKind::resting_work, choices.penalty == Penalty::none ? 1e-2 : infinite,
        "contacts at rest do no work, except springs, which store it"}}};
}

template <int dim>
ContactLawWatch<dim>::ContactLawWatch(const Case<dim> &of_case,
                                      const std::vector<std::string> &given_entries)
    : c(of_case) {
  for (unsigned int pair = 0; pair < c.boundary->pairs.size(); ++pair) {
    const ContactPair<dim> &of_pair = c.boundary->pairs[pair];
    bounds.push_back(defect_bounds(of_pair, c.choices, c.cone.tolerance, is_light(of_pair, c),
                                   transits_of_step(of_pair, c)));
    is_known.emplace_back();
    for (const DefectEntry &entry : defect_entries()) {
      const std::string prefix = beginning({0., 0., pair, 0}, entry.kind);
      is_known[pair][static_cast<std::size_t>(entry.kind)] =
          std::any_of(given_entries.begin(), given_entries.end(),
                      [&](const std::string &text) { return begins_with(text, prefix); });
    }
    reversal_is_known.push_back(
        std::any_of(given_entries.begin(), given_entries.end(), [&](const std::string &text) {
          return begins_with(text, beginning_of_reversals(of_pair));
        }));
  }
}

template <int dim>
std::vector<std::string> ContactLawWatch<dim>::look(const StepRecord<dim> &record,
                                                    const StepScales &scales) {
  std::vector<std::string> found;
  for (const DefectEntry &entry : defect_entries()) {
    const Defect &defect = record.defects.defect(entry.kind);
    if (defect.pair == Defect::none || is_known_as_relapse(record.defects, entry.kind))
      continue;
    const auto kind = static_cast<std::size_t>(entry.kind);
    const double size = entry.is_length ? c.boundary->points[defect.point].size : 1.;
    if (!(defect.value > bounds[defect.pair][kind].bound * size) || is_known[defect.pair][kind])
      continue;
    is_known[defect.pair][kind] = true;
    found.push_back(warning(defect, entry.kind));
  }
  if (const std::string reversals = look_for_reversals(record, scales); !reversals.empty())
    found.push_back(reversals);
  return found;
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
std::string ContactLawWatch<dim>::look_for_reversals(const StepRecord<dim> &record,
                                                     const StepScales &scales) {
  const Defect &reversal = record.reversal;
  if (reversal.pair == Defect::none || reversal_is_known[reversal.pair] ||
      is_negligible(reversal, scales))
    return {};
  reversal_is_known[reversal.pair] = true;
  const ContactPair<dim> &pair = c.boundary->pairs[reversal.pair];
  const bool has_law = c.choices.gap == GapLaw::rate && c.choices.forecast != Forecast::trial &&
                       pair.formulation == Formulation::collocated;
  const bool is_least = impact_law(pair.law, pair.restitution, c.choices.theta).takes_least_e_T;
  const std::string setting = !has_law   ? "Scheme = moreau-jean-fremond or pdas-leapfrog"
                              : is_least ? "Time/Theta = 1"
                              : is_persistent(pair.law) ? "Impact law = persistent-dissipative"
                                                        : "Impact law = dissipative";
  return beginning_of_reversals(pair) + format(" at t = %.6g: ", reversal.time) +
         point_in_words(defect_place(c, reversal)) +
         format(" sticks and has a tangential velocity of %.3g, which has changed its sign in each "
                "of many steps: ",
                reversal.value) +
         (is_least ? "at rest friction would do positive work; "
                   : "the law reverses sticking contacts; ") +
         setting + " brings it to rest";
}

/// Returns the beginning of a warning, which identifies its kind and contact pair: "missed depth:
/// contact 'ground'".
template <int dim>
std::string ContactLawWatch<dim>::beginning(const Defect &defect, DefectKind kind) const {
  std::string name = defect_entries()[static_cast<std::size_t>(kind)].name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name + ": contact '" + c.boundary->pairs[defect.pair].name + "'";
}

template <int dim>
std::string ContactLawWatch<dim>::warning(const Defect &defect, DefectKind kind) const {
  const DefectPlace position = defect_place(c, defect);
  const DefectEntry &entry = defect_entries()[static_cast<std::size_t>(kind)];
  std::string text = beginning(defect, kind) + format(" at t = %.6g: ", defect.time) +
                     point_in_words(position) + " has " + format("%.3g", defect.value);
  if (entry.is_length)
    text += format(" (local size %.3g)", position.local_size);
  return text + ", the " + entry.description + "; " + remedy(c.boundary->pairs[defect.pair], kind);
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
    if (pair.is_on_faces() && pair.bodies().empty() && c.choices.frames != Frames::reached)
      return c.choices.predicts_faces
                 ? "velocities of contact nodes predict no midpoint: Contact/Frames = start or "
                   "reached midpoint holds the nodes"
                 : "Contact/Frames = reached midpoint or a shorter Time/Step makes it smaller";
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

template std::array<DefectBound, n_defect_kinds>
defect_bounds(const ContactPair<2> &, const StepChoices &, double, bool, double);
template std::array<DefectBound, n_defect_kinds>
defect_bounds(const ContactPair<3> &, const StepChoices &, double, bool, double);
template class ContactLawWatch<2>;
template class ContactLawWatch<3>;

} // namespace percussion
