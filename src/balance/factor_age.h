#pragma once

#include <limits>

namespace percussion {

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
};

} // namespace percussion
