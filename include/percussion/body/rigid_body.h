#pragma once

#include <deal.II/base/point.h>

#include <string>
#include <vector>

namespace percussion {

/// The vertices of a polygon, counter-clockwise; two for a stick.
using Outline = std::vector<dealii::Point<2>>;

/// A rigid body in the plane with the degrees of freedom (x, y, φ): displacement of the centre of
/// mass and counter-clockwise rotation since the beginning. M = diag(m, m, J), without internal
/// forces (AC24, section 5.1).
struct RigidBody {
  std::string name;        ///< as the user calls it
  double mass = 0;         ///< m [mass]
  double inertia = 0;      ///< J about the centre of mass [mass × length²]
  dealii::Point<2> centre; ///< of mass, initial position [length]
  /// Initial positions of the vertices: a polygon, convex if it may touch other bodies, or a stick.
  Outline outline;
  /// Initial positions of the points that may touch surfaces; for most bodies the vertices.
  std::vector<dealii::Point<2>> contact_points;

  static constexpr unsigned int n_dofs = 3; ///< x, y, φ
};

/// Position of a rigid body: x = centre + R(φ) (x_begin − centre_begin).
struct RigidPose {
  dealii::Point<2> centre;     ///< of mass, current position [length]
  double cosine = 1, sine = 0; ///< of φ

  RigidPose() = default;
  /// `q` points to the three degrees of freedom of the body.
  RigidPose(const RigidBody &body, const double *q);

  /// The current offset from the centre of a point with this initial offset.
  dealii::Tensor<1, 2> turned(const dealii::Tensor<1, 2> &offset) const {
    dealii::Tensor<1, 2> result;
    result[0] = cosine * offset[0] - sine * offset[1];
    result[1] = sine * offset[0] + cosine * offset[1];
    return result;
  }

  /// Current positions of the vertices.
  Outline outline(const RigidBody &body) const {
    Outline vertices;
    for (const auto &x : body.outline)
      vertices.push_back(centre + turned(x - body.centre));
    return vertices;
  }
};

/// Velocity of the point at `arm` from the centre; `v` points to the three velocities of the body.
inline dealii::Tensor<1, 2> velocity_at(const dealii::Tensor<1, 2> &arm, const double *v) {
  dealii::Tensor<1, 2> result;
  result[0] = v[0] - v[2] * arm[1];
  result[1] = v[1] + v[2] * arm[0];
  return result;
}

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

/// Why these vertices do not form a simple polygon, with vertices counted from 1; empty if they do.
/// A stick does not.
std::string polygon_problem(const Outline &outline);

/// Whether an outline is straight at a vertex, to round-off, so that the vertex is redundant.
bool lies_on_edge(const Outline &outline, unsigned int vertex);

/// Whether a simple polygon of either orientation is convex, to round-off. Vertices on an edge are
/// allowed.
bool is_convex(const Outline &outline);

} // namespace percussion
