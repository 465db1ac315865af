#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/natural_units.h>
#include <percussion/cone/problem.h>
#include <percussion/fclib/problem_file.h>

#include <string>
#include <string_view>
#include <variant>

namespace percussion::fc {

/// A reduced or a global problem, in 2D or 3D.
using AnyProblem = std::variant<FrictionContactProblem, GlobalFrictionContactProblem>;

/// Problem of a file, prepared for the solvers.
struct PreparedProblem {
  FclibFile file;
  NaturalUnits units;     ///< natural units of the reduced problem, in units of the file
  NaturalUnits run_units; ///< the same in units of the run that the problem is from
  AnyProblem problem;     ///< problem in natural units
};

/// Prepares the problem of a file. Throws std::invalid_argument if a global problem cannot be
/// reduced.
PreparedProblem prepare(FclibFile file);

/// Start of a solver.
enum class Start {
  cold,  ///< without percussions
  guess, ///< from the first guess in the file
  last,  ///< from the solution of the last problem
};

/// Returns "cold", "guess" or "last".
std::string_view name_of(Start start);

/// Result of one solver for one problem.
struct Run {
  std::string problem, file, solver;
  unsigned int dimension = 0;
  std::size_t n_contacts = 0;
  bool global = false;
  Start start = Start::cold;

  bool solved = false;                           ///< `residual` meets the tolerance
  ConeOutcome outcome = ConeOutcome::not_solved; ///< according to the solver
  std::string method;                            ///< method that produced the result
  std::string message;                           ///< message of a solver that refused the problem
  std::vector<std::string> record;               ///< list of the methods tried, if
                                                 ///< ConeOptions::record
  unsigned int iterations = 0;
  double residual = 0.;     ///< natural_map_residual() of the problem in natural units
  double raw_residual = 0.; ///< residual of the numbers in the file
  double time = 0.;         ///< processor time of one solve, all threads together [s]
  std::size_t n_open = 0, n_stick = 0, n_slip = 0;
};

/// Runs one solver on one problem. The residuals are computed from the data and the result,
/// independently of the solver. `solution` is in natural units, and on entry the warm start if its
/// sizes fit. Throws std::invalid_argument, with the solver's message, if the data are wrong.
///
/// Solves that take less than 0.1 s are repeated once, those below a millisecond until 5 ms are
/// spent, by a new solver each time; the fastest counts.
Run solve(const PreparedProblem &problem, const ConeMethodEntry &solver, ConeOptions options,
          GlobalConeSolution &solution);

/// Returns the solution in natural units, given the values of `units` in its own; empty unless its
/// sizes fit.
GlobalConeSolution to_natural_units(const PreparedProblem &problem, const NaturalUnits &units,
                                    GlobalConeSolution solution);

/// Inverts to_natural_units().
GlobalConeSolution out_of_natural_units(const NaturalUnits &units, GlobalConeSolution solution);

/// Returns natural_map_residual() of either problem; infinite if sizes do not match.
double residual_of(const AnyProblem &problem, const GlobalConeSolution &solution);

/// Returns the outcome in one or two words; "converged" if and only if the residual meets the
/// tolerance.
std::string_view verdict(const Run &run);

} // namespace percussion::fc
