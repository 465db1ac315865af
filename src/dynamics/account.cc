#include <percussion/base/error.h>
#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>

namespace percussion {

/// The energy ledger of the step: AC24 (65)–(67), BBDM24 (3.8), with the work of prescribed
/// motions.
template <int dim>
void Step<dim>::account(State<dim> &state) {
  const double before = state.energy();
  Works works;
  balance->finish(state, force_theta, v_theta, velocity_change, works);
  account_contacts(works);
  works.prescribed += work_of_reactions();
  record.works = works;
  record.balance_residual = state.energy() - before - works.sum();
  if (bodies.loads.depend_on_time())
    state.force.swap(next_force);
  for (auto &motion : surface_motion)
    motion.finish_step();
  if (!std::isfinite(record.balance_residual))
    throw RunError("step " + std::to_string(state.step + 1) + " (t = " + std::to_string(end_time) +
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
    const auto surface = surface_motion[contacts.points[i].pair].mean_velocity();
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

/// Work of the impulses r − Hᵀ p that hold the prescribed degrees of freedom in their motion.
template <int dim>
double Step<dim>::work_of_reactions() {
  double work = 0;
  for (std::size_t i = 0; i < bodies.motion.dofs().size(); ++i)
    work += entries(v_theta)[bodies.motion.dofs()[i]] * balance->reaction()[i];
  // Contacts of nodes and bodies whose motion is prescribed, all of it or a part.
  for (const unsigned int c : record.active)
    for (unsigned int row = dim * c; row < dim * (c + 1); ++row)
      for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
        if (bodies.motion.is_prescribed(H.column[k]))
          work -= entries(v_theta)[H.column[k]] * H.value[k] * record.percussion[row];
  return work;
}

template void Step<2>::account(State<2> &);

} // namespace percussion
