#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/natural_units.h>
#include <percussion/cone/problem.h>
#include <percussion/fclib/fclib.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace percussion::fc {

/// A reduced or a global problem, in 2D or 3D.
using AnyProblem = std::variant<FrictionContactProblem, GlobalFrictionContactProblem>;

/// A file's problem and what the solvers get of it.
struct PreparedProblem {
  FclibFile file;
  NaturalUnits units;
  AnyProblem problem;       ///< in natural units, those of the reduced problem where it is global
  GlobalConeSolution start; ///< in natural units; nothing for a cold start
};

/// `warm`: starts from the file's first guess, if it has one. Throws std::invalid_argument where a
/// global problem has no reduced one.
PreparedProblem prepare(FclibFile file, bool warm);

/// What one solver has made of one problem.
struct Run {
  std::string problem, file, solver;
  unsigned int dimension = 0;
  std::size_t n_contacts = 0;
  bool global = false;

  bool solved = false;                           ///< `residual` meets the tolerance
  ConeOutcome outcome = ConeOutcome::not_solved; ///< as the solver tells
  std::string method;                            ///< what produced the result in the end
  std::string message;                           ///< of a solver that has refused the problem
  unsigned int iterations = 0;
  double residual = 0.;     ///< natural_map_residual() of the problem in natural units
  double raw_residual = 0.; ///< that of the file's numbers
  double time = 0.;         ///< processor time of one solve [s]
  std::size_t n_open = 0, n_stick = 0, n_slip = 0;
};

/// One solver on one problem. The residuals are made from the data and the percussions (for a
/// global problem, velocities too), whatever the solver says of them. `solution` is in natural
/// units.
///
/// The time is that of all threads. A solve that takes less than 0.1 s is repeated once, one that
/// takes less than a millisecond until all take five, by a new solver each time, and the fastest
/// counts.
Run solve(const PreparedProblem &problem, const ConeMethodEntry &solver, ConeOptions options,
          GlobalConeSolution &solution);

/// The solution in the units of the file.
GlobalConeSolution in_units_of_file(const PreparedProblem &problem, GlobalConeSolution solution);

/// natural_map_residual() for either problem; infinite where sizes do not match.
double residual_of(const AnyProblem &problem, const GlobalConeSolution &solution);

/// The local velocities from the data: W p + q, or Hᵀ v + b.
std::vector<double> local_velocities(const AnyProblem &problem, const GlobalConeSolution &solution);

/// In one or two words.
std::string_view name_of(ConeOutcome outcome);

/// The outcome as the residual judges it: "converged" where it meets the tolerance, and only there.
std::string_view verdict(const Run &run);

} // namespace percussion::fc
