#include <percussion/base/instantiate.h>
#include <percussion/body/incompatible_modes.h>
#include <percussion/body/mean_dilatation.h>
#include <percussion/body/system_operators.h>

#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/full_matrix.h>

#include "cell_point.h"
#include "sparsity.h"
#include <algorithm>

namespace percussion {
namespace {

using dealii::FullMatrix;
using Index = dealii::types::global_dof_index;

template <int dim>
using ElasticBodies = std::vector<std::unique_ptr<ElasticBody<dim>>>;

/// Writes the degrees of freedom of a cell, numbered over all bodies, in the order of its shape
/// functions.
template <int dim, typename Cell>
void dofs_of(const Space<dim> &space, const Cell &cell, std::vector<Index> &dofs) {
  for (unsigned int i = 0; i < dofs.size(); ++i)
    dofs[i] = space.dof_of_cell(cell->active_cell_index(), i);
}

/// Entries of a matrix, to which cells add theirs.
class Entries {
public:
  Entries(SparseMatrix &m, const Operators &operators)
      : partition(operators.partition), matrix(m), pattern(*m.pattern()), value(m.values()) {}
  /// True if the entries of a cell contribute to the rows of this process.
  bool needs(const std::vector<Index> &dofs) const {
    return !matrix.has_node_blocks() || std::any_of(dofs.begin(), dofs.end(), [&](Index dof) {
      return partition.owns(static_cast<unsigned int>(dof));
    });
  }
  /// Adds the entries of a cell, for those that this process stores.
  void add(const FullMatrix<double> &cell_matrix, const std::vector<Index> &dofs) {
    if (matrix.has_node_blocks())
      return add_blocks(cell_matrix, dofs);
    for (unsigned int i = 0; i < dofs.size(); ++i)
      for (unsigned int j = 0; j < dofs.size(); ++j)
        if (cell_matrix(i, j) != 0.)
          if (const std::size_t index = pattern.find(dofs[i], dofs[j]); index < value.size())
            value[index] += cell_matrix(i, j);
  }

private:
  /// Adds the entries on and above the diagonal of nodes. A block is searched once for the entries
  /// of its nodes.
  void add_blocks(const FullMatrix<double> &cell_matrix, const std::vector<Index> &dofs) {
    NodeBlocks &blocks = matrix.node_blocks();
    const unsigned int d = blocks.block_size, n = static_cast<unsigned int>(dofs.size());
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j) {
        const auto row = static_cast<unsigned int>(dofs[i]),
                   column = static_cast<unsigned int>(dofs[j]);
        if (row / d > column / d || (blocks.are_scalar && (row % d != 0 || column % d != 0)))
          continue;
        const std::size_t block = blocks.pattern->find(row / d, column / d);
        if (block != NodePattern::none)
          blocks.values[blocks.are_scalar ? block : (block * d + row % d) * d + column % d] +=
              cell_matrix(i, j);
      }
  }

