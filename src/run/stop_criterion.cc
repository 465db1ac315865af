#include <percussion/run/stop_criterion.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

const std::string stop_entry = "Time/Stop when";

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

const std::vector<std::string> &stop_variables() {
  static const std::vector<std::string> names = {"t", "kinetic", "strain", "total", "contacts"};
  return names;
}

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

void declare_stop(ParameterDeclarations &declarations) {
  declarations.declare(
      "Stop when", "", Described("'at rest', 'separated', a formula, or nothing"),
      "Condition that ends the run before End, after the first step that meets it. at rest: the "
      "kinetic energy has stayed below 1e-8 of its largest value for a tenth of the time since "
      "Start. separated: the time since the last contact force is at least the time between the "
      "first and the last contact force. A formula: its value is not zero, e.g. total < 0.1 or "
      "tip.displacement_y > 2 && t > 0.5. Its variables are t, the energies kinetic, strain and "
      "total, contacts (number of contacts with a force) and the columns of the probes. "
      "Default: the run continues until End.");
}

template <int dim>
void read_stop(const CaseInput &input, Case<dim> &c) {
  const std::string text = input.parameters.get(stop_entry);
  c.stop.text = text;
  if (text.empty())
    return;
  if (text == "at rest" || text == "separated") {
    c.stop.kind = text == "at rest" ? StopWhen::Kind::at_rest : StopWhen::Kind::separated;
    if (text == "separated" && c.boundary->pairs.empty())
      input.report(stop_entry, "there is no contact");
    if (text == "at rest" && !c.choices.has_inertia)
      input.report(stop_entry, "with Inertia = none there is no kinetic energy that could decay");
    return;
  }
  auto words = std::make_shared<FormulaWords>(*input.words);
  words->variables = stop_variables();
  for (const auto &probe : c.probes)
    for (const auto &column : probe_columns(probe))
      words->variables.push_back(probe.name + "." + column);
  for (const auto &name : stop_variables())
    words->constants.erase(name); // t, kinetic, … denote variables of the run
  try {
    c.stop.formula = std::make_shared<const Expression>(text, words);
    c.stop.kind = StopWhen::Kind::formula;
  } catch (const InputError &error) {
    input.report(stop_entry, "neither 'at rest' nor 'separated', and " + std::string(error.what()));
  }
}

template bool is_met(const StopWhen &, double, const State<2> &, const StepRecord<2> &,
                     const std::vector<double> &, StopMemory &);
template void read_stop(const CaseInput &, Case<2> &);
template bool is_met(const StopWhen &, double, const State<3> &, const StepRecord<3> &,
                     const std::vector<double> &, StopMemory &);
template void read_stop(const CaseInput &, Case<3> &);

} // namespace percussion
