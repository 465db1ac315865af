#include <percussion/body/strain_cells.h>

#include "cell_point.h"
#include <algorithm>
#include <cmath>

namespace percussion {

using dealii::Tensor;

template <int dim>
StrainCells<dim>::StrainCells(const ElasticBody<dim> &body, unsigned int number, const Partition &p)
    : partition(p), nodes_per_cell(body.space.element.n_dofs_per_cell() / dim),
      points_per_cell(body.space.stiffness_quadrature.size()),
      cells_per_group(body.materials.list[number].element == ElementKind::macro_cells
                          ? cells_per_macro_cell<dim>
                          : 1),
      blocks_per_group(std::max(1u, cells_per_group / n_lanes)) {
  const Space<dim> &space = body.space;
  const auto law = small_strain_limit<dim>(body.materials.list[number].finite_strain->law);
  dealii::FEValues<dim> values(*space.mapping, space.element, space.stiffness_quadrature,
                               cell_point_flags);
  std::vector<std::vector<unsigned int>> blocks_of_process(partition.n_processes());
  std::vector<double> row_sum(space.n_dofs(), 0.);
  for (const auto &mesh_cell : space.dofs.active_cell_iterators()) {
    if (body.materials.number(mesh_cell->active_cell_index()) != number)
      continue;
    values.reinit(mesh_cell);
    Cell cell{};
    cell.index_in_mesh = mesh_cell->active_cell_index();
    for (const unsigned int v : mesh_cell->vertex_indices())
      for (unsigned int d = 0; d < dim; ++d)
        cell.dofs[dim * v + d] = space.node_dofs[mesh_cell->vertex_index(v)][d];
    for (unsigned int i = 0; i < dofs_per_cell(); ++i)
      cell.index_in_group[i] = static_cast<unsigned char>(i);
    add_cell(values, cell, body.materials.list[number]);
    measure_stiffness(law, static_cast<unsigned int>(cells.size()) - 1, space.first_dof, row_sum);
    if (cells.size() % (n_lanes * blocks_per_group) == 0)
      finish_blocks(blocks_of_process);
  }
  if (cells.size() % (n_lanes * blocks_per_group) != 0)
    finish_blocks(blocks_of_process);
  shared_blocks = SharedItems(partition, blocks_of_process);
  double square = 0;
  for (const double sum : row_sum)
    square += sum * sum;
  norm_of_stiffness = std::sqrt(square);
  if (const double density = body.materials.list[number].density; density > 0.)
    square_of_rate /= density; // a quasi-static case needs neither
}

template <int dim>
void StrainCells<dim>::add_cell(const dealii::FEValues<dim> &values, const Cell &cell,
                                const Material<dim> &material) {
  const auto number = static_cast<unsigned int>(cells.size());
  const unsigned int lane = number % n_lanes;
  if (lane == 0)
    points.resize(points.size() + points_per_cell, Points{});
  if (material.is_axisymmetric)
    hoops.resize(points.size(), Hoops{});
  for (unsigned int q = 0; q < points_per_cell; ++q) {
    Points &point = points[first_point(number) + q];
    point.weight[lane] = point_volume(values, material, q);
    for (unsigned int a = 1; a < nodes_per_cell; ++a)
      for (unsigned int d = 0; d < dim; ++d)
        point.slopes[a - 1][d][lane] =
            values.shape_grad(values.get_fe().component_to_system_index(0, a), q)[d];
    if (material.is_axisymmetric)
      add_hoops(values, first_point(number) + q, q, lane);
  }
  cells.push_back(cell);
}

template <int dim>
void StrainCells<dim>::add_hoops(const dealii::FEValues<dim> &values, std::size_t point,
                                 unsigned int q, unsigned int lane) {
  const double radius = values.quadrature_point(q)[0];
  hoops[point].inverse_radius[lane] = 1. / radius;
  for (unsigned int a = 1; a < nodes_per_cell; ++a)
    hoops[point].shapes[a - 1][lane] =
        values.shape_value(values.get_fe().component_to_system_index(0, a), q) / radius;
}

/// Adds the row sums of K of a cell with the moduli of small strain, as if all its terms had one
/// sign.
template <int dim>
void StrainCells<dim>::measure_stiffness(const LinearElastic<dim> &elastic, unsigned int cell,
                                         unsigned int first_dof, std::vector<double> &row_sum) {
  for (unsigned int q = 0; q < points_per_cell; ++q) {
    const Points &point = points[first_point(cell) + q];
    const auto shape_gradient = shape_gradients(point, cell % n_lanes);
    const auto hoop = hoop_shapes(first_point(cell) + q, cell % n_lanes);
    std::array<double, max_nodes> sizes; // of the gradients with the hoop strain
    double slopes = 0;
    for (unsigned int a = 0; a < max_nodes; ++a)
      slopes += sizes[a] = std::hypot(shape_gradient[a].norm(), hoop[a]);
    square_of_rate = std::max(square_of_rate, (elastic.lambda + 2. * elastic.mu) * slopes * slopes /
                                                  nodes_per_cell);
    for (unsigned int i = 0; i < dofs_per_cell(); ++i)
      row_sum[cells[cell].dofs[i] - first_dof] += point.weight[cell % n_lanes] *
                                                  (elastic.lambda + 2. * elastic.mu) * slopes *
                                                  sizes[i / dim];
  }
}

/// Pads the last block with cells without weight. Drops the last block, or the blocks of the last
/// macro-cell, if they do not act on the range of this process. The process of their first node
/// computes their energy.
template <int dim>
void StrainCells<dim>::finish_blocks(std::vector<std::vector<unsigned int>> &blocks_of_process) {
  const std::size_t size = std::size_t(n_lanes) * blocks_per_group,
                    first = (cells.size() - 1) / size * size;
  const auto acts_here = [&](const Cell &cell) {
    return std::any_of(cell.dofs.begin(), cell.dofs.begin() + dofs_per_cell(),
                       [&](unsigned int dof) { return partition.owns(dof); });
  };
  const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(first);
  const bool is_kept = std::any_of(begin, cells.end(), acts_here);
  for (unsigned int block = 0; block < blocks_per_group; ++block) {
    const unsigned int number = n_blocks_of_all++;
    blocks_of_process[partition.owner(begin->dofs[0])].push_back(number);
    if (is_kept)
      block_numbers.push_back(number);
  }
  if (is_kept) {
    number_of_cells += static_cast<unsigned int>(cells.size() - first);
    cells.resize(first + size);
    if (cells_per_group > 1)
      collect_dofs_of_group();
  } else {
    cells.resize(first);
    points.resize(points.size() - std::size_t(points_per_cell) * blocks_per_group);
    hoops.resize(std::min(hoops.size(), points.size()));
  }
}

/// Collects the degrees of freedom of the cells of the last macro-cell, each once.
template <int dim>
void StrainCells<dim>::collect_dofs_of_group() {
  const auto first = static_cast<std::ptrdiff_t>(macro_dofs.size());
  for (std::size_t c = cells.size() - cells_per_group; c < cells.size(); ++c)
    for (unsigned int i = 0; i < dofs_per_cell(); ++i) {
      const auto found = std::find(macro_dofs.begin() + first, macro_dofs.end(), cells[c].dofs[i]);
      cells[c].index_in_group[i] = static_cast<unsigned char>(found - macro_dofs.begin() - first);
      if (found == macro_dofs.end())
        macro_dofs.push_back(cells[c].dofs[i]);
    }
}

template <int dim>
std::array<Tensor<1, dim>, StrainCells<dim>::max_nodes>
StrainCells<dim>::shape_gradients(const Points &points, unsigned int lane) {
  std::array<Tensor<1, dim>, max_nodes> gradients;
  for (unsigned int a = 1; a < max_nodes; ++a) {
    for (unsigned int d = 0; d < dim; ++d)
      gradients[a][d] = points.slopes[a - 1][d][lane];
    gradients[0] -= gradients[a];
  }
  return gradients;
}

template <int dim>
std::array<double, StrainCells<dim>::max_nodes>
StrainCells<dim>::hoop_shapes(std::size_t point, unsigned int lane) const {
  std::array<double, max_nodes> shapes{};
  if (hoops.empty())
    return shapes;
  shapes[0] = hoops[point].inverse_radius[lane];
  for (unsigned int a = 1; a < max_nodes; ++a)
    shapes[0] -= shapes[a] = hoops[point].shapes[a - 1][lane];
  return shapes;
}

template class StrainCells<2>;
template class StrainCells<3>;

} // namespace percussion
