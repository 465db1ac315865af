#pragma once

#include <percussion/run/run.h>

#include "case.h"
#include "ledger.h"
#include <cstdint>

namespace percussion::python {

/// How a run of Python's is begun.
struct RunChoices {
  bool write = true, resume = false, verbose = false;
};

/// What a step did, in numbers; works are those of the step [energy].
struct StepReport {
  unsigned int step;
  double time, kinetic, strain;
  Works works;
  double balance_residual, normal_work_max, tangential_work_max, tangential_work_min;
  unsigned int contacts_active, contacts_sliding;
  double penetration_max;
  unsigned int solver_iterations;
  double solver_residual, momentum_residual;
  unsigned int cuts;
  std::vector<std::string> changes;
};

/// A run with what it needs, shared by Python's Run and by what looks at it.
class RunData {
public:
  RunData(CasePointer of_case, const RunChoices &choices);

  StepReport step();
  Summary finish();
  Summary stop(const std::string &reason);

  /// What its end will say, as far as the run has come.
  Summary summary() const;

  /// Why no step can be taken; empty if one can.
  std::string over() const;
  bool is_over() const { return !ended.empty(); }

  CasePointer of_case;
  RunChoices choices;
  Ledger ledger;

private:
  Log log;
  std::optional<ResultsFolder<2>> folder;

public:
  std::unique_ptr<Run<2>> run; ///< writes to the last, in a folder that is kept for it

private:
  /// The call of the run, with its failure told in the log.
  template <typename Call>
  auto recorded(const Call &call);
  void expect_unmoved();
  std::array<const void *, 8> places() const;

  std::string ended; ///< "finished", "stopped", "failed"
  std::array<const void *, 8> first_places{};
};

using RunPointer = std::shared_ptr<RunData>;

/// What a run was stopped by that an exception of this type has ended.
std::string stopped_by(const py::handle &exception_type);

/// Begin a run of the case.
RunPointer begin_run(const CasePointer &data, const RunChoices &choices);
/// Take all steps that are left, and finish.
/// Throws py::error_already_set after Ctrl-C: the run is stopped then, and can be resumed.
Summary take_all_steps(RunData &run);

/// What Python calls State, Contacts and RigidBodies: parts of a run that are looked at.
struct StateView {
  RunPointer data;
};
struct ContactsView {
  RunPointer data;
};
struct RigidView {
  RunPointer data;
};

} // namespace percussion::python
