#include <percussion/dynamics/step.h>
#include <percussion/io/error.h>

#include <algorithm>
#include <cmath>

namespace percussion {

/// The energy ledger of the step: AC24 (65)–(67) with the work of prescribed motions.
template <int dim>
void Step<dim>::account(State<dim> &state) {
  const double h = choices.h, theta = choices.theta;
  const double *const v1 = entries(state.v), *const Mv1 = entries(state.Mv);
  const double *const q1 = entries(deformation), *const Kq1 = entries(state.Kq);
  const double *const Mv = entries(Mv0), *const Kq = entries(Kq0);
  const double *const v_mean = entries(v_theta), *const F = entries(force_theta);
  const double *const jump = entries(velocity_jump);
  double vMv = 0, qKq = 0, vF = 0, jumps = 0;
  for (unsigned int i = 0; i < body.n_dofs(); ++i) {
    vMv += v1[i] * Mv1[i];
    qKq += q1[i] * Kq1[i];
    vF += v_mean[i] * F[i];
  }
  if (theta != 0.5)
    for (unsigned int i = 0; i < body.n_dofs(); ++i)
      jumps += jump[i] * (Mv1[i] - Mv[i]) + h * v_mean[i] * (Kq1[i] - Kq[i]);
  Works works;
  works.external = h * vF;
  works.numerical = (0.5 - theta) * jumps;
  if (body.operators.viscous) {
    body.operators.viscosity.vmult(Cv_theta, v_theta);
    works.viscous = -h * (v_theta * Cv_theta);
  }
  account_contacts(works);
  works.prescribed += work_of_reactions(state);

  const double before = state.kinetic + state.strain;
  state.kinetic = 0.5 * vMv;
  state.strain = 0.5 * qKq;
  record.works = works;
  record.balance_residual = state.energy() - before - works.sum();
  if (body.loads.depend_on_time())
    state.force.swap(next_force);
  if (!std::isfinite(record.balance_residual))
    throw RunError("step " + std::to_string(state.step) + " (t = " + std::to_string(end_time) +
                   "): a displacement or velocity is not a finite number any more");
}

template <int dim>
void Step<dim>::account_contacts(Works &works) {
  record.velocity.resize(dim * record.active.size());
  record.n_sliding = 0;
  record.normal_work_max = record.normal_work_min = 0;
  record.tangential_work_max = record.tangential_work_min = 0;
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    const unsigned int i = record.active[a];
    const auto frame = local_frame<dim>(record.normal[i]);
    const auto surface = surface_motion[contacts.points[i].pair].mean_velocity(choices.h);
    double normal_work = 0, tangential_work = 0;
    for (unsigned int r = 0; r < dim; ++r) {
      const double of_surface = frame[r] * surface;
      const double u = H.row_times(dim * i + r, entries(v_theta)) - of_surface;
      const double p = record.percussion[dim * i + r];
      record.velocity[dim * a + r] = u;
      (r == 0 ? normal_work : tangential_work) += u * p;
      works.prescribed += p * of_surface;
    }
    works.contact_normal += normal_work;
    works.contact_tangential += tangential_work;
    record.normal_work_max = std::max(record.normal_work_max, normal_work);
    record.normal_work_min = std::min(record.normal_work_min, normal_work);
    record.tangential_work_max = std::max(record.tangential_work_max, tangential_work);
    record.tangential_work_min = std::min(record.tangential_work_min, tangential_work);
    record.n_sliding += record.status[i] == ContactStatus::slip;
  }
}

/// Work of the reactions R = M (v1 − v0) + h K q_θ + h C v_θ − h F_θ − Hᵀ p that hold the
/// prescribed degrees of freedom in their motion.
template <int dim>
double Step<dim>::work_of_reactions(const State<dim> &state) {
  const double h = choices.h, theta = choices.theta;
  double work = 0;
  for (const unsigned int i : body.motion.dofs()) {
    const double v = entries(v_theta)[i];
    if (v == 0.)
      continue;
    double reaction = entries(state.Mv)[i] - entries(Mv0)[i] +
                      h * ((1. - theta) * entries(Kq0)[i] + theta * entries(state.Kq)[i] -
                           entries(force_theta)[i]);
    if (body.operators.viscous)
      reaction += h * entries(Cv_theta)[i];
    work += v * reaction;
  }
  // Contacts of nodes whose motion is prescribed in part.
  for (const unsigned int c : record.active)
    for (unsigned int row = dim * c; row < dim * (c + 1); ++row)
      for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
        if (body.motion.is_prescribed(H.column[k]))
          work -= entries(v_theta)[H.column[k]] * H.value[k] * record.percussion[row];
  return work;
}

template void Step<2>::account(State<2> &);

} // namespace percussion
