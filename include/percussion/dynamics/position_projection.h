#pragma once

#include <percussion/balance/interval.h>
#include <percussion/balance/rigid_mass.h>
#include <percussion/cone/solver.h>
#include <percussion/contact/contact_list.h>
#include <percussion/dynamics/delassus.h>
#include <percussion/dynamics/record.h>

namespace percussion {

template <int dim>
class ContactFinder;
template <int dim>
struct State;

/// Projection that separates rigid bodies after a step. Contact laws for velocities keep the depth
/// at which a contact was detected; the projection removes a fraction of it in each step by the
/// displacement δ with the smallest ½ δᵀ M δ such that
///
///     δ = M⁻¹ Hᵀ λ ,   0 ≤ λ ⟂ H δ − r ≥ 0
///
/// with the normal rows H at q1: a frictionless cone problem. A contact of depth d with the normal
/// velocity u_N at the end of the step demands r = β d − h |u_N|, because impacts are left to the
/// law; a depth of 1e-6 of its body's size remains, so that the contact stays closed. The other
/// contacts only demand not to become deeper than this. Velocities, and hence the energy of the
/// bodies, do not change. The loads F do the work F · δ, which is added to the external work; its
/// negative, the energy supplied by the projection, is added to Works::position_correction.
template <int dim>
class PositionProjection {
public:
  /// Stores references to bodies and boundary, which must outlive the projection. All bodies must
  /// be rigid and have no links.
  PositionProjection(const System<dim> &bodies, const Boundary<dim> &boundary,
                     const ConeOptions &solver);

  /// Corrects the positions of a state at the end of an interval: displacements, contacts found,
  /// and the gaps in contact memories, so that forecasts depend only on the motion. `force` holds
  /// the loads at the end. If no displacement is found, the state stays, and the record reports it.
  void correct(State<dim> &state, const Interval &interval, const ContactFinder<dim> &finder,
               const Vector &force, StepRecord<dim> &record);

private:
  bool find_demands(const State<dim> &state, const Interval &interval);
  bool solve(const ContactList<dim> &found);
  bool project(const ContactList<dim> &found);
  double normal_displacement(const Contact<dim> &contact, const ContactList<dim> &found) const;

  const System<dim> &bodies;
  const Boundary<dim> &boundary;
  RigidMass<dim> mass;
  Delassus delassus;
  FrictionContactProblem problem;
  ConeOptions options; ///< options of a new solver for each step: results depend only on the state
  std::vector<double> demands;     ///< demand r of each contact found [length]
  std::vector<std::size_t> chosen; ///< indices of found contacts in the problem
  TraceField on_trace;             ///< δ over the trace
};

} // namespace percussion
