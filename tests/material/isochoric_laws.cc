// Laws with discrete gradients by the product and the chain rule, in 3D and plane strain, compared
// with their energies in the literature.

#include "isochoric_laws.h"

#include <percussion/material/cauchy_stress.h>
#include <percussion/material/discrete_gradient.h>

#include <Sacado.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <random>

namespace isochoric_laws { // separates names from the other tests in unity builds

using namespace percussion;
using namespace percussion::isochoric;
using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<80>,
                                              boost::multiprecision::et_off>;

constexpr double round_off = std::numeric_limits<double>::epsilon();
constexpr unsigned int places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

SpaceTensor to_3d(const SpaceTensor &A) { return A; }
SpaceTensor to_3d(const PlaneTensor &A) { return full_tensor<2>(A, 0.); }

/// Returns the components of C = I + A; in 2D of plane strain.
template <typename Number, int dim>
Six<Number> components_of_C(const dealii::SymmetricTensor<2, dim> &A) {
  const SpaceTensor full = to_3d(A);
  Six<Number> c;
  for (unsigned int k = 0; k < 6; ++k)
    c[k] = Number(full[places[k][0]][places[k][1]]) + Number(k < 3 ? 1. : 0.);
  return c;
}

/// Returns 2 ∂W/∂C by automatic differentiation, in 2D its in-plane components.
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

/// Returns the tensor of these components.
template <int dim, typename Number>
dealii::SymmetricTensor<2, dim> tensor_of(const Six<Number> &S) {
  dealii::SymmetricTensor<2, dim> result;
  for (int k = 0; k < 6; ++k)
    if (places[k][1] < dim)
      result[places[k][0]][places[k][1]] = static_cast<double>(S[k]);
  return result;
}

/// Returns strains A of invertible F = I + scale × random.
template <int dim>
std::vector<dealii::SymmetricTensor<2, dim>> states(double scale) {
  std::mt19937 generator(dim);
  std::uniform_real_distribution<double> entry(-scale, scale);
  std::vector<dealii::SymmetricTensor<2, dim>> list;
  while (list.size() < 12) {
    dealii::Tensor<2, dim> G;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        G[i][j] = entry(generator);
    if (determinant(G + dealii::Tensor<2, dim>(dealii::unit_symmetric_tensor<dim>())) > 0.1)
      list.push_back(doubled_strain(G));
  }
  return list;
}

/// Returns the size of the terms whose sum is the stress at A.
template <typename Law, int dim>
double scale(const Law &law, const dealii::SymmetricTensor<2, dim> &A) {
  return law.tangent(A).norm() * (A + dealii::unit_symmetric_tensor<dim>()).norm() +
         law.stress(A).norm();
}

/// Returns the constants of a law that have the unit of a stress.
std::vector<double *> stresses_of(MooneyRivlin &law) { return {&law.c10, &law.c01, &law.bulk}; }
template <std::size_t n>
std::vector<double *> stresses_of(IsochoricLaw<FirstInvariantPart<n>> &law) {
  std::vector<double *> list = {&law.bulk};
  for (double &c : law.c)
    list.push_back(&c);
  return list;
}
std::vector<double *> stresses_of(HolzapfelGasserOgden &law) {
  return {&law.shear, &law.k1, &law.bulk};
}

/// Law and dimension of a test.
template <typename L, int d>
struct Setting {
  using Literal = L;
  static constexpr int dim = d;
};

struct SettingNames {
  template <typename Setting>
  static std::string GetName(int) {
    return std::string(Setting::Literal::name) + (Setting::dim == 2 ? "In2D" : "In3D");
  }
};

template <typename Setting>
class IsochoricLawTest : public ::testing::Test {
protected:
  static constexpr int dim = Setting::dim;
  using LiteralLaw = typename Setting::Literal;
  using Strain = dealii::SymmetricTensor<2, dim>;
  const decltype(LiteralLaw::law()) law = LiteralLaw::law();
  const std::vector<Strain> all = states<dim>(0.4);

