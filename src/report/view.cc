#include "view.h"

#include <vtkActor.h>
#include <vtkCamera.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion::report {
namespace {
using Vector = std::array<double, 3>;

double dot(const Vector &a, const Vector &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector &a, const Vector &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector unit(const Vector &a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}
} // namespace

std::vector<Vector> ground_strip(const Ground &ground, const vtkBoundingBox &box) {
  const Vector along = {ground.normal[1], -ground.normal[0], 0};
  double begin = std::numeric_limits<double>::infinity(), end = -begin;
  for (int corner = 0; corner < 4; ++corner) {
    Vector point{};
    box.GetCorner(corner, point.data());
    const double place =
        (point[0] - ground.point[0]) * along[0] + (point[1] - ground.point[1]) * along[1];
    begin = std::min(begin, place);
    end = std::max(end, place);
  }
  const double room = 0.03 * box.GetMaxLength(), depth = 0.02 * box.GetMaxLength();
  std::vector<Vector> corners;
  for (const auto &[place, below] :
       {std::pair{begin - room, 0.}, {end + room, 0.}, {end + room, depth}, {begin - room, depth}})
    corners.push_back({ground.point[0] + place * along[0] - below * ground.normal[0],
                       ground.point[1] + place * along[1] - below * ground.normal[1],
                       ground.point[2]});
  return corners;
}

View choose_view(const vtkBoundingBox &box) {
  View view{};
  const bool plane = box.GetLength(2) < 1e-9 * box.GetMaxLength();
  view.toward = plane ? Vector{0, 0, 1} : unit({0.55, -1, 0.5});
  view.right = unit(cross(plane ? Vector{0, 1, 0} : Vector{0, 0, 1}, view.toward));
  view.up = cross(view.toward, view.right);
  box.GetCenter(view.centre.data());
  for (int corner = 0; corner < 8; ++corner) {
    Vector point{};
    box.GetCorner(corner, point.data());
    for (int c = 0; c < 3; ++c)
      point[c] -= view.centre[c];
    view.width = std::max(view.width, 2 * std::abs(dot(point, view.right)));
    view.height = std::max(view.height, 2 * std::abs(dot(point, view.up)));
    view.depth = std::max(view.depth, 2 * std::abs(dot(point, view.toward)));
  }
  // A stick alone has no width.
  view.width = std::max(view.width, 0.02 * box.GetMaxLength());
  view.height = std::max(view.height, 0.02 * box.GetMaxLength());
  return view;
}

double size_of_pixel(const View &view, const Canvas &canvas) {
  return std::max(view.width / (canvas.width - 2. * canvas.margin),
                  view.height / (canvas.height - 2. * canvas.margin));
}

void aim(vtkCamera &camera, const View &view, const Canvas &canvas) {
  const double diameter = std::hypot(view.width, view.height, view.depth);
  Vector eye{};
  for (int c = 0; c < 3; ++c)
    eye[c] = view.centre[c] + 2 * diameter * view.toward[c];
  camera.ParallelProjectionOn();
  camera.SetFocalPoint(view.centre.data());
  camera.SetPosition(eye.data());
  camera.SetViewUp(view.up.data());
  camera.SetParallelScale(size_of_pixel(view, canvas) * canvas.height / 2);
  camera.SetClippingRange(0.5 * diameter, 4 * diameter);
}

void lift(vtkActor &actor, const View &view, const double share) {
  const double distance = share * std::max(view.width, view.height);
  actor.SetPosition(distance * view.toward[0], distance * view.toward[1],
                    distance * view.toward[2]);
}

} // namespace percussion::report
