#include <percussion/algebra/cholesky.h>
#include <percussion/base/error.h>
#include <percussion/body/mass_redistribution.h>
#include <percussion/body/system.h>

#include <algorithm>
#include <array>

namespace percussion {
namespace {

template <int dim>
std::vector<std::unique_ptr<ElasticBody<dim>>> single(const Mesh<dim> &mesh,
                                                      const Materials<dim> &materials) {
  std::vector<std::unique_ptr<ElasticBody<dim>>> list;
  list.push_back(std::make_unique<ElasticBody<dim>>(mesh, materials));
  return list;
}

} // namespace

template <int dim>
System<dim>::System(ElasticBodies e, std::vector<RigidBody<dim>> r,
                    const dealii::Tensor<1, dim> &gravity, MatrixStorage storage)
    : elastic(std::move(e)), rigid(std::move(r)),
      operators(assemble_operators(elastic, rigid, storage)), loads(weight(gravity)),
      motion(n_dofs()) {}

template <int dim>
System<dim>::System(const Mesh<dim> &mesh, const Materials<dim> &materials,
                    const dealii::Tensor<1, dim> &gravity)
    : System(single(mesh, materials), {}, gravity) {}

template <int dim>
Vector System<dim>::weight(const dealii::Tensor<1, dim> &gravity) const {
  Vector acceleration(n_dofs()), force = acceleration;
  for (const auto &body : elastic)
    for (const auto &dofs : body->space.node_dofs)
      for (unsigned int d = 0; d < dim; ++d)
        acceleration[dofs[d]] = gravity[d];
  for (std::size_t b = 0; b < rigid.size(); ++b)
    for (unsigned int d = 0; d < dim; ++d)
      acceleration[rigid_dof(b) + d] = gravity[d];
  multiply(operators.mass, operators.partition, acceleration, force);
  return force;
}

template <int dim>
const std::vector<unsigned int> &System<dim>::elimination_order() const {
  if (order.empty())
    order = Cholesky::fill_reducing_order_of_nodes(operators.stiffness, n_elastic_dofs(), dim);
  return order;
}

template <int dim>
void System<dim>::add_gravity(unsigned int component, const Expression &acceleration) {
  dealii::Tensor<1, dim> unit;
  unit[component] = 1.;
  loads.add_gravity(weight(unit), acceleration);
}

template <int dim>
void System<dim>::move(double time, const Vector &v, Vector &q) const {
  for (unsigned int i = 0; i < n_elastic_dofs(); ++i)
    q[i] += time * v[i];
  move_rigid(time, v.data() + n_elastic_dofs(), q.data() + n_elastic_dofs());
}

template <int dim>
void System<dim>::move_rigid(double time, const double *v, double *q) const {
  for (std::size_t b = 0; b < rigid.size(); ++b)
    move_body<dim>(time, v + b * RigidBody<dim>::n_dofs, q + b * RigidBody<dim>::n_dofs);
}

template <int dim>
double System<dim>::largest_elastic(const Vector &field) const {
  double largest = 0;
  for (const auto &body : elastic)
    largest = std::max(largest, largest_of_body(*body, field));
  return largest;
}

template <int dim>
double System<dim>::largest_of_body(const ElasticBody<dim> &body, const Vector &field) const {
  // Four maxima at a time: a single one would wait for each comparison, in each step of a run.
  std::array<double, 4> largest{};
  const double *const begin = field.data() + body.space.first_dof;
  const double *const end = begin + body.n_dofs();
  const double *value = begin;
  for (; end - value >= 4; value += 4)
    for (unsigned int i = 0; i < 4; ++i)
      largest[i] = std::max(largest[i], std::abs(value[i]));
  for (; value != end; ++value)
    largest[0] = std::max(largest[0], std::abs(*value));
  return *std::max_element(largest.begin(), largest.end());
}

template <int dim>
double System<dim>::mass_in_motion() const {
  double mass = 0;
  for (unsigned int b = 0; b < rigid.size(); ++b)
    if (!is_prescribed(b, 0))
      mass += rigid[b].mass;
  Vector unit = zero_field(), momentum = zero_field();
  for (const auto &body : elastic)
    for (const auto &dofs : body->space.node_dofs)
      if (!motion.is_prescribed(dofs[0]))
        unit[dofs[0]] = 1.;
  multiply(operators.mass, operators.partition, unit, momentum);
  return mass + unit * momentum;
}

template <int dim>
std::optional<unsigned int> System<dim>::elastic_body_of(const LinkEnd<dim> &end) const {
  for (unsigned int b = 0; b < elastic.size() && !end.nodes.empty(); ++b) {
    const unsigned int dof = end.nodes.front().first[0], first = elastic[b]->space.first_dof;
    if (dof >= first && dof < first + elastic[b]->n_dofs())
      return b;
  }
  return {};
}

template <int dim>
std::vector<RigidPose<dim>> System<dim>::poses(const double *q) const {
  std::vector<RigidPose<dim>> poses;
  poses.reserve(rigid.size());
  for (std::size_t b = 0; b < rigid.size(); ++b)
    poses.emplace_back(rigid[b], q + b * RigidBody<dim>::n_dofs);
  return poses;
}

template <int dim>
unsigned int System<dim>::index_of(const ElasticBody<dim> &body) const {
  unsigned int index = 0;
  while (elastic[index].get() != &body)
    ++index;
  return index;
}

template <int dim>
typename System<dim>::BodyRegion System<dim>::region(const std::string &name) const {
  std::vector<BodyRegion> found;
  std::vector<std::string> full_names, all;
  for (const auto &body : elastic)
    for (const auto &[region_name, region] : body->space.mesh.regions) {
      const std::string full_name = body->space.mesh.name() + ":" + region_name;
      all.push_back(elastic.size() > 1 ? full_name : region_name);
      if (name == full_name)
        return {body.get(), &region};
      if (name == region_name) {
        found.push_back({body.get(), &region});
        full_names.push_back(full_name);
      }
    }
  if (found.size() == 1)
    return found.front();
  if (found.size() > 1)
    throw InputError("several meshes have this region; write " + joined(full_names, " or "));
  for (const std::string &full_name : all)
    if (const auto end = full_name.find_first_not_of(' ', name.size());
        full_name.rfind(name, 0) == 0 && end != std::string::npos &&
        (full_name[end] == '#' || full_name[end] == ','))
      throw InputError("the mesh has the region '" + full_name + "', and " +
                       (full_name[end] == '#' ? "# begins a comment in a parameter file"
                                              : "a comma separates names") +
                       "; give the region another name in the mesh");
  if (elastic.size() == 1)
    elastic.front()->space.mesh.region(name); // throws, naming the mesh
  throw InputError("no such region in the meshes" + did_you_mean(name, all) +
                   ". Their regions: " + listed(all));
}

template <int dim>
void System<dim>::prescribe(const std::string &region_name, const BodyRegion &region,
                            unsigned int component, typename PrescribedMotion<dim>::Kind kind,
                            const Expression &formula) {
  const Space<dim> &space = region.body->space;
  std::vector<unsigned int> dofs;
  std::vector<dealii::Point<dim>> positions;
  for (const unsigned int node : region.region->nodes) {
    dofs.push_back(space.node_dofs[node][component]);
    positions.push_back(space.nodes[node]);
  }
  motion.add(region_name, std::string(1, "xyz"[component]), dofs, positions, kind, formula);
}

template <int dim>
void System<dim>::hold_axis() {
  std::vector<std::pair<unsigned int, double>> held;
  for (const auto &body : elastic)
    for (unsigned int node = 0; node < body->space.n_nodes(); ++node)
      if (const unsigned int dof = body->space.node_dofs[node][0];
          body->is_on_axis(node) && !motion.is_prescribed(dof))
        held.emplace_back(dof, 0.);
  if (!held.empty())
    motion.hold(held);
}

template <int dim>
void System<dim>::prescribe(std::size_t body, unsigned int freedom,
                            typename PrescribedMotion<dim>::Kind kind, const Expression &formula) {
  static const std::array<const char *, 6> names = {
      "x", "y", dim == 2 ? "rotation" : "z", "rotation x", "rotation y", "rotation z"};
  motion.add(rigid[body].name, names.at(freedom), {rigid_dof(body) + freedom}, {rigid[body].centre},
             kind, formula);
}

namespace {

/// Appends the index of a degree of freedom in dofs() if it is prescribed.
template <int dim>
void append_index(const PrescribedMotion<dim> &motion, unsigned int dof,
                  std::vector<unsigned int> &indices) {
  if (motion.is_prescribed(dof))
    indices.push_back(static_cast<unsigned int>(
        std::find(motion.dofs().begin(), motion.dofs().end(), dof) - motion.dofs().begin()));
}

} // namespace

template <int dim>
std::vector<unsigned int> System<dim>::prescribed_indices(const BodyRegion &region,
                                                          unsigned int component) const {
  std::vector<unsigned int> indices;
  for (const unsigned int node : region.region->nodes)
    append_index(motion, region.body->space.node_dofs[node][component], indices);
  return indices;
}

template <int dim>
std::vector<unsigned int> System<dim>::prescribed_indices(std::size_t body,
                                                          unsigned int freedom) const {
  std::vector<unsigned int> indices;
  append_index(motion, rigid_dof(body) + freedom, indices);
  return indices;
}

template <int dim>
void System<dim>::deformation(const Vector &q, Vector &deformed) const {
  for (const auto &body : elastic)
    body->deformation(q, deformed);
  for (unsigned int i = n_elastic_dofs(); i < n_dofs(); ++i)
    deformed[i] = 0.;
}

template <int dim>
void System<dim>::redistribute_inertia(const ElasticBody<dim> &body,
                                       const std::vector<unsigned int> &nodes) {
  const auto &materials = body.materials.list;
  const double alpha = materials.front().viscosity.alpha;
  if (std::any_of(materials.begin(), materials.end(),
                  [&](const auto &m) { return m.viscosity.alpha != alpha; }))
    throw InputError("the materials of a body must have the same damping by mass for its inertia "
                     "to be redistributed");
  const SparseMatrix consistent = operators.mass;
  remove_contact_inertia(body.space, nodes, operators.mass);
  if (alpha == 0.)
    return;
  for (unsigned int dof = body.space.first_dof; dof < body.space.first_dof + body.n_dofs(); ++dof) {
    const SparseRow old_row = consistent.row(dof), new_row = operators.mass.row(dof);
    for (int k = 0; k < new_row.size; ++k)
      operators.viscosity.at(dof, static_cast<unsigned int>(new_row.column[k])) +=
          alpha * (new_row.value[k] - old_row.value[k]);
  }
}

template <int dim>
void System<dim>::remove_inertia() {
  std::fill(operators.mass.values().begin(), operators.mass.values().end(), 0.);
}

template <int dim>
std::vector<bool> absent_bodies(const System<dim> &system, double time) {
  std::vector<bool> absent;
  for (std::size_t b = 0; b < system.rigid.size(); ++b)
    if (time < system.rigid[b].appears) {
      absent.resize(system.rigid.size(), false);
      absent[b] = true;
    }
  return absent;
}

template class System<2>;
template class System<3>;
template std::vector<bool> absent_bodies(const System<2> &, double);
template std::vector<bool> absent_bodies(const System<3> &, double);

} // namespace percussion
