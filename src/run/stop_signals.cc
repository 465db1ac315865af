#include <percussion/run/stop_signals.h>

#include <array>
#include <csignal>

namespace percussion {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) { noted = signal; }

constexpr std::array<int, 3> stopping = {{SIGINT, SIGTERM, SIGHUP}};
std::array<struct sigaction, stopping.size()> before; ///< what they did

} // namespace

StopSignals::StopSignals() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
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
