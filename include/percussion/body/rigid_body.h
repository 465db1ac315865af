#pragma once

#include <deal.II/base/point.h>

#include <string>
#include <vector>

namespace percussion {

/// A polygon's vertices, counter-clockwise; two for a stick.
using Outline = std::vector<dealii::Point<2>>;

/// A rigid body in the plane with the degrees of freedom (x, y, φ): the displacement of its centre
/// of mass from where it begins and its rotation since then, counter-clockwise. M = diag(m, m, J),
/// and nothing deforms (AC24, section 5.1).
struct RigidBody {
  std::string name;        ///< as the user calls it
  double mass = 0;         ///< m [mass]
  double inertia = 0;      ///< J about the centre of mass [mass × length²]
  dealii::Point<2> centre; ///< of mass, where the body begins [length]
  /// Where the vertices begin. A polygon, convex where it shall touch other bodies; or a stick.
  Outline outline;
  /// Where the points begin that may touch surfaces: for most bodies the vertices.
  std::vector<dealii::Point<2>> contact_points;

  static constexpr unsigned int n_dofs = 3; ///< x, y, φ
};

/// Where a rigid body is: x = centre + R(φ) (x_begin − centre_begin).
struct RigidPose {
  dealii::Point<2> centre;     ///< of mass, where it is now [length]
  double cosine = 1, sine = 0; ///< of φ

  RigidPose() = default;
  /// `q` points to the body's three degrees of freedom.
  RigidPose(const RigidBody &body, const double *q);

  /// From the centre to a point that began at this offset from it.
  dealii::Tensor<1, 2> turned(const dealii::Tensor<1, 2> &offset) const {
    dealii::Tensor<1, 2> result;
    result[0] = cosine * offset[0] - sine * offset[1];
    result[1] = sine * offset[0] + cosine * offset[1];
    return result;
  }

  /// Where the body's vertices are.
  Outline outline(const RigidBody &body) const {
    Outline vertices;
    for (const auto &x : body.outline)
      vertices.push_back(centre + turned(x - body.centre));
    return vertices;
  }
};

/// Velocity of the point at `arm` from the centre; `v` points to the body's three velocities.
inline dealii::Tensor<1, 2> velocity_at(const dealii::Tensor<1, 2> &arm, const double *v) {
  dealii::Tensor<1, 2> result;
  result[0] = v[0] - v[2] * arm[1];
  result[1] = v[1] + v[2] * arm[0];
  return result;
}

/// Area of a simple polygon [length²], negative if its vertices go round clockwise.
double signed_area(const Outline &outline);

/// What follows from a shape and a homogeneous density.
struct ShapeProperties {
  double size;             ///< area [length²]; length of a stick [length]
  dealii::Point<2> centre; ///< of mass
  /// ∫ r² about the centre [length⁴]; of a stick [length³]. J = m × second_moment / size.
  double second_moment;
};
/// Of a simple polygon of either orientation, or of a stick.
ShapeProperties shape_properties(const Outline &outline);

/// Why these vertices are no simple polygon, in words that count vertices from 1; empty if they
/// are. A stick is none.
std::string polygon_problem(const Outline &outline);

/// Whether an outline goes straight on at a vertex, to round-off: it could do without it.
bool lies_on_edge(const Outline &outline, unsigned int vertex);

/// Whether no vertex of a simple polygon of either orientation points inwards, to round-off.
/// Vertices on an edge are allowed.
bool is_convex(const Outline &outline);

} // namespace percussion
