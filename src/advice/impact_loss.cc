#include <percussion/advice/impact_loss.h>
#include <percussion/base/format.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

constexpr double unresolved_transits = 10;  ///< transits
constexpr unsigned int impact_steps = 3;    ///< steps of an impact that count
constexpr double dissipated_fraction = 0.5; ///< fraction of the kinetic energy
constexpr double considerable_energy = 0.1; ///< fraction of the largest energy of the run

} // namespace

template <int dim>
ImpactLoss<dim>::ImpactLoss(const Case<dim> &the_case)
    : c(the_case), was_closed(the_case.boundary->pairs.size()) {
  for (const auto &pair : c.boundary->pairs)
    transits.push_back(c.choices.has_inertia ? transits_of_step(pair, c) : 0.);
}

template <int dim>
void ImpactLoss<dim>::add(const State<dim> &state, const StepRecord<dim> &record) {
  if (std::none_of(transits.begin(), transits.end(),
                   [](double n) { return n > unresolved_transits; }))
    return;
  std::vector<bool> is_closed(transits.size());
  for (const auto &contact : record.contacts)
    if (contact.carries())
      is_closed[contact.key.pair] = true;
  for (unsigned int i = 0; i < transits.size(); ++i)
    if (present.n_left == 0 && transits[i] > unresolved_transits && is_closed[i] &&
        !was_closed[i] && previous_kinetic > 0.)
      present = {i, state.time, previous_kinetic, 0., impact_steps};
  was_closed = is_closed;
  previous_kinetic = state.kinetic;
  if (present.n_left == 0)
    return;
  present.loss -= record.works.numerical + record.works.contact_normal;
  if (present.kinetic >= largest.kinetic)
    largest = present;
  --present.n_left;
}

template <int dim>
std::string ImpactLoss<dim>::look(double energy_max) const {
  if (!(largest.loss > dissipated_fraction * largest.kinetic &&
        largest.kinetic > considerable_energy * energy_max))
    return {};
  const double n = transits[largest.pair];
  return "contact '" + c.boundary->pairs[largest.pair].name +
         format("' at t = %.6g: the scheme dissipates %.3g %% of the kinetic energy %.3g of the "
                "bodies within %u steps of their impact, for a step is %.3g transits of a wave "
                "through the shortest edge; Time/Step = %.1g resolves the impact",
                largest.time, 100. * largest.loss / largest.kinetic, largest.kinetic, impact_steps,
                n, c.choices.h / n) +
         (c.choices.integrator == Integrator::theta && c.choices.theta > 0.5
              ? ", and Time/Theta = 0.5 dissipates least"
              : "");
}

template class ImpactLoss<2>;
template class ImpactLoss<3>;

} // namespace percussion
