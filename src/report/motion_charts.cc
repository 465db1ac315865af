#include "motion_charts.h"

#include <percussion/report/table.h>

#include <cmath>

namespace percussion::report {
namespace {
/// More curves than these are told apart by their place in a row of colours.
constexpr std::size_t most_colours = 6;

/// What the bodies of a run do: its table, and their names in their order.
struct Motions {
  Table table;
  std::vector<std::string> bodies;
};

Motions read_motions(const History &run) {
  Motions motions;
  const auto file = run.folder / "rigid_bodies.csv";
  if (!std::filesystem::exists(file))
    return motions;
  motions.table = read_table(file, {"step", "time"});
  for (const std::string &column : motions.table.names)
    if (column.size() > 2 && column.compare(column.size() - 2, 2, ".x") == 0)
      motions.bodies.push_back(column.substr(0, column.size() - 2));
  return motions;
}

Style style_of(const std::size_t body, const std::size_t bodies, const std::size_t run,
               const std::size_t runs) {
  Style style;
  style.colour = static_cast<int>(body);
  style.dash = static_cast<int>(runs > 1 ? run : body);
  if (bodies > most_colours) {
    style.shade = static_cast<double>(body) / static_cast<double>(bodies - 1);
    style.dash = static_cast<int>(run);
    style.thin = true;
  }
  return style;
}

/// The bodies, or some of them where they are many, and the runs where they are several.
std::vector<std::pair<std::string, Style>> legend(const std::vector<History> &runs,
                                                  const std::vector<std::string> &bodies) {
  std::vector<std::pair<std::string, Style>> entries;
  const std::size_t n = bodies.size(), shown = std::min<std::size_t>(n, most_colours);
  for (std::size_t k = 0; k < shown && n * runs.size() > 1; ++k) {
    const std::size_t body = shown == n ? k : k * (n - 1) / (shown - 1);
    Style style = style_of(body, n, 0, runs.size());
    style.thin = false;
    entries.emplace_back(bodies[body], style);
  }
  for (const auto &entry : legend_of(runs, {}))
    entries.push_back(entry);
  return entries;
}

bool changes(const std::vector<double> &values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high > *low;
}
} // namespace

std::vector<Picture> draw_motions(const std::vector<History> &runs, const Labels &labels,
                                  const std::filesystem::path &folder) {
  std::vector<Motions> motions;
  std::vector<std::string> bodies;
  for (const History &run : runs) {
    motions.push_back(read_motions(run));
    if (motions.back().bodies.size() > bodies.size())
      bodies = motions.back().bodies;
  }
  const double degrees = 180 / std::acos(-1.);
  std::vector<Panel> panels;
  std::string still;
  for (const auto &[suffix, name, unit, factor] :
       {std::tuple{".x", "position x", labels.units.length, 1.},
        {".y", "position y", labels.units.length, 1.},
        {".angle", "rotation", std::string("°"), degrees}}) {
    Panel panel;
    panel.y_title = with_unit(name, unit);
    panel.x_title = labels.time();
    panel.x_range = time_range(runs);
    panel.height = 560;
    bool any = false;
    for (std::size_t run = 0; run < runs.size(); ++run)
      for (std::size_t b = 0; b < motions[run].bodies.size(); ++b) {
        const auto found = motions[run].table.columns.find(motions[run].bodies[b] + suffix);
        if (found == motions[run].table.columns.end())
          continue;
        const double scale = factor;
        any = any || changes(found->second);
        panel.curves.push_back({"", motions[run].table.columns.at("time"),
                                mapped(found->second, [=](double value) { return scale * value; }),
                                style_of(b, bodies.size(), run, runs.size())});
      }
    if (any)
      panels.push_back(std::move(panel));
    else
      still += (still.empty() ? "" : " and ") + std::string(name);
  }
  if (panels.empty())
    return {};
  panels.front().title = "Centres of mass and rotations of the rigid bodies" + labels.subject;
  panels.front().legend = legend(runs, bodies);
  panels.front().height += 120;
  draw_panels(panels, folder / "rigid_bodies.png");
  return {
      {folder / "rigid_bodies.png",
       "Where the bodies' centres of mass are, and how far each body has turned since the start." +
           (still.empty() ? "" : " Without change, hence left out: " + still + ".") +
           (bodies.size() > most_colours ? " Colours go from the first body to the last."
                                         : std::string()),
       "Charts over time: position and rotation of the rigid bodies.", Section::bodies}};
}

} // namespace percussion::report
