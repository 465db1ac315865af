#pragma once

#include <percussion/dynamics/step.h>
#include <percussion/output/summary.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// All that a run needs to go on after a step as if it had never stopped, and what tells whether it
/// is the same run.
template <int dim>
struct Checkpoint {
  std::string version;                                         ///< of the program
  std::string name;                                            ///< of the case
  std::vector<std::pair<std::string, std::string>> parameters; ///< path and value
  std::string mesh;                                            ///< its fingerprint

  State<dim> state; ///< without force and the contacts found, which follow from the rest
  StepMemory memory;

  double initial_energy = 0;
  Works works; ///< since the beginning
  RunStatistics statistics;
  PhaseTimes times;
  double wall_time = 0; ///< [s]

  // What is written.
  std::vector<double> instants; ///< times of the VTU files
  std::uint64_t energy_bytes = 0, rigid_bytes = 0;
  unsigned int contact_problems = 0;

  unsigned int file = 1; ///< which of the two it was read from
};

/// The checkpoints of a run: the files checkpoint-1.bin and checkpoint-2.bin of its folder, written
/// in turns, so that there always is a complete one.
class CheckpointFiles {
public:
  /// The first that is written does not take the place of the `last`.
  explicit CheckpointFiles(const std::string &directory, unsigned int last = 1)
      : folder(directory), next(1 - last) {}

  /// Takes the place of the older one. What it speaks of must be on the disk, names included.
  /// Throws WriteError where it cannot be written.
  template <int dim>
  void write(const Checkpoint<dim> &checkpoint);

  /// The latest that is fit for use; nothing if there is none at all. `check` may throw RunError
  /// that says why one is not, though its file is whole. `remarks` tells of those that are not.
  /// Throws RunError, naming what is wrong with each, if none is.
  template <int dim>
  std::optional<Checkpoint<dim>>
  read(std::vector<std::string> &remarks,
       const std::function<void(const Checkpoint<dim> &)> &check = nullptr) const;

  /// Remove them: the run is complete.
  void remove() const;

private:
  std::string name(unsigned int which) const;

  std::string folder;
  unsigned int next; ///< which is written next
};

} // namespace percussion
