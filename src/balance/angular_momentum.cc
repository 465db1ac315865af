#include <percussion/balance/angular_momentum.h>
#include <percussion/body/attitude.h>

namespace percussion {

template <int dim>
void AngularMomentum<dim>::begin(const BodyState &state) {
  q0 = state.q;
  v0 = state.v;
}

template <>
void AngularMomentum<2>::compensate(const Iterate &, double, BodyState &) {}

/// Returns the round-off of I Ω1 of the body whose rotation begins at `dof`: round-off of Ω1, and
/// of the attitude, for which Ω1 must compensate.
template <>
AngularMomentum<3>::Extended
AngularMomentum<3>::lost_spin(const Iterate &iterate, const dealii::Tensor<2, 3> &inertia,
                              unsigned int dof, const BodyState &state) const {
  const double h = iterate.interval.h;
  const double *const v_theta = iterate.v_theta.data(), *const v1 = state.v.data();
  Extended omega, theta_momentum, end_momentum, lost;
  for (unsigned int d = 0; d < 3; ++d)
    omega[d] = v_theta[dof + d];
  for (unsigned int d = 0; d < 3; ++d)
    for (unsigned int e = 0; e < 3; ++e) {
      const long double I = inertia[d][e];
      theta_momentum[d] += I * omega[e];
      end_momentum[d] += I * v1[dof + e];
      lost[d] +=
          I * (static_cast<long double>(v0[dof + e]) - v1[dof + e] + state.rounding[dof + e]);
    }
  const Extended rounding(
      rounding_of_turn(h, v_theta + dof, q0.data() + dof, state.q.data() + dof));
  const Extended torque = cross_product_3d(omega, theta_momentum),
                 turned = cross_product_3d(rounding, end_momentum);
  for (unsigned int d = 0; d < 3; ++d)
    lost[d] += impulse[dof + d] - h * torque[d] - turned[d];
  return lost;
}

template <>
void AngularMomentum<3>::compensate(const Iterate &iterate, double percussion_factor,
                                    BodyState &state) {
  impulse.assign(bodies.n_dofs(), 0.);
  for (unsigned int i = bodies.n_elastic_dofs(); i < impulse.size(); ++i)
    impulse[i] = iterate.interval.h * (*iterate.force_theta)[i];
  const ContactForces &contact_forces = iterate.contact_forces;
  for (std::size_t c = 0; c < contact_forces.dofs.size(); ++c)
    impulse[contact_forces.dofs[c]] += contact_forces.applied[c] / percussion_factor;
  if (state.rounding.size() != state.v.size())
    state.rounding.reinit(bodies.n_dofs());
  double *const v1 = state.v.data(), *const rounding = state.rounding.data();
  for (std::size_t b = 0; b < bodies.rigid.size(); ++b) {
    const unsigned int dof = bodies.rigid_dof(b) + 3;
    if (bodies.motion.is_prescribed(dof) || bodies.motion.is_prescribed(dof + 1) ||
        bodies.motion.is_prescribed(dof + 2))
      continue;
    const dealii::Tensor<2, 3> inertia(bodies.rigid[b].inertia);
    const Extended omega = Extended(invert(inertia) * lost_spin(iterate, inertia, dof, state));
    for (unsigned int d = 0; d < 3; ++d) {
      const long double exact = v1[dof + d] + omega[d];
      v1[dof + d] = static_cast<double>(exact);
      rounding[dof + d] = static_cast<double>(exact - v1[dof + d]);
    }
  }
}

template class AngularMomentum<2>;
template class AngularMomentum<3>;

} // namespace percussion
