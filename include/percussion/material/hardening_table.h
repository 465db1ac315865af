#pragma once

#include <vector>

namespace percussion {

/// Hardening stress R by a table over the equivalent plastic strain α: from (0, 0) linear between
/// the points, constant beyond the last. Without points R = 0.
class HardeningTable {
public:
  HardeningTable() = default;
  /// Takes the ascending, positive strains [1] and the stresses above the yield stress at them
  /// [stress], as many.
  HardeningTable(std::vector<double> strains, std::vector<double> stresses);

  /// Returns R(α) [stress].
  double value(double alpha) const;
  /// Returns R'(α) [stress]; at a point the slope behind it.
  double slope(double alpha) const;
  /// Returns the integral of R from α to α + Δα [stress], without differences of integrals.
  double integral(double alpha, double increment) const;

private:
  /// Returns the number of points up to α, with the point (0, 0).
  std::size_t n_points_before(double alpha) const;

  std::vector<double> strain{0.}, stress{0.};
};

} // namespace percussion
