#pragma once

#include <percussion/cone/problem.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace percussion {

/**
 * A file of the Frictional Contact Library (FCLib 3, HDF5): a problem, and what is known of it.
 * FCLib's r is p here; the f and w of its global problems are q and b. It knows no units: those of
 * problem.h are taken for granted. It keeps of a solution v, u and p, of a problem no version.
 */
struct FclibFile {
  std::variant<FrictionContactProblem, GlobalFrictionContactProblem> problem;
  std::string title, description, math_info;  ///< empty where there is none
  std::optional<GlobalConeSolution> solution; ///< v is empty for reduced problems
  std::vector<GlobalConeSolution> guesses;    ///< what solvers may start from
};

/// What is wrong with a file: its name, the group or dataset, what was found, what is needed.
struct FclibError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/**
 * Throws FclibError for everything that is not a complete, consistent problem without equality
 * constraints. Numbers are read as they are, infinite ones and NaN too: solvers refuse them.
 *
 * W is dense unless there are more than 50 contacts and the blocks of a contact against a contact
 * that the file has entries of make less than a third of it. Matrices may come by compressed rows,
 * compressed columns or triplets, in any order; entries at the same place are added.
 *
 * FCLib's documentation keeps the rows of triplets in p, but Siconos writes the columns there: they
 * are taken for columns where they cannot be rows, or leave a column empty that otherwise is not.
 */
FclibFile read_fclib(const std::string &path);

/**
 * Writes a file anew: under a temporary name beside it, then renamed; on failure nothing is left
 * and FclibError thrown. Reading the file gives every number back bit by bit. Matrices are written
 * by compressed columns, a dense W without its zeros.
 *
 * Every solution must have the lengths of the problem: v of a global one, none of a reduced one.
 * FCLib keeps no solution of a problem without contacts: there must be none then.
 */
void write_fclib(const std::string &path, const FclibFile &file);

/// Put a solution into a file that holds a problem, replacing the one that is there and keeping all
/// else, by a temporary file as above. Throws FclibError.
void write_fclib_solution(const std::string &path, const GlobalConeSolution &solution);

} // namespace percussion
