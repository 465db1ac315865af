#include "edge_line.h"

#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointLocator.h>
#include <vtkPolyData.h>

#include "instant.h"
#include <algorithm>
#include <cmath>

namespace percussion::report {
namespace {

/// The closed lines that the edge consists of, each as its vertices in turn.
std::vector<std::vector<vtkIdType>> loops_of(vtkPolyData &edge) {
  std::vector<std::vector<vtkIdType>> neighbours(edge.GetNumberOfPoints());
  vtkNew<vtkIdList> ends;
  for (vtkIdType c = 0; c < edge.GetNumberOfCells(); ++c) {
    edge.GetCellPoints(c, ends);
    for (vtkIdType k = 1; k < ends->GetNumberOfIds(); ++k) {
      neighbours[ends->GetId(k - 1)].push_back(ends->GetId(k));
      neighbours[ends->GetId(k)].push_back(ends->GetId(k - 1));
    }
  }
  std::vector<bool> seen(neighbours.size(), false);
  std::vector<std::vector<vtkIdType>> loops;
  for (std::size_t begin = 0; begin < neighbours.size(); ++begin) {
    std::vector<vtkIdType> loop;
    auto at = static_cast<vtkIdType>(begin);
    while (at >= 0 && !seen[at] && !neighbours[at].empty()) {
      seen[at] = true;
      loop.push_back(at);
      const auto &next = neighbours[at];
      const auto free = std::find_if(next.begin(), next.end(), [&](auto n) { return !seen[n]; });
      at = free == next.end() ? -1 : *free;
    }
    if (loop.size() > 1)
      loops.push_back(loop);
  }
  return loops;
}

std::vector<Point> points_of(vtkPolyData &edge, const std::vector<vtkIdType> &loop) {
  std::vector<Point> points(loop.size());
  for (std::size_t k = 0; k < loop.size(); ++k)
    edge.GetPoint(loop[k], points[k].data());
  return points;
}

/// Twice the area that the line goes round, positive against the clock.
double turning(const std::vector<Point> &line) {
  double area = 0;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const Point &a = line[k], &b = line[(k + 1) % line.size()];
    area += a[0] * b[1] - a[1] * b[0];
  }
  return area;
}

double distance(const Point &a, const Point &b) {
  return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

/// Where to cut a loop open: at the marked vertex behind the widest stretch without one, or, where
/// another is about as wide, at the highest marked vertex.
std::size_t opening_of(const std::vector<Point> &line, const std::vector<bool> &marked) {
  const std::size_t n = line.size();
  const std::size_t first = std::find(marked.begin(), marked.end(), true) - marked.begin();
  std::size_t opening = first, highest = first;
  double stretch = 0, widest = 0, next_widest = 0;
  for (std::size_t k = 1; k <= n; ++k) {
    const std::size_t i = (first + k) % n;
    stretch += distance(line[(i + n - 1) % n], line[i]);
    if (!marked[i])
      continue;
    if (stretch > widest) {
      next_widest = widest;
      widest = stretch;
      opening = i;
    } else
      next_widest = std::max(next_widest, stretch);
    if (line[i][1] > line[highest][1])
      highest = i;
    stretch = 0;
  }
  return widest > 1.5 * next_widest ? opening : highest;
}
} // namespace

std::map<Point, double> places_on_edge(vtkUnstructuredGrid &mesh,
                                       const std::vector<Point> &points) {
  const auto edge = elastic_outline(mesh);
  if (edge->GetNumberOfPoints() == 0)
    return {};
  const double near = 1e-5 * size_of(mesh);
  vtkNew<vtkPointLocator> locator;
  locator->SetDataSet(edge);
  locator->BuildLocator();
  std::map<vtkIdType, Point> point_at;
  for (const Point &point : points) {
    double squared = 0;
    const vtkIdType id = locator->FindClosestPointWithinRadius(near, point.data(), squared);
    if (id >= 0)
      point_at[id] = point;
  }
  std::map<Point, double> places;
  double start = 0;
  for (auto &loop : loops_of(*edge)) {
    std::vector<bool> marked;
    if (turning(points_of(*edge, loop)) < 0)
      std::reverse(loop.begin(), loop.end());
    for (const vtkIdType id : loop)
      marked.push_back(point_at.count(id) != 0);
    if (std::find(marked.begin(), marked.end(), true) == marked.end())
      continue;
    const auto line = points_of(*edge, loop);
    const std::size_t opening = opening_of(line, marked);
    double place = start;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::size_t i = (opening + k) % loop.size();
      if (k > 0)
        place += distance(line[(i + loop.size() - 1) % loop.size()], line[i]);
      if (marked[i])
        places[point_at[loop[i]]] = place;
    }
    start = place; // another loop goes on behind this one
  }
  return places;
}

} // namespace percussion::report
