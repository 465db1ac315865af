#include <percussion/material/cauchy_stress.h>

#include <gtest/gtest.h>

#include "laws.h"
#include "support.h"
#include <Sacado.hpp>

namespace {

using namespace percussion;
using Gradient = dealii::Tensor<2, 2>;
using FullStress = dealii::SymmetricTensor<2, 3>;

Gradient rotation(double angle) {
  Gradient Q;
  Q[0][0] = Q[1][1] = std::cos(angle);
  Q[1][0] = std::sin(angle);
  Q[0][1] = -Q[1][0];
  return Q;
}

/// Returns square roots of right Cauchy–Green tensors, each followed by a rotation.
std::vector<Gradient> deformations() {
  std::vector<Gradient> list;
  for (const auto &C : states()) {
    const double root = std::sqrt(determinant(C)); // Cayley–Hamilton
    const Gradient U =
        (C + root * dealii::unit_symmetric_tensor<2>()) / std::sqrt(trace(C) + 2 * root);
    list.push_back(rotation(0.7 * list.size()) * U);
  }
  return list;
}

template <typename Literal>
class CauchyStressTest : public ::testing::Test {
protected:
  using Law = decltype(Literal::law());
  const Law law = Literal::law();
  const LawOfC<Law> law_C{law};

  /// Returns deformations at which the body keeps a third of its thickness: a law for small strains
  /// does not admit all of them.
  std::vector<Gradient> admissible() const {
    std::vector<Gradient> list;
    for (const auto &F : deformations())
      if (law_C.out_of_plane_stretch(symmetrize(transpose(F) * F)) > 0.1)
        list.push_back(F);
    EXPECT_GE(list.size(), 25u);
    return list;
  }

  /// Returns σ at F; cauchy_stress() takes F − I.
  FullStress cauchy(const Gradient &F) const {
    return cauchy_stress(law, Gradient(F - dealii::unit_symmetric_tensor<2>()));
  }

  /// Returns the size of the terms whose sum is the stress at F.
  double scale(const Gradient &F) const {
    const PlaneTensor C = symmetrize(transpose(F) * F);
    const double C33 = law_C.out_of_plane_stretch(C);
    return (law_C.tangent(C).norm() * (C.norm() + C33) + law_C.stress(C).norm()) *
           (C.norm() + C33) / (determinant(F) * std::sqrt(C33));
  }
};

TYPED_TEST_SUITE(CauchyStressTest, LiteralLaws, LawNames);

TYPED_TEST(CauchyStressTest, RotatesWithTheBody) {
  const auto Q = rotation(1.1);
  for (const auto &F : this->admissible()) {
    const auto before = this->cauchy(F), after = this->cauchy(Gradient(Q * F));
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j) {
        double rotated = 0;
        for (unsigned int k = 0; k < 2; ++k)
          for (unsigned int l = 0; l < 2; ++l)
            rotated += Q[i][k] * before[k][l] * Q[j][l];
        EXPECT_NEAR(after[i][j], rotated, 4e-16 * this->scale(F));
      }
    EXPECT_NEAR(after[2][2], before[2][2], 4e-16 * this->scale(F));
  }
}

/// J σ F⁻ᵀ is the derivative of the literal energy with respect to F, with F₃₃ = √C₃₃, by automatic
/// differentiation.
TYPED_TEST(CauchyStressTest, IsTheDerivativeOfTheEnergy) {
  using Fad = Sacado::Fad::SFad<double, 5>;
  for (const auto &F : this->admissible()) {
    const PlaneTensor C = symmetrize(transpose(F) * F);
    const double f33 = std::sqrt(this->law_C.out_of_plane_stretch(C));
    Fad f[2][2];
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j)
        f[i][j] = Fad(5, 2 * i + j, F[i][j]);
    const Fad thickness(5, 4, f33);
    const Components<Fad> c = {Fad(f[0][0] * f[0][0] + f[1][0] * f[1][0]),
                               Fad(f[0][1] * f[0][1] + f[1][1] * f[1][1]),
                               Fad(f[0][0] * f[0][1] + f[1][0] * f[1][1])};
    const Fad W = literal_energy<TypeParam, Fad>(c, thickness * thickness);
    const auto sigma = this->cauchy(F);
    const double J = determinant(F) * f33;
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j)
        EXPECT_NEAR(sigma[i][j], (W.dx(2 * i) * F[j][0] + W.dx(2 * i + 1) * F[j][1]) / J,
                    4e-16 * this->scale(F));
    EXPECT_NEAR(sigma[2][2], W.dx(4) * f33 / J, 4e-16 * this->scale(F));
    EXPECT_EQ(sigma[0][2], 0.);
    EXPECT_EQ(sigma[1][2], 0.);
    if (this->law.plane == Plane::stress) {
      EXPECT_NEAR(sigma[2][2], 0., 4e-16 * this->scale(F));
    }
  }
}

/// σ(I + s H) → λ tr(ε) I + 2 µ ε with its 33 component, at the rate s².
TYPED_TEST(CauchyStressTest, IsThatOfLinearElasticityAtSmallStrain) {
  Gradient H;
  H[0][0] = 0.3, H[0][1] = -0.8, H[1][0] = 0.4, H[1][1] = 0.5;
  const auto linear = small_strain_limit(this->law).full_stress(symmetrize(H));
  const auto error = [&](double s) {
    // a central difference has no terms of second order
    return ((cauchy_stress(this->law, s * H) - cauchy_stress(this->law, -s * H)) / (2 * s) - linear)
        .norm();
  };
  EXPECT_LT(error(1e-5), 1e-9);
  EXPECT_NEAR(error(2e-2) / error(1e-2), 4., 2e-3);
}

} // namespace
