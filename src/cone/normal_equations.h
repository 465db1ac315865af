#pragma once

#include "body_system.h"
#include "linear_system.h"
#include "lorentz.h"

namespace percussion {

/// Linear systems of interior points, with the scaling N and a coupling c, c_N < 1, of each
/// contact,
///
///     F W F dx + n (c · dy) − dy = −defect ,   dy = target − N⁻² dx ,
///
/// with F the factors of p = F x. Factorises W as it is, or its bodies if they are known.
template <int d>
class NormalEquations {
public:
  using Field = lorentz::Field<d>;

  NormalEquations(const FrictionContactProblem &problem, const Field &factors)
      : contact_problem(problem), factor(factors),
        has_bodies(d == 3 && problem.bodies.n_bodies > 0) {}

  /// Adds `damping` to the diagonal of W and factorises. Returns false if the matrix is singular to
  /// round-off.
  bool factorise(const std::vector<lorentz::Scaling<d>> &scalings, const Field &couplings,
                 double damping);

  /// Returns the sign, 1 or −1, of the determinant of the matrix factorised last.
  double sign_of_determinant() const {
    return has_bodies ? bodies.sign_of_determinant() : full_system.sign_of_determinant();
  }

  /// Solves the system. Returns false if the result is not finite, or its residual is too large.
  bool solve(const Field &target, const Field &defect, Field &dx, Field &dy) const;

private:
  bool factorise_whole(double damping);
  bool factorise_bodies(double damping);

  const FrictionContactProblem &contact_problem;
  const Field &factor;
  bool has_bodies;
  std::vector<lorentz::Scaling<d>> scaling;
  std::vector<local::Block<d>> theta; ///< N⁻²
  Field coupling;
  LinearSystem full_system;
  BodySystem bodies;
};

} // namespace percussion
