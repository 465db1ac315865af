#pragma once

#include <limits>
#include <string_view>
#include <vector>

namespace percussion {

/// The methods; ConeSolver says what each does.
enum class ConeMethod { automatic, nsgs, newton, natural_map, hybrid, proximal, admm, lemke, pdas };

/// A row of the table of methods.
struct ConeMethodEntry {
  std::string_view name;        ///< as users write it
  ConeMethod method;            ///< what it stands for
  std::string_view description; ///< for the reference of parameters and --help
};

/// The methods by name, as users write them.
const std::vector<ConeMethodEntry> &cone_methods();

/// The row of that name, or nullptr.
const ConeMethodEntry *find_cone_method(std::string_view name);

/// How a ConeSolver works and when it ends.
struct ConeOptions {
  ConeMethod method = ConeMethod::automatic; ///< that begins; only `auto` goes on with others
  double tolerance = 1e-10;                  ///< of natural_map_residual()
  /// Sweeps, pivots and, but for plain newton and natural-map, Newton iterations of one solve.
  unsigned int max_iterations = 100000;
  unsigned int max_newton_iterations = 50; ///< of one start of Newton
  bool line_search = true;                 ///< of natural-map
  /// Of one solve [s]. A result that it cuts off depends on the machine.
  double time_limit = std::numeric_limits<double>::infinity();
};

} // namespace percussion
