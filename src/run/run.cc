#include <percussion/dynamics/step.h>
#include <percussion/io/error.h>
#include <percussion/output/energy_history.h>
#include <percussion/output/problem_files.h>
#include <percussion/output/rigid_history.h>
#include <percussion/output/summary.h>
#include <percussion/output/vtu_output.h>
#include <percussion/run/run.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>

namespace percussion {
namespace {

/// Whether the k-th of n steps ends at one of m evenly spaced instants.
bool is_instant(unsigned int k, unsigned int n, unsigned int m) {
  const auto instant = [&](unsigned long long step) { return step * m / n; };
  return m > 0 && instant(k) > instant(k - 1ull);
}

/// The files of a run while it goes on.
template <int dim>
class Results {
public:
  Results(const Case<dim> &c)
      : directory(c.output.directory + "/"), history(directory + "energy.csv", remarks(c)),
        fields(c.output.directory, *c.bodies, *c.contacts, c.choices.h),
        problems(c.output.directory, {c.name, c.scheme_name, c.output.units, c.choices.theta}),
        of_case(c) {
    if (!c.bodies->rigid.empty())
      rigid_history.emplace(directory + "rigid_bodies.csv", remarks(c), c.bodies->rigid);
    summary.name = c.name;
    summary.scheme = c.scheme_name;
    summary.units = c.output.units;
    if (c.mesh) {
      summary.nodes = c.bodies->elastic->space.n_nodes();
      summary.cells = c.mesh->triangulation.n_active_cells();
    }
    summary.rigid_bodies = static_cast<unsigned int>(c.bodies->rigid.size());
    summary.dofs = c.bodies->n_dofs();
    summary.candidates = c.contacts->size();
    summary.start = c.span.start;
    summary.step = c.choices.h;
    summary.theta = c.choices.theta;
  }

  void begin(const State<dim> &state, const StepRecord<dim> &record) {
    summary.initial_energy = state.energy();
    summary.statistics.add(state, record);
    write_rows(state, record);
    fields.write(state, record);
  }

  void add(const State<dim> &state, const StepRecord<dim> &record) {
    summary.works += record.works;
    summary.statistics.add(state, record);
    const bool last = state.step == of_case.span.n_steps;
    if (last || state.step % of_case.output.history_interval == 0)
      write_rows(state, record);
    if (is_instant(state.step, of_case.span.n_steps, of_case.output.n_outputs)) {
      fields.write(state, record);
      flush_rows();
    }
  }

  /// The contact problem of a step, if it is one to write.
  void add_problem(unsigned int step, const PosedProblem &posed) {
    const unsigned int interval = of_case.output.contact_problems.interval;
    if (interval > 0 && step % interval == 0 && posed.problem.n_contacts > 0)
      problems.write(step, posed);
  }

  /// The contact problem of a step that has failed, if it is to be written; where it is, or why it
  /// is nowhere. Throws nothing: the failure of the step is the one to report.
  std::string add_failed_problem(unsigned int step, const PosedProblem &posed) {
    if (!of_case.output.contact_problems.on_failure)
      return {};
    try {
      return "\nIts contact problem is in " + problems.write_failed(step, posed);
    } catch (const std::exception &error) {
      return std::string("\nIts contact problem was not saved: ") + error.what();
    }
  }

  /// Everything so far to the operating system.
  void flush() {
    flush_rows();
    fields.finish();
  }

  void end(const State<dim> &state, const std::string &status, const std::string &message,
           const PhaseTimes &times, double wall_time) {
    summary.status = status;
    summary.message = message;
    summary.end = state.time;
    summary.steps = state.step;
    summary.kinetic = state.kinetic;
    summary.strain = state.strain;
    summary.instants = fields.n_written();
    summary.contact_problems = problems.n_written();
    summary.times = times;
    summary.wall_time = wall_time;
    write_summary(directory + "summary.json", summary);
  }

  Summary summary;

private:
  static std::vector<std::pair<std::string, std::string>> remarks(const Case<dim> &c) {
    return {{"percussion", PERCUSSION_VERSION},
            {"case", c.name},
            {"scheme", c.scheme_name},
            {"units", c.output.units}};
  }

  void write_rows(const State<dim> &state, const StepRecord<dim> &record) {
    history.write(state, record, summary.works);
    if (rigid_history)
      rigid_history->write(*of_case.bodies, state);
  }

  void flush_rows() {
    history.flush();
    if (rigid_history)
      rigid_history->flush();
  }

