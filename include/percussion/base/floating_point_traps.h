#pragma once

#include <cfenv>

namespace percussion {

/// From here on a debug build ends with SIGFPE where it divides by zero, overflows, or makes a NaN:
/// where the mistake is and not where its result is found. Release builds go on.
inline void trap_floating_point_errors() {
#ifndef NDEBUG
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
#endif
}

/// No traps for as long as it lives: around code that is not ours, and formulas of the user's,
/// which may come to infinity or NaN. What they give is checked where it is used.
class NoFloatingPointTraps {
public:
#ifndef NDEBUG
  NoFloatingPointTraps() { std::feholdexcept(&environment); }
  ~NoFloatingPointTraps() { std::fesetenv(&environment); }
#else
  NoFloatingPointTraps() {} // no default: it would be an unused variable to the compiler
#endif
  NoFloatingPointTraps(const NoFloatingPointTraps &) = delete;
  NoFloatingPointTraps &operator=(const NoFloatingPointTraps &) = delete;

#ifndef NDEBUG
private:
  std::fenv_t environment;
#endif
};

} // namespace percussion
