#include <percussion/balance/gyration.h>

#include <algorithm>
#include <limits>

namespace percussion {

template <int dim>
Gyration<dim>::Gyration(const System<dim> &b) : bodies(b) {}

template <>
void Gyration<2>::add(double, const Vector &, Vector &) const {}
template <>
void Gyration<2>::set_tangent(double, const Vector &, BlockDiagonal &) const {}
template <>
double Gyration<2>::imbalance(double, const Iterate &) const {
  return 0;
}

namespace {

dealii::Tensor<1, 3> angular_velocity(const Vector &v, unsigned int dof) {
  return dealii::Tensor<1, 3>({v[dof], v[dof + 1], v[dof + 2]});
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
      force[dof + d] += factor * torque[d];
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

template <>
double Gyration<3>::imbalance(double factor, const Iterate &iterate) const {
  constexpr double round_off = std::numeric_limits<double>::epsilon();
  using Tensor = dealii::Tensor<1, 3>;
  const auto &[all_entries, dofs, applied] = iterate.contact_forces;
  double largest = 0;
  std::size_t c = 0; // index in `dofs`, which ascends
  for (std::size_t b = 0; b < bodies.rigid.size(); ++b) {
    const unsigned int first = bodies.rigid_dof(b) + 3;
    const Tensor omega = angular_velocity(iterate.v_theta, first),
                 initial = angular_velocity(iterate.start->Mv, first);
    Tensor contact, remaining;
    for (unsigned int d = 0; d < 3; ++d) {
      while (c < dofs.size() && dofs[c] < first + d)
        ++c;
      if (c < dofs.size() && dofs[c] == first + d)
        contact[d] = applied[c];
      if (!bodies.motion.is_prescribed(first + d))
        remaining[d] = iterate.minus_residual[first + d] + contact[d];
    }
    const Tensor momentum = bodies.rigid[b].inertia * omega;
    const Tensor torque = factor * cross_product_3d(omega, momentum);
    const double scale = std::max({momentum.norm(), initial.norm(), contact.norm(), torque.norm()});
    if (remaining.norm() > round_off * scale)
      largest = std::max(largest, remaining.norm() / scale);
  }
  return largest;
}

template <int dim>
void Gyration<dim>::start(Iterate &iterate) const {
  for (unsigned int i = bodies.n_elastic_dofs(); acts() && i < bodies.n_dofs(); ++i)
    iterate.v_theta[i] = iterate.start->v[i];
}

template <int dim>
std::optional<Failure> Gyration<dim>::factorise(double factor, const Vector &v,
                                                ContactSystem &system) const {
  if (!acts())
    return {};
  set_tangent(factor, v, system.blocks());
  if (!system.factorise_blocks())
    return Failure{"a body spins too fast for the length of the step"};
  return {};
}

template class Gyration<2>;
template class Gyration<3>;

} // namespace percussion
