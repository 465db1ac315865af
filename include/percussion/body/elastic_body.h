#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/material.h>
#include <percussion/body/space.h>

namespace percussion {

/// A (visco-)elastic body on a mesh of its own: what its cells are made of, linear or of finite
/// strains, and how it can deform. It may consist of several parts that are not connected.
template <int dim>
class ElasticBody {
public:
  /// The mesh must live as long as the body. Its degrees of freedom begin at `first_dof`.
  ElasticBody(const Mesh<dim> &mesh, Materials<dim> materials, unsigned int first_dof = 0);

  /// Number of degrees of freedom: dim for each node.
  unsigned int n_dofs() const { return space.n_dofs(); }

  /// q without the translation and the infinitesimal rotation of each connected part, those of its
  /// first node and of the line to the farthest one. They store no energy, but K times them is
  /// round-off that grows with them: for a body that has travelled far or spins it would drown the
  /// balance. Writes the body's degrees of freedom only.
  void deformation(const Vector &q, Vector &deformed) const;

  Materials<dim> materials; ///< what it is made of
  Space<dim> space;         ///< its finite elements

private:
  void find_parts();

  /// A connected part: its first node and the one that is farthest from it.
  struct Part {
    unsigned int first, farthest;
  };
  std::vector<Part> parts;
  // For each degree of freedom of the body that of the same component at the first node of its
  // part, its part, and its displacement in a rotation of that by one [length].
  std::vector<unsigned int> anchor, part_of;
  std::vector<double> lever;
};

} // namespace percussion
