#include <percussion/algebra/cholesky.h>
#include <percussion/body/mass_redistribution.h>
#include <percussion/body/system.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>

namespace percussion {
namespace {

/// Give a matrix of the elastic body's degrees of freedom a diagonal for further ones.
void append_diagonal(SparseMatrix &matrix, unsigned int n_elastic,
                     const std::vector<double> &diagonal) {
  const auto n = n_elastic + static_cast<unsigned int>(diagonal.size());
  dealii::DynamicSparsityPattern pattern(n);
  if (n_elastic > 0)
    for (const auto &entry : matrix)
      pattern.add(entry.row(), entry.column());
  for (unsigned int i = n_elastic; i < n; ++i)
    pattern.add(i, i);
  const auto all = dealii::complete_index_set(n);
  SparseMatrix larger;
  larger.reinit(all, all, pattern, MPI_COMM_SELF);
  if (n_elastic > 0)
    for (const auto &entry : matrix)
      larger.set(entry.row(), entry.column(), entry.value());
  for (unsigned int i = n_elastic; i < n; ++i)
    larger.set(i, i, diagonal[i - n_elastic]);
  larger.compress(dealii::VectorOperation::insert);
  matrix.copy_from(larger);
}

/// The operators of everything: rigid bodies have a mass and nothing else.
template <int dim>
Operators assemble(const ElasticBody<dim> *elastic, const std::vector<RigidBody> &rigid) {
  Operators operators =
      elastic != nullptr ? assemble_operators(elastic->space, elastic->material) : Operators();
  if (rigid.empty())
    return operators;
  std::vector<double> masses;
  for (const RigidBody &body : rigid)
    masses.insert(masses.end(), {body.mass, body.mass, body.inertia});
  const unsigned int n = elastic != nullptr ? elastic->n_dofs() : 0;
  const std::vector<double> zeros(masses.size(), 0.);
  append_diagonal(operators.mass, n, masses);
  append_diagonal(operators.stiffness, n, zeros);
  if (operators.viscous)
    append_diagonal(operators.viscosity, n, zeros);
  return operators;
}

} // namespace

template <int dim>
System<dim>::System(std::unique_ptr<ElasticBody<dim>> e, std::vector<RigidBody> r,
                    const dealii::Tensor<1, dim> &gravity)
    : elastic(std::move(e)), rigid(std::move(r)), operators(assemble(elastic.get(), rigid)),
      loads(elastic.get(), weight(gravity)), motion(n_dofs()) {}

template <int dim>
System<dim>::System(const Mesh<dim> &mesh, const Material<dim> &material,
                    const dealii::Tensor<1, dim> &gravity)
    : System(std::make_unique<ElasticBody<dim>>(mesh, material), {}, gravity) {}

template <int dim>
Vector System<dim>::weight(const dealii::Tensor<1, dim> &gravity) const {
  Vector acceleration = make_vector(n_dofs()), force = acceleration;
  if (elastic)
    for (const auto &dofs : elastic->space.node_dofs)
      for (unsigned int d = 0; d < dim; ++d)
        entries(acceleration)[dofs[d]] = gravity[d];
  for (std::size_t b = 0; b < rigid.size(); ++b)
    for (unsigned int d = 0; d < dim; ++d)
      entries(acceleration)[rigid_dof(b) + d] = gravity[d];
  operators.mass.vmult(force, acceleration);
  return force;
}

template <int dim>
std::vector<RigidPose> System<dim>::poses(const Vector &q) const {
  std::vector<RigidPose> poses;
  for (std::size_t b = 0; b < rigid.size(); ++b)
    poses.emplace_back(rigid[b], entries(q) + rigid_dof(b));
  return poses;
}

template <int dim>
void System<dim>::prescribe(const std::string &region_name, const Region &region,
                            unsigned int component, typename PrescribedMotion<dim>::Kind kind,
                            const Expression &formula) {
  std::vector<unsigned int> dofs;
  std::vector<dealii::Point<dim>> positions;
  for (const unsigned int node : region.vertices) {
    dofs.push_back(elastic->space.node_dofs[node][component]);
    positions.push_back(elastic->space.nodes[node]);
  }
  motion.add(region_name, std::string(1, "xyz"[component]), dofs, positions, kind, formula);
}

template <int dim>
void System<dim>::prescribe(std::size_t body, unsigned int freedom,
                            typename PrescribedMotion<dim>::Kind kind, const Expression &formula) {
  static_assert(dim == 2, "a rigid body in space has six degrees of freedom");
  dealii::Point<dim> centre;
  for (unsigned int d = 0; d < dim; ++d)
    centre[d] = rigid[body].centre[d];
  motion.add(rigid[body].name, freedom < dim ? std::string(1, "xy"[freedom]) : "rotation",
             {rigid_dof(body) + freedom}, {centre}, kind, formula);
}

template <int dim>
void System<dim>::deformation(const Vector &q, Vector &deformed) const {
  if (elastic)
    elastic->deformation(q, deformed);
  for (unsigned int i = n_elastic_dofs(); i < n_dofs(); ++i)
    entries(deformed)[i] = 0.;
}

template <int dim>
void System<dim>::redistribute_inertia(const std::vector<unsigned int> &nodes) {
  SparseMatrix consistent;
  consistent.copy_from(operators.mass);
  remove_contact_inertia(elastic->space, nodes, operators.mass);
  const double alpha = elastic->material.viscosity.alpha;
  if (alpha == 0.)
    return;
  for (const auto &entry : operators.mass)
    if (entry.row() < n_elastic_dofs())
      operators.viscosity.add(entry.row(), entry.column(),
                              alpha * (entry.value() - consistent.el(entry.row(), entry.column())));
  operators.viscosity.compress(dealii::VectorOperation::add);
}

template <int dim>
Vector static_displacement(const System<dim> &system, const Preload &preload, double t) {
  const unsigned int n = system.n_dofs();
  Vector q = make_vector(n);
  system.motion.set_displacement(t, q);
  std::vector<bool> fixed(n, false);
  std::fill(fixed.begin() + system.n_elastic_dofs(), fixed.end(), true);
  for (const unsigned int dof : system.motion.dofs())
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
    system.loads.evaluate(t, force);
    if (!preload.gravity)
      force -= system.loads.gravity_force();
  } else if (preload.gravity)
    force = system.loads.gravity_force();
  Vector of_prescribed = make_vector(n);
  system.operators.stiffness.vmult(of_prescribed, q);
  force -= of_prescribed;
  Cholesky(system.operators.stiffness, free).solve(force, q);
  return q;
}

template class System<2>;
template Vector static_displacement(const System<2> &, const Preload &, double);

} // namespace percussion
