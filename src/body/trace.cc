#include <percussion/body/trace.h>

namespace percussion {

template <int dim>
Trace<dim>::Trace(const System<dim> &bodies, const std::vector<std::vector<unsigned int>> &nodes)
    : system(bodies), first_entry(bodies.n_elastic_dofs() / dim, absent) {
  for (std::size_t b = 0; b < nodes.size(); ++b)
    for (const unsigned int node : nodes[b])
      first_entry[index(system.elastic[b]->space, node)] = 0;
  // The degrees of freedom of a node are consecutive.
  for (unsigned int i = 0; i < first_entry.size(); ++i) {
    if (first_entry[i] == absent)
      continue;
    first_entry[i] = size();
    for (unsigned int d = 0; d < dim; ++d)
      dof_of_entry.push_back(dim * i + d);
  }
  n_elastic_entries = size();
  for (unsigned int i = system.n_elastic_dofs(); i < system.n_dofs(); ++i)
    dof_of_entry.push_back(i);
}

template <int dim>
TraceField Trace<dim>::gather(const Vector &field) const {
  TraceField values(size());
  const double *const all = field.data();
  for (unsigned int i = 0; i < size(); ++i)
    values[i] = all[dof_of_entry[i]];
  return values;
}

template <int dim>
void Trace<dim>::move(double time, const TraceField &v, TraceField &q) const {
  for (unsigned int i = 0; i < n_elastic_entries; ++i)
    q[i] += time * v[i];
  system.move_rigid(time, v.data() + n_elastic_entries, q.data() + n_elastic_entries);
}

template class Trace<2>;
template class Trace<3>;

} // namespace percussion
