#include <percussion/base/instantiate.h>
#include <percussion/contact/reference_gaps.h>
#include <percussion/dynamics/augmentation.h>
#include <percussion/dynamics/bonds.h>
#include <percussion/dynamics/contact_moments.h>
#include <percussion/dynamics/friction.h>
#include <percussion/dynamics/posed_law.h>
#include <percussion/dynamics/rates.h>
#include <percussion/dynamics/springs.h>

#include "../contact/secant_row.h"
#include "gap_rows.h"
#include "law_memory.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

namespace {

/// Returns the rows from supports and directions, by the index of the contact, without exact zeros.
/// `symmetry_factor` returns the factor of Nitsche's entries in the support of a contact.
template <int dim, typename Directions, typename Factor>
ContactRows make_rows(const PosedLaw<dim> &law, const Directions &directions,
                      const Factor &symmetry_factor) {
  const ContactList<dim> &list = law.active;
  ContactRows H;
  H.start.reserve(dim * list.contacts.size() + 1);
  H.column.reserve(list.support.size());
  H.value.reserve(list.support.size());
  for (std::size_t i = 0; i < list.contacts.size(); ++i) {
    const Contact<dim> &contact = list.contacts[i];
    for (const auto &direction : directions(i)) {
      for (unsigned int k = contact.support_begin; k < contact.support_end; ++k) {
        double value = direction * list.support[k].weight;
        if (k + contact.n_traction >= contact.support_end)
          value *= symmetry_factor(contact);
        if (value != 0.) {
          H.column.push_back(list.support[k].entry);
          H.value.push_back(value);
        }
      }
      H.start.push_back(static_cast<unsigned int>(H.column.size()));
    }
  }
  return H;
}

/// Sets the coefficients of friction of all contacts.
template <int dim>
void set_friction(const State<dim> &state, const TraceField &v0, const Boundary<dim> &boundary,
                  PosedLaw<dim> &law) {
  const auto &contacts = law.active.contacts;
  const auto pair = [&](const Contact<dim> &contact) -> const ContactPair<dim> & {
    return boundary.pairs[contact.key.pair];
  };
  const FrictionCoefficients<dim> friction(state, v0, boundary);
  law.mu.reserve(contacts.size());
  for (const auto &contact : contacts)
    law.mu.push_back(friction(contact));
  if (std::none_of(contacts.begin(), contacts.end(),
                   [&](const auto &contact) { return pair(contact).has_unequal_friction(); }))
    return;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double forward = law.mu[i],
                 backward = pair(contacts[i]).backward_friction_ratio * forward;
    law.mu[i] = 0.5 * (forward + backward);
    law.friction_shift.push_back(0.5 * (backward - forward));
  }
}

