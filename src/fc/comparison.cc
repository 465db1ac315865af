#include <percussion/base/csv_table.h>
#include <percussion/fc/comparison.h>
#include <percussion/fc/write_results.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace percussion::fc {
namespace {

/// Returns the index of a name, which is appended if it is new.
std::size_t index_of(const std::string &name, std::vector<std::string> &names) {
  const std::size_t index = std::find(names.begin(), names.end(), name) - names.begin();
  if (index == names.size())
    names.push_back(name);
  return index;
}

/// Enters a time; the smallest of several times counts.
void enter(TimeTable &table, const std::string &problem, const std::string &solver,
           const double time) {
  const std::size_t row = index_of(problem, table.problems);
  const std::size_t column = index_of(solver, table.solvers);
  table.time.resize(table.problems.size());
  for (auto &times : table.time)
    times.resize(table.solvers.size(), std::numeric_limits<double>::infinity());
  table.time[row][column] = std::min(table.time[row][column], time);
}

void write_profile(const std::filesystem::path &file, const PerformanceProfile &profile,
                   const std::vector<std::string> &solvers) {
  std::vector<std::string> columns = {"tau"};
  columns.insert(columns.end(), solvers.begin(), solvers.end());
  CsvTable table(file.string(), {}, columns);
  for (std::size_t k = 0; k < profile.ratio.size(); ++k) {
    table.number(profile.ratio[k]);
    for (const auto &fractions : profile.solved_fraction)
      table.number(fractions[k]);
    table.end_row();
  }
  table.flush();
}

/// Returns the first few names as text.
std::string listed(const std::set<std::string> &names) {
  std::string text;
  std::size_t n = 0;
  for (const std::string &name : names)
    if (++n <= 5)
      text += (n == 1 ? "" : ", ") + name;
  return n > 5 ? text + ", ..." : text;
}

} // namespace

TimeTable time_table(const std::vector<Run> &runs) {
  TimeTable table;
  for (const Run &run : runs)
    enter(table, run.problem, run.solver,
          run.solved ? run.time : std::numeric_limits<double>::infinity());
  return table;
}

std::vector<std::string> merge(const std::vector<TimeRow> &rows, const std::string &label,
                               TimeTable &table) {
  const std::set<std::string> problems(table.problems.begin(), table.problems.end());
  const std::set<std::string> ours(table.solvers.begin(), table.solvers.end());
  std::set<std::string> unknown;
  std::map<std::string, std::set<std::string>> missing; // problems by solver
  for (const TimeRow &row : rows) {
    if (problems.count(row.problem) == 0) {
      unknown.insert(row.problem);
      continue;
    }
    std::string solver = row.solver;
    while (ours.count(solver) > 0)
      solver += " (" + label + ")";
    enter(table, row.problem, solver, row.time);
    missing.try_emplace(solver, problems).first->second.erase(row.problem);
  }
  std::vector<std::string> remarks;
  if (!unknown.empty())
    remarks.push_back("problems that were not run here are omitted: " + listed(unknown));
  for (const auto &[solver, names] : missing)
    if (!names.empty())
      remarks.push_back(solver + " has no row for " + std::to_string(names.size()) +
                        " problems, which count as not solved: " + listed(names));
  return remarks;
}

std::vector<std::string> write_comparison(const std::filesystem::path &folder,
                                          const std::vector<Run> &runs,
                                          const std::vector<OtherTimes> &other_times) {
  write_csv(folder / "results.csv", runs);
  TimeTable table = time_table(runs);
  std::vector<std::string> remarks;
  for (const auto &times : other_times)
    for (const auto &remark : merge(times.rows, times.label, table))
      remarks.push_back(times.label + ": " + remark);
  write_profile(folder / "profile.csv", performance_profile(table.time), table.solvers);
  return remarks;
}

} // namespace percussion::fc
