#pragma once

#include <deal.II/base/tensor.h>

#include <array>

namespace percussion {

/// Unit quaternion (w, x, y, z) = (cos φ/2, n sin φ/2): a rotation by φ about n.
using Quaternion = std::array<double, 4>;

/// Returns the quaternion of modified Rodrigues parameters n tan(φ/4).
Quaternion quaternion(const double *parameters);

/// Computes the modified Rodrigues parameters of a quaternion of any length, of norm 1 at most.
void write_parameters(const Quaternion &attitude, double *parameters);

/// Returns the quaternion of a rotation by `angle` [rad] about an axis of any nonzero length.
Quaternion quaternion(const dealii::Tensor<1, 3> &axis, double angle);

/// Returns the rotation by b, followed by the rotation by a.
Quaternion product(const Quaternion &a, const Quaternion &b);

/// Returns R of a quaternion of any nonzero length.
dealii::Tensor<2, 3> rotation_matrix(const Quaternion &attitude);

/// Rotates an attitude, given by its parameters, by the Cayley map of time × Ω, with Ω in the
/// body's frame: about Ω by 2 atan(½ time |Ω|).
void turn(double time, const double *angular_velocity, double *parameters);

/// Returns ω, in the body's frame, of the Cayley map that turns one attitude to another: time × Ω
/// of turn().
dealii::Tensor<1, 3> cayley_vector(const double *initial_parameters,
                                   const double *final_parameters);

/// Returns the rounding error of an attitude after turn() as a small rotation vector in the body's
/// frame.
dealii::Tensor<1, 3> rounding_of_turn(double time, const double *angular_velocity,
                                      const double *initial_parameters,
                                      const double *final_parameters);

} // namespace percussion
