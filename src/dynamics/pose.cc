#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>

namespace percussion {

/// (H Â⁻¹ Hᵀ)_rs.
template <int dim>
double Step<dim>::delassus_entry(unsigned int r, unsigned int s) {
  const ContactSystem &system = balance->system();
  double sum = 0;
  for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k)
    for (unsigned int l = H.start[s]; l < H.start[s + 1]; ++l) {
      const int i = system.contact_index(H.column[k]), j = system.contact_index(H.column[l]);
      if (i >= 0 && j >= 0)
        sum += H.value[k] * H.value[l] *
               system.compliance(static_cast<unsigned int>(i), static_cast<unsigned int>(j));
    }
  return sum;
}

/// W of all candidates: where Â and H stay, it is computed once, and each step takes its part.
template <int dim>
void Step<dim>::build_candidate_delassus() {
  const unsigned int n = H.n_rows();
  candidate_delassus.resize(std::size_t(n) * n);
  for (unsigned int r = 0; r < n; ++r)
    for (unsigned int s = 0; s <= r; ++s)
      candidate_delassus[std::size_t(r) * n + s] = candidate_delassus[std::size_t(s) * n + r] =
          choices.theta * delassus_entry(r, s);
}

/// W and μ of the active contacts; they stay while Â, H and the active contacts do.
template <int dim>
void Step<dim>::take_active_delassus() {
  const auto &active = record.active;
  const bool constant = balance->is_linear() && contacts.constant_frames();
  const bool same_system = delassus_version == balance->system_version();
  if (same_system && active == posed_active)
    return;
  if (!balance->is_linear())
    use_active_contacts();
  if (constant && !same_system)
    build_candidate_delassus();
  delassus_version = balance->system_version();
  posed_active = active;
  ++problem.version;
  problem.n_contacts = active.size();
  const std::size_t n = dim * active.size(), n_candidates = H.n_rows();
  problem.W.resize(n * n);
  problem.mu.resize(active.size());
  for (std::size_t a = 0; a < active.size(); ++a) {
    problem.mu[a] = contacts.points[active[a]].friction;
    for (std::size_t b = 0; b < active.size(); ++b)
      for (unsigned int r = 0; r < dim; ++r)
        for (unsigned int s = 0; s < dim; ++s) {
          const unsigned int row = dim * active[a] + r, column = dim * active[b] + s;
          problem.W[(dim * a + r) * n + dim * b + s] =
              constant ? candidate_delassus[row * n_candidates + column]
                       : choices.theta * delassus_entry(row, column);
        }
  }
  scale_delassus();
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
    for (const unsigned int dof : contacts.points[i].dofs)
      if (const int c = balance->system().contact_index(dof); c >= 0)
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
    const auto start = surface_motion[pair].start_velocity();
    for (unsigned int r = 0; r < dim; ++r) {
      const double u_free = H.row_times(dim * i + r, entries(v_theta)) +
                            H.row_times(dim * i + r, entries(correction)) - frame[r] * mean;
      const double u0 = H.row_times(dim * i + r, entries(state.v)) - frame[r] * start;
      const double q = u_free - velocity_of_applied(dim * a + r) +
                       (r == 0 ? law[pair].of_normal(u0) : law[pair].of_tangential(u0));
      problem.q[dim * a + r] = q;
      largest = std::max(largest, std::abs(q));
    }
  }
  const double velocity_unit = largest > 0. ? largest : 1.;
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
