#pragma once

#include <percussion/body/attitude.h>
#include <percussion/body/rigid_body.h>

#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <vector>

/// Rigid bodies with joints, integrated by the Runge–Kutta method from their accelerations: the
/// second derivatives of the joints' conditions determine the forces.
namespace joint_reference {

using percussion::product;
using percussion::rotation_matrix;
using Vector3 = dealii::Tensor<1, 3>;
constexpr unsigned int ground = static_cast<unsigned int>(-1);

struct Body {
  double mass;
  dealii::Tensor<2, 3> inertia;
  dealii::Point<3> initial_centre;
  Vector3 centre, velocity, spin;                       ///< spin in space
  percussion::Quaternion attitude = {{1., 0., 0., 0.}}; ///< relative to the start
};

/// Vector from a point of the first body to a point of the second, or a direction in the first.
struct Moving {
  unsigned int first, second = ground;
  Vector3 initial; ///< initial position of both points, or a direction
  bool is_between = false;
};

/// Condition p·s = constant; p is a direction in space if its body is the ground.
struct Condition {
  Moving p, s;
};

class Mechanism {
public:
  std::vector<Body> bodies;
  std::vector<Condition> conditions;
  Vector3 gravity;

  void add_ball(unsigned int a, unsigned int b, const Vector3 &point) {
    for (unsigned int d = 0; d < 3; ++d) {
      Vector3 direction;
      direction[d] = 1.;
      conditions.push_back({{ground, ground, direction, false}, {a, b, point, true}});
    }
  }
  void add_hinge(unsigned int a, unsigned int b, const Vector3 &point, const Vector3 &axis,
                 const std::array<Vector3, 2> &normals) {
    add_ball(a, b, point);
    for (const Vector3 &normal : normals)
      conditions.push_back({{a, ground, axis, false}, {b, ground, normal, false}});
  }

  /// Advances all bodies by a step of the Runge–Kutta method.
  void advance(double h) {
    const std::vector<Body> begin = bodies;
    std::vector<Body> sum = bodies;
    std::vector<Rates> rates(bodies.size());
    for (const auto &[reach, weight] : {std::pair(0., 1. / 6), std::pair(0.5, 1. / 3),
                                        std::pair(0.5, 1. / 3), std::pair(1., 1. / 6)}) {
      bodies = begin;
      for (std::size_t b = 0; b < bodies.size(); ++b)
        add(bodies[b], rates[b], reach * h);
      rates = all_rates();
      for (std::size_t b = 0; b < bodies.size(); ++b)
        add(sum[b], rates[b], weight * h);
    }
    bodies = sum;
  }

private:
  struct Rates {
    Vector3 velocity, acceleration, spin_rate;
    percussion::Quaternion attitude{};
  };
  static void add(Body &body, const Rates &rates, double h) {
    body.centre += h * rates.velocity;
    body.velocity += h * rates.acceleration;
    body.spin += h * rates.spin_rate;
    for (unsigned int i = 0; i < 4; ++i)
      body.attitude[i] += h * rates.attitude[i];
  }

  /// Value, rate and acceleration without the accelerations of the bodies of a vector.
  struct Derivatives {
    Vector3 value, rate, bias;
  };
  void add_point(unsigned int b, const Vector3 &initial, bool is_point, double sign,
                 Derivatives &sum) const {
    if (b == ground) {
      sum.value += sign * initial;
      return;
    }
    const Body &body = bodies[b];
    const Vector3 offset = is_point ? initial - body.initial_centre : initial;
    const Vector3 r = rotation_matrix(body.attitude) * offset,
                  turned = cross_product_3d(body.spin, r);
    sum.value += sign * r;
    sum.rate += sign * turned;
    sum.bias += sign * cross_product_3d(body.spin, turned);
    if (is_point) {
      sum.value += sign * body.centre;
      sum.rate += sign * body.velocity;
    }
  }
  Derivatives derivatives(const Moving &vector) const {
    Derivatives sum;
    add_point(vector.first, vector.initial, vector.is_between, vector.is_between ? -1. : 1., sum);
    if (vector.is_between)
      add_point(vector.second, vector.initial, true, 1., sum);
    return sum;
  }
  /// Adds the row of a vector times `factor` over the accelerations and spin rates.
  void add_row(const Moving &vector, const Vector3 &factor, double *row) const {
    const auto add_body = [&](unsigned int b, double sign) {
      if (b == ground)
        return;
      const Body &body = bodies[b];
      const Vector3 offset =
          vector.is_between ? vector.initial - body.initial_centre : vector.initial;
      const Vector3 moment = cross_product_3d(rotation_matrix(body.attitude) * offset, factor);
      for (unsigned int d = 0; d < 3; ++d) {
        if (vector.is_between)
          row[6 * b + d] += sign * factor[d];
        row[6 * b + 3 + d] += sign * moment[d];
      }
    };
    add_body(vector.first, vector.is_between ? -1. : 1.);
    if (vector.is_between)
      add_body(vector.second, 1.);
  }

