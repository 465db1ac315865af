#include <percussion/advice/contact_law_watch.h>
#include <percussion/advice/watch.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/processes.h>
#include <percussion/input/mesh_fingerprint.h>
#include <percussion/output/log.h>
#include <percussion/run/run.h>

#include "results.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

template <int dim>
std::string progress_detail(const State<dim> &state, const StepRecord<dim> &record) {
  return format("energy %.6g  balance %+.1e  contacts %zu (%u sliding)", state.energy(),
                record.balance_residual, record.contacts.size(), record.n_sliding);
}

/// Returns a checksum of the numbers and contacts of a state, which every bit of them changes.
template <int dim>
std::uint64_t checksum(const State<dim> &state) {
  NumberSum sum;
  for (const Vector *vector : {&state.q, &state.v, &state.rounding, &state.a}) {
    const std::vector<double> values(vector->begin(), vector->end());
    sum.add(values.data(), values.size());
  }
  for (const double number : {state.time, state.kinetic, state.strain, state.contact_potential})
    sum.add(number);
  for (const ContactMemory<dim> &memory : state.history.memories) {
    sum.add(static_cast<std::uint64_t>(memory.status));
    sum.add(memory.gap);
  }
  return sum.value();
}

std::string different_states(unsigned int step) {
  return format("step %u: the processes have computed different states, because they run on "
                "different processors, with different libraries or with different input: start all "
                "of them on machines of one kind, or a single process",
                step);
}

/// Logs a line for each contact of the case.
void log_contacts(const Summary &s, Log &log) {
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const ContactUse &use = s.statistics.contacts[i];
    log.info("Contact   '" + s.contacts[i] + "' " +
             (use.steps == 0
                  ? "never closed"
                  : format("closed in %u of %u steps; largest normal force %.4g at t = %.6g",
                           use.steps, s.steps, use.normal_max / s.step, use.time)));
  }
}

/// True if sides begin closed without a force.
template <int dim>
bool keeps_overlaps(const Boundary<dim> &boundary) {
  return std::any_of(boundary.pairs.begin(), boundary.pairs.end(), [](const auto &pair) {
    return pair.initial_overlap.treatment == InitialOverlap::Treatment::kept;
  });
}

/// True if there are contacts, and none of them has closed.
bool all_stayed_open(const RunStatistics &statistics, std::size_t n_contacts) {
  return n_contacts > 0 && std::all_of(statistics.contacts.begin(), statistics.contacts.end(),
                                       [](const ContactUse &use) { return use.steps == 0; });
}

/// Returns the kinetic energy that rounding errors of positions give to bodies at rest under their
/// loads.
template <int dim>
double energy_of_round_off(const System<dim> &bodies, const State<dim> &state) {
  constexpr double round_off = 1e-13;
  double size = 0;
  for (const auto &body : bodies.elastic)
    for (const auto &x : body->space.nodes)
      size = std::max(size, x.distance(body->space.nodes.front()));
  for (const auto &body : bodies.rigid)
    for (const auto &x : body.outline)
      size = std::max(size, x.distance(body.centre) + body.largest_radius());
  return round_off * state.force.l1_norm() * size;
}

/// Logs the end of a run; repeats only the warnings added by the run. If the largest energy is at
/// most the negligible one, the bodies are at rest.
void log_end(const Summary &s, double negligible_energy, std::size_t n_known_warnings, Log &log) {
  log.info(format("Energy    %.9g -> %.9g; largest balance residual of a step %.2e",
                  s.initial_energy, s.energy(), s.statistics.balance_residual_max) +
           (s.statistics.energy_max > negligible_energy
                ? format(" (%.1e of the largest energy)",
                         s.statistics.balance_residual_max / s.statistics.energy_max)
                : std::string(" (the bodies are at rest)")));
  log.info(format("Contact   largest normal work %.2e, largest tangential work %.2e of one contact "
                  "in one step",
                  s.statistics.normal_work_max, s.statistics.tangential_work_max));
  log_contacts(s, log);
  for (const DefectPlace &defect : s.defects)
    log.record(format("Law       %s %.2g", defect.entry->description, defect.value) +
               (defect.contact.empty() ? ""
                                       : format(" at t = %.6g: contact '", defect.time) +
                                             defect.contact + "', " + point_in_words(defect)));
  for (std::size_t i = n_known_warnings; i < s.warnings.size(); ++i)
    log.info("Warning   " + s.warnings[i]);
}

