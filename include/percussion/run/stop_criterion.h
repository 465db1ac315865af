#pragma once

#include <percussion/base/expression.h>
#include <percussion/output/checkpoint.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// What ends a run before its last step.
struct StopWhen {
  enum class Kind { never, at_rest, separated, formula };
  Kind kind = Kind::never;
  std::string text;                          ///< as in the file
  std::shared_ptr<const Expression> formula; ///< of stop_variables(), then the columns of probes

  explicit operator bool() const { return kind != Kind::never; }
};

/// Names that formulas may speak of besides the columns of probes.
const std::vector<std::string> &stop_variables();

/// Whether the criterion is met after a step. At rest: the kinetic energy has been below 1e-8 of
/// its largest value for a tenth of the time since `start`. Separated: contacts have carried, and
/// for as long a time none has any more. A formula: it is not zero. `probes` are the values of the
/// probes now.
template <int dim>
bool is_met(const StopWhen &stop, double start, const State<dim> &state,
            const StepRecord<dim> &record, const std::vector<double> &probes, StopMemory &memory);

} // namespace percussion