  const Partition &partition;
  SparseMatrix &matrix;
  const SparsityPattern &pattern;
  std::vector<double> &value;
};

/// Adds form(values, material of the cell, i, j) for shape functions i and j to the entries of all
/// cells that satisfy `has_form`.
template <int dim, typename HasForm, typename Form>
void assemble(const ElasticBodies<dim> &elastic, const dealii::Quadrature<dim> Space<dim>::*rule,
              dealii::UpdateFlags flags, const HasForm &has_form, const Form &form,
              const Operators &operators, SparseMatrix &matrix) {
  Entries target(matrix, operators);
  for (const auto &body : elastic) {
    const Space<dim> &space = body->space;
    dealii::FEValues<dim> values(*space.mapping, space.element, space.*rule,
                                 flags | cell_point_flags);
    const unsigned int n = space.element.n_dofs_per_cell();
    FullMatrix<double> cell_matrix(n, n);
    std::vector<Index> dofs(n);
    for (const auto &cell : space.dofs.active_cell_iterators()) {
      const Material<dim> &material = body->materials.material(cell->active_cell_index());
      if (!has_form(material))
        continue;
      values.reinit(cell); // of all cells: the rounding of a cell depends on the cell before it
      dofs_of(space, cell, dofs);
      if (!target.needs(dofs))
        continue;
      cell_matrix = 0;
      form(values, material, cell_matrix);
      space.join_linear_middles(cell->active_cell_index(), cell_matrix);
      target.add(cell_matrix, dofs);
    }
  }
}

/// Adds factor × ∫ N_i N_j for shape functions of the same component.
template <int dim>
void add_products(const dealii::FEValues<dim> &values, const Material<dim> &material, double factor,
                  FullMatrix<double> &cell_matrix) {
  const auto &element = values.get_fe();
  const auto component = [&](unsigned int i) { return element.system_to_component_index(i).first; };
  for (unsigned int i = 0; i < cell_matrix.m(); ++i)
    for (unsigned int j = 0; j < cell_matrix.n(); ++j)
      if (component(i) == component(j))
        for (const unsigned int q : values.quadrature_point_indices())
          cell_matrix(i, j) += values.shape_value(i, q) * values.shape_value(j, q) * factor *
                               point_volume(values, material, q);
}

template <int dim>
void assemble_mass(const ElasticBodies<dim> &elastic, Operators &operators) {
  assemble<dim>(
      elastic, &Space<dim>::mass_quadrature, dealii::update_default,
      [](const auto &) { return true; },
      [](const auto &values, const Material<dim> &material, FullMatrix<double> &cell_matrix) {
        add_products(values, material, material.density, cell_matrix);
      },
      operators, operators.mass);
}

/// Adds the mean dilatation of macro-cells: with the volume V_c and the row d_c of div u of their
/// cells, factor × κ [(Σ V_c d_c)ᵀ (Σ V_c d_c) / V − Σ V_c d_cᵀ d_c], as add_mean_dilatation() of
/// one cell with as many points.
template <int dim, typename FractionOfK>
void add_macro_cells(const ElasticBody<dim> &body, const FractionOfK &fraction_of_K,
                     const Operators &operators, SparseMatrix &matrix) {
  const Space<dim> &space = body.space;
  Entries target(matrix, operators);
  dealii::FEValues<dim> values(*space.mapping, space.element, space.stiffness_quadrature,
                               cell_point_flags);
  std::vector<Index> dofs(space.element.n_dofs_per_cell());
  MacroCell<dim> macro_cell;
  for (const auto &cell : space.dofs.active_cell_iterators()) {
    const unsigned int index = cell->active_cell_index();
    const Material<dim> &material = body.materials.material(index);
    const double factor = fraction_of_K(material);
    if (material.element != ElementKind::macro_cells || material.finite_strain || factor == 0.)
      continue;
    values.reinit(cell);
    dofs_of(space, cell, dofs);
    if (index % cells_per_macro_cell<dim> == 0)
      macro_cell = {};
    macro_cell.add_cell(values, material, dofs);
    if ((index + 1) % cells_per_macro_cell<dim> == 0 && target.needs(macro_cell.dofs()))
      target.add(macro_cell.matrix(factor * material.elastic.bulk_modulus()), macro_cell.dofs());
  }
}

/// Adds ∫ ε(δ) : stress(ε(q)) of a cell, with tensors of strain of this dimension.
template <int space, int dim, typename Stress>
void add_strain_form(const dealii::FEValues<dim> &values, const Material<dim> &material,
                     const Stress &stress_of, FullMatrix<double> &cell_matrix) {
  std::vector<dealii::SymmetricTensor<2, space>> strain(cell_matrix.n());
  for (const unsigned int q : values.quadrature_point_indices()) {
    const double volume = point_volume(values, material, q);
    for (unsigned int j = 0; j < cell_matrix.n(); ++j)
      strain[j] = shape_strain<space>(values, material, j, q);
    for (unsigned int j = 0; j < cell_matrix.n(); ++j) {
      const auto stress = stress_of(strain[j]);
      for (unsigned int i = 0; i < cell_matrix.m(); ++i)
        cell_matrix(i, j) += (strain[i] * stress) * volume;
    }
  }
}

/// Assembles ∫ ε(δ) : (law(material) : ε(q)), for a law that maps a strain to a stress and contains
/// this fraction of K.
template <int dim, typename HasLaw, typename Law, typename FractionOfK>
void assemble_strain_form(const ElasticBodies<dim> &elastic, const HasLaw &has_law, const Law &law,
                          const FractionOfK &fraction_of_K, const Operators &operators,
                          SparseMatrix &matrix) {
  assemble<dim>(
      elastic, &Space<dim>::stiffness_quadrature, dealii::update_jacobians, has_law,
      [&](const auto &values, const Material<dim> &material, FullMatrix<double> &cell_matrix) {
        const auto stress_of = [&](const auto &strain) { return law(material, strain); };
        if (material.is_axisymmetric)
          add_strain_form<3>(values, material, stress_of, cell_matrix);
        else
          add_strain_form<dim>(values, material, stress_of, cell_matrix);
        const double factor = fraction_of_K(material);
        if (factor != 0. && material.element == ElementKind::incompatible_modes)
          add_incompatible_modes<dim>(values, material.elastic, factor * material.thickness,
                                      cell_matrix);
        if (factor != 0. && material.element == ElementKind::mean_dilatation)
          add_mean_dilatation<dim>(values, material, factor, cell_matrix);
      },
      operators, matrix);
  for (const auto &body : elastic)
    if (body->materials.have_macro_cells())
      add_macro_cells(*body, fraction_of_K, operators, matrix);
}

template <int dim>
bool is_viscous(const Material<dim> &material) {
  return !material.finite_strain && material.viscosity.present();
}

/// Assembles the viscosity η + α M + β K, cell by cell.
template <int dim>
void assemble_viscosity(const ElasticBodies<dim> &elastic, Operators &operators) {
  assemble_strain_form<dim>(
      elastic, is_viscous<dim>,
      [](const Material<dim> &material, const auto &rate) {
        const LinearViscosity &v = material.viscosity;
        auto stress = v.eta * rate;
        if (v.beta != 0.)
          stress += v.beta * material.elastic.stress(rate);
        return stress;
      },
      [](const Material<dim> &material) { return material.viscosity.beta; }, operators,
      operators.viscosity);
  assemble<dim>(
      elastic, &Space<dim>::mass_quadrature, dealii::update_default,
      [](const Material<dim> &material) {
        return is_viscous(material) && material.viscosity.alpha != 0.;
      },
      [](const auto &values, const Material<dim> &material, FullMatrix<double> &cell_matrix) {
        add_products(values, material, material.viscosity.alpha * material.density, cell_matrix);
      },
      operators, operators.viscosity);
}

template <int dim>
unsigned int n_elastic_dofs(const ElasticBodies<dim> &elastic) {
  unsigned int n = 0;
  for (const auto &body : elastic)
    n += body->n_dofs();
  return n;
}

/// Returns the number of entries of a matrix in the rows of all processes.
double n_entries(const SparseMatrix &matrix, const Operators &operators) {
  const Partition &partition = operators.partition;
  if (operators.storage == MatrixStorage::rows)
    return static_cast<double>(matrix.values().size());
  double n = 0;
  visit_entries(matrix, partition,
                [&](unsigned int i, unsigned int, double) { n += i < partition.size() ? 1. : 0.; });
  partition.add_up(&n, 1);
  return n + static_cast<double>(matrix.values().size());
}

template <int dim>
void set_inertia(const RigidBody<dim> &body, unsigned int dof, SparseMatrix &mass) {
  if constexpr (dim == 2)
    mass.at(dof, dof) = body.inertia;
  else
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        mass.at(dof + i, dof + j) = body.inertia[i][j];
}

} // namespace

