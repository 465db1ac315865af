#include <percussion/material/hyperelastic.h>
#include <percussion/material/logarithmic_strain.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace percussion {
namespace {

using Gradient = dealii::Tensor<2, 3>;

/// Random numbers of a fixed seed.
class Draw {
public:
  double number(double size) { return std::uniform_real_distribution<>(-size, size)(engine); }
  Gradient gradient(double size) {
    Gradient G;
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        G[i][j] = number(size);
    return G;
  }

private:
  std::mt19937 engine{4};
};

Gradient plus_I(const Gradient &G) { return G + Gradient(dealii::unit_symmetric_tensor<3>()); }

Gradient rotation(double angle, double second_angle) {
  const double c = std::cos(angle), s = std::sin(angle), d = std::cos(second_angle),
               t = std::sin(second_angle);
  const Gradient about_z({{c, -s, 0}, {s, c, 0}, {0, 0, 1}}),
      about_x({{1, 0, 0}, {0, d, -t}, {0, t, d}});
  return about_z * about_x;
}

/// Returns a metal with all kinds of hardening.
Elastoplastic metal(double viscosity = 0, double rate_factor = 0) {
  return {{1., 0.01, 0.05, 0.02, 10., 0.05, viscosity, rate_factor, 0.1}, 2.};
}

/// Returns a metal whose hardening is a table, which heats.
Elastoplastic metal_of_table() {
  Elastoplastic law = metal();
  law.flow.hardening = law.flow.saturation = 0.;
  law.flow.table = HardeningTable({0.02, 0.1, 0.5}, {0.004, 0.01, 0.015});
  law.heat_capacity = 0.25;
  return law;
}

Viscoelastic rubber() { return {1., 5., {{2., 0.3}, {1., 1e-4}}}; }

/// Random step from a body that has flowed.
struct RandomStep {
  template <typename Law>
  RandomStep(const Law &law, double size, double step_length, Draw &draw)
      : h(step_length), history0(law.n_history(), 0.), history1(history0) {
    do {
      G0 = draw.gradient(0.2);
      G1 = G0 + draw.gradient(size);
    } while (determinant(plus_I(G0)) < 0.3 || determinant(plus_I(G1)) < 0.3);
    const std::vector<double> virgin(history0);
    const SpaceTensor A0 = doubled_strain(G0);
    law.step({A0, A0, h, virgin.data()}, history0.data());
  }
  HistoryStep step() const { return {doubled_strain(G0), doubled_strain(G1), h, history0.data()}; }

