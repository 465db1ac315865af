#include <percussion/report/charts.h>
#include <percussion/report/image.h>
#include <percussion/report/polyline.h>

#include <vtkBoundingBox.h>
#include <vtkBrush.h>
#include <vtkContext2D.h>
#include <vtkContextActor.h>
#include <vtkContextItem.h>
#include <vtkContextScene.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPen.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextProperty.h>

#include "colour_bar.h"
#include <algorithm>
#include <cmath>

// VTK's own charts are not used: their OpenGL backend draws dashed pens as solid lines.

namespace percussion::report {
namespace {
constexpr int title_size = 30, text_size = 26;
constexpr float line_height = 42, tick_length = 9;
constexpr float right_margin = 50, bottom_margin = 100;
constexpr float sample_width = 84, fill_width = 44, legend_gap = 44;

using Colour = std::array<unsigned char, 3>;

/// Okabe and Ito's colours without their yellow, which is lost on white paper.
constexpr std::array<Colour, 7> palette = {{{0, 114, 178},
                                            {213, 94, 0},
                                            {0, 0, 0},
                                            {0, 158, 115},
                                            {204, 121, 167},
                                            {230, 159, 0},
                                            {86, 180, 233}}};

constexpr Colour grey = {110, 110, 110};

/// By Fill: grey tones of nine, six and three tenths in print.
constexpr std::array<Colour, 3> fills = {{{232, 232, 232}, {230, 159, 0}, {0, 90, 150}}};

const std::vector<std::vector<float>> dash_patterns = {
    {}, {20, 9}, {5, 7}, {20, 8, 5, 8}, {34, 10}, {20, 8, 5, 8, 5, 8}};

/// A part of the picture in pixels.
struct Rectangle {
  float left, bottom, right, top;
};

/// Where the values of a panel are in the picture.
struct PanelFrame {
  Axis x, y;
  Rectangle box;

  Pixel at(const double u, const double v) const {
    return {box.left + static_cast<float>(x.at(u)) * (box.right - box.left),
            box.bottom + static_cast<float>(y.at(v)) * (box.top - box.bottom)};
  }
};

/// The values that can be drawn, with decimal logarithms where the axis wants them.
std::vector<std::array<double, 2>> drawable(const Panel &panel, const Curve &curve) {
  std::vector<std::array<double, 2>> points;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (panel.logarithmic && !(curve.y[i] > 0))
      continue;
    const double y = panel.logarithmic ? std::log10(curve.y[i]) : curve.y[i];
    if (std::isfinite(curve.x[i]) && std::isfinite(y))
      points.push_back({curve.x[i], y});
  }
  return points;
}

/// The axes that hold all of the panel's values; the box is left to the layout.
PanelFrame make_frame(const Panel &panel) {
  vtkBoundingBox values;
  for (const Curve &curve : panel.curves)
    for (const auto &[x, y] : drawable(panel, curve))
      values.AddPoint(x, y, 0);
  const bool any = values.IsValid() != 0;
  const double low = values.GetBound(2), high = values.GetBound(3);
  const std::array<double, 2> all_x = {
      {any ? values.GetBound(0) : 0, any ? values.GetBound(1) : 1}};
  const auto [left, right] = panel.x_range.value_or(all_x);
  PanelFrame frame{linear_axis(left, right, 8), {0, 1, {}}, {}};
  if (panel.y_range)
    frame.y = linear_axis((*panel.y_range)[0], (*panel.y_range)[1], 6);
  else if (any && panel.logarithmic)
    frame.y = logarithmic_axis(low, high, 7);
  else if (any)
    frame.y = linear_axis(1.05 * low - 0.05 * high, 1.05 * high - 0.05 * low, 6, panel.integers);
  if (!panel.rows.empty())
    frame.y.ticks = panel.rows;
  return frame;
}

void set_text(vtkContext2D &painter, const int size, const int horizontal, const int vertical,
              const double angle = 0, const bool bold = false) {
  vtkTextProperty &text = *painter.GetTextProp();
  set_font(text, size, bold);
  text.SetJustification(horizontal);
  text.SetVerticalJustification(vertical);
  text.SetOrientation(angle);
}

void set_pen(vtkContext2D &painter, const Colour &colour, const float width) {
  painter.GetPen()->SetLineType(vtkPen::SOLID_LINE);
  painter.GetPen()->SetColor(colour[0], colour[1], colour[2]);
  painter.GetPen()->SetOpacity(255);
  painter.GetPen()->SetWidth(width);
}

Colour colour_of(const Style &style) {
  if (style.shade >= 0) {
    // The lightest quarter of the colours is lost on white paper.
    static const auto shades = viridis(0, 1 / 0.75);
    const unsigned char *colour = shades->MapValue(style.shade);
    return {colour[0], colour[1], colour[2]};
  }
  return style.colour == any_colour ? grey : palette[style.colour % palette.size()];
}

/// Marks of each value; their shape distinguishes curves as dashes do.
void paint_points(vtkContext2D &painter, const int shape, Polyline points) {
  constexpr float half = 4.5;
  if (shape % 3 == 0 && !points.empty())
    painter.DrawPoints(points.front().data(), static_cast<int>(points.size()));
  if (shape % 3 == 0)
    return;
  painter.GetPen()->SetWidth(2.2f);
  for (const auto &[x, y] : points)
    if (shape % 3 == 1) {
      painter.DrawLine(x - half, y - half, x + half, y + half);
      painter.DrawLine(x - half, y + half, x + half, y - half);
    } else {
      std::array<float, 8> diamond = {x - half, y, x, y + half, x + half, y, x, y - half};
      painter.DrawPoly(diamond.data(), 4);
      painter.DrawLine(x, y - half, x - half, y);
    }
}

/// Whether a line is many times as long as it is wide.
bool jumps(const Polyline &line) {
  float length = 0;
  for (std::size_t i = 1; i < line.size(); ++i)
    length += std::hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]);
  return !line.empty() && length > 12 * (line.back()[0] - line.front()[0] + 1);
}

