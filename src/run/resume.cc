#include <percussion/base/appended_file.h>
#include <percussion/base/durable_file.h>
#include <percussion/base/error.h>
#include <percussion/base/shell_word.h>
#include <percussion/input/mesh_fingerprint.h>
#include <percussion/output/paraview_macro.h>
#include <percussion/output/vtu_list.h>
#include <percussion/run/results_folder.h>
#include <percussion/version.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace percussion {
namespace {

namespace fs = std::filesystem;

/// Parameters that do not change what is computed or how it is written: where files are (the mesh
/// is compared by itself), and when checkpoints are written.
bool may_change(const std::string &path) {
  const std::vector<std::string> free = {
      "Mesh/File", "Output/Directory", "Output/Existing directory",
      "Output/Steps between checkpoints", "Output/Seconds between checkpoints"};
  return std::find(free.begin(), free.end(), path) != free.end();
}

bool same_value(const std::string &a, const std::string &b) {
  const auto x = to_number<double>(a), y = to_number<double>(b);
  return a == b || (x && y && *x == *y);
}

using Values = std::vector<std::pair<std::string, std::string>>;

/// Throws InputError with all parameters that have another value than in the run in the folder.
void compare(const Values &then, const Values &now, const Parameters &parameters,
             const std::string &folder) {
  Problems problems;
  std::map<std::string, std::string> left(then.begin(), then.end());
  for (const auto &[path, value] : now) {
    const auto before = left.find(path);
    const bool is_new = before == left.end();
    if (!may_change(path) && (is_new || !same_value(before->second, value)))
      parameters.report(path,
                        is_new ? "the run that is to be resumed did not have it"
                               : "the run that is to be resumed has '" + before->second + "'",
                        problems);
    if (!is_new)
      left.erase(before);
  }
  for (const auto &[path, value] : left)
    problems.add(
        {parameters.name(), 0,
         "'" + path + "' is not given: the run that is to be resumed has '" + value + "'"});
  try {
    problems.throw_if_any();
  } catch (const InputError &error) {
    throw InputError(error.what() +
                     ("\nA run is resumed with the parameters that it began with: "
                      "percussion " +
                      shell_word(folder + "/parameters.prm") + " --output " + shell_word(folder) +
                      " --resume. Or run the case again without --resume"));
  }
}

} // namespace

template <int dim>
bool is_complete(const Case<dim> &c, const Parameters &parameters) {
  const std::string &folder = c.output.directory;
  std::ifstream file(folder + "/summary.json");
  const auto summary = nlohmann::json::parse(file, nullptr, false);
  if (!summary.is_object() || summary.value("status", nlohmann::json()) != "completed")
    return false;
  const auto of_run = ParameterFile::read(folder + "/parameters.prm");
  compare(Parameters(declare_case(&of_run), of_run).values(), c.parameters, parameters, folder);
  return true;
}

namespace {

/// Throws RunError where a result that a checkpoint goes on from is not there any more.
template <int dim>
void check_results(const std::string &folder, const Checkpoint<dim> &checkpoint) {
  for (const char *const series : vtu_series)
    for (std::size_t i = 0; i < checkpoint.instants.size(); ++i)
      check_kept(folder + "/" + vtu_name(series, i), 0);
  check_kept(folder + "/energy.csv", checkpoint.energy_bytes);
  if (checkpoint.rigid_bytes > 0)
    check_kept(folder + "/rigid_bodies.csv", checkpoint.rigid_bytes);
}

} // namespace

template <int dim>
std::optional<Checkpoint<dim>> find_checkpoint(const Case<dim> &c, const Parameters &parameters,
                                               std::vector<std::string> &remarks) {
  const std::string &folder = c.output.directory;
  const auto found = CheckpointFiles(folder).read<dim>(
      remarks, [&](const Checkpoint<dim> &checkpoint) { check_results(folder, checkpoint); });
  if (!found)
    return found;
  if (found->version != PERCUSSION_VERSION)
    throw RunError(folder + ": its checkpoint is of Percussion " + found->version +
                   ", and this is " PERCUSSION_VERSION
                   ": go on with that version, or run the case again without --resume");
  compare(found->parameters, c.parameters, parameters, folder);
  if (c.mesh && fingerprint(*c.mesh) != found->mesh)
    throw RunError(c.mesh->file + ": this mesh is another one than at the checkpoint in " + folder +
                   ": bring back the mesh that the run began with, or run the case again without "
                   "--resume");
  return found;
}

namespace {

/// The number in "solution-000123.vtu" if it begins and ends like that; −1 else.
long number_in(const std::string &name, const std::string &begin, const std::string &end) {
  if (name.size() <= begin.size() + end.size() || name.compare(0, begin.size(), begin) != 0 ||
      name.compare(name.size() - end.size(), end.size(), end) != 0)
    return -1;
  return to_number<long>(name.substr(begin.size(), name.size() - begin.size() - end.size()))
      .value_or(-1);
}

/// The number of a VTU file; −1 if it is none. `end`: of its name.
long number_of_vtu(const std::string &name, const std::string &end) {
  long number = -1;
  for (const std::string series : vtu_series)
    number = std::max(number, number_in(name, series + "-", end));
  return number;
}

/// The temporary file of one that a run writes.
bool is_temporary(const std::string &name) {
  for (const char *const file : {"parameters.prm", "summary.json", "solution.pvd", "contacts.pvd",
                                 "checkpoint-1.bin", "checkpoint-2.bin", paraview_macro_name})
    if (name == temporary_name(file))
      return true;
  return number_of_vtu(name, temporary_name(".vtu")) >= 0;
}

/// Remove the files of a folder whose names are to go.
template <typename IsToGo>
void remove_files(const fs::path &folder, const IsToGo &is_to_go) {
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
void cut_back(const std::string &folder, const Checkpoint<dim> &checkpoint) {
  remove_files(folder, is_temporary);
  // Whenever this is interrupted the lists name files that are there.
  for (const std::string series : vtu_series) {
    std::string entries;
    for (std::size_t i = 0; i < checkpoint.instants.size(); ++i)
      entries += pvd_entry(series, i, checkpoint.instants[i]);
    write_durably(folder + "/" + series + ".pvd", pvd_text(entries));
  }
  const auto n_instants = static_cast<long>(checkpoint.instants.size());
  remove_files(folder, [&](const std::string &name) {
    return name == "summary.json" || number_of_vtu(name, ".vtu") >= n_instants;
  });
  const long step = checkpoint.state.step;
  remove_files(folder + "/problems", [&](const std::string &name) {
    return name.find(".hdf5.tmp") != std::string::npos ||
           number_in(name, "step-", ".hdf5") > step || number_in(name, "failed-", ".hdf5") > step;
  });
}

template bool is_complete(const Case<2> &, const Parameters &);
template std::optional<Checkpoint<2>> find_checkpoint(const Case<2> &, const Parameters &,
                                                      std::vector<std::string> &);
template void cut_back(const std::string &, const Checkpoint<2> &);

} // namespace percussion
