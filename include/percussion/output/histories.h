#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/body/nodal_masses.h>
#include <percussion/output/ledger_columns.h>

namespace percussion {

/// The energy ledger `energy.csv`, with one row for one or more steps and the columns of
/// ledger_columns(). The file is created or continued as described in CsvTable.
class EnergyHistory : public CsvTable {
public:
  EnergyHistory(const std::string &file, const Comments &comments, std::uint64_t kept_bytes = 0);

  void write(const LedgerRow &numbers);
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

/// The motion of the elastic bodies, `elastic_bodies.csv`: step, time, and for each body its
/// momentum NAME.px, NAME.py (NAME.pz in 3D) and the velocity of its centre of mass NAME.vx,
/// NAME.vy (NAME.vz). The file is created or continued as described in CsvTable.
class ElasticHistory : public CsvTable {
public:
  ElasticHistory(const std::string &file, const Comments &comments,
                 const std::vector<std::string> &names, int dim, std::uint64_t kept_bytes = 0);

  /// Writes a row of the means of all bodies.
  template <int dim>
  void write(const std::vector<MassMean<dim>> &bodies, const State<dim> &state);
};

} // namespace percussion
