#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// Extremes of the steps since the last row of energy.csv: the largest value of each quantity,
/// except for tangential_work_min (the smallest) and balance_residual (the value of largest
/// magnitude).
struct RowExtremes {
  double balance_residual = 0, tangential_work_max = 0, tangential_work_min = 0;
  double penetration_max = 0, solver_residual = 0;
  unsigned int contacts_active = 0, contacts_sliding = 0, solver_iterations = 0;
  ContactDefects defects;

  template <int dim>
  void add(const StepRecord<dim> &record);
};

/// The energy ledger `energy.csv`, with one row for one or more steps. Works and the normal
/// percussion of all contacts are cumulative. The last columns are the defects of the contact law.
/// The file is created or continued as described in CsvTable.
class EnergyHistory : public CsvTable {
public:
  EnergyHistory(const std::string &file, const Comments &comments, std::uint64_t kept_bytes = 0);

  template <int dim>
  void write(const State<dim> &state, const RowExtremes &extremes, const Works &cumulative,
             double cumulative_percussion);
};

/// The motion of the rigid bodies, `rigid_bodies.csv`: step, time, and for each body in 2D NAME.x,
/// NAME.y (centre of mass), NAME.angle (rotation since the start, counter-clockwise [rad]),
/// NAME.vx, NAME.vy and NAME.omega. In 3D: NAME.x, NAME.y, NAME.z, the rotation since the start as
/// a quaternion NAME.qw, NAME.qx, NAME.qy, NAME.qz, NAME.vx, NAME.vy, NAME.vz, and the angular
/// velocity NAME.wx, NAME.wy, NAME.wz in the body's frame, which is parallel to the global frame at
/// the start. The file is created or continued as described in CsvTable.
class RigidHistory : public CsvTable {
public:
  template <int dim>
  RigidHistory(const std::string &file, const Comments &comments,
               const std::vector<RigidBody<dim>> &bodies, std::uint64_t kept_bytes = 0);

  template <int dim>
  void write(const System<dim> &system, const State<dim> &state);
};

} // namespace percussion
