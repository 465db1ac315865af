#include "scene.h"

#include <percussion/report/image.h>

#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>

#include "colour_bar.h"
#include <algorithm>

namespace percussion::report {
namespace {
constexpr int title_size = 30, text_size = 26;
constexpr int title_band = 110, bar_band = 270, line_height = 36;

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

/// Points the renderer's camera at a place; `size` is that of what it shows.
void aim(vtkRenderer &renderer, const Vector &centre, const double height, const double size) {
  vtkCamera &camera = *renderer.GetActiveCamera();
  camera.ParallelProjectionOn();
  camera.SetFocalPoint(centre[0], centre[1], 0);
  camera.SetPosition(centre[0], centre[1], 2 * size);
  camera.SetParallelScale(height / 2);
  camera.SetClippingRange(0.5 * size, 4 * size);
}

/// Panels of equal size in rows, each under a label. Lengths in pixels.
struct Grid {
  int columns, rows, label_band, width, height, margin;
  double pixel; ///< a pixel's side in the scenes' units

  int row_height() const { return label_band + height; }
};

/// The largest panels that leave the picture a reasonable height.
Grid choose_grid(const int count, const Sheet &sheet, const int width) {
  const int highest = count == 1 ? 1400 : 1800, margin = count == 1 ? 40 : 16;
  const int label_band = sheet.label_lines == 0 ? 0 : sheet.label_lines * line_height + 14;
  // A stick alone has no width.
  const double least = 0.02 * sheet.view.GetMaxLength();
  const double wide = std::max(least, sheet.view.GetLength(0));
  const double high = std::max(least, sheet.view.GetLength(1));
  Grid grid{};
  for (int columns = 1; columns <= std::min(count, 12); ++columns) {
    const int rows = (count + columns - 1) / columns;
    if ((count + rows - 1) / rows < columns)
      continue; // as many rows as with fewer columns
    const int panel_width = width / columns;
    const int needed = static_cast<int>((panel_width - 2 * margin) * high / wide) + 2 * margin;
    const int height = std::clamp(needed, 120, highest / rows - label_band);
    const double pixel =
        std::max(wide / (panel_width - 2. * margin), high / (height - 2. * margin));
    grid = {columns, rows, label_band, panel_width, height, margin, pixel};
    if (needed <= height)
      break;
  }
  return grid;
}

/// The scene in its place below `top`, under its title and remark.
void add_panel(vtkRenderWindow &window, const Scene &scene, const Sheet &sheet,
               vtkLookupTable *table, const Grid &grid, const int place, const int top) {
  const int left = place % grid.columns * grid.width, right = left + grid.width;
  const int label_top = top - place / grid.columns * grid.row_height();
  const int panel_top = label_top - grid.label_band;
  if (grid.label_band > 0) {
    const auto label = add_renderer(window, left, panel_top, right, label_top);
    const int bottom_line = scene.remark.empty() ? line_height : 2 * line_height;
    add_text(*label, scene.title, text_size, false, grid.margin, bottom_line);
    add_text(*label, scene.remark, text_size, false, grid.margin, line_height);
  }
  const auto panel = add_renderer(window, left, panel_top - grid.height, right, panel_top);
  add_scene(*panel, scene, sheet, table, grid.pixel);
  Vector centre{};
  for (int c = 0; c < 2; ++c)
    centre[c] = (sheet.view.GetBound(2 * c) + sheet.view.GetBound(2 * c + 1)) / 2;
  aim(*panel, centre, grid.pixel * grid.height, sheet.view.GetDiagonalLength());
}

/// Title, remark and the key of the arrows.
void add_head(vtkRenderWindow &window, const Sheet &sheet, const Grid &grid, const int bottom) {
  const auto head = add_renderer(window, 0, bottom, picture_width, bottom + title_band);
  add_text(*head, sheet.title, title_size, true, grid.margin, title_band - 16);
  add_text(*head, sheet.remark, text_size, false, grid.margin, title_band - 60);
  if (sheet.arrow_length == 0)
    return;
  const int y = title_band - 74, x = grid.margin;
  add_text(*head, sheet.arrow_text, text_size, false,
           x + static_cast<int>(sheet.arrow_length / grid.pixel) + 16, y + text_size / 2 + 3);
  // The lower left corner is the origin; an arrow ends at its point.
  const double tip = x * grid.pixel + sheet.arrow_length;
  add_arrows(*head, {{{tip, y * grid.pixel}, {sheet.arrow_length, 0}}}, 1, sheet);
  aim(*head, {picture_width * grid.pixel / 2, title_band * grid.pixel / 2}, title_band * grid.pixel,
      sheet.view.GetDiagonalLength());
}
} // namespace

void draw_sheet(vtkRenderWindow &window, const std::vector<Scene> &scenes, const Sheet &sheet) {
  const int width = picture_width - (sheet.axis ? bar_band : 0);
  const Grid grid = choose_grid(static_cast<int>(scenes.size()), sheet, width);
  const int body_height = std::max(grid.rows * grid.row_height(), sheet.axis ? 500 : 0);
  while (vtkRenderer *old = window.GetRenderers()->GetFirstRenderer())
    window.RemoveRenderer(old);
  prepare_picture(window, picture_width, body_height + title_band);
  add_renderer(window, 0, 0, picture_width, body_height + title_band); // white where no panel is
  vtkSmartPointer<vtkLookupTable> table;
  if (sheet.axis) {
    table = viridis(sheet.axis->low, sheet.axis->high);
    const auto side = add_renderer(window, width, 0, picture_width, body_height);
    add_colour_bar(*side, *table, *sheet.axis, sheet.bar_title, body_height);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i)
    add_panel(window, scenes[i], sheet, table, grid, static_cast<int>(i), body_height);
  add_head(window, sheet, grid, body_height);
}

void draw_sheet(const std::vector<Scene> &scenes, const Sheet &sheet,
                const std::filesystem::path &file) {
  vtkNew<vtkRenderWindow> window;
  draw_sheet(*window, scenes, sheet);
  write_png(rendered(*window), file);
}

} // namespace percussion::report