/// Makes H and, if it differs, G, with the rows of moments.
template <int dim>
void make_all_rows(const Boundary<dim> &boundary, PosedLaw<dim> &law) {
  const auto symmetry = [&](const Contact<dim> &contact) {
    return boundary.pairs[contact.key.pair].symmetry;
  };
  law.H = make_rows(
      law, [&](std::size_t i) { return law.force_directions_of(i); }, symmetry);
  append_moment_rows(law, boundary, law.H);
  std::vector<unsigned int> all = law.H.column;
  const auto &contacts = law.active.contacts;
  const bool is_symmetric = law.friction_shift.empty() &&
                            std::all_of(contacts.begin(), contacts.end(), [&](const auto &contact) {
                              return contact.n_traction == 0 || symmetry(contact) == 1.;
                            });
  if (!is_symmetric) {
    law.G = make_rows(
        law, [&](std::size_t i) { return law.directions_of(i); }, [](const auto &) { return 1.; });
    append_moment_rows(law, boundary, law.G);
    all.insert(all.end(), law.G.column.begin(), law.G.column.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  law.H.number_columns(all);
  if (!is_symmetric)
    law.G.number_columns(all);
}

template <int dim>
bool acts_on_free_entries(const Contact<dim> &contact, const ContactList<dim> &list,
                          const Boundary<dim> &boundary) {
  const auto first = list.support.begin() + contact.support_begin,
             last = list.support.begin() + contact.support_end;
  if (std::none_of(first, last, [&](const Support<dim> &support) {
        return boundary.trace.is_prescribed(support.entry);
      }))
    return true;
  std::vector<unsigned int> entry;
  std::vector<double> value;
  for (unsigned int k = contact.support_begin; k < contact.support_end; ++k) {
    entry.push_back(list.support[k].entry);
    value.push_back(contact.normal * list.support[k].weight);
  }
  return boundary.acts_on_free_entries(entry.data(), value.data(),
                                       static_cast<unsigned int>(entry.size()));
}

/// Returns a gap that no contact can close in the step: four times the displacement of the fastest
/// node or contact, because a wave may reach a node at rest. Without inertia the velocities at the
/// start bound no displacement.
template <int dim>
double reach(const TraceField &v0, const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  if (!choices.has_inertia)
    return std::numeric_limits<double>::infinity();
  double fastest = boundary.system.largest_elastic(state.v);
  for (const auto &contact : state.found.contacts)
    for (const double u : start_velocity(contact, state.found, v0, state))
      fastest = std::max(fastest, std::abs(u));
  return 4. * interval.h * fastest;
}

/// Returns a_N of a law for gaps, with the normal velocity u0 at the beginning of the interval.
template <int dim>
double gap_offset(const Contact<dim> &contact, const ContactMemory<dim> *memory, double u0,
                  double e, bool has_inertia, const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  const double d0 = state.found.find(contact.key)->gap_of_law(), h = interval.h;
  if (choices.gap == GapLaw::middle)
    return d0 / (choices.theta * h);
  // A scheme that redistributes inertia does not push nodes back: penetration that curved faces
  // permit would be returned with the energy of its displacement.
  if (choices.gap == GapLaw::end)
    return (has_inertia ? d0 : std::max(d0, 0.)) / h;
  const double previous_gap =
      memory != nullptr ? d0 + (memory->gap - d0) * h / state.previous_h : d0 - h * u0;
  return (d0 + e * previous_gap) / h;
}

/// Returns q0 on the trace, moved with v for a time.
template <int dim>
TraceField displaced(const State<dim> &state, double time, const TraceField &v,
                     const Boundary<dim> &boundary) {
  TraceField q = boundary.trace.gather(state.q);
  boundary.trace.move(time, v, q);
  return q;
}

/// Gap up to which a contact that has pressed counts as closed, relative to the local size [1]:
/// rigid bodies that rock by an angle φ open contacts at rest by φ² of their size. Warnings about
/// forces at a distance begin four orders of magnitude above it.
constexpr double pressed_gap_tolerance = 1e-6;

/// True if a contact has pressed in the last substep. Between rigid bodies percussions need not be
/// unique: there each contact of the law counts, for round-off decides which of them press.
template <int dim>
bool has_pressed(const Contact<dim> &contact, const ContactMemory<dim> &memory) {
  return memory.percussion[0] > 0. || (contact.is_of_rigid_bodies() && memory.rounding > 0.);
}

/// Returns the largest gap at which a contact counts as closed: the tolerance of its point, or a
/// gap that round-off or the second order of a rotation has opened. Without the latter, the point
/// would be free for an entire step.
template <int dim>
double closed_gap(const Contact<dim> &contact, const ContactMemory<dim> *memory,
                  const Boundary<dim> &boundary, const StepChoices &choices) {
  const ContactPoint<dim> &point = boundary.points[contact.point];
  const bool remembers = choices.separating == SeparatingContacts::dissipative && memory;
  const double kept =
      remembers && has_pressed(contact, *memory) ? pressed_gap_tolerance * point.size : 0.;
  return std::max(point.tolerance + (remembers ? memory->rounding : 0.), kept);
}

/// Returns a_N of a law for velocities. A contact that would close within the step, and whose law
/// has no restitution, or that a bond joins across a gap, may close its gap and no more; its law is
/// not stricter than the law of a closed contact. A lasting contact has no impact.
template <int dim>
double normal_offset(const Contact<dim> &contact, const ContactMemory<dim> *memory, double u0,
                     const LawOffset &offset, bool stops, const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  const double closed_offset = is_lasting(contact, memory, setting) ? 0. : offset.normal_term(u0);
  const bool is_posed_open =
      closes_again(contact, memory, setting) || (choices.forecast == Forecast::closing && stops);
  if (!is_posed_open && !has_bond(state.history, contact.key))
    return closed_offset;
  const double gap = state.found.find(contact.key)->gap_of_law();
  return gap > closed_gap(contact, memory, boundary, choices)
             ? std::max(gap / interval.h, closed_offset)
             : closed_offset;
}

/// True if the frames of a pair remain at the beginning of the step: the pair is between elastic
/// bodies, whose velocities predict no midpoint.
template <int dim>
bool keeps_frames(const ContactPair<dim> &pair, const StepChoices &choices) {
  return choices.frames == Frames::midpoint && !choices.predicts_faces && pair.is_on_faces() &&
         pair.bodies().empty();
}

/// Returns the contacts with frames and supports at q0 + h v/2. Contacts that are not near there
/// keep the frames and supports of the beginning.
template <int dim>
ContactList<dim> midpoint_contacts(const ContactList<dim> &active, const TraceField &v,
                                   const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  const auto keeps = [&](const Contact<dim> &contact) {
    return keeps_frames(setting.boundary.pairs[contact.key.pair], setting.choices);
  };
  if (std::all_of(active.contacts.begin(), active.contacts.end(), keeps))
    return active;
  const ContactList<dim> found =
      finder.find_again(active.contacts, displaced(state, 0.5 * interval.h, v, boundary),
                        0.5 * (state.time + interval.t1));
  ContactList<dim> moved;
  moved.bodies = found.bodies;
  for (const auto &contact : active.contacts)
    if (const Contact<dim> *const found_contact =
            keeps(contact) ? nullptr : found.find(contact.key))
      moved.add(*found_contact, found);
    else
      moved.add(contact, active);
  return moved;
}

/// Returns the velocity of a contact relative to the opposite side at the beginning of the
/// interval.
template <int dim>
dealii::Tensor<1, dim> start_velocity_vector(const Contact<dim> &contact,
                                             const ContactList<dim> &list, const TraceField &v0,
                                             const State<dim> &state) {
  return list.velocity(contact, v0) -
         state.surface_motion[contact.key.pair].start_velocity(contact);
}

/// Returns the components of a velocity by the rows of these directions.
template <int dim>
std::array<double, dim> row_components(const dealii::Tensor<1, dim> &velocity,
                                       const std::array<dealii::Tensor<1, dim>, dim> &directions) {
  std::array<double, dim> u;
  for (unsigned int r = 0; r < dim; ++r)
    u[r] = directions[r] * velocity;
  return u;
}

/// Returns the velocity of PosedLaw that moves none of these points by more than 1e-9 of its size.
template <int dim>
double negligible_velocity(const ContactList<dim> &active, double h,
                           const Boundary<dim> &boundary) {
  constexpr double negligible_motion = 1e-9;
  double least = std::numeric_limits<double>::infinity();
  for (const auto &contact : active.contacts)
    least = std::min(least, boundary.points[contact.point].size);
  return active.contacts.empty() ? 0. : negligible_motion * least / h;
}

} // namespace

template <int dim>
std::array<double, dim> start_velocity(const Contact<dim> &contact, const ContactList<dim> &list,
                                       const TraceField &v0, const State<dim> &state) {
  return row_components<dim>(start_velocity_vector(contact, list, v0, state),
                             local_frame<dim>(contact.normal));
}

bool uses_previous_gaps(const StepChoices &choices) {
  return choices.forecast == Forecast::leapfrog || choices.gap == GapLaw::two_steps;
}

template <int dim>
ContactList<dim> forecast(const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  ContactList<dim> predicted, active;
  if (!state.found.support.empty())
    active.reserve(state.found.contacts.size(), state.found.support.size());
  // The law of Forecast::closing remains valid for open contacts, too. Without inertia, bodies may
  // need them as supports from the first correction on.
  const bool all = choices.forecast == Forecast::reach || choices.forecast == Forecast::trial ||
                   (choices.forecast == Forecast::closing && !choices.has_inertia);
  const bool needs_velocity = all || choices.forecast == Forecast::prediction ||
                              choices.separating == SeparatingContacts::inactive;
  const TraceField v0 = needs_velocity ? boundary.trace.gather(state.v) : TraceField();
  const double reachable_gap = all ? reach(v0, setting) : 0.;
  if (choices.forecast == Forecast::prediction)
    predicted = finder.find(displaced(state, interval.h, v0, boundary), interval.t1);
  Cursor memories(state.history.memories);
  for (const auto &contact : state.found.contacts) {
    const ContactMemory<dim> *const memory = memories.go_to(contact.key);
    // Round-off does not separate a contact at rest.
    const double resolved = memory ? memory->rounding / state.previous_h : 0.;
    if (choices.separating == SeparatingContacts::inactive &&
        start_velocity(contact, state.found, v0, state)[0] > resolved)
      continue;
    double g = contact.gap_of_law();
    if (choices.forecast == Forecast::leapfrog) {
      if (memory) // a new candidate has no history yet
        g += 0.5 * interval.h / state.previous_h * (g - memory->gap);
    } else if (choices.forecast == Forecast::prediction)
      if (const auto *const predicted_contact = predicted.find(contact.key))
        g = predicted_contact->gap;
    // If curved faces slide, the gap of a closed contact drifts slightly. The contact is closed
    // while it presses; the paper uses only gaps.
    const bool remembers = choices.separating == SeparatingContacts::dissipative && memory;
    const bool presses =
        remembers && boundary.pairs[contact.key.pair].is_on_faces() && memory->percussion[0] > 0.;
    if (presses || closes_again(contact, memory, setting) || has_bond(state.history, contact.key) ||
        g <= reachable_gap + closed_gap(contact, memory, boundary, choices))
      active.add(contact, state.found);
  }
  return active;
}

template <int dim>
bool add_closing(ContactList<dim> &active, const TraceField &v_theta,
                 const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  const bool adds_all = choices.forecast == Forecast::closing;
  if (!adds_all && std::none_of(boundary.pairs.begin(), boundary.pairs.end(),
                                [&](const auto &pair) { return may_last(pair, choices); }))
    return false;
  Cursor memories(state.history.memories);
  std::vector<ContactKey> candidates;
  for (const auto &contact : state.found.contacts)
    if ((adds_all || is_lasting(contact, memories.go_to(contact.key), setting)) &&
        active.find(contact.key) == nullptr)
      candidates.push_back(contact.key);
  if (candidates.empty())
    return false;
  const ContactList<dim> reached =
      finder.find(displaced(state, interval.h, v_theta, boundary), interval.t1);
  const auto penetrates = [&](const Contact<dim> &contact) {
    const Contact<dim> *const end = reached.find(contact.key);
    return end != nullptr && end->gap_of_law() < -boundary.points[contact.point].tolerance;
  };
  ContactList<dim> all;
  for (const auto &contact : state.found.contacts) {
    const bool is_candidate = std::binary_search(candidates.begin(), candidates.end(), contact.key);
    if (is_candidate ? penetrates(contact) : active.find(contact.key) != nullptr)
      all.add(contact, state.found);
  }
  const bool is_larger = all.contacts.size() > active.contacts.size();
  active = std::move(all);
  return is_larger;
}

template <int dim>
PosedLaw<dim> pose_law(ContactList<dim> active, const TraceField *reached,
                       const ContactSetting<dim> &setting) {
  if (setting.choices.frames != Frames::start && !active.contacts.empty())
    active = midpoint_contacts(
        active, reached != nullptr ? *reached : setting.boundary.trace.gather(setting.state.v),
        setting);
  if (setting.choices.normal_rows == NormalRows::secant && setting.choices.penalty == Penalty::none)
    for (const Contact<dim> &contact : active.contacts)
      if (!contact.is_of_rigid_bodies())
        scale_to_unit_force(contact, &active.support[contact.support_begin],
                            setting.boundary.trace.n_elastic());
  return pose_framed_law<dim>({std::move(active), {}}, setting);
}

/// Removes the contacts that no percussion can change.
template <int dim>
void remove_idle(FramedContacts<dim> &framed, const Boundary<dim> &boundary) {
  auto &contacts = framed.contacts.contacts;
  std::size_t n = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!acts_on_free_entries(contacts[i], framed.contacts, boundary))
      continue;
    if (!framed.offset.empty())
      framed.offset[n] = framed.offset[i];
    contacts[n++] = contacts[i];
  }
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(n), contacts.end());
  framed.offset.resize(std::min(n, framed.offset.size()));
}

