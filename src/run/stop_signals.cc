#include <percussion/run/stop_signals.h>

#include <array>
#include <csignal>
#include <ctime>

namespace percussion {
namespace {

volatile std::sig_atomic_t noted = 0;
volatile std::sig_atomic_t noted_at = 0; ///< [s]

constexpr std::array<int, 3> stopping = {{SIGINT, SIGTERM, SIGHUP}};

/// Ctrl-C reaches a program and all that it was started by, which may pass it on: what comes at
/// once is the same wish. What comes later is impatience.
void note(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto second = static_cast<std::sig_atomic_t>(now.tv_sec);
  if (noted == 0) {
    noted = signal;
    noted_at = second;
  } else if (second - noted_at > 1) {
    std::signal(signal, SIG_DFL);
    raise(signal); // ends the program once this returns
  }
}

std::array<struct sigaction, stopping.size()> before; ///< what they did

} // namespace

StopSignals::StopSignals() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : stopping)
    sigaddset(&action.sa_mask, signal);
  for (std::size_t i = 0; i < stopping.size(); ++i) {
    sigaction(stopping[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) // as in the background of a shell, or under nohup
      sigaction(stopping[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < stopping.size(); ++i)
    sigaction(stopping[i], &before[i], nullptr);
}

std::string StopSignals::received() const {
  switch (noted) {
  case 0:
    return "";
  case SIGINT:
    return "Ctrl-C (SIGINT)";
  case SIGTERM:
    return "SIGTERM";
  default:
    return "SIGHUP (the terminal is gone)";
  }
}

} // namespace percussion
