#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/dynamics/memory.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/dynamics/state.h>

#include <memory>

namespace percussion {

/// The first v_θ of a step whose balance is not linear: the velocity at its beginning, or nothing
/// but what is prescribed, which is as far from inverted elements as one can be.
enum class FirstGuess { velocity, rest };

/// How a first guess turned out.
enum class Outcome { fine, inverted, singular };

/// The momentum balance of a step as equations for v_θ with the percussions left open,
///
///     θ r(v_θ) = M (v_θ − v0) + hθ (f_int(q0, q0 + h v_θ) + f_visc − F_θ) = θ Hᵀ p ,
///
/// solved by corrections Â δ = −θ r + θ Hᵀ p with Â ≈ θ dr/dv_θ, and what the ledger needs of it.
template <int dim>
class Momentum {
public:
  virtual ~Momentum() = default;

  /// Whether r is linear: then the first correction is the solution.
  virtual bool is_linear() const = 0;

  /// Complete a state whose q and v are given: momentum, internal force, energies.
  virtual void complete(State<dim> &state) = 0;

  /// The next steps are of length h.
  virtual void set_length(double h) = 0;

  /// Begin a step from `state` under the force F_θ: a first v_θ and its defect. It is zero if r is
  /// linear, else the guess with the prescribed values; it may invert an element, or its tangent be
  /// singular.
  virtual Outcome predict(const State<dim> &state, const Vector &force_theta,
                          const std::vector<double> &prescribed, FirstGuess guess,
                          Vector &v_theta) = 0;

  /// Evaluate the defect at v_θ. False where the step inverts an element.
  virtual bool evaluate(const State<dim> &state, const Vector &force_theta,
                        const Vector &v_theta) = 0;

  /// Make Â anew at the v_θ evaluated last. False where it is singular.
  virtual bool refactor() = 0;
  /// Â of the corrections. It is another one after every change of this number.
  virtual ContactSystem &system() = 0;
  /// Names the present system().
  unsigned long system_version() const { return version; }

  /// −θ r(v_θ) over all degrees of freedom.
  const Vector &defect() const { return minus_residual; }

  /// What is left of −θ r + θ Hᵀ p on the free degrees of freedom; `contact_force` is θ Hᵀ p on the
  /// contact ones.
  struct Residual {
    double norm;      ///< of it
    double scale;     ///< norm of the largest term of the balance
    double round_off; ///< norm that no correction can be expected to get below
    double power;     ///< its product with v_θ, over θ [energy]: by this the energy balance fails
    double power_round_off;

    /// The norm relative to the largest term; 0 if there is nothing left.
    double relative() const { return norm > 0. ? norm / scale : 0.; }
  };
  /// What is left at the v_θ evaluated last, with the contact forces θ Hᵀ p on contact_dofs().
  virtual Residual residual(const State<dim> &state, const std::vector<double> &contact_force,
                            const Vector &v_theta) const = 0;

  /// The step is done: `state` has the new q and v, and everything else is still the old. Complete
  /// it, and add to the works what is not the contacts'.
  virtual void finish(State<dim> &state, const Vector &force_theta, const Vector &v_theta,
                      const Vector &velocity_change, Works &works) = 0;

  /// r of the finished step at the prescribed degrees of freedom: with the percussions there, the
  /// impulses that hold them in their motion.
  const std::vector<double> &reaction() const { return reactions; }

  /// What the next steps depend on besides the state.
  virtual MomentumMemory memory() const = 0;
  /// Go on as the balance would that had this memory.
  virtual void restore(const MomentumMemory &memory) = 0;

protected:
  std::vector<double> reactions;
  Vector minus_residual;
  unsigned long version = 1;
};

/// The balance of all bodies: linear or of finite strains. `contact_dofs` are those that a
/// percussion may act on.
template <int dim>
std::unique_ptr<Momentum<dim>> make_momentum(const System<dim> &bodies, const StepChoices &choices,
                                             const std::vector<unsigned int> &contact_dofs);

} // namespace percussion
