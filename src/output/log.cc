#include <percussion/base/file.h>
#include <percussion/base/format.h>
#include <percussion/output/log.h>

#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace percussion {
namespace {

bool on_terminal() {
  static const bool terminal = isatty(STDOUT_FILENO) == 1;
  return terminal;
}

std::size_t n_columns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string duration(double seconds) {
  if (seconds < 3600)
    return seconds < 60 ? format("%.0f s", seconds) : format("%.1f min", seconds / 60);
  return format("%.1f h", seconds / 3600);
}

} // namespace

std::string whole_items(const std::string &items, std::size_t n_columns) {
  if (items.size() <= n_columns)
    return items;
  const std::size_t end = items.rfind("  ", n_columns);
  return end == std::string::npos ? "" : items.substr(0, end);
}

void Log::open(const std::string &name, bool append) {
  file.open(name, append ? std::ios::app : std::ios::trunc);
  if (!(file << said_before << std::flush))
    throw_write_error(name);
  said_before.clear();
}

void Log::info(const std::string &text) {
  const std::string line = printable(text);
  record(line); // written first, because the terminal may be closed
  if (!silent)
    std::cout << line << std::endl;
}

void Log::warning(const std::string &text) {
  info("Warning: " + text);
  if (silent && warns_if_silent)
    std::cerr << printable("percussion: warning: " + text) << std::endl;
}

void Log::show(const std::string &text) {
  if (silent || !on_terminal())
    return;
  std::cout << '\r' << printable(text).substr(0, n_columns() - 1) << "\033[K" << std::flush;
  on_progress_line = true;
}

void Log::record(const std::string &line) {
  if (discards)
    return;
  if (on_progress_line)
    std::cout << '\n';
  on_progress_line = false;
  file.clear(); // a line may have been lost on a full disk
  if (file.is_open())
    file << line << std::endl;
  else
    said_before += line + "\n";
}

void Log::start_progress(unsigned int step, unsigned int n_steps) {
  begin = last_shown = Clock::now();
  first_step = step;
  earlier = later = {step, begin};
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
  const double recent = std::chrono::duration<double>(last_shown - earlier.at).count();
  const double remaining = recent * (n_steps - step) / std::max(1u, step - earlier.step);
  if (10ull * (step - later.step) >= n_steps) {
    earlier = later;
    later = {step, last_shown};
  }
  const std::string remaining_text =
      step == n_steps ? "took " + duration(elapsed) : duration(remaining) + " remaining";
  const std::string head =
      format("step %u/%u (%3.0f %%)  t = %.6g  ", step, n_steps, 100. * step / n_steps, time);
  if (!silent && on_terminal() && step < n_steps) {
    // A line that wraps could not be overwritten: items of the detail are left out.
    const std::size_t used_columns = head.size() + remaining_text.size() + 3;
    const std::size_t available_columns =
        n_columns() > used_columns ? n_columns() - used_columns : 0;
    std::cout << '\r' << head << whole_items(detail, available_columns) << "  " << remaining_text
              << "\033[K" << std::flush;
    on_progress_line = true;
    return;
  }
  if (on_progress_line)
    std::cout << "\r\033[K";
  on_progress_line = false;
  info(head + detail + "  " + remaining_text);
}

} // namespace percussion