/// Returns the velocity of a moving surface in the normal row of a contact with nodes, which a
/// secant row may have scaled.
template <int dim>
double surface_velocity(const Contact<dim> &contact, const ContactList<dim> &list,
                        const dealii::Tensor<1, dim> &surface) {
  double velocity = 0;
  const ContactSupport<dim> support = list.support_of(contact);
  for (auto node = support.begin(); node != support.end() - contact.n_traction; ++node)
    velocity += contact.normal * node->weight * surface[node->entry % dim];
  return velocity;
}

/// Returns the velocity at the beginning on which the restitutions of a contact act, by its rows.
/// It is the velocity in the frame of the beginning, if the contact was found there: what the turn
/// of the frame adds to it until the middle is no impact, and e = 0 or e_T = 0 for it would be of
/// first order. A large turn is a jump to another face: the impact on it is an impact.
template <int dim>
std::array<double, dim> impact_velocity(const Contact<dim> &contact, const ContactList<dim> &list,
                                        const std::array<dealii::Tensor<1, dim>, dim> &directions,
                                        const TraceField &v0, const State<dim> &state) {
  constexpr double largest_turn = 0.1; // of the normal, in half a step
  const Contact<dim> *const begun = state.found.find(contact.key);
  if (begun == nullptr || (begun->normal - contact.normal).norm() > largest_turn)
    return row_components<dim>(start_velocity_vector(contact, list, v0, state), directions);
  auto velocity = start_velocity_vector(*begun, state.found, v0, state);
  const double normal = begun->normal * velocity;
  velocity -= normal * begun->normal;
  auto u0 = row_components<dim>(velocity, directions);
  u0[0] = normal;
  return u0;
}

