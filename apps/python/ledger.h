#pragma once

#include <percussion/dynamics/state.h>
#include <percussion/output/summary.h>

#include <memory>

namespace percussion::python {

/// A row of energy.csv. No initial values: rows that are not yet written cost no memory.
struct LedgerRow {
  unsigned int step;
  double time, kinetic, strain, total, work_external, work_viscous, work_numerical,
      work_contact_normal, work_contact_tangential, work_prescribed, balance_residual,
      tangential_work_max, tangential_work_min;
  unsigned int contacts_active, contacts_sliding;
  double penetration_max;
  unsigned int solver_iterations;
  double solver_residual, percussion_normal;
};

/// The rows of a run. They never change, nor do they move for whoever has the block they are in.
class Ledger {
public:
  void add(const State<2> &state, const StepRecord<2> &record, const Summary &cumulative);

  std::shared_ptr<const LedgerRow[]> rows() const { return block; }
  std::size_t size() const { return n; }

private:
  std::shared_ptr<LedgerRow[]> block;
  std::size_t n = 0, capacity = 0;
};

} // namespace percussion::python