  std::vector<Rates> all_rates() const {
    const auto n = static_cast<unsigned int>(6 * bodies.size()),
               m = static_cast<unsigned int>(conditions.size());
    std::vector<double> J(std::size_t(m) * n, 0.), weighted(std::size_t(m) * n, 0.), free(n);
    std::vector<dealii::Tensor<2, 3>> inverse;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Body &body = bodies[b];
      const auto R = rotation_matrix(body.attitude);
      const auto I = R * body.inertia * transpose(R);
      inverse.push_back(invert(I));
      const Vector3 spin_rate = inverse.back() * (-1. * cross_product_3d(body.spin, I * body.spin));
      for (unsigned int d = 0; d < 3; ++d) {
        free[6 * b + d] = gravity[d];
        free[6 * b + 3 + d] = spin_rate[d];
      }
    }
    dealii::Vector<double> defect(m), lambda(m);
    for (unsigned int r = 0; r < m; ++r) {
      const Derivatives p = derivatives(conditions[r].p), s = derivatives(conditions[r].s);
      add_row(conditions[r].s, p.value, &J[r * n]);
      add_row(conditions[r].p, s.value, &J[r * n]);
      defect[r] = -(p.bias * s.value + 2. * (p.rate * s.rate) + p.value * s.bias);
      for (unsigned int i = 0; i < n; ++i)
        defect[r] -= J[r * n + i] * free[i];
      for (std::size_t b = 0; b < bodies.size(); ++b)
        for (unsigned int d = 0; d < 3; ++d) {
          weighted[r * n + 6 * b + d] = J[r * n + 6 * b + d] / bodies[b].mass;
          for (unsigned int e = 0; e < 3; ++e)
            weighted[r * n + 6 * b + 3 + d] += inverse[b][d][e] * J[r * n + 6 * b + 3 + e];
        }
    }
    dealii::LAPACKFullMatrix<double> A(m);
    for (unsigned int r = 0; r < m; ++r)
      for (unsigned int s = 0; s < m; ++s) {
        double sum = 0;
        for (unsigned int i = 0; i < n; ++i)
          sum += J[r * n + i] * weighted[s * n + i];
        A(r, s) = sum;
      }
    if (m > 0) {
      A.compute_inverse_svd(1e-8);
      A.vmult(lambda, defect);
    }
    std::vector<Rates> all(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      Rates &rates = all[b];
      rates.velocity = bodies[b].velocity;
      for (unsigned int d = 0; d < 3; ++d) {
        rates.acceleration[d] = free[6 * b + d];
        rates.spin_rate[d] = free[6 * b + 3 + d];
        for (unsigned int r = 0; r < m; ++r) {
          rates.acceleration[d] += weighted[r * n + 6 * b + d] * lambda[r];
          rates.spin_rate[d] += weighted[r * n + 6 * b + 3 + d] * lambda[r];
        }
      }
      const Vector3 &w = bodies[b].spin;
      rates.attitude = product({{0., w[0] / 2, w[1] / 2, w[2] / 2}}, bodies[b].attitude);
    }
    return all;
  }
};

/// Returns a mechanism of the bodies of a case with their initial velocities, without joints.
template <typename Run>
Mechanism mechanism_of(const Run &run, const Vector3 &gravity) {
  Mechanism mechanism;
  mechanism.gravity = gravity;
  for (std::size_t b = 0; b < run.c.bodies->rigid.size(); ++b) {
    const auto &rigid = run.c.bodies->rigid[b];
    Body body{rigid.mass, dealii::Tensor<2, 3>(rigid.inertia), rigid.centre, rigid.centre, {}, {}};
    const double *const v = run.c.bodies->rigid_values(run.state.v, b);
    for (unsigned int d = 0; d < 3; ++d) {
      body.velocity[d] = v[d];
      body.spin[d] = v[3 + d];
    }
    mechanism.bodies.push_back(body);
  }
  return mechanism;
}

} // namespace joint_reference
