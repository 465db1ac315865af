#include <percussion/dynamics/gyration.h>

namespace percussion {

template <int dim>
Gyration<dim>::Gyration(const System<dim> &b) : bodies(b) {}

template <>
void Gyration<2>::add(double, const Vector &, Vector &) const {}
template <>
void Gyration<2>::set_tangent(double, const Vector &, BlockDiagonal &) const {}

namespace {

dealii::Tensor<1, 3> angular_velocity(const Vector &v, unsigned int dof) {
  return dealii::Tensor<1, 3>({entries(v)[dof], entries(v)[dof + 1], entries(v)[dof + 2]});
}

/// Returns the matrix â with â b = a × b.
dealii::Tensor<2, 3> cross_matrix(const dealii::Tensor<1, 3> &a) {
  return dealii::Tensor<2, 3>({{0., -a[2], a[1]}, {a[2], 0., -a[0]}, {-a[1], a[0], 0.}});
}

} // namespace

template <>
void Gyration<3>::add(double factor, const Vector &v, Vector &force) const {
  for (std::size_t b = 0; b < bodies.rigid.size(); ++b) {
    const unsigned int dof = bodies.rigid_dof(b) + 3;
    const auto omega = angular_velocity(v, dof);
    const auto torque = cross_product_3d(omega, bodies.rigid[b].inertia * omega);
    for (unsigned int d = 0; d < 3; ++d)
      entries(force)[dof + d] += factor * torque[d];
  }
}

template <>
void Gyration<3>::set_tangent(double factor, const Vector &v, BlockDiagonal &blocks) const {
  for (std::size_t b = 0; b < bodies.rigid.size(); ++b) {
    const unsigned int dof = bodies.rigid_dof(b) + 3, row = dof - bodies.n_elastic_dofs();
    const auto omega = angular_velocity(v, dof);
    const dealii::Tensor<2, 3> inertia(bodies.rigid[b].inertia);
    const auto tangent =
        inertia + factor * (cross_matrix(omega) * inertia - cross_matrix(inertia * omega));
    for (unsigned int i = 0; i < 3; ++i)
      for (unsigned int j = 0; j < 3; ++j)
        blocks(row + i, row + j) = tangent[i][j];
  }
}

template class Gyration<2>;
template class Gyration<3>;

} // namespace percussion
