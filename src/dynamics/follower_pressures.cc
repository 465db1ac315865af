#include "follower_pressures.h"

#include <array>

namespace percussion {

template <int dim>
void FollowerPressures<dim>::begin(const Interval &interval, double f) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const FollowerPressure<dim> &load = bodies.pressures[k];
    values[k] = (1. - f) * load.pressure(interval.t0) + f * load.pressure(interval.t1);
  }
}

template <int dim>
void FollowerPressures<dim>::evaluate(const Vector &q0, const Vector &q1) {
  all_forces = 0.;
  for (std::size_t k = 0; k < values.size(); ++k)
    bodies.pressures[k].add_force(values[k], q0, q1, all_forces);
}

template <int dim>
void FollowerPressures<dim>::subtract_tangents(const Vector &q0, const Vector &q1, double factor,
                                               Cholesky &A) const {
  std::array<double, FollowerPressure<dim>::max_dofs * FollowerPressure<dim>::max_dofs> tangent;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const FollowerPressure<dim> &load = bodies.pressures[k];
    for (unsigned int face = 0; face < load.n_faces(); ++face) {
      load.face_tangent(face, values[k], q0, q1, tangent.data());
      const std::vector<unsigned int> &dofs = load.dofs(face);
      for (std::size_t i = 0; i < dofs.size(); ++i)
        for (std::size_t j = i; j < dofs.size(); ++j)
          if (const int position = A.index(dofs[i], dofs[j]); position >= 0)
            A.values()[static_cast<unsigned int>(position)] -=
                factor * (tangent[i * dofs.size() + j] + tangent[j * dofs.size() + i]);
    }
  }
}

template class FollowerPressures<2>;
template class FollowerPressures<3>;

} // namespace percussion