void log_problems(const OutputOptions &options, unsigned int n_written, Log &log) {
  if (options.contact_problems.interval > 0 || options.contact_problems.on_failure)
    log.info("Problems  " + std::to_string(n_written) +
             (n_written == 1 ? " contact problem" : " contact problems") + " written" +
             (n_written == 0 ? "" : " to " + options.directory + "/problems"));
}

void log_linear_solver(const ContactSystem &system, const ContactRoute &route, Log &log) {
  if (system.is_iterative())
    log.info(
        std::string("Solver    conjugate gradients") +
        (system.has_single_copy() ? " in mixed precision" : "") +
        (system.fill() > 0 ? format("; a factor would have %.2g entries", system.fill()) : ""));
  if (!route.reason.empty())
    log.info("Solver    " + route.reason);
}

/// Logs the work that processes share; warns if there is none.
template <int dim>
void log_shared_work(const Case<dim> &c, const ContactSystem &system, const ContactRoute &route,
                     Log &log) {
  if (processes::number() == 1)
    return;
  const bool has_elastic_bodies_in_3D = dim == 3 && !c.bodies->elastic.empty();
  const bool has_cells =
      std::any_of(c.bodies->elastic.begin(), c.bodies->elastic.end(),
                  [](const auto &body) { return !body->materials.are_linear(); });
  if (system.divides_solutions())
    log.info(std::string("Processes share ") + (has_cells ? "hyperelastic cells, " : "") +
             "iterations, products" +
             (c.bodies->operators.storage == MatrixStorage::nodes
                  ? " and matrices"
                  : "; each has the whole matrices"));
  else if (route.may_project() && system.partition().is_shared())
    log.info("Processes share the iterations of many contacts; each has the whole factor");
  else if (has_cells && system.is_iterative())
    log.info("Processes share hyperelastic cells; each computes all iterations");
  else
    log.warning(std::string("the processes share ") +
                (has_cells                  ? "only hyperelastic cells"
                 : has_elastic_bodies_in_3D ? "only products with matrices"
                                            : "no work") +
                " in this case, and one process takes about as long: doc/scaling.md lists the work "
                "that they share");
}

/// Logs changes of the substep length: all of them in the file; the first such step of a run also
/// as a warning, unless steps are adaptive and cuts are expected.
void log_changes(unsigned int step, const std::vector<std::string> &changes, bool is_adaptive,
                 CutSteps &cut, Log &log) {
  if (changes.empty())
    return;
  const std::string name = "step " + std::to_string(step) + ": ";
  const bool warns = !is_adaptive && cut.n == 0;
  cut.add(step);
  if (warns && changes.size() == 1)
    return log.warning(name + changes.front());
  if (warns)
    log.warning(name + "cut " + std::to_string(changes.size()) + " times; first " +
                changes.front());
  for (const std::string &change : changes)
    log.record(name + change);
}

/// Logs a line on all steps that were cut, if there are more than the one in the warning.
void log_cut_steps(const CutSteps &cut, bool is_adaptive, Log &log) {
  if (!is_adaptive && cut.n > 1)
    log.info(format("Cut       %u steps were cut into substeps, from step %u to %u; log.txt lists "
                    "each cut with its reason",
                    cut.n, cut.first, cut.last));
}

/// True if the balance of the bodies reads no cells.
template <int dim>
bool are_cells_read(const Case<dim> &c) {
  return c.bodies->operators.storage == MatrixStorage::rows;
}

/// Returns the bodies of a case, after a call of `is_prepared` if their balance reads no cells.
template <int dim>
const System<dim> &prepared_bodies(const Case<dim> &c, const std::function<void()> &is_prepared) {
  if (is_prepared && !are_cells_read(c))
    is_prepared();
  return *c.bodies;
}

} // namespace

template <int dim>
Run<dim>::Run(const Case<dim> &the_case, Log &run_log, Writes writes,
              const Checkpoint<dim> *checkpoint, const std::function<void()> &is_prepared)
    : c(the_case), log(run_log), resumed_from(checkpoint), results(processes::agree([&] {
        return std::make_unique<Results<dim>>(c, writes, resumed_from);
      })),
      watch(std::make_unique<Watch<dim>>(c, results->summary.warnings)),
      meshes(fingerprint(c.meshes)),
      stepper(prepared_bodies(c, is_prepared), *c.boundary, c.choices, c.cone),
      checkpoints(c.output.directory, resumed_from ? resumed_from->file : 1),
      signal_values(c.initial_signals) {
  if (is_prepared && are_cells_read(c))
    is_prepared();
  if (resumed_from)
    for (const auto &[name, value] : resumed_from->signals)
      signal_values[name] = value;
}

