#include <percussion/base/instantiate.h>
#include <percussion/contact/surface_motion.h>
#include <percussion/dynamics/contact_moments.h>
#include <percussion/dynamics/state.h>

#include "law_memory.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace percussion {
namespace {

/// Calls visit(body, sign) for the rigid bodies of a contact, with the sign of the velocity of each
/// in the relative velocity.
template <int dim, typename Visit>
void visit_bodies(const Contact<dim> &contact, const Boundary<dim> &boundary, const Visit &visit) {
  const auto own = contact.body ? contact.body : boundary.points[contact.point].rigid_body();
  if (own)
    visit(*own, 1.);
  if (contact.opposite_body)
    visit(*contact.opposite_body, -1.);
}

/// True if any rotation of a rigid body is free.
template <int dim>
bool is_free_to_turn(unsigned int body, const Trace<dim> &trace) {
  const unsigned int first = trace.rigid_body_entry(body) + dim;
  for (unsigned int k = 0; k < RigidBody<dim>::n_rotations; ++k)
    if (!trace.is_prescribed(first + k))
      return true;
  return false;
}

/// Returns the length and the compliance of the moments of a contact: the smallest radius of its
/// bodies, and the sum of 1/m over the bodies that may turn. Both are zero if it has no moments.
template <int dim>
ContactMoment moment_scales(const Contact<dim> &contact, const Boundary<dim> &boundary) {
  ContactMoment moment{};
  visit_bodies(contact, boundary, [&](unsigned int b, double) {
    const RigidBody<dim> &body = boundary.system.rigid[b];
    const double radius = body.largest_radius();
    if (radius > 0.)
      moment.length = moment.length > 0. ? std::min(moment.length, radius) : radius;
    if (is_free_to_turn(b, boundary.trace))
      moment.compliance += 1. / body.mass;
  });
  return moment;
}

/// Returns the axes of the tangential rows of a moment: z in 2D, both tangents against rolling in
/// 3D, and the normal, beside a row without an axis, against spinning.
template <int dim>
std::array<dealii::Tensor<1, 3>, dim - 1> axes(const ContactMoment &moment,
                                               const PosedLaw<dim> &law) {
  if constexpr (dim == 2)
    return {dealii::Tensor<1, 3>({0., 0., 1.})};
  else {
    const auto frame = local_frame<3>(law.active.contacts[moment.contact].normal);
    if (moment.kind == MomentKind::rolling)
      return {frame[1], frame[2]};
    return {frame[0], {}};
  }
}

/// Returns the component along an axis of the angular velocity of a body per unit of its rotational
/// velocity k.
template <int dim>
double spin_component(const dealii::Tensor<1, 3> &axis, const RigidPose<dim> &pose,
                      unsigned int k) {
  if constexpr (dim == 2)
    return axis[2];
  else {
    double component = 0;
    for (unsigned int d = 0; d < 3; ++d)
      component += axis[d] * pose.rotation[d][k];
    return component;
  }
}

/// Returns the row group of moment k, behind all contacts.
template <int dim>
std::size_t row_group(std::size_t k, const PosedLaw<dim> &law) {
  return law.active.contacts.size() + k;
}

/// True if a row of H acts on no entry that may move.
bool is_idle(const ContactRows &H, unsigned int row, const std::vector<bool> &is_prescribed) {
  for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
    if (!is_prescribed[H.column[k]])
      return false;
  return true;
}

/// Returns the angular velocity of the surface of a contact by the rows of its moment: ℓ ω · axis
/// [velocity].
template <int dim>
std::array<double, dim> surface_row_velocities(const ContactMoment &moment,
                                               const PosedLaw<dim> &law,
                                               const dealii::Tensor<1, 3> &spin) {
  std::array<double, dim> w{};
  const auto directions = axes(moment, law);
  for (unsigned int t = 1; t < dim; ++t)
    w[t] = moment.length * (directions[t - 1] * spin);
  return w;
}

/// Returns the velocities at the beginning of an interval in the rows of a moment.
template <int dim>
std::array<double, dim> start_velocities(std::size_t k, const PosedLaw<dim> &law,
                                         const State<dim> &state, const TraceField &v0) {
  const ContactMoment &moment = law.moments[k];
  const unsigned int pair = law.active.contacts[moment.contact].key.pair;
  const auto w = surface_row_velocities(moment, law, state.surface_motion[pair].start_spin());
  std::array<double, dim> u{};
  for (unsigned int t = 1; t < dim; ++t)
    u[t] = law.rows().row_times(static_cast<unsigned int>(dim * row_group(k, law) + t), v0) - w[t];
  return u;
}

} // namespace

template <int dim>
void find_moments(const State<dim> &state, const Boundary<dim> &boundary, PosedLaw<dim> &law) {
  if (law.active.bodies == nullptr)
    law.active.bodies = state.found.bodies;
  for (std::size_t i = 0; i < law.active.contacts.size(); ++i) {
    const Contact<dim> &contact = law.active.contacts[i];
    const ContactPair<dim> &pair = boundary.pairs[contact.key.pair];
    if (!pair.has_moments())
      continue;
    ContactMoment moment = moment_scales(contact, boundary);
    if (moment.length == 0. || moment.compliance == 0.)
      continue;
    moment.contact = i;
    if (pair.rolling_friction > 0.)
      law.moments.push_back(moment);
    moment.kind = MomentKind::spinning;
    if (pair.spinning_friction > 0.)
      law.moments.push_back(moment);
  }
}