/// Draws a line or its points in the curve's style.
void paint_curve(vtkContext2D &painter, const Style &style, const Polyline &line) {
  set_pen(painter, colour_of(style), style.points ? 6.f : style.thin ? 2.2f : 3.5f);
  if (style.points) {
    paint_points(painter, style.dash, line);
    return;
  }
  // A line that goes up and down from pixel to pixel is illegible with dashes.
  const bool dense = jumps(line);
  if (dense)
    painter.GetPen()->SetWidth(2.2f);
  const std::size_t pattern = dense ? 0 : style.dash % dash_patterns.size();
  for (Polyline &dash : dashed(line, dash_patterns[pattern]))
    if (dash.size() > 1)
      painter.DrawPoly(dash.front().data(), static_cast<int>(dash.size()));
}

void paint_rectangle(vtkContext2D &painter, const Fill fill, const Rectangle &place) {
  const Colour &colour = fills[static_cast<std::size_t>(fill)];
  painter.GetPen()->SetLineType(vtkPen::NO_PEN);
  painter.GetBrush()->SetColor(colour[0], colour[1], colour[2]);
  painter.GetBrush()->SetOpacity(255);
  painter.DrawRect(place.left, place.bottom, place.right - place.left, place.top - place.bottom);
}

float text_width(vtkContext2D &painter, const std::string &text) {
  std::array<float, 4> bounds{};
  painter.ComputeStringBounds(text.c_str(), bounds.data());
  return bounds[2];
}

int height_of(const std::vector<Panel> &panels, const std::size_t i) {
  if (panels[i].height > 0)
    return panels[i].height;
  return panels.size() == 1 ? 1000 : 700;
}

/// Writes the legend in rows from the top of `place` and returns where the last row ends.
float paint_legend(vtkContext2D &painter, const Panel &panel, const Rectangle &place) {
  float x = place.left, y = place.top;
  bool any = false;
  /// Makes room for an entry, writes its label and returns where its sample begins.
  const auto begin = [&](const std::string &label, const float sample) {
    any = true;
    set_text(painter, text_size, VTK_TEXT_LEFT, VTK_TEXT_CENTERED);
    const float entry = sample + 14 + text_width(painter, label);
    if (x > place.left && x + entry > place.right) {
      x = place.left;
      y -= line_height;
    }
    const Pixel left = {x, y - line_height / 2};
    painter.DrawString(left[0] + sample + 14, left[1], label.c_str());
    x += entry + legend_gap;
    return left;
  };
  auto lines = panel.legend;
  for (const Curve &curve : panel.curves)
    if (!curve.label.empty())
      lines.emplace_back(curve.label, curve.style);
  for (const auto &[label, style] : lines) {
    const auto [left, middle] = begin(label, style.points ? 20 : sample_width);
    paint_curve(painter, style,
                style.points ? Polyline{{left + 10, middle}}
                             : Polyline{{left, middle}, {left + sample_width, middle}});
  }
  for (const auto &[label, fill] : panel.fills) {
    const auto [left, middle] = begin(label, fill_width);
    paint_rectangle(painter, fill, {left, middle - 12, left + fill_width, middle + 12});
  }
  return any ? y - line_height : y;
}

