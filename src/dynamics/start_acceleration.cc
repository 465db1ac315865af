#include "start_acceleration.h"

#include <percussion/balance/gyration.h>
#include <percussion/balance/mass_system.h>
#include <percussion/base/instantiate.h>
#include <percussion/contact/surface_motion.h>
#include <percussion/dynamics/contact_moments.h>
#include <percussion/dynamics/state.h>

#include "solve_law.h"
#include <algorithm>

namespace percussion {
namespace {

/// Gap up to which a contact exerts a force at the start, relative to the local size [1]. Bodies at
/// rest may have opened their contacts by so much, see pressed_gap_tolerance.
constexpr double closed_at_start = 1e-6;

/// Returns F − K q − C v − Ω × I Ω; zero for bodies that have not yet appeared.
template <int dim>
Vector force_without_contacts(const State<dim> &state, const System<dim> &bodies) {
  Vector force = state.force;
  force -= state.Kq;
  if (bodies.operators.viscous) {
    Vector viscous_force = bodies.zero_field();
    multiply(bodies.operators.viscosity, state.v, viscous_force);
    force -= viscous_force;
  }
  Gyration<dim>(bodies).add(-1., state.v, force);
  const std::vector<bool> absent = absent_bodies(bodies, state.time);
  for (std::size_t b = 0; b < absent.size(); ++b)
    if (absent[b])
      std::fill_n(bodies.rigid_values(force, b), RigidBody<dim>::n_dofs, 0.);
  return force;
}

/// Returns the contacts that are closed and do not approach by more than round-off.
template <int dim>
ContactList<dim> closed_contacts(const State<dim> &state, const TraceField &v,
                                 const Machinery<dim> &m) {
  ContactList<dim> closed;
  for (const auto &contact : state.found.contacts) {
    const ContactPoint<dim> &point = m.boundary.points[contact.point];
    const double limit = std::max(point.tolerance, closed_at_start * point.size);
    if (contact.gap_of_law() <= limit &&
        start_velocity(contact, state.found, v, state)[0] * m.choices.h >= -limit)
      closed.add(contact, state.found);
  }
  return closed;
}

/// Returns the law of the contacts for accelerations: offsets u0/h let a contact separate or slip
/// on. Surfaces have the acceleration 2 (w − w0)/h with their mean and their initial velocity.
template <int dim>
PosedLaw<dim> law_of_accelerations(const State<dim> &state, const TraceField &v,
                                   const Interval &interval, const Machinery<dim> &m) {
  PosedLaw<dim> law =
      pose_law(closed_contacts(state, v, m), nullptr,
               ContactSetting<dim>{state, interval, m.contact_finder, m.boundary, m.choices});
  for (std::size_t i = 0; i < law.active.contacts.size(); ++i) {
    const Contact<dim> &contact = law.active.contacts[i];
    const SurfaceMotion<dim> &motion = state.surface_motion[contact.key.pair];
    const auto u0 = law.active.velocity(contact, v) - motion.start_velocity(contact);
    const auto w =
        2. / interval.h * (motion.mean_velocity(contact) - motion.start_velocity(contact));
    const auto directions = law.directions_of(i);
    for (unsigned int r = 0; r < dim; ++r) {
      const double offset = directions[r] * u0 / interval.h;
      law.offset[dim * i + r] = r == 0 ? std::max(offset, 0.) : offset;
      law.surface[dim * i + r] = directions[r] * w;
    }
  }
  make_moment_laws_of_accelerations(state, v, interval.h, law);
  law.restitution.assign(law.mu.size(), TangentialRestitution::fixed);
  law.guesses.first.p.assign(law.H.n_rows(), 0.);
  law.guesses.last = law.guesses.earlier = law.guesses.first;
  return law;
}

/// Returns the forces p of the contacts; zero if the law has no solution.
template <int dim>
std::vector<double> contact_forces(const PosedLaw<dim> &law, const Interval &interval,
                                   const TraceField &acceleration, ContactSystem &mass) {
  std::vector<double> relative(law.H.n_rows());
  for (unsigned int row = 0; row < relative.size(); ++row)
    relative[row] = law.rows().row_times(row, acceleration) - law.surface[row];
  Reaction reaction = first_reaction(law);
  const ConeOptions options;
  const auto solver =
      make_moment_reaction<dim>(make_cone_reaction<dim>(options, 1., false), options.tolerance);
  solver->start_interval(interval);
  if (solver->solve(law, relative, mass, CorrectionStage(), reaction))
    reaction.p.assign(law.H.n_rows(), 0.);
  return reaction.p;
}

} // namespace

template <int dim>
void start_acceleration(State<dim> &state, Machinery<dim> &m) {
  const double h = m.choices.h;
  const Interval interval{state.time, state.time + h, h};
  const System<dim> &bodies = m.bodies;
  const Vector force = force_without_contacts(state, bodies);
  MassSystem<dim> mass(bodies, m.boundary.trace, m.momentum->balance().contact_route());
  const PosedLaw<dim> law =
      law_of_accelerations(state, m.boundary.trace.gather(state.v), interval, m);
  mass.set_contact_entries(law.H.entries);
  state.a = bodies.zero_field();
  mass.start(force, bodies.motion.initial_acceleration(state.time, h), state.a);
  if (law.H.n_rows() > 0) {
    std::vector<double> on_entries;
    law.H.transpose_times(
        1., contact_forces(law, interval, m.boundary.trace.gather(state.a), mass.system()),
        on_entries);
    mass.system().add_force(on_entries);
  }
  mass.finish(state.a);
}

PERCUSSION_INSTANTIATE(start_acceleration);

} // namespace percussion
