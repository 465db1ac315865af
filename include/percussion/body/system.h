#pragma once

#include <percussion/body/elastic_body.h>
#include <percussion/body/loads.h>
#include <percussion/body/motion.h>
#include <percussion/body/operators.h>
#include <percussion/body/rigid_body.h>

#include <memory>

namespace percussion {

/// All that moves, without contact and without time: elastic bodies, each on a mesh of its own, and
/// rigid bodies. Its degrees of freedom are those of the elastic bodies, one after the other, and
/// then three for each rigid body; a step knows nothing else of what they belong to.
template <int dim>
class System {
public:
  using ElasticBodies = std::vector<std::unique_ptr<ElasticBody<dim>>>;

  /// The elastic bodies' degrees of freedom must follow each other from 0 on. Gravity
  /// [length / time²] acts on all bodies.
  System(ElasticBodies elastic, std::vector<RigidBody> rigid,
         const dealii::Tensor<1, dim> &gravity);
  /// An elastic body alone.
  System(const Mesh<dim> &mesh, const Materials<dim> &materials,
         const dealii::Tensor<1, dim> &gravity);

  /// Number of degrees of freedom of everything.
  unsigned int n_dofs() const {
    return n_elastic + RigidBody::n_dofs * static_cast<unsigned int>(rigid.size());
  }
  /// Those of the elastic bodies, which come first.
  unsigned int n_elastic_dofs() const { return n_elastic; }
  /// The first of the three degrees of freedom of a rigid body.
  unsigned int rigid_dof(std::size_t body) const {
    return n_elastic_dofs() + RigidBody::n_dofs * static_cast<unsigned int>(body);
  }

  /// Where every rigid body is at q.
  std::vector<RigidPose> poses(const Vector &q) const;

  /// A region of an elastic body, by its name. Where several meshes have a region of that name it
  /// is written `mesh:region`, with the name of the mesh's file without folder and ending.
  struct BodyRegion {
    const ElasticBody<dim> *body;
    const Region *region;
  };
  /// See BodyRegion. Throws InputError that names the regions there are, or the meshes that share
  /// the name.
  BodyRegion region(const std::string &name) const;

  /// Prescribe one component of the motion of a region's nodes.
  void prescribe(const std::string &region_name, const BodyRegion &region, unsigned int component,
                 typename PrescribedMotion<dim>::Kind kind, const Expression &formula);
  /// Prescribe one degree of freedom of a rigid body: 0 x, 1 y, 2 rotation.
  void prescribe(std::size_t rigid_body, unsigned int freedom,
                 typename PrescribedMotion<dim>::Kind kind, const Expression &formula);

  /// What of q deforms the bodies (ElasticBody::deformation): rigid ones not at all.
  void deformation(const Vector &q, Vector &deformed) const;

  /// Take the inertia of nodes of a body to their neighbours (mass_redistribution.h), in the mass
  /// and in the damping that is proportional to it. Loads stay as they are. Throws InputError where
  /// that is not possible.
  void redistribute_inertia(const ElasticBody<dim> &body, const std::vector<unsigned int> &nodes);

private:
  unsigned int n_elastic;

public:
  ElasticBodies elastic;        ///< the elastic bodies
  std::vector<RigidBody> rigid; ///< the rigid bodies
  Operators operators;          ///< M, K and C over all degrees of freedom
  Loads<dim> loads;             ///< gravity and tractions
  PrescribedMotion<dim> motion; ///< which degrees of freedom are prescribed, and how

private:
  Vector weight(const dealii::Tensor<1, dim> &gravity) const;
};

/// What a static preload holds besides the prescribed displacements of the elastic
/// bodies. Rigid
/// bodies stay where they begin.
struct Preload {
  std::vector<unsigned int> held_dofs; ///< kept at zero: the contact nodes, without slip
  std::vector<std::pair<unsigned int, double>> displacements; ///< further prescribed values
  bool gravity = false;                                       ///< whether gravity acts
  bool tractions = false;                                     ///< whether tractions act
};

/// Displacement of static equilibrium, K q = F on the free degrees of freedom, at time t.
/// Throws RunError where nothing holds an elastic body.
template <int dim>
Vector static_displacement(const System<dim> &system, const Preload &preload, double t);

} // namespace percussion
