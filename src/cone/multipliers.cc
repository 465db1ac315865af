#include <percussion/cone/multipliers.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>

#include "body_system.h"
#include "delassus_operator.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

using local::Block;
using Values = std::vector<double>;

/// Projects x on the Coulomb cone. Returns the derivative.
Block<3> project(double mu, double *x) {
  Block<3> derivative{};
  const double t = std::hypot(x[1], x[2]);
  if (x[0] >= 0. && t <= mu * x[0]) {
    for (std::size_t k = 0; k < 3; ++k)
      derivative[k][k] = 1.;
    return derivative;
  }
  const double scale = 1. + mu * mu, axial = (x[0] + mu * t) / scale;
  if (axial <= 0.) {
    std::fill_n(x, 3, 0.);
    return derivative;
  }
  const double c = t > 0. ? x[1] / t : 0., s = t > 0. ? x[2] / t : 0.;
  const double edge[3] = {1., mu * c, mu * s}, tangential[3] = {0., -s, c};
  const double turn = t > 0. ? mu * axial / t : 0.;
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] = axial * edge[k];
    for (std::size_t l = 0; l < 3; ++l)
      derivative[k][l] = edge[k] * edge[l] / scale + turn * tangential[k] * tangential[l];
  }
  return derivative;
}

class AugmentedLagrangian {
public:
  AugmentedLagrangian(const FrictionContactProblem &contact_problem, const Values &start)
      : problem(contact_problem), bodies(*DelassusOperator<3>(problem).bodies()),
        n(problem.n_contacts), diagonal(DelassusOperator<3>(problem).mean_diagonals()), s(n, 0.),
        p(start), projected(3 * n), response(n) {
    masses.factorise(bodies, std::vector<Block<3>>(n));
    v = impulses(p);
    masses.substitute(v);
    u = velocities(v);
    for (std::size_t row = 0; row < u.size(); ++row)
      u[row] += problem.q[row];
  }

  /// Computes v of the current p, s and ε, so that W p + q differs from u by less than `accuracy`.
  /// Returns false on failure, with the previous v.
  bool minimise(double epsilon, double accuracy, unsigned int max_iterations,
                unsigned int &iterations) {
    const Values old_u = u, old_v = v;
    for (unsigned int k = 0; k < max_iterations; ++k) {
      ++iterations;
      evaluate(epsilon);
      Values defect = residual;
      masses.substitute(defect);
      if (norm(velocities(defect)) <= accuracy) {
        p = projected;
        return true;
      }
      if (!search(epsilon))
        break;
    }
    u = old_u;
    v = old_v;
    return false;
  }

  void hold_friction() {
    for (std::size_t i = 0; i < n; ++i)
      s[i] = problem.mu[i] * std::hypot(u[3 * i + 1], u[3 * i + 2]);
  }

  const Values &percussions() const { return p; }

private:
  /// Takes a step of Newton, as far as the residual does not increase along it.
  bool search(double epsilon) {
    constexpr unsigned int attempts = 12;
    constexpr double slope_ratio = 0.5;
    if (!system.factorise(bodies, response))
      return false;
    Values step = residual;
    for (double &entry : step)
      entry = -entry;
    system.substitute(step);
    const Values turn = velocities(step), start_u = u, start_v = v;
    const double slope = dot(residual, step);
    if (!std::isfinite(slope))
      return false;
    double step_length = 1., low = 0., high = 0.;
    for (unsigned int k = 0; k < attempts; ++k) {
      for (std::size_t row = 0; row < u.size(); ++row)
        u[row] = start_u[row] + step_length * turn[row];
      for (std::size_t r = 0; r < v.size(); ++r)
        v[r] = start_v[r] + step_length * step[r];
      evaluate(epsilon);
      const double slope_here = dot(residual, step);
      if (std::abs(slope_here) <= slope_ratio * std::abs(slope) ||
          (step_length == 1. && slope_here <= 0.))
        break;
      (slope_here > 0. ? high : low) = step_length;
      step_length = low == 0. && slope_here > 0.
                        ? step_length * std::min(0.8, std::max(0.1, -slope / (slope_here - slope)))
                        : 0.5 * (low + high);
    }
    return true;
  }

