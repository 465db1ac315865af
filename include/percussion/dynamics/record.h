#pragma once

#include <percussion/balance/works.h>
#include <percussion/base/contact_status.h>
#include <percussion/body/link_forces.h>
#include <percussion/dynamics/contact_account.h>
#include <percussion/dynamics/contact_defects.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// Record of a contact in a step.
template <int dim>
struct ContactRecord : ContactSite<dim> {
  ContactStatus status = ContactStatus::open;
  double friction = 0;                  ///< coefficient of friction in the step
  std::array<double, dim> percussion{}; ///< normal and tangential percussion [impulse]
  std::array<double, dim> velocity{};   ///< velocity u_θ relative to the opposite side
  /// Part of u_θ,N p_N that is not the work p_N (g1 − g0)/h of the gap, if the law is for the gap
  /// at the end of the step (GapRows) [energy]; it is numerical work.
  double curvature_work = 0;
  /// Moments of rolling and spinning friction: about z in 2D, about the normal and both tangents in
  /// 3D [impulse × length]; zero without this friction.
  std::array<double, RigidBody<dim>::n_rotations> moment{};
  /// Mean angular velocity relative to the opposite side about the same axes [1 / time]; only where
  /// there is friction against it.
  std::array<double, RigidBody<dim>::n_rotations> spin{};

  /// True if any component of the percussion is nonzero.
  bool carries() const {
    for (const double p : percussion)
      if (p != 0.)
        return true;
    return false;
  }
};

/// Percussion on a node of an elastic body in a step, summed over its contacts.
template <int dim>
struct NodePercussion {
  unsigned int entry = 0;                     ///< first of dim entries of Boundary::trace
  dealii::Tensor<1, dim> percussion;          ///< sum of percussions [impulse]
  double normal = 0;                          ///< weighted sum of normal percussions [impulse]
  ContactStatus status = ContactStatus::open; ///< slip if any of the pressing contacts slips
};

/// Extreme works of single contacts in a step [energy].
struct WorkExtremes {
  double normal_work_max = 0, normal_work_min = 0;
  double tangential_work_max = 0, tangential_work_min = 0;
  double rolling_work_max = 0; ///< work of a moment of rolling or spinning friction
};

/// Iterations and residuals of a step.
struct SolverRecord {
  /// Corrections of the momentum, or iterations of the cone solver if the balance is linear.
  unsigned int solver_iterations = 0;
  double solver_residual = 0;   ///< natural map residual of the cone problem
  double momentum_residual = 0; ///< residual over the largest term; zero if linear
};

/// Division of a step into substeps.
struct CutRecord {
  std::vector<std::string> changes; ///< changes of the substep length: "cut to 1/4: why", "grown …"
  unsigned int n_cuts = 0;          ///< number of cuts
  unsigned int n_substeps = 1;      ///< number of substeps
};

/// Record of one step. A step reads back only the slips of contacts (friction formulas) and, if
/// adaptive, the works. If a step was divided into substeps, works, percussions and iterations are
/// sums over the substeps, and extremes of works and defects are extremes over all substeps.
template <int dim>
struct StepRecord : WorkExtremes, SolverRecord, CutRecord {
  Works works;
  double balance_residual = 0; ///< residual ΔE − ΣW: round-off, or a bug
  /// Contacts that participated, by ascending keys.
  std::vector<ContactRecord<dim>> contacts;
  std::vector<NodePercussion<dim>> node_percussions; ///< percussions on nodes by ascending entries
  unsigned int n_sliding = 0;                        ///< number of contacts that slip
  /// Largest depth −gap of all contacts found at the end of the step, active or not, see Contact;
  /// not an extreme over substeps [length].
  double penetration_max = 0;
  ContactDefects defects; ///< largest defects of the step
  /// Largest tangential velocity of sticking contacts whose velocity has been reversed in at least
  /// 20 successive substeps [velocity].
  Defect reversal;
  /// Works and defects of each contact with a percussion, a missed depth or a drift (see
  /// measure_contacts()), by ascending keys.
  std::vector<ContactAccount<dim>> accounts;
  bool is_uncorrected = false; ///< true if a required position correction was not found
  /// Impulse on each prescribed degree of freedom, in addition to contacts.
  std::vector<double> holding;
  std::vector<LinkImpulse> link_impulses; ///< impulses of each link
  /// Impulses of limits and friction of each coordinate of links, see LinkForces::bound_impulses().
  std::vector<BoundImpulses> bound_impulses;
};

/// Sorts the nodes and adds up all percussions on the same node.
template <int dim>
void add_up(std::vector<NodePercussion<dim>> &nodes);

/// Adds the record of a further substep.
template <int dim>
void append(const StepRecord<dim> &substep, StepRecord<dim> &all);

} // namespace percussion
