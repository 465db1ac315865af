#include <percussion/io/error.h>
#include <percussion/output/energy_history.h>

#include <charconv>

namespace percussion {

EnergyHistory::EnergyHistory(const std::string &name,
                             const std::vector<std::pair<std::string, std::string>> &comments)
    : file(name), stream(name) {
  for (const auto &[key, value] : comments)
    stream << "# " << key << ": " << value << '\n';
  stream << "step,time,kinetic,strain,total,work_external,work_viscous,work_numerical,"
            "work_contact_normal,work_contact_tangential,work_prescribed,balance_residual,"
            "tangential_work_max,tangential_work_min,contacts_active,contacts_sliding,"
            "penetration_max,solver_iterations,solver_residual\n";
  flush();
}

void EnergyHistory::number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 17);
  row.append(text, end.ptr);
  row += ',';
}

void EnergyHistory::number(unsigned int value) {
  row += std::to_string(value);
  row += ',';
}

template <int dim>
void EnergyHistory::write(const State<dim> &state, const StepRecord<dim> &record,
                          const Works &works) {
  row.clear();
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
  row.back() = '\n';
  stream << row;
}

void EnergyHistory::flush() {
  if (!stream.flush())
    throw RunError(file + ": cannot be written (disk full, or no permission?)");
}

template void EnergyHistory::write(const State<2> &, const StepRecord<2> &, const Works &);

} // namespace percussion