void paint_axes(vtkContext2D &painter, const Panel &panel, const PanelFrame &frame) {
  const Rectangle &box = frame.box;
  // Lines would divide filled areas.
  const bool with_grid = panel.bars.empty();
  const Colour grid = {222, 222, 222}, ink = {0, 0, 0};
  /// A mark at `foot`, its label outward of it and a grid line to `end`.
  const auto mark = [&](const Pixel &foot, const Pixel &end, const Pixel &outward,
                        const std::string &label) {
    const auto out = [&](const int c, const float far) { return foot[c] + far * outward[c]; };
    set_pen(painter, grid, 1.5f);
    if (with_grid)
      painter.DrawLine(foot[0], foot[1], end[0], end[1]);
    set_pen(painter, ink, 2);
    painter.DrawLine(foot[0], foot[1], out(0, tick_length), out(1, tick_length));
    painter.DrawString(out(0, tick_length + 7), out(1, tick_length + 7), label.c_str());
  };
  set_text(painter, text_size, VTK_TEXT_CENTERED, VTK_TEXT_TOP);
  for (const auto &[value, label] : frame.x.ticks) {
    const float x = frame.at(value, 0)[0];
    mark({x, box.bottom}, {x, box.top}, {0, -1}, label);
  }
  set_text(painter, text_size, VTK_TEXT_RIGHT, VTK_TEXT_CENTERED);
  for (const auto &[value, label] : frame.y.ticks) {
    const float y = frame.at(0, value)[1];
    mark({box.left, y}, {box.right, y}, {-1, 0}, label);
  }
  std::array<float, 10> outline = {box.left, box.bottom, box.right, box.bottom, box.right,
                                   box.top,  box.left,   box.top,   box.left,   box.bottom};
  set_pen(painter, ink, 2);
  painter.DrawPoly(outline.data(), 5);

  set_text(painter, text_size, VTK_TEXT_CENTERED, VTK_TEXT_BOTTOM);
  painter.DrawString((box.left + box.right) / 2, box.bottom - bottom_margin + 14,
                     panel.x_title.c_str());
  set_text(painter, text_size, VTK_TEXT_CENTERED, VTK_TEXT_CENTERED, 90);
  painter.DrawString(line_height - 8, (box.bottom + box.top) / 2, panel.y_title.c_str());
}

void paint_panel(vtkContext2D &painter, const Panel &panel, PanelFrame frame,
                 const Rectangle &place) {
  Rectangle box = place;
  int size = title_size;
  set_text(painter, size, VTK_TEXT_LEFT, VTK_TEXT_TOP, 0, true);
  while (size > 12 && text_width(painter, panel.title) > box.right - box.left)
    set_text(painter, --size, VTK_TEXT_LEFT, VTK_TEXT_TOP, 0, true);
  painter.DrawString(box.left, box.top, panel.title.c_str());
  if (!panel.title.empty())
    box.top -= line_height + 8;
  box.top = paint_legend(painter, panel, box) - 6;

  frame.box = box;
  bool empty = panel.bars.empty();
  for (const Bar &bar : panel.bars) {
    const Pixel low = frame.at(bar.left, bar.bottom), high = frame.at(bar.right, bar.top);
    paint_rectangle(painter, bar.fill, {low[0], low[1], high[0], high[1]});
  }
  paint_axes(painter, panel, frame);
  for (const Curve &curve : panel.curves) {
    Polyline line;
    for (const auto &point : drawable(panel, curve))
      line.push_back(frame.at(point[0], point[1]));
    empty = empty && line.empty();
    paint_curve(painter, curve.style, thinned(line));
  }
  if (empty) {
    set_text(painter, text_size, VTK_TEXT_CENTERED, VTK_TEXT_CENTERED);
    painter.DrawString((box.left + box.right) / 2, (box.bottom + box.top) / 2,
                       panel.if_empty.c_str());
  }
}

/// Draws panels, one above the other, into a scene.
class PanelsItem : public vtkContextItem {
public:
  static PanelsItem *New();

  bool Paint(vtkContext2D *painter) override;

  std::vector<Panel> panels;
  float width = 0, height = 0;
};
vtkStandardNewMacro(PanelsItem);

bool PanelsItem::Paint(vtkContext2D *painter) {
  std::vector<PanelFrame> frames;
  float widest = 0;
  set_text(*painter, text_size, VTK_TEXT_RIGHT, VTK_TEXT_CENTERED);
  for (const Panel &panel : panels) {
    frames.push_back(make_frame(panel));
    for (const Tick &tick : frames.back().y.ticks)
      widest = std::max(widest, text_width(*painter, tick.label));
  }
  // One margin for all panels, so that equal times are above each other.
  const float left_margin = line_height + 16 + widest + tick_length + 7;
  float top = height;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const float bottom = top - static_cast<float>(height_of(panels, i));
    paint_panel(*painter, panels[i], frames[i],
                {left_margin, bottom + bottom_margin, width - right_margin, top - 24});
    top = bottom;
  }
  return true;
}
} // namespace

void draw_panels(const std::vector<Panel> &panels, const std::filesystem::path &file) {
  int height = 0;
  for (std::size_t i = 0; i < panels.size(); ++i)
    height += height_of(panels, i);
  vtkNew<vtkRenderWindow> window;
  prepare_picture(*window, picture_width, height);
  vtkNew<vtkRenderer> renderer;
  renderer->SetBackground(1, 1, 1);
  window->AddRenderer(renderer);

  vtkNew<PanelsItem> item;
  item->panels = panels;
  item->width = picture_width;
  item->height = static_cast<float>(height);
  vtkNew<vtkContextActor> actor;
  actor->GetScene()->AddItem(item);
  renderer->AddActor(actor);
  actor->GetScene()->SetRenderer(renderer);
  write_png(rendered(*window), file);
}

} // namespace percussion::report
