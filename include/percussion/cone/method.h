#pragma once

#include <percussion/cone/deadline.h>

#include <limits>
#include <string_view>
#include <vector>

namespace percussion {

/// Solution methods; see ConeSolver.
enum class ConeMethod {
  automatic,
  nsgs,
  newton,
  natural_map,
  hybrid,
  proximal,
  interior,
  admm,
  lemke,
  pdas
};

/// Entry of the table of methods.
struct ConeMethodEntry {
  std::string_view name;        ///< as in parameter files and options
  ConeMethod method;            ///< the method of that name
  std::string_view description; ///< for the parameter reference and --help
};

/// Returns the table of methods.
const std::vector<ConeMethodEntry> &cone_methods();

/// Returns the entry of this name, or nullptr.
const ConeMethodEntry *find_cone_method(std::string_view name);

/// Method and stopping criteria of a ConeSolver.
struct ConeOptions {
  ConeMethod method = ConeMethod::automatic; ///< `auto` may combine several methods
  double tolerance = 1e-10;                  ///< for natural_map_residual()
  /// Limit per solve: sweeps, pivots and, except for plain newton and natural-map, Newton
  /// iterations.
  unsigned int max_iterations = 100000;
  unsigned int max_newton_iterations = 50; ///< per run of Newton
  bool line_search = true;                 ///< for natural-map
  bool record = false;                     ///< writes ConeSolution::record
  /// Limit per solve [s]. Results cut off by it depend on the machine.
  double time_limit = std::numeric_limits<double>::infinity();
  Deadline deadline; ///< limit for all solves together, with the same effect
};

} // namespace percussion
