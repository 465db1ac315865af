#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/balance/interval.h>
#include <percussion/body/system.h>

#include <array>

namespace percussion {

/// Pressures that follow the bodies in an interval, with their force.
template <int dim>
class FollowerPressures {
public:
  /// Stores a reference to the bodies, which must outlive this object.
  explicit FollowerPressures(const System<dim> &b)
      : bodies(b), values(b.pressures.size()), all_forces(b.n_dofs()) {}

  bool empty() const { return values.empty(); }
  /// Begins an interval: computes the pressures (1−f) p(t0) + f p(t1).
  void begin(const Interval &interval, double f) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const FollowerPressure<dim> &load = bodies.pressures[k];
      values[k] = (1. - f) * load.pressure(interval.t0) + f * load.pressure(interval.t1);
    }
  }

  /// Computes the force on a step from q0 to q1.
  void evaluate(const Vector &q0, const Vector &q1) {
    all_forces = 0.;
    for (std::size_t k = 0; k < values.size(); ++k)
      bodies.pressures[k].add_force(values[k], q0, q1, all_forces);
  }

  /// Returns the force last computed.
  const Vector &force() const { return all_forces; }
  /// Subtracts the symmetric part of the tangents from q0 to q1 from Â, times 2 × factor.
  void subtract_tangents(const Vector &q0, const Vector &q1, double factor,
                         ContactSystem &A) const {
    std::array<double, FollowerPressure<dim>::max_dofs * FollowerPressure<dim>::max_dofs> tangent;
    std::vector<double> &entries_of_A = A.values();
    for (std::size_t k = 0; k < values.size(); ++k) {
      const FollowerPressure<dim> &load = bodies.pressures[k];
      for (unsigned int face = 0; face < load.n_faces(); ++face) {
        load.face_tangent(face, values[k], q0, q1, tangent.data());
        const std::vector<unsigned int> &dofs = load.dofs(face);
        for (std::size_t i = 0; i < dofs.size(); ++i)
          for (std::size_t j = i; j < dofs.size(); ++j)
            if (const int position = A.index(dofs[i], dofs[j]); position >= 0)
              entries_of_A[static_cast<unsigned int>(position)] -=
                  factor * (tangent[i * dofs.size() + j] + tangent[j * dofs.size() + i]);
      }
    }
  }

private:
  const System<dim> &bodies;
  std::vector<double> values; ///< pressure of each load
  Vector all_forces;
};

} // namespace percussion