/// Returns the velocity at the beginning by the rows of a contact, with the rate of the gap there
/// if the rows follow it.
template <int dim>
std::array<double, dim> start_components(const Contact<dim> &contact, const ContactList<dim> &list,
                                         const std::array<dealii::Tensor<1, dim>, dim> &directions,
                                         const TraceField &v0, const ContactSetting<dim> &setting) {
  auto u0 =
      row_components<dim>(start_velocity_vector(contact, list, v0, setting.state), directions);
  if (const auto rate = start_rate(contact, v0, setting))
    u0[0] = *rate;
  return u0;
}

/// Reserves memory for all rows and contacts.
template <int dim>
void reserve_rows(PosedLaw<dim> &law) {
  for (auto *const row_vector : {&law.offset, &law.surface, &law.guesses.first.p,
                                 &law.guesses.last.p, &law.guesses.earlier.p})
    row_vector->reserve(law.H.n_rows());
  for (auto *const guess : {&law.guesses.first, &law.guesses.last, &law.guesses.earlier})
    guess->status.reserve(law.active.contacts.size());
}

/// Adds the laws beside the law of contact; rows of moments follow the rows of all contacts.
template <int dim>
void add_interface_laws(PosedLaw<dim> &law, const std::vector<std::optional<double>> &offset,
                        const ContactSetting<dim> &setting) {
  add_bonds(law, offset, setting);
  add_rates(law, setting);
  append_moment_laws(law, setting);
}