  /// Calls check(A₀, A₁) for steps of all sizes from every state towards the next.
  template <typename Check>
  void visit_steps(const std::vector<double> &sizes, const Check &check) const {
    visit_steps_of(all, sizes, check);
  }
  template <typename Check>
  static void visit_steps_of(const std::vector<Strain> &list, const std::vector<double> &sizes,
                             const Check &check) {
    for (std::size_t a = 0; a < list.size(); ++a)
      for (const double size : sizes)
        check(list[a], Strain(list[a] + size * (list[(a + 1) % list.size()] - list[a])));
  }
};

using Settings = ::testing::Types<
    Setting<LiteralMooneyRivlin, 2>, Setting<LiteralMooneyRivlin, 3>, Setting<LiteralYeoh, 2>,
    Setting<LiteralYeoh, 3>, Setting<LiteralArrudaBoyce, 2>, Setting<LiteralArrudaBoyce, 3>,
    Setting<LiteralHolzapfelGasserOgden, 2>, Setting<LiteralHolzapfelGasserOgden, 3>>;
TYPED_TEST_SUITE(IsochoricLawTest, Settings, SettingNames);

TYPED_TEST(IsochoricLawTest, HasNeitherStressNorEnergyAtRest) {
  const typename TestFixture::Strain rest;
  EXPECT_EQ(this->law.energy(rest), 0.);
  EXPECT_EQ(this->law.stress(rest).norm(), 0.);
  if constexpr (TestFixture::dim == 2) {
    EXPECT_EQ(this->law.out_of_plane_stress(rest), 0.);
  }
  using Literal = typename TestFixture::LiteralLaw;
  const auto limit = small_strain_limit<TestFixture::dim>(this->law);
  EXPECT_NEAR(limit.mu, Literal::mu, 8. * round_off);
  EXPECT_NEAR(limit.lambda, Literal::bulk - 2. / 3. * Literal::mu, 16. * round_off);
}

TYPED_TEST(IsochoricLawTest, HasTheEnergyStressAndTangentOfTheLiterature) {
  using Literal = typename TestFixture::LiteralLaw;
  for (const auto &A : this->all) {
    const auto c = components_of_C<double>(A);
    const double size = scale(this->law, A);
    EXPECT_NEAR(this->law.energy(A), (energy_of<Literal, double>(c)), 20. * round_off * size);
    const auto S = stress_of<Literal, double>(c);
    EXPECT_LT((this->law.stress(A) - tensor_of<TestFixture::dim>(S)).norm(),
              50. * round_off * size);
    if constexpr (TestFixture::dim == 2) {
      EXPECT_NEAR(this->law.out_of_plane_stress(A), S[2], 50. * round_off * size);
    }
    using Fad = Sacado::Fad::SFad<double, 6>;
    Six<Fad> variable;
    for (int k = 0; k < 6; ++k)
      variable[k] = Fad(6, k, c[k]);
    const auto dS = stress_of<Literal, Fad>(variable);
    const auto D = this->law.tangent(A);
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < 6; ++l) {
        const auto [i, j] = places[k];
        const auto [m, n] = places[l];
        if (j >= TestFixture::dim || n >= TestFixture::dim)
          continue;
        EXPECT_NEAR(D[i][j][m][n], (l < 3 ? 2. : 1.) * dS[k].dx(l), 200. * round_off * D.norm());
      }
  }
}

TYPED_TEST(IsochoricLawTest, KeepsItsDigitsAtSmallStrain) {
  using Literal = typename TestFixture::LiteralLaw;
  for (const double size : {1e-1, 1e-3, 1e-7, 1e-12, 1e-20})
    for (const auto &state : states<TestFixture::dim>(0.4)) {
      const typename TestFixture::Strain A = size * state;
      const auto c = components_of_C<Precise>(A);
      const auto energy = static_cast<double>(energy_of<Literal, Precise>(c));
      EXPECT_NEAR(this->law.energy(A), energy, 32. * round_off * energy) << A;
      const auto exact = tensor_of<TestFixture::dim>(stress_of<Literal, Precise>(c));
      EXPECT_LT((this->law.stress(A) - exact).norm(), 32. * round_off * exact.norm()) << A;
    }
}

