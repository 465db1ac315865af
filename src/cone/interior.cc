#include <percussion/cone/interior.h>
#include <percussion/cone/residual.h>

#include "body_system.h"
#include "full_system.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

using local::Block;
using local::Vector;

template <int d>
double tangential_norm(const Vector<d> &x) {
  double square = 0.;
  for (std::size_t k = 1; k < d; ++k)
    square += x[k] * x[k];
  return std::sqrt(square);
}

/// x_N² − ‖x_T‖², the product of the eigenvalues in the Jordan algebra of the Lorentz cone.
template <int d>
double determinant(const Vector<d> &x) {
  const double t = tangential_norm<d>(x);
  return (x[0] - t) * (x[0] + t);
}

template <int d>
double dot(const Vector<d> &x, const Vector<d> &y) {
  double sum = 0.;
  for (std::size_t k = 0; k < d; ++k)
    sum += x[k] * y[k];
  return sum;
}

/// x ∘ y = (x · y, x_N y_T + y_N x_T).
template <int d>
Vector<d> product(const Vector<d> &x, const Vector<d> &y) {
  Vector<d> z;
  z[0] = dot<d>(x, y);
  for (std::size_t k = 1; k < d; ++k)
    z[k] = x[0] * y[k] + y[0] * x[k];
  return z;
}

/// The z of λ ∘ z = b.
template <int d>
Vector<d> quotient(const Vector<d> &b, const Vector<d> &lambda) {
  Vector<d> z;
  z[0] = 2. * lambda[0] * b[0] - dot<d>(lambda, b);
  z[0] /= determinant<d>(lambda);
  for (std::size_t k = 1; k < d; ++k)
    z[k] = (b[k] - z[0] * lambda[k]) / lambda[0];
  return z;
}

/// The longest step from x along dx that stays in the cone, if shorter than the limit.
template <int d>
double longest_step(const Vector<d> &x, const Vector<d> &dx, double limit) {
  double a = dx[0] * dx[0], b = x[0] * dx[0];
  for (std::size_t k = 1; k < d; ++k) {
    a -= dx[k] * dx[k];
    b -= x[k] * dx[k];
  }
  const double c = determinant<d>(x), root = b * b - a * c; // of a s² + 2 b s + c
  if (root >= 0. && (a < 0. || b < 0.)) {
    const double s = b < 0. ? c / (-b + std::sqrt(root)) : (-b - std::sqrt(root)) / a;
    if (s >= 0.)
      limit = std::min(limit, s);
  }
  if (dx[0] < 0.)
    limit = std::min(limit, -x[0] / dx[0]);
  return limit;
}

/// The scaling N of Nesterov and Todd, symmetric, with N y = N⁻¹ x = λ.
template <int d>
struct Scaling {
  double eta = 1.;
  Vector<d> w{};

  Scaling() = default;
  Scaling(const Vector<d> &x, const Vector<d> &y) {
    const double dx = std::sqrt(determinant<d>(x)), dy = std::sqrt(determinant<d>(y));
    eta = std::sqrt(dx / dy);
    const double gamma = std::sqrt(0.5 * (1. + dot<d>(x, y) / (dx * dy)));
    for (std::size_t k = 0; k < d; ++k)
      w[k] = (x[k] / dx + (k == 0 ? 1. : -1.) * y[k] / dy) / (2. * gamma);
  }
  /// N z or N⁻¹ z.
  Vector<d> times(const Vector<d> &z, bool inverse) const {
    const double s = inverse ? -1. : 1., factor = inverse ? 1. / eta : eta;
    double along = 0.;
    for (std::size_t k = 1; k < d; ++k)
      along += w[k] * z[k];
    Vector<d> r;
    r[0] = factor * (w[0] * z[0] + s * along);
    for (std::size_t k = 1; k < d; ++k)
      r[k] = factor * (z[k] + w[k] * (s * z[0] + along / (1. + w[0])));
    return r;
  }
  /// N⁻².
  Block<d> inverse_square() const {
    Block<d> theta;
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t l = 0; l < d; ++l)
        theta[k][l] = (2. * w[k] * w[l] * ((k == 0) == (l == 0) ? 1. : -1.) -
                       (k == l ? (k == 0 ? 1. : -1.) : 0.)) /
                      (eta * eta);
    return theta;
  }
};

