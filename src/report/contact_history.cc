#include <percussion/base/error.h>
#include <percussion/report/axis.h>
#include <percussion/report/contact_history.h>

#include <vtkDataArray.h>
#include <vtkPointData.h>

#include "edge_line.h"
#include <algorithm>
#include <set>
#include <tuple>

namespace percussion::report {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t most_points_of_rigid_bodies = 24;

/// Whose point, which contact, what it may touch, and where the point is in the undeformed body.
struct Key {
  int pair, body, obstacle;
  Vector point;

  bool operator<(const Key &other) const {
    return std::tie(pair, body, obstacle, point) <
           std::tie(other.pair, other.body, other.obstacle, other.point);
  }
};

using Statuses = std::map<Key, std::vector<int>>;

/// Adds the statuses of instant k of n; returns the largest pressure. Files may list no point at
/// all, and have no fields then.
double add_instant(const Instant &instant, const std::size_t k, const std::size_t n,
                   Statuses &all) {
  const vtkIdType points = instant.mesh->GetNumberOfPoints();
  const auto number = [&](const char *name, const vtkIdType i) {
    return instant.point_field(name).GetComponent(i, 0);
  };
  const auto integer = [&](const char *name, const vtkIdType i) {
    return static_cast<int>(number(name, i));
  };
  double largest = 0;
  for (vtkIdType i = 0; i < points; ++i) {
    const double *x = instant.mesh->GetPoint(i);
    const Key key{integer("pair", i), integer("body", i), integer("obstacle", i), {x[0], x[1]}};
    auto &row = all.insert({key, std::vector<int>(n, status_absent)}).first->second;
    row[k] = std::max(row[k], integer("status", i));
    largest = std::max(largest, number("pressure", i));
  }
  return largest;
}

bool ever_touches(const std::vector<int> &statuses) {
  return *std::max_element(statuses.begin(), statuses.end()) > status_open;
}

std::string name_of(const std::vector<std::string> &names, const int body) {
  if (body == 0)
    return "elastic body";
  const auto index = static_cast<std::size_t>(body) - 1;
  return index < names.size() ? names[index] : "body " + std::to_string(body);
}

/// The points of an elastic body that one contact has, in the order of their places on the edge;
/// where one of them has none, by their numbers.
StatusGroup elastic_group(const Statuses &statuses, vtkUnstructuredGrid *mesh) {
  std::vector<Vector> points;
  for (const auto &[key, row] : statuses)
    points.push_back(key.point);
  const auto places = mesh == nullptr ? std::map<Vector, double>{} : places_on_edge(*mesh, points);
  StatusGroup group;
  group.is_along_surface = places.size() == statuses.size();
  for (const auto &[key, row] : statuses) {
    const auto number = static_cast<double>(group.rows.size() + 1);
    group.rows.push_back({"", group.is_along_surface ? places.at(key.point) : number, row});
  }
  std::sort(group.rows.begin(), group.rows.end(),
            [](const StatusRow &a, const StatusRow &b) { return a.place < b.place; });
  return group;
}

/// Rows of what rigid bodies do, each named by what touches what.
StatusGroup rigid_group(const Statuses &statuses, const std::vector<std::string> &names) {
  std::size_t count = 0;
  std::set<int> surfaces;
  for (const auto &[key, row] : statuses) {
    count += ever_touches(row) ? 1 : 0;
    if (key.obstacle == 0)
      surfaces.insert(key.pair);
  }
  const bool by_point = count <= most_points_of_rigid_bodies;
  std::map<std::tuple<int, int, int, Vector>, StatusRow> rows; // surfaces first
  for (const auto &[key, row] : statuses) {
    if (!ever_touches(row))
      continue;
    const bool on_surface = key.obstacle == 0;
    const int touched = std::max(key.obstacle, 0); // −1: faces of an elastic body
    const auto [low, high] = std::minmax(key.body, touched);
    std::string name = name_of(names, on_surface ? key.body : low);
    if (!on_surface)
      name += " – " + name_of(names, high);
    else
      name += " – surface" + (surfaces.size() > 1 ? " " + std::to_string(key.pair + 1) : "");
    if (by_point)
      name += " (" + short_number(key.point[0]) + ", " + short_number(key.point[1]) + ")";
    auto &sum =
        rows.insert({{on_surface ? key.pair : 1 << 20, low, high, by_point ? key.point : Vector{}},
                     {name, 0, std::vector<int>(row.size(), status_absent)}})
            .first->second;
    for (std::size_t k = 0; k < row.size(); ++k)
      sum.statuses[k] = std::max(sum.statuses[k], row[k]);
  }
  StatusGroup group;
  for (auto &[key, row] : rows)
    group.rows.push_back(std::move(row));
  return group;
}
} // namespace

ContactHistory read_contact_history(const History &run) {
  ContactHistory history;
  if (!fs::exists(run.folder / "contacts.pvd"))
    return history;
  const auto series = read_series(run.folder / "contacts.pvd");
  Statuses all;
  for (std::size_t k = 0; k < series.size(); ++k) {
    history.time.push_back(series[k].time);
    history.pressure.push_back(add_instant(read_instant(series[k]), k, series.size(), all));
  }
  std::map<std::pair<int, int>, Statuses> elastic;
  Statuses rigid;
  for (auto &[key, row] : all)
    (key.body == 0 ? elastic[{key.pair, key.obstacle}] : rigid)[key] = std::move(row);
  Mesh mesh;
  if (!elastic.empty() && fs::exists(run.folder / "solution.pvd"))
    mesh = read_instant(read_series(run.folder / "solution.pvd").front()).mesh;
  const auto names = rigid_bodies_of(read_motions(run.folder));
  for (const auto &[key, statuses] : elastic) {
    history.groups.push_back(elastic_group(statuses, mesh));
    const std::string on = key.second > 0
                               ? name_of(names, key.second)
                               : (key.second < 0 ? "faces, contact " : "surface, contact ") +
                                     std::to_string(key.first + 1);
    if (elastic.size() > 1 || !rigid.empty())
      history.groups.back().title = "elastic body on " + on;
  }
  StatusGroup group = rigid_group(rigid, names);
  if (!elastic.empty())
    group.title = "rigid bodies";
  if (!group.rows.empty())
    history.groups.push_back(std::move(group));
  return history;
}

} // namespace percussion::report
