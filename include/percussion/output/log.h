#pragma once

#include <chrono>
#include <fstream>
#include <string>

namespace percussion {

/// Returns the first of some items, separated by two blanks, that fit into so many columns: none is
/// cut, for the beginning of a number is another number.
std::string whole_items(const std::string &items, std::size_t n_columns);

/// Prints to the terminal, unless silent, and to `log.txt` once it is open.
class Log {
public:
  Log() = default;
  /// `warns`: warnings go to standard error all the same.
  explicit Log(bool is_silent, bool warns = false) : silent(is_silent), warns_if_silent(warns) {}

  /// Write to this file from now on, and what was printed before. Throws WriteError.
  void open(const std::string &file, bool append = false);

  void info(const std::string &text);
  void warning(const std::string &text);
  /// Show something that is being done, on a terminal only, until the next line.
  void show(const std::string &text);

  /// Write to the file only.
  void record(const std::string &line);

  /// Start the clock: the steps after this one begin now.
  void start_progress(unsigned int step, unsigned int n_steps);

  /// Show the progress: one line, rewritten on a terminal, otherwise a line every tenth of the run.
  void progress(unsigned int step, unsigned int n_steps, double time, const std::string &detail);

  /// Whether it is time for progress().
  bool progress_due(unsigned int step, unsigned int n_steps);

private:
  using Clock = std::chrono::steady_clock;
  bool silent = false, warns_if_silent = false;
  std::ofstream file;
  std::string said_before;
  bool on_progress_line = false;
  /// Instant of a run by which the time of its last steps is judged.
  struct Mark {
    unsigned int step = 0;
    Clock::time_point at = Clock::now();
  };
  unsigned int first_step = 0, tenths_shown = 0;
  Clock::time_point begin = Clock::now(), last_shown = begin;
  Mark earlier, later; ///< a tenth of the run apart, but for its beginning
};

} // namespace percussion
