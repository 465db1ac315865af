#include <percussion/report/axis.h>
#include <percussion/report/colour_bar.h>
#include <percussion/report/png.h>

#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCoordinate.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <algorithm>
#include <array>
#include <cmath>

// VTK's scalar bar is not used: its numbers are not round and stand off their places in the bar.

namespace percussion::report {
namespace {
constexpr int text_size = 26, bar_left = 10, bar_width = 44, margin = 40;

/// A stack of thin rectangles with one value each, and short strokes at the axis' marks.
vtkSmartPointer<vtkPolyData> stripes(const int bottom, const int height, const Axis &axis) {
  constexpr int count = 256;
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  vtkNew<vtkDoubleArray> values;
  for (int i = 0; i <= count; ++i) {
    const double y = bottom + static_cast<double>(height) * i / count;
    points->InsertNextPoint(bar_left, y, 0);
    points->InsertNextPoint(bar_left + bar_width, y, 0);
  }
  for (int i = 0; i < count; ++i) {
    const std::array<vtkIdType, 4> corners = {2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2};
    cells->InsertNextCell(4, corners.data());
    values->InsertNextValue(axis.low + (axis.high - axis.low) * (i + 0.5) / count);
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetPolys(cells);
  data->GetCellData()->SetScalars(values);
  return data;
}

vtkSmartPointer<vtkTextActor> text_actor(const std::string &text, const int size, const bool bold,
                                         const int x, const int y) {
  auto actor = vtkSmartPointer<vtkTextActor>::New();
  actor->SetInput(text.c_str());
  set_font(*actor->GetTextProperty(), size, bold);
  actor->GetPositionCoordinate()->SetCoordinateSystemToViewport();
  actor->GetPositionCoordinate()->SetValue(x, y);
  return actor;
}
} // namespace

vtkSmartPointer<vtkLookupTable> viridis(const double low, const double high) {
  constexpr std::array<std::array<double, 3>, 9> nodes = {{{0.267, 0.005, 0.329},
                                                           {0.278, 0.176, 0.482},
                                                           {0.231, 0.322, 0.545},
                                                           {0.173, 0.447, 0.557},
                                                           {0.129, 0.569, 0.549},
                                                           {0.157, 0.682, 0.502},
                                                           {0.369, 0.788, 0.384},
                                                           {0.678, 0.863, 0.188},
                                                           {0.992, 0.906, 0.145}}};
  auto table = vtkSmartPointer<vtkLookupTable>::New();
  constexpr int colours = 256;
  table->SetNumberOfTableValues(colours);
  for (int i = 0; i < colours; ++i) {
    const double position = i * (nodes.size() - 1.) / (colours - 1.);
    const auto k = std::min(static_cast<std::size_t>(position), nodes.size() - 2);
    const double s = position - static_cast<double>(k);
    std::array<double, 3> colour{};
    for (int c = 0; c < 3; ++c)
      colour[c] = (1 - s) * nodes[k][c] + s * nodes[k + 1][c];
    table->SetTableValue(i, colour[0], colour[1], colour[2]);
  }
  table->SetTableRange(low, high);
  return table;
}

void add_text(vtkRenderer &renderer, const std::string &text, const int size, const bool bold,
              const int x, const int y) {
  const auto actor = text_actor(text, size, bold, x, y);
  actor->GetTextProperty()->SetVerticalJustificationToTop();
  std::array<double, 2> extent{};
  for (int smaller = size; smaller > 12; --smaller) {
    actor->GetTextProperty()->SetFontSize(smaller);
    actor->GetSize(&renderer, extent.data());
    if (x + extent[0] + bar_left <= renderer.GetSize()[0])
      break;
  }
  renderer.AddActor2D(actor);
}

void add_colour_bar(vtkRenderer &renderer, vtkLookupTable &table, const Axis &axis,
                    const std::string &title, const int height) {
  const auto lines = 1 + static_cast<int>(std::count(title.begin(), title.end(), '\n'));
  const int title_height = 24 + 30 * lines;
  const int bar_height = std::min(height - 2 * margin - title_height, 700);
  const int bottom = (height - bar_height - title_height) / 2;
  vtkNew<vtkPolyDataMapper2D> mapper;
  mapper->SetInputData(stripes(bottom, bar_height, axis));
  mapper->SetLookupTable(&table);
  mapper->UseLookupTableScalarRangeOn();
  vtkNew<vtkActor2D> bar;
  bar->SetMapper(mapper);
  renderer.AddActor2D(bar);
  add_text(renderer, title, text_size, false, bar_left, bottom + bar_height + title_height);

  for (const Tick &tick : axis.ticks) {
    const int y = bottom + static_cast<int>(std::lround(axis.at(tick.value) * bar_height));
    // A dash of its own font size is the mark, so that mark and number cannot part.
    const auto label = text_actor("– " + tick.label, text_size, false, bar_left + bar_width, y);
    label->GetTextProperty()->SetVerticalJustificationToCentered();
    renderer.AddActor2D(label);
  }
}

} // namespace percussion::report
