#include "gap_rows.h"

#include <percussion/base/instantiate.h>
#include <percussion/contact/reference_gaps.h>

#include "../contact/secant_row.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Returns the motion of a step with the mean velocity v_θ.
template <int dim>
StepMotion<dim> step_motion(const TraceField &v_theta, const ContactSetting<dim> &setting) {
  const Boundary<dim> &boundary = setting.boundary;
  StepMotion<dim> motion{v_theta, {}, boundary.trace.n_elastic()};
  for (double &value : motion.displacement)
    value *= setting.interval.h;
  const TraceField q0 = boundary.trace.gather(setting.state.q);
  motion.middle.resize(motion.n_elastic / dim);
  for (const Facets<dim> &facets : boundary.facets)
    for (const FacetNode<dim> &node : facets.nodes) {
      dealii::Point<dim> &x = motion.middle[node.entry / dim];
      x = node.position;
      for (unsigned int d = 0; d < dim; ++d)
        x[d] += q0[node.entry + d] + 0.5 * motion.displacement[node.entry + d];
    }
  return motion;
}

/// Returns the displacement of the opposite surface of a contact in the step.
template <int dim>
std::optional<dealii::Tensor<1, dim>> surface_displacement(const Contact<dim> &contact,
                                                           const ContactSetting<dim> &setting) {
  if (setting.boundary.pairs[contact.key.pair].surface() == nullptr)
    return {};
  return setting.interval.h * setting.state.surface_motion[contact.key.pair].mean_velocity(contact);
}

/// Returns a bound of the round-off of a gap [length].
template <int dim>
double rounding_of_gap(const Contact<dim> &contact, const Boundary<dim> &boundary) {
  constexpr double round_off = 8. * std::numeric_limits<double>::epsilon();
  const ContactPoint<dim> &point = boundary.points[contact.point];
  return round_off * (point.size + point.position.norm());
}

/// Returns the displacement of a contact relative to the opposite side.
template <int dim>
dealii::Tensor<1, dim>
relative_displacement(const Contact<dim> &contact, const ContactList<dim> &list,
                      const TraceField &v_theta, const ContactSetting<dim> &setting) {
  return setting.interval.h *
         (list.velocity(contact, v_theta, false) -
          setting.state.surface_motion[contact.key.pair].mean_velocity(contact));
}

/// Returns the contacts of a step after a time of its motion, when the time is t.
template <int dim>
ContactList<dim> contacts_at(double time, double t, const ContactList<dim> &active,
                             const TraceField &v_theta, bool has_gradients,
                             const ContactSetting<dim> &setting) {
  TraceField q = setting.boundary.trace.gather(setting.state.q);
  setting.boundary.trace.move(time, v_theta, q);
  return setting.finder.find_again(active.contacts, q, t, has_gradients);
}

/// True if a contact overlaps, of a pair whose rows follow its gaps.
template <int dim>
bool overlaps(const Contact<dim> &contact, const ContactSetting<dim> &setting) {
  return contact.gap_of_law() < 0. &&
         follows_gaps(setting.boundary.pairs[contact.key.pair], setting.choices);
}

/// Returns the rows of a contact between x0 and x1, from a base row in the middle of the step, or
/// at x0 if the contact is not found there.
template <int dim>
void add_secant_row(const Contact<dim> &begin, const ContactList<dim> &active,
                    const ReachedContacts<dim> &reached, const StepMotion<dim> &motion,
                    double returned, const ContactSetting<dim> &setting, GapRows<dim> &rows) {
  const Contact<dim> *const middle = reached.middle.find(begin.key);
  const Contact<dim> *const end = reached.end.find(begin.key);
  const ContactList<dim> &base_list = middle != nullptr ? reached.middle : active;
  const Contact<dim> &base = middle != nullptr ? *middle : begin;
  const ContactSupport<dim> support = base_list.support_of(base);
  SecantRow<dim> row{base, {support.begin(), support.end()}};
  const auto surface = surface_displacement(base, setting);
  // The row gives the change of the geometric gap, without a depth that it gives back.
  const double reference =
      reference_change(setting.boundary, begin.key, setting.state.time, setting.interval.t1);
  const auto change =
      end != nullptr ? std::optional(end->gap - begin.gap + reference - returned) : std::nullopt;
  const double given = correct_row(row, motion, surface ? &*surface : nullptr, change,
                                   rounding_of_gap(begin, setting.boundary),
                                   setting.choices.penalty == Penalty::none);
  rows.targets.push_back({given - reference, end != nullptr ? end->gap_of_law() : 0.});
  rows.contacts.add(row.contact, row.support.data(), row.support.data() + row.support.size());
}

} // namespace

