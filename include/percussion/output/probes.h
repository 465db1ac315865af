#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/body/cell_stress.h>
#include <percussion/contact/boundary.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// What a probe measures, and the names of its columns behind the probe's own.
enum class ProbeKind {
  displacement,
  velocity,
  acceleration,
  stress,
  percussion,
  force,
  gap,
  work,
  slip,
  defects
};

/// A row of the table of kinds.
struct ProbeKindEntry {
  ProbeKind kind;
  const char *name, *description;
};
/// All kinds.
const std::vector<ProbeKindEntry> &probe_kinds();

/// A place where a quantity is followed over time: a point of a body, contacts, or what is held in
/// a prescribed motion.
template <int dim>
struct Probe {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  std::string name;
  ProbeKind kind = ProbeKind::displacement;
  std::string place; ///< in words

  // A point of an elastic body: its cell, and the shares of that cell's nodes; or of a rigid one.
  unsigned int elastic = none, cell = none, rigid = none;
  std::vector<std::pair<std::array<unsigned int, dim>, double>> nodes;
  dealii::Point<dim> position; ///< undeformed

  // A contact pair, and one of the boundary's points if not all.
  unsigned int pair = none, point = none;

  /// Degrees of freedom of each component whose motion is prescribed, by their number among those.
  std::array<std::vector<unsigned int>, dim> held;
};

/// What probes remember from step to step, all of them one after the other.
struct ProbeMemory {
  double row_time = 0; ///< of the last row
  double time = 0;     ///< of the last step
  /// A velocity and an acceleration, impulses since the last row, or accounts of contacts.
  std::vector<double> numbers;
};

/// Follows the probes of a run.
///
/// Displacements, velocities, stresses and gaps are those at the end of a step; an acceleration is
/// the change of the velocity in the last step over its length (nan at the start); a percussion is
/// the impulse since the last row and a force that over the time since, their normal component
/// the sum of the normal percussions of the contacts. They act on the side of the contact that
/// touches (Region or Bodies), or on what is held. The gap is the smallest (inf: none is near).
/// Accounts of contacts are those since the beginning of the run: of several contacts the sum of
/// works, and the largest slip and defects.
template <int dim>
class Probes {
public:
  /// Bodies and boundary must live as long.
  Probes(const System<dim> &bodies, const Boundary<dim> &boundary, std::vector<Probe<dim>> probes,
         const ProbeMemory &from = {});

  bool empty() const { return list.empty(); }
  /// "tip.displacement_x", …
  std::vector<std::string> columns() const;
  /// "tip: displacement of …", for each probe
  std::vector<std::pair<std::string, std::string>> remarks() const;

  /// The state that a run begins with.
  void begin(const State<dim> &state);
  /// A step that was taken.
  void add(const State<dim> &state, const StepRecord<dim> &record,
           const std::vector<ContactAccount<dim>> &accounts);
  /// What a row would hold now: a number for each column.
  std::vector<double> values(const State<dim> &state) const;
  /// A row was written: sums begin again.
  void start_row(double time);

  const ProbeMemory &memory() const { return kept; }

private:
  dealii::Tensor<1, dim> displacement(const Probe<dim> &probe, const State<dim> &state) const;
  dealii::Tensor<1, dim> velocity(const Probe<dim> &probe, const State<dim> &state) const;
  void add_impulses(const Probe<dim> &probe, const StepRecord<dim> &record, double *sums) const;
  void copy_accounts(const Probe<dim> &probe, const std::vector<ContactAccount<dim>> &accounts,
                     double *numbers) const;
  double gap(const Probe<dim> &probe, const State<dim> &state) const;

  const System<dim> &system;
  const Boundary<dim> &boundary;
  std::vector<Probe<dim>> list;
  std::vector<std::unique_ptr<CellStress<dim>>> stress; ///< of each elastic body, where asked for
  ProbeMemory kept;
};

/// Names of a kind's columns in `dim` dimensions: "displacement_x", …; contacts have a normal
/// component too.
template <int dim>
std::vector<std::string> probe_columns(const Probe<dim> &probe);

} // namespace percussion
