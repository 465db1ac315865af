#pragma once

#include <percussion/cone/newton.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Proximal-point iterations (Rockafellar 1976; for contact Acary, Brémond & Huber 2018) around the
/// active-set Newton, for singular Delassus operators: rows of W are linearly dependent if a node
/// touches two surfaces with friction, or the same surface twice. Each step solves the problem
///
///     W_ε = W + ε D ,    q_ε = q − ε D p_k ,    D = mean diagonal entry of each block W_ii ,
///
/// around the last percussions p_k. W_ε is definite, a fixed point solves the problem with W
/// itself, and the component of p in the null space of W, which is not unique, is preserved. A step
/// contracts the remaining error by about ε / (ε + λ), λ an eigenvalue of D⁻¹ W. ε is reduced if
/// this contraction is slow with constant statuses, or while few statuses change at a time; it is
/// increased if Newton fails on W_ε. With friction the problem is not monotone, and convergence is
/// not guaranteed.
///
/// Statuses can be constant without solving the problem: in a pile of rigid bodies the rows of
/// closed loops of contacts are dependent except for tiny rotations, and statuses that contradict
/// this admit no solution. Each step then moves p by the same amount, residual / ε, nearly in the
/// null space of W. In this case p is extrapolated to the next change of a status.
///
/// W_ε and Newton's LU factors are reused as long as the problem's version, ε and the statuses stay
/// the same.
template <int d>
class ProximalNewton {
public:
  /// Stopping criteria.
  struct Options {
    double tolerance = 1e-10;                ///< for natural_map_residual()
    unsigned int max_newton_iterations = 50; ///< per run of Newton
    unsigned int max_iterations = 1000000;   ///< Newton and Gauss–Seidel in total
    double first_epsilon = 1e-3;             ///< ε unless W is unchanged
    bool is_patient = false; ///< takes thousands of steps, and lengthens them as long as p moves
                             ///< uniformly
    Deadline deadline = {};  ///< time limit, with the current result
  };

  /// Improves `solution`: its p and, if their number fits, its statuses are the initial guess; it
  /// is replaced only by a smaller residual. Returns true if natural_map_residual() of the original
  /// problem meets the tolerance. Adds Newton iterations and sweeps to solution.iterations.
  bool solve(const FrictionContactProblem &problem, const Options &options, ConeSolution &solution);

  /// Starts with the first ε again even if W is unchanged.
  void forget() { source_version = 0; }

  /// Returns the initial ε for the next problem with this W; 0 for Options::first_epsilon.
  double kept_epsilon(const FrictionContactProblem &problem) const {
    return source_version != 0 && source_version == problem.version ? current_epsilon : 0.;
  }
  /// Sets the initial proximal parameter ε of the next solve() of this problem. `epsilon` is a
  /// result of kept_epsilon(), possibly of another solver.
  void keep_epsilon(const FrictionContactProblem &problem, double epsilon) {
    regularise(problem, epsilon);
  }

private:
  bool start(const FrictionContactProblem &problem, const Options &options,
             const ConeSolution &guess);
  bool restart(const FrictionContactProblem &problem, double epsilon, const std::vector<double> &p);
  bool regularise(const FrictionContactProblem &problem, double epsilon);
  void centre(const FrictionContactProblem &problem, const std::vector<double> &p);
  bool solve_regularised(const Options &options, double accuracy, unsigned int last_iteration,
                         std::vector<double> &p, unsigned int &iterations);
  void take(const FrictionContactProblem &problem, double residual, ConeSolution &solution) const;

  FrictionContactProblem regularised; ///< W_ε and q_ε; its version identifies the W_ε
  unsigned long source_version = 0;   ///< version of the problem behind W_ε; 0: unknown
  double current_epsilon = 0.;        ///< ε of W_ε
  std::vector<double> diagonal;       ///< D, one entry per contact
  std::vector<double> shift;          ///< ε D
  ActiveSetNewton<d> newton;
};

extern template class ProximalNewton<2>;
extern template class ProximalNewton<3>;

} // namespace percussion
