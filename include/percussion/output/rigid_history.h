#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// The motion of the rigid bodies as a table, `rigid_bodies.csv`: step, time, and for each body
/// NAME.x, NAME.y (its centre of mass), NAME.angle (its rotation since it began, counter-clockwise,
/// in radians), NAME.vx, NAME.vy and NAME.omega, with 17 significant digits.
class RigidHistory {
public:
  /// Create the file with its comment lines ("# key: value") and header, or go on behind the bytes
  /// of it that are `kept`.
  /// Throws RunError where it cannot be written.
  RigidHistory(const std::string &file,
               const std::vector<std::pair<std::string, std::string>> &comments,
               const std::vector<RigidBody> &bodies, std::uint64_t kept = 0);

  template <int dim>
  void write(const System<dim> &system, const State<dim> &state);

  /// Hand the rows so far to the operating system, or to the disk.
  void flush() { table.flush(); }
  void sync() { table.sync(); }

  /// Bytes of the rows that were handed over.
  std::uint64_t size() const { return table.size(); }

private:
  CsvTable table;
};

} // namespace percussion