/// Σ : ΔA / 2 = W(A₁) − W(A₀) up to the round-off of the stress, from large steps to steps so small
/// that a difference of energies in double precision has no correct digit.
TYPED_TEST(IsochoricLawTest, KeepsTheEnergyIdentityInEveryStep) {
  using Literal = typename TestFixture::LiteralLaw;
  this->visit_steps({1., 0.1, 1e-2, 1e-4, 1e-8, 1e-12, 1e-16}, [&](const auto &A0, const auto &A1) {
    const Precise rise = energy_of<Literal, Precise>(components_of_C<Precise>(A1)) -
                         energy_of<Literal, Precise>(components_of_C<Precise>(A0));
    const auto stress = algorithmic_stress(this->law, A0, A1);
    EXPECT_NEAR(0.5 * (stress * (A1 - A0)), static_cast<double>(rise),
                20. * round_off * scale(this->law, A0) * (A1 - A0).norm());
  });
}

/// At small strain the identity holds up to the round-off of the energy.
TYPED_TEST(IsochoricLawTest, KeepsTheEnergyIdentityAtSmallStrain) {
  for (const double size : {1e-1, 1e-2, 1e-4, 1e-8, 1e-12, 1e-20})
    for (const auto &first : this->all)
      for (const auto &second : this->all) {
        const typename TestFixture::Strain A0 = size * first, A1 = size * second;
        const double W0 = this->law.energy(A0), W1 = this->law.energy(A1);
        const auto stress = algorithmic_stress(this->law, A0, A1);
        EXPECT_NEAR(0.5 * (stress * (A1 - A0)), W1 - W0, 40. * round_off * std::max(W0, W1));
      }
}

/// The stress of a step does not change if the step is reversed, and at rest it is the law's, with
/// half of the tangent for each end.
TYPED_TEST(IsochoricLawTest, TreatsBothEndsOfAStepAlike) {
  this->visit_steps({1., 1e-3, 0.}, [&](const auto &A0, const auto &A1) {
    const auto forward = algorithmic_stress(this->law, A0, A1),
               backward = algorithmic_stress(this->law, A1, A0);
    EXPECT_LT((forward - backward).norm(), 20. * round_off * scale(this->law, A0));
    const auto rest_response = algorithmic_stress_and_tangent(this->law, A1, A1);
    EXPECT_EQ((rest_response.stress - this->law.stress(A1)).norm(), 0.);
    EXPECT_EQ((4. * rest_response.derivative - this->law.tangent(A1)).norm(), 0.);
  });
}

/// The stress of a step deviates from the law's at A_m by a term of second order in the step.
TYPED_TEST(IsochoricLawTest, HasStressesOfSecondOrderInTheStep) {
  const auto &A_m = this->all[0];
  const auto deviation = [&](double size) {
    const typename TestFixture::Strain half = size * this->all[1];
    return (algorithmic_stress(this->law, typename TestFixture::Strain(A_m - half),
                               typename TestFixture::Strain(A_m + half)) -
            this->law.stress(A_m))
        .norm();
  };
  const auto ratio = [&](double size) { return deviation(size) / deviation(0.5 * size); };
  EXPECT_NEAR(ratio(1e-3), 4., 1e-3);
  EXPECT_NEAR((ratio(4e-3) - 4.) / (ratio(2e-3) - 4.), 4.,
              0.05); // the next term is of fourth order
}

