#include <percussion/material/hyperelastic.h>

#include <gtest/gtest.h>

#include <Sacado.hpp>
#include <array>
#include <random>

namespace {

using namespace percussion;

constexpr std::array<std::array<unsigned int, 2>, 3> pairs = {{{{0, 0}}, {{1, 1}}, {{0, 1}}}};

PlaneTensor tensor(double xx, double yy, double xy) {
  PlaneTensor C;
  C[0][0] = xx;
  C[1][1] = yy;
  C[0][1] = xy;
  return C;
}

/// Right Cauchy–Green tensors from moderate to large strains, all positive definite.
std::vector<PlaneTensor> states() {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> entry(-0.4, 0.4);
  std::vector<PlaneTensor> list = {tensor(1, 1, 0), tensor(2.5, 0.4, 0.3), tensor(0.3, 0.5, -0.1)};
  for (int k = 0; k < 20; ++k) {
    dealii::Tensor<2, 2> F = dealii::unit_symmetric_tensor<2>();
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j)
        F[i][j] += entry(generator);
    if (determinant(F) > 0.2)
      list.push_back(symmetrize(transpose(F) * F));
  }
  return list;
}

class OgdenTest : public ::testing::TestWithParam<Plane> {
protected:
  const Ogden law{0.5, 0.005, 0.35, GetParam()};
};

TEST_P(OgdenTest, IsStressFreeAndWithoutEnergyAtTheReference) {
  const auto C = tensor(1, 1, 0);
  EXPECT_NEAR(law.energy(C), 0., 1e-15);
  EXPECT_LT(law.stress(C).norm(), 1e-15);
}

/// Lamé's constants of the law, from C₁ … D: µ = 2 (C₁ + C₂) … by its own tangent at C = I.
TEST_P(OgdenTest, IsIsotropicElasticityAtTheReference) {
  const auto tangent = law.tangent(tensor(1, 1, 0));
  const double mu = tangent[0][1][0][1], lambda = tangent[0][0][1][1];
  EXPECT_NEAR(tangent[0][0][0][0], lambda + 2 * mu, 1e-13);
  EXPECT_NEAR(tangent[0][0][0][1], 0., 1e-15);
  EXPECT_NEAR(mu, 2. * (law.c1 + law.c2), 1e-13);
  const double lambda_3d = 4. * (law.c2 + law.d);
  EXPECT_NEAR(lambda,
              GetParam() == Plane::strain ? lambda_3d : 2 * mu * lambda_3d / (lambda_3d + 2 * mu),
              1e-13);
}

TEST_P(OgdenTest, StressAndTangentAreDerivatives) {
  const double step = 1e-5;
  for (const auto &C : states())
    for (const auto &[i, j] : pairs) {
      PlaneTensor plus = C, minus = C;
      plus[i][j] += step;
      minus[i][j] -= step;
      const double half = i == j ? 0.5 : 1.; // a symmetric pair moves together
      EXPECT_NEAR((law.energy(plus) - law.energy(minus)) / (2 * step), half * law.stress(C)[i][j],
                  1e-8 * (1 + law.stress(C).norm()));
      const auto slope = (law.stress(plus) - law.stress(minus)) / (2 * step);
      for (const auto &[k, l] : pairs)
        EXPECT_NEAR(slope[k][l], half * law.tangent(C)[k][l][i][j],
                    1e-7 * (1 + law.tangent(C).norm()));
    }
}

/// Plane stress is the law's own: C₃₃ makes the energy stationary.
TEST_P(OgdenTest, OutOfPlaneStretchIsStationaryInPlaneStress) {
  if (GetParam() == Plane::strain)
    GTEST_SKIP() << "C33 is given in plane strain";
  for (const auto &C : states()) {
    const double c33 = law.out_of_plane_stretch(C);
    const auto full = [&](double c) {
      return law.c1 * (trace(C) + c - 3) + law.c2 * (c * trace(C) + determinant(C) - 3) +
             law.d * (c * determinant(C) - 1) - law.k() * std::log(c * determinant(C));
    };
    EXPECT_NEAR(full(c33), law.energy(C), 1e-14);
    EXPECT_LE(full(c33), full(c33 * 1.01));
    EXPECT_LE(full(c33), full(c33 * 0.99));
  }
}

/// Σ : ΔC / 2 = W(C₁) − W(C₀), from large steps down to where a difference of energies has no
/// digit.
TEST_P(OgdenTest, DiscreteGradientKeepsTheEnergyIdentity) {
  const auto all = states();
  for (std::size_t a = 0; a < all.size(); ++a)
    for (const double size : {1., 1e-1, 1e-2, 1e-4, 1e-8}) {
      const auto &C0 = all[a];
      const auto C1 = C0 + size * 0.9 * (all[(a + 1) % all.size()] - C0);
      const auto stress = algorithmic_stress(law, C0, C1);
      const double scale = std::abs(law.energy(C0)) + std::abs(law.energy(C1)) + 1;
      EXPECT_NEAR(0.5 * (stress * (C1 - C0)), law.energy(C1) - law.energy(C0), 4e-15 * scale);
    }
  const auto &C = all[1];
  EXPECT_LT((algorithmic_stress(law, C, C) - law.stress(C)).norm(), 1e-15);
}

/// The correction is of second order and goes to zero without noise: no threshold anywhere.
TEST_P(OgdenTest, CorrectionVanishesSmoothly) {
  const auto C0 = tensor(1.3, 0.8, 0.2);
  const auto direction = tensor(0.3, -0.5, 0.4);
  double previous = 0;
  for (double size = 1e-1; size > 1e-12; size *= 0.5) {
    const auto C1 = C0 + size * direction;
    const double correction =
        (algorithmic_stress(law, C0, C1) - law.stress(0.5 * (C0 + C1))).norm();
    if (previous > 0) {
      EXPECT_NEAR(previous / correction, 4., 0.5) << size;
    }
    previous = size > 2e-7 ? correction : 0; // below, it has sunk into the stress's round-off
  }
}