template <int dim>
PosedLaw<dim> pose_framed_law(FramedContacts<dim> framed, const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  const TraceField v0 = boundary.trace.gather(state.v);
  remove_idle(framed, boundary);
  PosedLaw<dim> law;
  law.active = std::move(framed.contacts);
  find_moments(state, boundary, law);
  const auto &contacts = law.active.contacts;
  law.directions = friction_directions(law.active, boundary);
  set_friction(state, v0, boundary, law);
  make_all_rows(boundary, law);
  reserve_rows(law);
  law.negligible_velocity = negligible_velocity(law.active, interval.h, boundary);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact<dim> &contact = contacts[i];
    const ContactPair<dim> &pair = boundary.pairs[contact.key.pair];
    const bool has_inertia = boundary.points[contact.point].has_inertia;
    const auto *const memory = state.history.find(contact.key);
    const auto directions = law.directions_of(i);
    const auto surface = state.surface_motion[contact.key.pair].mean_velocity(contact);
    const ImpactLaw impact = impact_law(has_inertia ? pair.law : ImpactLawKind::persistent,
                                        pair.restitution, choices.theta);
    const bool chooses = impact.takes_least_e_T && choices.gap == GapLaw::rate;
    const bool is_rigid = chooses && contact.is_of_rigid_bodies();
    const auto u0 = is_rigid ? impact_velocity<dim>(contact, law.active, directions, v0, state)
                             : start_components<dim>(contact, law.active, directions, v0, setting);
    law.restitution.push_back(is_rigid  ? restitution_of<dim>(memory, u0, law.negligible_velocity)
                              : chooses ? TangentialRestitution::least
                                        : TangentialRestitution::fixed);
    const LawOffset offset(impact, choices.theta, choices.separating);
    for (unsigned int r = 0; r < dim; ++r) {
      if (r == 0 && !framed.offset.empty() && framed.offset[i])
        law.offset.push_back(*framed.offset[i]);
      else if (choices.gap == GapLaw::rate)
        law.offset.push_back(r == 0 ? normal_offset(contact, memory, u0[r], offset,
                                                    !has_inertia || impact.e == 0., setting)
                                    : offset.tangential_term(u0[r]));
      else
        law.offset.push_back(r == 0 ? gap_offset(contact, memory, u0[r], pair.restitution.normal,
                                                 has_inertia, setting)
                                    : 0.);
      const bool is_secant = r == 0 && !framed.offset.empty() && !contact.is_of_rigid_bodies();
      law.surface.push_back(is_secant && surface.norm() > 0.
                                ? surface_velocity(contact, law.active, surface)
                                : directions[r] * surface);
      if (r == 0)
        law.surface.back() +=
            reference_change(boundary, contact.key, state.time, interval.t1) / interval.h;
    }
    add_guesses(memory != nullptr ? *memory : ContactMemory<dim>{}, law);
  }
  if (choices.penalty != Penalty::none)
    add_springs(law, state, interval, boundary, choices);
  add_augmentation(law, state, interval, boundary, choices);
  add_interface_laws(law, framed.offset, setting);
  return law;
}

PERCUSSION_INSTANTIATE(start_velocity);
PERCUSSION_INSTANTIATE(pose_framed_law);
PERCUSSION_INSTANTIATE(forecast);
PERCUSSION_INSTANTIATE(add_closing);
PERCUSSION_INSTANTIATE(pose_law);

} // namespace percussion
