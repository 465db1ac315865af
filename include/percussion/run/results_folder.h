#pragma once

#include <percussion/output/checkpoint.h>
#include <percussion/output/log.h>
#include <percussion/run/case.h>

#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Why results cannot be written to the folder: it is a file, holds files that no run wrote, or
/// holds results that may not be moved aside. Empty if nothing speaks against it. Changes nothing.
std::string output_problem(const OutputOptions &options);

/// Make the folder of the results. What another run left there is moved aside, to DIRECTORY.1, .2,
/// … Returns what was done, empty if nothing. Throws InputError, and leaves nothing behind then.
std::string prepare_output_directory(const OutputOptions &options);

/// Keeps the folder for this process while it lives. Throws InputError where another one has it.
class FolderLock {
public:
  explicit FolderLock(const std::string &directory);
  ~FolderLock();
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int descriptor;
};

/// Whether the folder of the case holds the results of a run of it that came to its end. Throws
/// InputError, naming them, where that had other parameters.
template <int dim>
bool is_complete(const Case<dim> &c, const Parameters &parameters);

/// The checkpoint that the case can go on from; nothing where its folder has none. `remarks` tells
/// of a later one that is damaged, or whose results are not there any more. Throws InputError with
/// all parameters that have changed, and RunError where no checkpoint is fit for use or the mesh is
/// another one.
template <int dim>
std::optional<Checkpoint<dim>> find_checkpoint(const Case<dim> &c, const Parameters &parameters,
                                               std::vector<std::string> &remarks);

/// Remove from the folder what was written after the checkpoint, all but the rows of tables, which
/// the run cuts off. Throws RunError where a file cannot be removed.
template <int dim>
void cut_back(const std::string &folder, const Checkpoint<dim> &checkpoint);

/// The folder of a case's results, kept for one run in this process.
template <int dim>
class ResultsFolder {
public:
  /// Looks into the folder only where a run in it is `to_resume`. Throws as is_complete() and
  /// find_checkpoint() do.
  ResultsFolder(const Case<dim> &c, const Parameters &parameters, bool to_resume);

  /// Whether a run to resume has come to its end already.
  bool is_complete() const { return complete; }

  /// What the run goes on from; null: it begins anew.
  const Checkpoint<dim> *checkpoint() const { return found ? &*found : nullptr; }

  /// Make the folder ready for the run's first step: what it was at the checkpoint, or a new one
  /// with these effective parameters. The log goes on in its log.txt.
  void prepare(const std::string &effective_parameters, Log &log);

  /// The run is over: others may have the folder.
  void release() { lock.reset(); }

private:
  const OutputOptions &options;
  bool is_to_resume, complete = false;
  std::optional<FolderLock> lock;
  std::optional<Checkpoint<dim>> found;
  std::vector<std::string> remarks;
};

} // namespace percussion
