// The hyperelastic laws in 3D, compared with their energies in the literature.

#include <percussion/material/cauchy_stress.h>
#include <percussion/material/discrete_gradient.h>
#include <percussion/material/viscosity.h>

#include <gtest/gtest.h>

#include "laws.h"
#include <Sacado.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <random>

namespace laws_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>,
                                              boost::multiprecision::et_off>;

constexpr double round_off = std::numeric_limits<double>::epsilon();
constexpr unsigned int places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
template <typename Number>
using Six = std::array<Number, 6>;
const SpaceTensor I = dealii::unit_symmetric_tensor<3>();

/// Returns the components of C = I + A.
template <typename Number>
Six<Number> components_of_C(const SpaceTensor &A) {
  Six<Number> c;
  for (unsigned int k = 0; k < 6; ++k)
    c[k] = Number(A[places[k][0]][places[k][1]]) + Number(k < 3 ? 1. : 0.);
  return c;
}

template <typename Literal, typename Number>
Number energy_of(const Six<Number> &c) {
  const Number I1 = c[0] + c[1] + c[2];
  const Number I2 =
      c[0] * c[1] + c[0] * c[2] + c[1] * c[2] - c[3] * c[3] - c[4] * c[4] - c[5] * c[5];
  const Number I3 = c[0] * (c[1] * c[2] - c[5] * c[5]) - c[3] * (c[3] * c[2] - c[4] * c[5]) +
                    c[4] * (c[3] * c[5] - c[4] * c[1]);
  return Literal::template energy<Number>(I1, I2, I3);
}

/// Returns 2 ∂W/∂C, differentiated automatically.
template <typename Literal, typename Number>
Six<Number> stress_of(const Six<Number> &c) {
  using Fad = Sacado::Fad::SFad<Number, 6>;
  Six<Fad> variable;
  for (int k = 0; k < 6; ++k)
    variable[k] = Fad(6, k, c[k]);
  const Fad W = energy_of<Literal, Fad>(variable);
  Six<Number> S;
  for (int k = 0; k < 6; ++k)
    S[k] = (k < 3 ? 2. : 1.) * W.dx(k); // an off-diagonal component occurs twice in C
  return S;
}

/// Returns strains A of an invertible F = I + scale × random.
std::vector<SpaceTensor> states(double scale) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> entry(-scale, scale);
  std::vector<SpaceTensor> list;
  while (list.size() < 12) {
    dealii::Tensor<2, 3> G;
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        G[i][j] = entry(generator);
    if (determinant(G + dealii::Tensor<2, 3>(I)) > 0.1)
      list.push_back(doubled_strain(G));
  }
  return list;
}

template <typename Literal>
class LawInSpace : public ::testing::Test {
protected:
  const decltype(Literal::law()) law = Literal::law();

  double scale(const SpaceTensor &A) const {
    return law.tangent(A).norm() * (A + I).norm() + law.stress(A).norm();
  }
};
using Literals = ::testing::Types<LiteralOgden<Plane::strain>, LiteralNeoHooke>;
TYPED_TEST_SUITE(LawInSpace, Literals, LawNames);

TYPED_TEST(LawInSpace, EnergyStressAndTangentAreThoseOfTheLiterature) {
  for (const SpaceTensor &A : states(0.5)) {
    const auto c = components_of_C<double>(A);
    EXPECT_NEAR(this->law.energy(A), (energy_of<TypeParam, double>(c)),
                20. * round_off * this->scale(A));
    const auto S = stress_of<TypeParam, double>(c);
    using Fad = Sacado::Fad::SFad<double, 6>;
    Six<Fad> variable;
    for (int k = 0; k < 6; ++k)
      variable[k] = Fad(6, k, c[k]);
    const auto dS = stress_of<TypeParam, Fad>(variable);
    const SpaceTensor own = this->law.stress(A);
    const SpaceTangent D = this->law.tangent(A);
    for (int k = 0; k < 6; ++k) {
      const auto [i, j] = places[k];
      EXPECT_NEAR(own[i][j], S[k], 50. * round_off * this->scale(A));
      for (int l = 0; l < 6; ++l) {
        const auto [m, n] = places[l];
        EXPECT_NEAR(D[i][j][m][n], (l < 3 ? 2. : 1.) * dS[k].dx(l), 200. * round_off * D.norm());
      }
    }
  }
}

