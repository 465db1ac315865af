#include <percussion/fc/run_table.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <limits>
#include <map>

namespace percussion::fc {
namespace {

constexpr std::size_t longest_name = 40;

/// Returns a name in ASCII; "..." replaces the middle of a long one.
std::string short_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](const char c) { return c < ' ' || c > '~'; }, '?');
  if (name.size() <= longest_name)
    return name;
  const std::size_t end = (longest_name - 3) / 2;
  return name.substr(0, longest_name - 3 - end) + "..." + name.substr(name.size() - end);
}

std::string seconds(const double time) {
  return std::isfinite(time) ? scientific(time, 3) + " s" : "-";
}

double median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.;
}

void print_gain(std::ostream &output, const SolverSummary &cold, const SolverSummary &warm) {
  char text[160];
  std::snprintf(
      text, sizeof text,
      "%s: from the last solution (%zu of %zu problems) %.3g times the time and %.3g times "
      "the iterations of cold starts\n",
      cold.solver.c_str(), warm.n_warm, warm.n_problems, warm.total_time / cold.total_time,
      static_cast<double>(warm.iterations) /
          static_cast<double>(std::max<std::size_t>(cold.iterations, 1)));
  output << text;
}

} // namespace

std::string scientific(const double value, const int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*e", digits, value);
  return text;
}

Table::Table(std::ostream &stream, const std::vector<ProblemFile> &files, const Settings &settings)
    : output(stream), name_width(7), solver_width(6) {
  for (const ProblemFile &file : files)
    name_width = std::max(name_width, static_cast<int>(short_name(file.name).size()));
  for (const ConeMethodEntry &solver : settings.solvers) {
    const std::size_t size = settings.sequence ? warm_name(solver.name).size() : solver.name.size();
    solver_width = std::max(solver_width, static_cast<int>(size));
  }
}

void Table::header() {
  output << std::left << std::setw(name_width) << "problem"
         << "  dim  contacts  " << std::setw(solver_width) << "solver"
         << "  outcome         iterations  residual  raw residual    time [s]\n";
}

void Table::row(const Run &run) {
  using std::left, std::right, std::setw;
  output << left << setw(name_width) << short_name(run.problem) << "  " << right << setw(3)
         << run.dimension << "  " << setw(8) << run.n_contacts << "  " << left << setw(solver_width)
         << run.solver << "  " << setw(14) << verdict(run) << "  " << right << setw(10)
         << run.iterations << "  " << setw(8) << scientific(run.residual) << "  " << setw(12)
         << scientific(run.raw_residual) << "  " << setw(10) << scientific(run.time, 3)
         << std::endl; // flush each line: the next may take long
  for (const auto &line : run.record)
    output << "  " << line << '\n';
}

std::vector<SolverSummary> summarise(const std::vector<Run> &runs) {
  std::vector<SolverSummary> summaries;
  std::map<std::string, std::vector<double>> times; // times of solved problems
  for (const Run &run : runs) {
    auto found = std::find_if(summaries.begin(), summaries.end(),
                              [&run](const auto &summary) { return summary.solver == run.solver; });
    if (found == summaries.end())
      found = summaries.insert(found, {run.solver});
    ++found->n_problems;
    found->n_solved += run.solved;
    found->total_time += run.time;
    found->iterations += run.iterations;
    found->n_warm += run.start != Start::cold;
    if (run.solved)
      times[run.solver].push_back(run.time);
  }
  for (SolverSummary &summary : summaries)
    summary.median_time = median(times[summary.solver]);
  return summaries;
}

void print_summary(std::ostream &output, const Results &results) {
  const auto summaries = summarise(results.runs);
  std::size_t width = 0;
  for (const auto &summary : summaries)
    width = std::max(width, summary.solver.size());
  output << '\n';
  for (const auto &summary : summaries)
    output << std::left << std::setw(static_cast<int>(width)) << summary.solver << "  solved "
           << summary.n_solved << " of " << summary.n_problems << ", total time "
           << seconds(summary.total_time) << ", iterations " << summary.iterations
           << ", median time of the solved " << seconds(summary.median_time) << '\n';
  for (const auto &cold : summaries)
    for (const auto &warm : summaries)
      if (warm.solver == warm_name(cold.solver))
        print_gain(output, cold, warm);
  if (results.agreement.empty())
    return;
  const Agreement &worst = results.agreement.front();
  output << "largest difference in u between two solutions, in natural units: "
         << scientific(worst.difference) << " (" << worst.first << " and " << worst.second << " on "
         << short_name(worst.problem) << ")\n";
}

} // namespace percussion::fc
