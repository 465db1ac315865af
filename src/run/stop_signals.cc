#include <percussion/run/stop_signals.h>

#include <csignal>

namespace percussion {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) { noted = signal; }

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM})
    sigaction(signal, &action, nullptr);
}

} // namespace

StopSignals::StopSignals() {
  noted = 0;
  handle(note);
}

StopSignals::~StopSignals() { handle(SIG_DFL); }

std::string StopSignals::received() const {
  return noted == 0 ? "" : noted == SIGINT ? "Ctrl-C (SIGINT)" : "SIGTERM";
}

} // namespace percussion
