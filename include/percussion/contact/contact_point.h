#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

namespace percussion {

/// Range of a list of supports.
struct SupportRange {
  unsigned int begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

/// Node of the mesh of an elastic body.
struct MeshNode {
  unsigned int elastic = 0; ///< index of the elastic body
  unsigned int node = 0;    ///< node of its mesh
};

/// Quadrature point of the faces of an elastic body.
template <int dim>
struct QuadraturePoint {
  unsigned int elastic = 0; ///< index of the elastic body
  SupportRange shape;       ///< range in Boundary::supports: nodes and their shape values
  SupportRange traction;    ///< range in Boundary::supports: traction by displacement (Nitsche)
  dealii::Tensor<1, dim> normal; ///< outward normal of the face
};

/// Feature of a rigid body in contact with a surface: a vertex, or in 3D a point that moves along
/// the segment of a capsule or along the rim of an end face of a cylinder.
enum class RigidFeature { vertex, segment, rim };

/// Point of a rigid body.
struct RigidPoint {
  unsigned int body = 0; ///< index of the rigid body
  double radius = 0;     ///< radius of a sphere or disc centred at the point [length]
  /// Index of a vertex against faces in its body; in 3D, of its convex shape.
  unsigned int vertex = 0;
  RigidFeature feature = RigidFeature::vertex;
  /// Number of the quarter turn along a rim from its point nearest to the surface, from 0 to 3.
  unsigned int quarter = 0;

  bool operator==(const RigidPoint &second) const {
    return body == second.body && radius == second.radius && vertex == second.vertex &&
           feature == second.feature && quarter == second.quarter;
  }
};

/// Node in Boundary::facets; of a quadrature point, the node nearest to it.
struct FacetPosition {
  unsigned int facets = 0, node = 0;
};

/// Properties of a contact point that its law uses.
struct PointLaw {
  /// True if all properties are equal.
  bool has_law_of(const PointLaw &second) const {
    return has_inertia == second.has_inertia && has_friction == second.has_friction &&
           tolerance == second.tolerance && friction == second.friction && spring == second.spring;
  }

  bool has_inertia = true; ///< false for a node whose mass has been redistributed
  /// False if the tangential motion of the node is prescribed (except the out-of-plane direction in
  /// plane strain), or if the pair has no friction.
  bool has_friction = false;
  double tolerance = 0; ///< largest gap that counts as closed [length]
  /// Constant coefficient of friction; zero if the point has none, or the pair has a formula.
  double friction = 0;
  /// Stiffness of a spring that replaces the contact [force / length³ × thickness]; for points
  /// without area [force / length].
  double spring = 0;
};

/// Point of a body that may be in contact.
template <int dim>
struct ContactPoint : PointLaw {
  std::variant<MeshNode, QuadraturePoint<dim>, RigidPoint> location;
  /// First of dim entries of the trace: translation of the node or of the rigid body; of the
  /// nearest node of a quadrature point.
  unsigned int entry = 0;
  /// Index in Boundary::facets of the opposite facets, if the opposite side has any.
  std::optional<unsigned int> opposite_facets;
  /// True for a node of both sides, where a split ends inside a body: it has nothing to touch.
  bool is_on_both_sides = false;
  /// Position on the facets of its own side, of points of elastic bodies in pairs on faces.
  std::optional<FacetPosition> own_facets;
  dealii::Point<dim> position; ///< initial position
  double area = 0; ///< tributary area [length^(dim−1) × thickness]; zero for rigid bodies
  double size = 0; ///< local mesh size, or size of the rigid body [length]

  /// Returns the node of the mesh; null for other points.
  const MeshNode *mesh_node() const { return std::get_if<MeshNode>(&location); }
  /// Returns the quadrature point; null for other points.
  const QuadraturePoint<dim> *quadrature_point() const {
    return std::get_if<QuadraturePoint<dim>>(&location);
  }
  /// Returns the point of a rigid body; null for other points.
  const RigidPoint *rigid_point() const { return std::get_if<RigidPoint>(&location); }

