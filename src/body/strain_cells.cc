#include <percussion/body/strain_cells.h>
#include <percussion/material/hyperelastic.h>

#include "cell_point.h"
#include <algorithm>
#include <cmath>

namespace percussion {

using dealii::Tensor;

template <int dim>
StrainCells<dim>::StrainCells(const ElasticBody<dim> &body, unsigned int number, const Partition &p)
    : partition(p), nodes_per_cell(body.space.nodes_per_cell()),
      points_per_cell(body.space.stiffness_quadrature.size()),
      cells_per_group(body.materials.list[number].element == ElementKind::macro_cells
                          ? cells_per_macro_cell<dim>
                          : 1),
      blocks_per_group(std::max(1u, cells_per_group / n_lanes)) {
  const Space<dim> &space = body.space;
  const auto law = small_strain_limit<dim>(body.materials.list[number].finite_strain->law());
  dealii::FEValues<dim> values(*space.mapping, space.element, space.stiffness_quadrature,
                               cell_point_flags);
  std::vector<std::vector<unsigned int>> blocks_of_process(partition.n_processes());
  std::vector<double> row_sum(space.n_dofs(), 0.);
  for (const auto &mesh_cell : space.dofs.active_cell_iterators()) {
    if (body.materials.number(mesh_cell->active_cell_index()) != number)
      continue;
    values.reinit(mesh_cell);
    add_cell(space, values, body.materials.list[number]);
    measure_stiffness(law, static_cast<unsigned int>(cells.mesh_indices.size()) - 1,
                      space.first_dof, row_sum);
    if (cells.mesh_indices.size() % (n_lanes * blocks_per_group) == 0)
      finish_blocks(blocks_of_process);
  }
  if (cells.mesh_indices.size() % (n_lanes * blocks_per_group) != 0)
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
void StrainCells<dim>::add_cell(const Space<dim> &space, const dealii::FEValues<dim> &values,
                                const Material<dim> &material) {
  const auto number = static_cast<unsigned int>(cells.mesh_indices.size());
  if (number % n_lanes == 0) {
    points.resize(points.size() + points_per_cell, Points{});
    slopes.resize(points.size() * (nodes_per_cell - 1), Slope{});
  }
  if (material.is_axisymmetric)
    hoops.resize(points.size(), Hoops{});
  cells.mesh_indices.push_back(values.get_cell()->active_cell_index());
  const unsigned int *const nodes = space.nodes_of(cells.mesh_indices.back());
  for (unsigned int k = 0; k < nodes_per_cell; ++k)
    for (unsigned int d = 0; d < dim; ++d) {
      cells.dofs.push_back(space.node_dofs[nodes[k]][d]);
      cells.indices_in_group.push_back(static_cast<unsigned char>(dim * k + d));
    }
  for (unsigned int q = 0; q < points_per_cell; ++q)
    add_point(space, values, material, first_point(number) + q, q);
}

template <int dim>
void StrainCells<dim>::add_point(const Space<dim> &space, const dealii::FEValues<dim> &values,
                                 const Material<dim> &material, std::size_t point, unsigned int q) {
  const auto last_cell = static_cast<unsigned int>(cells.mesh_indices.size()) - 1;
  const unsigned int lane = last_cell % n_lanes;
  points[point].weight[lane] = point_volume(values, material, q);
  std::vector<Tensor<1, dim>> gradients;
  std::vector<double> shapes;
  for (unsigned int a = 0; a < nodes_per_cell; ++a) {
    const unsigned int i = space.element.component_to_system_index(0, a);
    gradients.push_back(values.shape_grad(i, q));
    shapes.push_back(values.shape_value(i, q));
  }
  space.join_linear_middles(cells.mesh_indices[last_cell], gradients);
  for (unsigned int a = 1; a < nodes_per_cell; ++a)
    for (unsigned int d = 0; d < dim; ++d)
      slopes[point * (nodes_per_cell - 1) + a - 1].component[d][lane] = gradients[a][d];
  if (!material.is_axisymmetric)
    return;
  space.join_linear_middles(cells.mesh_indices[last_cell], shapes);
  add_hoops(shapes, values.quadrature_point(q)[0], point, lane);
}

template <int dim>
void StrainCells<dim>::add_hoops(const std::vector<double> &shapes, double radius,
                                 std::size_t point, unsigned int lane) {
  hoops[point].inverse_radius[lane] = 1. / radius;
  for (unsigned int a = 1; a < nodes_per_cell; ++a)
    hoops[point].shapes[a - 1][lane] = shapes[a] / radius;
}

/// Adds the row sums of K of a cell with the moduli of small strain, as if all its terms had one
/// sign.
template <int dim>
void StrainCells<dim>::measure_stiffness(const LinearElastic<dim> &elastic, unsigned int cell,
                                         unsigned int first_dof, std::vector<double> &row_sum) {
  for (unsigned int q = 0; q < points_per_cell; ++q) {
    const std::size_t point = first_point(cell) + q;
    const auto shape_gradient = shape_gradients(point, cell % n_lanes);
    const auto hoop = hoop_shapes(point, cell % n_lanes);
    std::array<double, max_nodes> sizes; // of the gradients with the hoop strain
    double total = 0;
    for (unsigned int a = 0; a < nodes_per_cell; ++a)
      total += sizes[a] = std::hypot(shape_gradient[a].norm(), hoop[a]);
    const double modulus = elastic.lambda + 2. * elastic.mu;
    square_of_rate = std::max(square_of_rate, modulus * total * total / nodes_per_cell);
    for (unsigned int i = 0; i < dofs_per_cell(); ++i)
      row_sum[dofs(cell)[i] - first_dof] +=
          points[point].weight[cell % n_lanes] * modulus * total * sizes[i / dim];
  }
}

/// Pads the last block with cells without weight. Drops the last block, or the blocks of the last
/// macro-cell, if they do not act on the range of this process. The process of their first node
/// computes their energy.
template <int dim>
void StrainCells<dim>::finish_blocks(std::vector<std::vector<unsigned int>> &blocks_of_process) {
  const std::size_t size = std::size_t(n_lanes) * blocks_per_group,
                    first = (cells.mesh_indices.size() - 1) / size * size;
  const auto begin = cells.dofs.begin() + static_cast<std::ptrdiff_t>(first * dofs_per_cell());
  const bool is_kept =
      std::any_of(begin, cells.dofs.end(), [&](unsigned int dof) { return partition.owns(dof); });
  for (unsigned int block = 0; block < blocks_per_group; ++block) {
    const unsigned int number = n_blocks_of_all++;
    blocks_of_process[partition.owner(*begin)].push_back(number);
    if (is_kept)
      block_numbers.push_back(number);
  }
  if (is_kept)
    number_of_cells += static_cast<unsigned int>(cells.mesh_indices.size() - first);
  const std::size_t n_cells = is_kept ? first + size : first;
  cells.mesh_indices.resize(n_cells);
  cells.dofs.resize(n_cells * dofs_per_cell());
  cells.indices_in_group.resize(n_cells * dofs_per_cell());
  if (is_kept && cells_per_group > 1)
    collect_dofs_of_group();
  if (is_kept)
    return;
  points.resize(points.size() - std::size_t(points_per_cell) * blocks_per_group);
  slopes.resize(points.size() * (nodes_per_cell - 1));
  hoops.resize(std::min(hoops.size(), points.size()));
}

/// Collects the degrees of freedom of the cells of the last macro-cell, each once.
template <int dim>
void StrainCells<dim>::collect_dofs_of_group() {
  const auto first = static_cast<std::ptrdiff_t>(cells.macro_dofs.size());
  for (std::size_t i = (cells.mesh_indices.size() - cells_per_group) * dofs_per_cell();
       i < cells.dofs.size(); ++i) {
    const auto found =
        std::find(cells.macro_dofs.begin() + first, cells.macro_dofs.end(), cells.dofs[i]);
    cells.indices_in_group[i] =
        static_cast<unsigned char>(found - cells.macro_dofs.begin() - first);
    if (found == cells.macro_dofs.end())
      cells.macro_dofs.push_back(cells.dofs[i]);
  }
}

template <int dim>
std::array<Tensor<1, dim>, StrainCells<dim>::max_nodes>
StrainCells<dim>::shape_gradients(std::size_t point, unsigned int lane) const {
  std::array<Tensor<1, dim>, max_nodes> gradients;
  for (unsigned int a = 1; a < nodes_per_cell; ++a) {
    for (unsigned int d = 0; d < dim; ++d)
      gradients[a][d] = slopes[point * (nodes_per_cell - 1) + a - 1][d][lane];
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
  for (unsigned int a = 1; a < nodes_per_cell; ++a)
    shapes[0] -= shapes[a] = hoops[point].shapes[a - 1][lane];
  return shapes;
}

template class StrainCells<2>;
template class StrainCells<3>;

} // namespace percussion
