#include "central_path.h"

#include <percussion/base/instantiate.h>
#include <percussion/cone/residual.h>

#include "lorentz.h"
#include "normal_equations.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

using namespace lorentz;

/// Distance of a point from the path, relative to τ.
struct Distance {
  double products = 0., defects = 0.;
  double smallest = 1.; ///< smallest eigenvalue of x ∘ y over τ g

  double merit() const {
    constexpr double weight = 10.;
    return std::hypot(products, weight * defects);
  }
};

/// Point of the path with τ = 1.
template <int d>
struct Origin {
  Field<d> defect;                              ///< r
  double product_size = 1., defect_square = 0.; ///< g and ‖r‖²
};

/// Newton's equations at a point, with the tangent of the path and the correction.
template <int d>
struct Linearisation {
  explicit Linearisation(std::size_t n) : coupling(n), lambda(n), scaling(n) {}

  Field<d> coupling, lambda;
  std::vector<Scaling<d>> scaling;
  Pair<d> tangent, correction;
  double square = 0., bend = 0., drift = 0.; ///< square of the tangent, its bend, and the drift of
                                             ///< the correction
};

template <int d>
class CentralPath {
public:
  CentralPath(const FrictionContactProblem &contact_problem, double smoothing)
      : problem(contact_problem), kappa(smoothing), n(contact_problem.n_contacts),
        factor(factors<d>(contact_problem)), defect(n), linear(n),
        equations(contact_problem, factor) {
    double largest = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        largest = std::max(largest, std::abs(factor[i][k] * problem.q[d * i + k]));
    Vector<d> centre{};
    centre[0] = largest > 0. ? largest : 1.;
    current.x.assign(n, centre);
    current.y.assign(n, centre);
    origin.product_size = centre[0] * centre[0];
    evaluate(current);
    origin.defect = defect;
    for (const Vector<d> &r : origin.defect)
      origin.defect_square += dot<d>(r, r);
    distance_here = distance(current, progress);
  }

  void percussions(std::vector<double> &p) const {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        p[d * i + k] = factor[i][k] * current.x[i][k];
  }

  /// Takes a step or a correction. Returns false if neither is possible.
  bool advance() {
    constexpr double least_bend = 2.; ///< smallest bend of a path that is not straight
    if (!linearise())
      return false;
    const Pair<d> start = current;
    const double start_progress = progress, merit = distance_here.merit();
    const bool is_straight = sign > 0. && linear.bend < least_bend;
    if (is_straight && wait == 0) {
      if (long_step())
        return true;
      current = start;
      progress = start_progress;
      wait = 4;
    } else if (wait > 0) {
      --wait;
    }
    const double bound = is_straight ? std::max(1., 0.15 * std::sqrt(static_cast<double>(n))) : 1.;
    return (merit < bound && step(start, start_progress, bound)) || correct(start, start_progress);
  }

  bool is_back() const { return progress < -1.; }

private:
  double tau(double path_progress) const { return std::exp(-path_progress); }

  double own_term(const Vector<d> &a, const Vector<d> &b) const {
    double sum = kappa * a[0] * b[0];
    for (std::size_t k = 1; k < d; ++k)
      sum += (1. - kappa) * a[k] * b[k];
    return sum;
  }

