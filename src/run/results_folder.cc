#include <percussion/base/csv_table.h>
#include <percussion/base/file.h>
#include <percussion/base/format.h>
#include <percussion/base/processes.h>
#include <percussion/base/shell_word.h>
#include <percussion/base/text_search.h>
#include <percussion/input/mesh_fingerprint.h>
#include <percussion/output/vtu_output.h>
#include <percussion/run/results_folder.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>

namespace percussion {
namespace {

namespace fs = std::filesystem;

/// Parameters that change neither the steps nor the content of the results: locations and the
/// schedule of checkpoints.
constexpr std::array<const char *, 6> location_entries = {
    {"Mesh/File", "Initial state/From", "Output/Directory", "Output/Existing directory",
     "Output/Steps between checkpoints", "Output/Seconds between checkpoints"}};
/// Parameters that a resumed run may change for its remaining steps.
constexpr std::array<const char *, 7> entries_of_the_future = {
    {"Time/End", "Time/Stop when", "Output/Number of instants", "Output/Instants at events",
     "Output/Energy interval", "Output/Contact problems", "Probes/Interval"}};

/// True for an entry that holds the checksum of a file.
bool is_checksum(const std::string &path) {
  return path.rfind(table_prefix, 0) == 0 || path.rfind(surface_prefix, 0) == 0;
}

template <std::size_t n>
bool is_one_of(const std::array<const char *, n> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns a formula with the names of its tables without their folders.
std::string without_folders(std::string formula) {
  const std::vector<TextRange> files = files_of_tables(formula);
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const std::size_t slash = formula.rfind('/', file->second);
    if (slash != std::string::npos && slash >= file->first)
      formula.erase(file->first, slash + 1 - file->first);
  }
  return formula;
}

bool same_value(const std::string &a, const std::string &b) {
  const auto x = to_number<double>(a), y = to_number<double>(b);
  // Tables may be moved: their checksums are compared instead of their folders.
  return a == b || (x && y && *x == *y) || without_folders(a) == without_folders(b);
}

/// Throws RunError unless a file begins with the content of this sum.
void check_content(const std::string &folder, const FileSum &sum) {
  if (is_vtkhdf(sum.name))
    check_unchanged_instants(folder, sum);
  else
    check_unchanged(folder, sum);
}

/// Throws RunError if a result that the run continues from this checkpoint is missing or changed.
template <int dim>
void check_results(const std::string &folder, const Checkpoint<dim> &checkpoint) {
  const bool has_files_of_instants =
      std::none_of(checkpoint.results.begin(), checkpoint.results.end(),
                   [](const FileSum &sum) { return is_vtkhdf(sum.name); });
  for (const char *const series : vtu_series)
    for (unsigned int i = 0; has_files_of_instants && i < checkpoint.instants.size(); ++i)
      check_kept(folder + "/" + name_of_instant(folder, series, i), 0);
  check_kept(folder + "/energy.csv", checkpoint.energy_bytes);
  if (checkpoint.probe_bytes > 0)
    check_kept(folder + "/probes.csv", checkpoint.probe_bytes);
  if (checkpoint.rigid_bytes > 0)
    check_kept(folder + "/rigid_bodies.csv", checkpoint.rigid_bytes);
  if (checkpoint.elastic_bytes > 0)
    check_kept(folder + "/elastic_bodies.csv", checkpoint.elastic_bytes);
  for (const FileSum &sum : checkpoint.results)
    if (sum.name != ground_name) // a run that was killed may have written it since
      check_content(folder, sum);
}

/// Throws RunError if a table or VTU file of a complete run has changed since its end.
template <int dim>
void check_complete_results(const std::string &folder) {
  std::string change;
  const auto look = [&](const Checkpoint<dim> &end) {
    try {
      for (const FileSum &sum : end.results_at_end.empty() ? end.results : end.results_at_end)
        check_content(folder, sum);
    } catch (const RunError &error) {
      change = error.what();
    }
  };
  try {
    std::vector<std::string> remarks;
    CheckpointFiles(folder).read<dim>(remarks, look);
  } catch (const RunError &) { // no checkpoint has checksums to compare
  }
  if (!change.empty())
    throw RunError(change + "; the run is complete: run the case again without --resume");
}

/// Throws InputError if the folder has links, or files that are neither regular nor folders: a
/// resumed run would write through them, out of its folder.
void refuse_links(const std::string &folder) {
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.is_symlink() || !(entry.is_regular_file() || entry.is_directory()))
      throw InputError(entry.path().string() + ": this is " +
                       (entry.is_symlink() ? "a link" : "not a regular file") +
                       ", and a resumed run writes only into its own folder; put the file itself "
                       "there, or run the case again without --resume");
}

/// True if a name such as "solution-000012.vtu", of the pattern "solution-%u.vtu%n", has at least
/// this number.
bool is_numbered(const std::string &name, const char *pattern, unsigned int minimum) {
  unsigned int number = 0;
  int length = 0; // set if the name fits the whole pattern
  std::sscanf(name.c_str(), pattern, &number, &length);
  return number >= minimum && static_cast<std::size_t>(length) == name.size();
}

template <typename IsToGo>
void remove_files(const std::string &folder, const IsToGo &is_to_go) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error))
    if (is_to_go(entry->path().filename().string()))
      files.push_back(entry->path());
  for (const auto &file : files)
    if (!fs::remove(file, error) && error)
      throw RunError(file.string() + ": cannot be removed (" + error.message() + ")");
}

} // namespace

