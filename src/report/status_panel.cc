#include "run_charts.h"

namespace percussion::report {
namespace {
constexpr std::size_t most_names = 80;
constexpr int row_height = 36, room_around = 260;

/// Where one ends and the next begins: half way, and the ends themselves.
std::vector<double> limits_between(const std::vector<double> &values) {
  std::vector<double> limits = {values.front()};
  for (std::size_t i = 1; i < values.size(); ++i)
    limits.push_back((values[i - 1] + values[i]) / 2);
  limits.push_back(values.back());
  return limits;
}

/// One bar for each time that a row keeps its status.
void add_bars(const StatusRow &row, const std::vector<double> &limits, const double bottom,
              const double top, std::vector<Bar> &bars) {
  for (std::size_t begin = 0, end = 0; begin < row.statuses.size(); begin = end) {
    const int status = row.statuses[begin];
    while (end < row.statuses.size() && row.statuses[end] == status)
      ++end;
    const Fill fill = status == status_slip    ? Fill::middle
                      : status == status_stick ? Fill::dark
                                               : Fill::light;
    if (status != status_absent)
      bars.push_back({limits[begin], limits[end], bottom, top, fill});
  }
}

/// Rows at places along the surface, each half way to the next.
void add_places(Panel &panel, const std::vector<StatusRow> &rows,
                const std::vector<double> &limits) {
  std::vector<double> places;
  for (const StatusRow &row : rows)
    places.push_back(row.place);
  auto edges = limits_between(places);
  const std::size_t n = rows.size();
  const double first = n == 1 ? 0.5 : edges[1] - edges[0];
  const double last = n == 1 ? 0.5 : edges[n] - edges[n - 1];
  edges.front() -= first;
  edges.back() += last;
  for (std::size_t i = 0; i < n; ++i)
    add_bars(rows[i], limits, edges[i], edges[i + 1], panel.bars);
  panel.y_range = {{edges.front(), edges.back()}};
}

/// Rows one below the other, the first on top, with their names where there is room.
void add_names(Panel &panel, const std::vector<StatusRow> &rows,
               const std::vector<double> &limits) {
  const auto n = static_cast<double>(rows.size());
  const bool named = rows.size() <= most_names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double middle = n - static_cast<double>(i), half = named ? 0.4 : 0.5;
    add_bars(rows[i], limits, middle - half, middle + half, panel.bars);
    if (named)
      panel.rows.push_back({middle, rows[i].name});
  }
  panel.y_range = {{0.4, n + 0.6}};
  panel.y_title = named ? "" : "number of the pair of bodies";
  panel.height = named ? row_height * static_cast<int>(rows.size()) + room_around : 1400;
}
} // namespace

Panel status_panel(const std::vector<double> &time, const StatusGroup &group, const Runs &runs) {
  Panel panel =
      time_panel(runs, "",
                 group.is_along_surface ? with_unit("place along the edge", runs.units.length)
                                        : "number of the contact point");
  panel.height = 720;
  panel.x_range = runs.period;
  panel.fills = {{"open", Fill::light}, {"stick", Fill::dark}, {"slip", Fill::middle}};
  (group.rows.front().name.empty() ? add_places : add_names)(panel, group.rows,
                                                             limits_between(time));
  return panel;
}

} // namespace percussion::report
