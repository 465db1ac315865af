#pragma once

#include <percussion/material/invariant_change.h>

namespace percussion {

// Energies U(J) per undeformed volume of the volume change x = J − 1. A hyperelastic law with such
// a part has the members
//
//     volumetric_part()    U, one of these structs
//     local_part()         the law without U, of the same type
//
// so that a cell can have one J, the mean over the cell (see FiniteStrain). Only U becomes large as
// a material becomes incompressible.

/// U = κ/2 (J − 1)².
struct SquareOfVolumeChange {
  double bulk; ///< κ [stress]

  /// Returns U over a step.
  template <typename Number>
  FunctionChange<Number> change(const Number &x0, const Number &x1) const {
    return scaled(0.5 * bulk, square(x0, x1));
  }
};

/// U = λ/2 (ln J)².
struct SquareOfLogarithm {
  double lambda; ///< [stress]

  /// Returns U over a step.
  template <typename Number>
  FunctionChange<Number> change(const Number &x0, const Number &x1) const {
    const FunctionChange<Number> logarithm = logarithm_of_1_plus(x0, x1);
    return scaled(0.5 * lambda, compose(square(logarithm.start, logarithm.end), logarithm));
  }
};

/// U = D (J² − 1 − 2 ln J) = D [x² + 2 (x − ln(1 + x))].
struct SquareLessLogarithm {
  double d; ///< D [stress]

  /// Returns U over a step.
  template <typename Number>
  FunctionChange<Number> change(const Number &x0, const Number &x1) const {
    return scaled(d, sum(square(x0, x1), scaled(2., argument_minus_log1p(x0, x1))));
  }
};

} // namespace percussion
