#include "run_charts.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace percussion::report {
namespace {
/// More curves than these have shades, from the first body to the last.
constexpr std::size_t most_colours = 6;

Style style_of(const std::size_t body, const std::size_t bodies, const int run, const Runs &runs) {
  Style style;
  style.colour = static_cast<int>(body);
  style.dash = runs.is_one ? style.colour : run;
  if (bodies > most_colours) {
    style.shade = static_cast<double>(body) / static_cast<double>(bodies - 1);
    style.dash = run;
    style.thin = true;
  }
  return style;
}

/// The bodies, or some of them where they are many, and the runs where they are several.
std::vector<std::pair<std::string, Style>> legend(const Runs &runs,
                                                  const std::vector<std::string> &bodies) {
  auto entries = legend_of(runs, {});
  const std::size_t n = bodies.size(), shown = std::min<std::size_t>(n, most_colours);
  for (std::size_t k = 0; k < shown && n * runs.all.size() > 1; ++k) {
    const std::size_t body = shown == n ? k : k * (n - 1) / (shown - 1);
    Style style = style_of(body, n, 0, runs);
    style.thin = false;
    entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(k), {bodies[body], style});
  }
  return entries;
}
} // namespace

std::vector<Chart> motion_charts(const Runs &runs) {
  std::vector<Table> motions;
  std::vector<std::string> bodies;
  for (const History &run : runs.all) {
    motions.push_back(read_motions(run.folder));
    const auto names = rigid_bodies_of(motions.back());
    if (names.size() > bodies.size())
      bodies = names;
  }
  Chart chart{"rigid_bodies.png",
              {},
              "Charts over time: position and rotation of the rigid bodies.",
              "Where the bodies' centres of mass are, and how far each body has turned since the "
              "start.",
              Section::bodies};
  std::string still;
  const double degrees = 180 / std::acos(-1.);
  for (const auto &[suffix, name, unit, factor] :
       {std::tuple{".x", "position x", runs.units.length, 1.},
        {".y", "position y", runs.units.length, 1.},
        {".angle", "rotation", std::string("°"), degrees}}) {
    Panel panel = time_panel(runs, "", with_unit(name, unit));
    panel.x_range = runs.period;
    panel.height = 560;
    bool changes = false;
    for (int run = 0; run < runs.size(); ++run) {
      const auto names = rigid_bodies_of(motions[run]);
      for (std::size_t b = 0; b < names.size(); ++b) {
        if (motions[run].columns.count(names[b] + suffix) == 0)
          continue;
        auto values = motions[run][names[b] + suffix];
        for (double &value : values)
          value *= factor;
        changes = changes || std::count(values.begin(), values.end(), values.front()) <
                                 static_cast<std::ptrdiff_t>(values.size());
        panel.curves.push_back(
            {"", motions[run]["time"], std::move(values), style_of(b, bodies.size(), run, runs)});
      }
    }
    if (changes)
      chart.panels.push_back(std::move(panel));
    else
      still += (still.empty() ? "" : " and ") + std::string(name);
  }
  if (chart.panels.empty())
    return {};
  chart.panels.front().title = "Centres of mass and rotations of the rigid bodies" + runs.subject;
  chart.panels.front().legend = legend(runs, bodies);
  chart.panels.front().height += 120;
  if (!still.empty())
    chart.caption += " Without change, hence left out: " + still + ".";
  if (bodies.size() > most_colours)
    chart.caption += " Colours go from the first body to the last.";
  return {chart};
}

} // namespace percussion::report
