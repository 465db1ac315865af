#pragma once

#include <percussion/cone/local_solver.h>
#include <percussion/cone/problem.h>

#include <cstdint>
#include <vector>

namespace percussion {

enum class NewtonOutcome {
  repeated,   ///< the states repeat: the last linear solution is exact to round-off
  unsettled,  ///< the states cycle, or keep changing up to the iteration limit
  broken_down ///< a singular matrix or a solution that is not finite: there is no result
};

/**
 * Semi-smooth Newton on the Alart–Curnier equations (Alart & Curnier 1991), in its primal–dual
 * active-set form: suppose every contact's state, solve the linear system that follows, read the
 * states off its solution, and end when they are those supposed. The solution is then exact to
 * round-off. The linear system has only the unknowns that the states leave (local::Reduction): in
 * 2D two for a contact that sticks and one for a contact that slips.
 *
 * The LU factors are kept while the problem's version and the states stay the same.
 */
template <int d>
class ActiveSetNewton {
public:
  /// Suppose the statuses of `start`, with the directions of slip of its percussions. Both of its
  /// vectors must have the problem's size.
  void start_from_status(const FrictionContactProblem &problem, const ConeSolution &start);

  /// Suppose the states that the percussions `p` and their velocities show.
  void start_from_percussion(const FrictionContactProblem &problem, const std::vector<double> &p);

  /// At most `max_iterations` linear solutions, from the states supposed last.
  NewtonOutcome iterate(const FrictionContactProblem &problem, unsigned int max_iterations);

  unsigned int iterations() const { return iterations_; } ///< of the last iterate()
  const std::vector<double> &p() const { return p_; }     ///< of the last linear solution
  const std::vector<double> &u() const { return u_; }     ///< W p + q
  ContactStatus status(std::size_t i) const { return factored_[i].status; } ///< that p obeys

private:
  using State = local::State<d>;

  bool factorise(const FrictionContactProblem &problem);
  void assemble(const FrictionContactProblem &problem);
  bool solve_linear_system(const FrictionContactProblem &problem);
  void read_states(const FrictionContactProblem &problem);
  bool seen_before();

  std::vector<double> p_, u_;
  std::vector<State> states_; ///< supposed
  unsigned int iterations_ = 0;
  std::vector<std::uint64_t> history_; ///< hashes of the states supposed so far

  // The linear system, and what it was made of.
  std::vector<State> factored_;
  unsigned long factored_version_ = 0; ///< 0: no valid factors
  std::vector<local::Reduction<d>> reductions_;
  std::vector<double> lu_; ///< by columns
  std::vector<double> z_;  ///< right-hand side, then solution
  std::vector<int> pivots_;
};

extern template class ActiveSetNewton<2>;

} // namespace percussion
