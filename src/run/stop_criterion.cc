#include "stop_criterion.h"

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

void note(double start, double kinetic, bool is_active, double time, StopMemory &m) {
  constexpr double quiet = 1e-8;
  m.largest_kinetic = std::max(m.largest_kinetic, kinetic);
  const bool was_quiet = m.is_quiet;
  m.is_quiet = m.largest_kinetic > 0. && kinetic < quiet * m.largest_kinetic;
  if (m.is_quiet && !was_quiet)
    m.quiet_since = time;
  if (!is_active)
    return;
  if (!m.was_active)
    m.first_active = start;
  m.was_active = true;
  m.last_active = time;
}

} // namespace

template <int dim>
bool is_met(const StopWhen &stop, double start, const State<dim> &state,
            const StepRecord<dim> &record, const std::vector<double> &probes, StopMemory &memory) {
  const auto n_active = static_cast<double>(
      std::count_if(record.contacts.begin(), record.contacts.end(),
                    [](const ContactRecord<dim> &contact) { return contact.carries(); }));
  const double step_begin = state.time - state.previous_h, t = state.time;
  note(step_begin, state.kinetic, n_active > 0, t, memory);
  switch (stop.kind) {
  case StopWhen::Kind::at_rest:
    return memory.is_quiet && t - memory.quiet_since >= 0.1 * (t - start);
  case StopWhen::Kind::separated:
    return memory.was_active && n_active == 0 &&
           t - memory.last_active >= memory.last_active - memory.first_active;
  case StopWhen::Kind::formula: {
    std::vector<double> values = {t, state.kinetic, state.strain, state.energy(), n_active};
    values.insert(values.end(), probes.begin(), probes.end());
    const double value = (*stop.formula)(values);
    return value != 0. && !std::isnan(value);
  }
  default:
    return false;
  }
}

template bool is_met(const StopWhen &, double, const State<2> &, const StepRecord<2> &,
                     const std::vector<double> &, StopMemory &);
template bool is_met(const StopWhen &, double, const State<3> &, const StepRecord<3> &,
                     const std::vector<double> &, StopMemory &);

} // namespace percussion
