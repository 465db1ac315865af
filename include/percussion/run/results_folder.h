#pragma once

#include <percussion/output/checkpoint.h>
#include <percussion/output/log.h>
#include <percussion/run/case.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

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

/// Folder of a case's results, reserved for one run in this process. The first of several
/// processes alone looks into the folder and writes; the others learn its checkpoint from it.
template <int dim>
class ResultsFolder {
public:
  /// Finds the checkpoint if a run is `to_resume`; changes no file. Throws InputError with all
  /// parameters that have changed since the checkpoint, RunError if the mesh has changed or no
  /// checkpoint is usable.
  ResultsFolder(const Case<dim> &c, const Parameters &parameters, bool to_resume);

  /// True if the run to be resumed is complete.
  bool is_complete() const { return complete; }

  /// Returns the checkpoint to resume from; null if the run starts from its initial state.
  const Checkpoint<dim> *checkpoint() const { return found ? &*found : nullptr; }

  /// Prepares the folder for the first step: restores it as it was at the checkpoint, or fills a
  /// new one with these effective parameters. The log continues in log.txt of the folder.
  void prepare(const std::string &effective_parameters, Log &log);

  /// Releases the folder after the run, so that another process can reserve it.
  void release() { lock = nullptr; }

private:
  void look();
  void share_findings();
  void prepare_files(const std::string &effective_parameters, Log &log);
  bool has_completed_run();
  void find_checkpoint();
  void compare(const std::vector<std::pair<std::string, std::string>> &previous_values,
               bool has_checksums);
  void cut_back() const;

  const Case<dim> &of_case;
  const Parameters &parameters;
  const std::string &folder;
  bool is_to_resume, complete = false;
  FolderLock lock;
  std::optional<Checkpoint<dim>> found;
  std::vector<std::string> changes; ///< changes of parameters that may change in a resumed run
  std::vector<std::string> remarks; ///< remarks on checkpoints that could not be used
};

} // namespace percussion
