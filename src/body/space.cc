#include <percussion/body/space.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <limits>
#include <numeric>

namespace percussion {
namespace {

template <int dim>
std::unique_ptr<dealii::Mapping<dim>> make_mapping(CellShape shape) {
  if (shape == CellShape::simplex)
    return std::make_unique<dealii::MappingFE<dim>>(dealii::FE_SimplexP<dim>(1));
  return std::make_unique<dealii::MappingQ<dim>>(1);
}

template <int dim>
dealii::FESystem<dim> make_element(CellShape shape) {
  if (shape == CellShape::simplex)
    return dealii::FESystem<dim>(dealii::FE_SimplexP<dim>(1), dim);
  return dealii::FESystem<dim>(dealii::FE_Q<dim>(1), dim);
}

template <int dim>
dealii::Quadrature<dim> cell_quadrature(CellShape shape, unsigned int n) {
  if (shape == CellShape::simplex)
    return dealii::QGaussSimplex<dim>(n);
  // The Jacobian of a hexahedron is of second order in each coordinate.
  return dealii::QGauss<dim>(dim == 3 && n > 1 ? 3 : 2);
}

/// Returns for each node the smallest node connected with it through cells, which identifies its
/// component.
template <int dim>
std::vector<unsigned int> connected_parts(const dealii::Triangulation<dim> &triangulation) {
  std::vector<unsigned int> component(triangulation.n_vertices());
  std::iota(component.begin(), component.end(), 0u);
  const auto first_of = [&](unsigned int v) {
    while (component[v] != v)
      v = component[v] = component[component[v]];
    return v;
  };
  for (const auto &cell : triangulation.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices()) {
      const auto [smaller, larger] =
          std::minmax({first_of(cell->vertex_index(0)), first_of(cell->vertex_index(v))});
      component[larger] = smaller;
    }
  for (unsigned int v = 0; v < component.size(); ++v)
    component[v] = first_of(v);
  return component;
}

} // namespace

template <int dim>
Space<dim>::Space(const Mesh<dim> &m, unsigned int first)
    : mesh(m), first_dof(first), mapping(make_mapping<dim>(m.shape)),
      element(make_element<dim>(m.shape)), dofs(m.triangulation),
      stiffness_quadrature(cell_quadrature<dim>(m.shape, 1)),
      mass_quadrature(cell_quadrature<dim>(m.shape, 2)),
      face_quadrature(dealii::QGauss<dim - 1>(2)) {
  dofs.distribute_dofs(element);
  nodes = mesh.triangulation.get_vertices();
  node_dofs.resize(nodes.size());
  component = connected_parts(mesh.triangulation);
  local_size.assign(nodes.size(), std::numeric_limits<double>::max());
  corners.reserve(std::size_t(mesh.triangulation.n_active_cells()) * n_corners());
  for (const auto &cell : dofs.active_cell_iterators()) {
    for (const unsigned int v : cell->vertex_indices()) {
      corners.push_back(cell->vertex_index(v));
      for (unsigned int d = 0; d < dim; ++d)
        node_dofs[cell->vertex_index(v)][d] =
            first_dof + static_cast<unsigned int>(cell->vertex_dof_index(v, d));
      const auto &vertex_dofs = node_dofs[cell->vertex_index(v)];
      AssertThrow(vertex_dofs[0] % dim == 0 && vertex_dofs[dim - 1] == vertex_dofs[0] + dim - 1,
                  dealii::ExcMessage("the degrees of freedom of a node are not consecutive"));
    }
    for (const unsigned int f : cell->face_indices())
      if (cell->at_boundary(f)) {
        boundary_faces.emplace_back();
        for (const unsigned int v : cell->face(f)->vertex_indices())
          boundary_faces.back().push_back(cell->face(f)->vertex_index(v));
      }
    for (const unsigned int l : cell->line_indices())
      for (unsigned int end = 0; end < 2; ++end) {
        double &size = local_size[cell->line(l)->vertex_index(end)];
        size = std::min(size, cell->line(l)->diameter());
      }
  }
}

template class Space<2>;
template class Space<3>;

} // namespace percussion