template <int dim>
bool follows_gaps(const ContactPair<dim> &pair, const StepChoices &choices) {
  return choices.normal_rows == NormalRows::secant && !pair.is_between_rigid_bodies() &&
         (pair.region() != nullptr || pair.is_on_faces()) && !pair.has_linear_gaps();
}

bool has_end_rows(const StepChoices &choices) {
  return choices.normal_rows == NormalRows::secant && !choices.has_inertia &&
         choices.penalty == Penalty::none && choices.gap == GapLaw::rate &&
         choices.forecast != Forecast::trial;
}

namespace {

/// True if the rows of a pair follow its gaps by a law for velocities, and the contacts of one side
/// hold the bodies apart. Contacts of nodes of both sides are redundant: the motion that a contact
/// keeps or returns changes which others press, and repetitions of a substep would alternate.
template <int dim>
bool has_rates_of_one_side(const ContactPair<dim> &pair, const StepChoices &choices) {
  return follows_gaps(pair, choices) && !has_end_rows(choices) && choices.gap == GapLaw::rate &&
         choices.penalty == Penalty::none &&
         pair.discretisation != Discretisation::nodes_of_both_sides;
}

} // namespace

template <int dim>
bool returns_depths(const ContactPair<dim> &pair, const StepChoices &choices) {
  return has_rates_of_one_side(pair, choices) && !pair.initial_overlap.is_reference();
}

template <int dim>
double depth_to_return(const Contact<dim> &begin, const ContactMemory<dim> *memory) {
  return memory == nullptr ? 0. : std::min(memory->covered_depth, std::max(0., -begin.gap));
}

template <int dim>
double returned_depth(const Contact<dim> &begin, const ContactMemory<dim> *memory,
                      const ContactList<dim> &active, const TraceField &v_theta,
                      const ContactSetting<dim> &setting) {
  constexpr double slope = 0.1;
  const double depth = depth_to_return(begin, memory);
  if (!(depth > 0.) || !returns_depths(setting.boundary.pairs[begin.key.pair], setting.choices))
    return 0.;
  const auto moved = relative_displacement(begin, active, v_theta, setting);
  const double largest_part = slope * (moved - (begin.normal * moved) * begin.normal).norm();
  if (!(memory->return_speed > 0.))
    return largest_part > 0. ? 0.5 * depth / std::ceil(depth / largest_part) : 0.;
  return std::min({depth, memory->return_speed * setting.interval.h, 2. * largest_part});
}

template <int dim>
std::vector<std::optional<double>>
rates_of_gaps(const ContactList<dim> &active, const ContactList<dim> &begin,
              const ContactList<dim> &end, double h, const Boundary<dim> &boundary,
              const StepChoices &choices) {
  if (!has_end_rows(choices))
    return {};
  std::vector<std::optional<double>> rates(active.contacts.size());
  Cursor begins(begin.contacts), ends(end.contacts);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const ContactKey &key = active.contacts[i].key;
    const Contact<dim> *const first = begins.go_to(key), *const last = ends.go_to(key);
    if (last != nullptr && follows_gaps(boundary.pairs[key.pair], choices))
      rates[i] = (last->gap - (first != nullptr ? first->gap : 0.)) / h;
  }
  return rates;
}

template <int dim>
std::optional<double> start_rate(const Contact<dim> &contact, const TraceField &v0,
                                 const ContactSetting<dim> &setting) {
  const State<dim> &state = setting.state;
  const Contact<dim> *const start_contact = state.found.find(contact.key);
  if (start_contact == nullptr ||
      !follows_gaps(setting.boundary.pairs[contact.key.pair], setting.choices))
    return {};
  const double rate = start_velocity(*start_contact, state.found, v0, state)[0];
  if (contact.is_of_rigid_bodies() || setting.choices.penalty != Penalty::none)
    return rate;
  return rate / row_resultant(*start_contact,
                              state.found.support.data() + start_contact->support_begin,
                              setting.boundary.trace.n_elastic());
}

template <int dim>
bool may_last(const ContactPair<dim> &pair, const StepChoices &choices) {
  return has_rates_of_one_side(pair, choices) && pair.formulation == Formulation::collocated &&
         choices.separating == SeparatingContacts::dissipative &&
         choices.forecast != Forecast::trial;
}

template <int dim>
bool is_lasting(const Contact<dim> &contact, const ContactMemory<dim> *memory,
                const ContactSetting<dim> &setting) {
  const Boundary<dim> &boundary = setting.boundary;
  if (memory == nullptr || !memory->is_lasting || contact.is_of_rigid_bodies() ||
      !may_last(boundary.pairs[contact.key.pair], setting.choices))
    return false;
  const Contact<dim> *const begin = setting.state.found.find(contact.key);
  return begin != nullptr &&
         begin->gap_of_law() <= largest_lasting_gap * boundary.points[contact.point].size;
}

