#include <percussion/algebra/cholesky.h>
#include <percussion/body/elastic_body.h>
#include <percussion/body/mass_redistribution.h>

namespace percussion {

template <int dim>
ElasticBody<dim>::ElasticBody(const Mesh<dim> &mesh, const Material<dim> &m,
                              const dealii::Tensor<1, dim> &gravity)
    : material(m), space(mesh), operators(assemble_operators(space, material)),
      loads(space, material.thickness, operators.mass, gravity), motion(space), anchor(n_dofs()) {
  for (unsigned int node = 0; node < space.n_nodes(); ++node)
    for (unsigned int d = 0; d < dim; ++d)
      anchor[space.node_dofs[node][d]] = space.node_dofs[space.part[node]][d];
}

template <int dim>
void ElasticBody<dim>::deformation(const Vector &q, Vector &deformed) const {
  for (unsigned int i = 0; i < n_dofs(); ++i)
    entries(deformed)[i] = entries(q)[i] - entries(q)[anchor[i]];
}

template <int dim>
void ElasticBody<dim>::redistribute_inertia(const std::vector<unsigned int> &nodes) {
  SparseMatrix consistent;
  consistent.copy_from(operators.mass);
  remove_contact_inertia(space, nodes, operators.mass);
  const double alpha = material.viscosity.alpha;
  if (alpha == 0.)
    return;
  for (const auto &entry : operators.mass)
    operators.viscosity.add(entry.row(), entry.column(),
                            alpha * (entry.value() - consistent.el(entry.row(), entry.column())));
  operators.viscosity.compress(dealii::VectorOperation::add);
}

template <int dim>
Vector static_displacement(const ElasticBody<dim> &body, const Preload &preload, double t) {
  const unsigned int n = body.n_dofs();
  Vector q = make_vector(n);
  body.motion.set_displacement(t, q);
  std::vector<bool> fixed(n, false);
  for (const unsigned int dof : body.motion.dofs())
    fixed[dof] = true;
  for (const unsigned int dof : preload.held_dofs) {
    fixed[dof] = true;
    entries(q)[dof] = 0;
  }
  for (const auto &[dof, value] : preload.displacements) {
    fixed[dof] = true;
    entries(q)[dof] = value;
  }
  std::vector<unsigned int> free;
  for (unsigned int i = 0; i < n; ++i)
    if (!fixed[i])
      free.push_back(i);

  Vector force = make_vector(n);
  if (preload.tractions) {
    body.loads.evaluate(t, force);
    if (!preload.gravity)
      force -= body.loads.gravity_force();
  } else if (preload.gravity)
    force = body.loads.gravity_force();
  Vector of_prescribed = make_vector(n);
  body.operators.stiffness.vmult(of_prescribed, q);
  force -= of_prescribed;
  Cholesky(body.operators.stiffness, free).solve(force, q);
  return q;
}

template class ElasticBody<2>;
template Vector static_displacement(const ElasticBody<2> &, const Preload &, double);

} // namespace percussion
