#pragma once

#include <percussion/body/elastic_body.h>
#include <percussion/body/follower_pressure.h>
#include <percussion/body/links.h>
#include <percussion/body/loads.h>
#include <percussion/body/motion.h>
#include <percussion/body/rigid_body.h>
#include <percussion/body/system_operators.h>

#include <memory>
#include <optional>

namespace percussion {

/// All bodies, without contact and time integration: elastic bodies, each on its own mesh, and
/// rigid bodies. The degrees of freedom are numbered: first the elastic bodies, one after the
/// other, then three for each rigid body, six in 3D; a step does not distinguish them further.
template <int dim>
class System {
public:
  using ElasticBodies = std::vector<std::unique_ptr<ElasticBody<dim>>>;

  /// Appends an elastic body; its degrees of freedom follow those of the bodies before.
  static void add_body(ElasticBodies &bodies, const Mesh<dim> &mesh, Materials<dim> materials) {
    unsigned int first_dof = 0;
    for (const auto &body : bodies)
      first_dof += body->n_dofs();
    bodies.push_back(std::make_unique<ElasticBody<dim>>(mesh, std::move(materials), first_dof));
  }

  /// The degrees of freedom of the elastic bodies must be consecutive from 0 on. Gravity [length /
  /// time²] acts on all bodies. With MatrixStorage::nodes, processes divide the matrices: only
  /// products with Operators::partition have all rows, and there are no factors. Collective.
  System(ElasticBodies elastic, std::vector<RigidBody<dim>> rigid,
         const dealii::Tensor<1, dim> &gravity, MatrixStorage storage = MatrixStorage::rows);
  /// Creates a system of a single elastic body.
  System(const Mesh<dim> &mesh, const Materials<dim> &materials,
         const dealii::Tensor<1, dim> &gravity);

  /// Returns the number of all degrees of freedom.
  unsigned int n_dofs() const {
    return n_elastic_dofs() + RigidBody<dim>::n_dofs * static_cast<unsigned int>(rigid.size());
  }
  /// Returns the number of elastic degrees of freedom, which come first.
  unsigned int n_elastic_dofs() const { return operators.partition.size(); }
  /// Returns the first of the degrees of freedom of a rigid body.
  unsigned int rigid_dof(std::size_t body) const {
    return n_elastic_dofs() + RigidBody<dim>::n_dofs * static_cast<unsigned int>(body);
  }

  /// Returns a vector of zeros over all degrees of freedom.
  Vector zero_field() const { return Vector(n_dofs()); }
  /// Returns the values of the elastic bodies in a vector over all degrees of freedom.
  const double *elastic_values(const Vector &v) const { return v.data(); }
  /// Returns the values of a rigid body in a vector over all degrees of freedom.
  const double *rigid_values(const Vector &v, std::size_t body) const {
    return v.data() + rigid_dof(body);
  }
  /// Returns these values, to be written.
  double *rigid_values(Vector &v, std::size_t body) const { return v.data() + rigid_dof(body); }

  /// Adds gravity that changes in time [length / time²], in one direction, to the constant gravity.
  void add_gravity(unsigned int component, const Expression &acceleration);

  /// Adds time × v to q; attitudes in 3D follow move_body().
  void move(double time, const Vector &v, Vector &q) const;
  /// Does so for the rigid bodies alone; v and q begin with the first of them.
  void move_rigid(double time, const double *v, double *q) const;

  /// Returns the largest magnitude of the entries of elastic bodies.
  double largest_elastic(const Vector &field) const;
  /// Returns the largest magnitude of the entries of an elastic body.
  double largest_of_body(const ElasticBody<dim> &body, const Vector &field) const;

  /// Returns the mass of the bodies, except for nodes and bodies with a prescribed first component.
  /// Collective.
  double mass_in_motion() const;

  /// Returns the positions of all rigid bodies at q.
  std::vector<RigidPose<dim>> poses(const Vector &q) const {
    return poses(q.data() + n_elastic_dofs());
  }
  /// Returns these positions; q begins with the first rigid body.
  std::vector<RigidPose<dim>> poses(const double *q) const;

