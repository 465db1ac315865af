#include "linear_momentum.h"

namespace percussion {
namespace {

/// Â = M + hθ C + h²θ² K: AC24 (92).
SparseMatrix iteration_matrix(const Operators &operators, double h, double theta) {
  SparseMatrix A;
  A.copy_from(operators.stiffness);
  A *= h * h * theta * theta;
  // M couples fewer entries than K: add it entry by entry.
  for (const auto &entry : operators.mass)
    A.add(entry.row(), entry.column(), entry.value());
  A.compress(dealii::VectorOperation::add);
  if (operators.viscous)
    A.add(h * theta, operators.viscosity);
  return A;
}

} // namespace

template <int dim>
LinearMomentum<dim>::LinearMomentum(const System<dim> &s, const StepChoices &choices,
                                    const std::vector<unsigned int> &dofs)
    : bodies(s), h(0), theta(choices.theta), contact_dofs(dofs) {
  for (Vector *work : {&deformation, &Mv0, &Kq0, &Cv_theta, &this->minus_residual})
    *work = make_vector(bodies.n_dofs());
  set_length(choices.h);
}

template <int dim>
void LinearMomentum<dim>::set_length(double length) {
  if (length == h)
    return;
  h = length;
  condensed = std::make_unique<CondensedSystem>(iteration_matrix(bodies.operators, h, theta),
                                                bodies.motion.dofs(), contact_dofs);
  ++this->version;
}

template <int dim>
void LinearMomentum<dim>::complete(State<dim> &state) {
  state.Mv = make_vector(bodies.n_dofs());
  state.Kq = make_vector(bodies.n_dofs());
  apply_operators(state);
  state.kinetic = 0.5 * (state.v * state.Mv);
  state.strain = 0.5 * (deformation * state.Kq);
}

template <int dim>
void LinearMomentum<dim>::apply_operators(State<dim> &state) {
  bodies.operators.mass.vmult(state.Mv, state.v);
  bodies.deformation(state.q, deformation);
  bodies.operators.stiffness.vmult(state.Kq, deformation);
}

template <int dim>
Outcome LinearMomentum<dim>::predict(const State<dim> &state, const Vector &force_theta,
                                     const std::vector<double> &, FirstGuess, Vector &v_theta) {
  v_theta = 0.;
  const double *const F = entries(force_theta);
  const double *const Mv = entries(state.Mv), *const Kq = entries(state.Kq);
  double *const b = entries(this->minus_residual);
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    b[i] = Mv[i] + h * theta * (F[i] - Kq[i]);
  return Outcome::fine;
}

template <int dim>
void LinearMomentum<dim>::finish(State<dim> &state, const Vector &force_theta,
                                 const Vector &v_theta, const Vector &velocity_change,
                                 Works &works) {
  state.Mv.swap(Mv0);
  state.Kq.swap(Kq0);
  apply_operators(state);
  const double *const v1 = entries(state.v), *const Mv1 = entries(state.Mv);
  const double *const q1 = entries(deformation), *const Kq1 = entries(state.Kq);
  const double *const Mv = entries(Mv0), *const Kq = entries(Kq0);
  const double *const v_mean = entries(v_theta), *const F = entries(force_theta);
  const double *const jump = entries(velocity_change);
  double vMv = 0, qKq = 0, vF = 0, jumps = 0;
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i) {
    vMv += v1[i] * Mv1[i];
    qKq += q1[i] * Kq1[i];
    vF += v_mean[i] * F[i];
  }
  if (theta != 0.5)
    for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
      jumps += jump[i] * (Mv1[i] - Mv[i]) + h * v_mean[i] * (Kq1[i] - Kq[i]);
  works.external += h * vF;
  works.numerical += (0.5 - theta) * jumps;
  if (bodies.operators.viscous) {
    bodies.operators.viscosity.vmult(Cv_theta, v_theta);
    works.viscous -= h * (v_theta * Cv_theta);
  }
  this->reactions.clear();
  for (const unsigned int i : bodies.motion.dofs())
    this->reactions.push_back(Mv1[i] - Mv[i] + h * ((1. - theta) * Kq[i] + theta * Kq1[i] - F[i]) +
                              (bodies.operators.viscous ? h * entries(Cv_theta)[i] : 0.));
  state.kinetic = 0.5 * vMv;
  state.strain = 0.5 * qKq;
}

template class LinearMomentum<2>;

} // namespace percussion
