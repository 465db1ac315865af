#pragma once

#include <percussion/algebra/cholesky.h>
#include <percussion/body/system.h>
#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// Pressures that follow the bodies in an interval, with their force.
template <int dim>
class FollowerPressures {
public:
  /// Stores a reference to the bodies, which must outlive this object.
  explicit FollowerPressures(const System<dim> &b)
      : bodies(b), values(b.pressures.size()), all_forces(make_vector(b.n_dofs())) {}

  bool empty() const { return values.empty(); }
  /// Begins an interval: computes the pressures (1−f) p(t0) + f p(t1).
  void begin(const Interval &interval, double f);
  /// Computes the force on a step from q0 to q1.
  void evaluate(const Vector &q0, const Vector &q1);
  /// Returns the force last computed.
  const Vector &force() const { return all_forces; }
  /// Subtracts the symmetric part of the tangents from q0 to q1 from Â, times 2 × factor.
  void subtract_tangents(const Vector &q0, const Vector &q1, double factor, Cholesky &A) const;

private:
  const System<dim> &bodies;
  std::vector<double> values; ///< pressure of each load
  Vector all_forces;
};

} // namespace percussion