  /// Evaluates the projection, its derivative with respect to −u, and the residual M v − Hᵀ P.
  void evaluate(double epsilon) {
    for (std::size_t i = 0; i < n; ++i) {
      const double r = 1. / (epsilon * diagonal[i]);
      double *const x = &projected[3 * i];
      for (std::size_t k = 0; k < 3; ++k)
        x[k] = p[3 * i + k] - r * (u[3 * i + k] + (k == 0 ? s[i] : 0.));
      response[i] = project(problem.mu[i], x);
      for (auto &row : response[i])
        for (double &entry : row)
          entry *= r;
    }
    residual = impulses(projected);
    for (std::size_t row = 0; row < v.size(); ++row) {
      double momentum = 0.;
      for (std::size_t l = 0; l < 6; ++l)
        momentum += bodies.mass[6 * row + l] * v[row - row % 6 + l];
      residual[row] = momentum - residual[row];
    }
  }

  /// Returns H w.
  Values velocities(const Values &w) const {
    Values result;
    for (std::size_t i = 0; i < n; ++i) {
      const auto u_i = contact_velocity(bodies, i, w.data());
      result.insert(result.end(), u_i.begin(), u_i.end());
    }
    return result;
  }

  /// Returns Hᵀ x.
  Values impulses(const Values &x) const {
    Values result(n_body_velocities(problem), 0.);
    for (std::size_t i = 0; i < n; ++i)
      add_impulse(bodies, i, {x[3 * i], x[3 * i + 1], x[3 * i + 2]}, result.data());
    return result;
  }

  const FrictionContactProblem &problem;
  const ContactingBodies &bodies;
  std::size_t n;
  Values diagonal, s, p, projected;
  std::vector<Block<3>> response;
  Values u, v, residual;
  BodySystem masses, system;
};

} // namespace

unsigned int multipliers(const FrictionContactProblem &problem, double tolerance,
                         unsigned int max_iterations, const Deadline &deadline,
                         std::vector<double> &p) {
  constexpr double first_epsilon = 1e-4, least_epsilon = 1e-9, largest_epsilon = 10.;
  constexpr double useful_residual = 1e-3; // residual of a useful guess
  constexpr double slow = 0.5;             // contraction of the residual in a step
  constexpr unsigned int max_steps = 80,
                         max_step_iterations = 100; // budget of Newton iterations of a step
  if (problem.dimension != 3 || !DelassusOperator<3>(problem).rigid_bodies())
    return 0;
  const double size = 1. + norm(problem.q);
  double best_residual = natural_map_residual(problem, p), last = best_residual,
         floor = least_epsilon;
  double epsilon = first_epsilon, accuracy = 1e-2 * size;
  AugmentedLagrangian method(problem, p);
  if (best_residual < useful_residual)
    method.hold_friction(); // otherwise the best guess is s = 0
  unsigned int iterations = 0;
  for (unsigned int step = 0;
       step < max_steps && best_residual > tolerance && !deadline.is_over() &&
       iterations < max_iterations && epsilon <= largest_epsilon;
       ++step) {
    accuracy = std::min(accuracy, 0.1 * std::max(last, 0.3 * tolerance) * size);
    if (!method.minimise(epsilon, accuracy,
                         std::min(max_step_iterations, max_iterations - iterations), iterations)) {
      epsilon = floor = 10. * epsilon;
      continue;
    }
    method.hold_friction();
    const double residual = natural_map_residual(problem, method.percussions());
    if (residual < best_residual) {
      best_residual = residual;
      p = method.percussions();
    }
    if (residual > slow * last)
      epsilon = std::max(floor, 0.1 * epsilon);
    last = residual;
  }
  return iterations;
}

} // namespace percussion
