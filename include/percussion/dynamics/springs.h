#pragma once

#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// Returns the stiffness of the spring that replaces a contact [force / length]: the pair's penalty
/// stiffness times the contact's area. If no penalty stiffness is given, it is ten times the P-wave
/// modulus of the body's stiffest material over the shortest edge at the point (ten times a
/// representative stiffness of the elements, the default of Abaqus). A contact without area has the
/// pair's stiffness.
template <int dim>
double spring_stiffness(const Contact<dim> &contact, const Boundary<dim> &boundary);

/// Returns the energy V = r/2 min(d, 0)² of a spring with this gap [energy].
inline double spring_energy(double stiffness, double gap) {
  return gap < 0. ? 0.5 * stiffness * gap * gap : 0.;
}

/// Force that closes the gap, f = ΔV/Δd, and ∂f/∂d1, of a spring whose gap changes from d0 to d1.
/// The force is zero or negative.
struct SpringForce {
  double force, slope;
};
SpringForce discrete_gradient(const Spring &spring, double d1);

/// Converts the posed contacts to springs.
template <int dim>
void add_springs(PosedLaw<dim> &law, const State<dim> &state, const Interval &interval,
                 const Boundary<dim> &boundary, const StepChoices &choices);

/// Returns the energy of the springs of all contacts of a state: the energy of the gap and, with
/// Penalty::compliance, the energy of the tangential force, f_T²/(2 r).
template <int dim>
double spring_energy(const State<dim> &state, const Boundary<dim> &boundary,
                     const StepChoices &choices);

/// Energy stored by a spring in an interval [energy].
struct StoredEnergy {
  double normal = 0;     ///< energy of its gap, with d1 = d0 + h u_θ,N
  double tangential = 0; ///< energy of its tangential force
};

/// Returns the energy that each spring stores in an interval.
template <int dim>
std::vector<StoredEnergy> stored_by_springs(const PosedLaw<dim> &law, const State<dim> &begin,
                                            const Interval &interval, const std::vector<double> &p,
                                            const TraceField &v_theta, const StepChoices &choices);

} // namespace percussion
