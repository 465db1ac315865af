#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace percussion {

/// Object that makes the processor replace denormal numbers by zero during its lifetime: a vector
/// in single precision has many of them far from the loads, and products with them take several
/// times as long. Does nothing on processors other than x86-64.
class FlushDenormals {
public:
#if defined(__SSE2__)
  FlushDenormals() : saved(_mm_getcsr()) {
    constexpr unsigned int flush_to_zero = 0x8000, denormals_are_zero = 0x40;
    _mm_setcsr(saved | flush_to_zero | denormals_are_zero);
  }
  ~FlushDenormals() { _mm_setcsr(saved); }
#else
  FlushDenormals() {} // not defaulted, to avoid a warning about an unused variable
#endif
  FlushDenormals(const FlushDenormals &) = delete;
  FlushDenormals &operator=(const FlushDenormals &) = delete;

#if defined(__SSE2__)
private:
  unsigned int saved;
#endif
};

} // namespace percussion
