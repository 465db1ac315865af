#include <percussion/input/patterns.h>
#include <percussion/material/discrete_gradient.h>

#include <gtest/gtest.h>

#include "laws.h"
#include "support.h"
#include <Sacado.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <string_view>

namespace {

using namespace percussion;
using Fad = Sacado::Fad::SFad<double, 3>;
using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                              boost::multiprecision::et_off>;

template <typename Number>
Components<Number> components(const PlaneTensor &C) {
  return {Number(C[0][0]), Number(C[1][1]), Number(C[0][1])};
}

template <typename Literal>
class HyperelasticLawTest : public ::testing::Test {
protected:
  using Law = LawOfC<decltype(Literal::law())>;
  const Law law{Literal::law()};
  const decltype(Literal::law()) law_A = Literal::law(); ///< the law as a function of A = C − I

  template <typename Number>
  static Number energy(const Components<Number> &c) {
    return literal_energy<Literal, Number>(c);
  }

  /// Returns the gradient of the literal energy with respect to its components xx, yy, xy = yx.
  template <typename Number>
  static Components<Number> energy_gradient(const Components<Number> &c) {
    using Outer = Sacado::Fad::SFad<Number, 3>;
    Components<Outer> variable;
    for (int k = 0; k < 3; ++k)
      variable[k] = Outer(3, k, c[k]);
    const Outer W = energy<Outer>(variable);
    return {W.dx(0), W.dx(1), W.dx(2)};
  }

  /// Returns W(C₁) − W(C₀) − W'(C_m) : ΔC by subtraction.
  template <typename Number>
  static Number energy_excess(const Components<Number> &c0, const Components<Number> &c1) {
    const auto gradient = energy_gradient<Number>(mean(c0, c1));
    Number B = energy<Number>(c1) - energy<Number>(c0);
    for (int k = 0; k < 3; ++k)
      B -= gradient[k] * (c1[k] - c0[k]);
    return B;
  }

  /// Returns the discrete-gradient stress by the formula of the paper.
  template <typename Number>
  static Components<Number> algorithmic_stress_of(const Components<Number> &c0,
                                                  const Components<Number> &c1) {
    const auto gradient = energy_gradient<Number>(mean(c0, c1));
    Number n = Number(0.);
    for (int k = 0; k < 3; ++k)
      n += multiplicity(pairs[k]) * (c1[k] - c0[k]) * (c1[k] - c0[k]);
    const Number B = energy_excess<Number>(c0, c1);
    Components<Number> stress;
    for (int k = 0; k < 3; ++k)
      stress[k] = 2. / multiplicity(pairs[k]) * gradient[k] + 2. * B / n * (c1[k] - c0[k]);
    return stress;
  }

  template <typename Number>
  static Components<Number> mean(const Components<Number> &a, const Components<Number> &b) {
    Components<Number> middle;
    for (int k = 0; k < 3; ++k)
      middle[k] = 0.5 * (a[k] + b[k]);
    return middle;
  }

  /// Returns the derivative of f with respect to component k at c, to fifty digits.
  template <typename Function>
  static Precise precise_slope(const Function &f, const Components<Precise> &c, int k) {
    const Precise step("1e-30");
    auto ahead = c, behind = c;
    ahead[k] += step;
    behind[k] -= step;
    return (f(ahead) - f(behind)) / (2 * step);
  }

  /// Returns C = I + A, exactly.
  static Components<Precise> precise_C(const PlaneTensor &A) {
    auto c = components<Precise>(A);
    c[0] += 1;
    c[1] += 1;
    return c;
  }

  /// Returns the size of the terms whose sum is the stress, as the reference of its round-off.
  double stress_scale(const PlaneTensor &C) const {
    return law.tangent(C).norm() * C.norm() + law.stress(C).norm();
  }

