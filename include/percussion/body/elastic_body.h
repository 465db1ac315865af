#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/body/material.h>
#include <percussion/body/rotation.h>
#include <percussion/body/space.h>

#include <cmath>

namespace percussion {

/// (Visco-)elastic body on its own mesh: the materials of its cells, linear or of finite strain,
/// and its finite-element space. It may consist of several disconnected components.
template <int dim>
class ElasticBody {
public:
  /// The mesh must outlive the body. Its degrees of freedom begin at `first_dof`.
  ElasticBody(const Mesh<dim> &mesh, Materials<dim> materials, unsigned int first_dof = 0);

  /// Returns the number of degrees of freedom: dim for each node.
  unsigned int n_dofs() const { return space.n_dofs(); }

  /// Returns true if a node is on the axis of a body of revolution, where it cannot move radially.
  bool is_on_axis(unsigned int node) const {
    constexpr double round_off = 1e-8; // of coordinates in mesh files, relative to the edges
    return materials.are_axisymmetric() &&
           std::abs(space.nodes[node][0]) <= round_off * space.local_size[node];
  }

  /// Writes q without the translation and infinitesimal rotation of each connected component, as
  /// given by its first node, the line to the node farthest from it and, in 3D, the node farthest
  /// from this line. These motions store no energy, but K times them is round-off in proportion to
  /// them, which would dominate the balance of a body that spins or has moved far. An axisymmetric
  /// body stores energy in all motions except the translation along its axis. Writes only the
  /// degrees of freedom of the body.
  void deformation(const Vector &q, Vector &deformed) const;

  Materials<dim> materials; ///< by cell
  Space<dim> space;         ///< finite elements of the body

private:
  using Rotation = std::array<double, n_rotations<dim>>;

  /// Connected component: its first node, the node farthest from it, and in 3D the node farthest
  /// from the line through both.
  struct Component {
    unsigned int first, farthest, aside;
  };
  void find_parts();
  Rotation rotation_of(const Component &component, const Vector &q) const;

  std::vector<Component> components;
  std::vector<unsigned int> component_of_node; ///< index in `components`
  /// For each degree of freedom of a single component in 2D with consecutive degrees of freedom at
  /// each node: its displacement in a rotation by one radian [length]; else empty.
  std::vector<double> lever;
};

} // namespace percussion
