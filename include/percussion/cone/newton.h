#pragma once

#include <percussion/cone/local_solver.h>
#include <percussion/cone/problem.h>

#include <cstdint>
#include <vector>

namespace percussion {

enum class NewtonOutcome {
  repeated,   ///< the statuses repeat: the last linear solution is exact to round-off
  unsettled,  ///< the statuses cycle, or keep changing up to the iteration limit
  broken_down ///< a matrix singular to round-off, or a solution not finite: there is no result
};

/**
 * Semi-smooth Newton on the Alart–Curnier equations (Alart & Curnier 1991), in its primal–dual
 * active-set form: suppose every contact's status, solve the linear system that follows, read the
 * statuses off its solution, and end when they are those supposed. The solution is then exact to
 * round-off. The linear system has only the unknowns that the statuses leave (local::Reduction): in
 * 2D two for a contact that sticks and one for a contact that slips.
 *
 * The LU factors are kept while the problem's version and the statuses stay the same.
 */
template <int d>
class ActiveSetNewton {
public:
  /// Suppose the statuses of `start`, with the directions of slip of its percussions. Both of its
  /// vectors must have the problem's size.
  void start_from_status(const FrictionContactProblem &problem, const ConeSolution &start);

  /// Suppose the statuses that the percussions `p` and their velocities show.
  void start_from_percussion(const FrictionContactProblem &problem, const std::vector<double> &p);

  /// At most `max_iterations` linear solutions, from the statuses supposed last.
  NewtonOutcome iterate(const FrictionContactProblem &problem, unsigned int max_iterations);

  unsigned int iterations() const { return iterations_; } ///< of the last iterate()
  /// Whether the last iterate() ended at a matrix that is singular to round-off.
  bool singular() const { return singular_; }
  const std::vector<double> &p() const { return p_; } ///< of the last linear solution
  const std::vector<double> &u() const { return u_; } ///< W p + q
  ContactStatus status(std::size_t i) const { return factored_[i].status; } ///< that p obeys

private:
  bool factorise(const FrictionContactProblem &problem);
  void assemble(const FrictionContactProblem &problem);
  bool solve_linear_system(const FrictionContactProblem &problem);
  void read_statuses(const FrictionContactProblem &problem);
  void hold_reversed();
  bool seen_before();

  std::vector<double> p_, u_;
  std::vector<local::LocalStatus<d>> supposed_;
  unsigned int iterations_ = 0;
  std::vector<std::uint64_t> history_; ///< hashes of the statuses supposed so far

  // The linear system, and what it was made of.
  std::vector<local::LocalStatus<d>> factored_;
  unsigned long factored_version_ = 0; ///< 0: unknown
  bool singular_ = false;              ///< the factors are of no use
  std::vector<local::Reduction<d>> reductions_;
  std::vector<double> lu_; ///< by columns
  std::vector<double> z_;  ///< right-hand side, then solution
  std::vector<int> pivots_;
};

extern template class ActiveSetNewton<2>;

} // namespace percussion
