#include <percussion/algebra/contact_system.h>
#include <percussion/balance/balance_size.h>
#include <percussion/balance/time_rule.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

template <int dim>
bool has_linear_balance(const System<dim> &system) {
  return system.links.empty() &&
         std::all_of(system.elastic.begin(), system.elastic.end(),
                     [](const auto &body) { return body->materials.are_linear(); });
}

namespace {

/// Returns the largest K_ii/M_ii of the hyperelastic cells at rest [1 / time²]: about four times
/// the square of the rate of waves through a cell.
template <int dim>
double square_of_hyperelastic_rate(const System<dim> &system) {
  double largest = 0;
  for (const auto &body : system.elastic) {
    unsigned int index = 0;
    for (const auto &cell : body->space.mesh.triangulation.active_cell_iterators()) {
      const Material<dim> &material = body->materials.material(index++);
      const double size = cell->minimum_vertex_distance();
      if (material.finite_strain && material.density > 0.)
        largest = std::max(largest, 4. * (material.elastic.lambda + 2. * material.elastic.mu) /
                                        (material.density * size * size));
    }
  }
  return largest;
}

/// Returns the Courant number √(h² max K_ii/M_ii) of the stiffness in Â; infinite without inertia.
template <int dim>
double courant_number(const System<dim> &system, const BalanceChoices &choices) {
  if (!choices.has_inertia)
    return std::numeric_limits<double>::infinity();
  const TimeRule rule = time_rule(choices);
  const double factor = choices.h * choices.h * rule.percussion_factor * rule.internal;
  double square = factor * square_of_hyperelastic_rate(system);
  const Partition &partition = system.operators.partition;
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    if (const double mass = system.operators.mass(i, i); mass > 0.)
      square = std::max(square, factor * system.operators.stiffness(i, i) / mass);
  return std::sqrt(partition.largest(square));
}

} // namespace

template <int dim>
BalanceSize balance_size(const System<dim> &system, const BalanceChoices &choices) {
  return {static_cast<double>(system.n_elastic_dofs()),
          static_cast<double>(system.operators.n_stiffness_entries),
          courant_number(system, choices)};
}

template <int dim>
bool excludes_factor(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic) {
  constexpr double entries_of_row = dim == 2 ? 18 : 81;
  double n_entries = 0;
  for (const auto &body : elastic)
    n_entries += entries_of_row * body->n_dofs();
  return ContactSystem::is_too_large(n_entries);
}

template bool excludes_factor(const std::vector<std::unique_ptr<ElasticBody<2>>> &);
template bool excludes_factor(const std::vector<std::unique_ptr<ElasticBody<3>>> &);
template bool has_linear_balance(const System<2> &);
template bool has_linear_balance(const System<3> &);
template BalanceSize balance_size(const System<2> &, const BalanceChoices &);
template BalanceSize balance_size(const System<3> &, const BalanceChoices &);

} // namespace percussion
