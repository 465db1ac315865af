#include "run_charts.h"
#include <algorithm>

namespace percussion::report {

Runs::Runs(const std::vector<History> &runs)
    : all(runs), is_one(runs.size() == 1),
      units(runs.front().units()), period{{runs.front()["time"].front(),
                                           runs.front()["time"].back()}} {
  for (const History &run : runs) {
    period[0] = std::min(period[0], run["time"].front());
    period[1] = std::max(period[1], run["time"].back());
  }
  for (const char *key : {"case", "scheme"}) {
    const std::string text = runs.front().remark(key);
    if (is_one && !text.empty())
      subject += (subject.empty() ? ": " : ", ") + text;
  }
}

Values column(const std::string &name) {
  return [name](const History &run) { return run[name]; };
}

Panel time_panel(const Runs &runs, const std::string &title, const std::string &y_title) {
  Panel panel;
  panel.title = title;
  panel.y_title = y_title;
  panel.x_title = with_unit("time", runs.units.time);
  return panel;
}

Curve quantity_curve(const Runs &runs, const int run, const std::string &name, const int quantity,
                     std::vector<double> values) {
  Curve curve{runs.is_one ? name : "", runs[run]["time"], std::move(values), {}};
  curve.style.colour = quantity;
  curve.style.dash = runs.is_one ? quantity : run;
  return curve;
}

Curve run_curve(const Runs &runs, const int run, std::vector<double> values) {
  Curve curve = quantity_curve(runs, run, "", run, std::move(values));
  curve.label = runs.is_one ? "" : runs[run].label;
  return curve;
}

Panel run_panel(const Runs &runs, const std::string &title, const std::string &y_title,
                const Values &values) {
  Panel panel = time_panel(runs, title, y_title);
  for (int run = 0; run < runs.size(); ++run)
    panel.curves.push_back(run_curve(runs, run, values(runs[run])));
  return panel;
}

std::vector<std::pair<std::string, Style>>
legend_of(const Runs &runs, const std::vector<std::pair<std::string, int>> &quantities) {
  std::vector<std::pair<std::string, Style>> legend;
  if (runs.is_one)
    return legend;
  for (const auto &[name, quantity] : quantities)
    legend.push_back({name, {quantity, 0}});
  for (int run = 0; run < runs.size(); ++run)
    legend.push_back({runs[run].label, {any_colour, run}});
  return legend;
}

double largest_of(const Curve &curve, const double sign) {
  double largest = 0;
  for (const double value : curve.y)
    largest = std::max(largest, sign * value);
  return sign * largest + 0.; // no negative zero
}

double largest_of(const Panel &panel, const double sign) {
  double largest = 0;
  for (const Curve &curve : panel.curves)
    largest = std::max(largest, sign * largest_of(curve, sign));
  return sign * largest + 0.;
}

std::vector<Picture> draw_histories(const std::vector<History> &histories,
                                    const std::filesystem::path &folder) {
  const Runs runs(histories);
  std::vector<Picture> pictures;
  for (const auto &charts : {energy_charts(runs), contact_charts(runs), motion_charts(runs)})
    for (const Chart &chart : charts) {
      if (chart.panels.empty())
        continue;
      draw_panels(chart.panels, folder / chart.name);
      pictures.push_back({folder / chart.name, chart.caption, chart.alt, chart.section});
    }
  return pictures;
}

} // namespace percussion::report
