#include <percussion/body/mesh_nodes.h>
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
dealii::FESystem<dim> make_element(CellShape shape, unsigned int order) {
  if (shape == CellShape::simplex)
    return dealii::FESystem<dim>(dealii::FE_SimplexP<dim>(order), dim);
  return dealii::FESystem<dim>(dealii::FE_Q<dim>(order), dim);
}

/// Returns the rule for products of gradients, exact on simplices and parallelepipeds. It is
/// symmetric: results of large strain do not depend on the order of the vertices.
template <int dim>
dealii::Quadrature<dim> stiffness_rule(CellShape shape, unsigned int order) {
  if (shape == CellShape::simplex && order == 1)
    return dealii::QGaussSimplex<dim>(1);
  if (shape == CellShape::simplex) // of order 2: 3 points in 2D, 4 points in 3D
    return dealii::QWitherdenVincentSimplex<dim>(1, false);
  return dealii::QGauss<dim>(order + 1);
}

/// Returns the rule for products of shape functions.
template <int dim>
dealii::Quadrature<dim> mass_rule(CellShape shape, unsigned int order) {
  if (shape == CellShape::simplex && order == 1)
    return dealii::QGaussSimplex<dim>(2);
  if (shape == CellShape::simplex) // exact for polynomials of order 5
    return dealii::QWitherdenVincentSimplex<dim>(3);
  // The Jacobian of a hexahedron is of second order in each coordinate.
  return dealii::QGauss<dim>(dim == 3 ? order + 2 : order + 1);
}

/// Returns for each node the smallest node connected with it through cells, which identifies its
/// component.
template <int dim>
std::vector<unsigned int> connected_parts(const Space<dim> &space) {
  std::vector<unsigned int> component(space.n_nodes());
  std::iota(component.begin(), component.end(), 0u);
  const auto first_of = [&](unsigned int v) {
    while (component[v] != v)
      v = component[v] = component[component[v]];
    return v;
  };
  for (unsigned int cell = 0; cell < space.n_cells(); ++cell) {
    const unsigned int *const nodes = space.nodes_of(cell);
    for (unsigned int k = 0; k < space.nodes_per_cell(); ++k) {
      const auto [smaller, larger] = std::minmax({first_of(nodes[0]), first_of(nodes[k])});
      component[larger] = smaller;
    }
  }
  for (unsigned int v = 0; v < component.size(); ++v)
    component[v] = first_of(v);
  return component;
}

} // namespace

template <int dim>
Space<dim>::Space(const Mesh<dim> &m, unsigned int first)
    : mesh(m), first_dof(first), mapping(make_mapping<dim>(m.shape)),
      element(make_element<dim>(m.shape, m.order)), dofs(m.triangulation),
      stiffness_quadrature(stiffness_rule<dim>(m.shape, m.order)),
      mass_quadrature(mass_rule<dim>(m.shape, m.order)),
      face_quadrature(dealii::QGauss<dim - 1>(m.order + 1)) {
  dofs.distribute_dofs(element);
  if (mesh.order == 2)
    middles.vertices_in_cell = vertices_of_middles<dim>(mesh.shape);
  const MeshNodes<dim> numbered(mesh);
  nodes.assign(numbered.positions.begin(), numbered.positions.begin() + numbered.n_nodes());
  local_size.assign(nodes.size(), std::numeric_limits<double>::max());
  cell_nodes.reserve(std::size_t(mesh.triangulation.n_active_cells()) * nodes_per_cell());
  for (const auto &cell : mesh.triangulation.active_cell_iterators()) {
    add_cell(cell->active_cell_index(), numbered.cell_nodes(*cell));
    for (const unsigned int f : cell->face_indices())
      if (cell->at_boundary(f)) {
        boundary_faces.emplace_back();
        for (const unsigned int v : cell->face(f)->vertex_indices())
          boundary_faces.back().push_back(cell->face(f)->vertex_index(v));
      }
    for (const unsigned int l : cell->line_indices()) {
      const double length = cell->line(l)->diameter();
      const auto reduce = [&](unsigned int node) {
        local_size[node] = std::min(local_size[node], length);
      };
      for (unsigned int end = 0; end < 2; ++end)
        reduce(cell->line(l)->vertex_index(end));
      for (unsigned int k = vertices_per_cell(); k < nodes_per_cell(); ++k)
        reduce(nodes_of(cell->active_cell_index())[k]);
    }
  }
  component = connected_parts(*this);
  number_dofs();
}

