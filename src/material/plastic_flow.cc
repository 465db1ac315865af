#include <percussion/material/plastic_flow.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

double PlasticFlow::hardening_stress(double alpha) const {
  return hardening * alpha - saturation * std::expm1(-exponent * alpha) + table.value(alpha);
}

double PlasticFlow::hardening_slope(double alpha) const {
  return hardening + saturation * exponent * std::exp(-exponent * alpha) + table.slope(alpha);
}

double PlasticFlow::stored(double alpha) const { return stored_change(0., alpha); }

double PlasticFlow::stored_change(double alpha, double increment) const {
  const double saturating =
      exponent > 0. ? saturation * (increment + std::exp(-exponent * alpha) *
                                                    std::expm1(-exponent * increment) / exponent)
                    : 0.;
  return hardening * increment * (alpha + 0.5 * increment) + saturating +
         table.integral(alpha, increment);
}

PlasticReturn::PlasticReturn(const PlasticFlow &law, const SpaceTensor &E0, const SpaceTensor &E1,
                             const SpaceTensor &dE, const SpaceTensor &back_strain, double alpha,
                             double h, bool end)
    : flow(law), is_of_end(end), alpha0(alpha), stiffness(3. * law.shear + law.kinematic),
      change(dE) {
  const double two_mu = 2. * flow.shear;
  const SpaceTensor back_stress = 2. / 3. * flow.kinematic * back_strain;
  const SpaceTensor trial = two_mu * deviator(E1), sigma0 = two_mu * deviator(E0);
  const SpaceTensor relative = trial - back_stress;
  relative_start = sigma0 - back_stress;
  q = std::sqrt(1.5 * (relative * relative));
  SpaceTensor sigma1 = trial;
  // After flow the stress is on the yield surface up to round-off, which must not decide between
  // the tangents of a step that begins without a motion.
  constexpr double round_off = 16. * std::numeric_limits<double>::epsilon();
  const double yield = flow.yield_stress + flow.hardening_stress(alpha0);
  if (q > yield + round_off * (stiffness + yield)) {
    direction = 1.5 / q * relative;
    increment = find_increment(h);
    slope = resistance(increment, h).slope;
    sigma1 -= two_mu * increment * direction;
  }
  stress = is_of_end ? sigma1 : 0.5 * (sigma0 + sigma1);
  if (increment > 0.)
    correct_mean_stress();
}

PlasticReturn::Resistance PlasticReturn::resistance(double x, double h) const {
  const double yield = flow.yield_stress + flow.hardening_stress(alpha0 + x), rate = x / h;
  const double hardening_slope = flow.hardening_slope(alpha0 + x);
  Resistance result{yield + flow.viscosity * rate, hardening_slope + flow.viscosity / h};
  if (flow.rate_factor > 0. && rate > flow.reference_rate) {
    const double logarithm = flow.rate_factor * std::log(rate / flow.reference_rate);
    result.stress += logarithm * yield;
    result.slope += logarithm * hardening_slope + flow.rate_factor * yield / x;
  }
  return result;
}

/// Solves for Δα by Newton's method within a bracket.
double PlasticReturn::find_increment(double h) const {
  constexpr unsigned int max_iterations = 100;
  const auto [yield, first_slope] = resistance(0., h);
  double low = 0., high = (q - yield) / stiffness, x = (q - yield) / (stiffness + first_slope);
  for (unsigned int k = 0; k < max_iterations; ++k) {
    const auto [resisting, resisting_slope] = resistance(x, h);
    const double excess = q - stiffness * x - resisting;
    (excess > 0. ? low : high) = x;
    double next = x + excess / (stiffness + resisting_slope);
    if (!(next > low && next < high))
      next = excess == 0. ? x : 0.5 * (low + high);
    const double step = std::abs(next - x);
    x = next;
    if (!(step > 4. * std::numeric_limits<double>::epsilon() * x))
      break;
  }
  return x;
}

/// Computes the loss, and adds c n to the stress.
void PlasticReturn::correct_mean_stress() {
  const double q1 = q - stiffness * increment;
  start_projection = relative_start * direction;
  if (is_of_end) {
    loss = (q1 - flow.hardening_stress(alpha0 + increment)) * increment;
    return;
  }
  const double of_mean =
      0.5 * (start_projection + q1) * increment - flow.stored_change(alpha0, increment);
  const double least = flow.yield_stress * increment, work = direction * change;
  loss = of_mean;
  if (least > of_mean && work > 0.) {
    loss = least;
    work_of_direction = work;
    correction = (least - of_mean) / work;
    stress += correction * direction;
  }
}

SpaceTensor PlasticReturn::stress_change(const SpaceTensor &dE1) const {
  const double two_mu = 2. * flow.shear;
  const SpaceTensor d_trial = two_mu * deviator(dE1);
  if (!(increment > 0.))
    return 0.5 * d_trial;
  const double dq = direction * d_trial, d_increment = dq / (stiffness + slope);
  const SpaceTensor d_direction = 1. / q * (1.5 * d_trial - dq * direction);
  SpaceTensor dT = 0.5 * (d_trial - two_mu * (d_increment * direction + increment * d_direction));
  if (work_of_direction > 0.) {
    const double q1 = q - stiffness * increment;
    const double d_missing =
        (flow.yield_stress - 0.5 * (start_projection + q1) +
         flow.hardening_stress(alpha0 + increment)) *
            d_increment -
        0.5 * increment * (relative_start * d_direction + dq - stiffness * d_increment);
    const double d_work = change * d_direction + direction * dE1;
    dT += (d_missing - correction * d_work) / work_of_direction * direction +
          correction * d_direction;
  }
  return dT;
}

} // namespace percussion
