#include <percussion/fc/comparison.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace percussion::fc {
namespace {

/// Returns for each solver the ratios of the problems that it solves, ascending.
std::vector<std::vector<double>> sorted_ratios(const std::vector<std::vector<double>> &times) {
  std::vector<std::vector<double>> ratios(times.empty() ? 0 : times.front().size());
  for (const auto &row : times)
    for (std::size_t s = 0; s < row.size(); ++s)
      if (std::isfinite(row[s]))
        ratios[s].push_back(row[s] / *std::min_element(row.begin(), row.end()));
  for (auto &list : ratios)
    std::sort(list.begin(), list.end());
  return ratios;
}

} // namespace

PerformanceProfile performance_profile(const std::vector<std::vector<double>> &times) {
  for (const auto &row : times)
    if (row.size() != times.front().size() ||
        !std::all_of(row.begin(), row.end(), [](double time) { return time > 0.; }))
      throw std::invalid_argument("performance profile: a time is not positive or missing");
  const auto ratios = sorted_ratios(times);
  PerformanceProfile profile;
  profile.ratio = {1.};
  for (const auto &list : ratios)
    profile.ratio.insert(profile.ratio.end(), list.begin(), list.end());
  std::sort(profile.ratio.begin(), profile.ratio.end());
  profile.ratio.erase(std::unique(profile.ratio.begin(), profile.ratio.end()), profile.ratio.end());
  for (const auto &list : ratios) {
    std::vector<double> solved_fraction;
    for (const double ratio : profile.ratio) {
      const auto solved = std::upper_bound(list.begin(), list.end(), ratio) - list.begin();
      solved_fraction.push_back(static_cast<double>(solved) / static_cast<double>(times.size()));
    }
    profile.solved_fraction.push_back(std::move(solved_fraction));
  }
  return profile;
}

} // namespace percussion::fc