template <int dim>
Operators assemble_operators(const ElasticBodies<dim> &elastic,
                             const std::vector<RigidBody<dim>> &rigid, MatrixStorage storage) {
  Operators operators;
  operators.storage = storage;
  const unsigned int n_elastic = n_elastic_dofs(elastic);
  operators.partition = dim == 3 ? Partition(n_elastic, dim) : Partition::undivided(n_elastic, dim);
  allocate(elastic, rigid, operators.partition, storage, operators.mass, operators.stiffness);
  operators.n_stiffness_entries = n_entries(operators.stiffness, operators);
  assemble_mass(elastic, operators);
  unsigned int dof =
      operators.mass.n_rows() - RigidBody<dim>::n_dofs * static_cast<unsigned int>(rigid.size());
  for (const RigidBody<dim> &body : rigid) {
    for (unsigned int d = 0; d < dim; ++d)
      operators.mass.at(dof + d, dof + d) = body.mass;
    set_inertia(body, dof + dim, operators.mass);
    dof += RigidBody<dim>::n_dofs;
  }
  assemble_strain_form<dim>(
      elastic, [](const Material<dim> &material) { return !material.finite_strain; },
      [](const Material<dim> &material, const auto &strain) {
        return material.elastic.stress(strain);
      },
      [](const Material<dim> &) { return 1.; }, operators, operators.stiffness);
  for (const auto &body : elastic)
    for (const auto &material : body->materials.list) {
      operators.linear = operators.linear || !material.finite_strain;
      operators.viscous = operators.viscous || is_viscous(material);
    }
  if (operators.viscous) {
    NodeBlocks blocks;
    if (storage == MatrixStorage::nodes)
      blocks.allocate(operators.stiffness.node_blocks().pattern, dim, false);
    operators.viscosity = SparseMatrix(operators.stiffness.pattern(), std::move(blocks));
    assemble_viscosity(elastic, operators);
  }
  return operators;
}

PERCUSSION_INSTANTIATE(assemble_operators);

} // namespace percussion