/// The derivative is compared with differences of fourth order. The sum of their weights, 3/2,
/// multiplies 50 units of the stress's round-off, divided by the step.
TYPED_TEST(IsochoricLawTest, HasTheTangentOfItsStress) {
  using Tensor = typename TestFixture::Strain;
  this->visit_steps_of(
      states<TestFixture::dim>(0.3), {1., 1e-3}, [&](const auto &A0, const auto &A1) {
        const double step = 3e-4 * std::max((A1 - A0).norm(), 1e-3);
        const auto result = algorithmic_stress_and_tangent(this->law, A0, A1);
        EXPECT_LT((result.stress - algorithmic_stress(this->law, A0, A1)).norm(),
                  1e-14 * scale(this->law, A0));
        for (const auto &[i, j] : places) {
          if (j >= TestFixture::dim)
            continue;
          const auto at = [&, k = i, l = j](double size) {
            Tensor moved = A1;
            moved[k][l] += size;
            return algorithmic_stress(this->law, A0, moved);
          };
          const Tensor slope =
              (8. * (at(step) - at(-step)) - (at(2. * step) - at(-2. * step))) / (12. * step);
          Tensor direction;
          direction[i][j] = 1.;
          EXPECT_LT((result.derivative * direction - slope).norm(),
                    1e-10 * result.derivative.norm() +
                        75. * round_off * scale(this->law, A0) / step);
        }
      });
}

/// A power of two as the unit of stress changes no digit.
TYPED_TEST(IsochoricLawTest, HasStressesInAnyUnit) {
  auto scaled = this->law;
  for (double *stress : stresses_of(scaled))
    *stress *= 1024.;
  this->visit_steps({1., 1e-6}, [&](const auto &A0, const auto &A1) {
    EXPECT_EQ(scaled.energy(A1), 1024. * this->law.energy(A1));
    EXPECT_EQ(
        (algorithmic_stress(scaled, A0, A1) - 1024. * algorithmic_stress(this->law, A0, A1)).norm(),
        0.);
  });
}

/// Returns the strains of several points, one a lane.
LaneTensor lanes(const std::array<PlaneTensor, n_lanes> &A) {
  LaneTensor result{};
  for (unsigned int lane = 0; lane < n_lanes; ++lane) {
    result.xx[lane] = A[lane][0][0];
    result.yy[lane] = A[lane][1][1];
    result.xy[lane] = A[lane][0][1];
  }
  return result;
}
LaneSpaceTensor lanes(const std::array<SpaceTensor, n_lanes> &A) {
  LaneSpaceTensor result{};
  Lanes *const component[] = {&result.xx, &result.yy, &result.zz,
                              &result.xy, &result.xz, &result.yz};
  for (unsigned int lane = 0; lane < n_lanes; ++lane)
    for (unsigned int k = 0; k < 6; ++k)
      (*component[k])[lane] = A[lane][places[k][0]][places[k][1]];
  return result;
}
PlaneTensor extract_lane(const LaneTensor &A, unsigned int lane) {
  return symmetric(A.xx[lane], A.yy[lane], A.xy[lane]);
}
SpaceTensor extract_lane(const LaneSpaceTensor &A, unsigned int lane) {
  return symmetric(A.xx[lane], A.yy[lane], A.zz[lane], A.xy[lane], A.xz[lane], A.yz[lane]);
}

/// Steps of different sizes beside each other, one of them at rest.
TYPED_TEST(IsochoricLawTest, HasTheStressOfEachPointInLanes) {
  using Tensor = typename TestFixture::Strain;
  const double sizes[n_lanes] = {1., 0., 1e-3, 1e-9};
  for (std::size_t a = 0; a < this->all.size(); ++a) {
    std::array<Tensor, n_lanes> A0, A1;
    for (unsigned int lane = 0; lane < n_lanes; ++lane) {
      A0[lane] = this->all[(a + lane) % this->all.size()];
      A1[lane] = A0[lane] + sizes[lane] * (this->all[(a + lane + 5) % 12] - A0[lane]);
    }
    const auto stress = algorithmic_stress(this->law, lanes(A0), lanes(A1));
    for (unsigned int lane = 0; lane < n_lanes; ++lane) {
      const Tensor alone = algorithmic_stress(this->law, A0[lane], A1[lane]);
      EXPECT_LE((extract_lane(stress, lane) - alone).norm(),
                4. * round_off * scale(this->law, A0[lane]));
    }
  }
}

