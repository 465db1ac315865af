#include <percussion/material/viscosity.h>

#include <gtest/gtest.h>

#include "support.h"
#include <Sacado.hpp>
#include <string>

namespace {

using namespace percussion;

constexpr double h = 0.03, eta = 0.7;

/// Calls check for every pair of states A = C − I, stretched and compressed.
template <typename Check>
void visit_steps(const Check &check) {
  const auto identity = dealii::unit_symmetric_tensor<2>();
  for (const auto &C0 : states())
    for (const auto &C1 : states())
      check(PlaneTensor(C0 - identity), PlaneTensor(C1 - identity));
}

double dissipation(const FiniteViscosity &law, const PlaneTensor &A0, const PlaneTensor &A1) {
  return 0.5 * (law.stress(A0, A1, h) * (A1 - A0));
}

double stretch(const PlaneTensor &A0, const PlaneTensor &A1) { return trace(0.5 * (A0 + A1)); }

/// Σ = 2 ∂W/∂Ċ of the power densities in the paper, at Ċ = ΔA/h and A = A_m.
TEST(FiniteViscosity, IsTheDerivativeOfThePowerDensity) {
  using Fad = Sacado::Fad::SFad<double, 3>;
  visit_steps([](const auto &A0, const auto &A1) {
    Fad rate[3], square = 0.;
    for (int k = 0; k < 3; ++k) {
      rate[k] = Fad(3, k, (A1 - A0)[pairs[k][0]][pairs[k][1]] / h);
      square += multiplicity(pairs[k]) * rate[k] * rate[k];
    }
    const double I1_minus_3 = stretch(A0, A1);
    const Fad curnier = eta / 2 * square, pioletti = eta / 4 * square * std::max(I1_minus_3, 0.);
    const auto first = FiniteViscosity{ViscosityKind::curnier, eta}.stress(A0, A1, h);
    const auto second = FiniteViscosity{ViscosityKind::pioletti, eta}.stress(A0, A1, h);
    for (int k = 0; k < 3; ++k) {
      const auto [i, j] = pairs[k];
      const double twice = 2. / multiplicity(pairs[k]);
      EXPECT_NEAR(first[i][j], twice * curnier.dx(k), 4 * round_off * first.norm());
      EXPECT_NEAR(second[i][j], twice * pioletti.dx(k),
                  4 * round_off * (second.norm() + eta * (A1 - A0).norm() / h));
    }
  });
}

TEST(FiniteViscosity, CurnierDissipatesTheSquareOfTheStep) {
  visit_steps([](const auto &A0, const auto &A1) {
    const PlaneTensor dA = A1 - A0;
    const double expected = eta * (dA * dA) / h;
    EXPECT_NEAR(dissipation({ViscosityKind::curnier, eta}, A0, A1), expected,
                4 * round_off * expected);
  });
}

TEST(FiniteViscosity, PiolettiDissipatesWhereTheBodyIsStretched) {
  bool stretched = false, squeezed = false;
  visit_steps([&](const auto &A0, const auto &A1) {
    const PlaneTensor dA = A1 - A0;
    const double I1_minus_3 = stretch(A0, A1);
    const double value = dissipation({ViscosityKind::pioletti, eta}, A0, A1);
    if (I1_minus_3 <= 0.) {
      EXPECT_EQ(value, 0.);
      squeezed = squeezed || dA.norm() > 0.1;
    } else {
      EXPECT_NEAR(value, eta * I1_minus_3 * (dA * dA) / (2 * h),
                  4 * round_off * (1. + I1_minus_3) * eta * (dA * dA) / h);
      stretched = stretched || dA.norm() > 0.1;
    }
  });
  EXPECT_TRUE(stretched && squeezed);
}

/// Viscosities produce no energy, not even by round-off, and larger ones dissipate more.
TEST(FiniteViscosity, NeverProducesEnergyAndGrowsWithEta) {
  for (const auto &row : viscosity_laws())
    visit_steps([&](const auto &A0, const auto &A1) {
      double previous = 0.;
      for (const double viscosity : {0.5, 1., 4., 1e6}) {
        const double value = dissipation({row.kind, viscosity}, A0, A1);
        EXPECT_GE(value, previous) << row.name;
        if (previous > 0.) {
          EXPECT_GT(value, previous) << row.name;
        }
        previous = value;
      }
    });
}

/// The tangent is compared with differences, which are exact for these polynomials except for
/// round-off.
TEST(FiniteViscosity, TangentIsTheDifferenceQuotient) {
  const double step = 1e-2;
  for (const auto &row : viscosity_laws()) {
    const FiniteViscosity law{row.kind, eta};
    visit_steps([&](const auto &A0, const auto &A1) {
      if (std::abs(stretch(A0, A1)) < 4 * step)
        return; // Pioletti's law has a kink at I₁ = 3
      const auto exact = law.stress_and_tangent(A0, A1, h);
      EXPECT_EQ((exact.stress - law.stress(A0, A1, h)).norm(), 0.);
      for (const auto &ij : pairs) {
        const auto stress_slope =
            slope([&](const auto &at) { return law.stress(A0, at, h); }, A1, ij, step);
        for (const auto &[k, l] : pairs)
          EXPECT_NEAR(stress_slope[k][l], multiplicity(ij) * exact.derivative[k][l][ij[0]][ij[1]],
                      16 * round_off / step * (exact.stress.norm() + exact.derivative.norm()));
      }
    });
  }
}

TEST(FiniteViscosity, CurnierIsFourTimesKelvinVoigtAtSmallStrain) {
  const PlaneTensor strain = 1e-6 * tensor(3, -2, 1);
  const auto stress =
      FiniteViscosity{ViscosityKind::curnier, eta}.stress(PlaneTensor(), 2. * strain, h);
  EXPECT_LT((stress - 4. * eta / h * strain).norm(), 4 * round_off * stress.norm());
}

TEST(FiniteViscosity, TableHasBothByName) {
  ASSERT_EQ(viscosity_laws().size(), 2u);
  EXPECT_STREQ(viscosity_laws()[0].name, "curnier");
  EXPECT_EQ(viscosity_laws()[0].kind, ViscosityKind::curnier);
  EXPECT_STREQ(viscosity_laws()[1].name, "pioletti");
  EXPECT_EQ(viscosity_laws()[1].kind, ViscosityKind::pioletti);
}

TEST(FiniteViscosity, IsAbsentByDefault) {
  EXPECT_FALSE(FiniteViscosity{}.present());
  EXPECT_TRUE((FiniteViscosity{ViscosityKind::pioletti, 1e-9}.present()));
}

} // namespace
