#pragma once

#include <percussion/cone/deadline.h>
#include <percussion/cone/local_solver.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace percussion {

template <int d>
class DelassusFactors;

/// Reason for the end of Newton's iterations.
enum class NewtonOutcome {
  repeated,   ///< the statuses repeat: the solution is exact to round-off
  accurate,   ///< the tolerance is met, before the statuses repeat
  unsettled,  ///< the statuses cycle, or still change at the iteration limit
  broken_down ///< singular matrix or a solution that is not finite: no result
};

/// Semi-smooth Newton on the Alart–Curnier equations (Alart & Curnier 1991), in its primal–dual
/// active-set form: assume the status of every contact, solve the resulting linear system,
/// determine the statuses from its solution, and repeat until they equal the assumed ones. The
/// solution is then exact to round-off; in 3D, which has a linearised slip direction, after the
/// direction has converged. The linear system has only the unknowns that the statuses leave free
/// (local::Reduction): none for an open contact, d for a sticking one, d − 1 for a slipping one.
///
/// The LU factors are reused as long as the problem's version and the statuses stay the same. If
/// the bodies behind W are known, and W has been regularised, they are factors in the space of the
/// bodies.
template <int d>
class ActiveSetNewton {
public:
  ActiveSetNewton();
  ~ActiveSetNewton();

  /// Assumes the statuses of `start`, with the slip directions of its percussions. Its p and
  /// statuses must have the problem's size.
  void start_from_status(const FrictionContactProblem &problem, const ConeSolution &start);

  /// Assumes the statuses of the percussions `p` and their velocities.
  void start_from_percussion(const FrictionContactProblem &problem, const std::vector<double> &p);

  /// Returns true if statuses of this number of contacts are assumed.
  bool assumes(std::size_t n_contacts) const { return assumed.size() == n_contacts; }

  /// Computes at most `max_iterations` iterations, from the statuses assumed last. Stops earlier if
  /// the natural map is sufficiently small relative to both q and p, or is acceptable and no longer
  /// decreases.
  NewtonOutcome iterate(const FrictionContactProblem &problem, unsigned int max_iterations,
                        const Deadline &deadline = {}, double tolerance = 0.,
                        double acceptable = 0.);

  /// Frees the factors. The next iteration makes new ones.
  void release_factors();

  unsigned int iterations() const { return n_iterations; } ///< number in the last iterate()
  /// Returns true if the last iterate() met a matrix that is singular to round-off.
  bool singular() const { return is_singular; }
  const std::vector<double> &p() const {
    return percussion;
  }                                                         ///< percussions of the last linear
                                                            ///< solution
  const std::vector<double> &u() const { return velocity; } ///< W p + q
  ContactStatus status(std::size_t i) const {
    return factored[i].status;
  } ///< status satisfied by p

private:
  bool factorise(const FrictionContactProblem &problem);
  bool solve_linear_system(const FrictionContactProblem &problem);
  void determine_statuses(const FrictionContactProblem &problem);
  void stick_where_reversed();
  bool has_converged() const;
  bool seen_before();

  std::vector<double> percussion, velocity;
  std::vector<local::LocalStatus<d>> assumed;
  unsigned int n_iterations = 0;
  std::vector<std::uint64_t> history; ///< hashes of the statuses assumed so far

  // Statuses for which the linear system was assembled.
  std::vector<local::LocalStatus<d>> factored;
  unsigned long factored_version = 0; ///< 0: unknown
  bool is_singular = false;           ///< true if the factors are unusable
  std::vector<local::Reduction<d>> reductions;
  std::vector<std::size_t> offsets; ///< first unknown of each contact, and their number
  std::unique_ptr<DelassusFactors<d>> factors;
  std::vector<double> z; ///< right-hand side, then solution
};

extern template class ActiveSetNewton<2>;
extern template class ActiveSetNewton<3>;

} // namespace percussion
