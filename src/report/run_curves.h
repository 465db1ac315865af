#pragma once

#include <percussion/report/charts.h>
#include <percussion/report/history.h>

#include <algorithm>

namespace percussion::report {

/// Names and units that the panels of all pictures share.
struct Labels {
  Units units;
  std::string subject; ///< ": sliding_block, moreau-jean-fremond" behind a title

  std::string time() const { return with_unit("time", units.time); }
  std::string energy(const std::string &what) const { return with_unit(what, units.energy); }
};

Labels labels_of(const std::vector<History> &runs);

/// A curve of run `run`: quantities differ in colour; their dash tells runs apart where there are
/// several, else it repeats what the colour tells. One run's curve is labelled by its quantity,
/// those of several are told by legend_of().
Curve make_curve(const std::vector<History> &runs, int run, const std::string &name,
                 std::vector<double> values, int quantity);

/// The legend of panels with several quantities of several runs: colours, then dashes.
std::vector<std::pair<std::string, Style>>
legend_of(const std::vector<History> &runs,
          const std::vector<std::pair<std::string, int>> &quantities);

/// One quantity per panel: colour and dash both tell the runs apart; one run needs no legend.
Curve make_run_curve(const std::vector<History> &runs, int run, std::vector<double> values);

/// From the first start to the last end.
std::array<double, 2> time_range(const std::vector<History> &runs);

inline bool all_zero(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](const double v) { return v == 0; });
}

template <typename Function>
std::vector<double> mapped(const std::vector<double> &values, const Function &function) {
  std::vector<double> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), function);
  return result;
}

} // namespace percussion::report
