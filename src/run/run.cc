#include <percussion/dynamics/step.h>
#include <percussion/io/error.h>
#include <percussion/io/mesh_fingerprint.h>
#include <percussion/output/durable_file.h>
#include <percussion/run/run.h>
#include <percussion/version.h>

#include "results.h"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

namespace percussion {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <int dim>
std::string progress_detail(const State<dim> &state, const StepRecord<dim> &record) {
  char text[128];
  std::snprintf(text, sizeof text, "energy %.6g  balance %+.1e  contacts %zu (%u sliding)",
                state.energy(), record.balance_residual, record.active.size(), record.n_sliding);
  return text;
}

void log_end(const Summary &s, Log &log) {
  char text[256];
  std::snprintf(text, sizeof text,
                "Energy    %.9g -> %.9g; largest balance residual of a step %.2e (%.1e of the "
                "largest energy)",
                s.initial_energy, s.kinetic + s.strain, s.statistics.balance_residual_max,
                s.statistics.balance_residual_max / std::max(s.statistics.energy_max, 1e-300));
  log.info(text);
  std::snprintf(text, sizeof text,
                "Contact   largest normal work %.2e, largest tangential work %.2e of one contact "
                "in one step",
                s.statistics.normal_work_max, s.statistics.tangential_work_max);
  log.info(text);
}

void tell_problems(const OutputOptions &options, unsigned int n_written, Log &log) {
  if (options.contact_problems.interval > 0 || options.contact_problems.on_failure)
    log.info("Problems  " + std::to_string(n_written) +
             (n_written == 1 ? " contact problem" : " contact problems") + " written" +
             (n_written == 0 ? "" : " to " + options.directory + "/problems"));
}

/// One line of a step that was cut, and all changes of the length of its parts in the log file.
/// Adaptive steps are cut as a matter of course: only the file tells of them.
void tell_changes(unsigned int step, const std::vector<std::string> &changes, bool is_adaptive,
                  Log &log) {
  if (changes.empty())
    return;
  const std::string name = "step " + std::to_string(step) + ": ";
  if (!is_adaptive && changes.size() == 1)
    return log.warning(name + changes.front());
  if (!is_adaptive)
    log.warning(name + "cut " + std::to_string(changes.size()) + " times; first " +
                changes.front());
  for (const std::string &change : changes)
    log.record(name + change);
}

/// Tells when a checkpoint is due.
class CheckpointClock {
public:
  explicit CheckpointClock(const CheckpointSchedule &s) : schedule(s) {}

  bool is_due(unsigned int step) {
    const bool by_steps = schedule.steps > 0 && step % schedule.steps == 0;
    const bool by_time = schedule.seconds > 0 && seconds_since(last) >= schedule.seconds;
    if (by_steps || by_time)
      last = Clock::now();
    return by_steps || by_time;
  }

private:
  CheckpointSchedule schedule;
  Clock::time_point last = Clock::now();
};

/// A run while it goes on.
template <int dim>
class Run {
public:
  Run(const Case<dim> &of_case, Log &run_log, const RunControl<dim> &run_control)
      : c(of_case), log(run_log), control(run_control), results(c, control.from),
        step(*c.bodies, *c.contacts, c.choices, c.cone),
        checkpoints(c.output.directory, control.from ? control.from->file : 1) {}

  Summary operator()() {
    try {
      start();
      take_steps();
      results.sync();
      output_watch.lap(Phase::output);
    } catch (const std::exception &error) {
      fail(error.what());
    }
    if (!reason.empty())
      return stop();
    finish("completed", "");
    sync_folder(c.output.directory); // before what could go on instead is gone
    checkpoints.remove();
    log_end(results.summary, log);
    tell_problems(c.output, results.summary.contact_problems, log);
    return results.summary;
  }

private:
  void start() {
    if (control.from != nullptr) {
      state = control.from->state;
      step.restore(state, control.from->memory);
      note_state();
    } else {
      state = c.initial;
      step.initialise(state);
      note_state();
      output_watch.start();
      results.begin(state, step.last());
      output_watch.lap(Phase::output);
    }
    log.start_progress(state.step, c.span.n_steps);
  }

