#pragma once

#include "delassus_factors.h"
#include "lorentz.h"

namespace percussion {

/// Linear systems of interior points, with the scaling N and a coupling c, c_N < 1, of each
/// contact,
///
///     F W F dx + n (c · dy) − dy = −defect ,   dy = target − N⁻² dx ,
///
/// with F the factors of p = F x. If the bodies of W are known, the equations are multiplied by N
/// from both sides, for N⁻¹ dx: near a solution the eigenvalues of N² have such different sizes
/// that sums with N⁻² in the space of the bodies would lose the small ones.
template <int d>
class NormalEquations {
public:
  using Field = lorentz::Field<d>;

  NormalEquations(const FrictionContactProblem &problem, const Field &percussion_factors)
      : W(problem), factor(percussion_factors), is_scaled(W.bodies()) {}

  /// Adds `damping` to the diagonal of W and factorises. Returns false if the matrix is singular to
  /// round-off.
  bool factorise(const std::vector<lorentz::Scaling<d>> &scalings, const Field &couplings,
                 double damping);

  /// Returns the sign, 1 or −1, of the determinant of the matrix factorised last.
  double sign_of_determinant() const { return factors.sign_of_determinant(); }

  /// Solves the system. Returns false if the result is not finite, or its residual is too large.
  bool solve(const Field &target, const Field &defect, Field &dx, Field &dy) const;

private:
  bool factorise_plain(double damping);
  bool factorise_scaled(double damping);

  DelassusOperator<d> W;
  const Field &factor;
  bool is_scaled; ///< true if the equations are multiplied by N
  std::vector<lorentz::Scaling<d>> scaling;
  std::vector<local::Block<d>> theta; ///< N⁻²
  Field coupling;
  DelassusFactors<d> factors;
};

} // namespace percussion
