#pragma once

#include <cfenv>

namespace percussion {

/// Makes a debug build end with SIGFPE at the first division by zero, overflow, or NaN from here
/// on, which shows the cause instead of its consequence. Release builds continue.
inline void trap_floating_point_errors() {
#ifndef NDEBUG
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
#endif
}

/// Object that disables the traps during its lifetime: around foreign code and users' formulas,
/// whose results may be infinity or NaN. The callers check these results.
class NoFloatingPointTraps {
public:
#ifndef NDEBUG
  NoFloatingPointTraps() { std::feholdexcept(&environment); }
  ~NoFloatingPointTraps() { std::fesetenv(&environment); }
#else
  NoFloatingPointTraps() {} // not defaulted, to avoid a warning about an unused variable
#endif
  NoFloatingPointTraps(const NoFloatingPointTraps &) = delete;
  NoFloatingPointTraps &operator=(const NoFloatingPointTraps &) = delete;

#ifndef NDEBUG
private:
  std::fenv_t environment;
#endif
};

} // namespace percussion
