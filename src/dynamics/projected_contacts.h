#pragma once

#include <percussion/algebra/projected_equations.h>
#include <percussion/dynamics/reaction.h>

#include <cmath>
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
  bool is_singular = false;      ///< true if the matrix of the multipliers was singular at the end
  bool converged = false;
};

/// Solver of the velocities x and of the percussions of contacts,
///
///     Â x = b + Hᵀ (P − P0) ,     û = H x + c ,     0 ∈ û + μ‖û_T‖ n + N_K(P) ,
///
/// by active sets (PDAS: BBDM24 (5.38)–(5.42)) without any factor or dense matrix: the equations of
/// assumed statuses (ProjectedEquations) are solved coarsely for the first active sets, to
/// round-off of the energy for the last.
///
/// If active sets recur, a line search reduces the residual of the law and of the balance. If it
/// does not suffice, proximal steps follow.
class ProjectedContacts {
public:
  /// The arguments but the limits must outlive this object. The system's solution must be deferred
  /// and started.
  ProjectedContacts(ContactSystem &system, const ContactVariables &variables,
                    const std::vector<double> &mu, ProjectionLimits limits, KrylovVectors &vectors);

  /// Assumes these statuses and directions of percussions, by rows of H. If all contacts are open,
  /// statuses are unknown, and all stick first.
  void assume(const std::vector<ContactStatus> &status, const std::vector<double> &p);
  /// Assumes the statuses of another solution.
  void assume(std::vector<AssumedStatus> statuses) { assumed = std::move(statuses); }
  /// Returns the statuses after the last active set.
  const std::vector<AssumedStatus> &assumed_statuses() const { return assumed; }

  /// Solves the law with the velocities c and the percussions P0 that b contains, by rows of H,
  /// from the assumed statuses, so far that statuses are final.
  void start(const std::vector<double> &c, const std::vector<double> &p0);
  /// Does the same only as far as a correction among several needs: up to this residual relative to
  /// the right-hand side, in a few active sets. The solution has converged if statuses recur; it
  /// contains the last statuses.
  void approximate(const std::vector<double> &c, const std::vector<double> &p0,
                   double sufficient_residual);
  /// Sets a lower bound of the norm to which residuals are relative, before a solution: late
  /// corrections need no smaller residuals than the first.
  void set_least_scale(double norm) { equations.set_least_scale(norm); }
  /// Returns this norm: of the first right-hand side.
  double residual_scale() const { return equations.residual_scale(); }
  /// Solves the law with other velocities c to the same accuracy, from the current solution.
  void change(const std::vector<double> &c);
  /// Continues to round-off of the energy and to the tolerance of the law; so does change() then.
  void refine();
  /// True if the last solution has this accuracy, or must have it.
  bool is_refined() const { return accuracy.residual == limits.tolerance; }

  const ProjectedSolution &solution() const { return result; }
  /// Returns x over all degrees of freedom, with multipliers at the end.
  const std::vector<double> &velocities() const { return state.x; }

private:
  using Components = std::array<double, 3>;
  static double tangential_norm(const Components &c) { return std::hypot(c[1], c[2]); }
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
  void evaluate_law();
  Change update_statuses();
  void search(const ProjectedState &old);
  double merit() const;
  AssumedStatus status_of(std::size_t i) const;
  double natural_map_squared(std::size_t i) const;

  const ContactVariables &variables;
  const std::vector<double> &mu;
  ProjectionLimits limits;
  ProjectedEquations equations;
  ProjectedState state;
  std::vector<AssumedStatus> assumed;
  Accuracy accuracy{};
  double imbalance = 0; ///< residual of the last equations, relative to the first right-hand side
  bool is_proximal = false;
  ProjectedSolution result;
};

} // namespace percussion
