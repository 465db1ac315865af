#pragma once

#include <string>

namespace percussion {

/// Handler of signals during its lifetime. The first SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGXCPU or
/// SIGUSR1 is only noted, so that the run can end after its step. A further signal two seconds
/// later or more ends the program at once, unless it is SIGXCPU.
class StopSignals {
public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals &) = delete;
  StopSignals &operator=(const StopSignals &) = delete;

  /// Returns the name of the signal received; empty if there is none.
  std::string received() const;
};

} // namespace percussion
