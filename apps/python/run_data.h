#pragma once

#include <percussion/output/ledger_columns.h>
#include <percussion/run/results_folder.h>
#include <percussion/run/run.h>

#include "case_data.h"

namespace percussion::python {

/// Options of a run started from Python.
struct RunChoices {
  bool write = true, resume = false, verbose = false;
};

/// Rows of energy.csv, each with a cell of eight bytes per column: a double, or an unsigned integer
/// of four bytes at its beginning. All owners see the cells at the same address, unchanged.
struct Ledger {
  void add(const LedgerRow &row);
  std::size_t n_rows() const { return cells->size() / ledger_columns().size(); }
  /// Forgets the rows from this one on; owners of the cells keep theirs.
  void cut(std::size_t n);

  std::shared_ptr<std::vector<double>> cells = std::make_shared<std::vector<double>>();
};

/// Record of a step, without its contacts.
template <int dim>
struct StepReport : StepRecord<dim> {
  RowExtremes extremes; ///< values of this step
  unsigned int step = 0;
  double time = 0, kinetic = 0, strain = 0, contact_potential = 0;
  double energy() const { return kinetic + strain + contact_potential; }
};

/// Step of a run to which it may return.
template <int dim>
struct SavedStep {
  std::weak_ptr<Run<dim>> run;
  std::shared_ptr<const Checkpoint<dim>> checkpoint;
  std::size_t n_rows; ///< rows of the ledger
};

/// Run with the data it needs, shared by Python's Run and by the views of it.
template <int dim>
class RunData {
public:
  RunData(CasePointer<dim> case_data, const RunChoices &choices);

  StepReport<dim> step();
  /// Evaluates the function of each connected signal before each step, with the interpreter's lock.
  void connect(const std::string &signal, py::function value_of_run);
  void evaluate_connected(const py::object &self);
  bool has_connected() const { return !connected.empty(); }
  SavedStep<dim> save() const;
  void restore(const SavedStep<dim> &saved);
  Summary finish();
  Summary stop(const std::string &reason);
  /// Calls finish() if all steps are taken, otherwise stop().
  Summary end(const std::string &reason);

  /// Returns the summary of the run so far.
  Summary summary() const;

  /// Returns the reason why no step can be taken; empty if one can.
  std::string end_reason() const;
  bool is_over() const { return !ended.empty(); }

  CasePointer<dim> case_data;
  RunChoices choices;
  Ledger ledger;

private:
  Log log;
  std::optional<ResultsFolder<dim>> folder;

public:
  std::shared_ptr<Run<dim>> run; ///< declared after the log and the folder, to which it writes

private:
  /// Calls a function of the run and logs its failure.
  template <typename Call>
  auto recorded(const Call &call);
  void add_row();
  void expect_steps_left() const;

  std::map<std::string, py::function> connected;
  std::string ended; ///< "finished", "been stopped" or "failed"
};

template <int dim>
using RunPointer = std::shared_ptr<RunData<dim>>;

/// Starts a run of the case.
template <int dim>
RunPointer<dim> begin_run(const CasePointer<dim> &data, const RunChoices &choices);
/// Takes all remaining steps, and finishes. Throws py::error_already_set after Ctrl-C: the run is
/// stopped then, and can be resumed.
template <int dim>
Summary take_all_steps(RunData<dim> &run);
/// Returns the Matrices of Python.
template <int dim>
py::object matrices(const RunData<dim> &run);
/// Ends a run after an exception of this type.
template <int dim>
void end_at(RunData<dim> &run, const py::handle &exception_type);

/// Class State of Python, and below Contacts and RigidBodies: components of a run.
template <int dim>
struct StateView {
  RunPointer<dim> data;
};
template <int dim>
struct ContactsView {
  RunPointer<dim> data;
};
template <int dim>
struct RigidView {
  RunPointer<dim> data;
};

} // namespace percussion::python
