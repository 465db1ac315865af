#include <percussion/body/elastic_body.h>

namespace percussion {

template <int dim>
ElasticBody<dim>::ElasticBody(const Mesh<dim> &mesh, const Material<dim> &m)
    : material(m), space(mesh), anchor(n_dofs()) {
  for (unsigned int node = 0; node < space.n_nodes(); ++node)
    for (unsigned int d = 0; d < dim; ++d)
      anchor[space.node_dofs[node][d]] = space.node_dofs[space.part[node]][d];
}

template <int dim>
void ElasticBody<dim>::deformation(const Vector &q, Vector &deformed) const {
  for (unsigned int i = 0; i < n_dofs(); ++i)
    entries(deformed)[i] = entries(q)[i] - entries(q)[anchor[i]];
}

template class ElasticBody<2>;

} // namespace percussion