  std::string directory;
  EnergyHistory history;
  std::optional<RigidHistory> rigid_history; ///< if there are rigid bodies
  VtuOutput<dim> fields;
  ProblemFiles problems;
  const Case<dim> &of_case;
};

template <int dim>
std::string progress_detail(const State<dim> &state, const StepRecord<dim> &record) {
  char text[128];
  std::snprintf(text, sizeof text, "energy %.6g  balance %+.1e  contacts %zu (%u sliding)",
                state.energy(), record.balance_residual, record.active.size(), record.n_sliding);
  return text;
}

void log_end(const Summary &s, Log &log) {
  char text[256];
  std::snprintf(text, sizeof text,
                "Energy    %.9g -> %.9g; largest balance residual of a step %.2e (%.1e of the "
                "largest energy)",
                s.initial_energy, s.kinetic + s.strain, s.statistics.balance_residual_max,
                s.statistics.balance_residual_max / std::max(s.statistics.energy_max, 1e-300));
  log.info(text);
  std::snprintf(text, sizeof text,
                "Contact   largest normal work %.2e, largest tangential work %.2e of one contact "
                "in one step",
                s.statistics.normal_work_max, s.statistics.tangential_work_max);
  log.info(text);
}

void tell_problems(const OutputOptions &options, unsigned int n_written, Log &log) {
  if (options.contact_problems.interval > 0 || options.contact_problems.on_failure)
    log.info("Problems  " + std::to_string(n_written) +
             (n_written == 1 ? " contact problem" : " contact problems") + " written" +
             (n_written == 0 ? "" : " to " + options.directory + "/problems"));
}

} // namespace

/// One line of a step that was cut, and what each cut was for in the log file.
void tell_cuts(unsigned int step, const std::vector<std::string> &cuts, Log &log) {
  if (cuts.empty())
    return;
  const std::string name = "step " + std::to_string(step) + ": ";
  if (cuts.size() == 1)
    return log.warning(name + cuts.front());
  log.warning(name + "cut " + std::to_string(cuts.size()) + " times; first " + cuts.front());
  for (const std::string &cut : cuts)
    log.record(name + cut);
}

template <int dim>
Summary run_case(const Case<dim> &c, Log &log) {
  using Clock = std::chrono::steady_clock;
  Results<dim> results(c);
  Step<dim> step(*c.bodies, *c.contacts, c.choices, c.cone);
  State<dim> state = c.initial;
  const auto begin = Clock::now();
  Stopwatch output_watch;
  const auto finish = [&](const std::string &status, const std::string &message) {
    PhaseTimes times = step.times();
    times.seconds[static_cast<std::size_t>(Phase::output)] =
        output_watch.times.seconds[static_cast<std::size_t>(Phase::output)];
    results.end(state, status, message, times,
                std::chrono::duration<double>(Clock::now() - begin).count());
  };
  double written = state.time;
  unsigned int k = 0; // the step that is being taken
  const auto add_parts_of_failed_step = [&] {
    tell_cuts(state.step, step.last().cuts, log);
    if (state.time > written)
      results.add(state, step.last());
  };
  try {
    step.initialise(state);
    output_watch.start();
    results.begin(state, step.last());
    output_watch.lap(Phase::output);
    log.progress_due(0, c.span.n_steps);
    for (k = 1; k <= c.span.n_steps; ++k) {
      const auto &record = step.advance(state, c.span.start + k * c.choices.h);
      output_watch.start();
      tell_cuts(k, record.cuts, log);
      results.add(state, record);
      written = state.time;
      results.add_problem(k, step.posed());
      if (log.progress_due(k, c.span.n_steps))
        log.progress(k, c.span.n_steps, state.time, progress_detail(state, record));
      output_watch.lap(Phase::output);
    }
    output_watch.start();
    results.flush();
    output_watch.lap(Phase::output);
  } catch (const std::exception &error) {
    const std::string message =
        error.what() +
        (step.failed_with_contacts() ? results.add_failed_problem(k, step.posed()) : "");
    // The first failure is the one to report; a full disk makes more of them.
    for (const std::function<void()> &save :
         {std::function<void()>([&] { add_parts_of_failed_step(); }),
          std::function<void()>([&] { results.flush(); }),
          std::function<void()>([&] { finish("failed", message); })})
      try {
        save();
      } catch (const std::exception &) {
      }
    tell_problems(c.output, results.summary.contact_problems, log);
    throw RunError(message);
  }
  finish("completed", "");
  log_end(results.summary, log);
  tell_problems(c.output, results.summary.contact_problems, log);
  return results.summary;
}

template Summary run_case(const Case<2> &, Log &);

} // namespace percussion
