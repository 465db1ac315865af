#pragma once

#include <percussion/output/log.h>
#include <percussion/run/case.h>

#include <cstddef>

namespace percussion {

/// What a run will take, extrapolated from a few of its steps.
struct Estimate {
  unsigned int n_steps = 0;    ///< number of steps taken from the beginning
  unsigned int n_instants = 0; ///< number of later instants at which steps were timed
  double wall_time = 0;        ///< of the whole run without its output, by the first steps [s]
  double later_wall_time = 0;  ///< the same by steps at later instants; 0: none were timed [s]
  std::size_t memory = 0;      ///< largest so far of this process [bytes]
  std::string failure;         ///< why the next step failed; else empty
};

/// Takes up to 20 steps, or as many as two seconds allow, on a copy of the initial state, and as
/// long again some at later instants of a run of 200 steps or more. Writes nothing.
template <int dim>
Estimate estimate_run(const Case<dim> &c);

/// Size of the results within a factor of two [bytes].
template <int dim>
double expected_size(const Case<dim> &c);

/// Log the estimates.
template <int dim>
void log_estimate(const Case<dim> &c, Log &log);

} // namespace percussion
