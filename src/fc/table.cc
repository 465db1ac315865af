#include <percussion/fc/table.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace percussion::fc {
namespace {

constexpr std::size_t longest_name = 40;

template <typename... Values>
std::string format(const char *pattern, const Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

std::string left(std::string text, const std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string right(const std::string &text, const std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string seconds(const double time) {
  return std::isfinite(time) ? format("%.3e s", time) : "-";
}

double median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.;
}

template <typename Range, typename Length>
std::size_t widest(const Range &range, std::size_t least, const Length &length) {
  for (const auto &item : range)
    least = std::max<std::size_t>(least, length(item));
  return least;
}

} // namespace

std::string shortened(const std::string &name, const std::size_t width) {
  std::string text = name;
  std::replace_if(
      text.begin(), text.end(), [](const char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() <= width)
    return text;
  const std::size_t end = (width - 3) / 2;
  return text.substr(0, width - 3 - end) + "..." + text.substr(text.size() - end);
}

Table::Table(std::ostream &stream, const std::vector<ProblemFile> &files,
             const std::vector<ConeMethodEntry> &solvers)
    : out(stream),
      name_width(
          widest(files, 7,
                 [](const ProblemFile &file) { return std::min(file.name.size(), longest_name); })),
      solver_width(
          widest(solvers, 6, [](const ConeMethodEntry &solver) { return solver.name.size(); })) {}

void Table::header() {
  out << left("problem", name_width) << "  dim  contacts  " << left("solver", solver_width)
      << "  outcome         iterations  residual  raw residual    time [s]\n";
}

void Table::row(const Run &run) {
  out << left(shortened(run.problem, longest_name), name_width) << "  "
      << right(std::to_string(run.dimension), 3) << "  " << right(std::to_string(run.n_contacts), 8)
      << "  " << left(run.solver, solver_width) << "  " << left(std::string(verdict(run)), 14)
      << "  " << right(std::to_string(run.iterations), 10) << "  "
      << right(format("%.2e", run.residual), 8) << "  "
      << right(format("%.2e", run.raw_residual), 12) << "  " << right(format("%.3e", run.time), 10)
      << std::endl; // every line at once: the next may take long
}

std::vector<SolverSummary> summarise(const std::vector<Run> &runs) {
  std::vector<SolverSummary> summaries;
  std::vector<std::vector<double>> times;
  for (const Run &run : runs) {
    const auto found =
        std::find_if(summaries.begin(), summaries.end(),
                     [&](const SolverSummary &summary) { return summary.solver == run.solver; });
    const std::size_t place = found - summaries.begin();
    if (found == summaries.end()) {
      summaries.emplace_back();
      summaries.back().solver = run.solver;
      times.emplace_back();
    }
    ++summaries[place].n_problems;
    summaries[place].n_solved += run.solved;
    summaries[place].total_time += run.time;
    if (run.solved)
      times[place].push_back(run.time);
  }
  for (std::size_t k = 0; k < summaries.size(); ++k)
    summaries[k].median_time = median(times[k]);
  return summaries;
}

void print_summary(std::ostream &out, const Results &results) {
  const auto summaries = summarise(results.runs);
  const std::size_t width =
      widest(summaries, 0, [](const SolverSummary &summary) { return summary.solver.size(); });
  out << '\n';
  for (const auto &summary : summaries)
    out << left(summary.solver, width) << "  solved " << summary.n_solved << " of "
        << summary.n_problems << ", total time " << seconds(summary.total_time)
        << ", median time of the solved " << seconds(summary.median_time) << '\n';
  if (results.agreement.empty())
    return;
  const Agreement &worst = results.agreement.front();
  out << "largest difference in u between two solutions, in natural units: "
      << format("%.2e", worst.difference) << " (" << worst.first << " and " << worst.second
      << " on " << shortened(worst.problem, longest_name) << ")\n";
}

} // namespace percussion::fc
