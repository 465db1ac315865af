#pragma once

#include <percussion/base/contact_status.h>
#include <percussion/contact/find.h>
#include <percussion/dynamics/contact_account.h>
#include <percussion/dynamics/contact_defects.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// Works of one step or, summed, of a run [energy]; positive when the bodies gain energy.
struct Works {
  double external = 0; ///< h v_θᵀ F_θ
  double viscous = 0;  ///< −h v_θᵀ f_visc
  double numerical = 0; ///< (½ − θ)(‖v1 − v0‖²_M + ‖q1 − q0‖²_K), the last of linear cells
  double contact_normal = 0;      ///< Σ u_θ,N p_N
  double contact_tangential = 0;  ///< Σ u_θ,T · p_T
  double prescribed = 0;          ///< of reactions at prescribed motions and of moving surfaces
  double position_correction = 0; ///< of position corrections against the loads: −F · δ

  /// What a step changes the energy by.
  double sum() const {
    return external + viscous + numerical + contact_normal + contact_tangential + prescribed +
           position_correction;
  }
  /// For sums over steps.
  Works &operator+=(const Works &other) {
    external += other.external;
    viscous += other.viscous;
    numerical += other.numerical;
    contact_normal += other.contact_normal;
    contact_tangential += other.contact_tangential;
    prescribed += other.prescribed;
    position_correction += other.position_correction;
    return *this;
  }
};

/// What a contact did in a step.
template <int dim>
struct ContactRecord {
  ContactKey key;
  unsigned int point = 0;    ///< of the Boundary
  unsigned int obstacle = 0; ///< rigid body, or ContactPoint::none
  ContactStatus status = ContactStatus::open;
  dealii::Tensor<1, dim> normal;        ///< as in the step's H
  double area = 0;                      ///< that its pressure is on, see Contact
  std::array<double, dim> percussion{}; ///< normal, tangential [impulse]
  std::array<double, dim> velocity{};   ///< u_θ relative to what is touched

  /// Whether there is any percussion.
  bool carries() const {
    for (const double p : percussion)
      if (p != 0.)
        return true;
    return false;
  }
};

/// What a node of an elastic body received in a step from the contacts of points that touch it.
template <int dim>
struct TouchedNode {
  std::array<unsigned int, dim> dofs{};
  dealii::Tensor<1, dim> percussion; ///< [impulse]
  double normal = 0;                 ///< sum of its shares of the normal percussions [impulse]
  ContactStatus status = ContactStatus::open; ///< slip if any of the contacts that carry slips
};

/// What one step did: output only, no step depends on it. Of a step that was taken in parts, works
/// and percussions are sums over the parts, extremes and iterations those of all.
template <int dim>
struct StepRecord {
  Works works;
  double balance_residual = 0; ///< ΔE − ΣW: round-off, or a bug
  /// The contacts that took part, by ascending keys.
  std::vector<ContactRecord<dim>> contacts;
  std::vector<TouchedNode<dim>> touched;                   ///< by ascending degrees of freedom
  double normal_work_max = 0, normal_work_min = 0;         ///< over this step's contacts
  double tangential_work_max = 0, tangential_work_min = 0; ///< over this step's contacts
  unsigned int n_sliding = 0;                              ///< contacts that slip
  double penetration_max = 0;                              ///< at the end of the step [length]
  ContactDefects defects;                                  ///< largest of the step
  /// Accounts of the contacts that carried, missed a depth or drifted, by ascending keys.
  std::vector<ContactAccount<dim>> accounts;
  unsigned int solver_iterations = 0; ///< on the momentum, or of the cone solver where it is linear
  double solver_residual = 0;         ///< natural map of the cone problem
  double momentum_residual = 0;       ///< relative to its largest term; zero where it is linear
  std::vector<std::string> changes; ///< of the length of the parts: "cut to 1/4: why", "grown …"
  unsigned int n_cuts = 0;          ///< of them
  unsigned int n_parts = 1;         ///< parts that the step was taken in
  bool is_uncorrected = false;      ///< true if a position correction was needed and not found
  std::vector<double> holding; ///< impulse on each prescribed degree of freedom, besides contacts
};

/// Put these in order, each node once with all that it received.
template <int dim>
void add_up(std::vector<TouchedNode<dim>> &nodes);

/// Add what a further part of a step did.
template <int dim>
void append(const StepRecord<dim> &part, StepRecord<dim> &all);

} // namespace percussion
