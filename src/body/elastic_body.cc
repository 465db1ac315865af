#include <percussion/algebra/two.h>
#include <percussion/body/elastic_body.h>

namespace percussion {

template <int dim>
ElasticBody<dim>::ElasticBody(const Mesh<dim> &mesh, Materials<dim> m, unsigned int first_dof)
    : materials(std::move(m)), space(mesh, first_dof), anchor(n_dofs()),
      index_of_component(n_dofs()), lever(n_dofs()) {
  find_parts();
  for (unsigned int node = 0; node < space.n_nodes(); ++node) {
    const auto offset = space.nodes[node] - space.nodes[space.component[node]];
    const auto &dofs = space.node_dofs[node];
    const auto levers_of_node = levers<dim>(offset);
    for (unsigned int d = 0; d < dim; ++d) {
      anchor[dofs[d] - first_dof] = space.node_dofs[space.component[node]][d];
      lever[dofs[d] - first_dof] = levers_of_node[d];
    }
  }
  is_one_part_node_by_node = components.size() == 1;
  for (unsigned int i = 0; i < n_dofs(); ++i)
    is_one_part_node_by_node = is_one_part_node_by_node && anchor[i] == anchor[i % dim];
}

template <int dim>
void ElasticBody<dim>::find_parts() {
  std::vector<unsigned int> part_of_root(space.n_nodes());
  for (unsigned int node = 0; node < space.n_nodes(); ++node) {
    const unsigned int root = space.component[node];
    if (root == node) { // the first node of its component
      part_of_root[root] = static_cast<unsigned int>(components.size());
      components.push_back({root, root, root});
    }
    Component &component = components[part_of_root[root]];
    for (const unsigned int dof : space.node_dofs[node])
      index_of_component[dof - space.first_dof] = part_of_root[root];
    const auto &origin = space.nodes[root];
    if (space.nodes[node].distance(origin) > space.nodes[component.farthest].distance(origin))
      component.farthest = node;
  }
  if constexpr (dim == 3)
    for (unsigned int node = 0; node < space.n_nodes(); ++node) {
      Component &component = components[part_of_root[space.component[node]]];
      const auto line = space.nodes[component.farthest] - space.nodes[component.first];
      const auto distance = [&](unsigned int other_node) {
        return cross_product_3d(line, space.nodes[other_node] - space.nodes[component.first])
            .norm();
      };
      if (distance(node) > distance(component.aside))
        component.aside = node;
    }
}

template <int dim>
typename ElasticBody<dim>::Rotation ElasticBody<dim>::rotation_of(const Component &component,
                                                                  const Vector &q) const {
  const auto change = [&](unsigned int node) {
    dealii::Tensor<1, dim> u;
    for (unsigned int d = 0; d < dim; ++d)
      u[d] = entries(q)[space.node_dofs[node][d]] - entries(q)[space.node_dofs[component.first][d]];
    return u;
  };
  const auto line = space.nodes[component.farthest] - space.nodes[component.first];
  const auto u = change(component.farthest);
  if constexpr (dim == 2)
    return {{(line[0] * u[1] - line[1] * u[0]) / line.norm_square()}};
  else {
    // The rotation across the line follows from the farthest node, the rotation about the line from
    // the node aside.
    const dealii::Tensor<1, dim> rotation_across = cross_product_3d(line, u) / line.norm_square();
    const auto arm = space.nodes[component.aside] - space.nodes[component.first];
    const auto turn = cross_product_3d(line, arm);
    const double about = (change(component.aside) - cross_product_3d(rotation_across, arm)) * turn /
                         turn.norm_square();
    const dealii::Tensor<1, dim> w = rotation_across + about * line;
    return {{w[0], w[1], w[2]}};
  }
}

template <int dim>
void ElasticBody<dim>::deformation(const Vector &q, Vector &deformed) const {
  std::vector<Rotation> rotation;
  for (const Component &component : components)
    rotation.push_back(rotation_of(component, q));
  const double *const all = entries(q), *const body_values = all + space.first_dof;
  double *const result = entries(deformed) + space.first_dof;
  if (dim == 2 && is_one_part_node_by_node) {
    const Two origin{all[anchor[0]], all[anchor[1]]};
    const double turn = rotation[0][0];
    for (unsigned int i = 0, n = n_dofs(); i < n; i += 2) {
      const Two of_node =
          load_two(body_values + i) - origin - turn * Two{lever[i][0], lever[i + 1][0]};
      std::memcpy(result + i, &of_node, sizeof of_node);
    }
    return;
  }
  for (unsigned int i = 0; i < n_dofs(); ++i) {
    result[i] = body_values[i] - all[anchor[i]];
    for (unsigned int r = 0; r < n_rotations<dim>; ++r)
      result[i] -= rotation[index_of_component[i]][r] * lever[i][r];
  }
}

template class ElasticBody<2>;
template class ElasticBody<3>;

} // namespace percussion
