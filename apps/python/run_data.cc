#include "run_data.h"

#include <percussion/advice/memory.h>
#include <percussion/base/error.h>
#include <percussion/base/instantiate.h>
#include <percussion/case/reference.h>
#include <percussion/output/vtu_output.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace percussion::python {
namespace {

/// Returns true if q and v of the initial state differ from the parameters. Throws InputError if no
/// run can start with them.
template <int dim>
bool set_by_hand(const CaseData<dim> &data) {
  const Case<dim> &c = data.c;
  const Vector &q = c.initial.q, &v = c.initial.v;
  constexpr double largest = 1e100; // also of coordinates of a mesh: their squares are finite
  for (const Vector *const values : {&q, &v})
    for (const double value : *values)
      if (!(std::abs(value) <= largest)) { // true for NaN
        std::ostringstream message;
        message << "the initial state set by hand has the "
                << (values == &q ? "displacement " : "velocity ") << value << ", which is "
                << (std::isfinite(value) ? "too large to compute with" : "not finite")
                << ": allowed are magnitudes up to " << largest << "; choose other units";
        throw InputError(message.str());
      }
  if (!c.bodies->motion.agree(q, data.built_q) || !c.bodies->motion.agree(v, data.built_v))
    throw InputError("the initial state set by hand differs from the prescribed motion: keep the "
                     "prescribed displacements and velocities");
  return !std::equal(q.begin(), q.end(), data.built_q.begin()) ||
         !std::equal(v.begin(), v.end(), data.built_v.begin());
}

} // namespace

void Ledger::add(const LedgerRow &row) {
  const std::size_t n_columns = ledger_columns().size();
  if (cells->size() + n_columns > cells->capacity()) { // owners of the old cells keep them alive
    auto larger = std::make_shared<std::vector<double>>();
    larger->reserve(std::max(1024 * n_columns, 2 * cells->size()));
    larger->assign(cells->begin(), cells->end());
    cells = std::move(larger);
  }
  for (const LedgerColumn &column : ledger_columns()) {
    double cell = column.value(row);
    if (column.is_count) {
      const auto count = static_cast<std::uint32_t>(cell);
      std::memcpy(&cell, &count, sizeof count);
    }
    cells->push_back(cell);
  }
}

void Ledger::cut(std::size_t n) {
  auto kept = std::make_shared<std::vector<double>>();
  kept->assign(cells->begin(),
               cells->begin() + static_cast<std::ptrdiff_t>(n * ledger_columns().size()));
  cells = std::move(kept);
}

template <int dim>
template <typename Call>
auto RunData<dim>::recorded(const Call &call) {
  try {
    return call();
  } catch (const std::exception &error) {
    ended = "failed";
    log.record(std::string("Failed: ") + error.what());
    if (folder)
      folder->release();
    throw;
  }
}

template <int dim>
RunData<dim>::RunData(CasePointer<dim> pointer, const RunChoices &c)
    : case_data(std::move(pointer)), choices(c), log(!choices.verbose) {
  const Case<dim> &described = case_data->c;
  if (choices.resume && !choices.write)
    throw InputError("resume needs write: a run continues in the folder of its results");
  const bool is_manual = set_by_hand(*case_data);
  if (is_manual && described.memory)
    throw InputError(
        "the initial state comes from another run (Initial state/From): it cannot be set by hand");
  if (choices.write) {
    folder.emplace(described, case_data->parameters, choices.resume);
    if (folder->is_complete())
      throw RunError("the run in " + described.output.directory +
                     " is complete: there is nothing to resume");
  }
  log_case(described, case_data->file.name(), log);
  require_memory(described, available_memory(), log);
  if (folder)
    folder->prepare(effective_parameters(case_data->file, true), log);
  if (is_manual)
    log.warning("the initial state was set by hand: the parameters alone do not describe this run");
  const Checkpoint<dim> *const resumed_from = folder ? folder->checkpoint() : nullptr;
  recorded([&] {
    run = std::make_shared<Run<dim>>(
        described, log, choices.write ? Writes::results : Writes::nothing, resumed_from);
    run->begin();
  });
  if (resumed_from == nullptr)
    add_row();
}

template <int dim>
std::string RunData<dim>::end_reason() const {
  if (is_over())
    return "the run has " + ended;
  return run->is_finished() ? "the run has taken its last step: finish() it" : "";
}

