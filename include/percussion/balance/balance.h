#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/balance/balance_size.h>
#include <percussion/balance/contact_route.h>
#include <percussion/balance/failure.h>
#include <percussion/balance/iterate.h>
#include <percussion/balance/works.h>
#include <percussion/body/link_forces.h>
#include <percussion/body/trace.h>

#include <memory>

namespace percussion {

/// Data that the balance of momentum carries from step to step besides the state.
struct MomentumMemory {
  double length = 0;                   ///< h of the last interval
  bool factor_is_stale = true;         ///< true if Â must be rebuilt
  std::vector<unsigned int> interface; ///< interface degrees of freedom in the factor of Â
  std::vector<double> values; ///< entries of Â at its last factorisation if Â depends on the state
  double lost_corrections = 0; ///< number of corrections that a new factor would have saved
  /// Displacements of the volume rows in Â (CellPressures); empty without them.
  std::vector<double> configuration_of_rows = {};
  unsigned int n_corrections = 0;    ///< number of corrections with the factor
  bool has_definite_factor = false;  ///< true if Â contains semidefinite parts of tangents
  bool has_supported_factor = false; ///< true if Â has additions on contacts
};

/// State of a balance after a correction.
struct BalanceVerdict {
  bool is_satisfied = false;
  std::optional<Failure> failure = {}; ///< reason why further corrections cannot satisfy it
  double excess = 0; ///< residual or its energy relative to the tolerance, whichever is larger
};

/// Residual r of the balance of all bodies over an interval, and the matrix Â ≈ θ dr/dv_θ of its
/// corrections; see Momentum.
template <int dim>
class Balance {
public:
  virtual ~Balance() = default;

  /// Completes a state with given q and v: momentum, internal force and energies. The
  /// acceleration, which depends on the contacts, is computed by start_acceleration().
  virtual void complete(BodyState &state) = 0;
  /// True if the balance is nonlinear, so that one correction is not enough.
  virtual bool is_nonlinear() const = 0;
  /// True if account() reads the change of velocities.
  virtual bool needs_velocity_change() const { return true; }

  /// Evaluates the residual at the first v_θ, and decides if Â must be rebuilt.
  [[nodiscard]] virtual std::optional<Failure> start(Iterate &iterate) = 0;
  /// Evaluates the residual again for another law of the contacts in the same interval, if the
  /// balance is nonlinear and without links at the last v_θ.
  [[nodiscard]] virtual std::optional<Failure> restart(Iterate &iterate) { return start(iterate); }
  /// Evaluates the residual at v_θ. Fails if the interval inverts an element.
  [[nodiscard]] virtual std::optional<Failure> evaluate(Iterate &iterate) = 0;
  /// Rebuilds Â if it must be rebuilt, or if its pattern is new. Fails if it is not positive
  /// definite.
  [[nodiscard]] virtual std::optional<Failure> update_factor(const Iterate &iterate,
                                                             bool has_new_pattern) = 0;
  /// Requests a new factorisation and a retry; false if Â is already up to date.
  virtual bool renew() = 0;
  /// Adds the forces of the next correction besides −θ r, which vanish once the balance is met.
  virtual void add_correction_force(const Iterate & /*iterate*/, Vector & /*right_side*/) {}
  /// Combines the correction δ and its percussions with earlier corrections.
  virtual void mix(const Iterate & /*iterate*/, ContactProgress /*progress*/, Vector & /*delta*/,
                   std::vector<double> & /*p*/) {}
  /// Returns the state of the balance. The balance is met if its residual does not affect the
  /// energy balance and the statuses of contacts are consistent; otherwise Â is rebuilt if this
  /// pays.
  virtual BalanceVerdict judge(Iterate &iterate, ContactProgress progress) = 0;

  /// Completes the state at the end of the interval, whose q and v are given, adds all works except
  /// contact works, and returns the impulses on prescribed degrees of freedom without contacts.
  /// `velocity_change` is v1 − v0; empty unless needs_velocity_change().
  virtual std::vector<double> account(const Iterate &iterate, const Vector &velocity_change,
                                      BodyState &state, Works &works) = 0;
  /// Returns the impulses of each link in the interval; empty without links.
  virtual std::vector<LinkImpulse> link_impulses() const { return {}; }
  /// Returns the impulses of limits and friction of joints in the interval, see LinkForces.
  virtual std::vector<BoundImpulses> bound_impulses() const { return {}; }
  /// Returns the energy that the last correction may have left, in addition to round-off of linear
  /// terms.
  virtual double accepted_energy() const { return 0.; }

  /// Returns the system with Â of the corrections.
  virtual ContactSystem &system() = 0;
  /// Returns the route for the contacts.
  virtual const ContactRoute &contact_route() const = 0;
  /// Returns the data, besides the state, on which the next steps depend.
  virtual MomentumMemory memory() = 0;
  /// Restores this memory and its degrees of freedom of contacts; later steps are as without
  /// interruption.
  virtual void restore(const MomentumMemory &memory) = 0;
};

/// Creates the balance of all bodies, with a constant Â if all cells are linear and there are no
/// links. Contacts act on the trace. Bodies, choices and trace must outlive
/// the balance. Throws RunError if Â of linear bodies is not positive definite.
template <int dim>
std::unique_ptr<Balance<dim>> make_balance(const System<dim> &bodies, const BalanceChoices &choices,
                                           const Trace<dim> &trace, const ContactRoute &route);

} // namespace percussion
