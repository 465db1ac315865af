#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/base/expression.h>

#include <array>
#include <vector>

namespace percussion {

template <int dim>
class ElasticBody;
struct Region;

/// Pressure on the deformed faces of a region of an elastic body, a load that follows the body
/// (BBDM24 (2.20), (2.21)). In a configuration x its nodal force is −p a(x) with
///
///     a_i(x) = ∫ N_i n da × thickness ,   n da = x,ξ × x,η dξ dη   (2D: the edge turned by −90°),
///
/// with the current circumference 2 π r in place of the thickness if the body is axisymmetric,
///
/// and the force of a step is −p times the mean of a over the straight path from q0 to q1. Its work
/// is then −p times the volume that the faces sweep, exactly: n da is a polynomial in the path
/// parameter, of degree dim − 1 (2 in axisymmetric bodies), and two points of Gauss integrate it.
/// On a closed surface a is the gradient of the enclosed volume V, and a constant pressure has the
/// potential p V. The same holds if the edges of the region move only in planes, lines in 2D,
/// through the origin, such as planes of symmetry: faces in these planes that close the surface
/// contribute nothing to V.
template <int dim>
class FollowerPressure {
public:
  /// Selects the faces of a region, which must be faces of the boundary. The pressure [stress] is
  /// positive if it compresses the body, and depends on time only.
  FollowerPressure(const ElasticBody<dim> &body, const Region &region, Expression pressure);

  /// Returns p(t) [stress].
  double pressure(double t) const { return formula(t); }

  /// Adds the force of pressure p on a step from q0 to q1. If q0 and q1 are the same vector, this
  /// is the force in that configuration.
  void add_force(double p, const Vector &q0, const Vector &q1, Vector &force) const;

  /// Returns V = ∫ x · n da × thickness / dim over the faces, with 2 π r / 3 in axisymmetric
  /// bodies: the enclosed volume if they are closed [length^dim × thickness].
  double volume(const Vector &q) const;

  /// Largest number of degrees of freedom of a face.
  static constexpr unsigned int max_dofs = dim * (1u << (dim - 1));
  /// Returns the number of faces.
  unsigned int n_faces() const { return static_cast<unsigned int>(faces.size()); }
  /// Returns the degrees of freedom of a face, node by node.
  const std::vector<unsigned int> &dofs(unsigned int face) const { return faces[face].dofs; }
  /// Computes the derivative of the force with respect to q1, a nonsymmetric matrix over the
  /// degrees of freedom of a face, row by row.
  void face_tangent(unsigned int face, double p, const Vector &q0, const Vector &q1,
                    double *tangent) const;

private:
  static constexpr unsigned int max_nodes = 1u << (dim - 1);
  using Positions = std::array<dealii::Tensor<1, dim>, max_nodes>;
  /// Face with its nodes in an order that makes n da point outwards.
  struct Face {
    std::vector<unsigned int> dofs;
    Positions nodes;  ///< undeformed positions
    double thickness; ///< out-of-plane size, unless the body is axisymmetric [length]
  };
  /// Quadrature point: shape values and slopes in the directions of the face.
  struct Point {
    double weight;
    std::array<double, max_nodes> value;
    std::array<std::array<double, max_nodes>, dim - 1> slope;
  };
  using Tangents = std::array<dealii::Tensor<1, dim>, dim - 1>;

  std::vector<Point> face_points(unsigned int n_nodes) const;
  static Tangents tangents(const Point &point, const Positions &x, unsigned int n_nodes);
  Positions position(const Face &face, double s, const Vector &q0, const Vector &q1) const;
  double out_of_plane_size(const Face &face, const Point &point, const Positions &x) const;

  Expression formula;
  bool is_axisymmetric;
  std::vector<Face> faces;
  std::vector<Point> points;
};

} // namespace percussion