template <int dim>
void RunData<dim>::expect_steps_left() const {
  if (const std::string reason = end_reason(); !reason.empty())
    throw RunError(reason);
}

template <int dim>
StepReport<dim> RunData<dim>::step() {
  expect_steps_left();
  recorded([&] { run->step(); });
  add_row();
  const State<dim> &state = run->state();
  StepReport<dim> report{run->last(),
                         {},
                         state.step,
                         state.time,
                         state.kinetic,
                         state.strain,
                         state.contact_potential};
  report.extremes.add(run->last());
  report.contacts = {};
  return report;
}

template <int dim>
void RunData<dim>::connect(const std::string &signal, py::function value_of_run) {
  run->set_signal(signal, run->signals().count(signal) > 0 ? run->signals().at(signal) : 0.);
  connected[signal] = std::move(value_of_run);
}

template <int dim>
void RunData<dim>::evaluate_connected(const py::object &self) {
  const auto current = connected; // a function may connect others
  for (const auto &[signal, value_of_run] : current)
    run->set_signal(signal, value_of_run(self).template cast<double>());
}

template <int dim>
SavedStep<dim> RunData<dim>::save() const {
  return {run, run->save(), ledger.n_rows()};
}

template <int dim>
void RunData<dim>::restore(const SavedStep<dim> &saved) {
  if (is_over())
    throw RunError("the run has " + ended);
  if (saved.run.lock() != run)
    throw InputError("this step was saved by another run");
  recorded([&] { run->restore(saved.checkpoint); });
  ledger.cut(saved.n_rows);
}

template <int dim>
void RunData<dim>::add_row() {
  RowExtremes extremes;
  extremes.add(run->last());
  const Summary &summary = run->summary();
  ledger.add(
      ledger_row(run->state(), extremes, summary.works, summary.statistics.percussion_normal));
}

template <int dim>
Summary RunData<dim>::finish() {
  if (is_over())
    throw RunError(end_reason());
  if (!run->is_finished())
    throw RunError("steps are left: stop() ends a run before its last step");
  const Summary result = recorded([&] { return run->finish(); });
  ended = "finished";
  if (folder) {
    log.info("Results   " + case_data->c.output.directory +
             "  (ParaView: " + series_files(case_data->c.output.fields.format) + ")");
    folder->release();
  }
  return result;
}

template <int dim>
Summary RunData<dim>::stop(const std::string &reason) {
  expect_steps_left();
  const Summary result = recorded([&] { return run->stop(reason); });
  ended = "been stopped";
  log.info("S" + result.message.substr(1) + (folder ? ". Go on with: resume=True" : ""));
  if (folder)
    folder->release();
  return result;
}

template <int dim>
Summary RunData<dim>::end(const std::string &reason) {
  return run->is_finished() ? finish() : stop(reason);
}

template <int dim>
Summary RunData<dim>::summary() const {
  Summary so_far = run->summary();
  if (is_over())
    return so_far;
  const State<dim> &state = run->state();
  so_far.status = "running";
  so_far.steps = state.step;
  so_far.end = state.time;
  so_far.kinetic = state.kinetic;
  so_far.strain = state.strain;
  so_far.contact_potential = state.contact_potential;
  return so_far;
}

template <int dim>
RunPointer<dim> begin_run(const CasePointer<dim> &data, const RunChoices &choices) {
  const InLibrary library(choices.verbose);
  return std::make_shared<RunData<dim>>(data, choices);
}

template <int dim>
void end_at(RunData<dim> &run, const py::handle &exception_type) {
  run.end([&] {
    const py::gil_scoped_acquire acquired;
    return exception_type.ptr() == PyExc_KeyboardInterrupt
               ? "Ctrl-C (SIGINT)"
               : "an exception of the type " +
                     std::string(py::str(exception_type.attr("__name__")));
  }());
}

template <int dim>
Summary take_all_steps(RunData<dim> &run) {
  const InLibrary library(run.choices.verbose);
  while (!run.run->is_finished()) {
    run.step();
    try {
      handle_signals();
    } catch (const py::error_already_set &error) {
      end_at(run, error.type());
      throw;
    }
  }
  return run.finish();
}

template class RunData<2>;
template class RunData<3>;
PERCUSSION_INSTANTIATE(begin_run);
PERCUSSION_INSTANTIATE(end_at);
PERCUSSION_INSTANTIATE(take_all_steps);

} // namespace percussion::python
