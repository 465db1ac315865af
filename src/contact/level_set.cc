#include "level_set.h"

#include <percussion/base/error.h>

#include <cmath>
#include <limits>
#include <optional>

namespace percussion {
namespace {

/// Step of finite differences, relative to the length of the formula [1]. With differences of
/// fourth order, the error of a gradient is at round-off.
constexpr double relative_step = 1e-3;

/// Formula in terms of a position, with its derivatives.
template <int dim>
class LevelFunction {
public:
  explicit LevelFunction(const LevelSet &surface)
      : level_set(surface), step(relative_step * surface.length) {}

  double operator()(const dealii::Point<dim> &x) const { return level_set.distance(0., x); }

  dealii::Tensor<1, dim> gradient(const dealii::Point<dim> &x) const {
    dealii::Tensor<1, dim> result;
    for (unsigned int d = 0; d < dim; ++d) {
      const auto value = [&](double offset) { return moved(x, d, offset); };
      result[d] = (8. * (value(step) - value(-step)) - (value(2. * step) - value(-2. * step))) /
                  (12. * step);
    }
    return result;
  }

  /// Returns the second derivatives by differences of second order: they only determine how fast
  /// Newton's method converges.
  dealii::Tensor<2, dim> hessian(const dealii::Point<dim> &x) const {
    dealii::Tensor<2, dim> result;
    for (unsigned int d = 0; d < dim; ++d) {
      result[d][d] = (moved(x, d, step) - 2. * (*this)(x) + moved(x, d, -step)) / (step * step);
      for (unsigned int e = 0; e < d; ++e) {
        const auto slope = [&](double offset) {
          auto y = x;
          y[d] += offset;
          return moved(y, e, step) - moved(y, e, -step);
        };
        result[d][e] = result[e][d] = (slope(step) - slope(-step)) / (4. * step * step);
      }
    }
    return result;
  }

private:
  double moved(dealii::Point<dim> x, unsigned int component, double offset) const {
    x[component] += offset;
    return (*this)(x);
  }

  const LevelSet &level_set;
  double step;
};

template <int dim>
dealii::Tensor<2, dim> unit_tensor() {
  dealii::Tensor<2, dim> unit;
  for (unsigned int d = 0; d < dim; ++d)
    unit[d][d] = 1.;
  return unit;
}

/// Foot point y of a position x, with x − y = λ ∇φ(y).
template <int dim>
struct FootPoint {
  dealii::Point<dim> position;
  double multiplier; ///< λ
};

/// Improves a foot point by a step of Newton's method for y − x + λ ∇φ(y) = 0 and φ(y) = 0. Returns
/// the displacement of the foot point; no value if φ has no gradient there.
template <int dim>
std::optional<dealii::Tensor<1, dim>> correct(const LevelFunction<dim> &phi,
                                              const dealii::Point<dim> &x, FootPoint<dim> &foot) {
  const dealii::Tensor<1, dim> g = phi.gradient(foot.position);
  if (!(g.norm() > 0.))
    return {};
  const dealii::Tensor<2, dim> A =
      unit_tensor<dim>() + foot.multiplier * phi.hessian(foot.position);
  // Beyond the centre of curvature the foot point is no minimum of the distance; a gradient step
  // follows.
  constexpr double least_determinant = 1e-8;
  const bool is_minimum = dealii::determinant(A) > least_determinant;
  const dealii::Tensor<2, dim> inverse = is_minimum ? dealii::invert(A) : unit_tensor<dim>();
  const dealii::Tensor<1, dim> residual = (foot.position - x) + foot.multiplier * g;
  const double change = (phi(foot.position) - g * (inverse * residual)) / (g * (inverse * g));
  const dealii::Tensor<1, dim> displacement = -(inverse * (residual + change * g));
  foot.position += displacement;
  foot.multiplier += change;
  return displacement;
}

/// Returns the foot point of x by Newton's method from a first one; no value if it does not
/// converge.
template <int dim>
std::optional<FootPoint<dim>> converged_foot_point(const LevelFunction<dim> &phi,
                                                   const dealii::Point<dim> &x,
                                                   FootPoint<dim> foot) {
  constexpr unsigned int most_steps = 40;
  constexpr double round_off = 16. * std::numeric_limits<double>::epsilon(), sufficient = 1e-10;
  double last = std::numeric_limits<double>::infinity();
  for (unsigned int k = 0; k < most_steps; ++k) {
    const auto displacement = correct(phi, x, foot);
    const double moved = displacement ? displacement->norm() : last;
    const double size = x.norm() + (x - foot.position).norm();
    if (!displacement || !std::isfinite(moved) || !std::isfinite(foot.multiplier))
      return {};
    if (moved <= round_off * size || (moved <= sufficient * size && moved > 0.5 * last))
      return foot;
    last = moved;
  }
  return {};
}

} // namespace

template <int dim>
Gap<dim> level_set_gap(const LevelSet &level_set, const dealii::Point<dim> &x) {
  const LevelFunction<dim> phi(level_set);
  const dealii::Tensor<1, dim> gradient = phi.gradient(x);
  const double slope = gradient.norm(), value = phi(x);
  if (!(slope > 0.))
    throw RunError("the surface '" + level_set.distance.formula() +
                   "' has no gradient at a contact node, hence no normal");
  const Gap<dim> estimate{value / slope, gradient / slope};
  const FootPoint<dim> first{x - estimate.distance * estimate.normal, value / (slope * slope)};
  // The error of finite differences, and round-off.
  constexpr double relative_error = 1e-10, round_off = 4. * std::numeric_limits<double>::epsilon();
  if (std::abs(phi(first.position)) <=
      relative_error * std::abs(value) + round_off * slope * (x.norm() + level_set.length))
    return estimate;
  const auto foot = converged_foot_point(phi, x, first);
  if (!foot || foot->multiplier * value < 0.)
    return estimate;
  const dealii::Tensor<1, dim> foot_gradient = phi.gradient(foot->position);
  const dealii::Tensor<1, dim> normal = foot_gradient / foot_gradient.norm();
  return {(x - foot->position) * normal, normal};
}

template Gap<2> level_set_gap(const LevelSet &, const dealii::Point<2> &);
template Gap<3> level_set_gap(const LevelSet &, const dealii::Point<3> &);

} // namespace percussion
