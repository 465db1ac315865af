#include <percussion/body/elastic_body.h>

namespace percussion {

template <int dim>
ElasticBody<dim>::ElasticBody(const Mesh<dim> &mesh, Materials<dim> m, unsigned int first_dof)
    : materials(std::move(m)), space(mesh, first_dof), anchor(n_dofs()), part_of(n_dofs()),
      lever(n_dofs()) {
  static_assert(dim == 2, "a rotation in space has three components");
  find_parts();
  for (unsigned int node = 0; node < space.n_nodes(); ++node) {
    const auto offset = space.nodes[node] - space.nodes[space.part[node]];
    const auto &dofs = space.node_dofs[node];
    for (unsigned int d = 0; d < dim; ++d)
      anchor[dofs[d] - first_dof] = space.node_dofs[space.part[node]][d];
    lever[dofs[0] - first_dof] = -offset[1];
    lever[dofs[1] - first_dof] = offset[0];
  }
}

template <int dim>
void ElasticBody<dim>::find_parts() {
  std::vector<unsigned int> part_of_root(space.n_nodes());
  for (unsigned int node = 0; node < space.n_nodes(); ++node) {
    const unsigned int root = space.part[node];
    if (root == node) { // the first node of its part
      part_of_root[root] = static_cast<unsigned int>(parts.size());
      parts.push_back({root, root});
    }
    Part &part = parts[part_of_root[root]];
    for (const unsigned int dof : space.node_dofs[node])
      part_of[dof - space.first_dof] = part_of_root[root];
    const auto &origin = space.nodes[root];
    if (space.nodes[node].distance(origin) > space.nodes[part.farthest].distance(origin))
      part.farthest = node;
  }
}

template <int dim>
void ElasticBody<dim>::deformation(const Vector &q, Vector &deformed) const {
  std::vector<double> rotation;
  for (const Part &part : parts) {
    const auto line = space.nodes[part.farthest] - space.nodes[part.first];
    dealii::Tensor<1, dim> change;
    for (unsigned int d = 0; d < dim; ++d)
      change[d] = entries(q)[space.node_dofs[part.farthest][d]] -
                  entries(q)[space.node_dofs[part.first][d]];
    rotation.push_back((line[0] * change[1] - line[1] * change[0]) / line.norm_square());
  }
  const double *const all = entries(q), *const own = all + space.first_dof;
  double *const result = entries(deformed) + space.first_dof;
  for (unsigned int i = 0; i < n_dofs(); ++i)
    result[i] = own[i] - all[anchor[i]] - rotation[part_of[i]] * lever[i];
}

template class ElasticBody<2>;

} // namespace percussion
