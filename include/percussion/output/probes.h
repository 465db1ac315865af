#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/body/cell_stress.h>
#include <percussion/body/link_forces.h>
#include <percussion/body/weighted_nodes.h>
#include <percussion/contact/boundary.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Quantity that a probe measures; its name is also the second part of the probe's columns.
enum class ProbeKind {
  displacement,
  velocity,
  acceleration,
  momentum,
  stress,
  percussion,
  force,
  moment,
  coordinate,
  limit,
  friction,
  gap,
  work,
  slip,
  defects
};

/// Row of the table of kinds.
struct ProbeKindEntry {
  ProbeKind kind;
  const char *name, *description;
};
/// Returns all kinds.
const std::vector<ProbeKindEntry> &probe_kinds();

/// Quantity recorded over time at a point of a body, as a mean over its mass, at contacts, or at
/// degrees of freedom with prescribed motion.
template <int dim>
struct Probe {
  std::string name;
  ProbeKind kind = ProbeKind::displacement;
  std::string position_text; ///< description of the location

  // Point of an elastic body, with its cell and the shape values of the nodes of the cell; its
  // centre of mass, with the fractions of mass of all nodes; or point of a rigid body.
  unsigned int elastic = 0, cell = 0;
  std::optional<unsigned int> rigid;
  WeightedNodes<dim> nodes;
  dealii::Point<dim> position; ///< undeformed position
  double mass = 0;             ///< mass of the body [mass]

  std::optional<unsigned int> pair; ///< contact pair, if contacts are recorded
  /// Points of the Boundary whose contacts are recorded, ascending; empty: all points of the pair.
  std::vector<unsigned int> points;

  /// Indices in StepRecord::holding of the impulses on each component.
  std::array<std::vector<unsigned int>, dim> holding;

  std::optional<unsigned int> link; ///< index of the link or joint, if one is recorded
  /// Names and indices in LinkForces::drive_coordinates() of the coordinates of the joint.
  std::vector<std::pair<std::string, unsigned int>> coordinates;
};

/// Memory of all probes, one after the other.
struct ProbeMemory {
  double row_time = 0; ///< time of the last row
  double time = 0;     ///< time of the last step
  /// Velocities and accelerations, impulses since the last row, or accounts of contacts.
  std::vector<double> numbers;
};

/// Recorder of the probes of a run.
///
/// Displacements, velocities, stresses and gaps are values at the end of a step. An acceleration is
/// the change of velocity in the last step divided by the length of the step (nan at the start). A
/// percussion is the impulse since the last row; a force is this impulse divided by the time since
/// the last row; their normal component is the sum of the normal percussions of the contacts.
/// Percussions and forces act on the first side of the contact (Region or Bodies), on the
/// prescribed degrees of freedom, or on the second body of a joint. The gap is the smallest one
/// (inf: no contact is close). Accounts of contacts begin at the start of the run: for several
/// contacts the sum of their works, and the largest slip and defects.
template <int dim>
class Probes {
public:
  /// Prepares the probes. Bodies and boundary must outlive them.
  Probes(const System<dim> &bodies, const Boundary<dim> &boundary, std::vector<Probe<dim>> probes,
         const ProbeMemory &memory = {});

  bool empty() const { return list.empty(); }
  /// Returns the names of the columns: "tip.displacement_x", …
  std::vector<std::string> columns() const;
  /// Returns a remark for each probe: "tip: displacement of …".
  std::vector<std::pair<std::string, std::string>> remarks() const;

  /// Adds the initial state of a run.
  void begin(const State<dim> &state);
  /// Adds a step.
  void add(const State<dim> &state, const StepRecord<dim> &record,
           const std::vector<ContactAccount<dim>> &accounts);
  /// Returns the current value for each column.
  std::vector<double> values(const State<dim> &state) const;
  /// Restarts the sums after a row.
  void start_row(double time);

  const ProbeMemory &memory() const { return extremes_so_far; }

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
  std::vector<std::unique_ptr<CellStress<dim>>>
      stress; ///< stress of each elastic body, null without a stress probe
  LinkForces<dim> links;
  ProbeMemory extremes_so_far;
};

/// Returns the names of a kind's columns: "displacement_x", …; contacts also have a normal
/// component.
template <int dim>
std::vector<std::string> probe_columns(const Probe<dim> &probe);

} // namespace percussion
