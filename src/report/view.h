#pragma once

#include <percussion/report/scene.h>

#include <vtkBoundingBox.h>

#include <array>
#include <vector>

class vtkActor;
class vtkCamera;

namespace percussion::report {

/// A rectangle's size and the room left free along its sides, in pixels.
struct Canvas {
  int width, height, margin;
};

/// Where the camera looks from, and what it has to show.
struct View {
  std::array<double, 3> toward, up, right, centre; ///< `toward` points from the scene to the eye
  double width, height, depth;
  bool is_plane() const { return depth < 1e-6 * width; }
};

/// The corners of a strip under the ground's edge, as long as the box and a little more: the two
/// ends of the edge, then those below.
std::vector<std::array<double, 3>> ground_strip(const Ground &ground, const vtkBoundingBox &box);

/// Plane boxes are seen at a right angle, others from a corner with z upward.
View choose_view(const vtkBoundingBox &box);

/// Length units in a pixel where the view fills the canvas.
double size_of_pixel(const View &view, const Canvas &canvas);

void aim(vtkCamera &camera, const View &view, const Canvas &canvas);

/// Shifts an actor toward the eye, in parallel projection an invisible move, so that lines in the
/// plane of the body are not lost in it.
void lift(vtkActor &actor, const View &view, double share);

} // namespace percussion::report
