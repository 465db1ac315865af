#pragma once

#include <percussion/body/polyhedron.h>

#include <deal.II/base/point.h>
#include <deal.II/base/symmetric_tensor.h>

#include <array>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace percussion {

/// Vertices of a polygon, counter-clockwise; two for a stick.
using Outline = std::vector<dealii::Point<2>>;

/// Convex piece of a 2D body: a polygon, a stick, or a disc, whose only vertex is its centre.
struct PlanePiece {
  unsigned int n_vertices; ///< number of consecutive vertices in the body's outline, which lists
                           ///< its pieces in order
  double radius = 0;       ///< radius of a disc [length]
};

/// Inertia about the centre of mass: J in 2D, the tensor in 3D [mass × length²].
template <int dim>
using Inertia = std::conditional_t<dim == 2, double, dealii::SymmetricTensor<2, dim>>;

/// Rigid body. Its first degrees of freedom are the displacement of the centre of mass. In 2D the
/// third is the counter-clockwise rotation φ since the start, and M = diag(m, m, J) (AC24, section
/// 5.1). In 3D the velocities are the velocity of the centre and the angular velocity Ω in the
/// body's frame, which is initially parallel to the axes: M = diag(m 1, I) is constant. q contains
/// the attitude as n tan(φ/4), for a rotation φ ≤ π about n (modified Rodrigues parameters).
template <int dim>
struct RigidBody {
  std::string name;          ///< chosen by the user
  double mass = 0;           ///< m [mass]
  Inertia<dim> inertia{};    ///< about the centre of mass, in the body's frame
  dealii::Point<dim> centre; ///< centre of mass, initial position [length]
  /// Initial positions of the vertices: in 2D a polygon, convex if it may touch other bodies, a
  /// stick, or the vertices of all pieces.
  std::vector<dealii::Point<dim>> outline;
  /// In 2D, the convex pieces of the body; empty for a single polygon or stick.
  std::vector<PlanePiece> pieces;
  /// In 2D, the initial positions of the points, except of discs, that may touch surfaces; for most
  /// bodies the vertices.
  std::vector<dealii::Point<dim>> contact_points;
  /// In 3D, the convex shapes that form the body, in its initial position. The outline has their
  /// vertices, one shape after the other.
  std::vector<ConvexShape> shapes;

  static constexpr unsigned int n_rotations = dim * (dim - 1) / 2;
  static constexpr unsigned int n_dofs = dim + n_rotations; ///< x, y, φ, or x, y, z, Ω

  /// Time at which the body appears [time]: before, it stays at rest and touches no other body.
  double appears = -std::numeric_limits<double>::infinity();
  double appearing_window = 0; ///< length of the window after this time in which the first step may
                               ///< begin [time]
  std::array<double, n_dofs> appearing_velocity{}; ///< velocities with which the body appears

  /// Returns the largest radius of a disc or sphere; 0 without one [length].
  double largest_radius() const;
};

/// Returns the convex pieces of a body in 2D, one or more.
std::vector<PlanePiece> pieces_of(const RigidBody<2> &body);

/// Adds the pieces and the mass of a second body.
void weld(RigidBody<2> &body, const RigidBody<2> &piece);
void weld(RigidBody<3> &body, const RigidBody<3> &piece);

/// Position of a rigid body: x = centre + R (x_begin − centre_begin).
template <int dim>
struct RigidPose {
  dealii::Point<dim> centre;       ///< centre of mass, current position [length]
  dealii::Tensor<2, dim> rotation; ///< R

  /// Creates a pose at the origin, without rotation.
  RigidPose() {
    for (unsigned int d = 0; d < dim; ++d)
      rotation[d][d] = 1;
  }
  /// Reads the pose from the degrees of freedom of the body, which begin at `q`.
  RigidPose(const RigidBody<dim> &body, const double *q);

  /// Returns the current offset from the centre of a point with this initial offset.
  dealii::Tensor<1, dim> turned(const dealii::Tensor<1, dim> &offset) const {
    return rotation * offset;
  }

  /// Returns the current position of a point of the body with initial position `begin`.
  dealii::Point<dim> position(const RigidBody<dim> &body, const dealii::Point<dim> &begin) const {
    return centre + turned(begin - body.centre);
  }

  /// Returns the initial position of the point of the body at the current position x.
  dealii::Point<dim> initial_position(const RigidBody<dim> &body,
                                      const dealii::Point<dim> &x) const {
    return body.centre + transpose(rotation) * (x - centre);
  }

  /// Returns the current positions of the vertices.
  std::vector<dealii::Point<dim>> outline(const RigidBody<dim> &body) const {
    std::vector<dealii::Point<dim>> vertices;
    for (const auto &x : body.outline)
      vertices.push_back(position(body, x));
    return vertices;
  }

  /// Returns the velocity of the point at `arm` from the centre per unit of each rotational
  /// velocity.
  std::array<dealii::Tensor<1, dim>, RigidBody<dim>::n_rotations>
  turning(const dealii::Tensor<1, dim> &arm) const;

  /// Returns the velocity of the point at `arm` from the centre; `v` points to the velocities of
  /// the body.
  dealii::Tensor<1, dim> velocity(const dealii::Tensor<1, dim> &arm, const double *v) const {
    dealii::Tensor<1, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = v[d];
    const auto turns = turning(arm);
    for (unsigned int r = 0; r < turns.size(); ++r)
      result += v[dim + r] * turns[r];
    return result;
  }
};

/// Returns a 3D body made of convex shapes of homogeneous density, which do not overlap.
RigidBody<3> solid_body(std::string name, double density, std::vector<ConvexShape> shapes);

/// Moves the degrees of freedom q of a body over a time with constant velocities v: to q + time ×
/// v, except for the attitude in 3D, R ← R (1 − ½ Ω̂ time)⁻¹ (1 + ½ Ω̂ time). This Cayley map
/// preserves the angular momentum in 3D (Austin, Krishnaprasad & Wang 1993).
template <int dim>
void move_body(double time, const double *v, double *q);

/// Returns the area of a simple polygon [length²], negative if its vertices are in clockwise order.
double signed_area(const Outline &outline);

/// Properties of a shape with homogeneous density.
struct ShapeProperties {
  double size;             ///< area [length²]; length of a stick [length]
  dealii::Point<2> centre; ///< centre of mass
  /// ∫ r² about the centre [length⁴]; [length³] for a stick. J = m × second_moment / size.
  double second_moment;
};
/// Returns the properties of a simple polygon of either orientation, or of a stick.
ShapeProperties shape_properties(const Outline &outline);
/// Returns the properties of a disc.
ShapeProperties disc_properties(const dealii::Point<2> &centre, double radius);

/// Returns the reason why these vertices do not form a simple polygon, with vertices counted from
/// 1; empty if they do. A stick does not.
std::string polygon_problem(const Outline &outline);

/// Returns true if an outline is straight at a vertex, to round-off, so that the vertex is
/// redundant.
bool lies_on_edge(const Outline &outline, unsigned int vertex);

/// Returns true if a simple polygon of either orientation is convex, to round-off. Vertices on an
/// edge are allowed.
bool is_convex(const Outline &outline);

} // namespace percussion