  void take_steps() {
    CheckpointClock clock(c.output.checkpoints);
    for (k = state.step + 1; k <= c.span.n_steps && reason.empty(); ++k) {
      is_advancing = true; // until it has succeeded
      const auto &record = step.advance(state, c.span.start + k * c.choices.h);
      is_advancing = false;
      output_watch.start();
      tell_changes(k, record.changes, c.choices.adaptive, log);
      note_state(); // before it is written: what fails then is not to be written twice
      results.add(state, record);
      results.add_problem(k, step.posed());
      if (log.progress_due(k, c.span.n_steps))
        log.progress(k, c.span.n_steps, state.time, progress_detail(state, record));
      if (k < c.span.n_steps && control.reason_to_stop)
        reason = control.reason_to_stop();
      if ((clock.is_due(k) && k < c.span.n_steps) || !reason.empty())
        write_checkpoint();
      output_watch.lap(Phase::output);
    }
    output_watch.start();
  }

  void write_checkpoint() {
    Checkpoint<dim> checkpoint;
    checkpoint.version = PERCUSSION_VERSION;
    checkpoint.name = results.summary.name;
    checkpoint.parameters = c.parameters;
    checkpoint.mesh = c.mesh ? fingerprint(*c.mesh) : "";
    results.describe(checkpoint);
    checkpoint.state = state;
    checkpoint.memory = step.memory();
    checkpoint.times = times();
    checkpoint.wall_time = wall_time();
    checkpoints.write(checkpoint);
  }

  Summary stop() {
    const std::string message = "stopped by " + reason + " after step " +
                                std::to_string(state.step) + " of " +
                                std::to_string(c.span.n_steps);
    finish("stopped", message);
    return results.summary;
  }

  [[noreturn]] void fail(std::string message) {
    if (step.failed_with_contacts())
      message += results.add_failed_problem(k, step.posed());
    // The first failure is the one to report; a full disk makes more of them.
    for (const std::function<void()> &save :
         {std::function<void()>([&] { add_parts_of_failed_step(); }),
          std::function<void()>([&] { results.sync(); }),
          std::function<void()>([&] { finish("failed", message); })})
      try {
        save();
      } catch (const std::exception &) {
      }
    tell_problems(c.output, results.summary.contact_problems, log);
    throw RunError(message);
  }

  void add_parts_of_failed_step() {
    if (!is_advancing)
      return; // it was its results that failed
    tell_changes(k, step.last().changes, c.choices.adaptive, log);
    if (!std::isfinite(state.energy())) { // nothing of it is fit to be read
      state.time = noted_time;
      state.kinetic = noted_kinetic;
      state.strain = noted_strain;
    } else if (state.time > noted_time)
      results.add(state, step.last());
  }

  void note_state() {
    noted_time = state.time;
    noted_kinetic = state.kinetic;
    noted_strain = state.strain;
  }

  void finish(const std::string &status, const std::string &message) {
    results.end(state, status, message, times(), wall_time());
  }

  PhaseTimes times() const {
    PhaseTimes sum = step.times();
    for (std::size_t i = 0; i < n_phases; ++i)
      sum.seconds[i] += output_watch.times.seconds[i] +
                        (control.from != nullptr ? control.from->times.seconds[i] : 0.);
    return sum;
  }

  double wall_time() const {
    return seconds_since(begin) + (control.from != nullptr ? control.from->wall_time : 0.);
  }

  const Case<dim> &c;
  Log &log;
  const RunControl<dim> &control;
  Results<dim> results;
  Step<dim> step;
  State<dim> state;
  CheckpointFiles checkpoints;
  Stopwatch output_watch;
  Clock::time_point begin = Clock::now();
  std::string reason; ///< to stop
  bool is_advancing = false;
  unsigned int k = 0;                                         ///< the step that is being taken
  double noted_time = 0, noted_kinetic = 0, noted_strain = 0; ///< of the last whole step
};

} // namespace

template <int dim>
Summary run_case(const Case<dim> &c, Log &log, const RunControl<dim> &control) {
  return Run<dim>(c, log, control)();
}

template Summary run_case(const Case<2> &, Log &, const RunControl<2> &);

} // namespace percussion
