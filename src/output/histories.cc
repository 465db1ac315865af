#include <percussion/body/attitude.h>
#include <percussion/output/histories.h>

#include <algorithm>
#include <cmath>

namespace percussion {

namespace {

// clang-format off
const std::vector<std::string> energy_columns = {
    "step", "time", "kinetic", "strain", "total", "work_external", "work_viscous",
    "work_numerical", "work_contact_normal", "work_contact_tangential", "work_prescribed",
    "balance_residual", "tangential_work_max", "tangential_work_min", "contacts_active",
    "contacts_sliding", "penetration_max", "solver_iterations", "solver_residual",
    "percussion_normal", "contact_potential", "work_position_correction"};
// clang-format on

/// Returns the names of all columns.
std::vector<std::string> ledger_columns() {
  std::vector<std::string> names = energy_columns;
  for (const DefectEntry &entry : defect_entries())
    names.emplace_back(entry.name);
  return names;
}

template <int dim>
std::vector<std::string> rigid_columns(const std::vector<RigidBody<dim>> &bodies) {
  std::vector<std::string> quantities = {"x", "y", "angle", "vx", "vy", "omega"};
  if (dim == 3)
    quantities = {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"};
  std::vector<std::string> names = {"step", "time"};
  for (const RigidBody<dim> &body : bodies)
    for (const auto &quantity : quantities)
      names.push_back(body.name + "." + quantity);
  return names;
}

} // namespace

template <int dim>
void RowExtremes::add(const StepRecord<dim> &record) {
  if (std::abs(record.balance_residual) > std::abs(balance_residual))
    balance_residual = record.balance_residual;
  tangential_work_max = std::max(tangential_work_max, record.tangential_work_max);
  tangential_work_min = std::min(tangential_work_min, record.tangential_work_min);
  penetration_max = std::max(penetration_max, record.penetration_max);
  solver_residual = std::max(solver_residual, record.solver_residual);
  contacts_active = std::max(contacts_active, static_cast<unsigned int>(record.contacts.size()));
  contacts_sliding = std::max(contacts_sliding, record.n_sliding);
  solver_iterations = std::max(solver_iterations, record.solver_iterations);
  defects.add(record.defects);
}

template void RowExtremes::add(const StepRecord<2> &);
template void RowExtremes::add(const StepRecord<3> &);

EnergyHistory::EnergyHistory(const std::string &file, const Comments &comments,
                             std::uint64_t kept_bytes)
    : CsvTable(file, comments, ledger_columns(), kept_bytes) {}

template <int dim>
void EnergyHistory::write(const State<dim> &state, const RowExtremes &extremes, const Works &works,
                          double percussion_normal) {
  number(state.step);
  for (const double value :
       {state.time, state.kinetic, state.strain, state.energy(), works.external, works.viscous,
        works.numerical, works.contact_normal, works.contact_tangential, works.prescribed,
        extremes.balance_residual, extremes.tangential_work_max, extremes.tangential_work_min})
    number(value);
  number(extremes.contacts_active);
  number(extremes.contacts_sliding);
  number(extremes.penetration_max);
  number(extremes.solver_iterations);
  number(extremes.solver_residual);
  number(percussion_normal);
  number(state.contact_potential);
  number(works.position_correction);
  for (const Defect &defect : extremes.defects.largest)
    number(defect.value);
  end_row();
}

template void EnergyHistory::write(const State<2> &, const RowExtremes &, const Works &, double);
template void EnergyHistory::write(const State<3> &, const RowExtremes &, const Works &, double);

template <int dim>
RigidHistory::RigidHistory(const std::string &file, const Comments &comments,
                           const std::vector<RigidBody<dim>> &bodies, std::uint64_t kept_bytes)
    : CsvTable(file, comments, rigid_columns(bodies), kept_bytes) {}

template RigidHistory::RigidHistory(const std::string &, const Comments &,
                                    const std::vector<RigidBody<2>> &, std::uint64_t);
template RigidHistory::RigidHistory(const std::string &, const Comments &,
                                    const std::vector<RigidBody<3>> &, std::uint64_t);

template <int dim>
void RigidHistory::write(const System<dim> &system, const State<dim> &state) {
  number(state.step);
  number(state.time);
  for (std::size_t b = 0; b < system.rigid.size(); ++b) {
    const double *const q = entries(state.q) + system.rigid_dof(b);
    const double *const v = entries(state.v) + system.rigid_dof(b);
    for (unsigned int d = 0; d < dim; ++d)
      number(system.rigid[b].centre[d] + q[d]);
    if constexpr (dim == 2)
      number(q[2]);
    else
      for (const double component : quaternion(q + dim))
        number(component);
    for (unsigned int i = 0; i < RigidBody<dim>::n_dofs; ++i)
      number(v[i]);
  }
  end_row();
}

template void RigidHistory::write(const System<2> &, const State<2> &);
template void RigidHistory::write(const System<3> &, const State<3> &);

} // namespace percussion