TEST_P(OgdenTest, AlgorithmicTangentIsTheDerivative) {
  const auto all = states();
  for (std::size_t a = 0; a < all.size(); ++a)
    for (const double size : {0.9, 1e-2, 1e-4, 0.}) {
      const auto &C0 = all[a];
      const auto C1 = C0 + size * (all[(a + 1) % all.size()] - C0);
      const auto exact = algorithmic_stress_and_tangent(law, C0, C1);
      EXPECT_LT((exact.stress - algorithmic_stress(law, C0, C1)).norm(), 1e-14);
      const double step = 1e-6;
      for (const auto &[i, j] : pairs) {
        PlaneTensor plus = C1, minus = C1;
        plus[i][j] += step;
        minus[i][j] -= step;
        const auto slope =
            (algorithmic_stress(law, C0, plus) - algorithmic_stress(law, C0, minus)) / (2 * step);
        for (const auto &[k, l] : pairs)
          EXPECT_NEAR(slope[k][l], (i == j ? 1. : 2.) * exact.derivative[k][l][i][j],
                      2e-7 * (1 + exact.derivative.norm()));
      }
    }
}

/// The formula of the paper, literally, differentiated automatically.
TEST_P(OgdenTest, AgreesWithAutomaticDifferentiation) {
  using Number = Sacado::Fad::DFad<double>;
  const auto literal = [&](const std::array<double, 3> &c0, const std::array<Number, 3> &c1) {
    const auto energy = [&](const std::array<Number, 3> &c) {
      const Number tr = c[0] + c[1], det = c[0] * c[1] - c[2] * c[2];
      const Number c33 = GetParam() == Plane::strain
                             ? Number(1.)
                             : Number(law.k() / (law.c1 + law.c2 * tr + law.d * det));
      return Number(law.c1 * (tr + c33 - 3.) + law.c2 * (c33 * tr + det - 3.) +
                    law.d * (c33 * det - 1.) - law.k() * log(c33 * det));
    };
    // W' at the middle by the law's stress is one more thing to trust: take it by a second pass.
    std::array<Number, 3> middle, step;
    for (int k = 0; k < 3; ++k) {
      middle[k] = 0.5 * (c0[k] + c1[k]);
      step[k] = c1[k] - c0[k];
    }
    const Number tr = middle[0] + middle[1], det = middle[0] * middle[1] - middle[2] * middle[2];
    const Number c33 = GetParam() == Plane::strain
                           ? Number(1.)
                           : Number(law.k() / (law.c1 + law.c2 * tr + law.d * det));
    const Number a = law.c1 + law.c2 * c33, b = law.c2 + law.d * c33 - law.k() / det;
    const std::array<Number, 3> gradient = {Number(a + b * middle[1]), Number(a + b * middle[0]),
                                            Number(-b * middle[2])};
    const Number n = step[0] * step[0] + step[1] * step[1] + 2. * step[2] * step[2];
    const Number tangent_part =
        gradient[0] * step[0] + gradient[1] * step[1] + 2. * gradient[2] * step[2];
    const std::array<Number, 3> start = {Number(c0[0]), Number(c0[1]), Number(c0[2])};
    const Number B = energy(c1) - energy(start) - tangent_part;
    std::array<Number, 3> sigma;
    for (int k = 0; k < 3; ++k)
      sigma[k] = 2. * gradient[k] + 2. * B / n * step[k];
    return sigma;
  };
  const auto all = states();
  for (std::size_t a = 0; a + 1 < all.size(); ++a) {
    const auto &C0 = all[a], &C1 = all[a + 1];
    std::array<Number, 3> c1;
    for (int k = 0; k < 3; ++k)
      c1[k] = Number(3, k, C1[pairs[k][0]][pairs[k][1]]);
    const auto sigma = literal({C0[0][0], C0[1][1], C0[0][1]}, c1);
    const auto exact = algorithmic_stress_and_tangent(law, C0, C1);
    for (int k = 0; k < 3; ++k) {
      const auto [i, j] = pairs[k];
      EXPECT_NEAR(sigma[k].val(), exact.stress[i][j], 1e-11 * (1 + exact.stress.norm()));
      for (int m = 0; m < 3; ++m) {
        const auto [p, q] = pairs[m];
        EXPECT_NEAR(sigma[k].dx(m), (p == q ? 1. : 2.) * exact.derivative[i][j][p][q],
                    1e-10 * (1 + exact.derivative.norm()));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planes, OgdenTest, ::testing::Values(Plane::strain, Plane::stress));

TEST(LogarithmExcess, IsTheDifferenceOfLogarithms) {
  for (const double t : {0.5, 0.2, 0.05, -0.3})
    for (const double d : {0.1, -0.05, 0.}) {
      const LogarithmExcess excess(t, d);
      EXPECT_NEAR(excess.value, std::log1p(d + t) - std::log1p(d - t) - 2 * t, 1e-15);
      const double h = 1e-6;
      EXPECT_NEAR(excess.by_t,
                  (LogarithmExcess(t + h, d).value - LogarithmExcess(t - h, d).value) / (2 * h),
                  1e-9);
      EXPECT_NEAR(excess.by_d,
                  (LogarithmExcess(t, d + h).value - LogarithmExcess(t, d - h).value) / (2 * h),
                  1e-9);
    }
  EXPECT_NEAR(LogarithmExcess::artanh_minus_argument(0.1), std::atanh(0.1) - 0.1, 3e-17);
}

} // namespace
