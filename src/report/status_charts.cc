#include "status_charts.h"

#include <percussion/report/status_history.h>

#include <cmath>

namespace percussion::report {
namespace {
/// More rows or columns than these are narrower than what can be seen.
constexpr std::size_t most_rows = 400, most_columns = 1200;
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

/// Joins neighbouring instants until there are few enough; a status wins over those before it in
/// the order open, stick, slip.
void join_columns(std::vector<double> &limits, std::vector<StatusRow> &rows) {
  const std::size_t columns = limits.size() - 1;
  const std::size_t by = (columns + most_columns - 1) / most_columns;
  if (by <= 1)
    return;
  std::vector<double> kept;
  for (std::size_t k = 0; k < columns; k += by)
    kept.push_back(limits[k]);
  kept.push_back(limits.back());
  for (StatusRow &row : rows) {
    std::vector<int> joined(kept.size() - 1, status_absent);
    for (std::size_t k = 0; k < columns; ++k)
      joined[k / by] = std::max(joined[k / by], row.statuses[k]);
    row.statuses = joined;
  }
  limits = kept;
}

/// The same for rows that are at places.
std::vector<StatusRow> joined_rows(const std::vector<StatusRow> &rows) {
  const std::size_t by = (rows.size() + most_rows - 1) / most_rows;
  std::vector<StatusRow> result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % by == 0) {
      result.push_back(rows[i]);
      continue;
    }
    auto &sum = result.back().statuses;
    for (std::size_t k = 0; k < sum.size(); ++k)
      sum[k] = std::max(sum[k], rows[i].statuses[k]);
  }
  return result;
}

Fill fill_of(const int status) {
  return status == status_slip ? Fill::middle : status == status_stick ? Fill::dark : Fill::light;
}

/// One bar for each time that a row keeps its status.
void add_bars(const StatusRow &row, const std::vector<double> &limits, const double bottom,
              const double top, std::vector<Bar> &bars) {
  for (std::size_t begin = 0, end = 0; begin < row.statuses.size(); begin = end) {
    const int status = row.statuses[begin];
    while (end < row.statuses.size() && row.statuses[end] == status)
      ++end;
    if (status != status_absent)
      bars.push_back({limits[begin], limits[end], bottom, top, fill_of(status)});
  }
}

/// Rows at places along the surface meet each other half way.
void add_places(Panel &panel, const std::vector<StatusRow> &rows,
                const std::vector<double> &limits) {
  std::vector<double> places;
  for (const StatusRow &row : rows)
    places.push_back(row.place);
  auto edges = limits_between(places);
  if (rows.size() == 1)
    edges = {places[0] - 0.5, places[0] + 0.5};
  else {
    edges.front() -= edges[1] - edges.front();
    edges.back() += edges.back() - edges[edges.size() - 2];
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    add_bars(rows[i], limits, edges[i], edges[i + 1], panel.bars);
  panel.y_range = {{edges.front(), edges.back()}};
}

/// Rows that stand one below the other, the first on top, with their names as far as there is room.
void add_names(Panel &panel, const std::vector<StatusRow> &rows,
               const std::vector<double> &limits) {
  const auto n = static_cast<double>(rows.size());
  const bool named = rows.size() <= most_names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double middle = n - static_cast<double>(i);
    const double half = named ? 0.4 : 0.5;
    add_bars(rows[i], limits, middle - half, middle + half, panel.bars);
    if (named)
      panel.rows.push_back({middle, rows[i].name});
  }
  panel.y_range = {{0.4, n + 0.6}};
  panel.y_title = named ? "" : "number of the pair of bodies";
  panel.height = named ? row_height * static_cast<int>(rows.size()) + room_around : 1400;
}

Panel status_panel(std::vector<double> limits, StatusGroup group, const Labels &labels) {
  Panel panel;
  panel.x_title = labels.time();
  panel.height = 720;
  panel.fills = {{"open", Fill::light}, {"stick", Fill::dark}, {"slip", Fill::middle}};
  join_columns(limits, group.rows);
  if (group.is_along_surface) {
    panel.y_title = with_unit("place along the edge", labels.units.length);
    add_places(panel, joined_rows(group.rows), limits);
  } else if (!group.rows.front().name.empty())
    add_names(panel, group.rows, limits);
  else {
    panel.y_title = "number of the contact point";
    add_places(panel, joined_rows(group.rows), limits);
  }
  return panel;
}
} // namespace

std::vector<Picture> draw_statuses(const std::vector<History> &runs, const Labels &labels,
                                   const std::filesystem::path &folder) {
  std::vector<Panel> panels;
  bool places = false, names = false;
  for (const History &run : runs) {
    const StatusHistory history = read_statuses(run);
    if (history.time.size() < 2)
      continue;
    for (const StatusGroup &group : history.groups) {
      panels.push_back(status_panel(limits_between(history.time), group, labels));
      Panel &panel = panels.back();
      panel.title = "Contact status" + (runs.size() > 1 ? ": " + run.label : labels.subject) +
                    (group.title.empty() ? "" : ", " + group.title);
      panel.x_range = time_range(runs);
      places = places || group.is_along_surface;
      names = names || !group.rows.front().name.empty();
    }
  }
  if (panels.empty())
    return {};
  std::string caption =
      "What each contact point did in the steps that end at the written instants, each drawn half "
      "way to the next; white: not near.";
  if (places)
    caption += " Points of an elastic body stand at their place along its undeformed edge, "
               "with the body on the left.";
  if (names)
    caption += " Points of rigid bodies are named by body and place in it; those that touch at "
               "none of the instants are left out.";
  draw_panels(panels, folder / "statuses.png");
  return {{folder / "statuses.png", caption,
           "A chart of the status of the contacts, open, stick or slip, in space and time.",
           Section::contact}};
}

} // namespace percussion::report
