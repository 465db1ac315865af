#include <percussion/material/arruda_boyce.h>
#include <percussion/material/holzapfel_gasser_ogden.h>
#include <percussion/material/mooney_rivlin.h>

namespace percussion {

ArrudaBoyce eight_chains(double shear, double locking_stretch, double bulk) {
  constexpr std::array<double, 5> a = {1. / 2., 1. / 20., 11. / 1050., 19. / 7000., 519. / 673750.};
  const double inverse_square = 1. / (locking_stretch * locking_stretch);
  // Ī₁ᵏ = Σ binomial(k, m) 3^(k − m) (Ī₁ − 3)^m
  std::array<double, 5> c{};
  double scale = 1.;
  for (unsigned int k = 1; k <= 5; ++k, scale *= inverse_square) {
    double term = a[k - 1] * scale; // of (Ī₁ − 3)ᵏ
    for (unsigned int m = k; m >= 1; --m) {
      c[m - 1] += term;
      term *= 3. * m / (k - m + 1.);
    }
  }
  const double mu = 0.5 * shear / c[0];
  for (double &coefficient : c)
    coefficient *= mu;
  return {{c, bulk}};
}

template <typename IsochoricPart>
PERCUSSION_WITH_AVX2 [[gnu::flatten]] void
IsochoricLaw<IsochoricPart>::evaluate(StepStress<LaneTensor> &step) const {
  step.stress = 2. * potential(IsochoricStep<LaneTensor>(step.A0, step.A1)).gradient;
}

template <typename IsochoricPart>
PERCUSSION_WITH_AVX2 [[gnu::flatten]] void
IsochoricLaw<IsochoricPart>::evaluate(StepStress<LaneSpaceTensor> &step) const {
  step.stress = 2. * potential(IsochoricStep<LaneSpaceTensor>(step.A0, step.A1)).gradient;
}

template struct IsochoricLaw<MooneyRivlinPart>;
template struct IsochoricLaw<FirstInvariantPart<3>>;
template struct IsochoricLaw<FirstInvariantPart<5>>;
template struct IsochoricLaw<HolzapfelGasserOgdenPart<FibreDirection>>;
// Directions in Lanes suit the tensors of blocks only.
using LaneFibresPart = HolzapfelGasserOgdenPart<std::array<Lanes, 3>>;
template void IsochoricLaw<LaneFibresPart>::evaluate(StepStress<LaneTensor> &) const;
template void IsochoricLaw<LaneFibresPart>::evaluate(StepStress<LaneSpaceTensor> &) const;

} // namespace percussion