template <int dim>
ResultsFolder<dim>::ResultsFolder(const Case<dim> &c, const Parameters &case_parameters,
                                  bool to_resume)
    : the_case(c), parameters(case_parameters), folder(c.output.directory),
      is_to_resume(to_resume) {
  if (!to_resume)
    return;
  processes::agree([&] {
    if (processes::is_first())
      look();
  });
  share_findings();
}

/// Finds the run that is to be resumed.
template <int dim>
void ResultsFolder<dim>::look() {
  if (fs::is_directory(folder)) {
    lock = lock_folder(folder);
    refuse_links(folder);
  }
  complete = has_completed_run();
  if (complete)
    check_complete_results<dim>(folder);
  else
    find_checkpoint();
  if (found && found->state.step > the_case.span.n_steps)
    throw InputError(parameters.remark(
        "Time/End", format("the earlier run has already reached t = %.10g", found->state.time)));
}

/// Sends what the first process has found to the others.
template <int dim>
void ResultsFolder<dim>::share_findings() {
  if (processes::number() == 1)
    return;
  complete = processes::decided_by_first(complete);
  const std::string bytes =
      processes::broadcast_bytes([&] { return found ? to_bytes(*found) : std::string(); });
  if (!processes::is_first() && !bytes.empty())
    found = from_bytes<dim>(bytes);
}

/// True if the folder has a run that reached its end or met its stop criterion, and that has no
/// further steps with these parameters.
template <int dim>
bool ResultsFolder<dim>::has_completed_run() {
  const auto text = read_file(folder + "/summary.json");
  const auto summary = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!summary.is_object() || summary.value("status", nlohmann::json()) != "completed")
    return false;
  const auto run_file = ParameterFile::read(folder + "/parameters.prm");
  const Parameters previous(declare_case(&run_file), run_file);
  compare(previous.values(), false);
  const auto time = summary.value("time", nlohmann::json::object());
  const bool goes_on = summary.value("message", "").empty()
                           ? time.value("steps", 0u) < the_case.span.n_steps
                           : !same_value(previous.get("Time/Stop when"), the_case.stop.text);
  if (goes_on && !fs::exists(folder + "/checkpoint-1.bin") &&
      !fs::exists(folder + "/checkpoint-2.bin"))
    throw RunError(folder + ": the checkpoint at the end of this run is gone; run the case again "
                            "without --resume");
  return !goes_on;
}

template <int dim>
void ResultsFolder<dim>::find_checkpoint() {
  found = CheckpointFiles(folder).read<dim>(
      remarks, [&](const Checkpoint<dim> &checkpoint) { check_results(folder, checkpoint); });
  if (!found)
    return;
  compare(found->parameters, true);
  if (fingerprint(the_case.meshes) != found->mesh)
    throw RunError(the_case.meshes.front()->file +
                   ": this mesh differs from the mesh of the checkpoint in " + folder +
                   ": restore the mesh of the run, or run the case again without --resume");
}

