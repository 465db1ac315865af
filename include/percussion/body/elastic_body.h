#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/material.h>
#include <percussion/body/rotation.h>
#include <percussion/body/space.h>

namespace percussion {

/// A (visco-)elastic body on its own mesh: the materials of its cells, linear or of finite strain,
/// and its finite-element space. It may consist of several unconnected parts.
template <int dim>
class ElasticBody {
public:
  /// The mesh must live as long as the body. Its degrees of freedom begin at `first_dof`.
  ElasticBody(const Mesh<dim> &mesh, Materials<dim> materials, unsigned int first_dof = 0);

  /// Number of degrees of freedom: dim for each node.
  unsigned int n_dofs() const { return space.n_dofs(); }

  /// q without the translation and infinitesimal rotation of each connected part, as given by its
  /// first node, the line to the node farthest from it and, in space, the node farthest from that
  /// line. They store no energy, but K times them
  /// is round-off in proportion to them, which would swamp the balance of a body that has travelled
  /// far or spins. Writes only the degrees of freedom of the body.
  void deformation(const Vector &q, Vector &deformed) const;

  Materials<dim> materials; ///< by cell
  Space<dim> space;         ///< its finite elements

private:
  using Rotation = std::array<double, n_rotations<dim>>;

  /// A connected part: its first node, the node farthest from it, and in space the node farthest
  /// from the line through both.
  struct Part {
    unsigned int first, farthest, aside;
  };
  void find_parts();
  Rotation rotation_of(const Part &part, const Vector &q) const;

  std::vector<Part> parts;
  // For each degree of freedom of the body: the one of the same component at the first node of its
  // part, its part, and its displacement in rotations of that part by one radian [length].
  std::vector<unsigned int> anchor, part_of;
  std::vector<Rotation> lever;
  bool is_one_part_node_by_node = false; ///< the dim degrees of freedom of a node after each other
};

} // namespace percussion