/// Stores the nodes of a cell. A vertex stands for a middle that is no node.
template <int dim>
void Space<dim>::add_cell(unsigned int cell, const std::vector<unsigned int> &cell_slots) {
  for (unsigned int k = 0; k < cell_slots.size(); ++k) {
    unsigned int node = cell_slots[k];
    if (node >= n_nodes()) {
      middles.linear.resize(std::max<std::size_t>(middles.linear.size(), node - n_nodes() + 1));
      auto &vertices = middles.linear[node - n_nodes()];
      vertices.clear();
      for (const unsigned int v : middles.vertices_in_cell[k - vertices_per_cell()])
        vertices.push_back(cell_slots[v]);
      node = vertices.front();
      middles.linear_in_cell.resize(mesh.triangulation.n_active_cells(), 0u);
      middles.linear_in_cell[cell] |= 1u << k;
      middles.numbers_in_cell[cell] = cell_slots;
    }
    cell_nodes.push_back(node);
  }
}

/// Numbers the degrees of freedom of the nodes in the order of deal.II, which numbers middles that
/// are no nodes, too.
template <int dim>
void Space<dim>::number_dofs() {
  constexpr unsigned int no_node = dealii::numbers::invalid_unsigned_int;
  std::vector<unsigned int> node_of(dofs.n_dofs() / dim, no_node); // by deal.II's number
  std::vector<dealii::types::global_dof_index> numbers(element.n_dofs_per_cell());
  for (const auto &cell : dofs.active_cell_iterators()) {
    cell->get_dof_indices(numbers);
    const unsigned int index = cell->active_cell_index();
    for (unsigned int k = 0; k < nodes_per_cell(); ++k) {
      const auto number = [&](unsigned int d) {
        return static_cast<unsigned int>(numbers[element.component_to_system_index(d, k)]);
      };
      AssertThrow(number(0) % dim == 0 && number(dim - 1) == number(0) + dim - 1,
                  dealii::ExcMessage("the degrees of freedom of a node are not consecutive"));
      if (!is_linear_middle(index, k))
        node_of[number(0) / dim] = nodes_of(index)[k];
    }
  }
  node_dofs.resize(nodes.size());
  unsigned int next = first_dof;
  for (const unsigned int node : node_of)
    if (node != no_node)
      for (unsigned int d = 0; d < dim; ++d)
        node_dofs[node][d] = next++;
}

template <int dim>
void Space<dim>::join_linear_middles(unsigned int cell,
                                     dealii::FullMatrix<double> &cell_matrix) const {
  if (middles.linear_in_cell.empty() || middles.linear_in_cell[cell] == 0u)
    return;
  const auto join = [&](const auto &entry) {
    for (unsigned int k = vertices_per_cell(); k < nodes_per_cell(); ++k)
      for (unsigned int d = 0; d < dim && is_linear_middle(cell, k); ++d) {
        const unsigned int middle = element.component_to_system_index(d, k);
        const auto &vertices = middles.vertices_in_cell[k - vertices_per_cell()];
        for (unsigned int i = 0; i < cell_matrix.m(); ++i) {
          for (const unsigned int v : vertices)
            entry(element.component_to_system_index(d, v), i) +=
                entry(middle, i) / static_cast<double>(vertices.size());
          entry(middle, i) = 0.;
        }
      }
  };
  join([&](unsigned int i, unsigned int j) -> double & { return cell_matrix(i, j); });
  join([&](unsigned int i, unsigned int j) -> double & { return cell_matrix(j, i); });
}

template class Space<2>;
template class Space<3>;

} // namespace percussion
