#include <percussion/body/attitude.h>
#include <percussion/output/histories.h>

namespace percussion {

namespace {

std::vector<std::string> names_of_columns() {
  std::vector<std::string> names;
  for (const LedgerColumn &column : ledger_columns())
    names.push_back(column.name);
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

std::vector<std::string> elastic_columns(const std::vector<std::string> &bodies, int dim) {
  std::vector<std::string> names = {"step", "time"};
  for (const std::string &body : bodies)
    for (const char quantity : {'p', 'v'})
      for (const char axis : std::string("xyz").substr(0, dim))
        names.push_back(body + '.' + quantity + axis);
  return names;
}

} // namespace

EnergyHistory::EnergyHistory(const std::string &file, const Comments &comments,
                             std::uint64_t kept_bytes)
    : CsvTable(file, comments, names_of_columns(), kept_bytes) {}

void EnergyHistory::write(const LedgerRow &numbers) {
  for (const LedgerColumn &column : ledger_columns())
    if (const double value = column.value(numbers); column.is_count)
      number(static_cast<unsigned int>(value));
    else
      number(value);
  end_row();
}

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
    const double *const q = system.rigid_values(state.q, b);
    const double *const v = system.rigid_values(state.v, b);
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

ElasticHistory::ElasticHistory(const std::string &file, const Comments &comments,
                               const std::vector<std::string> &names, int dim,
                               std::uint64_t kept_bytes)
    : CsvTable(file, comments, elastic_columns(names, dim), kept_bytes) {}

template <int dim>
void ElasticHistory::write(const std::vector<MassMean<dim>> &bodies, const State<dim> &state) {
  number(state.step);
  number(state.time);
  for (const MassMean<dim> &body : bodies) {
    const dealii::Tensor<1, dim> velocity = weighted_sum<dim>(body.nodes, state.v);
    for (const double factor : {body.mass, 1.})
      for (unsigned int d = 0; d < dim; ++d)
        number(factor * velocity[d]);
  }
  end_row();
}

template void ElasticHistory::write(const std::vector<MassMean<2>> &, const State<2> &);
template void ElasticHistory::write(const std::vector<MassMean<3>> &, const State<3> &);

} // namespace percussion
