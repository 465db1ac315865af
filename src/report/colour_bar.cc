#include "colour_bar.h"

#include <percussion/report/image.h>

#include <vtkActor2D.h>
#include <vtkCellData.h>
#include <vtkColorTransferFunction.h>
#include <vtkCoordinate.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPlaneSource.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <algorithm>
#include <array>
#include <cmath>

// VTK's scalar bar is not used: its numbers are not round and not at their places in the bar.

namespace percussion::report {
namespace {
constexpr int text_size = 26, bar_left = 10, bar_width = 44, margin = 40, shades = 256;

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
  vtkNew<vtkColorTransferFunction> nodes;
  nodes->AddRGBPoint(0, 0.267, 0.005, 0.329);
  nodes->AddRGBPoint(1, 0.278, 0.176, 0.482);
  nodes->AddRGBPoint(2, 0.231, 0.322, 0.545);
  nodes->AddRGBPoint(3, 0.173, 0.447, 0.557);
  nodes->AddRGBPoint(4, 0.129, 0.569, 0.549);
  nodes->AddRGBPoint(5, 0.157, 0.682, 0.502);
  nodes->AddRGBPoint(6, 0.369, 0.788, 0.384);
  nodes->AddRGBPoint(7, 0.678, 0.863, 0.188);
  nodes->AddRGBPoint(8, 0.992, 0.906, 0.145);
  auto table = vtkSmartPointer<vtkLookupTable>::New();
  table->SetNumberOfTableValues(shades);
  for (int i = 0; i < shades; ++i) {
    const double *colour = nodes->GetColor(8. * i / (shades - 1));
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
  const int bottom = (height - bar_height - title_height) / 2, top = bottom + bar_height;
  vtkNew<vtkPlaneSource> plane;
  plane->SetOrigin(bar_left, bottom, 0);
  plane->SetPoint1(bar_left + bar_width, bottom, 0);
  plane->SetPoint2(bar_left, top, 0);
  plane->SetResolution(1, shades);
  plane->Update();
  vtkNew<vtkDoubleArray> values;
  for (int i = 0; i < shades; ++i)
    values->InsertNextValue(axis.low + (axis.high - axis.low) * (i + 0.5) / shades);
  plane->GetOutput()->GetCellData()->SetScalars(values);
  vtkNew<vtkPolyDataMapper2D> mapper;
  mapper->SetInputData(plane->GetOutput());
  mapper->SetLookupTable(&table);
  mapper->UseLookupTableScalarRangeOn();
  vtkNew<vtkActor2D> bar;
  bar->SetMapper(mapper);
  renderer.AddActor2D(bar);
  add_text(renderer, title, text_size, false, bar_left, top + title_height);

  for (const Tick &tick : axis.ticks) {
    const int y = bottom + static_cast<int>(std::lround(axis.at(tick.value) * bar_height));
    // The mark is a dash of the same text, so that it stays level with the number.
    const auto label = text_actor("– " + tick.label, text_size, false, bar_left + bar_width, y);
    label->GetTextProperty()->SetVerticalJustificationToCentered();
    renderer.AddActor2D(label);
  }
}

} // namespace percussion::report
