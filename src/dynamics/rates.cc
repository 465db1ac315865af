#include <percussion/base/instantiate.h>
#include <percussion/dynamics/rates.h>

#include <algorithm>
#include <cmath>

namespace percussion {

template <int dim>
void add_rates(PosedLaw<dim> &law, const ContactSetting<dim> &setting) {
  for (std::size_t i = 0; i < law.active.contacts.size(); ++i) {
    const ContactKey &key = law.active.contacts[i].key;
    const RateStateLaw &rate_law = setting.boundary.pairs[key.pair].rate_law;
    const bool has_friction = setting.boundary.points[law.active.contacts[i].point].has_friction;
    if (!rate_law.exists() || !has_friction)
      continue;
    const ContactState *const known_state = find_key(setting.state.history.states, key);
    law.rates.push_back({i, &rate_law, known_state ? known_state->state : rate_law.initial_state,
                         known_state ? known_state->slip_speed : rate_law.speed});
    std::fill_n(&law.offset[dim * i + 1], dim - 1, 0.);
    law.restitution[i] = TangentialRestitution::fixed;
  }
}

template <int dim>
double slip_speed(const std::vector<double> &u, std::size_t contact) {
  double square = 0;
  for (unsigned int t = 1; t < dim; ++t)
    square += u[dim * contact + t] * u[dim * contact + t];
  return std::sqrt(square);
}

template <int dim>
void advance_states(const PosedLaw<dim> &law, const std::vector<double> &p,
                    const TraceField &v_theta, double h, ContactHistory<dim> &history) {
  if (law.rates.empty())
    return;
  std::vector<double> u(law.H.n_rows());
  for (unsigned int row = 0; row < u.size(); ++row)
    u[row] = law.H.row_times(row, v_theta) - law.surface[row];
  std::vector<ContactState> &states = history.states;
  const auto n = static_cast<std::ptrdiff_t>(states.size());
  for (const PosedRate &rate : law.rates) {
    const bool presses = p[dim * rate.contact] > 0.;
    const double speed = presses ? slip_speed<dim>(u, rate.contact) : 0.;
    const ContactState next{law.active.contacts[rate.contact].key,
                            state_after(*rate.law, rate.state, speed, h), speed};
    const auto known_state = std::lower_bound(
        states.begin(), states.begin() + n, next.key,
        [](const ContactState &state, const ContactKey &key) { return state.key < key; });
    if (known_state != states.begin() + n && known_state->key == next.key)
      *known_state = next;
    else
      states.push_back(next);
  }
  std::inplace_merge(states.begin(), states.begin() + n, states.end(),
                     [](const ContactState &a, const ContactState &b) { return a.key < b.key; });
}

PERCUSSION_INSTANTIATE(add_rates);
PERCUSSION_INSTANTIATE(slip_speed);
PERCUSSION_INSTANTIATE(advance_states);

} // namespace percussion