template <int d>
class InteriorPoint {
public:
  InteriorPoint(const FrictionContactProblem &posed, InteriorPath path)
      : problem(posed), is_careful(path == InteriorPath::careful), n(posed.n_contacts), factor(n),
        x(n), y(n), dx(n), dy(n), defect(n), target(n), coupling(n), scaling(n), theta(n) {
    double largest = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      set_factor(i);
      for (std::size_t k = 0; k < d; ++k)
        largest = std::max(largest, std::abs(factor[i][k] * problem.q[d * i + k]));
    }
    for (std::size_t i = 0; i < n; ++i)
      x[i][0] = y[i][0] = largest > 0. ? largest : 1.;
  }

  void percussions(std::vector<double> &p) const {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        p[d * i + k] = factor[i][k] * x[i][k];
  }

  /// A predictor and a corrector, with the same factors. False if that fails.
  bool iterate() {
    constexpr double short_step = 0.3, very_short_step = 0.2, long_step = 0.7;
    linearise();
    if (!factorise() && damping < largest_damping) {
      damping *= 10.; // singular to round-off
      return true;
    }
    const double gap = mean_product(0.);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        target[i][k] = -y[i][k];
    if (!find_direction())
      return false;
    const double affine = longest(1.);
    const double ratio = std::max(0., mean_product(affine) / gap);
    const bool recentre = length < very_short_step;
    const double wanted =
        recentre ? 0.8 * gap : std::min(1., std::max(1e-6, ratio * ratio * ratio)) * gap;
    correct(is_careful ? std::max(wanted, std::min(1.5 * gap, least_product())) : wanted,
            recentre ? 0. : 1.);
    if (!find_direction())
      return false;
    const double margin = std::min(0.1, std::max(1e-4, 0.1 * (1. - affine)));
    length = std::min(1., (1. - margin) * longest(1e9));
    if (length < short_step)
      damping = std::min(largest_damping, 10. * damping);
    else if (length > long_step)
      damping = std::max(least_damping, 0.3 * damping);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k) {
        x[i][k] += length * dx[i][k];
        y[i][k] += length * dy[i][k];
      }
    return true;
  }

