#include <percussion/body/cell_stress.h>
#include <percussion/material/hyperelastic.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

template <int dim>
std::vector<unsigned int> all_cells(const Space<dim> &space) {
  std::vector<unsigned int> cells(space.n_cells());
  std::iota(cells.begin(), cells.end(), 0u);
  return cells;
}

/// Returns the volume of a triangle or tetrahedron, times dim!.
template <int dim>
double simplex_volume(const Space<dim> &space, unsigned int cell) {
  const auto corners = space.nodes_of(cell);
  dealii::Tensor<2, dim> edges;
  for (unsigned int i = 0; i < dim; ++i)
    edges[i] = space.nodes[corners[i + 1]] - space.nodes[corners[0]];
  return std::abs(determinant(edges));
}

} // namespace

template <int dim>
CellStress<dim>::CellStress(const ElasticBody<dim> &body)
    : CellStress(body, all_cells(body.space),
                 Partition::undivided(body.space.first_dof + body.n_dofs(), dim)) {}

template <int dim>
CellStress<dim>::CellStress(const ElasticBody<dim> &body, const std::vector<unsigned int> &cells,
                            const Partition &partition)
    : space(body.space), is_axisymmetric(body.materials.are_axisymmetric()),
      gradients(space, space.stiffness_quadrature) {
  const Materials<dim> &materials = body.materials;
  law_locations.reserve(cells.size());
  for (const unsigned int cell : cells)
    law_locations.push_back({true, materials.number(cell), cell, materials.number(cell)});
  for (unsigned int number = 0; number < materials.list.size(); ++number) {
    laws.push_back(materials.list[number].elastic);
    have_macro_cells.push_back(materials.list[number].element == ElementKind::macro_cells);
    if (!materials.list[number].finite_strain)
      continue;
    const auto law = static_cast<unsigned int>(finite_strain.size());
    finite_strain.emplace_back(body, number, partition);
    outputs.push_back(history_outputs(materials.list[number].finite_strain->law()));
    for (unsigned int cell = 0; cell < finite_strain[law].n_cells(); ++cell) {
      const unsigned int index = finite_strain[law].index_in_mesh(cell);
      if (const auto found = std::lower_bound(cells.begin(), cells.end(), index);
          found != cells.end() && *found == index)
        law_locations[static_cast<std::size_t>(found - cells.begin())] = {false, law, cell, number};
    }
  }
  if (dim == 2 && !is_axisymmetric)
    for (const unsigned int cell : cells)
      stored_gradients.push_back(gradients.mean(cell));
}

template <int dim>
const std::vector<double> &
CellStress<dim>::material_history(const Place &place,
                                  const std::vector<std::vector<double>> &history) {
  static const std::vector<double> virgin;
  return history.empty() ? virgin : history[place.material];
}

template <int dim>
double CellStress<dim>::history_output(unsigned int cell,
                                       const std::vector<std::vector<double>> &history,
                                       const std::string &name) const {
  const Place &place = law_locations[cell];
  if (!place.is_linear)
    for (const HistoryOutput &output : outputs[place.law])
      if (output.name == name)
        return finite_strain[place.law].mean_history(place.cell, material_history(place, history),
                                                     output.index);
  return 0.;
}

template <int dim>
FibreDirections CellStress<dim>::deformed_fibres(unsigned int cell, const Vector &q) const {
  const Place &place = law_locations[cell];
  return place.is_linear ? FibreDirections()
                         : finite_strain[place.law].deformed_fibres(place.cell, q);
}

template <int dim>
dealii::SymmetricTensor<2, 3>
CellStress<dim>::operator()(unsigned int cell, const Vector &q,
                            const std::vector<std::vector<double>> &history) const {
  const Place &law_location = law_locations[cell];
  if (!law_location.is_linear)
    return finite_strain[law_location.law].cauchy_stress(law_location.cell, q,
                                                         material_history(law_location, history));
  return linear_stress(cell, law_location, q);
}

/// Returns the stress of a linear cell.
template <int dim>
dealii::SymmetricTensor<2, 3> CellStress<dim>::linear_stress(unsigned int cell, const Place &place,
                                                             const Vector &q) const {
  const LinearElastic<dim> &law = laws[place.law];
  dealii::SymmetricTensor<2, 3> stress;
  double dilatation = 0;
  if (is_axisymmetric) {
    const auto epsilon = strain(gradients.mean_of_revolution(place.cell), place.cell, q);
    stress = law.stress(epsilon);
    dilatation = trace(epsilon);
  } else {
    const auto epsilon = dim == 2 ? strain(stored_gradients[cell], place.cell, q)
                                  : strain(gradients.mean(place.cell), place.cell, q);
    stress = law.full_stress(epsilon);
    dilatation = trace(epsilon);
  }
  if (have_macro_cells[place.law])
    for (unsigned int i = 0; i < 3; ++i)
      stress[i][i] += law.bulk_modulus() * (macro_dilatation(place.cell, q) - dilatation);
  return stress;
}

template <int dim>
dealii::SymmetricTensor<2, dim> CellStress<dim>::strain(const Gradients &mean_gradients,
                                                        unsigned int cell, const Vector &q) const {
  dealii::Tensor<2, dim> gradient;
  for (unsigned int v = 0; v < space.nodes_per_cell(); ++v) {
    const auto &dofs = space.node_dofs[space.nodes_of(cell)[v]];
    for (unsigned int i = 0; i < dim; ++i)
      gradient[i] += q[dofs[i]] * mean_gradients[v];
  }
  return symmetrize(gradient);
}

template <int dim>
dealii::SymmetricTensor<2, 3> CellStress<dim>::strain(const Revolved &means, unsigned int cell,
                                                      const Vector &q) const {
  double hoop = 0;
  for (unsigned int v = 0; v < space.nodes_per_cell(); ++v)
    hoop += q[space.node_dofs[space.nodes_of(cell)[v]][0]] * means.hoops[v];
  return full_tensor<dim>(strain(means.gradients, cell, q), hoop);
}

template <int dim>
double CellStress<dim>::macro_dilatation(unsigned int cell, const Vector &q) const {
  constexpr unsigned int n = cells_per_macro_cell<dim>;
  const unsigned int first = cell - cell % n;
  double change = 0, volume = 0;
  for (unsigned int c = first; c < first + n; ++c) {
    if (is_axisymmetric) {
      const Revolved means = gradients.mean_of_revolution(c);
      change += means.volume * trace(strain(means, c, q));
      volume += means.volume;
      continue;
    }
    const double v = simplex_volume(space, c);
    change += v * trace(strain(gradients.mean(c), c, q));
    volume += v;
  }
  return change / volume;
}

template class CellStress<2>;
template class CellStress<3>;

} // namespace percussion
