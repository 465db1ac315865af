#pragma once

#include <string>

namespace percussion {

/// While it lives, the first SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGXCPU or SIGUSR1 is only noted, so
/// that the run can end after its step; one that comes two seconds later or more ends the program
/// at once, unless it is SIGXCPU.
class StopSignals {
public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals &) = delete;
  StopSignals &operator=(const StopSignals &) = delete;

  /// Name of the signal that has come; empty if none has.
  std::string received() const;
};

} // namespace percussion
