#pragma once

#include <percussion/output/field_options.h>

#include <memory>
#include <string>

namespace percussion {

/// Schedule of the contact problems that a run writes.
struct ProblemSchedule {
  unsigned int interval = 0; ///< number of steps between written problems; 0: none
  bool on_failure = false;   ///< true to write the problem of a step that fails
};

/// Schedule of checkpoints, besides the checkpoint of a run that is stopped; 0: none.
struct CheckpointSchedule {
  unsigned int steps = 0; ///< number of steps between checkpoints
  double seconds = 0;     ///< wall time between checkpoints [s]
};

struct OutputOptions {
  std::string directory;
  unsigned int n_outputs = 100;      ///< instants with fields besides the first
  unsigned int history_interval = 1; ///< steps between rows of energy.csv
  std::string units;
  bool move_existing_aside = true;
  FieldOptions fields;
  ProblemSchedule contact_problems;
  CheckpointSchedule checkpoints;
};

/// Returns the reason why results cannot be written to the folder: the path is a file, the folder
/// has files that are no results, or it has results that must not be moved aside. Empty if there is
/// no reason. Changes no file.
std::string output_problem(const OutputOptions &options);

/// Makes the folder of the results; moves the results of an earlier run to DIRECTORY.1, .2, …
/// Returns a description of the changes; empty if there are none. Throws InputError.
std::string prepare_output_directory(const OutputOptions &options);

/// Lock that reserves a folder for this process during the lifetime of the lock.
using FolderLock = std::shared_ptr<const int>;

/// Locks a folder. Throws InputError if another process has locked it.
FolderLock lock_folder(const std::string &directory);

} // namespace percussion