/// Compares the parameters with the values `previous` of the run in the folder, which may have the
/// checksums of files. Throws InputError
/// with all parameters that must not differ but do.
template <int dim>
void ResultsFolder<dim>::compare(const std::vector<std::pair<std::string, std::string>> &previous,
                                 bool has_checksums) {
  Problems problems;
  changes.clear();
  std::map<std::string, std::string> unmatched(previous.begin(), previous.end());
  for (const auto &[path, value] : the_case.parameters) {
    const auto old_entry = unmatched.find(path);
    const bool is_new = old_entry == unmatched.end();
    const bool differs = !is_one_of(location_entries, path) && !names_file_of_bodies(path) &&
                         (is_new || !same_value(old_entry->second, value));
    if (is_checksum(path)) {
      // A formula with another table differs itself, unlike the entry that names a file of bodies.
      const bool is_of_bodies =
          path.rfind(body_table_prefix, 0) == 0 || path.rfind(surface_prefix, 0) == 0;
      if (differs && (!is_new || (has_checksums && is_of_bodies)))
        problems.add({parameters.name(), 0, path + " differs from the earlier run"});
    } else if (differs && is_one_of(entries_of_the_future, path))
      changes.push_back(path + " = " + value + " from here on; it was '" +
                        (is_new ? "" : old_entry->second) + "'");
    else if (differs)
      parameters.report(path,
                        is_new ? "the earlier run did not have it"
                               : "the earlier run has '" + old_entry->second + "'",
                        problems);
    if (!is_new)
      unmatched.erase(old_entry);
  }
  for (const auto &[path, value] : unmatched)
    // Bodies without their file have other entries of their shape or placement.
    if (!is_checksum(path))
      problems.add({parameters.name(), 0,
                    "'" + path + "' is not given: the earlier run has '" + value + "'"});
  try {
    problems.throw_if_any();
  } catch (const InputError &error) {
    throw InputError(error.what() +
                     ("\nA run is resumed with the parameters that it began with: percussion " +
                      shell_word(folder + "/parameters.prm") + " --output " + shell_word(folder) +
                      " --resume. Or run the case again without --resume"));
  }
}

template <int dim>
void ResultsFolder<dim>::prepare(const std::string &effective_parameters, Log &log) {
  processes::agree([&] {
    if (processes::is_first())
      prepare_files(effective_parameters, log);
  });
}

template <int dim>
void ResultsFolder<dim>::prepare_files(const std::string &effective_parameters, Log &log) {
  if (found) {
    log.open(folder + "/log.txt",
             true); // opened before any file is removed, because opening may fail
    if (!changes.empty() || !fs::exists(folder + "/parameters.prm"))
      write_file(folder + "/parameters.prm", effective_parameters);
    cut_back();
    for (const auto &remark : remarks)
      log.warning(remark + "; the other checkpoint is taken");
    log.info("Resumed   after step " + std::to_string(found->state.step));
    for (const auto &change : changes)
      log.info("Changed   " + change);
    return;
  }
  if (is_to_resume)
    log.info("No checkpoint in " + folder + ": the run begins from the start.");
  release();
  const std::string moved = prepare_output_directory(the_case.output);
  lock = lock_folder(folder);
  log.open(folder + "/log.txt");
  write_file(folder + "/parameters.prm", effective_parameters);
  if (!moved.empty())
    log.info(moved);
}

/// Removes results written after the checkpoint; the tables and lists are truncated when they are
/// opened.
template <int dim>
void ResultsFolder<dim>::cut_back() const {
  const auto n_instants = static_cast<unsigned int>(found->instants.size());
  remove_files(folder, [&](const std::string &name) {
    return fs::path(name).extension() == ".tmp" || name == "summary.json" ||
           is_numbered(name, "solution-%u.vtu%n", n_instants) ||
           is_numbered(name, "solution-%u.pvtu%n", n_instants) ||
           is_numbered(name, "solution-%u_%*u.vtu%n", n_instants) ||
           is_numbered(name, "contacts-%u.vtu%n", n_instants);
  });
  remove_files(folder + "/problems", [&](const std::string &name) {
    return name.find(".hdf5.tmp") != std::string::npos ||
           is_numbered(name, "step-%u.hdf5%n", found->state.step + 1) ||
           is_numbered(name, "failed-%u.hdf5%n", found->state.step + 1);
  });
}

template class ResultsFolder<2>;
template class ResultsFolder<3>;

} // namespace percussion
