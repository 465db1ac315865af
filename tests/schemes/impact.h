// Energies and forces of an impact with one of the schemes.

#pragma once

#include "cases/reference_runs.h"
#include "support/scheme.h"

namespace cases {

/// Energies relative to the initial energy, the variation of the ground force, and the pressure.
struct Impact {
  double end = 0, lowest = 0, highest = 0; ///< change of the energy
  double bodies = 0;     ///< lowest energy of the bodies without the springs, as a change
  double bodies_end = 0; ///< energy of the bodies at the end, as a change
  double rise = 0;       ///< largest rise of the energy in a step
  double residual = 0;
  double numerical = 0, viscous = 0, friction = 0; ///< works
  double variation = 0; ///< variation of the force: 1 if it rises and falls once
  double force = 0;     ///< largest force [force]
  double pressure = 0;  ///< largest pressure of a node, averaged over the steps in contact
  unsigned int n_steps_closed = 0;
};

/// Runs a case with a scheme, and expects that its ledger closes.
inline Impact impact(const std::string &name, const std::string &scheme,
                     const Assignments &assignments) {
  SteppedCase run(name, Assignments{"Time/Scheme=" + scheme} + assignments);
  const double unit = run.initial_energy;
  Impact result;
  double previous_force = 0;
  for (unsigned int k = run.c.span.n_steps; k > 0; --k) {
    const double previous_energy = result.end;
    const auto &record = run.advance();
    result.residual = std::max(result.residual, std::abs(record.balance_residual) / unit);
    result.end = run.state.energy() / unit - 1;
    result.lowest = std::min(result.lowest, result.end);
    result.highest = std::max(result.highest, result.end);
    result.rise = std::max(result.rise, result.end - previous_energy);
    result.bodies_end = (run.state.kinetic + run.state.strain) / unit - 1;
    result.bodies = std::min(result.bodies, result.bodies_end);
    const double force = run.contact_force(0);
    result.variation += std::abs(force - previous_force);
    result.force = std::max(result.force, force);
    previous_force = force;
    double pressure = 0;
    for (const auto &contact : record.contacts)
      pressure = std::max(pressure, contact.percussion[0] / (run.h() * contact.area));
    result.pressure += pressure;
    result.n_steps_closed += pressure > 0.;
  }
  result.pressure /= result.n_steps_closed;
  result.variation = (result.variation + previous_force) / (2 * result.force);
  result.numerical = run.works.numerical / unit;
  result.viscous = run.works.viscous / unit;
  result.friction = run.works.contact_tangential / unit;
  EXPECT_LT(result.residual, 1e-12) << scheme;
  EXPECT_NEAR(run.drift(), 0., 1e-10 * unit) << scheme;
  return result;
}

} // namespace cases
