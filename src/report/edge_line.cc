#include "edge_line.h"

#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointLocator.h>
#include <vtkStripper.h>

#include <algorithm>

namespace percussion::report {
namespace {
/// A vertex of the edge, and whether it is one of the points.
struct Vertex {
  Vector at;
  bool marked;
};
using Loop = std::vector<Vertex>;

double distance(const Vertex &a, const Vertex &b) {
  return length({b.at[0] - a.at[0], b.at[1] - a.at[1]});
}

/// Twice the area that the loop goes round, positive if counterclockwise.
double turning(const Loop &loop) {
  double area = 0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector &a = loop[k].at, &b = loop[(k + 1) % loop.size()].at;
    area += a[0] * b[1] - a[1] * b[0];
  }
  return area;
}

bool is_marked(const Vertex &vertex) { return vertex.marked; }

/// Rotates a loop to begin at the marked vertex behind the widest stretch without one, or, where
/// another is about as wide, at the highest marked vertex.
void cut_open(Loop &loop) {
  std::rotate(loop.begin(), std::find_if(loop.begin(), loop.end(), is_marked), loop.end());
  const std::size_t n = loop.size();
  std::size_t opening = 0, highest = 0;
  double stretch = 0, widest = 0, next_widest = 0;
  for (std::size_t k = 1; k <= n; ++k) {
    stretch += distance(loop[k - 1], loop[k % n]);
    if (!loop[k % n].marked)
      continue;
    if (stretch > widest)
      opening = k % n;
    next_widest = std::max(next_widest, std::min(widest, stretch));
    widest = std::max(widest, stretch);
    if (loop[k % n].at[1] > loop[highest].at[1])
      highest = k % n;
    stretch = 0;
  }
  const std::size_t first = widest > 1.5 * next_widest ? opening : highest;
  std::rotate(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(first), loop.end());
}

/// The closed lines that the edge consists of, with the body on the left of the outer ones.
std::vector<Loop> loops_of(vtkPolyData &edge, const std::map<vtkIdType, Vector> &marked) {
  vtkNew<vtkStripper> stripper;
  stripper->SetInputData(&edge);
  stripper->SetMaximumLength(static_cast<int>(edge.GetNumberOfCells()) + 1);
  stripper->JoinContiguousSegmentsOn();
  stripper->Update();
  std::vector<Loop> loops;
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 0; c < stripper->GetOutput()->GetNumberOfCells(); ++c) {
    stripper->GetOutput()->GetCellPoints(c, ids);
    const vtkIdType n = ids->GetNumberOfIds(), first = ids->GetId(0) == ids->GetId(n - 1) ? 1 : 0;
    Loop loop;
    for (vtkIdType k = first; k < n; ++k) {
      const double *x = edge.GetPoint(ids->GetId(k));
      const auto point = marked.find(ids->GetId(k));
      const bool is_point = point != marked.end();
      loop.push_back({is_point ? point->second : Vector{x[0], x[1]}, is_point});
    }
    if (turning(loop) < 0)
      std::reverse(loop.begin(), loop.end());
    loops.push_back(loop);
  }
  return loops;
}
} // namespace

std::map<Vector, double> places_on_edge(vtkUnstructuredGrid &mesh,
                                        const std::vector<Vector> &points) {
  const auto edge = outline_of(mesh, false);
  if (edge->GetNumberOfPoints() == 0)
    return {};
  vtkNew<vtkPointLocator> locator;
  locator->SetDataSet(edge);
  locator->BuildLocator();
  std::map<vtkIdType, Vector> marked;
  std::map<Vector, double> places;
  double place = 0;
  for (const Vector &point : points) {
    const std::array<double, 3> x = {{point[0], point[1], 0}};
    double squared = 0;
    const vtkIdType id =
        locator->FindClosestPointWithinRadius(1e-5 * size_of(mesh), x.data(), squared);
    if (id >= 0)
      marked[id] = point;
  }
  for (Loop &loop : loops_of(*edge, marked)) {
    if (std::none_of(loop.begin(), loop.end(), is_marked))
      continue;
    cut_open(loop);
    // Another loop goes on behind the last one.
    for (std::size_t k = 0; k < loop.size(); ++k) {
      place += k == 0 ? 0 : distance(loop[k - 1], loop[k]);
      if (loop[k].marked)
        places[loop[k].at] = place;
    }
  }
  return places;
}

} // namespace percussion::report
