#pragma once

#include <percussion/cone/problem.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace percussion {

/// A file of the Frictional Contact Library (FCLib 3, HDF5): a problem, and what is known of it.
struct FclibFile {
  std::variant<FrictionContactProblem, GlobalFrictionContactProblem> problem;
  std::string title, description, math_info;
  std::optional<GlobalConeSolution> solution; ///< v is empty for reduced problems
  std::vector<GlobalConeSolution> guesses;
};

/// What is wrong with a file: its name, the group or dataset, what was found, what is needed.
struct FclibError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws FclibError for everything that is not a complete, consistent problem.
FclibFile read_fclib(const std::string &path);

/// Writes a file anew: under a temporary name, then renamed. Throws FclibError.
void write_fclib(const std::string &path, const FclibFile &file);

/// Put a solution into a file that holds a problem, replacing the one that is there.
void write_fclib_solution(const std::string &path, const GlobalConeSolution &solution);

} // namespace percussion
