#pragma once

#include <cfenv>

namespace percussion {

/// From here on a debug build ends with SIGFPE on a division by zero, an overflow, or a NaN, so
/// that the cause is found and not its consequence. Release builds continue.
inline void trap_floating_point_errors() {
#ifndef NDEBUG
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
#endif
}

/// Disables the traps during its lifetime: around foreign code and users' formulas, which may yield
/// infinity or NaN. Their results are checked where they are used.
class NoFloatingPointTraps {
public:
#ifndef NDEBUG
  NoFloatingPointTraps() { std::feholdexcept(&environment); }
  ~NoFloatingPointTraps() { std::fesetenv(&environment); }
#else
  NoFloatingPointTraps() {} // not defaulted, to avoid a warning of an unused variable
#endif
  NoFloatingPointTraps(const NoFloatingPointTraps &) = delete;
  NoFloatingPointTraps &operator=(const NoFloatingPointTraps &) = delete;

#ifndef NDEBUG
private:
  std::fenv_t environment;
#endif
};

} // namespace percussion