  /// Region of an elastic body, by its name. If several meshes have a region of this name it is
  /// written `mesh:region`, with the name of the mesh's file without folder and extension.
  struct BodyRegion {
    const ElasticBody<dim> *body;
    const Region *region;
  };
  /// Returns the index of an elastic body of this system.
  unsigned int index_of(const ElasticBody<dim> &body) const;
  /// Returns the index of the elastic body that an end of a link is on, if it is on one.
  std::optional<unsigned int> elastic_body_of(const LinkEnd<dim> &end) const;
  /// Returns the region of this name, see BodyRegion. Throws InputError, which lists the existing
  /// regions, or the alternatives if the name is ambiguous.
  BodyRegion region(const std::string &name) const;

  /// Prescribes one component of the motion of a region's nodes.
  void prescribe(const std::string &region_name, const BodyRegion &region, unsigned int component,
                 typename PrescribedMotion<dim>::Kind kind, const Expression &formula);
  /// Holds the radial displacement of the nodes on the axis of bodies of revolution, unless it is
  /// prescribed already.
  void hold_axis();
  /// Prescribes one degree of freedom of a rigid body: 0 x, 1 y, 2 rotation.
  void prescribe(std::size_t rigid_body, unsigned int freedom,
                 typename PrescribedMotion<dim>::Kind kind, const Expression &formula);

  /// Returns true if a degree of freedom of a rigid body is prescribed; see prescribe().
  bool is_prescribed(std::size_t rigid_body, unsigned int freedom) const {
    return motion.is_prescribed(rigid_dof(rigid_body) + freedom);
  }
  /// Returns true if a component of a node of an elastic body is prescribed.
  bool is_prescribed(const Space<dim> &space, unsigned int node, unsigned int component) const {
    return motion.is_prescribed(space.node_dofs[node][component]);
  }
  /// Returns the indices in PrescribedMotion::dofs() of a component of the nodes of a region, where
  /// it is prescribed.
  std::vector<unsigned int> prescribed_indices(const BodyRegion &region,
                                               unsigned int component) const;
  /// Returns the same for a degree of freedom of a rigid body.
  std::vector<unsigned int> prescribed_indices(std::size_t rigid_body, unsigned int freedom) const;
  /// Adds a force or a moment on a degree of freedom of a rigid body.
  void add_force(std::size_t rigid_body, unsigned int freedom, const Expression &formula) {
    loads.add_force(rigid_dof(rigid_body) + freedom, formula);
  }

  /// Writes the component of q that deforms the bodies (ElasticBody::deformation); zero for rigid
  /// ones.
  void deformation(const Vector &q, Vector &deformed) const;

  /// Moves the inertia of nodes of a body to their neighbours (mass_redistribution.h), in the mass
  /// and in the damping proportional to it. Loads do not change. Throws InputError if this is
  /// impossible.
  void redistribute_inertia(const ElasticBody<dim> &body, const std::vector<unsigned int> &nodes);

  /// Sets the mass of the elastic bodies to zero, for a quasi-static balance. Gravity added before,
  /// and damping proportional to the mass, remain. There must be no rigid bodies.
  void remove_inertia();

  /// Returns an order of elimination of the elastic degrees of freedom for all factors that have
  /// the pattern of the stiffness and many unknowns; computed at the first call.
  const std::vector<unsigned int> &elimination_order() const;

private:
  mutable std::vector<unsigned int> order;

public:
  ElasticBodies elastic;                        ///< the elastic bodies
  std::vector<RigidBody<dim>> rigid;            ///< the rigid bodies
  Operators operators;                          ///< M, K and C over all degrees of freedom
  Loads<dim> loads;                             ///< gravity and tractions
  PrescribedMotion<dim> motion;                 ///< the prescribed degrees of freedom
  std::vector<Link<dim>> links;                 ///< springs, dashpots and joints
  std::vector<FollowerPressure<dim>> pressures; ///< pressures on the deformed surfaces

private:
  Vector weight(const dealii::Tensor<1, dim> &gravity) const;
};

/// Returns true for each rigid body that has yet to appear at this time; empty if all bodies have
/// appeared.
template <int dim>
std::vector<bool> absent_bodies(const System<dim> &system, double time);

} // namespace percussion
