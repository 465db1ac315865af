#pragma once

#include <percussion/cone/problem.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace percussion {

/// File of the Frictional Contact Library (FCLib 3, HDF5): a problem and its description. FCLib's r
/// is p here; the f and w of its global problems are q and b. FCLib has no units; the
/// units of problem.h are assumed. From solutions FCLib keeps v, u and p.
struct FclibFile {
  std::variant<FrictionContactProblem, GlobalFrictionContactProblem> problem;
  std::string title, description, math_info;  ///< empty if there is none
  std::optional<GlobalConeSolution> solution; ///< v is empty for reduced problems
  std::vector<GlobalConeSolution> guesses;    ///< possible starting points of solvers
  /// Units of the problem in units of the run that it is from, if each problem of the run has its
  /// own units. Stored in FCLib's group `info`, which other programs do not change.
  double percussion_unit = 1., velocity_unit = 1.;
  /// Number of equality constraints Gᵀ v + b = 0 of a global problem, with Lagrange multipliers λ.
  /// They are part of the problem: its M is the indefinite matrix [M −cG; −cGᵀ 0], its q is
  /// [f; c b], the last rows of H are empty, and the last entries of v are λ/c. The factor c [mass]
  /// (`multiplier_unit`) scales G to the magnitude of M.
  std::size_t n_multipliers = 0;
  double multiplier_unit = 1.; ///< c
};

/// Error in a file: its name, the group or dataset, the content found, the content needed.
struct FclibError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a file. Throws FclibError unless it holds a complete, consistent problem. Infinite numbers
/// and NaN are read as they are: solvers refuse them. Equality constraints of a reduced problem, Vᵀ
/// r + R λ + s = 0 with V λ in u, are eliminated: W − V R⁻¹ Vᵀ and q − V R⁻¹ s replace W and q. R
/// must be regular.
///
/// W is dense unless there are more than 50 contacts and the blocks (contact against contact) with
/// entries make less than a third of it. Matrices may be stored by compressed rows, compressed
/// columns or triplets, in any order; entries with equal indices are added.
///
/// The dataset p of a triplet matrix holds row indices in FCLib's documentation, but column indices
/// in files of Siconos. It is read as columns, except in two cases: the indices fit the matrix only
/// as rows, or a column would be empty and no column is empty if p is read as rows.
FclibFile read_fclib(const std::string &path);

/// Writes a whole file (write_durably()): an existing file stays if this fails. Reading it returns
/// every number bit by bit. Matrices are written by compressed columns, a dense W without its
/// zeros. Throws FclibError or std::invalid_argument if sizes or indices do not fit each other, and
/// WriteError if the file cannot be written.
void write_fclib(const std::string &path, const FclibFile &content);

/// Sets or replaces the solution in a file, with the multipliers of equality constraints, and keeps
/// the rest. Throws FclibError or std::invalid_argument if file or sizes do not fit, and WriteError
/// if the file cannot be written.
void write_fclib_solution(const std::string &path, const GlobalConeSolution &solution);

} // namespace percussion
