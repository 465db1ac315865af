#pragma once

#include <percussion/body/system.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// Vector that moves with a link: constant in space, in the first or in the second body, or the
/// vector from the first end to the second.
template <int dim>
struct LinkVector {
  enum class Frame { space, first, second, end_to_end };
  Frame frame = Frame::space;
  dealii::Tensor<1, dim> initial = {}; ///< direction at q = 0; unused from end to end
};

/// Quantity that a coordinate of a link measures.
enum class LinkMeasure {
  product, ///< product p·s of two vectors
  length,  ///< length of a vector s
  angle    ///< angle of a vector s in a plane with the directions p and p'
};

/// Coordinate of a link: a constraint keeps it constant, a motor prescribes it, or a LinkDrive acts
/// on it. All joints are lists of such coordinates.
template <int dim>
struct LinkCoordinate {
  LinkMeasure measure = LinkMeasure::product;
  std::array<LinkVector<dim>, 3> vectors = {}; ///< s, p, p'
  bool is_held = true;                         ///< true for a constraint or a prescribed motion
  LinkDrive drive = {}; ///< `rest` is the value of a constraint, and the zero of a motor
  /// "angle", "second_angle", "displacement", "length"; empty for a constraint.
  std::string name = {};
};

/// Returns the coordinates of a link.
template <int dim>
std::vector<LinkCoordinate<dim>> coordinates_of(const Link<dim> &link);

/// Rotation vectors: one component in 2D, three in 3D.
template <int dim>
using RotationVector = dealii::Tensor<1, RigidBody<dim>::n_rotations>;

/// End of a link over a step of length h from q0 to q1. A vector a in its body changes by
///
///     R1 a − R0 a = h w × R̄ a ,
///
/// exactly. In 2D w is the rate of the angle and R̄ the rotation in the middle times sin(Δφ/2) /
/// (Δφ/2). In 3D, with ω = h Ω_θ of the Cayley map R1 = R0 (1 − ½ ω̂)⁻¹ (1 + ½ ω̂),
///
///     R̄ = ½ (R0 + R1) = R0 (1 − ½ ω̂)⁻¹ ,   w = R0 Ω_θ = T Ω_θ ,   T = R0 (1 + ½ ω̂) = R̄⁻ᵀ .
///
/// R0 Ω_θ alone would do for the energy. With T, a force f at R̄ a has the moment Tᵀ (R̄ a × f) in
/// the body's frame, whose impulse in space is R̄ Tᵀ (R̄ a × f) = R̄ a × f: angular momentum is
/// constant, too.
template <int dim>
struct LinkEndMotion {
  const LinkEnd<dim> &end;
  dealii::Tensor<1, dim> x0, x1; ///< [length]
  dealii::Tensor<1, dim> arm;    ///< initial vector from the centre of mass of a rigid body
  dealii::Tensor<2, dim> initial_rotation, final_rotation, mean_rotation; ///< R0, R1, R̄
  /// T, and the factor κ of the change of R1: δ(R1 a) = κ T δω × R1 a.
  dealii::Tensor<2, RigidBody<dim>::n_rotations> spin;
  double tangent_factor = 1;
  double size = 0;      ///< size of the numbers from which x1 is computed [length]
  double turn_size = 0; ///< size of the numbers from which R1 is computed
};

/// Force and moment about the centre of mass on the body of each end per unit of force along a
/// coordinate, in space.
template <int dim>
struct LinkWrench {
  std::array<dealii::Tensor<1, dim>, 2> force;
  std::array<RotationVector<dim>, 2> moment;

  LinkWrench &operator*=(double factor);
};

/// Coordinate over a step: x1 − x0 = h Σ (force·v_θ + moment·w) with the wrench `secant`, exactly,
/// and dx1 is the same sum of changes with the wrench `tangent`.
template <int dim>
struct CoordinateMotion {
  double begin = 0, change = 0, end = 0; ///< x0, x1 − x0, x1; angles end in (−π, π]
  double size = 0;                       ///< size of the numbers from which x1 is computed
  LinkWrench<dim> secant, tangent;
};

/// Both ends of a link over a step.
template <int dim>
class LinkMotion {
public:
  LinkMotion(const System<dim> &bodies, const Link<dim> &link, const double *q0, const double *q1);

  /// Returns the motion of a coordinate of this link.
  CoordinateMotion<dim> motion(const LinkCoordinate<dim> &coordinate) const;
  /// Returns the wrenches of a force along this direction between the ends: `secant` if
  /// `is_secant`.
  LinkWrench<dim> wrench_along(const dealii::Tensor<1, dim> &direction, bool is_secant) const;

  const std::array<LinkEndMotion<dim>, 2> ends;

private:
  struct Values {
    dealii::Tensor<1, dim> begin, end;
  };
  Values values(const LinkVector<dim> &vector) const;
  void add(const LinkVector<dim> &vector, const dealii::Tensor<1, dim> &factor, bool is_secant,
           LinkWrench<dim> &wrench) const;
  LinkWrench<dim> product_wrench(const LinkVector<dim> &s, const LinkVector<dim> &p,
                                 bool is_secant) const;
  void set_length(const LinkVector<dim> &s, CoordinateMotion<dim> &motion) const;
  void set_angle(const std::array<LinkVector<dim>, 3> &vectors,
                 CoordinateMotion<dim> &motion) const;
  double size_of(const LinkCoordinate<dim> &coordinate) const;
};

} // namespace percussion
