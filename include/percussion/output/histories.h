#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// The energy ledger `energy.csv`, one row a step; works and the normal percussion of all contacts
/// are cumulative. Created or continued as CsvTable describes.
class EnergyHistory : public CsvTable {
public:
  EnergyHistory(const std::string &file, const Comments &comments, std::uint64_t kept = 0);

  template <int dim>
  void write(const State<dim> &state, const StepRecord<dim> &record, const Works &cumulative,
             double cumulative_percussion);
};

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
