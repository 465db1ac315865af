#include <percussion/body/operators.h>

#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>

namespace percussion {
namespace {

using dealii::SymmetricTensor;

/// Allocate a matrix that couples all components of neighbouring nodes, or each with itself only.
template <int dim>
void allocate(const Space<dim> &space, bool components_coupled, SparseMatrix &matrix) {
  dealii::Table<2, dealii::DoFTools::Coupling> coupling(dim, dim);
  for (unsigned int i = 0; i < dim; ++i)
    for (unsigned int j = 0; j < dim; ++j)
      coupling(i, j) =
          components_coupled || i == j ? dealii::DoFTools::always : dealii::DoFTools::none;
  dealii::DynamicSparsityPattern pattern(space.n_dofs());
  dealii::DoFTools::make_sparsity_pattern(space.dofs, coupling, pattern);
  const auto all = dealii::complete_index_set(space.n_dofs());
  matrix.reinit(all, all, pattern, MPI_COMM_SELF);
}

template <int dim>
void assemble_mass(const Space<dim> &space, const Material<dim> &material, SparseMatrix &mass) {
  allocate(space, false, mass);
  dealii::FEValues<dim> values(*space.mapping, space.element, space.mass_quadrature,
                               dealii::update_values | dealii::update_JxW_values);
  const unsigned int n = space.element.n_dofs_per_cell();
  dealii::FullMatrix<double> cell_mass(n, n);
  std::vector<dealii::types::global_dof_index> indices(n);
  for (const auto &cell : space.dofs.active_cell_iterators()) {
    values.reinit(cell);
    cell_mass = 0;
    for (unsigned int i = 0; i < n; ++i)
      for (unsigned int j = 0; j < n; ++j)
        if (space.element.system_to_component_index(i).first ==
            space.element.system_to_component_index(j).first)
          for (const unsigned int q : values.quadrature_point_indices())
            cell_mass(i, j) += values.shape_value(i, q) * values.shape_value(j, q) *
                               material.density * material.thickness * values.JxW(q);
    cell->get_dof_indices(indices);
    mass.add(indices, cell_mass);
  }
  mass.compress(dealii::VectorOperation::add);
}

/// ∫ ε(δ) : (law : ε(q)) over the body, for a law that maps a strain to a stress.
template <int dim, typename Law>
void assemble_strain_form(const Space<dim> &space, double thickness, const Law &law,
                          SparseMatrix &matrix) {
  allocate(space, true, matrix);
  dealii::FEValues<dim> values(*space.mapping, space.element, space.stiffness_quadrature,
                               dealii::update_gradients | dealii::update_JxW_values);
  const dealii::FEValuesExtractors::Vector displacement(0);
  const unsigned int n = space.element.n_dofs_per_cell();
  dealii::FullMatrix<double> cell_matrix(n, n);
  std::vector<dealii::types::global_dof_index> indices(n);
  for (const auto &cell : space.dofs.active_cell_iterators()) {
    values.reinit(cell);
    cell_matrix = 0;
    for (const unsigned int q : values.quadrature_point_indices())
      for (unsigned int j = 0; j < n; ++j) {
        const auto stress = law(values[displacement].symmetric_gradient(j, q));
        for (unsigned int i = 0; i < n; ++i)
          cell_matrix(i, j) +=
              (values[displacement].symmetric_gradient(i, q) * stress) * thickness * values.JxW(q);
      }
    cell->get_dof_indices(indices);
    matrix.add(indices, cell_matrix);
  }
  matrix.compress(dealii::VectorOperation::add);
}

} // namespace

template <int dim>
Operators assemble_operators(const Space<dim> &space, const Material<dim> &material) {
  using Strain = SymmetricTensor<2, dim>;
  Operators operators;
  assemble_mass(space, material, operators.mass);
  assemble_strain_form(
      space, material.thickness,
      [&](const Strain &strain) { return material.elastic.stress(strain); }, operators.stiffness);
  const LinearViscosity &viscosity = material.viscosity;
  operators.viscous = viscosity.present();
  if (operators.viscous) {
    assemble_strain_form(
        space, material.thickness, [&](const Strain &rate) { return viscosity.eta * rate; },
        operators.viscosity);
    // M couples fewer entries than C: add it entry by entry.
    for (const auto &entry : operators.mass)
      operators.viscosity.add(entry.row(), entry.column(), viscosity.alpha * entry.value());
    operators.viscosity.compress(dealii::VectorOperation::add);
    operators.viscosity.add(viscosity.beta, operators.stiffness);
  }
  return operators;
}

template Operators assemble_operators(const Space<2> &, const Material<2> &);

} // namespace percussion
