#pragma once

#include <percussion/algebra/types.h>
#include <percussion/cone/problem.h>
#include <percussion/contact/contacts.h>

#include <string>
#include <vector>

namespace percussion {

/// Where the body is, and what follows from that alone.
template <int dim>
struct State {
  unsigned int step = 0; ///< number of steps done
  double time = 0;       ///< t_k
  Vector q;              ///< displacements
  Vector v;              ///< velocities

  // The step before.
  double previous_h = 0;            ///< its length
  std::vector<double> previous_gap; ///< of every candidate, at its beginning

  Vector Mv;          ///< momentum M v
  Vector Kq;          ///< internal force K q, of linear bodies only
  Vector force;       ///< external force F(time)
  GapState<dim> gaps; ///< at q

  double kinetic = 0; ///< ½ vᵀ M v
  double strain = 0;  ///< ½ qᵀ K q, or ∫ W
  /// Total energy [energy].
  double energy() const { return kinetic + strain; }
};

/// Works of one step or, summed, of a run [energy]; positive when the body gains energy.
struct Works {
  double external = 0; ///< h v_θᵀ F_θ
  double viscous = 0;  ///< −h v_θᵀ f_visc
  double numerical = 0; ///< (½ − θ)(‖v1 − v0‖²_M + ‖q1 − q0‖²_K), the last if linear
  double contact_normal = 0;     ///< Σ u_θ,N p_N
  double contact_tangential = 0; ///< Σ u_θ,T · p_T
  double prescribed = 0;         ///< of reactions at prescribed motions and of moving surfaces

  /// What a step changes the energy by.
  double sum() const {
    return external + viscous + numerical + contact_normal + contact_tangential + prescribed;
  }
  /// For sums over steps.
  Works &operator+=(const Works &other) {
    external += other.external;
    viscous += other.viscous;
    numerical += other.numerical;
    contact_normal += other.contact_normal;
    contact_tangential += other.contact_tangential;
    prescribed += other.prescribed;
    return *this;
  }
};

/// What one step did. Where it was cut, works and percussions are those of all its parts, and the
/// rest that of the last one or, for extremes and counts of iterations, of all.
template <int dim>
struct StepRecord {
  Works works;
  double balance_residual = 0; ///< ΔE − ΣW: round-off, or a bug

  std::vector<double> percussion;    ///< p of every candidate, dim entries each, zero if not active
  std::vector<double> velocity;      ///< u_θ of every active candidate relative to its surface
  std::vector<ContactStatus> status; ///< of every candidate
  std::vector<dealii::Tensor<1, dim>> normal; ///< of every candidate, as in the step's H
  std::vector<unsigned int> active;           ///< candidates that took part

  double normal_work_max = 0, normal_work_min = 0;         ///< over this step's contacts
  double tangential_work_max = 0, tangential_work_min = 0; ///< over this step's contacts
  unsigned int n_sliding = 0;                              ///< active candidates that slip
  double penetration_max = 0;                              ///< at the end of the step [length]
  unsigned int solver_iterations = 0; ///< of Newton's method, or of the cone solver if linear
  double solver_residual = 0;         ///< natural map of the cone problem
  double momentum_residual = 0;       ///< relative to its largest term; zero if linear
  std::vector<std::string> changes; ///< of the length of its parts: "cut to 1/4: why", "grown …"
  unsigned int n_cuts = 0;          ///< of them
  unsigned int n_parts = 1;         ///< that it was taken in
};

} // namespace percussion
