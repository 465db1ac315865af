#pragma once

#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// Stiffness of the spring in place of a contact [force / length]: the pair's penalty stiffness
/// times the contact's area; without one, ten times the P-wave modulus of the body's stiffest
/// material over the shortest edge there (ten times a representative stiffness of the elements, as
/// Abaqus does by default). Of what has no area the pair's.
template <int dim>
double spring_stiffness(const Contact<dim> &contact, const Boundary<dim> &boundary);

/// V = r/2 min(d, 0)² of a spring with this gap [energy].
inline double spring_energy(double stiffness, double gap) {
  return gap < 0. ? 0.5 * stiffness * gap * gap : 0.;
}

/// Force that closes the gap, f = ΔV/Δd, and ∂f/∂d1, of a spring whose gap goes from d0 to d1: zero
/// or negative.
struct SpringForce {
  double force, slope;
};
SpringForce discrete_gradient(const Spring &spring, double d1);

/// Make springs of the posed contacts.
template <int dim>
void add_springs(PosedLaw<dim> &law, const State<dim> &state, const Interval &interval,
                 const Boundary<dim> &boundary, const StepChoices &choices);

/// Energy of the springs of all contacts of a state: of the gap and, with Penalty::compliance, of
/// the tangential force, f_T²/(2 r).
template <int dim>
double spring_energy(const State<dim> &state, const Boundary<dim> &boundary,
                     const StepChoices &choices);

/// Energy that a spring stores in an interval [energy].
struct StoredEnergy {
  double normal = 0;     ///< by its gap, with d1 = d0 + h u_θ,N
  double tangential = 0; ///< by its tangential force
};

/// Returns the energies that the springs of an interval store in it, one by one.
template <int dim>
std::vector<StoredEnergy> stored_by_springs(const PosedLaw<dim> &law, const State<dim> &begin,
                                            const Interval &interval, const std::vector<double> &p,
                                            const Vector &v_theta, const StepChoices &choices);

} // namespace percussion
