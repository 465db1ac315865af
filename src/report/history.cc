#include <percussion/base/error.h>
#include <percussion/report/axis.h>
#include <percussion/report/history.h>
#include <percussion/report/table.h>

#include <algorithm>
#include <functional>
#include <set>

namespace percussion::report {
namespace fs = std::filesystem;

const std::vector<std::string> work_columns = {"work_external",           "work_viscous",
                                               "work_numerical",          "work_contact_normal",
                                               "work_contact_tangential", "work_prescribed"};

namespace {
const std::vector<std::string> other_columns = {"step",
                                                "time",
                                                "kinetic",
                                                "strain",
                                                "total",
                                                "balance_residual",
                                                "tangential_work_max",
                                                "tangential_work_min",
                                                "contacts_active",
                                                "contacts_sliding",
                                                "penetration_max"};

std::string folder_name(const fs::path &folder) {
  const fs::path name = fs::absolute(folder).lexically_normal();
  return (name.has_filename() ? name.filename() : name.parent_path().filename()).string();
}

std::string step_label(const History &run) {
  const std::string unit = parse_units(run.remark("units")).time;
  return "h = " + number_with_unit(step_length(run), unit);
}

using Label = std::function<std::string(const History &)>;

/// Gives every run its label, if these differ.
bool label_by(std::vector<History> &runs, const Label &label) {
  std::set<std::string> labels;
  for (auto &run : runs)
    labels.insert(run.label = label(run));
  return labels.size() == runs.size() && labels.count("") == 0;
}

bool are_of_one_case(const std::vector<History> &runs) {
  return std::all_of(runs.begin(), runs.end(), [&](const History &run) {
    return !run.remark("case").empty() && run.remark("case") == runs.front().remark("case");
  });
}

void label(std::vector<History> &runs) {
  const Label scheme = [](const History &run) { return run.remark("scheme"); };
  const Label both = [&](const History &run) { return scheme(run) + ", " + step_label(run); };
  if (runs.size() > 1 && are_of_one_case(runs))
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

double step_length(const History &run) {
  const double steps = run["step"].back() - run["step"].front();
  return steps > 0 ? (run["time"].back() - run["time"].front()) / steps : 0;
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
  auto needed = other_columns;
  needed.insert(needed.end(), work_columns.begin(), work_columns.end());
  Table table = read_table(file, needed);
  return {folder, folder_name(folder), std::move(table.remarks), std::move(table.columns)};
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

} // namespace percussion::report
