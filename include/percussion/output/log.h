#pragma once

#include <chrono>
#include <fstream>
#include <string>

namespace percussion {

/// What a run says: on the terminal, unless it is silent, and in `log.txt` once there is one.
class Log {
public:
  Log() = default;
  explicit Log(bool is_silent) : silent(is_silent) {}

  /// Go on in this file, anew or behind what it holds; what was said before is written to it too.
  void open(const std::string &file, bool append = false);

  void info(const std::string &text);
  void warning(const std::string &text);

  /// Write to the file only: what the terminal gets as an error.
  void record(const std::string &line);

  /// The steps after this one begin now.
  void start_progress(unsigned int step, unsigned int n_steps);

  /// Say how far the run is: one line that is rewritten on a terminal, else a line every tenth of
  /// the run. `detail` is shown behind step and time.
  void progress(unsigned int step, unsigned int n_steps, double time, const std::string &detail);

  /// Whether a call of progress() now would show anything: making its text costs more than asking.
  bool progress_due(unsigned int step, unsigned int n_steps);

private:
  void end_progress_line();

  using Clock = std::chrono::steady_clock;
  bool silent = false;
  std::ofstream file;
  std::string said_before;
  bool on_progress_line = false;
  unsigned int first_step = 0, tenths_shown = 0;
  Clock::time_point begin = Clock::now(), last_shown = begin;
};

} // namespace percussion
