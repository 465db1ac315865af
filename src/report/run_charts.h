#pragma once

#include <percussion/report/charts.h>
#include <percussion/report/contact_history.h>
#include <percussion/report/pictures.h>

#include <functional>

namespace percussion::report {

/// A picture of charts over the time of the runs.
struct Chart {
  std::string name; ///< of the file
  std::vector<Panel> panels;
  std::string alt, caption;
  Section section;
};

/// The runs, with names and units that the panels of all pictures share.
struct Runs {
  explicit Runs(const std::vector<History> &runs);

  const std::vector<History> &all;
  bool is_one;
  Units units;
  std::string subject;          ///< ": sliding_block, moreau-jean-fremond" behind a title
  std::array<double, 2> period; ///< from the first start to the last end

  int size() const { return static_cast<int>(all.size()); }
  const History &operator[](const int run) const { return all[run]; }
};

/// A value at each row of a run's energy.csv.
using Values = std::function<std::vector<double>(const History &)>;

/// A column of energy.csv.
Values column(const std::string &name);

/// An empty panel over time.
Panel time_panel(const Runs &runs, const std::string &title, const std::string &y_title);

/// One quantity: colour and dash both distinguish the runs; one run needs no legend.
Curve run_curve(const Runs &runs, int run, std::vector<double> values);
Panel run_panel(const Runs &runs, const std::string &title, const std::string &y_title,
                const Values &values);

/// One of several quantities, which differ in colour; their dash distinguishes the runs where there
/// are several, else it repeats what the colour shows.
Curve quantity_curve(const Runs &runs, int run, const std::string &name, int quantity,
                     std::vector<double> values);

/// The legend of several quantities of several runs: colours, then dashes. Empty for one run, whose
/// curves have labels.
std::vector<std::pair<std::string, Style>>
legend_of(const Runs &runs, const std::vector<std::pair<std::string, int>> &quantities);

/// The largest value of a curve or of all curves, at least 0; `sign` -1: the lowest, at most 0.
double largest_of(const Curve &curve, double sign = 1);
double largest_of(const Panel &panel, double sign = 1);

std::vector<Chart> energy_charts(const Runs &runs);
std::vector<Chart> contact_charts(const Runs &runs);

/// Positions and rotations of the rigid bodies.
std::vector<Chart> motion_charts(const Runs &runs);

/// Open, stick or slip in space and time.
Panel status_panel(const std::vector<double> &time, const StatusGroup &group, const Runs &runs);

} // namespace percussion::report
