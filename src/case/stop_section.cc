#include "parameter_sections.h"

namespace percussion {
namespace {

const std::string stop_entry = "Time/Stop when";

} // namespace

const std::vector<std::string> &stop_variables() {
  static const std::vector<std::string> names = {"t", "kinetic", "strain", "total", "contacts"};
  return names;
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

template void read_stop(const CaseInput &, Case<2> &);
template void read_stop(const CaseInput &, Case<3> &);

} // namespace percussion
