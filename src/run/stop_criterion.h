#pragma once

#include <percussion/case/case.h>
#include <percussion/output/checkpoint.h>

namespace percussion {

/// True if the criterion is met after a step. At rest: the kinetic energy has been below 1e-8 of
/// its largest value for a tenth of the time since `start`. Separated: no contact carries, and none
/// has for a time at least as long as the time span in which contacts carried. A formula: its value
/// is not zero. `probes` are the current values of the probes.
template <int dim>
bool is_met(const StopWhen &stop, double start, const State<dim> &state,
            const StepRecord<dim> &record, const std::vector<double> &probes, StopMemory &memory);

} // namespace percussion