/// Energies of small strains keep their digits, and the stress at rest is zero.
TYPED_TEST(LawInSpace, SmallStrainsKeepTheirDigits) {
  EXPECT_EQ(this->law.stress(SpaceTensor()).norm(), 0.);
  const auto limit = small_strain_limit<3>(this->law);
  EXPECT_NEAR(limit.lambda, TypeParam::lambda, 1e-14);
  EXPECT_NEAR(limit.mu, TypeParam::mu, 1e-14);
  for (const double size : {1e-3, 1e-7})
    for (const SpaceTensor &A : states(size)) {
      const double exact =
          static_cast<double>(energy_of<TypeParam, Precise>(components_of_C<Precise>(A)));
      EXPECT_NEAR(this->law.energy(A), exact, 1e-13 * exact);
    }
}

/// A step satisfies the energy identity, and its stress has the digits of the literal formula, for
/// any size of the step.
TYPED_TEST(LawInSpace, AlgorithmicStressIsTheDiscreteGradient) {
  const auto all = states(0.4);
  for (const double size : {1., 1e-2, 1e-5, 1e-9})
    for (std::size_t a = 0; a < all.size(); ++a) {
      const SpaceTensor &A0 = all[a], A1 = A0 + size * (all[(a + 1) % all.size()] - A0);
      const SpaceTensor sigma = algorithmic_stress(this->law, A0, A1);
      const auto c0 = components_of_C<Precise>(A0), c1 = components_of_C<Precise>(A1);
      const Precise rise = energy_of<TypeParam, Precise>(c1) - energy_of<TypeParam, Precise>(c0);
      EXPECT_NEAR(0.5 * (sigma * (A1 - A0)), static_cast<double>(rise),
                  20. * round_off * this->scale(A0) * (A1 - A0).norm());
      // The formula of the paper, with many digits.
      Six<Precise> middle, gradient, exact;
      for (int k = 0; k < 6; ++k)
        middle[k] = (c0[k] + c1[k]) / 2;
      gradient = stress_of<TypeParam, Precise>(middle);
      Precise n = 0, B = rise;
      for (int k = 0; k < 6; ++k) {
        const Precise change = c1[k] - c0[k], weight = k < 3 ? 1 : 2;
        n += weight * change * change;
        B -= weight * gradient[k] / 2 * change;
      }
      for (int k = 0; k < 6; ++k) {
        exact[k] = gradient[k] + 2 * B / n * (c1[k] - c0[k]);
        EXPECT_NEAR(sigma[places[k][0]][places[k][1]], static_cast<double>(exact[k]),
                    50. * round_off * this->scale(A0));
      }
    }
}

/// The derivative of the algorithmic stress is compared with differences of fourth order. The sum
/// of their weights, 3/2, multiplies 50 units of the stress's round-off, divided by the step.
TYPED_TEST(LawInSpace, AlgorithmicTangentIsTheDerivative) {
  const auto all = states(0.3);
  for (const double size : {1., 1e-3})
    for (std::size_t a = 0; a < all.size(); ++a) {
      const SpaceTensor &A0 = all[a], A1 = A0 + size * (all[(a + 1) % all.size()] - A0);
      const auto result = algorithmic_stress_and_tangent(this->law, A0, A1);
      EXPECT_LT((result.stress - algorithmic_stress(this->law, A0, A1)).norm(),
                1e-14 * this->scale(A0));
      for (int l = 0; l < 6; ++l) {
        const auto at = [&](double step) {
          SpaceTensor moved = A1;
          moved[places[l][0]][places[l][1]] += step;
          return algorithmic_stress(this->law, A0, moved);
        };
        const double step = 3e-4 * size;
        const SpaceTensor slope =
            (8. * (at(step) - at(-step)) - (at(2. * step) - at(-2. * step))) / (12. * step);
        SpaceTensor direction;
        direction[places[l][0]][places[l][1]] = 1.;
        EXPECT_LT((result.derivative * direction - slope).norm(),
                  1e-10 * result.derivative.norm() + 75. * round_off * this->scale(A0) / step);
      }
    }
}

