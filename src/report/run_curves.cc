#include "run_curves.h"

namespace percussion::report {

Labels labels_of(const std::vector<History> &runs) {
  Labels labels;
  labels.units = parse_units(runs.front().remark("units"));
  if (runs.size() == 1)
    for (const char *key : {"case", "scheme"}) {
      const std::string text = runs.front().remark(key);
      if (!text.empty())
        labels.subject += (labels.subject.empty() ? ": " : ", ") + text;
    }
  return labels;
}

Curve make_curve(const std::vector<History> &runs, const int run, const std::string &name,
                 std::vector<double> values, const int quantity) {
  Curve curve;
  curve.x = runs[run]["time"];
  curve.y = std::move(values);
  curve.label = runs.size() == 1 ? name : "";
  curve.style.colour = quantity;
  curve.style.dash = runs.size() == 1 ? quantity : run;
  return curve;
}

std::vector<std::pair<std::string, Style>>
legend_of(const std::vector<History> &runs,
          const std::vector<std::pair<std::string, int>> &quantities) {
  std::vector<std::pair<std::string, Style>> legend;
  if (runs.size() == 1)
    return legend;
  for (const auto &[name, quantity] : quantities) {
    Style style;
    style.colour = quantity;
    legend.emplace_back(name, style);
  }
  for (std::size_t run = 0; run < runs.size(); ++run) {
    Style style;
    style.colour = any_colour;
    style.dash = static_cast<int>(run);
    legend.emplace_back(runs[run].label, style);
  }
  return legend;
}

Curve make_run_curve(const std::vector<History> &runs, const int run, std::vector<double> values) {
  Curve curve = make_curve(runs, run, "", std::move(values), run);
  curve.label = runs.size() == 1 ? "" : runs[run].label;
  curve.style.dash = run;
  return curve;
}

std::array<double, 2> time_range(const std::vector<History> &runs) {
  std::array<double, 2> range = {{runs.front()["time"].front(), runs.front()["time"].back()}};
  for (const History &run : runs) {
    range[0] = std::min(range[0], run["time"].front());
    range[1] = std::max(range[1], run["time"].back());
  }
  return range;
}

} // namespace percussion::report
