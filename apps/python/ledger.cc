#include "ledger.h"

#include <algorithm>

namespace percussion::python {

void Ledger::add(const State<2> &state, const StepRecord<2> &record, const Summary &so_far) {
  const Works &works = so_far.works;
  if (n == capacity) { // the old block stays with those who look at it
    capacity = std::max<std::size_t>(1024, 2 * capacity);
    std::shared_ptr<LedgerRow[]> larger(new LedgerRow[capacity]);
    std::copy_n(block.get(), n, larger.get());
    block = std::move(larger);
  }
  block[n++] = {state.step,
                state.time,
                state.kinetic,
                state.strain,
                state.energy(),
                works.external,
                works.viscous,
                works.numerical,
                works.contact_normal,
                works.contact_tangential,
                works.prescribed,
                record.balance_residual,
                record.tangential_work_max,
                record.tangential_work_min,
                static_cast<unsigned int>(record.active.size()),
                record.n_sliding,
                record.penetration_max,
                record.solver_iterations,
                record.solver_residual,
                so_far.statistics.percussion_normal};
}

} // namespace percussion::python
