#pragma once

#include <percussion/base/checksum.h>
#include <percussion/dynamics/step.h>
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

/// What a stop criterion remembers of the steps so far.
struct StopMemory {
  double largest_kinetic = 0; ///< energy
  double quiet_since = 0;     ///< since when the kinetic energy has been next to nothing [time]
  double first_active = 0, last_active = 0; ///< when contacts were [time]
  bool is_quiet = false, was_active = false;
};

/// The last steps that were written.
struct LastWritten {
  unsigned int row = 0, probe_row = 0, instant = 0;
};

/// All that a run needs to continue after a step as if it had never stopped, and what identifies
/// it.
template <int dim>
struct Checkpoint {
  std::string name;                                            ///< of the case
  std::vector<std::pair<std::string, std::string>> parameters; ///< path and value
  std::string mesh;                                            ///< its fingerprint

  State<dim> state; ///< without force and the contacts found, which follow from the rest
  StepMemory memory;

  double initial_energy = 0;
  Works works;                       ///< since the beginning
  std::vector<std::string> warnings; ///< of the case and of the run so far
  RunStatistics statistics;
  RowExtremes extremes;                      ///< of the steps that no row holds yet
  ContactSums<dim> sums;                     ///< of the steps that no instant holds yet
  std::vector<ContactAccount<dim>> accounts; ///< of all contacts since the beginning
  ProbeMemory probes;
  StopMemory stop;
  PhaseTimes times;
  double wall_time = 0; ///< [s]

  // What is written.
  std::vector<double> instants; ///< times of the VTU files
  LastWritten last;
  std::uint64_t energy_bytes = 0, rigid_bytes = 0, probe_bytes = 0;
  unsigned int contact_problems = 0;
  std::vector<FileSum> results; ///< tables and VTU files at the checkpoint
  /// The same at the end of a run that has written more there than its steps require.
  std::vector<FileSum> results_at_end;

  unsigned int file = 1; ///< which of the two it was read from
};

/// The files checkpoint-1.bin and checkpoint-2.bin of a run, written in turns so that one is always
/// complete.
class CheckpointFiles {
public:
  /// The `last` one is kept until the other has been written.
  explicit CheckpointFiles(const std::string &directory, unsigned int last = 1)
      : folder(directory), next(1 - last) {}

  /// Replace the older one. Throws WriteError.
  template <int dim>
  void write(const Checkpoint<dim> &checkpoint);

  /// The latest that is usable; nothing if there are no checkpoints. `check` throws RunError where
  /// an intact one cannot be used; `remarks` lists what is wrong with those that were not taken.
  /// Throws RunError, with the same list, if none is usable.
  template <int dim>
  std::optional<Checkpoint<dim>>
  read(std::vector<std::string> &remarks,
       const std::function<void(const Checkpoint<dim> &)> &check = nullptr) const;

  /// Remove the older one: the run is complete.
  void keep_last() const;

private:
  std::string name(unsigned int which) const;

  std::string folder;
  unsigned int next;
};

} // namespace percussion
