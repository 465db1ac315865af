#include "single_bond.h"

#include <percussion/base/instantiate.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Family of tractions t = R y with the openings w = c y, where R = diag(1, r, …): their size falls
/// with c ≥ 0, and one of them obeys the law.
template <int dim>
class OpeningFamily {
public:
  OpeningFamily(const PosedBond<dim> &b, const dealii::Tensor<2, dim> &compliance,
                const dealii::Tensor<1, dim> &free_opening, double duration)
      : bond(b), B(compliance), free(free_opening), h(duration) {}

  /// Returns the traction and opening for c, without tension where the contact presses.
  SingleBond<dim> member(double c) const {
    SingleBond<dim> solution = solve(c, false);
    if (solution.opening[0] < 0.)
      solution = solve(c, true);
    return solution;
  }
  /// Returns the size of the traction less the size by the law.
  double excess(const SingleBond<dim> &solution) const {
    BondOpening<dim> opening;
    std::copy_n(solution.opening.begin_raw(), dim, opening.begin());
    const BondStep<dim> step =
        bond_step<dim>(*bond.law, bond.damage, bond.opening, opening, h, bond.traction);
    return size(solution.traction) - equivalent_traction<dim>(*bond.law, step.traction);
  }
  double size(const dealii::Tensor<1, dim> &traction) const {
    std::array<double, dim> components;
    std::copy_n(traction.begin_raw(), dim, components.begin());
    return equivalent_traction<dim>(*bond.law, components);
  }

private:
  /// Solves (c + B R) y = free, or, if the contact presses, with its pressure in place of the
  /// normal opening.
  SingleBond<dim> solve(double c, bool presses) const {
    dealii::Tensor<2, dim> A;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        A[i][j] = B[i][j] * stiffness(j) + (i == j && !(presses && i == 0) ? c : 0.);
    const dealii::Tensor<1, dim> y = dealii::invert(A) * free;
    SingleBond<dim> solution;
    solution.holds = false;
    for (unsigned int r = 0; r < dim; ++r) {
      solution.traction[r] = stiffness(r) * y[r];
      solution.opening[r] = c * y[r];
    }
    if (presses) {
      solution.pressure = std::max(-y[0], 0.);
      solution.traction[0] = solution.opening[0] = 0.;
    }
    return solution;
  }
  double stiffness(unsigned int row) const { return row == 0 ? 1. : bond.law->shear_ratio; }

  const PosedBond<dim> &bond;
  const dealii::Tensor<2, dim> &B;
  const dealii::Tensor<1, dim> &free;
  double h;
};

} // namespace

template <int dim>
SingleBond<dim> solve_single_bond(const PosedBond<dim> &bond, const dealii::Tensor<2, dim> &B,
                                  const dealii::Tensor<1, dim> &free, double h) {
  constexpr unsigned int max_doublings = 200, max_iterations = 100;
  constexpr double tolerance = 1e-15;
  SingleBond<dim> held;
  held.traction = dealii::invert(B) * free;
  const OpeningFamily<dim> family(bond, B, free, h);
  const double strength = bond.law->strength;
  if (bond.is_tie() || family.size(held.traction) <= strength)
    return held;
  // The bond opens: regula falsi (Illinois) between no opening and one that is too large.
  double low = 0, high = free.norm() / strength;
  double low_excess = family.size(held.traction) - strength, high_excess = 0;
  SingleBond<dim> solution = family.member(high);
  for (unsigned int k = 0; k < max_doublings && (high_excess = family.excess(solution)) > 0.; ++k) {
    low = high;
    low_excess = high_excess;
    solution = family.member(high *= 2.);
  }
  int last_side = 0;
  for (unsigned int k = 0; k < max_iterations && high - low > tolerance * high && high_excess < 0.;
       ++k) {
    const double c = (low * high_excess - high * low_excess) / (high_excess - low_excess);
    solution = family.member(c);
    const double value = family.excess(solution);
    const int side = value > 0. ? 1 : -1;
    (value > 0. ? low : high) = c;
    (value > 0. ? low_excess : high_excess) = value;
    if (side == last_side) // the other end has stayed
      (value > 0. ? high_excess : low_excess) *= 0.5;
    last_side = side;
  }
  return solution;
}

PERCUSSION_INSTANTIATE(solve_single_bond);

} // namespace percussion