  /// Evaluates the defect of a point.
  void evaluate(const Pair<d> &point) {
    std::vector<double> p(d * n), u;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k)
        p[d * i + k] = factor[i][k] * point.x[i][k];
    velocities<d>(problem, p, u);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < d; ++k)
        defect[i][k] = factor[i][k] * u[d * i + k] - point.y[i][k];
      if (problem.mu[i] > 0.)
        defect[i][0] += std::sqrt(own_term(point.y[i], point.y[i]));
    }
  }

  /// Returns the distance of the point evaluated last.
  Distance distance(const Pair<d> &point, double path_progress) const {
    const double t = tau(path_progress), g = t * origin.product_size;
    Distance result;
    double defects = 0., products = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < d; ++k) {
        const double deviation = defect[i][k] - t * origin.defect[i][k];
        defects += deviation * deviation;
      }
      const double mean = dot<d>(point.x[i], point.y[i]);
      const double determinant_product = determinant<d>(point.x[i]) * determinant<d>(point.y[i]);
      const double half = std::sqrt(std::max(0., mean * mean - determinant_product));
      const double high = (mean + half) / g, low = determinant_product / (mean + half) / g;
      products += 0.5 * ((high - 1.) * (high - 1.) + (low - 1.) * (low - 1.));
      result.smallest = std::min(result.smallest, low);
    }
    result.products = std::sqrt(products);
    result.defects = std::sqrt(defects / origin.defect_square) / t;
    return result;
  }

  /// Computes the distance of the point from the path. Returns false if it is outside the cone.
  bool measure() {
    if (!current.is_inside())
      return false;
    evaluate(current);
    distance_here = distance(current, progress);
    return true;
  }

  /// Factorises at the current point, and stores the sign of the determinant. Returns false if
  /// singular.
  bool factorise() {
    for (std::size_t i = 0; i < n; ++i) {
      linear.scaling[i] = Scaling<d>(current.x[i], current.y[i]);
      linear.lambda[i] = linear.scaling[i].times(current.y[i], false);
      linear.coupling[i] = {};
      const double term = std::sqrt(own_term(current.y[i], current.y[i]));
      for (std::size_t k = 0; k < d && problem.mu[i] > 0.; ++k)
        linear.coupling[i][k] = (k == 0 ? kappa : 1. - kappa) * current.y[i][k] / term;
    }
    if (!equations.factorise(linear.scaling, linear.coupling, 0.))
      return false;
    const double determinant_sign = equations.sign_of_determinant();
    if (first_sign == 0.)
      first_sign = determinant_sign;
    sign = first_sign * determinant_sign;
    return true;
  }

  /// Computes the tangent with respect to −log τ, and the correction.
  bool linearise() {
    evaluate(current);
    if (!factorise())
      return false;
    const double t = tau(progress);
    Field<d> products(n), defects(n);
    for (std::size_t i = 0; i < n; ++i) {
      products[i][0] = -t * origin.product_size;
      for (std::size_t k = 0; k < d; ++k)
        defects[i][k] = t * origin.defect[i][k];
    }
    if (!direction(products, defects, linear.tangent))
      return false;
    linear.square = linear.bend = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      const double size_square =
          inner(i, linear.tangent, linear.tangent) / (t * origin.product_size);
      linear.square += size_square;
      linear.bend =
          std::max(linear.bend, std::sqrt(size_square)); // a single contact can make a fold
    }
    aim(1., {}, products, defects);
    if (!direction(products, defects, linear.correction))
      return false;
    double projection = 0.;
    for (std::size_t i = 0; i < n; ++i)
      projection += inner(i, linear.correction, linear.tangent) / (t * origin.product_size);
    linear.drift = -projection / (linear.square + 1.);
    linear.correction.add(linear.drift, linear.tangent);
    return true;
  }

  /// Computes the right-hand sides of a step to σ τ, less second-order products.
  void aim(double sigma, const Pair<d> &first, Field<d> &products, Field<d> &defects) const {
    const double t = sigma * tau(progress);
    for (std::size_t i = 0; i < n; ++i) {
      const Vector<d> size_square = product<d>(linear.lambda[i], linear.lambda[i]);
      Vector<d> second{};
      if (!first.x.empty())
        second = product<d>(linear.scaling[i].times(first.x[i], true),
                            linear.scaling[i].times(first.y[i], false));
      for (std::size_t k = 0; k < d; ++k) {
        products[i][k] = (k == 0 ? t * origin.product_size : 0.) - size_square[k] - second[k];
        defects[i][k] = defect[i][k] - t * origin.defect[i][k];
      }
    }
  }

  /// Computes the pair whose scaled products with λ are these, and that removes these defects.
  bool direction(const Field<d> &products, const Field<d> &defects, Pair<d> &step_direction) const {
    Field<d> target(n);
    for (std::size_t i = 0; i < n; ++i)
      target[i] = linear.scaling[i].times(quotient<d>(products[i], linear.lambda[i]), true);
    return equations.solve(target, defects, step_direction.x, step_direction.y);
  }

  /// Returns the inner product of the scaled directions of a contact.
  double inner(std::size_t i, const Pair<d> &a, const Pair<d> &b) const {
    return dot<d>(linear.scaling[i].times(a.x[i], true), linear.scaling[i].times(b.x[i], true)) +
           dot<d>(linear.scaling[i].times(a.y[i], false), linear.scaling[i].times(b.y[i], false));
  }

  /// Takes Mehrotra's step, if it stays near the path.
  bool long_step() {
    constexpr double least_length = 0.3, least_product = 0.02;
    Field<d> products(n), defects(n);
    Pair<d> step_direction;
    aim(0., {}, products, defects);
    if (!direction(products, defects, step_direction))
      return false;
    const double affine = current.longest(step_direction, 1., 1.);
    const double sigma = std::max(1e-3, (1. - affine) * (1. - affine) * (1. - affine));
    const Pair<d> first = step_direction;
    aim(sigma, first, products, defects);
    if (!direction(products, defects, step_direction))
      return false;
    const double length = std::min(1., 0.9 * current.longest(step_direction, 1., 10.));
    if (length < least_length)
      return false;
    current.add(length, step_direction);
    progress -= std::log(1. - length * (1. - sigma));
    return measure() && distance_here.defects < 1. && distance_here.smallest > least_product;
  }

  /// Computes the second derivative of the path.
  bool curvature(Pair<d> &second) const {
    const double t = tau(progress);
    Field<d> products(n), defects(n);
    for (std::size_t i = 0; i < n; ++i) {
      products[i] = product<d>(linear.scaling[i].times(linear.tangent.x[i], true),
                               linear.scaling[i].times(linear.tangent.y[i], false));
      for (std::size_t k = 0; k < d; ++k) {
        products[i][k] *= -2.;
        defects[i][k] = -t * origin.defect[i][k];
      }
      products[i][0] += t * origin.product_size;
      if (problem.mu[i] > 0.) {
        const double term = std::sqrt(own_term(current.y[i], current.y[i]));
        const double projection = own_term(linear.tangent.y[i], current.y[i]) / term;
        defects[i][0] +=
            (own_term(linear.tangent.y[i], linear.tangent.y[i]) - projection * projection) / term;
      }
    }
    return direction(products, defects, second);
  }

  /// Steps along the path, as far as the point stays near it.
  bool step(const Pair<d> &start, double start_progress, double bound) {
    constexpr double fraction = 0.9, longest = 3., smallest = 1e-3, reduction = 0.6;
    Pair<d> second;
    if (!curvature(second))
      return false;
    double length =
        std::min({fraction * start.longest(linear.tangent, sign, 1e3), longest, last_length});
    const double first_length = length;
    double corrected = 1.;
    last_length = longest;
    for (; length > smallest / std::sqrt(linear.square); length *= reduction) {
      current = start;
      current.add(corrected, linear.correction);
      current.add(sign * length, linear.tangent);
      current.add(0.5 * length * length, second);
      progress = start_progress + corrected * linear.drift + sign * length;
      if (measure() && distance_here.merit() < bound) {
        last_length = length * (length == first_length ? 4. : 2.);
        return true;
      }
      if (length < 0.1 * first_length)
        corrected *= reduction;
    }
    return false;
  }

  /// Steps towards the path.
  bool correct(const Pair<d> &start, double start_progress) {
    constexpr double fraction = 0.9, smallest = 1e-4, reduction = 0.6, decrease = 0.1;
    current = start;
    progress = start_progress;
    if (!measure())
      return false;
    const double merit = distance_here.merit();
    for (double length = std::min(1., fraction * start.longest(linear.correction, 1., 10.));
         length > smallest; length *= reduction) {
      current = start;
      current.add(length, linear.correction);
      progress = start_progress + length * linear.drift;
      if (measure() && distance_here.merit() < merit * (1. - decrease * length))
        return true;
    }
    return false;
  }

  const FrictionContactProblem &problem;
  double kappa;
  std::size_t n;
  Field<d> factor, defect;
  Origin<d> origin;
  Linearisation<d> linear;
  Pair<d> current;
  double progress = 0.; ///< −log τ
  Distance distance_here;
  double first_sign = 0., sign = 1.;                       ///< sign of the determinant
  double last_length = std::numeric_limits<double>::max(); ///< limits the next step
  unsigned int wait = 0; ///< number of steps before the next long one
  NormalEquations<d> equations;
};

} // namespace

template <int d>
unsigned int central_path(const FrictionContactProblem &problem, double kappa, double tolerance,
                          unsigned int max_factorisations, const Deadline &deadline,
                          std::vector<double> &p) {
  double smallest = std::numeric_limits<double>::infinity();
  CentralPath<d> path(problem, kappa);
  std::vector<double> candidate = p;
  unsigned int n_factorisations = 0;
  while (smallest > tolerance && n_factorisations < max_factorisations && !deadline.is_over()) {
    ++n_factorisations;
    if (!path.advance() || path.is_back())
      break;
    path.percussions(candidate);
    const double residual = natural_map_residual(problem, candidate);
    if (residual < smallest) {
      smallest = residual;
      p = candidate;
    }
  }
  return n_factorisations;
}

PERCUSSION_INSTANTIATE(central_path);

} // namespace percussion
