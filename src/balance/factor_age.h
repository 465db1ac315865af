#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percussion {

/// Last correction of an interval.
struct LastCorrection {
  double reduction; ///< fraction of the residual that it has left; zero if there is none to compare
  double relative;  ///< relative residual that it has left
  double tolerance; ///< tolerance of the relative residual
};

/// Age of the factor of Â in a nonlinear balance, which is kept from step to step.
struct FactorAge {
  /// Losses of a factor with which no further step may begin.
  static constexpr double unfit = std::numeric_limits<double>::infinity();
  /// Configuration of the last computation of Â in this attempt at an interval; once it is
  /// `beginning`, it stays.
  enum class Origin { step_before, iterate, beginning };

  double length = 0;              ///< h of Â
  bool is_stale = true;           ///< true if Â must be rebuilt before the next correction
  unsigned int n_corrections = 0; ///< number of corrections with the factor
  double lost_corrections = 0;    ///< number of corrections that a new factor would have saved
  bool is_renewed = false;        ///< true if it was rebuilt at an iterate
  Origin origin = Origin::step_before;
  bool takes_definite_tangent = false; ///< true for the rest of an interval
  bool has_definite_factor = false;    ///< true if Â contains semidefinite parts of tangents
  bool has_supported_factor = false;   ///< true if Â has additions on contacts

  /// Begins an interval of length h.
  void begin(double h) {
    is_stale = is_stale || length != h || lost_corrections == unfit;
    is_renewed = false;
    origin = Origin::step_before;
  }
  /// Requests a rebuilt factor for another attempt at the interval. Returns false if it would be
  /// the same one. Iterates are astray if an element is inverted or the factor has failed.
  bool renew(bool is_astray) {
    if (origin == Origin::beginning || (origin == Origin::iterate && !is_astray && !is_stale))
      return false;
    return is_stale = true;
  }
  /// Ends an interval after this number of corrections. If cells deform so strongly in a step, the
  /// next step begins with a new tangent, because this factor would not serve it.
  void finish(std::size_t n_of_interval) {
    constexpr std::size_t max_corrections = 16;
    if (is_renewed && n_of_interval > max_corrections)
      lost_corrections = unfit;
  }

  /// Fraction of the residual that a correction with a rebuilt Â may leave.
  static constexpr double reduction_after_rebuild = 0.05;

  /// Returns the fraction of a correction that a rebuilt Â would have saved, if the correction
  /// leaves this fraction of the residual.
  static double lost_fraction(double reduction) {
    return 1. - std::log(reduction) / std::log(reduction_after_rebuild);
  }

  /// True if corrections with the factor of another step have led to an iterate far from balance,
  /// as the tangent of plastic flow does if points unload. Corrections from there may never end,
  /// also with a rebuilt factor: the attempt is repeated from the beginning.
  /// @param residuals relative residuals after each correction of the interval
  bool has_led_astray(const std::vector<double> &residuals) const {
    constexpr double large = 0.5, growth = 10.;
    return origin == Origin::step_before && residuals.back() > large &&
           residuals.back() > growth * *std::min_element(residuals.begin(), residuals.end());
  }

  /// True if a factor that is kept from step to step must be rebuilt. The losses of an ageing
  /// factor grow with each step. Its mean cost is smallest if it is kept until they equal the cost
  /// of a new one, about a dozen corrections.
  bool has_lost_too_much() const {
    constexpr double cost = 12.;
    return lost_corrections > cost;
  }

  /// True if a matrix by nodes, which is rebuilt in each step and costs as much as 4 to 8
  /// corrections, must be rebuilt again after a correction. The first one is also rebuilt if that
  /// saves more of the corrections to come: down to the tolerance, and as long as restitutions may
  /// be raised at least as many as before.
  bool must_rebuild_again(const LastCorrection &last) const {
    constexpr double slow = 0.3, cost = 7., least_of_raising = 1e-6;
    constexpr unsigned int first_to_judge = 3, last_to_be_slow = 6;
    if (last.reduction > slow && n_corrections > last_to_be_slow)
      return true;
    if (is_renewed || n_corrections < first_to_judge || last.reduction <= reduction_after_rebuild ||
        last.relative <= last.tolerance)
      return false;
    if (last.reduction >= 1.)
      return true;
    const double n_to_tolerance =
        std::log(last.tolerance / last.relative) / std::log(last.reduction);
    const double n_to_come = last.relative > least_of_raising
                                 ? std::max<double>(n_corrections, n_to_tolerance)
                                 : n_to_tolerance;
    return n_to_come * lost_fraction(last.reduction) > cost;
  }

  /// True if corrections with iterated pressures are expected to lose more than a new factor costs.
  /// Far from balance, where the residual does not decrease, they need the directions of the
  /// current volume changes.
  bool must_rebuild_for_pressures(const LastCorrection &last) const {
    constexpr double cost = 12.;
    constexpr unsigned int least_age = 8; // with additions mixing does more than a new factor
    if (has_definite_factor ||
        (has_supported_factor && last.reduction < 1. && n_corrections < least_age) ||
        last.reduction <= reduction_after_rebuild || last.relative <= last.tolerance)
      return false;
    return last.reduction >= 1. || lost_fraction(last.reduction) *
                                           std::log(last.tolerance / last.relative) /
                                           std::log(last.reduction) >
                                       cost;
  }
};

} // namespace percussion
