#include "fibre_field.h"

#include <percussion/base/checksum.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/format.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/elastic_body.h>

#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// True for a text that may be the name of an array in formulas.
bool is_name(const std::string &text) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), is_letter);
}

/// Formulas of the components of a direction in a mesh.
template <int dim>
struct DirectionFormula {
  std::vector<Expression> components;
  std::vector<const std::vector<double> *> arrays; ///< values of the variables after the position
  mutable std::vector<double> values;              ///< values of all variables

  /// Returns the direction in a cell of this active index at a point, of any length.
  FibreDirection operator()(unsigned int cell, const dealii::Point<dim> &x) const {
    for (unsigned int d = 0; d < dim; ++d)
      values[d] = x[d];
    for (std::size_t i = 0; i < arrays.size(); ++i)
      values[dim + i] = (*arrays[i])[cell];
    FibreDirection direction;
    for (unsigned int d = 0; d < 3; ++d)
      direction[d] = components[d](values);
    return direction;
  }
};

/// Returns the formulas of a direction: its three items, or the components of the array that it
/// names, which may lack z.
template <int dim>
std::vector<std::string> formulas_of(const std::string &text, const Mesh<dim> &mesh) {
  const auto items = items_between_commas(text);
  if (items.size() == 3)
    return items;
  std::vector<std::string> formulas;
  for (const char *const ending : {".x", ".y", ".z"})
    formulas.push_back(mesh.arrays.count(text + ending) > 0 ? text + ending : "0");
  if (formulas[1] != "0")
    return formulas;
  std::vector<std::string> vectors;
  for (const auto &[name, values] : mesh.arrays)
    if (name.size() > 2 && name.substr(name.size() - 2) == ".y")
      vectors.push_back(name.substr(0, name.size() - 2));
  throw InputError("'" + mesh.file + "' has no array of vectors of its cells of this name" +
                   did_you_mean(text, vectors) + "; its arrays of vectors: " + listed(vectors));
}

/// Throws InputError for text that is no formula.
template <int dim>
std::shared_ptr<DirectionFormula<dim>>
make_formula(const CaseInput &section, const std::string &text, const Mesh<dim> &mesh) {
  auto words = std::make_shared<FormulaWords>();
  if (section.words)
    *words = *section.words;
  words->signals.clear(); // the undeformed body does not change
  words->variables = components(dim);
  auto formula = std::make_shared<DirectionFormula<dim>>();
  for (const auto &[name, values] : mesh.arrays) {
    words->variables.push_back(name);
    formula->arrays.push_back(&values);
  }
  for (const std::string &item : formulas_of(text, mesh))
    formula->components.emplace_back(item, words);
  formula->values.resize(words->variables.size());
  if (section.words)
    section.words->tables.insert(words->tables.begin(), words->tables.end());
  return formula;
}

/// Range of the angle between the lines of two directions [degrees].
struct AngleRange {
  double smallest = 90., largest = 0.;

  void include(const FibreDirections &fibres) {
    const double cosine = std::min(std::abs(fibres[0] * fibres[1]), 1.),
                 angle = std::acos(cosine) * 180. / dealii::numbers::PI;
    smallest = std::min(smallest, angle);
    largest = std::max(largest, angle);
  }
  std::string in_words() const {
    const std::string smallest_text = format("%.1f", smallest),
                      largest_text = format("%.1f", largest);
    return "fibres " + smallest_text +
           (smallest_text == largest_text ? "" : " to " + largest_text) +
           " degrees from the other family";
  }
};

} // namespace

Described direction_pattern(const Dimensions &dimensions) {
  return Described(
      "3 values separated by ',', each a number or a formula of " + dimensions.position() +
          " and names of arrays; or the name of an array of vectors",
      [](const std::string &text) {
        const auto items = items_between_commas(text);
        return items.size() == 3 ? std::none_of(items.begin(), items.end(),
                                                [](auto &item) { return item.empty(); })
                                 : is_name(text);
      });
}

std::optional<FibreDirection> constant_direction(const std::string &text) {
  const auto items = items_between_commas(text);
  FibreDirection direction;
  for (unsigned int d = 0; d < 3; ++d)
    if (const auto number =
            items.size() == 3 ? to_number<double>(items[d]) : std::optional<double>())
      direction[d] = *number;
    else
      return {};
  return direction;
}

template <int dim>
void FibreReader<dim>::report(const FibreEntry &entry, const std::string &reason) {
  if (reported.insert(entry.section.path + entry.name).second)
    entry.section.report(entry.name, reason);
}

template <int dim>
void FibreReader<dim>::note_array(const Mesh<dim> &mesh, const std::string &name) {
  const std::string entry = table_prefix + "of cells " + mesh.name() + ':' + name;
  const auto is_entry = [&](const auto &parameter) { return parameter.first == entry; };
  if (std::any_of(c.parameters.begin(), c.parameters.end(), is_entry))
    return;
  const std::vector<double> &values = mesh.arrays.at(name);
  const std::string_view bytes(reinterpret_cast<const char *>(values.data()),
                               values.size() * sizeof(double));
  c.parameters.emplace_back(entry, std::to_string(values.size()) + " rows, checksum " +
                                       std::to_string(crc64(bytes)));
}

template <int dim>
FibreField<dim> FibreReader<dim>::read(const FibreEntries &entries, const Mesh<dim> &mesh) {
  std::array<std::shared_ptr<DirectionFormula<dim>>, 2> formulas;
  for (unsigned int i = 0; i < 2; ++i) {
    const FibreEntry &entry = entries.at(i);
    try {
      formulas[i] = make_formula(entry.section, entry.section.get(entry.name), mesh);
    } catch (const InputError &error) {
      report(entry, error.what());
      return {};
    }
    for (const auto &array : mesh.arrays)
      for (const Expression &component : formulas[i]->components)
        if (component.depends_on(array.first))
          note_array(mesh, array.first);
  }
  return [formulas](unsigned int cell, const dealii::Point<dim> &x) {
    FibreDirections fibres = {(*formulas[0])(cell, x), (*formulas[1])(cell, x)};
    const NoFloatingPointTraps no_traps; // check() reports what has no length
    for (FibreDirection &fibre : fibres)
      fibre /= fibre.norm();
    return fibres;
  };
}

template <int dim>
std::string FibreReader<dim>::check(const FibreEntries &entries, const ElasticBody<dim> &body,
                                    unsigned int material) {
  const FibreField<dim> &field = body.materials.list[material].fibre_field;
  const Space<dim> &space = body.space;
  dealii::FEValues<dim> values(*space.mapping, space.element, space.stiffness_quadrature,
                               dealii::update_quadrature_points);
  constexpr double round_off = 1e-9; // of a unit vector
  AngleRange angle;
  for (const auto &cell : space.dofs.active_cell_iterators()) {
    if (!field || body.materials.number(cell->active_cell_index()) != material)
      continue;
    values.reinit(cell);
    for (const auto &x : values.get_quadrature_points()) {
      const FibreDirections fibres = field(cell->active_cell_index(), x);
      for (unsigned int i = 0; i < 2; ++i)
        if (!(std::abs(fibres[i].norm() - 1.) < round_off)) {
          report(entries[i], "the direction is zero or not finite at position " +
                                 bracketed_point(x) +
                                 "; allowed are three finite numbers that are not all zero");
          return {};
        }
      angle.include(fibres);
    }
  }
  return angle.in_words();
}

template class FibreReader<2>;
template class FibreReader<3>;

} // namespace percussion