/// Without strain in the third direction, the in-plane stress is the stress of plane strain.
TYPED_TEST(LawInSpace, ContainsPlaneStrain) {
  for (const SpaceTensor &general : states(0.4)) {
    const PlaneTensor plane = symmetric(general[0][0], general[1][1], general[0][1]);
    const SpaceTensor A = full_tensor(plane, 0.);
    EXPECT_NEAR(this->law.energy(A), this->law.energy(plane), 1e-14 * this->scale(A));
    const SpaceTensor S = this->law.stress(A),
                      expected = full_tensor(PlaneTensor(this->law.stress(plane)),
                                             this->law.out_of_plane_stress(plane));
    EXPECT_LT((S - expected).norm(), 1e-14 * this->scale(A));
  }
}

TYPED_TEST(LawInSpace, LanesAreAsSinglePoints) {
  const auto all = states(0.4);
  const auto lanes = [](const SpaceTensor &a, const SpaceTensor &b) {
    const auto of = [&](unsigned int k) {
      return Lanes{a[places[k][0]][places[k][1]], b[places[k][0]][places[k][1]]};
    };
    return LaneSpaceTensor{of(0), of(1), of(2), of(3), of(4), of(5)};
  };
  for (std::size_t a = 0; a + 3 < all.size(); ++a) {
    const auto both =
        algorithmic_stress(this->law, lanes(all[a], all[a + 1]), lanes(all[a + 2], all[a + 3]));
    for (unsigned int lane = 0; lane < 2; ++lane) {
      const SpaceTensor one = algorithmic_stress(this->law, all[a + lane], all[a + 2 + lane]);
      const SpaceTensor lane_tensor = symmetric(both.xx[lane], both.yy[lane], both.zz[lane],
                                                both.xy[lane], both.xz[lane], both.yz[lane]);
      EXPECT_LT((one - lane_tensor).norm(), 1e-14 * this->scale(all[a + lane]));
    }
  }
}

/// σ = F S Fᵀ / J rotates with the body.
TYPED_TEST(LawInSpace, CauchyStressTurnsWithTheBody) {
  dealii::Tensor<2, 3> F = I, R;
  F[0][1] = 0.3;
  F[1][2] = -0.2;
  F[2][2] = 1.2;
  const double c = std::cos(0.7), s = std::sin(0.7);
  R[0][0] = R[2][2] = c;
  R[0][2] = s;
  R[2][0] = -s;
  R[1][1] = 1.;
  const dealii::Tensor<2, 3> unit = I;
  const dealii::Tensor<2, 3> sigma = cauchy_stress(this->law, dealii::Tensor<2, 3>(F - unit)),
                             turned = cauchy_stress(this->law, dealii::Tensor<2, 3>(R * F - unit));
  EXPECT_LT((turned - R * sigma * transpose(R)).norm(), 1e-14 * sigma.norm());
}

TEST(ViscosityInSpace, TangentIsTheDerivative) {
  const auto all = states(0.3);
  constexpr double h = 0.2, step = 1e-4;
  for (const ViscosityKind kind : {ViscosityKind::curnier, ViscosityKind::pioletti})
    for (std::size_t a = 0; a + 1 < all.size(); ++a) {
      const FiniteViscosity viscosity{kind, 0.7};
      const SpaceTensor &A0 = all[a], &A1 = all[a + 1];
      const auto result = viscosity.stress_and_tangent(A0, A1, h);
      EXPECT_GE(result.stress * (A1 - A0), 0.);
      SpaceTensor direction = all[0];
      const SpaceTensor slope = (viscosity.stress(A0, SpaceTensor(A1 + step * direction), h) -
                                 viscosity.stress(A0, SpaceTensor(A1 - step * direction), h)) /
                                (2. * step);
      EXPECT_LT((result.derivative * direction - slope).norm(), 1e-9 * (1. + slope.norm()));
    }
}

} // namespace laws_in_space
