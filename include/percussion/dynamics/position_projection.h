#pragma once

#include <percussion/cone/solver.h>
#include <percussion/dynamics/delassus.h>
#include <percussion/dynamics/record.h>

namespace percussion {

/// Moves rigid bodies out of each other after a step. Contact laws for velocities keep the depth at
/// which a contact was detected; the projection takes back a fraction of it in each step by the
/// displacement δ of the least ½ δᵀ M δ with
///
///     δ = M⁻¹ Hᵀ λ ,   0 ≤ λ ⟂ H δ − r ≥ 0
///
/// over the normal rows H at q1: a frictionless cone problem. A contact of depth d whose normal
/// velocity at the end of the step is u_N demands r = β d − h |u_N|, as impacts are left to the
/// law; but it is left as deep as 1e-6 of its body's size, for it stays closed so. The others
/// demand not to become deeper than that. Velocities stay, hence the energy of the bodies. The
/// loads F do the work F · δ, which is added to the external work, and its negative, the energy
/// that the projection has given, to Works::position_correction.
template <int dim>
class PositionProjection {
public:
  /// All bodies must be rigid, without links, and live as long, as must the boundary.
  PositionProjection(const System<dim> &bodies, const Boundary<dim> &boundary,
                     const ConeOptions &solver);

  /// Corrects the positions of a state at the end of an interval: displacements, contacts found,
  /// and the gaps that the contacts remember, which follow so that forecasts see the motion alone.
  /// `force` are the loads at its end. Where no displacement is found the state stays, and the
  /// record says so.
  void correct(State<dim> &state, const Interval &interval, const ContactFinder<dim> &finder,
               const Vector &force, StepRecord<dim> &record);

private:
  bool find_demands(const State<dim> &state, const Interval &interval);
  bool solve(const ContactList<dim> &found);
  bool project(const ContactList<dim> &found);
  double normal_displacement(const Contact<dim> &contact, const ContactList<dim> &found) const;

  const System<dim> &bodies;
  const Boundary<dim> &boundary;
  ContactSystem mass;
  Delassus delassus;
  FrictionContactProblem problem;
  ConeOptions options;             ///< of a new solver each time: results depend on the state alone
  std::vector<double> demands;     ///< r of each contact found [length]
  std::vector<std::size_t> chosen; ///< contacts found that are in the problem
  Vector no_force, displacement;   ///< δ
};

} // namespace percussion