template <int dim>
void append_moment_rows(const PosedLaw<dim> &law, const Boundary<dim> &boundary,
                        ContactRows &rows) {
  const auto end_row = [&] { rows.start.push_back(static_cast<unsigned int>(rows.column.size())); };
  for (const ContactMoment &moment : law.moments) {
    end_row();
    for (const dealii::Tensor<1, 3> &axis : axes(moment, law)) {
      visit_bodies(
          law.active.contacts[moment.contact], boundary, [&](unsigned int body, double sign) {
            const unsigned int first = boundary.trace.rigid_body_entry(body) + dim;
            for (unsigned int k = 0; k < RigidBody<dim>::n_rotations; ++k) {
              const double component = spin_component(axis, law.active.bodies->poses[body], k);
              if (component == 0.)
                continue;
              rows.column.push_back(first + k);
              rows.value.push_back(sign * moment.length * component);
            }
          });
      end_row();
    }
  }
}

template <int dim>
void append_moment_laws(PosedLaw<dim> &law, const ContactSetting<dim> &setting) {
  const auto &[state, interval, finder, boundary, choices] = setting;
  if (law.moments.empty())
    return;
  const TraceField v0 = boundary.trace.gather(state.v);
  std::vector<bool> is_prescribed;
  for (const unsigned int entry : law.H.entries)
    is_prescribed.push_back(boundary.trace.is_prescribed(entry));
  const LawOffset offset({}, choices.theta, choices.separating);
  law.compliance.diagonal.resize(dim * law.active.contacts.size(), 0.);
  for (std::size_t k = 0; k < law.moments.size(); ++k) {
    const ContactMoment &moment = law.moments[k];
    const ContactKey &key = law.active.contacts[moment.contact].key;
    const ContactPair<dim> &pair = boundary.pairs[key.pair];
    const bool rolls = moment.kind == MomentKind::rolling;
    const auto u0 = start_velocities(k, law, state, v0);
    const auto w = surface_row_velocities(moment, law, state.surface_motion[key.pair].mean_spin());
    for (unsigned int r = 0; r < dim; ++r) {
      const auto row = static_cast<unsigned int>(dim * row_group(k, law) + r);
      law.offset.push_back(offset.tangential_term(u0[r]));
      law.surface.push_back(w[r]);
      // A row that moves nothing has a percussion of zero by any compliance.
      law.compliance.diagonal.push_back(is_idle(law.H, row, is_prescribed) ? moment.compliance
                                                                           : 0.);
    }
    law.mu.push_back((rolls ? pair.rolling_friction : pair.spinning_friction) / moment.length);
    if (!law.friction_shift.empty())
      law.friction_shift.push_back(0.);
    const auto *const memory =
        find_key(state.history.moments[static_cast<std::size_t>(moment.kind)], key);
    law.restitution.push_back(restitution_of<dim>(memory, u0, law.negligible_velocity));
    add_guesses(memory != nullptr ? *memory : ContactMemory<dim>{}, law);
  }
}

template <int dim>
void make_moment_laws_of_accelerations(const State<dim> &state, const TraceField &v0, double h,
                                       PosedLaw<dim> &law) {
  for (std::size_t k = 0; k < law.moments.size(); ++k) {
    const ContactMoment &moment = law.moments[k];
    const unsigned int pair = law.active.contacts[moment.contact].key.pair;
    const SurfaceMotion<dim> &motion = state.surface_motion[pair];
    const auto u0 = start_velocities(k, law, state, v0);
    const auto w =
        surface_row_velocities(moment, law, 2. / h * (motion.mean_spin() - motion.start_spin()));
    for (unsigned int r = 0; r < dim; ++r) {
      law.offset[dim * row_group(k, law) + r] = u0[r] / h;
      law.surface[dim * row_group(k, law) + r] = w[r];
    }
  }
}

template <int dim>
void remember_moments(const PosedLaw<dim> &law, const ReactionGuess &first,
                      const ReactionGuess &last, ContactHistory<dim> &history) {
  const auto previous = std::exchange(history.moments, {});
  for (std::size_t k = 0; k < law.moments.size(); ++k) {
    const ContactMoment &moment = law.moments[k];
    const auto kind = static_cast<std::size_t>(moment.kind);
    ContactMemory<dim> memory{law.active.contacts[moment.contact].key};
    if (const auto *const before = find_key(previous[kind], memory.key)) {
      memory.previous_percussion = before->percussion;
      memory.earlier_status = before->status;
    }
    store_solution(row_group(k, law), first, last, memory);
    history.moments[kind].push_back(memory);
  }
}

template <int dim>
void account_moments(const PosedLaw<dim> &law, const Reaction &reaction, const TraceField &v_theta,
                     StepRecord<dim> &record) {
  for (std::size_t k = 0; k < law.moments.size(); ++k) {
    const ContactMoment &moment = law.moments[k];
    ContactRecord<dim> &contact = record.contacts[moment.contact];
    const bool spins = moment.kind == MomentKind::spinning;
    double work = 0;
    for (unsigned int t = 1; t < (spins ? 2 : dim); ++t) {
      const auto row = static_cast<unsigned int>(dim * row_group(k, law) + t);
      const double p = reaction.p[row], u = law.H.row_times(row, v_theta) - law.surface[row];
      const unsigned int axis = dim == 2 || spins ? 0 : t;
      contact.moment[axis] = moment.length * p;
      contact.spin[axis] = u / moment.length;
      work += p * u;
      record.works.prescribed += p * law.surface[row];
    }
    record.works.contact_rolling += work;
    record.rolling_work_max = std::max(record.rolling_work_max, work);
  }
}

PERCUSSION_INSTANTIATE(find_moments);
PERCUSSION_INSTANTIATE(append_moment_rows);
PERCUSSION_INSTANTIATE(append_moment_laws);
PERCUSSION_INSTANTIATE(make_moment_laws_of_accelerations);
PERCUSSION_INSTANTIATE(remember_moments);
PERCUSSION_INSTANTIATE(account_moments);

} // namespace percussion
