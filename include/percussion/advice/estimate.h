#pragma once

#include <percussion/case/case.h>
#include <percussion/output/log.h>

#include <cstddef>

namespace percussion {

/// Time and memory of a run, extrapolated from a few of its steps.
struct Estimate {
  unsigned int n_steps = 0;    ///< number of steps taken from the beginning
  unsigned int n_instants = 0; ///< number of later instants at which steps were timed
  double wall_time = 0; ///< time of the whole run without its output, from the first steps [s]
  double later_wall_time =
      0; ///< time of the whole run from steps at later instants; 0: none were timed [s]
  /// True if steps were timed at instants over the whole run: its later time is then the estimate.
  /// The first steps of a stack take longer, because its contacts close one after the other.
  bool follows_run = false;
  std::size_t memory = 0; ///< peak memory of this process so far [bytes]
  std::string failure;    ///< message of the step that failed; else empty
};

/// Returns the estimated time and memory of a run. Takes up to 20 steps from a copy of the initial
/// state, for at most two seconds. If the run has contact points and at least 200 steps, times
/// steps at up to 8 later instants, too, for two more seconds. Ends if the contacts have taken
/// `contact_seconds` of processor time: a step may be cut hundreds of times. Writes no file.
template <int dim>
Estimate estimate_run(const Case<dim> &c, unsigned int contact_seconds = 10);

/// Returns the size of the results within a factor of two [bytes].
template <int dim>
double expected_size(const Case<dim> &c);

/// Logs the expected size of the results and the estimated time and memory of the run.
template <int dim>
void log_estimate(const Case<dim> &c, Log &log);

} // namespace percussion
