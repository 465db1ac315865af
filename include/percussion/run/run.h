#pragma once

#include <percussion/output/checkpoint.h>
#include <percussion/output/log.h>
#include <percussion/output/summary.h>
#include <percussion/run/case.h>

#include <functional>

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
/// of checkpoints that are damaged beside it. Throws InputError with all parameters that have
/// changed, and RunError where no checkpoint is fit for use or the mesh is another one.
template <int dim>
std::optional<Checkpoint<dim>> find_checkpoint(const Case<dim> &c, const Parameters &parameters,
                                               std::vector<std::string> &remarks);

/// Remove from the folder what was written after the checkpoint, all but the rows of tables, which
/// the run cuts off. Throws RunError where a file from before it is missing.
template <int dim>
void cut_back(const std::string &folder, const Checkpoint<dim> &checkpoint);

/// How a run is begun and ended from outside.
template <int dim>
struct RunControl {
  const Checkpoint<dim> *from = nullptr; ///< go on from it, in a folder that was cut back to it
  /// Asked after each step: why to stop ("Ctrl-C"), or nothing.
  std::function<std::string()> reason_to_stop;
};

/// Run a case to its end, or until it is asked to stop, and write its results; returns what
/// summary.json says. The folder must exist. Throws RunError; what was written before stays
/// complete and readable.
template <int dim>
Summary run_case(const Case<dim> &c, Log &log, const RunControl<dim> &control = {});

} // namespace percussion
