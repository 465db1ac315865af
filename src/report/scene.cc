#include <percussion/report/colour_bar.h>
#include <percussion/report/png.h>

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include "scene_actors.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace percussion::report {
namespace {
constexpr int title_size = 30, text_size = 26;
constexpr int title_band = 110, bar_band = 270, line_height = 36, margin = 40;

/// What holds all the scenes; the colours are left to the caller.
SceneFrame frame_of(const std::vector<Scene> &scenes) {
  SceneFrame frame;
  for (const Scene &scene : scenes)
    frame.bodies.AddBox(box_of(scene));
  vtkBoundingBox box = frame.bodies;
  for (const Scene &scene : scenes)
    for (const Ground &ground : scene.grounds)
      for (const auto &corner : ground_strip(ground, frame.bodies))
        box.AddPoint(corner[0], corner[1], corner[2]);
  frame.view = choose_view(box);
  return frame;
}

/// The picture's height that leaves the body no empty space, within reason.
int picture_height(const View &view) {
  const double body_width = picture_width - bar_band - 2 * margin;
  const double body_height = body_width * view.height / view.width;
  return std::clamp(static_cast<int>(body_height) + title_band + 2 * margin, 620, 1500);
}

/// The range of the field that colours the scenes, as an axis.
Axis axis_of(const std::vector<Scene> &scenes) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Scene &scene : scenes) {
    std::array<double, 2> range = {{0, 1}};
    vtkDataArray *values = scene.body->GetPointData()->GetArray(scene.field.c_str());
    if (values == nullptr)
      values = scene.body->GetCellData()->GetArray(scene.field.c_str());
    values->GetFiniteRange(range.data());
    low = std::min(low, range[0]);
    high = std::max(high, range[1]);
  }
  return linear_axis(low, high, 8);
}

/// A renderer that fills a rectangle of the window, given in pixels.
vtkSmartPointer<vtkRenderer> add_renderer(vtkRenderWindow &window, const int left, const int bottom,
                                          const int right, const int top) {
  auto renderer = vtkSmartPointer<vtkRenderer>::New();
  const double width = window.GetSize()[0], height = window.GetSize()[1];
  renderer->SetViewport(left / width, bottom / height, right / width, top / height);
  renderer->SetBackground(1, 1, 1);
  window.AddRenderer(renderer);
  return renderer;
}

/// Panels of equal size in rows, each under a label.
struct Grid {
  int columns, rows, label_band;
  Canvas panel;

  int row_height() const { return label_band + panel.height; }
};

/// The largest panels that leave the picture a height within reason.
Grid choose_grid(const int count, const int label_band, const View &view, const int width) {
  constexpr int highest = 1800, panel_margin = 16;
  Grid grid{};
  for (int columns = 1; columns <= std::min(count, 12); ++columns) {
    const int rows = (count + columns - 1) / columns;
    if ((count + rows - 1) / rows < columns)
      continue; // as many rows as with fewer columns
    const int panel_width = width / columns;
    const double share = view.height / view.width;
    const int height = static_cast<int>((panel_width - 2 * panel_margin) * share);
    const int panel_height =
        std::clamp(height + 2 * panel_margin, 120, highest / rows - label_band);
    grid = {columns, rows, label_band, {panel_width, panel_height, panel_margin}};
    if (height + 2 * panel_margin <= panel_height)
      break;
  }
  return grid;
}

/// The scene in its place below `top`, with its title and remark above it.
void add_panel(vtkRenderWindow &window, const Scene &scene, const SceneFrame &frame,
               const Grid &grid, const int place, const int top) {
  const int left = place % grid.columns * grid.panel.width, right = left + grid.panel.width;
  const int label_top = top - place / grid.columns * grid.row_height();
  const int panel_top = label_top - grid.label_band;
  const auto label = add_renderer(window, left, panel_top, right, label_top);
  const auto panel = add_renderer(window, left, panel_top - grid.panel.height, right, panel_top);
  const int bottom_line = scene.remark.empty() ? line_height : 2 * line_height;
  add_text(*label, scene.title, text_size, false, grid.panel.margin, bottom_line);
  add_text(*label, scene.remark, text_size, false, grid.panel.margin, line_height);
  add_scene(*panel, scene, frame, grid.panel);
}
} // namespace

void draw_scene(const Scene &scene, const std::filesystem::path &file) {
  SceneFrame frame = frame_of({scene});
  const int height = picture_height(frame.view);
  const Canvas canvas = {picture_width - bar_band, height - title_band, margin};
  vtkNew<vtkRenderWindow> window;
  prepare_picture(*window, picture_width, height);
  const auto body = add_renderer(*window, 0, 0, canvas.width, canvas.height);
  const auto side = add_renderer(*window, canvas.width, 0, picture_width, canvas.height);
  const auto head = add_renderer(*window, 0, canvas.height, picture_width, height);

  const Axis axis = axis_of({scene});
  const auto table = viridis(axis.low, axis.high);
  frame.table = table;
  add_scene(*body, scene, frame, canvas);
  add_colour_bar(*side, *table, axis, scene.bar_title, canvas.height);
  add_text(*head, scene.title, title_size, true, margin, title_band - 16);
  add_text(*head, scene.remark, text_size, false, margin, title_band - 60);
  write_png(*window, file);
}

void draw_scenes(const std::vector<Scene> &scenes, const std::string &title,
                 const std::string &remark, const std::filesystem::path &file) {
  const bool coloured = !scenes.front().field.empty();
  const bool remarks = std::any_of(scenes.begin(), scenes.end(),
                                   [](const Scene &scene) { return !scene.remark.empty(); });
  SceneFrame frame = frame_of(scenes);
  const int width = picture_width - (coloured ? bar_band : 0);
  const Grid grid = choose_grid(static_cast<int>(scenes.size()),
                                (remarks ? 2 : 1) * line_height + 14, frame.view, width);
  const int height = std::max(grid.rows * grid.row_height(), coloured ? 500 : 0) + title_band;
  vtkNew<vtkRenderWindow> window;
  prepare_picture(*window, picture_width, height);
  add_renderer(*window, 0, 0, picture_width, height); // white where no panel is
  vtkSmartPointer<vtkLookupTable> table;
  if (coloured) {
    const Axis axis = axis_of(scenes);
    table = viridis(axis.low, axis.high);
    frame.table = table;
    const auto side = add_renderer(*window, width, 0, picture_width, height - title_band);
    add_colour_bar(*side, *table, axis, scenes.front().bar_title, height - title_band);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i)
    add_panel(*window, scenes[i], frame, grid, static_cast<int>(i), height - title_band);
  const auto head = add_renderer(*window, 0, height - title_band, picture_width, height);
  add_text(*head, title, title_size, true, margin, title_band - 16);
  add_text(*head, remark, text_size, false, margin, title_band - 60);
  write_png(*window, file);
}

} // namespace percussion::report