template <int dim>
bool closes_again(const Contact<dim> &contact, const ContactMemory<dim> *memory,
                  const ContactSetting<dim> &setting) {
  const ContactPair<dim> &pair = setting.boundary.pairs[contact.key.pair];
  return impact_law(pair.law, pair.restitution, setting.choices.theta).e == 0. &&
         is_lasting(contact, memory, setting);
}

template <int dim>
ContactList<dim> contacts_at_end(const ContactList<dim> &active, const TraceField &v_theta,
                                 bool has_gradients, const ContactSetting<dim> &setting) {
  return contacts_at(setting.interval.h, setting.interval.t1, active, v_theta, has_gradients,
                     setting);
}

template <int dim>
ContactList<dim> contacts_at_middle(const ContactList<dim> &active, const TraceField &v_theta,
                                    const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  return contacts_at(0.5 * interval.h, 0.5 * (state.time + interval.t1), active, v_theta,
                     !has_end_rows(choices), setting);
}

template <int dim>
bool has_newly_covered(const ContactList<dim> &end, const ContactSetting<dim> &setting) {
  Cursor begins(setting.state.found.contacts);
  return std::any_of(end.contacts.begin(), end.contacts.end(), [&](const Contact<dim> &contact) {
    return begins.go_to(contact.key) == nullptr && overlaps(contact, setting);
  });
}

template <int dim>
ContactList<dim> newly_covered(const ReachedContacts<dim> &reached, const TraceField &v_theta,
                               const ContactSetting<dim> &setting) {
  constexpr double small_correction = 0.3;
  ContactList<dim> covered;
  Cursor begins(setting.state.found.contacts);
  for (const Contact<dim> &end : reached.end.contacts) {
    if (begins.go_to(end.key) != nullptr || !overlaps(end, setting))
      continue;
    const Contact<dim> *const middle = reached.middle.find(end.key);
    const ContactList<dim> &list = middle != nullptr ? reached.middle : reached.end;
    Contact<dim> contact = middle != nullptr ? *middle : end;
    const auto moved = relative_displacement(contact, list, v_theta, setting);
    const ContactPair<dim> &pair = setting.boundary.pairs[end.key.pair];
    const double size = setting.boundary.points[end.point].size;
    const bool is_returned =
        returns_depths(pair, setting.choices) && -0.5 * end.gap < largest_returned_depth * size;
    contact.gap = is_returned ? 0.5 * end.gap : 0.;
    const double missing = std::abs(end.gap - contact.gap - contact.normal * moved);
    if (!has_end_rows(setting.choices) && !(missing <= small_correction * moved.norm()))
      continue;
    contact.pressed = 0.;
    const ContactSupport<dim> support = list.support_of(contact);
    covered.add(contact, support.begin(), support.end());
  }
  return covered;
}

template <int dim>
GapRows<dim> gap_rows(const ContactList<dim> &active, const ContactList<dim> &posed,
                      const ReachedContacts<dim> &reached, const TraceField &v_theta,
                      const ContactSetting<dim> &setting) {
  GapRows<dim> rows;
  rows.contacts.bodies = posed.bodies;
  const StepMotion<dim> motion = step_motion(v_theta, setting);
  Cursor kept(posed.contacts), memories(setting.state.history.memories);
  for (const Contact<dim> &contact : active.contacts) {
    const bool follows = follows_gaps(setting.boundary.pairs[contact.key.pair], setting.choices);
    if (follows && !has_end_rows(setting.choices)) {
      add_secant_row(contact, active, reached, motion,
                     returned_depth(contact, memories.go_to(contact.key), active, v_theta, setting),
                     setting, rows);
      continue;
    }
    const Contact<dim> *const end = follows ? reached.end.find(contact.key) : nullptr;
    const Contact<dim> *const last = kept.go_to(contact.key);
    double scale = 1.;
    if (end != nullptr) {
      rows.contacts.add(*end, reached.end);
      const Contact<dim> &added = rows.contacts.contacts.back();
      scale = scale_to_unit_force(added, &rows.contacts.support[added.support_begin],
                                  setting.boundary.trace.n_elastic());
    } else if (last != nullptr)
      rows.contacts.add(*last, posed);
    else
      rows.contacts.add(contact, active);
    RowTarget target;
    target.is_for_end = end != nullptr;
    target.is_uncovered = follows && end == nullptr;
    target.end_gap = end != nullptr ? end->gap_of_law() / scale : 0.;
    rows.targets.push_back(target);
  }
  return rows;
}

