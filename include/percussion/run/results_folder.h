#pragma once

#include <percussion/output/checkpoint.h>
#include <percussion/output/log.h>
#include <percussion/run/case.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Why results cannot be written to the folder: it is a file, has files that are no results, or has
/// results that must not be moved aside. Empty if there is no reason. Changes nothing.
std::string output_problem(const OutputOptions &options);

/// Make the folder of the results; what another run left there is moved to DIRECTORY.1, .2, …
/// Returns what was done, empty if nothing. Throws InputError.
std::string prepare_output_directory(const OutputOptions &options);

/// Reserves a folder for this process while it lives.
using FolderLock = std::shared_ptr<const int>;

/// Throws InputError if another process has the folder.
FolderLock lock_folder(const std::string &directory);

/// The folder of a case's results, reserved for one run in this process.
template <int dim>
class ResultsFolder {
public:
  /// Finds the checkpoint if a run is `to_resume`, and changes nothing. Throws InputError with all
  /// parameters that have changed since, RunError if the mesh has, or if no checkpoint is usable.
  ResultsFolder(const Case<dim> &c, const Parameters &parameters, bool to_resume);

  /// Whether the run to be resumed is complete.
  bool is_complete() const { return complete; }

  /// Where to resume; null: the run starts anew.
  const Checkpoint<dim> *checkpoint() const { return found ? &*found : nullptr; }

  /// Prepare the folder for the first step: as it was at the checkpoint, or new with these
  /// effective parameters. The log goes to its log.txt.
  void prepare(const std::string &effective_parameters, Log &log);

  /// The run is over: another may have the folder.
  void release() { lock = nullptr; }

private:
  bool has_completed_run();
  void find_checkpoint();
  void compare(const std::vector<std::pair<std::string, std::string>> &then);
  void cut_back() const;

  const Case<dim> &of_case;
  const Parameters &parameters;
  const std::string &folder;
  bool is_to_resume, complete = false;
  FolderLock lock;
  std::optional<Checkpoint<dim>> found;
  std::vector<std::string> changes; ///< of parameters that may change
  std::vector<std::string> remarks; ///< on checkpoints that were not taken
};

} // namespace percussion
