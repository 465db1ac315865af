#pragma once

#include <chrono>
#include <fstream>
#include <string>

namespace percussion {

/// Returns as many of the first items, separated by two blanks, as fit into this number of columns.
/// Items are never truncated: a truncated number would be a different number.
std::string whole_items(const std::string &items, std::size_t n_columns);

/// Log of a run: prints to the terminal, unless silent, and to `log.txt` once it is open.
class Log {
public:
  Log() = default;
  /// Makes a log. `warns`: warnings are printed to standard error even if the log is silent.
  explicit Log(bool is_silent, bool warns = false) : silent(is_silent), warns_if_silent(warns) {}
  /// Makes a log that neither prints nor writes.
  static Log discarding() {
    Log log(true);
    log.discards = true;
    return log;
  }

  /// Opens the file of the log, and writes all previous output to it. Throws WriteError.
  void open(const std::string &file, bool append = false);

  void info(const std::string &text);
  void warning(const std::string &text);
  /// Shows the current activity until the next line, on a terminal only.
  void show(const std::string &text);

  /// Writes to the file only.
  void record(const std::string &line);

  /// Starts the clock of progress() after `step` of the run's `n_steps` steps; the next step
  /// begins now.
  void start_progress(unsigned int step, unsigned int n_steps);

  /// Shows the progress: one line that is overwritten on a terminal, otherwise a line every tenth
  /// of the run.
  void progress(unsigned int step, unsigned int n_steps, double time, const std::string &detail);

  /// True if it is time for progress().
  bool progress_due(unsigned int step, unsigned int n_steps);

private:
  using Clock = std::chrono::steady_clock;
  bool silent = false, warns_if_silent = false, discards = false;
  std::ofstream file;
  std::string said_before;
  bool on_progress_line = false;
  /// Instant from which the time of the last steps is measured.
  struct Mark {
    unsigned int step = 0;
    Clock::time_point at = Clock::now();
  };
  unsigned int first_step = 0, tenths_shown = 0;
  Clock::time_point begin = Clock::now(), last_shown = begin;
  Mark earlier, later; ///< at least a tenth of the run apart, except at its beginning
};

} // namespace percussion