private:
  static constexpr double least_damping = 1e-8, largest_damping = 1e-2; ///< of W_ii of order one

  /// p = factor x and y = factor u + …, which give W_ii a mean diagonal of one. Without friction
  /// only normal components take part.
  void set_factor(std::size_t i) {
    const Block<d> W_ii = delassus::diagonal_block<d>(problem, i);
    const double mu = problem.mu[i];
    double trace = mu > 0. ? W_ii[0][0] / (mu * mu) : d * W_ii[0][0];
    for (std::size_t k = 1; k < d && mu > 0.; ++k)
      trace += W_ii[k][k];
    const double scale = trace > 0. ? std::sqrt(d / trace) : 1.;
    factor[i].fill(mu > 0. ? scale : 0.);
    factor[i][0] = mu > 0. ? scale / mu : scale;
  }

  /// The defect W x + q + ‖y_T‖ n − y, the scaling, and the derivative of ‖y_T‖, or of the term
  /// that replaces it.
  void linearise() {
    constexpr double smoothing = 0.25;
    std::vector<double> p(d * n), u;
    percussions(p);
    delassus::velocities<d>(problem, p, u);
    for (std::size_t i = 0; i < n; ++i) {
      scaling[i] = Scaling<d>(x[i], y[i]);
      theta[i] = scaling[i].inverse_square();
      const double speed = tangential_norm<d>(y[i]);
      const double normal = is_careful ? y[i][0] : 0., share = is_careful ? 0.5 : 1.;
      const double term = std::sqrt(share * (speed * speed + normal * normal));
      const double smooth = is_careful
                                ? term / (0.9 * share)
                                : std::sqrt(speed * speed + smoothing * determinant<d>(y[i]));
      for (std::size_t k = 0; k < d; ++k) {
        defect[i][k] = factor[i][k] * u[d * i + k] - y[i][k];
        coupling[i][k] = (k > 0 || is_careful) && smooth > 0. ? y[i][k] / smooth : 0.;
      }
      if (problem.mu[i] > 0.)
        defect[i][0] += term;
      else
        coupling[i] = {};
    }
  }

  /// Of W + (1 − n tᵀ) Θ, where dy = target − Θ dx and t is the derivative of ‖y_T‖.
  double entry(std::size_t i, std::size_t k, std::size_t j, std::size_t l, const double *block,
               std::size_t stride) const {
    const double sum = factor[i][k] * block[k * stride + l] * factor[j][l];
    return i == j ? sum + own_entry(i, k, l) : sum;
  }

  double own_entry(std::size_t i, std::size_t k, std::size_t l) const {
    double sum = theta[i][k][l] + (k == l ? damping : 0.);
    for (std::size_t m = 0; m < d && k == 0; ++m)
      sum -= coupling[i][m] * theta[i][m][l];
    return sum;
  }

  /// Of W, or in the space of the bodies. False if it is singular to round-off.
  bool factorise() {
    by_bodies = d == 3 && problem.bodies.n_bodies > 0;
    if constexpr (d == 3)
      if (by_bodies) {
        std::vector<BodySystem::Contact> contacts(n);
        for (std::size_t i = 0; i < n; ++i) {
          contacts[i].size = d;
          for (std::size_t k = 0; k < d; ++k) {
            contacts[i].test[k][k] = contacts[i].basis[k][k] = factor[i][k];
            for (std::size_t l = 0; l < d; ++l)
              contacts[i].own[k][l] = own_entry(i, k, l);
          }
        }
        return bodies.factorise(problem.bodies, contacts);
      }
    return factorise_full<d>(
        problem,
        [this](std::size_t i, std::size_t k, std::size_t j, std::size_t l, const double *block,
               std::size_t stride) { return entry(i, k, j, l, block, stride); },
        system);
  }

  bool solve(std::vector<double> &b) const {
    return by_bodies ? bodies.solve(problem.bodies, b) : system.solve(b);
  }

  /// The targets of the corrector, from the direction of the predictor.
  void correct(double gap, double second_order) {
    for (std::size_t i = 0; i < n; ++i) {
      Vector<d> b = product<d>(scaling[i].times(dx[i], true), scaling[i].times(dy[i], false));
      for (double &component : b)
        component *= -second_order;
      b[0] += gap;
      target[i] = scaling[i].times(quotient<d>(b, scaling[i].times(y[i], false)), true);
      for (std::size_t k = 0; k < d; ++k)
        target[i][k] -= y[i][k];
    }
  }

  bool find_direction() {
    std::vector<double> b(d * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < d; ++k)
        b[d * i + k] = target[i][k] - defect[i][k];
      b[d * i] -= dot<d>(coupling[i], target[i]);
    }
    if (!solve(b))
      return false;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k) {
        dx[i][k] = b[d * i + k];
        dy[i][k] = target[i][k];
        for (std::size_t l = 0; l < d; ++l)
          dy[i][k] -= theta[i][k][l] * b[d * i + l];
      }
    return true;
  }

  double longest(double limit) const {
    for (std::size_t i = 0; i < n; ++i) {
      limit = longest_step<d>(x[i], dx[i], limit);
      limit = longest_step<d>(y[i], dy[i], limit);
    }
    return limit;
  }

  /// Mean of x · y after a step.
  double mean_product(double step) const {
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        sum += (x[i][k] + step * dx[i][k]) * (y[i][k] + step * dy[i][k]);
    return sum / static_cast<double>(n);
  }

  /// Of x · y, in proportion to the defect: where x · y vanishes before it, statuses are stuck.
  double least_product() const {
    double x_sum = 0., square = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      x_sum += x[i][0];
      square += dot<d>(defect[i], defect[i]);
    }
    const double mean = 1. / static_cast<double>(n);
    return 0.003 * mean * x_sum * std::sqrt(mean * square);
  }

  const FrictionContactProblem &problem;
  bool is_careful;
  std::size_t n;
  std::vector<Vector<d>> factor, x, y, dx, dy, defect, target, coupling;
  std::vector<Scaling<d>> scaling;
  std::vector<Block<d>> theta;
  double damping = least_damping, length = 1.;
  LinearSystem system;
  BodySystem bodies;
  bool by_bodies = false;
};

} // namespace

template <int d>
unsigned int interior_point(const FrictionContactProblem &problem, double tolerance,
                            unsigned int max_iterations, const Deadline &deadline,
                            std::vector<double> &p, InteriorPath path) {
  constexpr unsigned int patience = 15; // iterations without progress
  double least = natural_map_residual(problem, p);
  double own = std::numeric_limits<double>::infinity(), milestone = own; // not of the guess
  InteriorPoint<d> method(problem, path);
  std::vector<double> candidate = p;
  unsigned int iteration = 0, last_progress = 0;
  while (least > tolerance && iteration < max_iterations && !deadline.is_over()) {
    ++iteration;
    if (!method.iterate())
      break;
    method.percussions(candidate);
    const double residual = natural_map_residual(problem, candidate);
    if (residual < least) {
      least = residual;
      p = candidate;
    }
    own = std::min(own, residual);
    if (iteration < patience || own < 0.5 * milestone) {
      milestone = own;
      last_progress = iteration;
    }
    if (iteration - last_progress >= patience)
      break;
  }
  return iteration;
}

template unsigned int interior_point<2>(const FrictionContactProblem &, double, unsigned int,
                                        const Deadline &, std::vector<double> &, InteriorPath);
template unsigned int interior_point<3>(const FrictionContactProblem &, double, unsigned int,
                                        const Deadline &, std::vector<double> &, InteriorPath);

} // namespace percussion
