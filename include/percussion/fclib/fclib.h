#pragma once

#include <percussion/cone/problem.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace percussion {

/// Form of a problem with rolling friction in a file, whose contacts have the components p_N, p_T
/// and the moment m, with ‖p_T‖ ≤ μ p_N and ‖m‖ ≤ μ_r p_N (Acary & Bourrier 2021). It is read as a
/// reduced problem of twice as many contacts. The moment of contact i is contact n + i: its
/// tangential rows are ℓ ω with the relative angular velocity ω, their percussions m/ℓ and their
/// coefficient μ_r/ℓ, and u = c p − c p_N in its normal row makes p its normal percussion.
struct RollingForm {
  unsigned int dimension = 3; ///< 2 or 3; contacts of the file have 3 or 5 components
  std::size_t n_contacts = 0; ///< number n of contacts of the file
  double length = 1.;         ///< ℓ, with which rows of both kinds respond alike [length]
  /// Global problem of the file with columns of H for contacts and moments, with ℓ = 1; empty if
  /// the file has a reduced problem.
  GlobalFrictionContactProblem global;
};

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
  double multiplier_unit = 1.;             ///< c
  std::optional<RollingForm> rolling = {}; ///< form of a problem with rolling friction
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
