#pragma once

#include <percussion/body/loads.h>
#include <percussion/body/motion.h>
#include <percussion/body/operators.h>

namespace percussion {

/// A (visco-)elastic body, linear or of finite strains: what moves, without contact and without
/// time.
template <int dim>
class ElasticBody {
public:
  ElasticBody(const Mesh<dim> &mesh, const Material<dim> &material,
              const dealii::Tensor<1, dim> &gravity);

  unsigned int n_dofs() const { return space.n_dofs(); }

  /// q without the translation of the first node of each connected part. A translation stores no
  /// energy, but K times one is round-off that grows with it: for a body that has travelled far it
  /// would drown the balance.
  void deformation(const Vector &q, Vector &deformed) const;

  /// Take the inertia of these nodes to their neighbours (mass_redistribution.h), in the mass and
  /// in the damping that is proportional to it. Loads stay as they are.
  void redistribute_inertia(const std::vector<unsigned int> &nodes);

  Material<dim> material;
  Space<dim> space;
  Operators operators;
  Loads<dim> loads;
  PrescribedMotion<dim> motion;

private:
  /// For each degree of freedom that of the same component at the first node of its part.
  std::vector<unsigned int> anchor;
};

/// What a static preload holds besides the prescribed displacements of the body.
struct Preload {
  std::vector<unsigned int> held_dofs; ///< kept at zero: the contact nodes, without slip
  std::vector<std::pair<unsigned int, double>> displacements; ///< further prescribed values
  bool gravity = false;
  bool tractions = false;
};

/// Displacement of static equilibrium, K q = F on the free degrees of freedom, at time t.
/// Throws RunError where nothing holds the body.
template <int dim>
Vector static_displacement(const ElasticBody<dim> &body, const Preload &preload, double t);

} // namespace percussion
