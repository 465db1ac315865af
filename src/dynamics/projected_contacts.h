#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/algebra/krylov.h>
#include <percussion/base/contact_status.h>
#include <percussion/dynamics/contact_variables.h>

#include "contact_multipliers.h"
#include <array>
#include <vector>

namespace percussion {

/// Solution of ProjectedContacts, by rows of H.
struct ProjectedSolution {
  std::vector<double> p;        ///< percussions P = θ p
  std::vector<double> velocity; ///< velocities û of the law
  std::vector<ContactStatus> status;
  double velocity_scale = 0; ///< norm of the free velocities, see ProjectedContacts::evaluate_law()
  double residual = 0;       ///< natural-map residual of the law, relative to this norm
  unsigned int n_iterations = 0; ///< active sets
  bool converged = false;
};

/// Solver of the velocities x and of the percussions of contacts,
///
///     Â x = b + Hᵀ (P − P0) ,     û = H x + c ,     0 ∈ û + μ‖û_T‖ n + N_K(P) ,
///
/// by active sets (PDAS: BBDM24 (5.38)–(5.42)) without any factor or dense matrix. For given
/// statuses, û_N = 0 of closed and û_T = 0 of sticking contacts eliminate velocities of their nodes
/// (ContactVariables); they are equations of the percussions of contacts that share nodes
/// (ContactMultipliers). Rows of slipping contacts are the derivative of P_T = μ P_N d,
///
///     P_T − μ P_N d − α (1 − d dᵀ) (P_T − ρ û_T) = 0 ,   d = s/‖s‖ ,  α = μ P_N/‖s‖ ,
///
/// with s = P_T − ρ û_T; a constant direction d does not converge in 3D. The remaining equations
/// are solved by conjugate gradients, with multipliers or slip and friction by GMRES: coarsely for
/// the first active sets, to round-off of the energy for the last. P is B⁻ᵀ (Â x − b) of the nodes,
/// or a multiplier in Â x − b, so the energy balance does not depend on the equations of the law.
///
/// If active sets recur, a line search reduces the residual of the law and of the balance. If it
/// does not suffice, proximal steps follow.
class ProjectedContacts {
public:
  /// All arguments must outlive this object. The system's solution must be deferred and started.
  ProjectedContacts(ContactSystem &system, const ContactVariables &variables,
                    const std::vector<double> &mu, double tolerance, KrylovVectors &vectors);

  /// Solves the law with the velocities c and the percussions P0 that b contains, by rows of H,
  /// from these statuses and directions of percussions, so far that statuses are final.
  void start(const std::vector<double> &c, const std::vector<double> &p0,
             const std::vector<ContactStatus> &status, const std::vector<double> &p);
  /// Solves the law with other velocities c to the same accuracy, from the current solution.
  void change(const std::vector<double> &c);
  /// Continues to round-off of the energy and to the tolerance of the law; so does change() then.
  void refine();

  const ProjectedSolution &solution() const { return result; }
  /// Returns x over all degrees of freedom, with multipliers at the end.
  const std::vector<double> &velocities() const { return x; }

private:
  using Components = std::array<double, 3>;
  /// Status of a contact with the numbers of its slip rows.
  struct Assumed {
    ContactStatus status = ContactStatus::open;
    std::array<double, 2> direction{}; ///< d
    double weight = 0;                 ///< α
  };
  /// Change of the assumed statuses after an active set.
  struct Change {
    std::size_t n_statuses = 0; ///< number of contacts with another status
    double turn = 0;            ///< largest change of a direction
  };
  /// Required accuracy of a solution.
  struct Accuracy {
    double limit;     ///< limit of the iterations for the last active set
    double turn;      ///< largest change of a direction after it
    double imbalance; ///< largest residual of the balance, relative to its first right-hand side
    double residual;  ///< largest residual of the law
  };

  void solve(double first_limit);
  bool iterate(double first_limit, unsigned int max_iterations);
  void solve_active_set(double limit);
  bool impose();
  void find_residual();
  void evaluate_law();
  void evaluate_contacts();
  Change update_statuses();
  void search(const std::vector<double> &old_x, const std::vector<double> &old_residual);
  double merit() const;
  double norm_of_balance(const std::vector<double> &r) const;
  Assumed status_of(std::size_t i) const;
  bool is_fixed(std::size_t i, unsigned int component) const;
  LawRows rows_of(std::size_t i) const;
  void prepare_multipliers();
  void multiply(const std::vector<double> &y, std::vector<double> &image);
  bool is_transferred(std::size_t i, unsigned int component) const;
  bool has_friction_in_slip() const;
  void invert_diagonal();
  double stiffness_of(const ContactVariables::Contact &contact, Components &of_node) const;
  void expand(std::vector<double> &y) const;
  void apply(const std::vector<double> &y, std::vector<double> &image);
  void combine_rows(const std::vector<Components> &P, const std::vector<Components> &u,
                    double applied_factor, std::vector<double> &rows) const;
  void precondition(const std::vector<double> &r, std::vector<double> &z);
  double natural_map_squared(std::size_t i) const;

  ContactSystem &system;
  const ContactVariables &variables;
  const std::vector<double> &mu;
  double tolerance;
  Accuracy accuracy{};
  KrylovVectors &vectors;
  std::vector<Components> constant, applied;    ///< c and P0 in the directions of the contacts
  std::vector<Components> percussion, velocity; ///< P and û in these directions
  std::vector<Components> change_of_percussion,
      change_of_velocity; ///< changes of P and û by unknowns y
  std::vector<Assumed> assumed;
  std::vector<LawRows> rows; ///< equations of the assumed statuses
  ContactMultipliers multipliers;
  std::vector<Components> diagonal_of_node; ///< diagonal of B⁻ᵀ Â B⁻¹ of each contact's node
  std::vector<double> rho;                  ///< ρ of each contact [impulse / velocity]
  std::vector<double> diagonal_of_system;
  std::vector<double> inverse_diagonal; ///< inverse diagonal for the assumed statuses
  std::vector<double> x, residual;      ///< x and Â x − b, then multipliers λ in both
  std::vector<double> work;
  double sigma = 0;           ///< σ of a proximal step
  std::vector<double> centre; ///< x_k of a proximal step
  double scale = 0;           ///< norm of the first right-hand side
  double imbalance = 0;       ///< residual of the last equations, relative to it
  bool has_symmetric_blocks = true;
  ProjectedSolution result;
};

} // namespace percussion
