#pragma once

#include <percussion/material/fibre_direction.h>
#include <percussion/material/isochoric_law.h>

#include <type_traits>

namespace percussion {

/// Holzapfel, Gasser and Ogden's law of arterial walls with dispersed fibres (T. C. Gasser, R. W.
/// Ogden, G. A. Holzapfel 2006),
///
///     W = µ/2 (Ī₁ − 3) + Σ_i k₁/(2 k₂) (exp(k₂ ⟨E_i⟩²) − 1) + κ/2 (J − 1)² ,
///     E_i = d (Ī₁ − 3) + (1 − 3 d) (Ī₄ᵢ − 1) ,
///
/// with two families of fibres of the directions a_i, Ī₄ᵢ = J^(−2/3) a_i·C a_i, and the dispersion
/// d from 0 (all fibres parallel) to 1/3 (isotropic). Fibres bear tension only: ⟨E⟩ is the positive
/// part, of E and not of Ī₄ − 1, so that the stress is continuous for every d.
///
/// `Direction` is a FibreDirection, or three Lanes for the directions in the cells of a block.
template <typename Direction>
struct HolzapfelGasserOgdenPart {
  double shear;                    ///< µ [stress]
  double k1;                       ///< [stress]
  double k2;                       ///< [1]
  double dispersion;               ///< d [1]
  std::array<Direction, 2> fibres; ///< a_i
  double bulk;                     ///< κ [stress]

  template <typename Step>
  typename Step::Change isochoric(const Step &step) const {
    const auto first = step.first();
    auto sum = 0.5 * shear * first;
    for (const Direction &direction : fibres) {
      const auto stretch = positive_stretch(step, first, direction);
      const auto squared = compose(square(stretch.start, stretch.end), stretch);
      sum = sum +
            0.5 * k1 / k2 * compose(exponential_minus_1(k2, squared.start, squared.end), squared);
    }
    return sum;
  }

  /// Returns true if no exponent exceeds largest_exponent at A. A step to larger ones fails.
  template <typename Tensor>
  bool admits(const Tensor &A) const {
    const IsochoricStep<Tensor> step(A, A);
    const auto first = step.first();
    for (const Direction &direction : fibres) {
      const auto stretch = positive_stretch(step, first, direction).end;
      if (!all_positive(largest_exponent - k2 * stretch * stretch))
        return false;
    }
    return true;
  }

private:
  /// Returns ⟨E⟩ of a family.
  template <typename Step>
  typename Step::Change positive_stretch(const Step &step, const typename Step::Change &first,
                                         const Direction &direction) const {
    const auto E = dispersion * first + (1. - 3. * dispersion) * step.fibre(direction);
    return compose(positive_part(E.start, E.end), E);
  }
};
using HolzapfelGasserOgden = IsochoricLaw<HolzapfelGasserOgdenPart<FibreDirection>>;

/// True for laws with a member `fibres`, which may differ from point to point (with_fibres()).
template <typename Law, typename = void>
constexpr bool has_fibres = false;
template <typename Law>
constexpr bool has_fibres<Law, std::void_t<decltype(std::declval<const Law &>().fibres)>> = true;

/// Returns the law with other directions.
template <typename Direction>
IsochoricLaw<HolzapfelGasserOgdenPart<Direction>>
with_fibres(const HolzapfelGasserOgden &law, const std::array<Direction, 2> &fibres) {
  return {{law.shear, law.k1, law.k2, law.dispersion, fibres, law.bulk}};
}

} // namespace percussion
