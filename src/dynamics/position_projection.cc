#include <percussion/contact/find.h>
#include <percussion/contact/history.h>
#include <percussion/dynamics/position_projection.h>
#include <percussion/dynamics/state.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace percussion {
namespace {

constexpr double fraction = 0.2;   ///< fraction β of the depth that a step removes
constexpr double allowance = 1e-6; ///< remaining depth, as a fraction of the body's size

template <int dim>
double allowed_depth(const Contact<dim> &contact, const Boundary<dim> &boundary) {
  const ContactPoint<dim> &point = boundary.points[contact.point];
  return std::max(allowance * boundary.sizes[*point.rigid_body()], point.tolerance);
}

/// Returns the normal velocity at the end of the step, relative to a moving surface.
template <int dim>
double normal_velocity(const Contact<dim> &contact, const TraceField &v, const State<dim> &state) {
  return contact.normal * (state.found.velocity(contact, v) -
                           state.surface_motion[contact.key.pair].mean_velocity(contact));
}

/// Returns the rows n, t[, t'] of the chosen contacts.
template <int dim>
ContactRows rows_of(const ContactList<dim> &found, const std::vector<std::size_t> &chosen) {
  ContactRows H;
  for (const std::size_t i : chosen)
    for (const auto &direction : local_frame<dim>(found.contacts[i].normal)) {
      for (const Support<dim> &support : found.support_of(found.contacts[i]))
        if (const double value = direction * support.weight; value != 0.) {
          H.column.push_back(support.entry);
          H.value.push_back(value);
        }
      H.start.push_back(static_cast<unsigned int>(H.column.size()));
    }
  std::vector<unsigned int> all = H.column;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  H.number_columns(all);
  return H;
}

} // namespace

template <int dim>
PositionProjection<dim>::PositionProjection(const System<dim> &b,
                                            const Boundary<dim> &contact_boundary,
                                            const ConeOptions &solver)
    : bodies(b), boundary(contact_boundary), mass(b, contact_boundary.trace), options(solver) {}

/// Computes the demands of the contacts. Returns false if no contact demands a displacement.
template <int dim>
bool PositionProjection<dim>::find_demands(const State<dim> &state, const Interval &interval) {
  demands.clear();
  chosen.clear();
  bool has_demand = false;
  const TraceField v = boundary.trace.gather(state.v);
  for (const auto &contact : state.found.contacts) {
    const double depth = -contact.gap, allowed = allowed_depth(contact, boundary);
    double demand = depth - std::max(allowed, (1. - fraction) * depth);
    if (demand > 0.)
      demand -= interval.h * std::abs(normal_velocity(contact, v, state));
    if (demand > 0. || depth >= -allowed)
      chosen.push_back(demands.size());
    has_demand = has_demand || demand > 0.;
    demands.push_back(demand);
  }
  return has_demand;
}

/// Computes δ for the chosen contacts. Returns false if there is no solution.
template <int dim>
bool PositionProjection<dim>::solve(const ContactList<dim> &found) {
  const ContactRows H = rows_of(found, chosen);
  mass.system().set_contact_entries(H.entries);
  delassus.write(H, std::vector<double>(chosen.size(), 0.), dim, 1., mass.system(), problem);
  double unit = 0;
  for (const std::size_t i : chosen)
    unit = std::max(unit, std::abs(demands[i]));
  problem.q.assign(H.n_rows(), 0.);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    problem.q[dim * i] = -demands[chosen[i]] / unit;
  ConeSolution solution;
  try {
    ConeSolver(options).solve(problem, solution);
  } catch (const std::invalid_argument &) { // only prescribed motions could separate the bodies
    return false;
  }
  if (!solution.converged)
    return false;
  std::vector<double> force;
  H.transpose_times(unit * delassus.mass_unit(), solution.p, force);
  mass.displace(force);
  on_trace = boundary.trace.gather(mass.displacement());
  return true;
}

template <int dim>
double PositionProjection<dim>::normal_displacement(const Contact<dim> &contact,
                                                    const ContactList<dim> &found) const {
  return contact.normal * found.velocity(contact, on_trace);
}

/// Chooses further contacts until no contact found becomes deeper than permitted.
template <int dim>
bool PositionProjection<dim>::project(const ContactList<dim> &found) {
  for (std::size_t n_before = 0; chosen.size() > n_before;) {
    n_before = chosen.size();
    if (!solve(found))
      return false;
    std::vector<std::size_t> further;
    for (std::size_t i = 0; i < found.contacts.size(); ++i)
      if (!std::binary_search(chosen.begin(), chosen.end(), i) &&
          normal_displacement(found.contacts[i], found) < demands[i])
        further.push_back(i);
    chosen.insert(chosen.end(), further.begin(), further.end());
    std::sort(chosen.begin(), chosen.end());
  }
  return true;
}

template <int dim>
void PositionProjection<dim>::correct(State<dim> &state, const Interval &interval,
                                      const ContactFinder<dim> &finder, const Vector &force,
                                      StepRecord<dim> &record) {
  if (!find_demands(state, interval))
    return;
  if (!project(state.found)) {
    record.is_uncorrected = true;
    return;
  }
  const double work = dot(force, mass.displacement());
  record.works.external += work;
  record.works.position_correction -= work;
  bodies.move(1., mass.displacement(), state.q);
  const ContactList<dim> previous_contacts = std::move(state.found);
  state.found = finder.find(boundary.trace.gather(state.q), interval.t1);
  for (ContactMemory<dim> &memory : state.history.memories) {
    const auto *const old = previous_contacts.find(memory.key), *const current_contact =
                                                                    state.found.find(memory.key);
    if (old != nullptr && current_contact != nullptr)
      memory.gap += current_contact->gap - old->gap;
  }
}

template class PositionProjection<2>;
template class PositionProjection<3>;

} // namespace percussion
