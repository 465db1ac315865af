#pragma once

#include <percussion/dynamics/step.h>
#include <percussion/output/summary.h>
#include <percussion/run/results_folder.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace percussion {

template <int dim>
class Results;
template <int dim>
class Watch;

enum class Writes { results, nothing };

/// Steps that were cut into parts since a run began or was resumed.
struct CutSteps {
  unsigned int n = 0, first = 0, last = 0;

  void add(unsigned int step) {
    first = n == 0 ? step : first;
    last = step;
    ++n;
  }
};

/// A run, step by step:
///
///   Run<2> run(c, log);
///   run.begin();
///   while (!run.is_finished())
///     run.step();
///   run.finish();   // or, at any time, run.stop("why")
///
/// A call that fails throws RunError, WriteError if a result cannot be written; the run is then
/// over, and what was written stays complete and readable.
template <int dim>
class Run {
public:
  /// `from`: a checkpoint to resume from, in a prepared ResultsFolder. Keep it and the case alive.
  Run(const Case<dim> &c, Log &log, Writes writes = Writes::results,
      const Checkpoint<dim> *from = nullptr);
  ~Run();
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  /// Place the bodies and write the first instant, or restore those of the checkpoint.
  void begin();

  /// Take the next step of the case's span, and write what is due after it, checkpoints included.
  const StepRecord<dim> &step();

  /// Whether the last step is taken, or the stop criterion met.
  bool is_finished() const { return state_.step >= c.span.n_steps || !met.empty(); }

  /// End a finished run: all results are on the disk, and there is nothing to resume.
  Summary finish();

  /// End a run early, with a checkpoint. `reason`: "Ctrl-C".
  Summary stop(const std::string &reason);

  /// Where the bodies are. Its arrays keep their places in memory from begin() on.
  const State<dim> &state() const { return state_; }
  /// What the last step did.
  const StepRecord<dim> &last() const { return stepper.last(); }
  /// Works and defects of each contact so far, by ascending keys.
  const std::vector<ContactAccount<dim>> &accounts() const;
  /// Sums and extremes of the run so far.
  const Summary &summary() const;
  /// The columns of the probes, and what a row of them would hold now.
  std::vector<std::pair<std::string, double>> probes() const;

private:
  void take_step();
  Checkpoint<dim> checkpoint() const;
  void write_checkpoint();
  bool checkpoint_is_due();
  [[noreturn]] void fail(const std::exception &error);
  void add_parts_of_failed_step();
  void note_state();
  Summary end(const std::string &status, const std::string &message);
  PhaseTimes times() const;
  double wall_time() const;

  using Clock = std::chrono::steady_clock;
  const Case<dim> &c;
  Log &log;
  const Checkpoint<dim> *from;
  std::unique_ptr<Results<dim>> results;
  std::unique_ptr<Watch<dim>> watch;
  Step<dim> stepper;
  State<dim> state_;
  CheckpointFiles checkpoints;
  Stopwatch output_watch;
  CutSteps cut_steps;
  Clock::time_point begun = Clock::now(), last_checkpoint = begun;
  std::optional<unsigned int> checkpointed_step;
  bool is_advancing = false;
  std::string met;    ///< the stop criterion, in words
  unsigned int k = 0; ///< the step that is being taken
  double noted_time = 0, noted_kinetic = 0, noted_strain = 0,
         noted_potential = 0; ///< of the last whole step
};

template <int dim>
struct RunControl {
  const Checkpoint<dim> *from = nullptr; ///< to resume from
  /// Asked after each step: why to stop ("Ctrl-C"), or nothing.
  std::function<std::string()> reason_to_stop;
};

/// Run a case in its prepared ResultsFolder to the end, or until it is asked to stop.
template <int dim>
Summary run_case(const Case<dim> &c, Log &log, const RunControl<dim> &control = {});

} // namespace percussion
