#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {

/// W of all candidates: where Â and H stay, it is computed once, and each step takes its part.
template <int dim>
void Step<dim>::build_candidate_delassus() {
  const unsigned int n = H.n_rows();
  candidate_delassus.resize(std::size_t(n) * n);
  contacts_in_use.resize(balance->system().contact_dofs().size());
  std::iota(contacts_in_use.begin(), contacts_in_use.end(), 0u);
  for (unsigned int r = 0; r < n; ++r) {
    take_row_of_compliance(r);
    for (unsigned int s = 0; s <= r; ++s)
      candidate_delassus[std::size_t(r) * n + s] = candidate_delassus[std::size_t(s) * n + r] =
          choices.theta * times_compliance(s);
  }
}

/// W and μ of the active contacts; they stay while Â, H and the active contacts do.
template <int dim>
void Step<dim>::take_active_delassus() {
  const auto &active = record.active;
  const bool constant = balance->is_linear() && contacts.constant_frames();
  const bool same_system = delassus_version == balance->system_version();
  if (same_system && active == posed_active)
    return;
  if (!constant)
    use_active_contacts();
  else if (!same_system)
    build_candidate_delassus();
  delassus_version = balance->system_version();
  posed_active = active;
  ++problem.version;
  problem.n_contacts = active.size();
  problem.mu.resize(active.size());
  for (std::size_t a = 0; a < active.size(); ++a)
    problem.mu[a] = contacts.points[active[a]].friction;
  const std::size_t n = dim * active.size();
  problem.W.resize(n * n);
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t row = active_row(r);
    if (!constant)
      take_row_of_compliance(row);
    for (std::size_t s = 0; s < n; ++s)
      problem.W[r * n + s] = constant ? candidate_delassus[row * H.n_rows() + active_row(s)]
                                      : choices.theta * times_compliance(active_row(s));
  }
  scale_delassus();
}

/// The row of H of a component of the cone problem.
template <int dim>
unsigned int Step<dim>::active_row(std::size_t component) const {
  return dim * record.active[component / dim] + static_cast<unsigned int>(component % dim);
}

/// A row of H Â⁻¹, on the degrees of freedom of the active contacts.
template <int dim>
void Step<dim>::take_row_of_compliance(std::size_t row) {
  const ContactSystem &system = balance->system();
  compliance_row.assign(system.contact_dofs().size(), 0.);
  for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
    if (const int i = system.contact_index(H.column[k]); i >= 0)
      for (const unsigned int j : contacts_in_use)
        compliance_row[j] += H.value[k] * system.compliance(static_cast<unsigned int>(i), j);
}

/// Its product with a row of H: an entry of H Â⁻¹ Hᵀ.
template <int dim>
double Step<dim>::times_compliance(std::size_t row) const {
  double sum = 0;
  for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
    if (const int j = balance->system().contact_index(H.column[k]); j >= 0)
      sum += H.value[k] * compliance_row[static_cast<unsigned int>(j)];
  return sum;
}

/// Percussions in a unit that changes a contact's velocity by about one: in it W has a mean
/// diagonal of one.
template <int dim>
void Step<dim>::scale_delassus() {
  const std::size_t n = dim * problem.n_contacts;
  double trace = 0;
  for (std::size_t r = 0; r < n; ++r)
    trace += problem.W[r * n + r];
  delassus_unit = trace > 0. ? static_cast<double>(n) / trace : 1.;
  for (double &entry : problem.W)
    entry *= delassus_unit;
}

template <int dim>
void Step<dim>::use_active_contacts() {
  contacts_in_use.clear();
  for (const unsigned int i : record.active)
    for (unsigned int k = H.start[dim * i]; k < H.start[dim * (i + 1)]; ++k)
      if (const int c = balance->system().contact_index(H.column[k]); c >= 0)
        contacts_in_use.push_back(static_cast<unsigned int>(c));
  std::sort(contacts_in_use.begin(), contacts_in_use.end());
  contacts_in_use.erase(std::unique(contacts_in_use.begin(), contacts_in_use.end()),
                        contacts_in_use.end());
  balance->system().use_contacts(contacts_in_use);
}

/// What the percussions applied already have changed an entry of u by.
template <int dim>
double Step<dim>::velocity_of_applied(std::size_t row) const {
  if (balance->is_linear())
    return 0.;
  double sum = 0;
  for (std::size_t k = 0; k < applied.size(); ++k)
    sum += problem.W[row * applied.size() + k] * applied[k];
  return sum / delassus_unit;
}

/// q̂ = u without the percussions + a(u0) of the active contacts, relative to the surfaces. The
/// problem is posed in natural units of velocity (the largest of q̂) and percussion, for its
/// residual adds the one to the other and both to one: so a tolerance means the same in all systems
/// of units.
template <int dim>
void Step<dim>::pose_velocities(const State<dim> &state) {
  problem.q.resize(dim * record.active.size());
  double largest = 0;
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    const unsigned int i = record.active[a];
    const unsigned int pair = contacts.points[i].pair;
    const auto frame = local_frame<dim>(frames.normal[i]);
    const auto mean = surface_motion[pair].mean_velocity();
    const auto u0 = start_velocity(state, i);
    for (unsigned int r = 0; r < dim; ++r) {
      const double u_free = H.row_times(dim * i + r, entries(v_theta)) +
                            H.row_times(dim * i + r, entries(correction)) - frame[r] * mean;
      const double q = u_free - velocity_of_applied(dim * a + r) +
                       (r == 0 ? law[pair].of_normal(u0[r]) : law[pair].of_tangential(u0[r]));
      problem.q[dim * a + r] = q;
      largest = std::max(largest, std::abs(q));
    }
  }
  velocity_unit = largest > 0. ? largest : 1.;
  percussion_unit = delassus_unit * velocity_unit;
  for (double &q : problem.q)
    q /= velocity_unit;
  // Start from what each contact did last.
  solution.p.resize(problem.q.size());
  solution.status.resize(record.active.size());
  for (std::size_t a = 0; a < record.active.size(); ++a) {
    solution.status[a] = record.status[record.active[a]];
    for (unsigned int r = 0; r < dim; ++r)
      solution.p[dim * a + r] = record.percussion[dim * record.active[a] + r] / percussion_unit;
  }
}

template void Step<2>::take_active_delassus();
template void Step<2>::pose_velocities(const State<2> &);

} // namespace percussion
