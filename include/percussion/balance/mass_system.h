#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/algebra/matrix_rows.h>
#include <percussion/balance/contact_route.h>
#include <percussion/body/trace.h>

namespace percussion {

/// Accelerations a of all bodies by M_ff a_f = f_f − M_fp a_p + Hᵀ p, with prescribed accelerations
/// a_p and forces Hᵀ p of contacts on the trace. Degrees of freedom without mass have none: their
/// balance contains no acceleration.
template <int dim>
class MassSystem {
public:
  /// Factorises M, or prepares iterations if the route has them. Stores references to the bodies
  /// and the trace, which must outlive this object. Throws RunError if M is not positive definite.
  MassSystem(const System<dim> &bodies, const Trace<dim> &trace, ContactRoute route);

  /// Sets the entries of the trace that contacts act on. Throws RunError as the constructor does.
  void set_contact_entries(const std::vector<unsigned int> &entries);
  /// Returns the system M a = f, which has these entries.
  ContactSystem &system() { return mass; }
  /// Starts a solution with the forces f of loads and bodies, by the sequence of ContactSystem.
  void start(const Vector &force, const std::vector<double> &prescribed, Vector &a) {
    mass.start(force, prescribed, a);
  }
  /// Writes the accelerations; zero without mass.
  void finish(Vector &a);

private:
  void factorise();

  ContactSystem mass;
  MatrixRows rows; ///< M, with a mass for the degrees of freedom without any
  std::vector<unsigned int> massless_dofs;
};

} // namespace percussion
