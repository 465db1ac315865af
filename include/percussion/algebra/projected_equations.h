#pragma once

#include <percussion/algebra/contact_multipliers.h>
#include <percussion/algebra/contact_system.h>
#include <percussion/algebra/contact_variables.h>
#include <percussion/algebra/krylov.h>
#include <percussion/algebra/mixed_krylov.h>
#include <percussion/base/contact_status.h>

#include <array>
#include <vector>

namespace percussion {

/// Percussions P and velocities û of all contacts, in their directions.
struct ContactValues {
  std::vector<std::array<double, 3>> percussion, velocity;
};

/// Velocities x and residual Â x − b, both followed by the multipliers λ, with the values of the
/// contacts. A process has the entries that it computes (Partition), the entries of x that products
/// need, and the entries of the trace.
struct ProjectedState {
  std::vector<double> x, residual;
  ContactValues contacts;
};

/// Status of a contact with the numbers of its slip rows.
struct AssumedStatus {
  ContactStatus status = ContactStatus::open;
  std::array<double, 2> direction{}; ///< d
  double weight = 0;                 ///< α
};

/// Equations of velocities x and percussions P for assumed statuses of the contacts,
///
///     Â x = b + Hᵀ (P − P0) ,     û = H x + c .
///
/// û_N = 0 of closed and û_T = 0 of sticking contacts eliminate velocities of their nodes
/// (ContactVariables); they are equations of the percussions of contacts that share nodes
/// (ContactMultipliers). Rows of slipping contacts are the derivative of P_T = μ P_N d,
///
///     P_T − μ P_N d − α (1 − d dᵀ) (P_T − ρ û_T) = 0 ,   d = s/‖s‖ ,  α = μ P_N/‖s‖ ,
///
/// with s = P_T − ρ û_T; a constant direction d does not converge in 3D. The remaining equations
/// are solved by conjugate gradients, with multipliers or slip and friction by GMRES. P is
/// B⁻ᵀ (Â x − b) of the nodes, or a multiplier in Â x − b, so the energy balance does not depend on
/// the equations of the law.
class ProjectedEquations {
public:
  using Components = std::array<double, 3>;

  /// All arguments must outlive this object. The system's solution must be deferred and started.
  ProjectedEquations(ContactSystem &system, const ContactVariables &variables,
                     const std::vector<double> &mu, KrylovVectors &vectors);

  /// Sets the velocities c and the percussions P0 that b contains, by rows of H, and returns the
  /// state x = 0.
  ProjectedState start(const std::vector<double> &c, const std::vector<double> &p0);
  /// Sets a lower bound of the norm to which residuals are relative, before start().
  void set_least_scale(double norm) { scale.least = norm; }
  /// Returns this norm: of the first right-hand side.
  double residual_scale() const { return scale.norm; }
  /// Sets other velocities c.
  void set_velocities(const std::vector<double> &c);
  /// Adds σ D (x − centre) to the balance, with the diagonal D of Â; none with σ = 0.
  void set_proximal_term(double sigma, const std::vector<double> &centre, ProjectedState &state);

  /// Solves the equations of these statuses, up to a residual relative to the first right-hand
  /// side. Returns the remaining residual, infinite if the matrix of the multipliers is singular:
  /// then the equations are not solved.
  double solve(const std::vector<AssumedStatus> &statuses, double limit, ProjectedState &state);
  /// Computes P and û from x and the residual.
  void evaluate(ProjectedState &state) const;
  /// Returns the energy of the residual of the balance, without forces of contacts.
  double energy_of_imbalance(const ProjectedState &state) const;

  /// Returns ρ of a contact [impulse / velocity].
  double rho(std::size_t contact) const { return stiffness[contact]; }
  /// True if a component of the percussion is not zero for the last statuses.
  bool is_transferred(std::size_t contact, unsigned int component) const;

private:
  static constexpr unsigned int max_iterations = 2000; ///< limit of one solution

  /// Diagonals of Â and of the equations.
  struct Diagonals {
    std::vector<Components> node_diagonal; ///< diagonal of B⁻ᵀ Â B⁻¹ of each contact's node
    std::vector<double> system_diagonal,
        inverse;       ///< diagonal of Â, and its inverse for the statuses
    double factor = 0; ///< factor of Â in the inverse
  };
  struct Proximal {
    double sigma = 0;
    std::vector<double> centre;
  };
  /// Vectors over all unknowns.
  struct IterationVectors {
    IterationVectors(KrylovVectors &k, const Partition &partition, std::size_t n)
        : krylov(k), work(partition.zeros(n)), right(partition.zeros(n)) {}
    KrylovVectors &krylov;
    MixedVectors mixed;
    std::vector<double> work;  ///< argument of products, and of the preconditioner
    std::vector<double> right; ///< right-hand side of the iterations
  };
  /// Degrees of freedom whose rows the law changes, of rigid bodies, and multipliers, for
  /// iterations in mixed precision: their rows are computed in double precision.
  struct ContactDofs {
    std::vector<unsigned int> dofs; ///< ascending
    std::vector<double> scale;      ///< D^(-½) of the equations
    std::vector<float> saved;       ///< entries of a vector that a product changes meanwhile
  };
  /// Norm to which residuals are relative.
  struct ResidualScale {
    double norm = 0;      ///< norm of the first right-hand side
    double least = 0;     ///< its lower bound
    bool is_first = true; ///< true until the first equations are solved
  };

  double norm_of_balance(const std::vector<double> &r) const;
  double norm(const std::vector<double> &r) const;
  double stiffness_of(const ContactVariables::Contact &contact, Components &node_diagonal) const;
  bool is_fixed(std::size_t contact, unsigned int component) const;
  bool has_friction_in_slip() const;
  LawRows rows_of(std::size_t contact) const;
  bool impose(ProjectedState &state) const;
  void find_residual(ProjectedState &state);
  void invert_diagonal();
  bool prepare_multipliers();
  void multiply_bodies(const std::vector<double> &y, std::vector<double> &image) const;
  void add_multipliers(const std::vector<double> &y, std::vector<double> &image) const;
  void expand(std::vector<double> &y) const;
  void apply(const std::vector<double> &y, std::vector<double> &image);
  void combine_rows(const ContactValues &values, double applied_factor,
                    std::vector<double> &combined) const;
  void precondition(const std::vector<double> &r, std::vector<double> &z);
  bool is_symmetric() const;
  void find_equation_residual(ProjectedState &state);
  void solve_double(double limit, ProjectedState &state);
  void solve_mixed(double limit, double norm, ProjectedState &state);
  void add_unknowns(std::vector<double> &unknowns, ProjectedState &state);
  void find_contact_dofs();
  bool computes(unsigned int dof) const;
  void read_contact_dofs(const std::vector<float> &y, std::vector<double> &unscaled) const;
  void apply_single(std::vector<float> &y, std::vector<float> &image);
  void precondition_single(std::vector<float> &r, std::vector<float> &z);

  ContactSystem &system;
  const ContactVariables &variables;
  const std::vector<double> &mu;
  ContactValues given;  ///< P0 and c
  ContactValues change; ///< changes of P and û by unknowns
  std::vector<AssumedStatus> assumed;
  std::vector<LawRows> rows; ///< equations of the assumed statuses
  ContactMultipliers multipliers;
  Diagonals diagonal;
  std::vector<double> stiffness; ///< ρ of each contact
  IterationVectors vectors;
  ContactDofs contact_dofs;
  Proximal proximal;
  ResidualScale scale;
};

} // namespace percussion
