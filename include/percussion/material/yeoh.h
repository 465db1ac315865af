#pragma once

#include <percussion/material/isochoric_law.h>

namespace percussion {

/// Law with a polynomial of the first invariant,
///
///     W = c₁ (Ī₁ − 3) + … + c_n (Ī₁ − 3)ⁿ + κ/2 (J − 1)² ,
///
/// µ = 2 c₁ at small strain; for n = 3 Yeoh's law (O. H. Yeoh 1993) with C₁₀, C₂₀, C₃₀.
template <std::size_t n>
struct FirstInvariantPart {
  std::array<double, n> c; ///< [stress]
  double bulk;             ///< κ [stress]

  template <typename Step>
  typename Step::Change isochoric(const Step &step) const {
    const auto first = step.first();
    return compose(polynomial(c, first.start, first.end), first);
  }
};
using Yeoh = IsochoricLaw<FirstInvariantPart<3>>;

/// Returns true if W_iso increases with Ī₁ for all Ī₁ ≥ 3: its slope C₁₀ + 2 C₂₀ x + 3 C₃₀ x² has
/// no root x ≥ 0.
inline bool is_increasing(double c10, double c20, double c30) {
  return c10 > 0. && c30 >= 0. && (c20 >= 0. || c20 * c20 < 3. * c10 * c30);
}

} // namespace percussion
