#include <percussion/output/histories.h>

namespace percussion {

namespace {

// clang-format off
const std::vector<std::string> energy_columns = {
    "step", "time", "kinetic", "strain", "total", "work_external", "work_viscous",
    "work_numerical", "work_contact_normal", "work_contact_tangential", "work_prescribed",
    "balance_residual", "tangential_work_max", "tangential_work_min", "contacts_active",
    "contacts_sliding", "penetration_max", "solver_iterations", "solver_residual",
    "percussion_normal"};
// clang-format on

std::vector<std::string> rigid_columns(const std::vector<RigidBody> &bodies) {
  std::vector<std::string> names = {"step", "time"};
  for (const RigidBody &body : bodies)
    for (const char *quantity : {"x", "y", "angle", "vx", "vy", "omega"})
      names.push_back(body.name + "." + quantity);
  return names;
}

} // namespace

EnergyHistory::EnergyHistory(const std::string &file, const Comments &comments, std::uint64_t kept)
    : CsvTable(file, comments, energy_columns, kept) {}

template <int dim>
void EnergyHistory::write(const State<dim> &state, const StepRecord<dim> &record,
                          const Works &works, double percussion_normal) {
  number(state.step);
  for (const double value :
       {state.time, state.kinetic, state.strain, state.energy(), works.external, works.viscous,
        works.numerical, works.contact_normal, works.contact_tangential, works.prescribed,
        record.balance_residual, record.tangential_work_max, record.tangential_work_min})
    number(value);
  number(static_cast<unsigned int>(record.contacts.size()));
  number(record.n_sliding);
  number(record.penetration_max);
  number(record.solver_iterations);
  number(record.solver_residual);
  number(percussion_normal);
  end_row();
}

template void EnergyHistory::write(const State<2> &, const StepRecord<2> &, const Works &, double);

RigidHistory::RigidHistory(const std::string &file, const Comments &comments,
                           const std::vector<RigidBody> &bodies, std::uint64_t kept)
    : CsvTable(file, comments, rigid_columns(bodies), kept) {}

template <int dim>
void RigidHistory::write(const System<dim> &system, const State<dim> &state) {
  number(state.step);
  number(state.time);
  for (std::size_t b = 0; b < system.rigid.size(); ++b) {
    const double *const q = entries(state.q) + system.rigid_dof(b);
    const double *const v = entries(state.v) + system.rigid_dof(b);
    const dealii::Point<2> &begin = system.rigid[b].centre;
    for (const double value : {begin[0] + q[0], begin[1] + q[1], q[2], v[0], v[1], v[2]})
      number(value);
  }
  end_row();
}

template void RigidHistory::write(const System<2> &, const State<2> &);

} // namespace percussion