template <int dim>
Run<dim>::~Run() = default;

template <int dim>
const std::vector<ContactAccount<dim>> &Run<dim>::accounts() const {
  return results->memory.accounts;
}

template <int dim>
const Summary &Run<dim>::summary() const {
  return results->summary;
}

template <int dim>
std::vector<std::pair<std::string, double>> Run<dim>::probes() const {
  const auto names = results->probes.columns();
  const auto values = results->probes.values(state_);
  std::vector<std::pair<std::string, double>> row;
  for (std::size_t i = 0; i < names.size(); ++i)
    row.emplace_back(names[i], values[i]);
  return row;
}

template <int dim>
void Run<dim>::begin() {
  try {
    processes::agree([&] { place_bodies(); });
    log_linear_solver(stepper.momentum().system(), stepper.momentum().balance().contact_route(),
                      log);
    log_shared_work(c, stepper.momentum().system(), stepper.momentum().balance().contact_route(),
                    log);
    log.start_progress(state_.step, c.span.n_steps);
    last_checkpoint = WallClock::now();
  } catch (const std::exception &error) {
    fail(error);
  }
}

/// Runs of one case share the variables of its formulas.
template <int dim>
void Run<dim>::use_signals() {
  for (const auto &[name, value] : signal_values)
    *c.signals.at(name) = value;
  if (std::exchange(has_new_signals, false))
    stepper.renew_force(state_);
}

template <int dim>
void Run<dim>::set_signal(const std::string &name, double value) {
  const auto signal = signal_values.find(name);
  std::vector<std::string> names;
  for (const auto &[known, current] : signal_values)
    names.push_back(known);
  if (signal == signal_values.end())
    throw InputError(
        "there is no signal '" + name + "'" +
        (names.empty() ? ": name it in the section Signals" : did_you_mean(name, names)));
  if (!std::isfinite(value))
    throw InputError("the signal '" + name + "' must be a finite number");
  has_new_signals = has_new_signals || signal->second != value;
  signal->second = value;
}

template <int dim>
std::shared_ptr<const Checkpoint<dim>> Run<dim>::save() const {
  if (results->are_written())
    throw RunError("a run that writes results cannot return to an earlier step; run it without");
  auto saved = std::make_shared<Checkpoint<dim>>(checkpoint());
  saved->state = state_;
  saved->running = nullptr;
  return saved;
}

template <int dim>
void Run<dim>::restore(std::shared_ptr<const Checkpoint<dim>> saved) {
  if (results->are_written())
    throw RunError("a run that writes results cannot return to an earlier step; run it without");
  returned_to = std::move(saved);
  results = std::make_unique<Results<dim>>(c, Writes::nothing, returned_to.get());
  watch = std::make_unique<Watch<dim>>(c, results->summary.warnings);
  for (const auto &[name, value] : returned_to->signals)
    signal_values[name] = value;
  has_new_signals = false;
  use_signals();
  state_ = returned_to->state;
  stepper.restore(state_, returned_to->memory);
  results->go_on(state_);
  note_state();
  stop_reason.clear();
}

template <int dim>
void Run<dim>::place_bodies() {
  use_signals();
  if (resumed_from != nullptr) {
    state_ = resumed_from->state;
    stepper.restore(state_, resumed_from->memory);
    results->go_on(state_);
    note_state();
    checkpointed_step = state_.step;
    return;
  }
  state_ = c.initial;
  if (c.memory)
    stepper.restore(state_, *c.memory);
  else
    stepper.initialise(state_);
  note_state();
  output_watch.start();
  results->begin(state_, stepper.last());
  output_watch.lap(Phase::output);
}

template <int dim>
const StepRecord<dim> &Run<dim>::step() {
  Assert(!is_finished(), dealii::ExcMessage("the run has taken its last step"));
  try {
    take_step();
    output_watch.start();
    processes::agree([&] { add_step(); }, processes::Calls::local);
    list_instants();
    if (checkpoint_is_due())
      write_checkpoint();
    output_watch.lap(Phase::output);
  } catch (const std::exception &error) {
    fail(error);
  }
  return stepper.last();
}

