// Stick-slip of a mass on a belt, with friction that falls with the slip speed.

#include "cases/rigid_runs.h"

namespace stick_slip { // separates names from other tests in unity builds

/// Period and amplitude of the limit cycle of a mass.
struct LimitCycle {
  double period = 0, amplitude = 0;
};

/// Measures periods between upward crossings of a level, and extremes between the last two.
class CycleMeter {
public:
  explicit CycleMeter(double l) : level(l) {}

  void add(double t, double x) {
    if (previous_x < level && x >= level) {
      const double crossing =
          previous_t + (t - previous_t) * (level - previous_x) / (x - previous_x);
      cycle = {crossing - last_crossing, 0.5 * (largest - least)};
      last_crossing = crossing;
      ++n_cycles;
      least = largest = x;
    }
    least = std::min(least, x);
    largest = std::max(largest, x);
    previous_t = t;
    previous_x = x;
  }

  LimitCycle cycle;
  unsigned int n_cycles = 0;

private:
  double level, previous_t = 0, previous_x = 0, last_crossing = 0, least = 0, largest = 0;
};

/// Mass on a belt, held by a spring, with μ(v) = μ_k + (μ_s − μ_k) exp(−|v|/v_s).
struct Belt {
  double mass, stiffness, weight, belt_speed, mu_k, mu_s, v_s;
  double level() const { return mu_k * weight / stiffness; }

  /// Integrates m a + k x = f with the midpoint rule and a limit |f| ≤ μ(v) N of each step.
  LimitCycle integrate(double h, unsigned int n_cycles) const {
    CycleMeter meter(level());
    double x = 0, v = 0;
    const double inertia = mass + 0.25 * h * h * stiffness;
    for (unsigned long k = 1; meter.n_cycles < n_cycles; ++k) {
      const double mu = mu_k + (mu_s - mu_k) * std::exp(-std::abs(v - belt_speed) / v_s),
                   limit = mu * weight * h;
      const double free = v - h * stiffness * (x + 0.5 * h * v) / inertia,
                   p = std::clamp(inertia * (belt_speed - free), -limit, limit),
                   v1 = free + p / inertia;
      x += 0.5 * h * (v + v1);
      v = v1;
      meter.add(h * static_cast<double>(k), x);
    }
    return meter.cycle;
  }
};

TEST(StickSlip, ReachesTheLimitCycleOfTenThousandTimesTheSteps) {
  const Belt belt{2., 50., 20., 0.1, 0.2, 0.4, 0.05};
  constexpr double h = 1e-3;
  const std::string text = R"(subsection Rigid bodies
  subsection mass
    set Width = 0.4
    set Height = 0.2
    set Mass = 2
    set Position = 0, 0.1
    set Rotation = 0
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Links
  subsection spring
    set First point = -3, 0.1
    set Second = mass
    set Second point = 0, 0.1
    set Stiffness = 50
  end
end
subsection Contact
  subsection belt
    set Bodies = mass
    set Motion x = 0.1*t
    set Friction coefficient = 0.2 + 0.2*exp(-slip_speed/0.05)
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta = 0.5
  set Step = 1e-3
  set End = 100
end
)";
  auto run = rigid_runs::stepped<2>(text);
  CycleMeter meter(belt.level());
  unsigned int n_stuck = 0, n_slipped = 0;
  while (meter.n_cycles < 4) {
    const auto &record = run.advance();
    ASSERT_LT(run.state.step, 100000u);
    EXPECT_LE(record.tangential_work_max, 1e-15);
    EXPECT_NEAR(record.balance_residual, 0., 1e-13);
    (record.n_sliding > 0 ? n_slipped : n_stuck) += 1;
    meter.add(run.state.time, rigid_runs::displacement(run, 0)[0]);
  }
  EXPECT_GT(n_stuck, 100u);
  EXPECT_GT(n_slipped, 100u);
  // The same step in a scalar code, and ten thousand times as many of them.
  const LimitCycle same = belt.integrate(h, 4), reference = belt.integrate(h / 1e4, 3);
  EXPECT_NEAR(meter.cycle.period, same.period, 1e-8);
  EXPECT_NEAR(meter.cycle.amplitude, same.amplitude, 1e-8);
  EXPECT_NEAR(meter.cycle.period, reference.period, 5e-3 * reference.period);
  EXPECT_NEAR(meter.cycle.amplitude, reference.amplitude, 5e-3 * reference.amplitude);
}

} // namespace stick_slip
