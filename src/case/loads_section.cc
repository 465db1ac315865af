#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <regex>

namespace percussion {

namespace {

/// Returns the components of a vector; commas between the arguments of a function do not separate
/// components.
std::vector<std::string> split_components(const std::string &text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (depth == 0 && c == ',')
      items.emplace_back();
    else
      items.back() += c;
  }
  for (std::string &item : items)
    item = dealii::Utilities::trim(item);
  return items;
}

/// Pattern of numbers, or of formulas of which at least one depends on t. Constant formulas are
/// evaluated like the items of any list.
class GravityPattern : public dealii::Patterns::PatternBase {
public:
  explicit GravityPattern(Dimensions o) : dimensions(o) {}

  bool match(const std::string &text) const override {
    if (dimensions.vector().match(text))
      return true;
    const std::size_t n = split_components(text).size();
    return std::regex_search(text, std::regex(R"(\bt\b)")) &&
           ((dimensions.plane && n == 2) || (dimensions.space && n == 3));
  }
  std::string description(OutputStyle = Machine) const override {
    return plain_words(dimensions.vector()) + " or a formula of t";
  }
  std::unique_ptr<PatternBase> clone() const override {
    return std::make_unique<GravityPattern>(dimensions);
  }

private:
  Dimensions dimensions;
};

const std::string gravity_entry = "Boundary conditions/Gravity";

} // namespace

std::unique_ptr<dealii::Patterns::PatternBase> pattern_of_gravity(Dimensions dimensions) {
  return std::make_unique<GravityPattern>(dimensions);
}

template <int dim>
GravityInput<dim> read_gravity(const CaseInput &input) {
  GravityInput<dim> gravity;
  const auto items = split_components(input.parameters.get(gravity_entry));
  for (unsigned int d = 0; d < dim; ++d)
    try {
      if (const auto number = to_number<double>(items.at(d))) {
        gravity.constant[d] = *number;
        continue;
      }
      const Expression formula(items.at(d), input.words);
      if (formula.depends_on_position())
        throw InputError("gravity is the same everywhere: it may depend on t only");
      gravity.changing[d] = formula;
    } catch (const InputError &error) {
      input.report(gravity_entry, error.what());
      break;
    }
  return gravity;
}

namespace {

/// Name of the entry of one degree of freedom of a body, its meaning and its unit.
struct ForceEntry {
  std::string name, description;
};
std::vector<ForceEntry> force_entries(unsigned int dim) {
  std::vector<ForceEntry> entries;
  for (const auto &x : components(dim))
    entries.push_back({"Force " + x, "Force in the direction " + x +
                                         " on the centre of mass, at the time t [M L/T^2]"});
  if (dim == 2)
    entries.push_back({"Moment", "Moment, counter-clockwise, at the time t [M L^2/T^2]"});
  else
    for (const auto &x : components(dim))
      entries.push_back(
          {"Moment " + x, "Moment about the body's axis that is initially parallel to " + x +
                              ", at the time t [M L^2/T^2]"});
  return entries;
}

} // namespace

void declare_rigid_forces(ParameterDeclarations &declarations, Dimensions dimensions) {
  std::vector<ForceEntry> entries = force_entries(dimensions.plane ? 2 : 3);
  if (dimensions.plane && dimensions.space)
    for (const ForceEntry &entry : force_entries(3))
      if (entry.name != "Force x" && entry.name != "Force y")
        entries.push_back(entry);
  for (const ForceEntry &entry : entries)
    declarations.declare(entry.name, "", formula_of("t"), entry.description + ". Default: zero.");
}

template <int dim>
void read_rigid_forces(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const auto entries = force_entries(dim);
  for (const auto &[name, copies] : rigid.sections)
    for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d) {
      const std::string path = rigid_section + "/" + name + "/" + entries[d].name;
      const auto formula = input.formula(path);
      if (formula == nullptr)
        continue;
      if (formula->depends_on_position()) {
        input.report(path, "this acts on the body as a whole: the formula may depend on t only");
        continue;
      }
      input.check_finite<dim>(path, *formula, {dealii::Point<dim>()}, first_and_last_time(c));
      for (const unsigned int body : copies)
        c.bodies->add_force(body, d, *formula);
    }
}

template GravityInput<2> read_gravity<2>(const CaseInput &);
template GravityInput<3> read_gravity<3>(const CaseInput &);
template void read_rigid_forces<2>(const CaseInput &, const RigidInput<2> &, Case<2> &);
template void read_rigid_forces<3>(const CaseInput &, const RigidInput<3> &, Case<3> &);

} // namespace percussion
