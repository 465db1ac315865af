#pragma once

#include <percussion/case/case.h>
#include <percussion/output/checkpoint.h>
#include <percussion/output/log.h>
#include <percussion/output/output_directory.h>

#include <optional>
#include <string>
#include <vector>

namespace percussion {

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

  const Case<dim> &the_case;
  const Parameters &parameters;
  const std::string &folder;
  bool is_to_resume, complete = false;
  FolderLock lock;
  std::optional<Checkpoint<dim>> found;
  std::vector<std::string> changes; ///< changes of parameters that may change in a resumed run
  std::vector<std::string> remarks; ///< remarks on checkpoints that could not be used
};

} // namespace percussion
