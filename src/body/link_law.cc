#include <percussion/body/link_law.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity(),
                 not_held = std::numeric_limits<double>::quiet_NaN();

/// Returns a of a lower limit, see PosedBounds; infinity if the limit has no law in the step.
double limit_offset(double gap, double tolerance, double u0, double remembered, double restitution,
                    double h, double theta) {
  const double e = std::min(restitution, (1. - theta) / theta);
  const double closed_offset = std::min(0., theta * (1. + e) - 1.) * std::min(0., u0);
  if (gap <= tolerance || !std::isnan(remembered))
    return closed_offset;
  return e == 0. ? std::max(gap / h, closed_offset) : unlimited;
}

} // namespace

double LinkLaw::defect(double rate, double impulse, double tolerance) const {
  double least = -unlimited, largest = unlimited;
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    if (impulses[k] > impulse + tolerance)
      least = k < rates.size() ? rates[k] : unlimited;
    const std::size_t opposite = impulses.size() - 1 - k;
    if (impulses[opposite] < impulse - tolerance)
      largest = opposite > 0 ? rates[opposite - 1] : -unlimited;
  }
  return std::max({0., least - rate, rate - largest});
}

double LinkLaw::snapped(double impulse, double tolerance) const {
  for (const double level : impulses)
    if (std::abs(level - impulse) <= tolerance)
      return level;
  return impulse;
}

LinkLaw PosedBounds::law(double c, double unit) const {
  LinkLaw law;
  std::vector<double> breaks = {lower_rate, backward_rate, forward_rate, upper_rate};
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  const auto impulse_before = [&](double rate) {
    const double friction_impulse = rate <= backward_rate ? c : rate <= forward_rate ? 0. : -c;
    return rate <= lower_rate ? unlimited : rate <= upper_rate ? friction_impulse : -unlimited;
  };
  law.impulses.push_back(std::isfinite(lower_rate) ? unlimited : c);
  for (std::size_t k = 0; k < breaks.size(); ++k) {
    const double next = k + 1 < breaks.size() ? breaks[k + 1] : unlimited;
    const double impulse = breaks[k] >= upper_rate ? -unlimited : impulse_before(next);
    if (!std::isfinite(breaks[k]) || impulse == law.impulses.back())
      continue;
    law.rates.push_back(unit * breaks[k]);
    law.impulses.push_back(impulse);
  }
  return law;
}

BoundRates PosedBounds::final_rates(double impulse, double c, double theta) const {
  constexpr double tolerance = 1e-12;
  const auto [limit_impulse, friction_impulse] = divide_impulse(impulse, c);
  const auto final_rate = [&](double rate, double u0) {
    return (rate - (1. - theta) * u0) / theta;
  };
  BoundRates rates{not_held, not_held, not_held};
  if (limit_impulse > tolerance * c)
    rates.lower = final_rate(lower_rate, initial.lower);
  if (limit_impulse < -tolerance * c)
    rates.upper = final_rate(upper_rate, initial.upper);
  if (friction_impulse != 0. && std::abs(friction_impulse) < (1. - tolerance) * c)
    rates.friction =
        final_rate(friction_impulse > 0. ? backward_rate : forward_rate, initial.friction);
  return rates;
}

PosedBounds pose_bounds(const LinkBounds &bounds, const CoordinateStart &start, double friction,
                        double h, double theta) {
  const auto initial_rate = [&](double remembered) {
    return std::isnan(remembered) ? start.rate : remembered;
  };
  const BoundRates &last = start.remembered;
  const BoundRates initial{initial_rate(last.lower), initial_rate(last.upper),
                           initial_rate(last.friction)};
  const double stop = (1. - theta) * initial.friction;
  PosedBounds posed{-unlimited,         unlimited, std::min(0., stop),
                    std::max(0., stop), initial,   friction};
  if (bounds.lower)
    posed.lower_rate = -limit_offset(start.value - *bounds.lower, start.tolerance, initial.lower,
                                     last.lower, bounds.restitution, h, theta);
  if (bounds.upper)
    posed.upper_rate = limit_offset(*bounds.upper - start.value, start.tolerance, -initial.upper,
                                    last.upper, bounds.restitution, h, theta);
  return posed;
}

BoundImpulses divide_impulse(double impulse, double c) {
  const double friction = std::clamp(impulse, -c, c);
  return {impulse - friction, friction};
}

} // namespace percussion
