#pragma once

#include <percussion/material/isochoric_law.h>

namespace percussion {

/// Mooney and Rivlin's law, W = C₁₀ (Ī₁ − 3) + C₀₁ (Ī₂ − 3) + κ/2 (J − 1)² (M. Mooney 1940, R. S.
/// Rivlin 1948), µ = 2 (C₁₀ + C₀₁) at small strain.
struct MooneyRivlinPart {
  double c10, c01; ///< [stress]
  double bulk;     ///< κ [stress]

  template <typename Step>
  typename Step::Change isochoric(const Step &step) const {
    return c10 * step.first() + c01 * step.second();
  }
};
using MooneyRivlin = IsochoricLaw<MooneyRivlinPart>;

} // namespace percussion
