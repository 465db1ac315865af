#include <percussion/advice/hopping.h>
#include <percussion/base/format.h>

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

constexpr unsigned int rested_steps = 20; ///< closed steps after which a pair has rested
constexpr unsigned int many_hops = 10;
constexpr double hop_height = 1e-3;     ///< height of a hop, relative to the local size
constexpr unsigned int rising_hops = 3; ///< hops one after another, each higher than the last
constexpr double high_hop = 0.05;       ///< height of the last of them, relative to the local size
constexpr double often_open = 0.1;      ///< fraction of the steps since the first hop
constexpr double mostly = 0.5;          ///< fraction of the closed steps in which the pair slips

} // namespace

template <int dim>
HoppingWatch<dim>::HoppingWatch(const Case<dim> &the_case)
    : c(the_case), pairs(the_case.boundary->pairs.size()) {
  for (unsigned int i = 0; i < pairs.size(); ++i) {
    const ContactPair<dim> &pair = c.boundary->pairs[i];
    pairs[i].is_relevant = c.choices.has_inertia && pair.has_friction() &&
                           (pair.region() || pair.is_on_faces()) && !pair.is_self_contact();
    pairs[i].size = std::numeric_limits<double>::max();
    for (unsigned int k = c.boundary->first_point[i]; k < c.boundary->first_point[i + 1]; ++k)
      pairs[i].size = std::min(pairs[i].size, c.boundary->points[k].size);
  }
}

/// Adds a step of a pair with its smallest gap. A pair that opens before it has rested begins
/// again, and hops that are no higher than the fall before are no sign of friction: a body that was
/// thrown bounces.
template <int dim>
void HoppingWatch<dim>::add(bool is_closed, bool slips, double gap, Hops &hops) const {
  const bool has_rested = hops.steps_closed >= rested_steps;
  if (!has_rested) {
    hops.steps_closed = is_closed ? hops.steps_closed + 1 : 0;
    hops.fall = std::max(hops.fall, gap);
    return;
  }
  hops.steps += hops.n > 0 || !is_closed ? 1 : 0;
  if (!is_closed) {
    ++hops.steps_open;
    hops.gap = std::max(hops.gap, gap);
    return;
  }
  hops.steps_slipping += slips ? 1 : 0;
  if (hops.gap > std::max(hop_height * hops.size, hops.fall)) {
    ++hops.n;
    hops.n_rising = hops.gap > hops.last ? hops.n_rising + 1 : 1;
    hops.last = hops.gap;
    hops.highest = std::max(hops.highest, hops.gap);
  }
  hops.gap = 0;
}

/// A body that has fallen bounces lower each time; a vibration that friction feeds throws it higher
/// each time.
template <int dim>
bool HoppingWatch<dim>::is_fed(const Hops &hops) const {
  const bool grows = hops.n_rising >= rising_hops && hops.last > high_hop * hops.size;
  return (hops.n >= many_hops || grows) && hops.steps_open > often_open * hops.steps &&
         hops.steps_slipping > mostly * (hops.steps - hops.steps_open);
}

template <int dim>
std::string HoppingWatch<dim>::look(const State<dim> &state, const StepRecord<dim> &record) {
  if (std::none_of(pairs.begin(), pairs.end(), [](const Hops &hops) { return hops.is_relevant; }))
    return {};
  constexpr double far = std::numeric_limits<double>::max();
  std::vector<unsigned int> n_carrying(pairs.size()), n_slipping(pairs.size());
  std::vector<double> gaps(pairs.size(), far);
  for (const auto &contact : record.contacts)
    if (contact.carries()) {
      ++n_carrying[contact.key.pair];
      n_slipping[contact.key.pair] += contact.status == ContactStatus::slip ? 1 : 0;
    }
  for (const auto &contact : state.found.contacts)
    gaps[contact.key.pair] = std::min(gaps[contact.key.pair], contact.gap);
  for (unsigned int i = 0; i < pairs.size(); ++i) {
    Hops &hops = pairs[i];
    if (!hops.is_relevant)
      continue;
    add(n_carrying[i] > 0, n_slipping[i] == n_carrying[i], gaps[i] < far ? gaps[i] : 0., hops);
    if (is_fed(hops))
      return sentence(state, i);
  }
  return {};
}

template <int dim>
std::string HoppingWatch<dim>::sentence(const State<dim> &state, unsigned int pair) const {
  const Hops &hops = pairs[pair];
  const ContactPair<dim> &hopping = c.boundary->pairs[pair];
  const double e = impact_law(hopping.law, hopping.restitution, c.choices.theta).e;
  const bool may_damp = c.choices.integrator == Integrator::theta && c.choices.theta < 1. &&
                        c.choices.gap == GapLaw::rate && e == 0.;
  return "contact '" + hopping.name +
         format("' at t = %.6g: the body slides with friction and has left the other side %u "
                "times, by up to %.3g (local size %.3g), although it had rested on it: friction "
                "feeds a vibration of the body, which nothing damps; ",
                state.time, hops.n, hops.highest, hops.size) +
         (may_damp ? "Material/Viscosity, or Time/Theta = 1, damps it"
                   : "Material/Viscosity damps it");
}

template class HoppingWatch<2>;
template class HoppingWatch<3>;

} // namespace percussion
