#include <percussion/base/file.h>
#include <percussion/output/log.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace percussion {
namespace {

bool on_terminal() {
  static const bool terminal = isatty(STDOUT_FILENO) == 1;
  return terminal;
}

/// Columns of the terminal; 80 where it does not tell.
std::size_t n_columns() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::string duration(double seconds) {
  char text[32];
  if (seconds < 60)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 3600)
    std::snprintf(text, sizeof text, "%.0f min %02.0f s", std::floor(seconds / 60),
                  std::fmod(seconds, 60));
  else
    std::snprintf(text, sizeof text, "%.0f h %02.0f min", std::floor(seconds / 3600),
                  std::fmod(seconds, 3600) / 60);
  return text;
}

} // namespace

void Log::open(const std::string &name, bool append) {
  file.open(name, append ? std::ios::app : std::ios::trunc);
  if (!(file << said_before << std::flush))
    throw_write_error(name);
  said_before.clear();
}

void Log::end_progress_line() {
  if (on_progress_line)
    std::cout << '\n';
  on_progress_line = false;
}

void Log::info(const std::string &text) {
  const std::string line = printable(text);
  record(line); // first: whoever reads the other may be gone
  if (!silent)
    std::cout << line << std::endl;
}

void Log::record(const std::string &line) {
  end_progress_line();
  file.clear(); // where a line was lost (disk full) the next may find room
  if (file.is_open())
    file << line << std::endl;
  else
    said_before += line + "\n";
}

void Log::warning(const std::string &text) { info("Warning: " + text); }

void Log::start_progress(unsigned int step, unsigned int n_steps) {
  begin = last_shown = Clock::now();
  first_step = step;
  tenths_shown = static_cast<unsigned int>(10ull * step / n_steps);
}

bool Log::progress_due(unsigned int step, unsigned int n_steps) {
  if (step == n_steps)
    return true;
  if (!silent && on_terminal())
    return Clock::now() - last_shown > std::chrono::milliseconds(200);
  return 10ull * step / n_steps > tenths_shown;
}

void Log::progress(unsigned int step, unsigned int n_steps, double time,
                   const std::string &detail) {
  last_shown = Clock::now();
  tenths_shown = static_cast<unsigned int>(10ull * step / n_steps);
  const double elapsed = std::chrono::duration<double>(last_shown - begin).count();
  const double remaining = elapsed * (n_steps - step) / std::max(1u, step - first_step);
  const std::string left =
      step == n_steps ? "took " + duration(elapsed) : duration(remaining) + " remaining";
  char head[96];
  std::snprintf(head, sizeof head, "step %u/%u (%3.0f %%)  t = %.6g  ", step, n_steps,
                100. * step / n_steps, time);
  if (!silent && on_terminal() && step < n_steps) {
    // A line that wraps could not be rewritten: the detail is cut, never the remaining time.
    const std::size_t taken = std::string(head).size() + left.size() + 3;
    const std::size_t room = n_columns() > taken ? n_columns() - taken : 0;
    std::cout << '\r' << head << detail.substr(0, room) << (room > 0 ? "  " : "") << left
              << "\033[K" << std::flush;
    on_progress_line = true;
    return;
  }
  if (on_progress_line)
    std::cout << "\r\033[K";
  on_progress_line = false;
  info(head + detail + "  " + left);
}

} // namespace percussion
