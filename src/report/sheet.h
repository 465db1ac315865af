#pragma once

#include <percussion/report/axis.h>
#include <percussion/report/scene.h>

#include "scene_actors.h"
#include <optional>

class vtkRenderWindow;

namespace percussion::report {

/// What a picture of scenes side by side has besides the scenes. Pictures with equal sheets differ
/// in their scenes alone.
struct Sheet {
  std::string title, remark, bar_title;
  ArrowKey arrow_key;
  SceneFrame frame;         ///< its table of colours is left to draw_sheet
  std::optional<Axis> axis; ///< of the colours
  int label_lines = 0;      ///< above each scene
};

/// The sheet in which all the scenes have room; words are left to the caller.
Sheet sheet_for(const std::vector<Scene> &scenes);

/// The box with the strips of the grounds.
vtkBoundingBox with_grounds(const vtkBoundingBox &bodies, const std::vector<Ground> &grounds);

/// Adds the values that colour the scene; none where it is plain.
void add_values(const Scene &scene, std::vector<double> &values);

/// Draws into a window whose renderers are replaced.
void draw_sheet(vtkRenderWindow &window, const std::vector<Scene> &scenes, const Sheet &sheet);

} // namespace percussion::report
