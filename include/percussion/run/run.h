#pragma once

#include <percussion/base/wall_time.h>
#include <percussion/case/case.h>
#include <percussion/dynamics/step.h>
#include <percussion/output/checkpoint.h>
#include <percussion/output/summary.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace percussion {

template <int dim>
class Results;
template <int dim>
class Watch;

enum class Writes { results, nothing };

/// Steps that were cut into substeps since the run began or was resumed.
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
/// A call that fails throws RunError, or WriteError if a result cannot be written. The run is then
/// over; the files written before the failure stay complete and readable.
template <int dim>
class Run {
public:
  /// Prepares a run. `resumed_from`: a checkpoint to resume from, in a prepared ResultsFolder. The
  /// case and the checkpoint must outlive the run. `is_prepared` is called when the run reads no
  /// cells of deal.II any more: before the matrices of linear bodies are made, to keep the peak of
  /// the memory low.
  Run(const Case<dim> &c, Log &log, Writes writes = Writes::results,
      const Checkpoint<dim> *resumed_from = nullptr, const std::function<void()> &is_prepared = {});
  ~Run();
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  /// Places the bodies and writes the first instant, or restores the state of the checkpoint.
  void begin();

  /// Takes the next step of the case's time span, and writes the results due after it, checkpoints
  /// included.
  const StepRecord<dim> &step();

  /// True after the last step, or if the stop criterion is met.
  bool is_finished() const { return state_.step >= c.span.n_steps || !stop_reason.empty(); }

  /// Gives a signal of the formulas another value from here on: loads of the next step have it from
  /// its beginning. Throws InputError if there is no such signal, or if the value is not finite.
  void set_signal(const std::string &name, double value);
  /// Returns the values of all signals.
  const std::map<std::string, double> &signals() const { return signal_values; }

  /// Returns all that a run which writes nothing needs to return to this step. Throws RunError if
  /// it writes results.
  std::shared_ptr<const Checkpoint<dim>> save() const;
  /// Returns to a saved step of this run.
  void restore(std::shared_ptr<const Checkpoint<dim>> saved);

  /// Ends a finished run: all results are on the disk, and no step is left to resume.
  Summary finish();

  /// Ends a run early, with a checkpoint. `reason`: "Ctrl-C".
  Summary stop(const std::string &reason);

  /// Returns the state of the bodies. Its arrays keep their addresses in memory from begin() on.
  const State<dim> &state() const { return state_; }
  /// Returns the record of the last step.
  const StepRecord<dim> &last() const { return stepper.last(); }
  /// Returns the step of the run, for the rows of its contacts.
  const Step<dim> &step_of_run() const { return stepper; }
  /// Returns the works and defects of each contact so far, by ascending keys.
  const std::vector<ContactAccount<dim>> &accounts() const;
  /// Returns the sums and extremes of the run so far.
  const Summary &summary() const;
  /// Returns the columns of the probes with their current values.
  std::vector<std::pair<std::string, double>> probes() const;

private:
  void place_bodies();
  void use_signals();
  void take_step();
  void add_step();
  Checkpoint<dim> checkpoint() const;
  void list_instants();
  void write_final_results();
  void write_checkpoint();
  bool checkpoint_is_due();
  [[noreturn]] void fail(const std::exception &error);
  void add_substeps_of_failed_step();
  void note_state();
  Summary end(const std::string &status, const std::string &message);
  PhaseTimes times() const;
  double wall_time() const;

  const Case<dim> &c;
  Log &log;
  const Checkpoint<dim> *resumed_from;
  std::unique_ptr<Results<dim>> results;
  std::unique_ptr<Watch<dim>> watch;
  const std::string meshes; ///< fingerprint of the meshes
  Step<dim> stepper;
  State<dim> state_;
  CheckpointFiles checkpoints;
  Stopwatch output_watch;
  CutSteps cut_steps;
  std::map<std::string, double> signal_values;
  bool has_new_signals = false;
  std::shared_ptr<const Checkpoint<dim>> returned_to; ///< the step restored last
  WallClock::time_point start_time = WallClock::now(), last_checkpoint = start_time;
  std::optional<unsigned int> checkpointed_step;
  bool is_advancing = false;
  std::string stop_reason; ///< description of the stop criterion once it is met
  unsigned int k = 0;      ///< number of the current step
  std::tuple<double, double, double, double>
      noted; ///< time and energies after the last complete step
};

template <int dim>
struct RunControl {
  const Checkpoint<dim> *resumed_from = nullptr; ///< checkpoint to resume from
  std::function<void()> is_prepared; ///< called when the run reads no cells of deal.II any more
  std::function<void()> has_begun;   ///< called when it does not read the initial state any more
  /// Returns the reason to stop ("Ctrl-C"), or an empty text. Called after each step.
  std::function<std::string()> reason_to_stop;
};

/// Runs a case in its prepared ResultsFolder to the end, or until a stop is requested.
template <int dim>
Summary run_case(const Case<dim> &c, Log &log, const RunControl<dim> &control = {});

} // namespace percussion
