#include <percussion/balance/time_rule.h>

namespace percussion {
namespace {

TimeRule alpha_rule(double alpha_m, double alpha_f) {
  const double beta = 0.25 * (1. - alpha_m + alpha_f) * (1. - alpha_m + alpha_f);
  const double gamma = 0.5 - alpha_m + alpha_f;
  TimeRule rule{};
  rule.percussion_factor = beta / (1. - alpha_m);
  rule.inertia_of_a = alpha_m - (1. - alpha_m) * (0.5 / beta - 1.);
  rule.end = gamma / beta;
  rule.end_of_a = 1. - 0.5 * gamma / beta;
  rule.viscous = (1. - alpha_f) * rule.end;
  rule.viscous_of_a = (1. - alpha_f) * rule.end_of_a;
  rule.spin = rule.viscous; // the torque depends on velocities, like damping
  rule.spin_of_a = rule.viscous_of_a;
  rule.internal = rule.load = 1. - alpha_f;
  rule.a_of_jump = 1. / beta;
  rule.a_of_a = 1. - 0.5 / beta;
  return rule;
}

} // namespace

TimeRule time_rule(const BalanceChoices &choices) {
  const double theta = choices.theta, rho = choices.spectral_radius;
  TimeRule rule{};
  switch (choices.integrator) {
  case Integrator::newmark:
    return alpha_rule(0., 0.);
  case Integrator::generalized_alpha:
    return alpha_rule((2. * rho - 1.) / (rho + 1.), rho / (rho + 1.));
  case Integrator::half_steps:
    rule.percussion_factor = rule.end = 1.;
    rule.internal = 0.25;
    rule.internal_of_start = -0.25;
    // Damping and torque at t0: the mean of the velocities half a step before and after it.
    rule.viscous = rule.spin = 0.5;
    rule.load = 0.;
    rule.a_of_jump = 1.;
    return rule;
  case Integrator::theta:
    break;
  }
  rule.end = 1. / theta;
  rule.percussion_factor = rule.internal = rule.load = theta;
  return rule;
}

} // namespace percussion
