#include <percussion/material/hardening_table.h>

#include <algorithm>

namespace percussion {

HardeningTable::HardeningTable(std::vector<double> strains, std::vector<double> stresses)
    : strain(std::move(strains)), stress(std::move(stresses)) {
  strain.insert(strain.begin(), 0.);
  stress.insert(stress.begin(), 0.);
}

std::size_t HardeningTable::n_points_before(double alpha) const {
  const auto next = std::upper_bound(strain.begin() + 1, strain.end(), alpha);
  return static_cast<std::size_t>(next - strain.begin());
}

double HardeningTable::slope(double alpha) const {
  const std::size_t k = n_points_before(alpha);
  return k == strain.size() ? 0. : (stress[k] - stress[k - 1]) / (strain[k] - strain[k - 1]);
}

double HardeningTable::value(double alpha) const {
  const std::size_t k = n_points_before(alpha);
  return stress[k - 1] + slope(alpha) * (alpha - strain[k - 1]);
}

double HardeningTable::integral(double alpha, double increment) const {
  double sum = 0, length = increment;
  for (std::size_t k = n_points_before(alpha); length > 0. && k < strain.size(); ++k) {
    const double segment_length = std::min(length, strain[k] - alpha);
    sum += segment_length * (value(alpha) + 0.5 * slope(alpha) * segment_length);
    length -= segment_length;
    alpha = strain[k];
  }
  return sum + length * value(alpha);
}

} // namespace percussion