  Gradient G0, G1;
  double h;
  std::vector<double> history0, history1;
};

template <typename Law>
void expect_exact_work(const Law &law, double h, double tolerance) {
  Draw draw;
  for (const double size : {1e-6, 1e-3, 0.02, 0.3})
    for (unsigned int i = 0; i < 300; ++i) {
      RandomStep random(law, size, h, draw);
      const HistoryStep step = random.step();
      const HistoryStress sigma = law.step(step, random.history1.data());
      const double work = 0.5 * (sigma.stress * (step.A1 - step.A0)),
                   psi0 = law.energy(step.A0, random.history0.data()),
                   psi1 = law.energy(step.A1, random.history1.data());
      EXPECT_NEAR(work, psi1 - psi0 + sigma.loss, tolerance * (psi0 + psi1)) << size;
      EXPECT_GE(sigma.loss, 0.);
    }
}

TEST(Elastoplastic, WorkIsEnergyAndLossToRoundOff) {
  for (const double h : {1e-3, 1., 1e3}) {
    expect_exact_work(metal(), h, 2e-14);
    expect_exact_work(metal(0.05), h, 2e-14);
    expect_exact_work(metal(0., 0.05), h, 2e-14);
    expect_exact_work(metal_of_table(), h, 2e-14);
  }
}

TEST(Viscoelastic, WorkIsEnergyAndLossToRoundOff) {
  for (const double h : {1e-3, 0.1, 100.})
    expect_exact_work(rubber(), h, 2e-14);
}

/// Without overstress the loss of a law with concave hardening is that of the law.
TEST(Elastoplastic, LosesYieldStressTimesPlasticStrain) {
  Draw draw;
  for (const Elastoplastic &law : {metal(), metal(0.05), metal(0., 0.05), metal_of_table()}) {
    unsigned int n_flowing = 0;
    for (unsigned int i = 0; i < 1000; ++i) {
      RandomStep random(law, 0.02, 0.1, draw);
      const double loss = law.step(random.step(), random.history1.data()).loss;
      const double least = law.flow.yield_stress * (random.history1[9] - random.history0[9]);
      n_flowing += least > 0.;
      EXPECT_GE(loss, least * (1. - 1e-10));
      if (law.flow.viscosity == 0. && law.flow.rate_factor == 0.) {
        EXPECT_NEAR(loss, least, 1e-9 * least);
      }
    }
    EXPECT_GT(n_flowing, 300u);
  }
}

/// The rise of the temperature is the sum of all losses over the capacity.
TEST(Elastoplastic, HeatsByItsLoss) {
  Draw draw;
  for (const double kinematic : {0., 0.05}) {
    Elastoplastic law = metal_of_table();
    law.flow.kinematic = kinematic;
    const unsigned int index = law.outputs().back().index;
    ASSERT_EQ(index + 1, law.n_history());
    std::vector<double> history0(law.n_history(), 0.), history1 = history0;
    SpaceTensor A0;
    double loss = 0;
    for (unsigned int i = 0; i < 100; ++i) {
      const SpaceTensor A1 = doubled_strain(draw.gradient(0.1));
      loss += law.step({A0, A1, 1., history0.data()}, history1.data()).loss;
      EXPECT_NEAR(history1[index], loss / 0.25, 1e-13 * loss);
      A0 = A1;
      history0 = history1;
    }
    EXPECT_GT(loss, 0.01);
    law.heat_capacity = 0.;
    EXPECT_EQ(law.outputs().size(), 1u);
    EXPECT_EQ(law.n_history(), index);
  }
}

template <typename Law>
void expect_tangent(const Law &law, double h, bool is_of_end) {
  Draw draw;
  constexpr double delta = 1e-6;
  for (const double size : {0.02, 0.3})
    for (unsigned int i = 0; i < 100; ++i) {
      RandomStep random(law, size, h, draw);
      HistoryStep step = random.step();
      step.is_of_end = is_of_end;
      if (is_of_end)
        step.A0 = step.A1;
      const SpaceTensor direction = symmetrize(draw.gradient(1.));
      const auto stress_at = [&](double x) {
        HistoryStep moved = step;
        moved.A1 += x * direction;
        if (is_of_end)
          moved.A0 = moved.A1;
        return law.step(moved, random.history1.data()).stress;
      };
      const AlgorithmicStress<3> sigma = law.template step_tangent<3>(step);
      EXPECT_LE((sigma.stress - stress_at(0.)).norm(), 1e-13 * sigma.stress.norm());
      const SpaceTensor difference = (stress_at(delta) - stress_at(-delta)) / (2. * delta),
                        derivative = (is_of_end ? 2. : 1.) * (sigma.derivative * direction);
      EXPECT_LE((difference - derivative).norm(), 1e-7 * difference.norm()) << size << ' ' << i;
    }
}

TEST(Elastoplastic, TangentIsDerivative) {
  for (const Elastoplastic &law : {metal(), metal(0.05), metal(0., 0.05), metal_of_table()})
    for (const bool is_of_end : {false, true})
      expect_tangent(law, 0.1, is_of_end);
}

TEST(Viscoelastic, TangentIsDerivative) {
  for (const bool is_of_end : {false, true})
    expect_tangent(rubber(), 0.1, is_of_end);
}

/// Derivatives of nearly equal and equal principal stretches have no cases.
TEST(LogarithmicStep, HasDerivativeAtEqualStretches) {
  for (const double spread : {0., 1e-12, 1e-6, 1e-3, 0.02, 0.04, 0.06, 0.5}) {
    const SpaceTensor A0 = symmetric(0.1, 0.1 + spread, 0.1 - 0.5 * spread, 0., 0., 0.),
                      A1 = symmetric(0.1 + spread, 0.1, 0.1 + spread, 0.1 * spread, 0., 0.),
                      T = symmetric(1., -0.5, 0.3, 0.4, 0.2, -0.7),
                      dC = symmetric(0.2, 0.5, -0.3, 0.4, 0.1, 0.6);
    const auto stress_at = [&](double x) {
      const SpaceTensor end = A1 + x * dC;
      return LogarithmicStep(A0, end, end - A0).stress(T);
    };
    const LogarithmicStep step(A0, A1, A1 - A0);
    const SpaceTensor derivative = LogarithmicTangent(step, T).stress_change(dC, SpaceTensor()),
                      difference = (stress_at(1e-5) - stress_at(-1e-5)) / 2e-5;
    EXPECT_LE((difference - derivative).norm(), 1e-8) << spread;
    EXPECT_LE((step.end - step.start - step.change).norm(), 1e-15) << spread;
  }
}

/// Stress and history are in the undeformed body: a rotation after the step changes nothing, and a
/// rotation of the body beforehand turns everything.
TEST(Elastoplastic, TurnsWithTheBody) {
  Draw draw;
  const Elastoplastic law = metal();
  const Gradient R = rotation(0.7, 1.9), Q = rotation(-2.1, 0.4);
  for (unsigned int i = 0; i < 20; ++i) {
    RandomStep random(law, 0.1, 1., draw);
    const auto step_of = [&](const Gradient &G) {
      const Gradient minus_I = R * plus_I(G) * Q;
      return doubled_strain(minus_I - plus_I(Gradient()));
    };
    std::vector<double> virgin(law.n_history(), 0.), history0 = virgin, history1 = virgin;
    const SpaceTensor A0 = step_of(random.G0), A1 = step_of(random.G1);
    law.step({A0, A0, 1., virgin.data()}, history0.data());
    const HistoryStress turned = law.step({A0, A1, 1., history0.data()}, history1.data()),
                        plain = law.step(random.step(), random.history1.data());
    const SpaceTensor expected = symmetrize(transpose(Q) * Gradient(plain.stress) * Q);
    EXPECT_LE((turned.stress - expected).norm(), 1e-13);
    EXPECT_NEAR(turned.loss, plain.loss, 1e-14);
    EXPECT_NEAR(history1[9], random.history1[9], 1e-13);
  }
}

TEST(Elastoplastic, KeepsVolumeInPlasticFlow) {
  Draw draw;
  for (const double kinematic : {0., 0.05}) {
    Elastoplastic law = metal();
    law.flow.kinematic = kinematic;
    std::vector<double> history0(law.n_history(), 0.), history1 = history0;
    SpaceTensor A0;
    for (unsigned int i = 0; i < 200; ++i) {
      const SpaceTensor A1 = doubled_strain(draw.gradient(0.15));
      law.step({A0, A1, 1., history0.data()}, history1.data());
      A0 = A1;
      history0 = history1;
    }
    EXPECT_GT(history0[9], 9.);
    Gradient inverse;
    for (unsigned int i = 0; i < 9; ++i)
      inverse[i / 3][i % 3] = history0[i] + (i % 4 == 0 ? 1. : 0.);
    EXPECT_NEAR(determinant(inverse), 1., 1e-12) << kinematic;
  }
}

/// Simple shear to γ = 4 in 100 steps; the yield stress (σ_y + H α)/√3, α = γ/√3 at the middle of
/// the last step, is 0.0321.
TEST(Elastoplastic, HardensInSimpleShear) {
  const Elastoplastic law{{1., 0.01, 0.02}, 2.};
  constexpr unsigned int n = 100;
  std::vector<double> history0(law.n_history(), 0.), history1 = history0;
  SpaceTensor A0;
  double tau = 0;
  for (unsigned int k = 1; k <= n; ++k) {
    Gradient G;
    G[0][1] = 4. * k / n;
    const SpaceTensor A1 = doubled_strain(G);
    const HistoryStress sigma = law.step({A0, A1, 1., history0.data()}, history1.data());
    G[0][1] -= 2. / n;
    tau = (plus_I(G) * Gradient(sigma.stress) * transpose(plus_I(G)))[0][1];
    A0 = A1;
    history0 = history1;
    if (k == n / 4) {
      EXPECT_NEAR(tau, 0.01222, 5e-6);
    }
  }
  EXPECT_NEAR(tau, 0.0320, 5e-5);
  EXPECT_NEAR(history0[9], 2.2893, 5e-5);
}

/// Returns the axial stress at the end of a path of uniaxial stress to the logarithmic strain E
/// from E_start in n steps, and adds the losses. The lateral strain makes the lateral stress at the
/// end vanish.
double pull(const PlasticFlow &flow, double bulk, double E_start, double E_end, unsigned int n,
            SpaceTensor &last, SpaceTensor &plastic, SpaceTensor &back_strain, double &alpha,
            double &loss) {
  double axial = 0;
  for (unsigned int k = 1; k <= n; ++k) {
    const double E = E_start + (E_end - E_start) * k / n;
    double lateral = last[1][1];
    for (unsigned int iteration = 0; iteration < 50; ++iteration) {
      const auto response = [&](double x) {
        const SpaceTensor E1 = symmetric(E, x, x, 0., 0., 0.);
        const PlasticReturn result(flow, last - plastic, E1 - plastic, E1 - last, back_strain,
                                   alpha, 1., true);
        return result.stress + bulk * trace(E1) * dealii::unit_symmetric_tensor<3>();
      };
      const double slope = (response(lateral + 1e-9)[1][1] - response(lateral - 1e-9)[1][1]) / 2e-9;
      lateral -= response(lateral)[1][1] / slope;
    }
    const SpaceTensor E1 = symmetric(E, lateral, lateral, 0., 0., 0.);
    const PlasticReturn of_end(flow, last - plastic, E1 - plastic, E1 - last, back_strain, alpha,
                               1., true),
        of_step(flow, last - plastic, E1 - plastic, E1 - last, back_strain, alpha, 1., false);
    axial = of_end.stress[0][0] + bulk * trace(E1);
    plastic += of_end.increment * of_end.direction;
    back_strain += of_end.increment * of_end.direction;
    alpha += of_end.increment;
    loss += of_step.loss;
    last = E1;
  }
  return axial;
}

/// At rest on the yield surface, which a flow has reached up to round-off, a point is elastic.
TEST(PlasticReturn, IsElasticAtRestOnTheYieldSurface) {
  const PlasticFlow flow{80000., 250., 300.};
  const SpaceTensor direction = symmetric(1., -0.5, -0.5, 0.3, 0., 0.1),
                    change = symmetric(-2e-3, 1e-3, 1e-3, 0., 5e-4, 0.);
  const double norm = std::sqrt(1.5 * (direction * direction));
  for (const int units : {-8, -1, 0, 1, 8}) {
    const double round_off = units * std::numeric_limits<double>::epsilon();
    const SpaceTensor E = (250. / (2. * flow.shear) + round_off) / norm * direction;
    const PlasticReturn rest(flow, E, E, SpaceTensor(), SpaceTensor(), 0., 1e-3, true);
    EXPECT_EQ(rest.increment, 0.) << units;
    EXPECT_LT((rest.stress_change(change) - flow.shear * change).norm(), 1e-12) << units;
  }
  const SpaceTensor E = (250. / (2. * flow.shear) + 1e-12) / norm * direction;
  EXPECT_GT(PlasticReturn(flow, E, E, SpaceTensor(), SpaceTensor(), 0., 1e-3, true).increment, 0.);
}

/// The stress of a bar is that of the table at its plastic strain.
TEST(PlasticReturn, FollowsTheTable) {
  PlasticFlow flow{200000. / 2.6, 250.};
  flow.table = HardeningTable({0.01, 0.05}, {100., 150.});
  SpaceTensor last, plastic, back_strain;
  double alpha = 0, loss = 0, from = 0;
  for (const auto &[strain, hardening] : {std::pair{0.005, 50.}, std::pair{0.01, 100.},
                                          std::pair{0.03, 125.}, std::pair{0.06, 150.}}) {
    const double stress = 250. + hardening, E = strain + stress / 200000.;
    EXPECT_NEAR(pull(flow, 200000. / 1.2, from, E, 20, last, plastic, back_strain, alpha, loss),
                stress, 1e-6);
    EXPECT_NEAR(alpha, strain, 1e-10);
    EXPECT_NEAR(loss, 250. * strain, 1e-6);
    from = E;
  }
}

/// E = 200,000, σ_y = 250, E_t = E H/(E + H) with the sum H of both moduli. Flow begins at ±250;
/// each time the load turns, the bar is elastic over twice the yield stress, from the back stress,
/// and E_t follows to the next end of ±1 %. The loss is 250 α without back stress.
TEST(PlasticReturn, FollowsTheUniaxialCycle) {
  struct Curve {
    double H, Hk, first, second, third, loss;
  };
  for (const auto &[H, Hk, first, second, third, expected_loss] :
       {Curve{0., 4000., 284.3137, -284.3137, 284.3137, 10.72304},
        Curve{4000., 0., 284.3137, -351.5955, 416.2389, 10.38993},
        Curve{2000., 2000., 284.3137, -317.9546, 350.9359, 10.55566}}) {
    PlasticFlow flow{200000. / 2.6, 250., H};
    flow.kinematic = Hk;
    const double bulk = 200000. / 1.2;
    SpaceTensor last, plastic, back_strain;
    double alpha = 0, loss = 0;
    EXPECT_NEAR(pull(flow, bulk, 0., 0.01, 50, last, plastic, back_strain, alpha, loss), first,
                2e-3);
    EXPECT_NEAR(pull(flow, bulk, 0.01, -0.01, 100, last, plastic, back_strain, alpha, loss), second,
                2e-3);
    EXPECT_NEAR(pull(flow, bulk, -0.01, 0.01, 100, last, plastic, back_strain, alpha, loss), third,
                2e-3);
    EXPECT_NEAR(loss, expected_loss, 2e-4);
  }
}

/// Returns the deformation of the logarithmic strain diag(e, −e/2, −e/2) in a frame whose first
/// axis stays.
SpaceTensor stretched(double e) {
  return symmetric(std::expm1(2. * e), std::expm1(-e), std::expm1(-e), 0., 0., 0.);
}

/// Returns the axial stress T of a step between two stretches in logarithmic strain.
double axial_stress(const Viscoelastic &law, double e0, double e1, double h,
                    std::vector<double> &history, double &loss) {
  std::vector<double> end = history;
  const SpaceTensor A0 = stretched(e0), A1 = stretched(e1);
  const HistoryStress sigma = law.step({A0, A1, h, history.data()}, end.data());
  history = end;
  loss = sigma.loss;
  // The axes stay: Σ = ln[β, α] T.
  const double change = A1[0][0] - A0[0][0];
  return sigma.stress[0][0] * (std::abs(change) > 0. ? change / (2. * (e1 - e0)) : 1. + A1[0][0]);
}

constexpr double tau = 0.5;
const Viscoelastic one_branch{1., 0., {{2., tau}}};

/// Errors of the midpoint rule after a ramp to the strain 1 at t = ½, at t = 2.
TEST(Viscoelastic, RelaxesWithSecondOrder) {
  const double expected[] = {-1.79e-4, -4.50e-5, -1.13e-5, -2.83e-6};
  unsigned int i = 0;
  for (const unsigned int n : {20u, 40u, 80u, 160u}) {
    const double h = 2. / n;
    std::vector<double> history(one_branch.n_history(), 0.);
    double T = 0, loss = 0;
    for (unsigned int k = 0; k < n; ++k)
      T = axial_stress(one_branch, std::min(2. * k * h, 1.), std::min(2. * (k + 1) * h, 1.), h,
                       history, loss);
    const double t = 2. - 0.5 * h;
    const double exact =
        2. + 2. * 2. * 2. * tau * (1. - std::exp(-0.5 / tau)) * std::exp(-(t - 0.5) / tau);
    EXPECT_NEAR(T / exact - 1., expected[i], 0.01 * std::abs(expected[i]));
    ++i;
  }
}

TEST(Viscoelastic, LosesTheEnergyOfACycleWithSecondOrder) {
  const double expected[] = {-1.64e-2, -4.11e-3, -1.03e-3, -2.57e-4}, pi = std::acos(-1.);
  unsigned int i = 0;
  for (const unsigned int n : {20u, 40u, 80u, 160u}) {
    const double h = 2. * pi * tau / n;
    std::vector<double> history(one_branch.n_history(), 0.);
    double lost = 0, loss = 0;
    for (unsigned int k = 0; k < 6 * n; ++k) {
      axial_stress(one_branch, 0.1 * std::sin(k * h / tau), 0.1 * std::sin((k + 1) * h / tau), h,
                   history, loss);
      lost += k >= 5 * n ? loss : 0.;
    }
    EXPECT_NEAR(lost / (2. * 2. * pi * 0.01 * 0.5 * 1.5) - 1., expected[i],
                0.01 * std::abs(expected[i]));
    ++i;
  }
}

/// Under the constant stress T = 1 the strain is ½ (1 − ⅔ exp(−t/τ_c)), τ_c = 3 τ.
TEST(Viscoelastic, CreepsWithSecondOrder) {
  const double expected[] = {1.05e-4, 2.63e-5, 6.58e-6, 1.65e-6};
  unsigned int i = 0;
  for (const unsigned int n : {20u, 40u, 80u, 160u}) {
    const double h = 2. / n, slope = 1. + 2. / (1. + 0.5 * h / tau);
    std::vector<double> history(one_branch.n_history(), 0.);
    double e = 1. / 6., loss = 0;
    for (unsigned int k = 0; k < n; ++k) {
      std::vector<double> trial = history;
      const double next = e + (1. - axial_stress(one_branch, e, e, h, trial, loss)) / slope;
      EXPECT_NEAR(axial_stress(one_branch, e, next, h, history, loss), 1., 1e-12);
      e = next;
    }
    const double exact = 0.5 * (1. - 2. / 3. * std::exp(-2. / (3. * tau)));
    EXPECT_NEAR(e / exact - 1., expected[i], 0.01 * expected[i]);
    ++i;
  }
}

} // namespace
} // namespace percussion
