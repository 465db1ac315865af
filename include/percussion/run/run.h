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

/// Whether a run writes its results into the case's folder, which must be ready, or nothing at all.
enum class Writes { results, nothing };

/// A run that is taken step by step:
///
///   Run<2> run(c, log);
///   run.begin();
///   while (!run.is_finished())
///     run.step();
///   run.finish();   // or, at any time, run.stop("why")
///
/// Results are those of run_case(), byte for byte. A call that fails throws RunError, WriteError
/// where a result cannot be written: what was written before stays complete and readable, and the
/// run is over.
template <int dim>
class Run {
public:
  /// `from`: a checkpoint to go on from, in a folder that was cut back to it. Both and the case
  /// must live as long as the run.
  Run(const Case<dim> &c, Log &log, Writes writes = Writes::results,
      const Checkpoint<dim> *from = nullptr);
  ~Run();
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  /// Place the bodies and write the first instant, or restore those of the checkpoint.
  void begin();

  /// Take the next step of the case's span, and write what is due after it, checkpoints included.
  const StepRecord<dim> &step();

  /// Whether all steps of the case's span have been taken.
  bool is_finished() const { return state_.step >= c.span.n_steps; }

  /// End a run that is finished: all results are on the disk, and there is nothing to resume.
  Summary finish();

  /// End a run before its last step, with a checkpoint to go on from. `reason`: "Ctrl-C".
  Summary stop(const std::string &reason);

  /// Where the bodies are. Its arrays keep their places in memory from begin() on.
  const State<dim> &state() const { return state_; }
  /// What the last step did, with arrays that keep their places, too.
  const StepRecord<dim> &last() const { return stepper.last(); }
  /// Sums and extremes of the run so far.
  const Summary &summary() const;

private:
  void take_step();
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
  Step<dim> stepper;
  State<dim> state_;
  CheckpointFiles checkpoints;
  Stopwatch output_watch;
  Clock::time_point begun = Clock::now(), last_checkpoint = begun;
  std::optional<unsigned int> checkpointed_step;
  bool is_advancing = false;
  unsigned int k = 0;                                         ///< the step that is being taken
  double noted_time = 0, noted_kinetic = 0, noted_strain = 0; ///< of the last whole step
};

/// How a run is begun and ended from outside.
template <int dim>
struct RunControl {
  const Checkpoint<dim> *from = nullptr; ///< go on from it, in a folder that was cut back to it
  /// Asked after each step: why to stop ("Ctrl-C"), or nothing.
  std::function<std::string()> reason_to_stop;
};

/// Run a case to its end, or until it is asked to stop, and write its results; returns what
/// summary.json says. The folder must exist. Throws RunError; what was written before stays
/// complete and readable.
template <int dim>
Summary run_case(const Case<dim> &c, Log &log, const RunControl<dim> &control = {});

} // namespace percussion