template <typename Literal>
class IsochoricLawInBothDimensions : public ::testing::Test {};
struct LiteralNames {
  template <typename Literal>
  static std::string GetName(int) {
    return Literal::name;
  }
};
TYPED_TEST_SUITE(IsochoricLawInBothDimensions, Literals, LiteralNames);

/// Without strain in the third direction, 3D is plane strain: energies, stresses, tangents and the
/// stresses of steps.
TYPED_TEST(IsochoricLawInBothDimensions, AgreesWithItself) {
  const auto law = TypeParam::law();
  const auto all = states<2>(0.4);
  for (std::size_t a = 0; a + 1 < all.size(); ++a) {
    const PlaneTensor &A0 = all[a], &A1 = all[a + 1];
    const double tolerance = 20. * round_off * scale(law, A1);
    EXPECT_NEAR(law.energy(to_3d(A1)), law.energy(A1), tolerance);
    const SpaceTensor S = law.stress(to_3d(A1));
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j)
        EXPECT_NEAR(S[i][j], law.stress(A1)[i][j], tolerance);
    EXPECT_NEAR(S[2][2], law.out_of_plane_stress(A1), tolerance);
    const auto plane_response = algorithmic_stress_and_tangent(law, A0, A1);
    const auto full = algorithmic_stress_and_tangent(law, to_3d(A0), to_3d(A1));
    for (unsigned int i = 0; i < 2; ++i)
      for (unsigned int j = 0; j < 2; ++j) {
        EXPECT_NEAR(full.stress[i][j], plane_response.stress[i][j], tolerance);
        for (unsigned int k = 0; k < 2; ++k)
          for (unsigned int l = 0; l < 2; ++l)
            EXPECT_NEAR(full.derivative[i][j][k][l], plane_response.derivative[i][j][k][l],
                        10. * tolerance);
      }
  }
}

/// σ = F S Fᵀ / J rotates with the body.
TYPED_TEST(IsochoricLawInBothDimensions, TurnsItsCauchyStressWithTheBody) {
  const auto law = TypeParam::law();
  const dealii::Tensor<2, 3> unit = dealii::unit_symmetric_tensor<3>();
  dealii::Tensor<2, 3> F = unit, R;
  F[0][1] = 0.3;
  F[1][2] = -0.2;
  F[2][2] = 1.2;
  const double c = std::cos(0.7), s = std::sin(0.7);
  R[0][0] = R[2][2] = c;
  R[0][2] = s;
  R[2][0] = -s;
  R[1][1] = 1.;
  const dealii::Tensor<2, 3> sigma = cauchy_stress(law, dealii::Tensor<2, 3>(F - unit)),
                             turned = cauchy_stress(law, dealii::Tensor<2, 3>(R * F - unit));
  EXPECT_LT((turned - R * sigma * transpose(R)).norm(), 1e-14 * sigma.norm());
}

/// A change of volume alone causes the pressure κ (1 − J), and no stress of the isochoric part
/// except of fibres with dispersion, which vanishes likewise as Ī₄ = 1.
TYPED_TEST(IsochoricLawInBothDimensions, BearsAVolumeChangeByItsBulkModulus) {
  const auto law = TypeParam::law();
  for (const double stretch : {0.7, 0.999, 1.3}) {
    dealii::Tensor<2, 3> grad_u;
    for (unsigned int d = 0; d < 3; ++d)
      grad_u[d][d] = stretch - 1.;
    const double pressure = TypeParam::bulk * (1. - stretch * stretch * stretch);
    EXPECT_LT((cauchy_stress(law, grad_u) + pressure * dealii::unit_symmetric_tensor<3>()).norm(),
              1e-14 * TypeParam::bulk);
  }
}

} // namespace isochoric_laws
