#pragma once

#include <percussion/base/expression.h>
#include <percussion/output/checkpoint.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Criterion that ends a run before its last step.
struct StopWhen {
  enum class Kind { never, at_rest, separated, formula };
  Kind kind = Kind::never;
  std::string text; ///< text of the criterion in the parameter file
  std::shared_ptr<const Expression>
      formula; ///< formula of stop_variables() and the columns of probes

  explicit operator bool() const { return kind != Kind::never; }
};

/// Returns the names that formulas may use in addition to the columns of probes.
const std::vector<std::string> &stop_variables();

/// True if the criterion is met after a step. At rest: the kinetic energy has been below 1e-8 of
/// its largest value for a tenth of the time since `start`. Separated: no contact carries, and none
/// has for a time at least as long as the time span in which contacts carried. A formula: its value
/// is not zero. `probes` are the current values of the probes.
template <int dim>
bool is_met(const StopWhen &stop, double start, const State<dim> &state,
            const StepRecord<dim> &record, const std::vector<double> &probes, StopMemory &memory);

} // namespace percussion
