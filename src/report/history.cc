#include <percussion/base/error.h>
#include <percussion/report/axis.h>
#include <percussion/report/history.h>

#include <algorithm>
#include <functional>
#include <set>

namespace percussion::report {
namespace fs = std::filesystem;

const std::vector<std::string> work_columns = {"work_external",           "work_viscous",
                                               "work_numerical",          "work_contact_normal",
                                               "work_contact_tangential", "work_prescribed"};

namespace {
std::string folder_name(const fs::path &folder) {
  const fs::path name = fs::absolute(folder).lexically_normal();
  return (name.has_filename() ? name.filename() : name.parent_path().filename()).string();
}

/// All steps are equally long, except those that end a run.
std::string step_label(const History &run) {
  const double steps = run["step"].back() - run["step"].front();
  const double time = run["time"].back() - run["time"].front();
  return "h = " + number_with_unit(steps > 0 ? time / steps : 0, run.units().time);
}

using Label = std::function<std::string(const History &)>;

/// Labels every run; false where two labels agree or one is empty.
bool label_by(std::vector<History> &runs, const Label &label) {
  std::set<std::string> labels;
  for (auto &run : runs)
    labels.insert(run.label = label(run));
  return labels.size() == runs.size() && labels.count("") == 0;
}

void label(std::vector<History> &runs) {
  const Label scheme = [](const History &run) { return run.remark("scheme"); };
  const Label both = [&](const History &run) { return scheme(run) + ", " + step_label(run); };
  const std::string name = runs.front().remark("case");
  const bool one_case = std::all_of(runs.begin(), runs.end(),
                                    [&](const auto &run) { return run.remark("case") == name; });
  if (runs.size() > 1 && one_case && !name.empty())
    for (const Label &kind : {scheme, Label(step_label), both})
      if (label_by(runs, kind))
        return;
  if (!label_by(runs, [](const History &run) { return folder_name(run.folder); }))
    label_by(runs, [](const History &run) { return run.folder.string(); });
}
} // namespace

std::string History::remark(const std::string &key) const {
  const auto found = remarks.find(key);
  return found == remarks.end() ? std::string() : found->second;
}

History read_history(const fs::path &folder) {
  if (!fs::is_directory(folder))
    throw InputError(folder.string() + (fs::exists(folder)
                                            ? ": is a file; give the output folder of a run"
                                            : ": no such folder"));
  const fs::path file = folder / "energy.csv";
  if (!fs::is_regular_file(file))
    throw InputError(file.string() + ": cannot be read; is " + folder.string() +
                     " the output folder of a run?");
  auto needed = work_columns;
  for (const char *name : {"step", "time", "kinetic", "strain", "total", "balance_residual",
                           "tangential_work_max", "tangential_work_min", "contacts_active",
                           "contacts_sliding", "penetration_max", "percussion_normal"})
    needed.emplace_back(name);
  return {read_table(file, needed), folder, folder_name(folder)};
}

std::vector<History> read_histories(const std::vector<fs::path> &folders,
                                    const std::vector<std::string> &labels) {
  std::vector<History> histories;
  for (const auto &folder : folders)
    histories.push_back(read_history(folder));
  if (labels.empty())
    label(histories);
  else if (labels.size() != histories.size())
    throw InputError("--label: " + std::to_string(labels.size()) + " labels for " +
                     std::to_string(histories.size()) + " outputs; give one for each, or none");
  else
    for (std::size_t i = 0; i < labels.size(); ++i)
      histories[i].label = labels[i];
  return histories;
}

std::vector<std::string> rigid_bodies_of(const Table &motions) {
  std::vector<std::string> names;
  for (const std::string &column : motions.names)
    if (column.size() > 2 && column.compare(column.size() - 2, 2, ".x") == 0)
      names.push_back(column.substr(0, column.size() - 2));
  return names;
}

Table read_motions(const fs::path &folder) {
  const fs::path file = folder / "rigid_bodies.csv";
  return fs::exists(file) ? read_table(file, {"step", "time"}) : Table();
}

} // namespace percussion::report
