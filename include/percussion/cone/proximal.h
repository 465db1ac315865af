#pragma once

#include <percussion/cone/newton.h>
#include <percussion/cone/problem.h>

#include <vector>

namespace percussion {

/// Proximal-point iterations (Rockafellar 1976; for contact Acary, Brémond & Huber 2018) around the
/// active-set Newton, for a Delassus operator that is singular: rows of W depend on each other
/// where a node touches two surfaces with friction, or the same surface twice. Each step solves the
/// problem
///
///     W_ε = W + ε D ,    q_ε = q − ε D p_k ,    D = mean diagonal entry of each block W_ii ,
///
/// around the last percussions p_k. W_ε is definite, a fixed point solves the problem with W
/// itself, and on the null space of W, where p is not unique, p stays where it is. A step contracts
/// the rest by about ε / (ε + λ), λ an eigenvalue of D⁻¹ W: once the statuses stand still ε shrinks
/// while that is slow; it grows where Newton fails on W_ε. With friction the problem is not
/// monotone and this is no proof.
///
/// Statuses can stand still without solving the problem: in a pile of rigid bodies the rows of
/// closed loops of contacts depend on each other but for tiny rotations, and statuses that ask for
/// what those deny have no solution. Then each step moves p by the same, residual / ε, in a
/// direction in which W has next to nothing, and as many steps as it takes for a status to change
/// are made at once.
///
/// W_ε and Newton's LU factors are kept while the problem's version, ε and the statuses stay.
template <int d>
class ProximalNewton {
public:
  /// When to end.
  struct Options {
    double tolerance = 1e-10;                ///< of natural_map_residual()
    unsigned int max_newton_iterations = 50; ///< of one start of Newton
    unsigned int max_iterations = 1000000;   ///< of Newton and Gauss–Seidel, all in all
    double first_epsilon = 1e-3;             ///< ε unless W is the same as last time
    Deadline deadline = {};                  ///< after which it stops with what it has
  };

  /// Improve `solution`: its p and, where there are as many as contacts, its statuses are the
  /// start, and its residual the one to beat. Returns whether natural_map_residual() of the problem
  /// itself meets the tolerance. Adds Newton iterations and Gauss–Seidel sweeps to
  /// solution.iterations.
  bool solve(const FrictionContactProblem &problem, const Options &options, ConeSolution &solution);

  /// Start with the first ε again even if W is the same.
  void forget() { source_version = 0; }

  /// The ε that the next solution of a problem with this W begins with; 0: the first one.
  double kept_epsilon(const FrictionContactProblem &problem) const {
    return source_version != 0 && source_version == problem.version ? current_epsilon : 0.;
  }
  /// Begin the next solution of this problem with an ε that kept_epsilon() gave.
  void keep_epsilon(const FrictionContactProblem &problem, double epsilon) {
    regularise(problem, epsilon);
  }

private:
  bool regularise(const FrictionContactProblem &problem, double epsilon);
  void centre(const FrictionContactProblem &problem, const std::vector<double> &p);
  bool solve_regularised(const Options &options, double accuracy, std::vector<double> &p,
                         unsigned int &iterations);
  void take(const FrictionContactProblem &problem, double residual, ConeSolution &solution) const;

  FrictionContactProblem regularised; ///< W_ε and q_ε; its version counts what W_ε has been
  unsigned long source_version = 0;   ///< of the problem that W_ε was made of; 0: unknown
  double current_epsilon = 0.;        ///< of W_ε
  std::vector<double> shift;          ///< ε D, one entry a contact
  ActiveSetNewton<d> newton;
};

extern template class ProximalNewton<2>;
extern template class ProximalNewton<3>;

} // namespace percussion