template <int dim>
FramedContacts<dim> framed_contacts(GapRows<dim> rows, const TraceField &v_theta,
                                    const ContactSetting<dim> &setting) {
  FramedContacts<dim> framed{std::move(rows.contacts), {}};
  auto &contacts = framed.contacts.contacts;
  for (std::size_t i = 0; i < rows.targets.size(); ++i) {
    const RowTarget &target = rows.targets[i];
    if (target.is_uncovered)
      continue;
    const Contact<dim> &contact = contacts[framed.offset.size()] = contacts[i];
    framed.offset.emplace_back();
    if (!target.is_for_end)
      continue;
    const auto moved = relative_displacement(contact, framed.contacts, v_theta, setting);
    const double reference =
        reference_change(setting.boundary, contact.key, setting.state.time, setting.interval.t1);
    framed.offset.back() =
        (target.end_gap - contact.normal * moved + reference) / setting.interval.h;
  }
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(framed.offset.size()),
                 contacts.end());
  return framed;
}

template <int dim>
double gap_mismatch(const PosedLaw<dim> &law, const std::vector<double> &p,
                    const TraceField &v_theta, const ContactList<dim> &active,
                    const std::vector<RowTarget> &targets, const ContactSetting<dim> &setting) {
  // Laws for gaps amplify errors of gaps by the mass over h².
  const double n_roundings = setting.choices.gap == GapLaw::rate ? 100. : 10.;
  double largest = 0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < law.active.contacts.size(); ++i) {
    const Contact<dim> &contact = law.active.contacts[i];
    while (!(active.contacts[k].key == contact.key))
      ++k;
    const RowTarget &target = targets[k];
    const auto row = static_cast<unsigned int>(dim * i);
    if (target.is_uncovered && p[row] > 0.)
      return 1.; // of the size of the point
    const double moved =
        setting.interval.h *
        (law.directions_of(i)[0] * law.active.velocity(contact, v_theta, false) - law.surface[row]);
    double missing = 0;
    if (target.is_for_end)
      missing = target.end_gap - moved - setting.interval.h * law.offset[row];
    else if (target.change)
      missing = *target.change - moved;
    if (std::abs(missing) <= n_roundings * rounding_of_gap(contact, setting.boundary))
      continue;
    if (p[row] > 0. || (missing < 0. && target.end_gap < 0.))
      largest = std::max(largest, std::abs(missing) / setting.boundary.points[contact.point].size);
  }
  return largest;
}

template <int dim>
std::optional<double>
mismatch_of_end_gaps(const PosedLaw<dim> &law, const std::vector<double> &p,
                     const TraceField &v_theta, const ContactList<dim> &active,
                     const ContactList<dim> &end, const ContactSetting<dim> &setting) {
  if (has_end_rows(setting.choices))
    return {};
  std::vector<RowTarget> targets;
  targets.reserve(active.contacts.size());
  Cursor memories(setting.state.history.memories);
  std::size_t i = 0;
  for (const Contact<dim> &contact : active.contacts) {
    const bool has_law =
        i < law.active.contacts.size() && law.active.contacts[i].key == contact.key;
    const bool presses = has_law && p[dim * i] > 0.;
    i += has_law;
    RowTarget &target = targets.emplace_back();
    if (!follows_gaps(setting.boundary.pairs[contact.key.pair], setting.choices))
      continue;
    const Contact<dim> *const end_contact = end.find(contact.key);
    if (end_contact == nullptr && presses)
      return {};
    if (end_contact != nullptr)
      target = {end_contact->gap - contact.gap -
                    returned_depth(contact, memories.go_to(contact.key), active, v_theta, setting),
                end_contact->gap_of_law()};
  }
  return gap_mismatch(law, p, v_theta, active, targets, setting);
}

PERCUSSION_INSTANTIATE(follows_gaps);
PERCUSSION_INSTANTIATE(returns_depths);
PERCUSSION_INSTANTIATE(depth_to_return);
PERCUSSION_INSTANTIATE(returned_depth);
PERCUSSION_INSTANTIATE(rates_of_gaps);
PERCUSSION_INSTANTIATE(start_rate);
PERCUSSION_INSTANTIATE(may_last);
PERCUSSION_INSTANTIATE(is_lasting);
PERCUSSION_INSTANTIATE(closes_again);
PERCUSSION_INSTANTIATE(contacts_at_end);
PERCUSSION_INSTANTIATE(contacts_at_middle);
PERCUSSION_INSTANTIATE(has_newly_covered);
PERCUSSION_INSTANTIATE(newly_covered);
PERCUSSION_INSTANTIATE(gap_rows);
PERCUSSION_INSTANTIATE(framed_contacts);
PERCUSSION_INSTANTIATE(gap_mismatch);
PERCUSSION_INSTANTIATE(mismatch_of_end_gaps);

} // namespace percussion
