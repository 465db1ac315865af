#include <percussion/base/instantiate.h>
#include <percussion/dynamics/springs.h>
#include <percussion/dynamics/state.h>

#include <algorithm>

namespace percussion {

template <int dim>
double spring_stiffness(const Contact<dim> &contact, const Boundary<dim> &boundary) {
  const double stiffness = boundary.points[contact.point].spring;
  return contact.area > 0. ? stiffness * contact.area : stiffness;
}

/// Returns the discrete gradient. Branches without the quotient are exact if round-off would spoil
/// it.
SpringForce discrete_gradient(const Spring &spring, double d1) {
  const double r = spring.stiffness, d0 = spring.gap;
  if (d0 <= 0. && d1 <= 0.)
    return {0.5 * r * (d0 + d1), 0.5 * r};
  if (d0 >= 0. && d1 >= 0.)
    return {0., 0.};
  const double force = (spring_energy(r, d1) - spring_energy(r, d0)) / (d1 - d0);
  return {force, (r * std::min(d1, 0.) - force) / (d1 - d0)};
}

template <int dim>
void add_springs(PosedLaw<dim> &law, const State<dim> &state, const Interval &interval,
                 const Boundary<dim> &boundary, const StepChoices &choices) {
  const double h = interval.h;
  const double normal = (choices.gap == GapLaw::middle ? choices.theta : 1.) * h * h;
  for (unsigned int i = 0; i < law.active.contacts.size(); ++i) {
    const Contact<dim> &contact = law.active.contacts[i];
    const double r = spring_stiffness(contact, boundary);
    law.springs.push_back({r, state.found.find(contact.key)->gap_of_law(),
                           boundary.pairs[contact.key.pair].symmetry});
    if (choices.penalty != Penalty::compliance) {
      law.compliance.diagonal.resize(dim * (i + 1), 0.);
      continue;
    }
    const auto *const memory = state.history.find(contact.key);
    for (unsigned int t = 0; t < dim; ++t) {
      law.compliance.diagonal.push_back(1. / (r * (t == 0 ? normal : h * h)));
      // f_T1 = f_T0 − r h u_T without slip
      if (t > 0 && memory != nullptr)
        law.offset[dim * i + t] = -memory->percussion[t] / (state.previous_h * r * h);
    }
  }
}

template <int dim>
double spring_energy(const State<dim> &state, const Boundary<dim> &boundary,
                     const StepChoices &choices) {
  double energy = 0;
  if (choices.penalty == Penalty::none)
    return energy;
  for (const auto &contact : state.found.contacts) {
    const double r = spring_stiffness(contact, boundary);
    const double symmetry_factor = boundary.pairs[contact.key.pair].symmetry;
    energy += symmetry_factor * spring_energy(r, contact.gap_of_law());
    const auto *const memory = state.history.find(contact.key);
    for (unsigned int t = 1; choices.penalty == Penalty::compliance && memory && t < dim; ++t) {
      const double force = memory->percussion[t] / state.previous_h;
      energy += symmetry_factor * force * force / (2. * r);
    }
  }
  return energy;
}

template <int dim>
std::vector<StoredEnergy> stored_by_springs(const PosedLaw<dim> &law, const State<dim> &begin,
                                            const Interval &interval, const std::vector<double> &p,
                                            const TraceField &v_theta, const StepChoices &choices) {
  std::vector<StoredEnergy> stored(law.springs.size());
  for (unsigned int i = 0; i < law.springs.size(); ++i) {
    const auto [r, gap, symmetry_factor] = law.springs[i];
    const unsigned int row = dim * i;
    const double u = law.rows().row_times(row, v_theta) - law.surface[row];
    stored[i].normal =
        symmetry_factor * (spring_energy(r, gap + interval.h * u) - spring_energy(r, gap));
    const auto *const memory = begin.history.find(law.active.contacts[i].key);
    for (unsigned int t = 1; choices.penalty == Penalty::compliance && t < dim; ++t) {
      const double initial_force = memory ? memory->percussion[t] / begin.previous_h : 0.;
      const double final_force = p[row + t] / interval.h;
      stored[i].tangential +=
          symmetry_factor * (final_force * final_force - initial_force * initial_force) / (2. * r);
    }
  }
  return stored;
}

PERCUSSION_INSTANTIATE(spring_stiffness);
PERCUSSION_INSTANTIATE(add_springs);
PERCUSSION_INSTANTIATE(spring_energy);
PERCUSSION_INSTANTIATE(stored_by_springs);

} // namespace percussion
