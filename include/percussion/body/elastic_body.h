#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/material.h>
#include <percussion/body/space.h>

namespace percussion {

/// A (visco-)elastic body, linear or of finite strains: what it is made of and how it can deform.
template <int dim>
class ElasticBody {
public:
  ElasticBody(const Mesh<dim> &mesh, const Material<dim> &material);

  unsigned int n_dofs() const { return space.n_dofs(); }

  /// q without the translation of the first node of each connected part. A translation stores no
  /// energy, but K times one is round-off that grows with it: for a body that has travelled far it
  /// would drown the balance. Writes the body's degrees of freedom only.
  void deformation(const Vector &q, Vector &deformed) const;

  Material<dim> material;
  Space<dim> space;

private:
  /// For each degree of freedom that of the same component at the first node of its part.
  std::vector<unsigned int> anchor;
};

} // namespace percussion
