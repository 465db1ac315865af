#pragma once

#include <percussion/base/checksum.h>
#include <percussion/dynamics/state.h>
#include <percussion/dynamics/step_memory.h>
#include <percussion/output/contact_table.h>
#include <percussion/output/histories.h>
#include <percussion/output/probes.h>
#include <percussion/output/summary.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// Memory of a stop criterion: properties of the steps so far.
struct StopMemory {
  double largest_kinetic = 0; ///< largest kinetic energy [energy]
  double quiet_since = 0;     ///< time since which the kinetic energy has been negligible [time]
  double first_active = 0, last_active = 0; ///< first and last time with active contacts [time]
  bool is_quiet = false, was_active = false;
};

/// Steps of the last row of each table and of the last instant.
struct LastWritten {
  unsigned int row = 0, probe_row = 0, instant = 0;
};

/// Memory of the results of a run: sums since the last row or instant, and since the beginning.
template <int dim>
struct ResultsMemory {
  RowExtremes extremes;                      ///< extremes of the steps since the last row
  ContactSums<dim> sums;                     ///< sums of the steps since the last instant
  std::vector<ContactAccount<dim>> accounts; ///< accounts of all contacts since the beginning
  StopMemory stop;
  LastWritten last;
};

/// Data that a run needs to continue exactly after a step, and data that identify the run.
template <int dim>
struct Checkpoint {
  std::string name;                                            ///< name of the case
  std::vector<std::pair<std::string, std::string>> parameters; ///< path and value of each entry
  std::string mesh;                                            ///< fingerprint of the meshes

  State<dim> state; ///< without forces and contacts, which follow from the other members
  const State<dim> *running = nullptr; ///< state to write instead; a copy takes memory in crowds
  StepMemory memory;

  RunTotals totals;
  ResultsMemory<dim> results_memory;
  ProbeMemory probes;
  std::vector<std::pair<std::string, double>> signals; ///< values of the signals of formulas
  PhaseTimes times;
  double wall_time = 0; ///< [s]

  // Results written so far.
  std::vector<double> instants; ///< times of the VTU files
  std::uint64_t energy_bytes = 0, rigid_bytes = 0, elastic_bytes = 0, probe_bytes = 0;
  unsigned int contact_problems = 0;
  std::vector<FileSum> results; ///< checksums of tables and VTU files at the checkpoint
  /// Checksums at the end of a run that has written further rows or an instant after the
  /// checkpoint.
  std::vector<FileSum> results_at_end;

  unsigned int file = 1; ///< number of the checkpoint file, 0 or 1, that it was read from
};

/// Returns a checkpoint as bytes that from_bytes() reads.
template <int dim>
std::string to_bytes(const Checkpoint<dim> &checkpoint);

/// Returns the checkpoint of these bytes.
template <int dim>
Checkpoint<dim> from_bytes(const std::string &bytes);

/// The files checkpoint-1.bin and checkpoint-2.bin of a run, written alternately, so that one of
/// them is always complete.
class CheckpointFiles {
public:
  /// Keeps the `last` file until the other one has been written.
  explicit CheckpointFiles(const std::string &directory, unsigned int last = 1)
      : folder(directory), next(1 - last) {}

  /// Replaces the older file. Throws WriteError.
  template <int dim>
  void write(const Checkpoint<dim> &checkpoint);

  /// Returns the latest usable checkpoint; no value if there are no files. `check` throws RunError
  /// if an intact checkpoint cannot be used; `remarks` lists the defects of unusable ones. Throws
  /// RunError with the same list if none is usable.
  template <int dim>
  std::optional<Checkpoint<dim>>
  read(std::vector<std::string> &remarks,
       const std::function<void(const Checkpoint<dim> &)> &check = nullptr) const;

  /// Removes the older file after the end of the run.
  void keep_last() const;

private:
  std::string name(unsigned int index) const;

  std::string folder;
  unsigned int next;
};

} // namespace percussion
