#include <percussion/base/floating_point_traps.h>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace percussion;

/// Divides by zero. Volatile, so that the division takes place at run time although its result is
/// unused.
double divide_by_zero() {
  static const volatile double zero = 0;
  const volatile double quotient = 1 / zero;
  return quotient;
}

#ifndef NDEBUG

TEST(FloatingPointTrapsDeathTest, EndADebugBuildWhereItDividesByZero) {
  divide_by_zero(); // traps are off before
  EXPECT_DEATH(
      {
        trap_floating_point_errors();
        divide_by_zero();
      },
      "");
}

TEST(FloatingPointTrapsDeathTest, AreOffForCodeThatIsNotOursAndOnAfterIt) {
  const NoFloatingPointTraps no_traps;
  trap_floating_point_errors();
  {
    const NoFloatingPointTraps not_ours;
    divide_by_zero();
  }
  EXPECT_DEATH(divide_by_zero(), "");
}

#else

TEST(FloatingPointTraps, AreOffInReleaseBuilds) {
  trap_floating_point_errors();
  EXPECT_TRUE(std::isinf(divide_by_zero()));
}

#endif

} // namespace
