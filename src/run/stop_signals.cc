#include <percussion/run/stop_signals.h>

#include <array>
#include <csignal>
#include <ctime>

namespace percussion {
namespace {

constexpr std::array<int, 5> stopping = {{SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1}};
std::array<void (*)(int), stopping.size()>
    previous_handlers;                              ///< handlers before this object existed
volatile std::sig_atomic_t noted = 0, noted_at = 0; ///< signal and time of its arrival [s]

/// Notes a signal. Programs that forward Ctrl-C send it twice at once; a later signal is a second
/// request. The kernel repeats SIGXCPU each second of processor time, so that repeats of it do not
/// end the program.
void note(int signal) {
  timespec current_time{};
  clock_gettime(CLOCK_MONOTONIC, &current_time);
  const auto second = static_cast<std::sig_atomic_t>(current_time.tv_sec);
  if (noted == 0) {
    noted = signal;
    noted_at = second;
  } else if (signal != SIGXCPU && second - noted_at > 1) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

} // namespace

StopSignals::StopSignals() {
  noted = 0;
  for (std::size_t i = 0; i < stopping.size(); ++i) {
    previous_handlers[i] = std::signal(stopping[i], note);
    if (previous_handlers[i] == SIG_IGN) // ignored signals stay ignored, as under nohup
      std::signal(stopping[i], SIG_IGN);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < stopping.size(); ++i)
    std::signal(stopping[i], previous_handlers[i]);
}

std::string StopSignals::received() const {
  switch (noted) {
  case 0:
    return "";
  case SIGINT:
    return "Ctrl-C (SIGINT)";
  case SIGTERM:
    return "SIGTERM";
  case SIGXCPU:
    return "SIGXCPU (limit of processor time)";
  case SIGUSR1:
    return "SIGUSR1";
  default:
    return "SIGHUP (the terminal is gone)";
  }
}

} // namespace percussion
