#include <percussion/base/csv_table.h>
#include <percussion/base/error.h>
#include <percussion/fc/run_table.h>
#include <percussion/fc/write_results.h>
#include <percussion/version.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <locale>
#include <sstream>

namespace percussion::fc {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;

const char *form(const Run &run) { return run.global ? "global" : "reduced"; }

json as_json(const Run &run) {
  return {{"problem", run.problem},
          {"file", run.file},
          {"form", form(run)},
          {"dimension", run.dimension},
          {"contacts", run.n_contacts},
          {"solver", run.solver},
          {"method", run.method},
          {"solved", run.solved},
          {"outcome", verdict(run)},
          {"iterations", run.iterations},
          {"residual", run.residual},
          {"raw_residual", run.raw_residual},
          {"time", run.time},
          {"open", run.n_open},
          {"stick", run.n_stick},
          {"slip", run.n_slip},
          {"start", name_of(run.start)},
          {"message", run.message}};
}

json as_json(const SolverSummary &sum) {
  return {{"solver", sum.solver},           {"problems", sum.n_problems},
          {"solved", sum.n_solved},         {"total_time", sum.total_time},
          {"median_time", sum.median_time}, {"iterations", sum.iterations}};
}

json as_json(const Agreement &two) {
  return {{"problem", two.problem},
          {"solvers", {two.first, two.second}},
          {"difference", two.difference}};
}

json as_json(const BrokenFile &broken) {
  return {{"file", broken.file}, {"message", broken.message}};
}

template <typename Item>
json list(const std::vector<Item> &items) {
  json array = json::array();
  for (const auto &item : items)
    array.push_back(as_json(item));
  return array;
}

void write_text(const fs::path &file, const std::string &text) {
  std::ofstream output(file);
  if (!(output << text << std::flush))
    throw RunError(file.string() + ": cannot be written (disk full, or no permission?)");
}

} // namespace

void write_json(const fs::path &file, const Settings &settings, const Results &results) {
  const json all = {{"version", PERCUSSION_VERSION},
                    {"tolerance", settings.options.tolerance},
                    {"max_iterations", settings.options.max_iterations},
                    {"time_limit", settings.options.time_limit},
                    {"start", settings.sequence ? "sequence"
                              : settings.warm   ? "warm"
                                                : "cold"},
                    {"runs", list(results.runs)},
                    {"summary", list(summarise(results.runs))},
                    {"agreement", list(results.agreement)},
                    {"broken", list(results.broken)},
                    {"interrupted", results.interrupted}};
  // File names need not be UTF-8, JSON must be.
  write_text(file, all.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
}

void write_csv(const fs::path &file, const std::vector<Run> &runs) {
  std::ostringstream output;
  output.imbue(std::locale::classic());
  output.precision(17);
  output << "problem,solver,time,solved,outcome,residual,raw_residual,iterations,form,dimension,"
            "contacts,open,stick,slip,method,file,start\n";
  for (const Run &run : runs)
    output << csv_field(run.problem) << ',' << run.solver << ',' << run.time << ',' << run.solved
           << ',' << verdict(run) << ',' << run.residual << ',' << run.raw_residual << ','
           << run.iterations << ',' << form(run) << ',' << run.dimension << ',' << run.n_contacts
           << ',' << run.n_open << ',' << run.n_stick << ',' << run.n_slip << ','
           << csv_field(run.method) << ',' << csv_field(run.file) << ',' << name_of(run.start)
           << '\n';
  write_text(file, output.str());
}

void require_writable(const fs::path &file) {
  const bool is_new = !fs::exists(file);
  if (!std::ofstream(file, std::ios::app))
    throw RunError(file.string() + ": cannot be written (is there such a folder? no permission?)");
  if (is_new)
    fs::remove(file);
}

} // namespace percussion::fc