template <int dim>
void Run<dim>::take_step() {
  use_signals();
  k = state_.step + 1;
  is_advancing = true; // reset when the step has succeeded
  const auto advance = [&] {
    stepper.advance(state_, c.span.start + k * c.choices.h);
    is_advancing = false;
    return processes::number() > 1 ? checksum(state_) : 0;
  };
  processes::agree_on(advance, [this] { return different_states(k); });
}

template <int dim>
void Run<dim>::add_step() {
  const StepRecord<dim> &record = stepper.last();
  log_changes(k, record.changes, c.choices.adaptive, cut_steps, log);
  note_state(); // noted before the results are written, so that a write failure does not write the
                // step again
  if (results->add(state_, record))
    stop_reason = format("Time/Stop when is met after step %u of %u: %s", k, c.span.n_steps,
                         c.stop.text.c_str());
  for (const auto &warning :
       watch->look(state_, record, results->summary, is_finished() || results->is_instant(k))) {
    log.warning(warning);
    results->summary.warnings.push_back(warning);
  }
  if (stepper.posed_problem() != nullptr)
    results->add_problem(k, *stepper.posed_problem());
  if (log.progress_due(k, c.span.n_steps))
    log.progress(k, c.span.n_steps, state_.time, progress_detail(state_, record));
}

/// Lists the instants that all processes have written. Collective.
template <int dim>
void Run<dim>::list_instants() {
  if (!results->has_incomplete_instants())
    return;
  results->collect_instants();
  processes::agree([&] { results->list_instants(); });
}

template <int dim>
Summary Run<dim>::finish() {
  Assert(is_finished(), dealii::ExcMessage("steps are left: stop() ends the run before them"));
  try {
    output_watch.start();
    write_final_results();
    // Separately: end() closes the fields, which processes need in fail().
    processes::agree([&] {
      output_watch.lap(Phase::output);
      if (all_stayed_open(results->summary.statistics, results->summary.contacts.size()) &&
          state_.history.bonds.empty() && !keeps_overlaps(*c.boundary))
        results->summary.warnings.emplace_back(
            "contact: no contact of the case has ever closed; if bodies should have met, look at "
            "the directions of gravity and velocities and at the sides that the contacts name");
      for (const auto &warning : watch->look_back(state_, results->summary))
        results->summary.warnings.push_back(warning);
      end("completed", stop_reason);
      if (results->are_written() && processes::is_first())
        checkpoints.keep_last();
    });
  } catch (const std::exception &error) {
    fail(error);
  }
  if (!stop_reason.empty())
    log.info(format("Stopped   at t = %.9g: %s", state_.time, stop_reason.c_str()));
  log_cut_steps(cut_steps, c.choices.adaptive, log);
  log_end(results->summary, energy_of_round_off(*c.bodies, state_), c.warnings.size(), log);
  log_problems(c.output, results->summary.contact_problems, log);
  return results->summary;
}

/// Writes a checkpoint, then the results that are written only because the run ends, and adds their
/// checksums to the checkpoint.
template <int dim>
void Run<dim>::write_final_results() {
  processes::agree([&] { results->flush(); }, processes::Calls::local);
  list_instants();
  const bool is_written_here = results->are_written() && processes::is_first();
  std::optional<Checkpoint<dim>> final_checkpoint;
  bool has_final_results = false;
  const auto close = [&] {
    results->gather_last(state_);
    if (is_written_here)
      final_checkpoint = checkpoint();
    if (is_written_here && checkpointed_step != state_.step)
      checkpoints.write(*final_checkpoint);
    has_final_results = results->close(state_, stepper.last());
  };
  processes::agree(close, processes::Calls::local);
  list_instants();
  processes::agree([&] {
    if (!is_written_here || !has_final_results)
      return;
    results->sync();
    final_checkpoint->results_at_end = results->file_sums();
    checkpoints.write(*final_checkpoint);
  });
}

template <int dim>
Summary Run<dim>::stop(const std::string &reason) {
  log_cut_steps(cut_steps, c.choices.adaptive, log);
  try {
    output_watch.start();
    if (results->are_written() && checkpointed_step != state_.step)
      write_checkpoint();
    output_watch.lap(Phase::output);
    return processes::agree([&] {
      return end("stopped", "stopped by " + reason + " after step " + std::to_string(state_.step) +
                                " of " + std::to_string(c.span.n_steps));
    });
  } catch (const std::exception &error) {
    fail(error);
  }
}

