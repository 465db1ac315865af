#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/local_solver.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace percussion {

class LinearSystem;

/// How Newton's iterations have ended.
enum class NewtonOutcome {
  repeated,   ///< the statuses repeat: the last linear solution is exact to round-off
  unsettled,  ///< the statuses cycle, or keep changing up to the iteration limit
  broken_down ///< a matrix singular to round-off, or a solution not finite: there is no result
};

/// Semi-smooth Newton on the Alart–Curnier equations (Alart & Curnier 1991), in its primal–dual
/// active-set form: suppose every contact's status, solve the linear system that follows, read the
/// statuses off its solution, and end when they are those supposed. The solution is then exact to
/// round-off; in 3D, where the direction of slip is linearised, once it has stopped turning. The
/// linear system has only the unknowns that the statuses leave (local::Reduction): none for a
/// contact that is open, d for one that sticks, d − 1 for one that slips.
///
/// The LU factors are kept while the problem's version and the statuses stay the same.
template <int d>
class ActiveSetNewton {
public:
  ActiveSetNewton();
  ~ActiveSetNewton();
  ActiveSetNewton(ActiveSetNewton &&) noexcept;
  ActiveSetNewton &operator=(ActiveSetNewton &&) noexcept;

  /// Suppose the statuses of `start`, with the directions of slip of its percussions. Its p and
  /// statuses must have the problem's size.
  void start_from_status(const FrictionContactProblem &problem, const ConeSolution &start);

  /// Suppose the statuses that the percussions `p` and their velocities show.
  void start_from_percussion(const FrictionContactProblem &problem, const std::vector<double> &p);

  /// Whether statuses of so many contacts are supposed.
  bool supposes(std::size_t n_contacts) const { return supposed.size() == n_contacts; }

  /// At most `max_iterations` linear solutions, from the statuses supposed last.
  NewtonOutcome iterate(const FrictionContactProblem &problem, unsigned int max_iterations,
                        const Deadline &deadline = {});

  unsigned int iterations() const { return n_iterations; } ///< of the last iterate()
  /// Whether the last iterate() ended at a matrix that is singular to round-off.
  bool singular() const { return is_singular; }
  const std::vector<double> &p() const { return percussion; } ///< of the last linear solution
  const std::vector<double> &u() const { return velocity; }   ///< W p + q
  ContactStatus status(std::size_t i) const { return factored[i].status; } ///< that p obeys

private:
  bool factorise(const FrictionContactProblem &problem);
  void assemble_dense(const FrictionContactProblem &problem, std::size_t n);
  void assemble_sparse(const FrictionContactProblem &problem, std::size_t n);
  bool solve_linear_system(const FrictionContactProblem &problem);
  void read_statuses(const FrictionContactProblem &problem);
  void hold_reversed();
  bool settled() const;
  bool seen_before();

  std::vector<double> percussion, velocity;
  std::vector<local::LocalStatus<d>> supposed;
  unsigned int n_iterations = 0;
  std::vector<std::uint64_t> history; ///< hashes of the statuses supposed so far

  // The linear system, and what it was made of.
  std::vector<local::LocalStatus<d>> factored;
  unsigned long factored_version = 0; ///< 0: unknown
  bool is_singular = false;           ///< the factors are of no use
  std::vector<local::Reduction<d>> reductions;
  std::vector<std::size_t> offsets; ///< of each contact's unknowns
  std::unique_ptr<LinearSystem> system;
  std::vector<double> z; ///< right-hand side, then solution
};

extern template class ActiveSetNewton<2>;
extern template class ActiveSetNewton<3>;

} // namespace percussion
