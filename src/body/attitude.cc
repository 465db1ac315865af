#include <percussion/body/attitude.h>

#include <cmath>

namespace percussion {
namespace {

/// Composed once a step and rounded once: rounding errors would add up over many steps.
using Extended = std::array<long double, 4>;

template <typename Number>
std::array<Number, 4> multiply(const std::array<Number, 4> &a, const std::array<Number, 4> &b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
          a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

template <typename Number>
std::array<Number, 4> to_quaternion(const double *p) {
  const Number x = p[0], y = p[1], z = p[2], square = x * x + y * y + z * z;
  return {(1 - square) / (1 + square), 2 * x / (1 + square), 2 * y / (1 + square),
          2 * z / (1 + square)};
}

template <typename Number>
void to_parameters(const std::array<Number, 4> &a, double *parameters) {
  const Number length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
  // Both signs of a quaternion are the same rotation; choose the smaller angle.
  const Number factor = 1 / (a[0] + std::copysign(length, a[0]));
  for (unsigned int d = 0; d < 3; ++d)
    parameters[d] = static_cast<double>(factor * a[d + 1]);
}

/// Returns the attitude of these parameters, rotated by the Cayley map of time × Ω, as a quaternion
/// of any length.
Extended turned(double time, const double *angular_velocity, const double *parameters) {
  Extended increment{1, 0, 0, 0};
  for (unsigned int d = 0; d < 3; ++d)
    increment[d + 1] = static_cast<long double>(time) * angular_velocity[d] / 2;
  return multiply(to_quaternion<long double>(parameters), increment);
}

} // namespace

Quaternion quaternion(const double *parameters) { return to_quaternion<double>(parameters); }

void write_parameters(const Quaternion &attitude, double *parameters) {
  to_parameters(attitude, parameters);
}

Quaternion quaternion(const dealii::Tensor<1, 3> &axis, double angle) {
  const auto vector_part = std::sin(angle / 2) / axis.norm() * axis;
  return {std::cos(angle / 2), vector_part[0], vector_part[1], vector_part[2]};
}

Quaternion product(const Quaternion &a, const Quaternion &b) { return multiply(a, b); }

dealii::Tensor<2, 3> rotation_matrix(const Quaternion &a) {
  const double w = a[0], x = a[1], y = a[2], z = a[3], s = 2 / (w * w + x * x + y * y + z * z);
  return dealii::Tensor<2, 3>(
      {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
       {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
       {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}});
}

void turn(double time, const double *angular_velocity, double *parameters) {
  to_parameters(turned(time, angular_velocity, parameters), parameters);
}

dealii::Tensor<1, 3> cayley_vector(const double *initial_parameters,
                                   const double *final_parameters) {
  Extended back = to_quaternion<long double>(initial_parameters);
  for (unsigned int d = 1; d < 4; ++d)
    back[d] = -back[d];
  const Extended turn = multiply(back, to_quaternion<long double>(final_parameters));
  dealii::Tensor<1, 3> vector;
  for (unsigned int d = 0; d < 3; ++d)
    vector[d] = static_cast<double>(2 * turn[d + 1] / turn[0]);
  return vector;
}

dealii::Tensor<1, 3> rounding_of_turn(double time, const double *angular_velocity,
                                      const double *initial_parameters,
                                      const double *final_parameters) {
  Extended back = turned(time, angular_velocity, initial_parameters);
  for (unsigned int d = 1; d < 4; ++d)
    back[d] = -back[d];
  const Extended error = multiply(back, to_quaternion<long double>(final_parameters));
  dealii::Tensor<1, 3> rotation;
  for (unsigned int d = 0; d < 3; ++d)
    rotation[d] = static_cast<double>(2 * error[d + 1] / error[0]);
  return rotation;
}

} // namespace percussion
