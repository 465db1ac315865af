#include <percussion/material/linear_elastic.h>

#include <gtest/gtest.h>

#include "support.h"

namespace {

using namespace percussion;

TEST(LinearElastic, PlaneStressInUniaxialTension) {
  const double young = 210., poisson = 0.3, stretch = 1e-3;
  const auto law = LinearElastic<2>::from_young(young, poisson, Plane::stress);
  const auto stress = law.full_stress(tensor(stretch, -poisson * stretch, 0));
  EXPECT_NEAR(stress[0][0], young * stretch, 1e-15);
  EXPECT_NEAR(stress[1][1], 0., 1e-15);
  EXPECT_EQ(stress[2][2], 0.);
  EXPECT_NEAR(von_mises(stress), young * stretch, 1e-15);
}

/// Hooke's law solved for ε₃₃ = 0: σ₃₃ = ν (σ₁₁ + σ₂₂), ε₁₁ = (σ₁₁ − ν(σ₂₂ + σ₃₃))/E.
TEST(LinearElastic, PlaneStrainIsTheThreeDimensionalLaw) {
  const double young = 3.7, poisson = 0.42;
  const auto law = LinearElastic<2>::from_young(young, poisson, Plane::strain);
  const auto e = tensor(0.3, -0.1, 0.2);
  const auto s = law.full_stress(e);
  EXPECT_NEAR(s[2][2], poisson * (s[0][0] + s[1][1]), 1e-14);
  EXPECT_NEAR((s[0][0] - poisson * (s[1][1] + s[2][2])) / young, e[0][0], 1e-14);
  EXPECT_NEAR((s[1][1] - poisson * (s[0][0] + s[2][2])) / young, e[1][1], 1e-14);
  EXPECT_NEAR(s[0][1] * (1 + poisson) / young, e[0][1], 1e-14);
}

TEST(LinearElastic, StressIsTheDerivativeOfTheEnergy) {
  for (const Plane plane : {Plane::strain, Plane::stress}) {
    const auto law = LinearElastic<2>::from_young(2.5, 0.33, plane);
    const auto e = tensor(0.2, -0.3, 0.15);
    const auto stress = law.stress(e);
    const double step = 1e-4;
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = i; j < 2; ++j) {
        auto plus = e, minus = e;
        plus[i][j] += step;
        minus[i][j] -= step;
        const double slope = (law.energy(plus) - law.energy(minus)) / (2 * step);
        EXPECT_NEAR(slope, stress[i][j] * (i == j ? 1 : 2), 1e-11);
      }
  }
}

TEST(VonMises, IgnoresPressureAndScalesShear) {
  dealii::SymmetricTensor<2, 3> stress;
  for (unsigned int i = 0; i < 3; ++i)
    stress[i][i] = -5.;
  EXPECT_NEAR(von_mises(stress), 0., 1e-15);
  stress[0][1] = 2.;
  EXPECT_NEAR(von_mises(stress), 2. * std::sqrt(3.), 1e-14);
}

} // namespace
