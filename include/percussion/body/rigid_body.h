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

/// The vertices of a polygon, counter-clockwise; two for a stick.
using Outline = std::vector<dealii::Point<2>>;

/// A convex part of a body in the plane: a polygon, a stick, or a disc, whose only vertex is its
/// centre.
struct PlanePart {
  unsigned int n_vertices; ///< in the body's outline, after those of the parts before
  double radius = 0;       ///< of a disc [length]
};

/// J about the centre of mass in the plane, the tensor in space [mass × length²].
template <int dim>
using Inertia = std::conditional_t<dim == 2, double, dealii::SymmetricTensor<2, dim>>;

/// A rigid body. Its first degrees of freedom are the displacement of the centre of mass. In the
/// plane the third is the counter-clockwise rotation φ since the beginning, and M = diag(m, m, J)
/// (AC24, section 5.1). In space the velocities are those of the centre and the angular velocity Ω
/// in the body's frame, which begins parallel to that of space: M = diag(m 1, I) is constant. The
/// attitude is in q as n tan(φ/4), for a rotation φ ≤ π about n (modified Rodrigues parameters).
template <int dim>
struct RigidBody {
  std::string name;          ///< as the user calls it
  double mass = 0;           ///< m [mass]
  Inertia<dim> inertia{};    ///< about the centre of mass, in the body's frame
  dealii::Point<dim> centre; ///< of mass, initial position [length]
  /// Initial positions of the vertices: in the plane a polygon, convex if it may touch other
  /// bodies, or a stick, or those of all parts.
  std::vector<dealii::Point<dim>> outline;
  /// In the plane, what the body is made of; empty: of one polygon or stick.
  std::vector<PlanePart> parts;
  /// In the plane, the initial positions of the points that may touch surfaces, besides discs; for
  /// most bodies the vertices.
  std::vector<dealii::Point<dim>> contact_points;
  /// In space, the convex shapes that make up the body, in its initial position. The outline has
  /// their vertices, one shape after the other.
  std::vector<ConvexShape> shapes;

  static constexpr unsigned int n_rotations = dim * (dim - 1) / 2;
  static constexpr unsigned int n_dofs = dim + n_rotations; ///< x, y, φ, or x, y, z, Ω

  /// When the body appears [time]: until then it rests where it is and touches nothing.
  double appears = -std::numeric_limits<double>::infinity();
  double appearing_window = 0; ///< a step that begins within it after that is the first [time]
  std::array<double, n_dofs> appearing_velocity{}; ///< with which it appears

  /// Largest radius of a disc or sphere; 0 without [length].
  double largest_radius() const;
};

/// The parts of a body in the plane, at least one.
std::vector<PlanePart> parts_of(const RigidBody<2> &body);

/// Add the parts of another body; their masses, too.
void weld(RigidBody<2> &body, const RigidBody<2> &part);
void weld(RigidBody<3> &body, const RigidBody<3> &part);

/// Position of a rigid body: x = centre + R (x_begin − centre_begin).
template <int dim>
struct RigidPose {
  dealii::Point<dim> centre;       ///< of mass, current position [length]
  dealii::Tensor<2, dim> rotation; ///< R

  /// At the origin, not turned.
  RigidPose() {
    for (unsigned int d = 0; d < dim; ++d)
      rotation[d][d] = 1;
  }
  /// `q` points to the degrees of freedom of the body.
  RigidPose(const RigidBody<dim> &body, const double *q);

  /// The current offset from the centre of a point with this initial offset.
  dealii::Tensor<1, dim> turned(const dealii::Tensor<1, dim> &offset) const {
    return rotation * offset;
  }

  /// The current position of a point of the body that begins at `begin`.
  dealii::Point<dim> position(const RigidBody<dim> &body, const dealii::Point<dim> &begin) const {
    return centre + turned(begin - body.centre);
  }

  /// Current positions of the vertices.
  std::vector<dealii::Point<dim>> outline(const RigidBody<dim> &body) const {
    std::vector<dealii::Point<dim>> vertices;
    for (const auto &x : body.outline)
      vertices.push_back(position(body, x));
    return vertices;
  }

  /// What each of the rotational velocities adds to the velocity of the point at `arm` from the
  /// centre.
  std::array<dealii::Tensor<1, dim>, RigidBody<dim>::n_rotations>
  turning(const dealii::Tensor<1, dim> &arm) const;

  /// Velocity of the point at `arm` from the centre; `v` points to the velocities of the body.
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

/// A body in space that is made of convex shapes of homogeneous density, which do not overlap.
RigidBody<3> solid_body(std::string name, double density, std::vector<ConvexShape> shapes);

/// Take the degrees of freedom q of a body over a time with constant velocities v: q + time × v but
/// for the attitude in space, R ← R (1 − ½ Ω̂ time)⁻¹ (1 + ½ Ω̂ time). This Cayley map keeps the
/// angular momentum in space (Austin, Krishnaprasad & Wang 1993).
template <int dim>
void move_body(double time, const double *v, double *q);

/// Area of a simple polygon [length²], negative if its vertices are in clockwise order.
double signed_area(const Outline &outline);

/// Properties of a shape with homogeneous density.
struct ShapeProperties {
  double size;             ///< area [length²]; length of a stick [length]
  dealii::Point<2> centre; ///< of mass
  /// ∫ r² about the centre [length⁴]; of a stick [length³]. J = m × second_moment / size.
  double second_moment;
};
/// For a simple polygon of either orientation, or a stick.
ShapeProperties shape_properties(const Outline &outline);
/// For a disc.
ShapeProperties disc_properties(const dealii::Point<2> &centre, double radius);

/// Why these vertices do not form a simple polygon, with vertices counted from 1; empty if they do.
/// A stick does not.
std::string polygon_problem(const Outline &outline);

/// Whether an outline is straight at a vertex, to round-off, so that the vertex is redundant.
bool lies_on_edge(const Outline &outline, unsigned int vertex);

/// Whether a simple polygon of either orientation is convex, to round-off. Vertices on an edge are
/// allowed.
bool is_convex(const Outline &outline);

} // namespace percussion