  /// Returns the index of the rigid body of the point, if it has one.
  std::optional<unsigned int> rigid_body() const {
    return rigid_point() ? std::optional(rigid_point()->body) : std::nullopt;
  }
  /// Returns the index of the elastic body of the point, if it has one.
  std::optional<unsigned int> elastic_body() const {
    return mesh_node()          ? std::optional(mesh_node()->elastic)
           : quadrature_point() ? std::optional(quadrature_point()->elastic)
                                : std::nullopt;
  }
  /// Returns the radius of a sphere or disc centred at the point, else zero [length].
  double radius() const { return rigid_point() ? rigid_point()->radius : 0.; }
  /// Returns the supports of a quadrature point by shape values; empty for other points.
  SupportRange shape() const {
    return quadrature_point() ? quadrature_point()->shape : SupportRange();
  }
  /// Returns the supports of the traction at a quadrature point; empty for other points.
  SupportRange traction() const {
    return quadrature_point() ? quadrature_point()->traction : SupportRange();
  }
};

/// Returns the indices in Boundary::facets of the facets on both sides of a point.
template <int dim>
std::vector<unsigned int> facets_of(const ContactPoint<dim> &point) {
  std::vector<unsigned int> facets;
  if (point.opposite_facets)
    facets.push_back(*point.opposite_facets);
  if (point.own_facets)
    facets.push_back(point.own_facets->facets);
  return facets;
}

/// True if two points of rigid bodies are equal. Points of elastic bodies never are.
template <int dim>
bool are_equal_rigid_points(const ContactPoint<dim> &a, const ContactPoint<dim> &b) {
  return a.rigid_point() && b.rigid_point() && *a.rigid_point() == *b.rigid_point() &&
         a.position == b.position && a.size == b.size && a.opposite_facets == b.opposite_facets &&
         a.has_law_of(b);
}

/// List of contact points, pair by pair. Pairs of rigid bodies with equal points share their
/// storage: in a crowd, all walls have the same vertices opposite to them.
template <int dim>
class ContactPointList {
public:
  /// Returns the number of points of all pairs.
  std::size_t size() const { return n; }
  bool empty() const { return n == 0; }
  const ContactPoint<dim> &operator[](std::size_t i) const { return stored[index_in_storage(i)]; }
  /// Returns a point, also of the other pairs that share it.
  ContactPoint<dim> &operator[](std::size_t i) { return stored[index_in_storage(i)]; }
  const ContactPoint<dim> &front() const { return stored.front(); }
  const ContactPoint<dim> &back() const { return (*this)[n - 1]; }

  /// Iterates over the stored points: once over those that pairs share.
  auto begin() const { return stored.begin(); }
  auto end() const { return stored.end(); }
  auto begin() { return stored.begin(); }
  auto end() { return stored.end(); }
  /// Returns the index of point i among the stored points.
  std::size_t index_in_storage(std::size_t i) const {
    return n == stored.size() ? i : index_of_shared(i);
  }

  /// Starts a pair with at most or about this number of points.
  void start_pair(std::size_t n_expected) {
    pairs.push_back({n, stored.size()});
    stored.reserve(stored.size() + n_expected);
  }
  void push_back(const ContactPoint<dim> &point) {
    stored.push_back(point);
    ++n;
  }
  /// Ends a pair: removes its points from the storage if an earlier pair has equal points.
  void finish_pair();
  /// Frees memory beyond the stored points.
  void shrink() { stored.shrink_to_fit(); }

private:
  /// First point of a pair in the list, and its index in the storage.
  struct FirstPoint {
    std::size_t list_index, storage_index;
  };

  std::size_t index_of_shared(std::size_t i) const;

  std::vector<ContactPoint<dim>> stored;
  std::vector<FirstPoint> pairs;
  std::size_t n = 0;
};

extern template class ContactPointList<2>;
extern template class ContactPointList<3>;

} // namespace percussion
