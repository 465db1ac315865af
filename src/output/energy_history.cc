#include <percussion/output/energy_history.h>

namespace percussion {

// clang-format off
const std::vector<std::string> columns = {
    "step", "time", "kinetic", "strain", "total", "work_external", "work_viscous",
    "work_numerical", "work_contact_normal", "work_contact_tangential", "work_prescribed",
    "balance_residual", "tangential_work_max", "tangential_work_min", "contacts_active",
    "contacts_sliding", "penetration_max", "solver_iterations", "solver_residual",
    "percussion_normal"};
// clang-format on

EnergyHistory::EnergyHistory(const std::string &file, const Comments &comments, std::uint64_t kept)
    : CsvTable(file, comments, columns, kept) {}

template <int dim>
void EnergyHistory::write(const State<dim> &state, const StepRecord<dim> &record,
                          const Works &works, double percussion_normal) {
  number(state.step);
  for (const double value :
       {state.time, state.kinetic, state.strain, state.energy(), works.external, works.viscous,
        works.numerical, works.contact_normal, works.contact_tangential, works.prescribed,
        record.balance_residual, record.tangential_work_max, record.tangential_work_min})
    number(value);
  number(static_cast<unsigned int>(record.active.size()));
  number(record.n_sliding);
  number(record.penetration_max);
  number(record.solver_iterations);
  number(record.solver_residual);
  number(percussion_normal);
  end_row();
}

template void EnergyHistory::write(const State<2> &, const StepRecord<2> &, const Works &, double);

} // namespace percussion
