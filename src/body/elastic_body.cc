#include <percussion/algebra/two.h>
#include <percussion/body/elastic_body.h>

#include <algorithm>

namespace percussion {

template <int dim>
ElasticBody<dim>::ElasticBody(const Mesh<dim> &mesh, Materials<dim> m, unsigned int first_dof)
    : materials(std::move(m)), space(mesh, first_dof) {
  find_parts();
  if (dim == 3 || components.size() > 1)
    return;
  const auto is_node_by_node = [](const auto &dofs) {
    return dofs[0] % dim == 0 && dofs[dim - 1] == dofs[0] + dim - 1;
  };
  if (!std::all_of(space.node_dofs.begin(), space.node_dofs.end(), is_node_by_node))
    return;
  lever.resize(n_dofs());
  for (unsigned int node = 0; node < space.n_nodes(); ++node)
    for (unsigned int d = 0; d < dim; ++d)
      lever[space.node_dofs[node][d] - first_dof] =
          levers<dim>(space.nodes[node] - space.nodes[components[0].first])[d][0];
}

template <int dim>
void ElasticBody<dim>::find_parts() {
  component_of_node.resize(space.n_nodes());
  for (unsigned int node = 0; node < space.n_nodes(); ++node) {
    const unsigned int root = space.component[node];
    if (root == node) { // the first node of its component
      component_of_node[root] = static_cast<unsigned int>(components.size());
      components.push_back({root, root, root});
    }
    component_of_node[node] = component_of_node[root];
    Component &component = components[component_of_node[node]];
    const auto &origin = space.nodes[root];
    if (space.nodes[node].distance(origin) > space.nodes[component.farthest].distance(origin))
      component.farthest = node;
  }
  if constexpr (dim == 3)
    for (unsigned int node = 0; node < space.n_nodes(); ++node) {
      Component &component = components[component_of_node[node]];
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
      u[d] = q[space.node_dofs[node][d]] - q[space.node_dofs[component.first][d]];
    return u;
  };
  if (materials.are_axisymmetric())
    return {};
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
  const double *const all = q.data();
  const double radial_factor = materials.are_axisymmetric() ? 0. : 1.; // of the translation
  if (!lever.empty()) {
    const double *const body_values = all + space.first_dof;
    double *const result = deformed.data() + space.first_dof;
    const auto &anchor = space.node_dofs[components[0].first];
    const Two origin{radial_factor * all[anchor[0]], all[anchor[1]]};
    const double turn = rotation[0][0];
    for (unsigned int i = 0, n = n_dofs(); i < n; i += 2) {
      const Two node_value =
          load_two(body_values + i) - origin - turn * Two{lever[i], lever[i + 1]};
      std::memcpy(result + i, &node_value, sizeof node_value);
    }
    return;
  }
  for (unsigned int node = 0; node < space.n_nodes(); ++node) {
    const unsigned int index = component_of_node[node], first = components[index].first;
    const auto levers_of_node = levers<dim>(space.nodes[node] - space.nodes[first]);
    for (unsigned int d = 0; d < dim; ++d) {
      double &result = deformed[space.node_dofs[node][d]];
      result = all[space.node_dofs[node][d]] -
               (d == 0 ? radial_factor : 1.) * all[space.node_dofs[first][d]];
      for (unsigned int r = 0; r < n_rotations<dim>; ++r)
        result -= rotation[index][r] * levers_of_node[d][r];
    }
  }
}

template class ElasticBody<2>;
template class ElasticBody<3>;

} // namespace percussion
