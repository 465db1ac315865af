// When a residual of a balance counts as round-off.

#pragma once

#include "residual_measure.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace percussion {

/// Errors of the energy balance by the residuals of the iterates of an interval.
class ResidualEnergy {
public:
  /// Takes the residual of another iterate, and the magnitude of the work of its displaced joints
  /// [energy]. Energies up to `negligible` are no error. The first residual follows no correction.
  void take(const MeasuredResidual &residual, double joint_work, double negligible, bool is_first) {
    const bool is_below_bound =
        residual.relative == 0. && std::abs(residual.power) <= residual.power_round_off;
    n_below_bound = is_below_bound && !is_first ? n_below_bound + 1 : 0;
    reduced = n_below_bound < long_enough &&
              (is_first || residual.norm < largest_reduction * last.norm ||
               std::abs(residual.power) < largest_reduction * std::abs(last.power));
    negligible_power = negligible;
    last = residual;
    const double previous_work = std::exchange(last_joint_work, joint_work);
    joint_work_shrinks =
        joint_work > negligible && (is_first || joint_work < largest_reduction * previous_work);
  }

  /// True if the last correction has reduced the residual. Round-off is usually far below its
  /// bound: with stiff links and bulk moduli by any factor. A residual that a correction has
  /// reduced is the remainder of a correction, unless residuals have been below the bound for so
  /// long that a remainder would have vanished: round-off may alternate between two values.
  bool is_reduced() const { return reduced; }
  /// True if the balance is met, and another correction would not reduce the work of joints: a
  /// large joint force does work by a displacement that is round-off.
  bool is_met() const {
    return !joint_work_shrinks && (std::abs(last.power) <= negligible_power ||
                                   (std::abs(last.power) <= last.power_round_off && !reduced));
  }
  /// Returns the largest error with which the balance is met [energy].
  double accepted() const { return std::max(last.power_round_off, negligible_power); }
  /// Returns the error over the largest one with which the balance is met.
  double excess() const { return std::abs(last.power) / accepted(); }

private:
  static constexpr double largest_reduction = 0.75;
  static constexpr unsigned int long_enough = 10;

  MeasuredResidual last;
  bool reduced = true;
  unsigned int n_below_bound = 0; ///< number of successive corrections that ended in round-off
  double negligible_power = 0;
  double last_joint_work = 0; ///< magnitude of the work of displaced joints [energy]
  bool joint_work_shrinks = false;
};

} // namespace percussion
