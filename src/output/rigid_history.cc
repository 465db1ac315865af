#include <percussion/output/rigid_history.h>

namespace percussion {
namespace {

std::vector<std::string> column_names(const std::vector<RigidBody> &bodies) {
  std::vector<std::string> names = {"step", "time"};
  for (const RigidBody &body : bodies)
    for (const char *quantity : {"x", "y", "angle", "vx", "vy", "omega"})
      names.push_back(body.name + "." + quantity);
  return names;
}

} // namespace

RigidHistory::RigidHistory(const std::string &file, const Comments &comments,
                           const std::vector<RigidBody> &bodies, std::uint64_t kept)
    : CsvTable(file, comments, column_names(bodies), kept) {}

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
