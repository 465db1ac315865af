#pragma once

#include <percussion/cone/problem.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace percussion {

/// A file of the Frictional Contact Library (FCLib 3, HDF5): a problem and what is known about it.
/// FCLib's r is p here; the f and w of its global problems are q and b. FCLib knows no units: those
/// of problem.h are assumed. Of a solution it keeps v, u and p.
struct FclibFile {
  std::variant<FrictionContactProblem, GlobalFrictionContactProblem> problem;
  std::string title, description, math_info;  ///< empty if there is none
  std::optional<GlobalConeSolution> solution; ///< v is empty for reduced problems
  std::vector<GlobalConeSolution> guesses;    ///< possible starting points of solvers
  /// What one is in the units of the run that the problem is from, if each of its problems has
  /// units of its own. Kept in FCLib's group `info`, where other programs leave them alone.
  double percussion_unit = 1., velocity_unit = 1.;
  /// Equality constraints of a global problem, Gᵀ v + b = 0 with Lagrange multipliers λ, are part
  /// of M here: it is [M −cG; −cGᵀ 0], indefinite; q is [f; c b]; H has no entries in the new rows;
  /// and v ends with λ/c. c [mass] makes G as large as M.
  std::size_t n_multipliers = 0;
  double multiplier_unit = 1.; ///< c
};

/// What is wrong with a file: its name, the group or dataset, what was found, what is needed.
struct FclibError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a file. Throws FclibError unless it holds a complete, consistent problem. Infinite numbers
/// and NaN are read as they are: solvers refuse them. Equality constraints of a reduced problem,
/// Vᵀ r + R λ + s = 0 with V λ in u, are eliminated: W − V R⁻¹ Vᵀ and q − V R⁻¹ s replace W and q.
/// R must be regular.
///
/// W is dense unless there are more than 50 contacts and the blocks (contact against contact) with
/// entries make less than a third of it. Matrices may be stored by compressed rows, compressed
/// columns or triplets, in any order; entries at the same place are added.
///
/// FCLib's documentation stores the rows of triplets in p, Siconos the columns: p holds rows only
/// if it cannot hold columns, or if a column would otherwise be left empty that need not be.
FclibFile read_fclib(const std::string &path);

/// Writes a file as a whole (write_durably()): what is there stays if that fails. Reading it
/// returns every number bit by bit. Matrices are written by compressed columns, a dense W without
/// its zeros. Throws FclibError or std::invalid_argument if sizes or indices do not fit each other,
/// and WriteError if the file cannot be written.
void write_fclib(const std::string &path, const FclibFile &content);

/// Sets or replaces the solution in a file and keeps all else, with the multipliers of equality
/// constraints. Throws as the two above.
void write_fclib_solution(const std::string &path, const GlobalConeSolution &solution);

} // namespace percussion
