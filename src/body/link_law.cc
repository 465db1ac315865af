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
  double smallest = -unlimited, largest = unlimited;
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    if (impulses[k] > impulse + tolerance)
      smallest = k < rates.size() ? rates[k] : unlimited;
    const std::size_t opposite = impulses.size() - 1 - k;
    if (impulses[opposite] < impulse - tolerance)
      largest = opposite > 0 ? rates[opposite - 1] : -unlimited;
  }
  return std::max({0., smallest - rate, rate - largest});
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
    law.rates.push_back(unit * breaks[k] + return_rate);
    law.impulses.push_back(impulse);
  }
  return law;
}

BoundMemory PosedBounds::memory(double impulse, double c, double theta, double value) const {
  constexpr double tolerance = 1e-12;
  const auto [limit_impulse, friction_impulse] = divide_impulse(impulse, c);
  const auto final_rate = [&](double rate, double u0) {
    const double u1 = (rate - (1. - theta) * u0) / theta;
    return std::abs(u1) <= negligible_rate ? 0. : u1;
  };
  BoundMemory bounds{not_held, not_held, not_held, not_held};
  if (limit_impulse > tolerance * c)
    bounds.lower = final_rate(lower_rate, lower_start);
  if (limit_impulse < -tolerance * c)
    bounds.upper = final_rate(upper_rate, upper_start);
  if (friction_impulse != 0. && std::abs(friction_impulse) < (1. - tolerance) * c)
    bounds.friction =
        final_rate(friction_impulse > 0. ? backward_rate : forward_rate, friction_start);
  if (bounds.is_at_rest())
    bounds.position = std::isnan(position) ? value : position;
  return bounds;
}

PosedBounds pose_bounds(const LinkBounds &bounds, const CoordinateStart &start, double friction,
                        double h, double theta) {
  const double negligible_rate = start.tolerance / h;
  const auto initial_rate = [&](double remembered) {
    const double rate = std::isnan(remembered) ? start.rate : remembered;
    return std::abs(rate) <= negligible_rate ? 0. : rate;
  };
  const BoundMemory &last = start.remembered;
  const double lower_start = initial_rate(last.lower), upper_start = initial_rate(last.upper),
               friction_start = initial_rate(last.friction), stop = (1. - theta) * friction_start,
               return_rate = std::isnan(last.position) ? 0. : (last.position - start.value) / h;
  PosedBounds posed{-unlimited,  unlimited,     std::min(0., stop), std::max(0., stop),
                    lower_start, upper_start,   friction_start,     friction,
                    return_rate, last.position, negligible_rate};
  if (bounds.lower)
    posed.lower_rate = -limit_offset(start.value - *bounds.lower, start.tolerance, lower_start,
                                     last.lower, bounds.restitution, h, theta);
  if (bounds.upper)
    posed.upper_rate = limit_offset(*bounds.upper - start.value, start.tolerance, -upper_start,
                                    last.upper, bounds.restitution, h, theta);
  return posed;
}

BoundImpulses divide_impulse(double impulse, double c) {
  const double friction = std::clamp(impulse, -c, c);
  return {impulse - friction, friction};
}

} // namespace percussion
