#include <percussion/report/colour_bar.h>
#include <percussion/report/png.h>

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>

#include "sheet.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace percussion::report {
namespace {
constexpr int title_size = 30, text_size = 26;
constexpr int title_band = 110, bar_band = 270, line_height = 36, margin = 40;

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
  const int highest = count == 1 ? 1400 : 1800, panel_margin = count == 1 ? margin : 16;
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
  if (grid.label_band > 0) {
    const auto label = add_renderer(window, left, panel_top, right, label_top);
    const int bottom_line = scene.remark.empty() ? line_height : 2 * line_height;
    add_text(*label, scene.title, text_size, false, grid.panel.margin, bottom_line);
    add_text(*label, scene.remark, text_size, false, grid.panel.margin, line_height);
  }
  const auto panel = add_renderer(window, left, panel_top - grid.panel.height, right, panel_top);
  add_scene(*panel, scene, frame, grid.panel);
}

void add_head(vtkRenderWindow &window, const Sheet &sheet, const Grid &grid, const int bottom) {
  const auto head = add_renderer(window, 0, bottom, picture_width, bottom + title_band);
  add_text(*head, sheet.title, title_size, true, grid.panel.margin, title_band - 16);
  add_text(*head, sheet.remark, text_size, false, grid.panel.margin, title_band - 60);
  if (sheet.arrow_key.length > 0)
    add_arrow_key(*head, sheet.arrow_key, sheet.frame, size_of_pixel(sheet.frame.view, grid.panel),
                  text_size, grid.panel.margin, title_band - 74);
}
} // namespace

void add_values(const Scene &scene, std::vector<double> &values) {
  if (scene.field.empty())
    return;
  vtkDataArray *field = scene.body->GetPointData()->GetArray(scene.field.c_str());
  if (field == nullptr)
    field = scene.body->GetCellData()->GetArray(scene.field.c_str());
  for (vtkIdType i = 0; i < field->GetNumberOfTuples(); ++i)
    values.push_back(field->GetComponent(i, 0));
}

vtkBoundingBox with_grounds(const vtkBoundingBox &bodies, const std::vector<Ground> &grounds) {
  vtkBoundingBox box = bodies;
  for (const Ground &ground : grounds)
    for (const auto &corner : ground_strip(ground, bodies))
      box.AddPoint(corner[0], corner[1], corner[2]);
  return box;
}

Sheet sheet_for(const std::vector<Scene> &scenes) {
  Sheet sheet;
  std::vector<double> values;
  for (const Scene &scene : scenes) {
    sheet.frame.bodies.AddBox(box_of(scene));
    if (scene.arrows != nullptr)
      sheet.frame.most_arrows =
          std::max<std::size_t>(sheet.frame.most_arrows, scene.arrows->GetNumberOfPoints());
    add_values(scene, values);
  }
  std::vector<Ground> grounds;
  for (const Scene &scene : scenes)
    grounds.insert(grounds.end(), scene.grounds.begin(), scene.grounds.end());
  sheet.frame.view = choose_view(with_grounds(sheet.frame.bodies, grounds));
  if (!values.empty()) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    // What is zero throughout has the colour of zero elsewhere.
    sheet.axis = *low == 0 && *high == 0 ? Axis{0, 1, {{0, "0"}}} : linear_axis(*low, *high, 8);
  }
  sheet.bar_title = scenes.front().bar_title;
  return sheet;
}

void draw_sheet(vtkRenderWindow &window, const std::vector<Scene> &scenes, const Sheet &sheet) {
  const int width = picture_width - (sheet.axis ? bar_band : 0);
  const int label_band = sheet.label_lines == 0 ? 0 : sheet.label_lines * line_height + 14;
  const Grid grid =
      choose_grid(static_cast<int>(scenes.size()), label_band, sheet.frame.view, width);
  const int body_height = std::max(grid.rows * grid.row_height(), sheet.axis ? 500 : 0);
  while (vtkRenderer *old = window.GetRenderers()->GetFirstRenderer())
    window.RemoveRenderer(old);
  prepare_picture(window, picture_width, body_height + title_band);
  add_renderer(window, 0, 0, picture_width, body_height + title_band); // white where no panel is
  SceneFrame frame = sheet.frame;
  vtkSmartPointer<vtkLookupTable> table;
  if (sheet.axis) {
    table = viridis(sheet.axis->low, sheet.axis->high);
    frame.table = table;
    const auto side = add_renderer(window, width, 0, picture_width, body_height);
    add_colour_bar(*side, *table, *sheet.axis, sheet.bar_title, body_height);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i)
    add_panel(window, scenes[i], frame, grid, static_cast<int>(i), body_height);
  add_head(window, sheet, grid, body_height);
}

void draw_scene(const Scene &scene, const std::filesystem::path &file) {
  Sheet sheet = sheet_for({scene});
  sheet.title = scene.title;
  sheet.arrow_key = scene.arrow_key;
  if (scene.arrow_key.length == 0)
    sheet.remark = scene.remark;
  vtkNew<vtkRenderWindow> window;
  draw_sheet(*window, {scene}, sheet);
  write_png(*window, file);
}

void draw_scenes(const std::vector<Scene> &scenes, const std::string &title,
                 const std::string &remark, const std::filesystem::path &file) {
  Sheet sheet = sheet_for(scenes);
  sheet.title = title;
  sheet.remark = remark;
  const bool remarks = std::any_of(scenes.begin(), scenes.end(),
                                   [](const Scene &scene) { return !scene.remark.empty(); });
  sheet.label_lines = remarks ? 2 : 1;
  vtkNew<vtkRenderWindow> window;
  draw_sheet(*window, scenes, sheet);
  write_png(*window, file);
}

} // namespace percussion::report
