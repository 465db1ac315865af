#include <percussion/contact/rate_state.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

RateFriction rate_friction(const RateStateLaw &law, double speed, double state) {
  constexpr double large = 20.; // asinh(e^z) = z + ln 2 to round-off
  const double exponent =
      (law.base + law.evolution * std::log(law.speed * state / law.length)) / law.direct;
  const double least_speed = std::numeric_limits<double>::min();
  const double z = std::log(std::max(speed, least_speed) / (2. * law.speed)) + exponent;
  const double friction =
      law.direct * (z > large ? z + std::log(2.) : std::asinh(std::exp(std::min(z, large))));
  return {speed > 0. ? friction : 0., law.direct / std::max(speed, least_speed) /
                                          std::sqrt(1. + std::exp(std::min(-2. * z, 600.)))};
}

double state_after(const RateStateLaw &law, double state, double speed, double h) {
  constexpr double small_slip = 1e-12;
  const double x = speed * h / law.length;
  if (law.kind == RateStateLaw::Evolution::ageing)
    return state * std::exp(-x) + h * (x > small_slip ? -std::expm1(-x) / x : 1.);
  return x > 0. ? law.length / speed * std::pow(speed * state / law.length, std::exp(-x)) : state;
}

} // namespace percussion
