#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// The motion of the rigid bodies, `rigid_bodies.csv`: step, time, and for each body NAME.x, NAME.y
/// (centre of mass), NAME.angle (rotation since the start, counter-clockwise [rad]), NAME.vx,
/// NAME.vy and NAME.omega. Created or continued as CsvTable describes.
class RigidHistory : public CsvTable {
public:
  RigidHistory(const std::string &file, const Comments &comments,
               const std::vector<RigidBody> &bodies, std::uint64_t kept = 0);

  template <int dim>
  void write(const System<dim> &system, const State<dim> &state);
};

} // namespace percussion