  /// Calls check for steps of all sizes from every state towards the next.
  template <typename Check>
  static void visit_steps(const std::vector<double> &sizes, const Check &check) {
    const auto all = states();
    for (std::size_t a = 0; a < all.size(); ++a)
      for (const double size : sizes)
        check(all[a], PlaneTensor(all[a] + size * (all[(a + 5) % all.size()] - all[a])));
  }
};

TYPED_TEST_SUITE(HyperelasticLawTest, LiteralLaws, LawNames);

TYPED_TEST(HyperelasticLawTest, IsStressFreeAndWithoutEnergyAtTheReference) {
  const auto I = tensor(1, 1, 0);
  EXPECT_NEAR(this->law.out_of_plane_stretch(I), 1., round_off);
  EXPECT_NEAR(this->law.energy(I), 0., 4 * round_off);
  EXPECT_LT(this->law.stress(I).norm(), 4 * round_off);
  EXPECT_NEAR(this->law.out_of_plane_stress(I), 0., 4 * round_off);
}

TYPED_TEST(HyperelasticLawTest, StressAndTangentAreDifferenceQuotients) {
  for (const auto &C : states()) {
    const double step = 2e-3 * smallest_eigenvalue(C);
    const auto stress = this->law.stress(C);
    const auto tangent = this->law.tangent(C);
    const double scale = this->stress_scale(C);
    for (const auto &ij : pairs) {
      const double half = 0.5 * multiplicity(ij);
      EXPECT_NEAR(slope([&](const auto &at) { return this->law.energy(at); }, C, ij, step),
                  half * stress[ij[0]][ij[1]], 1e-11 * scale);
      const auto stress_slope =
          slope([&](const auto &at) { return this->law.stress(at); }, C, ij, step);
      for (const auto &[k, l] : pairs)
        EXPECT_NEAR(stress_slope[k][l], half * tangent[k][l][ij[0]][ij[1]],
                    1e-10 * scale / smallest_eigenvalue(C));
    }
  }
}

TYPED_TEST(HyperelasticLawTest, EnergyStressAndTangentAgreeWithAutomaticDifferentiation) {
  for (const auto &C : states()) {
    Components<Fad> c;
    for (int k = 0; k < 3; ++k)
      c[k] = Fad(3, k, C[pairs[k][0]][pairs[k][1]]);
    const double scale = this->stress_scale(C);
    EXPECT_NEAR(this->law.energy(C), this->energy(components<double>(C)),
                round_off * scale * C.norm());
    const auto gradient = this->energy_gradient(c);
    const auto stress = this->law.stress(C);
    const auto tangent = this->law.tangent(C);
    for (int k = 0; k < 3; ++k) {
      const auto [i, j] = pairs[k];
      const double twice = 2. / multiplicity(pairs[k]);
      EXPECT_NEAR(twice * gradient[k].val(), stress[i][j], 2 * round_off * scale);
      for (int l = 0; l < 3; ++l)
        EXPECT_NEAR(twice * gradient[k].dx(l),
                    0.5 * multiplicity(pairs[l]) * tangent[i][j][pairs[l][0]][pairs[l][1]],
                    8 * round_off * tangent.norm());
    }
  }
}

/// S₃₃ is 2 ∂W/∂C₃₃ of the 3D law; in plane stress the law's C₃₃ makes the energy stationary.
TYPED_TEST(HyperelasticLawTest, OutOfPlaneStressIsThatOfTheThreeDimensionalLaw) {
  for (const auto &C : states()) {
    const double c33 = this->law.out_of_plane_stretch(C);
    if (c33 < 0.) // St. Venant and Kirchhoff's law: stretched until the thickness vanishes
      continue;
    EXPECT_NEAR(c33, TypeParam::template c33<double>(components<double>(C)),
                4 * round_off * TypeParam::c33_scale(c33));
    const Fad W = literal_energy<TypeParam, Fad>(components<Fad>(C), Fad(3, 0, c33));
    const double tolerance = 2 * round_off * this->stress_scale(C) / c33;
    EXPECT_NEAR(this->law.out_of_plane_stress(C), 2. * W.dx(0), tolerance);
    if (this->law.plane == Plane::stress) {
      EXPECT_NEAR(this->law.out_of_plane_stress(C), 0., tolerance);
    } else {
      EXPECT_EQ(c33, 1.);
    }
  }
}

/// C − I keeps the digits of small strains, and so do energy and stress relative to their own size,
/// although the terms of the literal law have the size of its constants.
TYPED_TEST(HyperelasticLawTest, EnergyAndStressKeepTheirDigitsAtSmallStrain) {
  for (const double size : {1e-1, 1e-2, 1e-4, 1e-8, 1e-12, 1e-20})
    for (const auto &A : small_strains(size)) {
      const auto c = this->precise_C(A);
      const double energy = static_cast<double>(this->energy(c));
      EXPECT_NEAR(this->law_A.energy(A), energy, 4 * round_off * energy) << A;
      const auto gradient = this->energy_gradient(c);
      const auto stress = this->law_A.stress(A);
      for (int k = 0; k < 3; ++k) {
        const auto [i, j] = pairs[k];
        EXPECT_NEAR(stress[i][j], static_cast<double>(2. / multiplicity(pairs[k]) * gradient[k]),
                    4 * round_off * stress.norm())
            << A;
      }
      // ∂W/∂C₃₃ at the law's C₃₃, which is 1 in plane strain
      if (this->law_A.plane == Plane::stress) {
        EXPECT_EQ(this->law_A.out_of_plane_stress(A), 0.);
      } else {
        using PreciseFad = Sacado::Fad::SFad<Precise, 1>;
        const Components<PreciseFad> fixed = {PreciseFad(c[0]), PreciseFad(c[1]), PreciseFad(c[2])};
        const auto W = literal_energy<TypeParam, PreciseFad>(fixed, PreciseFad(1, 0, Precise(1)));
        EXPECT_NEAR(this->law_A.out_of_plane_stress(A), static_cast<double>(2 * W.dx(0)),
                    2 * round_off * stress.norm())
            << A;
      }
    }
}

/// The excess of the energy, which would lose its digits in a subtraction in double precision, is
/// compared with a subtraction in a hundred digits.
TYPED_TEST(HyperelasticLawTest, ExcessKeepsItsDigitsAsTheStepVanishes) {
  this->visit_steps({1., 0.3, 1e-1, 1e-2, 1e-4, 1e-8}, [&](const auto &C0, const auto &C1) {
    const PlaneTensor C_m = 0.5 * (C0 + C1), dC = C1 - C0;
    const auto B = this->law.excess(C_m, dC);
    // the C± for these C_m and ΔC
    auto minus = components<Precise>(C_m), plus = minus;
    for (int k = 0; k < 3; ++k) {
      minus[k] -= components<Precise>(dC)[k] / 2;
      plus[k] += components<Precise>(dC)[k] / 2;
    }
    const auto literal = [&](const auto &c) {
      return TestFixture::template energy_excess<Precise>(minus, c);
    };
    const double squeezed = std::min(smallest_eigenvalue(C0), smallest_eigenvalue(C1));
    const double relative = dC.norm() / squeezed;
    const double scale = this->stress_scale(C_m) / squeezed * relative * relative;
    EXPECT_NEAR(B.value, static_cast<double>(literal(plus)), 4 * round_off * scale * dC.norm());
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(multiplicity(pairs[k]) * B.derivative[pairs[k][0]][pairs[k][1]],
                  static_cast<double>(this->precise_slope(literal, plus, k)), round_off * scale);
  });
}

/// Σ : ΔC / 2 = W(C₁) − W(C₀) up to the round-off of the stress, from large steps to steps so small
/// that a difference of energies in double precision has no correct digit.
TYPED_TEST(HyperelasticLawTest, DiscreteGradientKeepsTheEnergyIdentity) {
  this->visit_steps({1., 1e-1, 1e-2, 1e-4, 1e-8, 1e-12, 1e-16},
                    [&](const auto &C0, const auto &C1) {
                      const auto stress = algorithmic_stress(this->law, C0, C1);
                      const Precise rise = this->energy(components<Precise>(C1)) -
                                           this->energy(components<Precise>(C0));
                      const double scale = this->stress_scale(0.5 * (C0 + C1)) + stress.norm();
                      EXPECT_NEAR(0.5 * (stress * (C1 - C0)), static_cast<double>(rise),
                                  4 * round_off * scale * (C1 - C0).norm());
                    });
}

/// At small strain the identity holds up to the round-off of the energy.
TYPED_TEST(HyperelasticLawTest, DiscreteGradientKeepsTheEnergyIdentityAtSmallStrain) {
  for (const double size : {1e-1, 1e-2, 1e-4, 1e-8, 1e-12, 1e-20}) {
    const auto all = small_strains(size);
    for (const auto &A0 : all)
      for (const auto &A1 : all) {
        const double W0 = this->law_A.energy(A0), W1 = this->law_A.energy(A1);
        const auto stress = algorithmic_stress(this->law_A, A0, A1);
        EXPECT_NEAR(0.5 * (stress * (A1 - A0)), W1 - W0, 6 * round_off * std::max(W0, W1))
            << A0 << " to " << A1;
      }
  }
}

/// The correction is of second order and vanishes without noise: there is no threshold.
TYPED_TEST(HyperelasticLawTest, CorrectionVanishesSmoothly) {
  const auto C_m = tensor(1.3, 0.8, 0.2), direction = tensor(0.15, -0.25, 0.2);
  double previous = 0;
  for (double size = 1e-1; size > 1e-6; size *= 0.5) {
    const PlaneTensor C0 = C_m - size * direction, C1 = C_m + size * direction;
    const double correction =
        (algorithmic_stress(this->law, C0, C1) - this->law.stress(0.5 * (C0 + C1))).norm();
    if (previous > 0) {
      EXPECT_NEAR(previous / correction, 4., 4. * size * size + 4 * round_off / correction) << size;
    }
    previous = correction;
  }
}

/// The stress without a step, and with steps whose square is zero or has no inverse.
TYPED_TEST(HyperelasticLawTest, WithoutAStepTheStressIsTheLaws) {
  for (const auto &C0 : states())
    for (const double size : {0., 1e-320, 1e-170, 1e-155, 1e-150}) {
      const auto C1 = C0 + tensor(0, 0, size);
      const auto middle = this->law.stress(0.5 * (C0 + C1));
      const auto result = algorithmic_stress_and_tangent(this->law, C0, C1);
      EXPECT_EQ((result.stress - middle).norm(), 0.);
      EXPECT_EQ((algorithmic_stress(this->law, C0, C1) - middle).norm(), 0.);
      EXPECT_LT((result.derivative - 0.25 * this->law.tangent(C0)).norm(),
                4 * round_off * this->law.tangent(C0).norm());
    }
}

TYPED_TEST(HyperelasticLawTest, AlgorithmicTangentIsTheDifferenceQuotient) {
  this->visit_steps({0.9, 1e-2, 0.}, [&](const auto &C0, const auto &C1) {
    const double size = (C1 - C0).norm(), squeezed = smallest_eigenvalue(C1);
    if (size > 0. && size < 1e-3)
      return; // the step is too small for a difference: see the test with a hundred digits
    const double step = 2e-3 * (size > 0. ? std::min(size, squeezed) : squeezed);
    const auto exact = algorithmic_stress_and_tangent(this->law, C0, C1);
    for (const auto &ij : pairs) {
      const auto stress_slope = slope(
          [&](const auto &at) { return algorithmic_stress(this->law, C0, at); }, C1, ij, step);
      for (const auto &[k, l] : pairs)
        EXPECT_NEAR(stress_slope[k][l], multiplicity(ij) * exact.derivative[k][l][ij[0]][ij[1]],
                    1e-10 * this->stress_scale(C1) / squeezed +
                        round_off / step * this->stress_scale(C1));
    }
  });
}

/// Stress and tangent for steps of every size are compared with the formula of the paper in a
/// hundred digits.
TYPED_TEST(HyperelasticLawTest, AlgorithmicStressAndTangentKeepTheirDigits) {
  this->visit_steps({1., 0.3, 1e-1, 1e-2, 1e-4, 1e-8, 1e-12}, [&](const auto &C0, const auto &C1) {
    if ((C1 - C0).norm() == 0.)
      return;
    const auto exact = algorithmic_stress_and_tangent(this->law, C0, C1);
    EXPECT_EQ((exact.stress - algorithmic_stress(this->law, C0, C1)).norm(), 0.);
    const auto start = components<Precise>(C0), end = components<Precise>(C1);
    const double squeezed = std::min(smallest_eigenvalue(C0), smallest_eigenvalue(C1));
    const double scale = this->stress_scale(C0) + this->stress_scale(C1);
    for (int k = 0; k < 3; ++k) {
      const auto [i, j] = pairs[k];
      const auto component = [&, k](const auto &c) {
        return TestFixture::template algorithmic_stress_of<Precise>(start, c)[k];
      };
      EXPECT_NEAR(exact.stress[i][j], static_cast<double>(component(end)), 2 * round_off * scale);
      for (int l = 0; l < 3; ++l)
        EXPECT_NEAR(multiplicity(pairs[l]) * exact.derivative[i][j][pairs[l][0]][pairs[l][1]],
                    static_cast<double>(this->precise_slope(component, end, l)),
                    2 * round_off * scale / squeezed);
    }
  });
}

/// The formula of the paper is differentiated automatically.
TYPED_TEST(HyperelasticLawTest, AlgorithmicStressAgreesWithAutomaticDifferentiation) {
  this->visit_steps({1., 0.3}, [&](const auto &C0, const auto &C1) {
    Components<Fad> end;
    for (int k = 0; k < 3; ++k)
      end[k] = Fad(3, k, C1[pairs[k][0]][pairs[k][1]]);
    const auto literal = TestFixture::template algorithmic_stress_of<Fad>(components<Fad>(C0), end);
    const auto exact = algorithmic_stress_and_tangent(this->law, C0, C1);
    // The literal formula loses digits: ε W / |ΔC| in the stress, and the same factor again in the
    // derivative.
    const PlaneTensor dC = C1 - C0;
    const double loss = std::max(1., 0.5 * (C0 + C1).norm() / dC.norm());
    const double scale = this->stress_scale(C0) + this->stress_scale(C1);
    for (int k = 0; k < 3; ++k) {
      const auto [i, j] = pairs[k];
      EXPECT_NEAR(literal[k].val(), exact.stress[i][j], 2 * round_off * loss * scale);
      for (int l = 0; l < 3; ++l)
        EXPECT_NEAR(literal[k].dx(l),
                    multiplicity(pairs[l]) * exact.derivative[i][j][pairs[l][0]][pairs[l][1]],
                    2 * round_off * loss * loss * scale / smallest_eigenvalue(C1));
    }
  });
}

/// In plane stress the Lamé constant of the 2D law is the constant of linear plane stress.
TYPED_TEST(HyperelasticLawTest, IsLinearElasticityAtSmallStrain) {
  const double mu = TypeParam::mu, lambda = TypeParam::lambda;
  const double young = mu * (3 * lambda + 2 * mu) / (lambda + mu);
  const auto expected =
      LinearElastic<2>::from_young(young, lambda / (2 * (lambda + mu)), this->law.plane);
  const auto limit = small_strain_limit(this->law);
  EXPECT_NEAR(limit.mu, mu, 8 * round_off);
  EXPECT_NEAR(limit.lambda, expected.lambda, 16 * round_off);
  EXPECT_NEAR(limit.lambda_33, expected.lambda_33, 16 * round_off);
  const auto tangent = this->law.tangent(tensor(1, 1, 0));
  EXPECT_NEAR(tangent[0][0][0][0], limit.lambda + 2 * limit.mu, 16 * round_off);
  EXPECT_NEAR(tangent[1][1][1][1], limit.lambda + 2 * limit.mu, 16 * round_off);
  EXPECT_NEAR(tangent[0][0][0][1], 0., round_off);
  EXPECT_NEAR(tangent[1][1][0][1], 0., round_off);
}

TEST(HyperelasticLaws, EachRowMakesAnAdmissibleLawOfItsDefaults) {
  for (const auto &row : hyperelastic_laws()) {
    std::vector<double> constants;
    for (const auto &constant : row.constants) {
      EXPECT_TRUE(NumberBetween(constant.lower, constant.upper).match(constant.default_value))
          << constant.name;
      constants.push_back(std::stod(constant.default_value));
    }
    for (std::size_t i = 0; i < row.lists.size(); ++i)
      constants.insert(constants.end(), {2., 1., 0.5});
    for (std::size_t i = 0; i < row.directions.size(); ++i)
      constants.insert(constants.end(), {1., 0., 0.});
    for (const Plane plane : {Plane::strain, Plane::stress}) {
      if (plane == Plane::stress && !row.plane_stress) {
        EXPECT_THROW(row.make(constants, plane), std::invalid_argument) << row.name;
        continue;
      }
      const auto law = row.make(constants, plane);
      EXPECT_EQ(std::visit([](const auto &any) { return any.plane; }, law), plane) << row.name;
      EXPECT_GT(small_strain_limit(law).mu, 0.) << row.name;
      const auto limit = small_strain_limit(law);
      if (row.lists.empty()) {
        EXPECT_GE(limit.lambda, 0.) << row.name;
      } else { // the springs of branches add shear stiffness alone
        EXPECT_GT(limit.lambda + 2. / 3. * limit.mu, 0.) << row.name;
      }
    }
  }
}

// GCC 13 and later warn if a reference is returned from a function of a temporary std::string.
const HyperelasticLawEntry &row_of(std::string_view name) {
  for (const auto &row : hyperelastic_laws())
    if (row.name == name)
      return row;
  throw std::invalid_argument(std::string(name));
}

TEST(HyperelasticLaws, OgdenTakesItsConstantsInOrder) {
  const auto &row = row_of("ogden");
  ASSERT_EQ(row.constants.size(), 3u);
  EXPECT_STREQ(row.constants[0].name, "C1");
  EXPECT_STREQ(row.constants[1].name, "C2");
  EXPECT_STREQ(row.constants[2].name, "D");
  const auto law = std::get<Ogden>(row.make({3, 4, 5}, Plane::stress));
  EXPECT_EQ(law.c1, 3);
  EXPECT_EQ(law.c2, 4);
  EXPECT_EQ(law.d, 5);
}

TEST(HyperelasticLaws, TakeTheConstantsOfLinearElasticity) {
  for (const std::string name : {"neo-hooke", "St. Venant-Kirchhoff"}) {
    ASSERT_EQ(row_of(name).constants.size(), 2u);
    EXPECT_STREQ(row_of(name).constants[0].name, "Young modulus");
    EXPECT_STREQ(row_of(name).constants[1].name, "Poisson ratio");
  }
}

/// The law has the same digits as the linear law with the same entries.
TEST(HyperelasticLaws, StVenantKirchhoffIsTheLinearLawOfTheSameConstants) {
  for (const Plane plane : {Plane::strain, Plane::stress})
    for (const double poisson : {-0.4, 0., 0.3, 0.49}) {
      const auto linear = LinearElastic<2>::from_young(2.6, poisson, plane);
      const auto limit =
          small_strain_limit(row_of("St. Venant-Kirchhoff").make({2.6, poisson}, plane));
      EXPECT_EQ(limit.lambda, linear.lambda);
      EXPECT_EQ(limit.mu, linear.mu);
      EXPECT_EQ(limit.lambda_33, linear.lambda_33);
    }
}

/// The discrete gradient is the mean of the stresses at both ends, for steps of any size.
TEST(StVenantKirchhoffLaw, HasTheMeanStressAsItsDiscreteGradient) {
  const auto law = LiteralStVenantKirchhoff<Plane::strain>::law();
  for (const auto &C0 : states())
    for (const auto &C1 : states()) {
      const PlaneTensor A0 = C0 - tensor(1, 1, 0), A1 = C1 - tensor(1, 1, 0);
      const PlaneTensor mean = 0.5 * (law.stress(A0) + law.stress(A1));
      EXPECT_LE((algorithmic_stress(law, A0, A1) - mean).norm(),
                8 * round_off * (law.stress(A0).norm() + law.stress(A1).norm()));
    }
}

TEST(HyperelasticLaws, NeoHookeHasTheConstantsOfLinearElasticity) {
  const auto &row = row_of("neo-hooke");
  const double young = 2.6, poisson = 0.3;
  const auto limit = small_strain_limit(row.make({young, poisson}, Plane::strain));
  EXPECT_NEAR(limit.mu, young / (2 * (1 + poisson)), 4 * round_off);
  EXPECT_NEAR(limit.lambda, young * poisson / ((1 + poisson) * (1 - 2 * poisson)), 8 * round_off);
  EXPECT_EQ(limit.lambda_33, limit.lambda);
}

/// x − ln(1 + x) is correct to a few units of its last digit for all x.
TEST(ArgumentMinusLog1p, KeepsItsDigits) {
  std::vector<double> arguments;
  for (int k = -300; k <= 300; ++k)
    arguments.push_back(std::pow(10., 0.5 * k));
  const std::size_t positive = arguments.size();
  for (std::size_t k = 0; k < positive && arguments[k] < 1.; ++k) {
    arguments.push_back(-arguments[k]);
    if (arguments[k] > 0.5 * round_off)
      arguments.push_back(arguments[k] - 1.); // arguments close to −1
  }
  for (int k = -99; k < 300; ++k)
    arguments.push_back(0.01 * k); // arguments across every change of the formula
  for (const double x : arguments) {
    // a hundred digits suffice for the difference, or two terms of its series
    const double exact = std::abs(x) > 1e-20 ? static_cast<double>(Precise(x) - log(1 + Precise(x)))
                                             : 0.5 * x * x * (1. - 2. / 3. * x);
    EXPECT_NEAR(argument_minus_log1p(x), exact, 4 * round_off * exact) << x;
  }
  EXPECT_EQ(argument_minus_log1p(0.), 0.);
}

TEST(LogarithmExcess, IsTheDifferenceOfLogarithms) {
  for (const double t : {0.5, 0.2, 0.05, -0.3})
    for (const double d : {0.1, -0.05, 0.}) {
      const LogarithmExcess excess(t, d);
      EXPECT_NEAR(excess.value, std::log1p(d + t) - std::log1p(d - t) - 2 * t, 1e-15);
      const double h = 1e-6;
      EXPECT_NEAR(excess.derivative_t,
                  (LogarithmExcess(t + h, d).value - LogarithmExcess(t - h, d).value) / (2 * h),
                  1e-9);
      EXPECT_NEAR(excess.derivative_d,
                  (LogarithmExcess(t, d + h).value - LogarithmExcess(t, d - h).value) / (2 * h),
                  1e-9);
    }
  for (double x = 1e-9; x < 1. / 3.; x *= 1.03) {
    const Precise artanh = 0.5 * log((1 + Precise(x)) / (1 - Precise(x)));
    const auto exact = static_cast<double>(artanh - Precise(x));
    EXPECT_NEAR(artanh_minus_argument(x), exact, 2 * round_off * exact) << x;
  }
}

} // namespace