template <int dim>
bool Run<dim>::checkpoint_is_due() {
  const CheckpointSchedule &schedule = c.output.checkpoints;
  const bool is_step_due = schedule.steps > 0 && state_.step % schedule.steps == 0;
  const bool is_time_due =
      schedule.seconds > 0 &&
      processes::decided_by_first(seconds_since(last_checkpoint) >= schedule.seconds);
  if (is_step_due || is_time_due)
    last_checkpoint = WallClock::now();
  return (is_step_due || is_time_due) && !is_finished() && results->are_written();
}

template <int dim>
Checkpoint<dim> Run<dim>::checkpoint() const {
  Checkpoint<dim> checkpoint;
  checkpoint.name = results->summary.name;
  checkpoint.parameters = c.parameters;
  checkpoint.mesh = meshes;
  checkpoint.signals.assign(signal_values.begin(), signal_values.end());
  results->describe(checkpoint);
  checkpoint.running = &state_;
  checkpoint.memory = stepper.memory();
  checkpoint.times = times();
  checkpoint.wall_time = wall_time();
  return checkpoint;
}

template <int dim>
void Run<dim>::write_checkpoint() {
  processes::agree([&] { results->flush(); }, processes::Calls::local);
  list_instants();
  processes::agree([&] {
    if (processes::is_first())
      checkpoints.write(checkpoint());
  });
  checkpointed_step = state_.step;
}

template <int dim>
void Run<dim>::fail(const std::exception &error) {
  std::string message = error.what();
  if (stepper.failed_with_contacts())
    message += results->add_failed_problem(k, *stepper.posed_problem());
  const auto attempt = [](const auto &save) {
    try {
      save();
    } catch (const std::exception &) { // the first failure is reported
    }
  };
  attempt([&] { add_substeps_of_failed_step(); });
  log_cut_steps(cut_steps, c.choices.adaptive, log);
  attempt([&] { results->flush(); });
  if (processes::all_share_failure())
    results->collect_instants();
  attempt([&] { results->list_instants(); });
  attempt([&] { end("failed", message); });
  log_problems(c.output, results->summary.contact_problems, log);
  if (dynamic_cast<const WriteError *>(&error) != nullptr)
    throw WriteError(message);
  throw RunError(message);
}

template <int dim>
void Run<dim>::add_substeps_of_failed_step() {
  // The results failed, not the step, or other processes have no such results.
  if (!is_advancing || (processes::number() > 1 && !processes::all_share_failure()))
    return;
  log_changes(k, stepper.last().changes, c.choices.adaptive, cut_steps, log);
  if (state_.step == k)
    return static_cast<void>(results->add(state_, stepper.last()));
  // The state within a failed step must not be used.
  std::tie(state_.time, state_.kinetic, state_.strain, state_.contact_potential) = noted;
}

template <int dim>
void Run<dim>::note_state() {
  noted = {state_.time, state_.kinetic, state_.strain, state_.contact_potential};
}

template <int dim>
Summary Run<dim>::end(const std::string &status, const std::string &message) {
  results->end(state_, status, message, times(), wall_time());
  return results->summary;
}

template <int dim>
PhaseTimes Run<dim>::times() const {
  PhaseTimes sum = stepper.times();
  for (std::size_t i = 0; i < n_phases; ++i)
    sum.seconds[i] +=
        output_watch.times.seconds[i] + (resumed_from ? resumed_from->times.seconds[i] : 0.);
  return sum;
}

template <int dim>
double Run<dim>::wall_time() const {
  return seconds_since(start_time) + (resumed_from ? resumed_from->wall_time : 0.);
}

template <int dim>
Summary run_case(const Case<dim> &c, Log &log, const RunControl<dim> &control) {
  Run<dim> run(c, log, Writes::results, control.resumed_from, control.is_prepared);
  run.begin();
  if (control.has_begun)
    control.has_begun();
  while (!run.is_finished()) {
    run.step();
    const std::string reason =
        control.reason_to_stop && !run.is_finished() ? control.reason_to_stop() : "";
    if (!reason.empty())
      return run.stop(reason);
  }
  return run.finish();
}

template class Run<2>;
template class Run<3>;
PERCUSSION_INSTANTIATE(run_case);

} // namespace percussion
