#include "scene_actors.h"

#include <percussion/report/colour_bar.h>

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkArrowSource.h>
#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkGlyph3D.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty.h>
#include <vtkProperty2D.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace percussion::report {
namespace {
using Vector = std::array<double, 3>;

bool is_empty(vtkPolyData *data) { return data == nullptr || data->GetNumberOfPoints() == 0; }

/// Whether the cells are large enough for edges that do not hide their colours.
bool shows_edges(vtkPolyData &body, const double pixel) {
  // Where there are so many, they are not.
  constexpr vtkIdType too_many = 60000;
  if (body.GetNumberOfCells() == 0 || body.GetNumberOfCells() > too_many)
    return false;
  double perimeter = 0, area = 0;
  for (vtkIdType i = 0; i < body.GetNumberOfCells(); ++i) {
    if (body.GetCell(i)->GetCellDimension() < 2)
      continue;
    vtkPoints &corners = *body.GetCell(i)->GetPoints();
    const vtkIdType n = corners.GetNumberOfPoints();
    Vector first{}, a{}, b{}, twice_area{};
    corners.GetPoint(0, first.data());
    for (vtkIdType k = 0; k < n; ++k) {
      corners.GetPoint(k, a.data());
      corners.GetPoint((k + 1) % n, b.data());
      for (int c = 0; c < 3; ++c) {
        a[c] -= first[c];
        b[c] -= first[c];
      }
      const Vector part = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                           a[0] * b[1] - a[1] * b[0]};
      perimeter += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      for (int c = 0; c < 3; ++c)
        twice_area[c] += part[c];
    }
    area += 0.5 * std::hypot(twice_area[0], twice_area[1], twice_area[2]);
  }
  // Area over perimeter is a measure of a cell's width between edges.
  constexpr double least_width = 1.4;
  return area / perimeter > least_width * pixel;
}

/// Colours of the body's field, or one pale colour that lines and arrows stand out from.
void colour_body(vtkPolyDataMapper &mapper, vtkProperty &property, const Scene &scene,
                 vtkLookupTable *table) {
  if (scene.field.empty()) {
    mapper.ScalarVisibilityOff();
    property.SetColor(0.77, 0.86, 0.93);
    return;
  }
  if (scene.body->GetPointData()->HasArray(scene.field.c_str()) != 0)
    mapper.SetScalarModeToUsePointFieldData();
  else
    mapper.SetScalarModeToUseCellFieldData();
  mapper.SelectColorArray(scene.field.c_str());
  mapper.SetLookupTable(table);
  mapper.UseLookupTableScalarRangeOn();
  mapper.InterpolateScalarsBeforeMappingOn();
}

void add_body(vtkRenderer &renderer, const Scene &scene, const SceneFrame &frame,
              const bool with_edges) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(scene.body);
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  colour_body(*mapper, *actor->GetProperty(), scene, frame.table);
  // Shading shows the shape of solids; on a plane it would only falsify the colours.
  actor->GetProperty()->SetLighting(!frame.view.is_plane());
  actor->GetProperty()->SetAmbient(0.7);
  actor->GetProperty()->SetDiffuse(0.3);
  actor->GetProperty()->SetEdgeVisibility(with_edges);
  actor->GetProperty()->SetEdgeColor(0.25, 0.25, 0.25);
  actor->GetProperty()->SetLineWidth(1);
  renderer.AddActor(actor);
}

/// Lines or areas of one grey.
vtkSmartPointer<vtkActor> grey_actor(vtkPolyData &data, const double grey, const float width) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(&data);
  mapper->ScalarVisibilityOff();
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(grey, grey, grey);
  actor->GetProperty()->SetLineWidth(width);
  actor->GetProperty()->LightingOff();
  return actor;
}

void add_outline(vtkRenderer &renderer, vtkPolyData *lines, const View &view, const double grey,
                 const double share) {
  if (is_empty(lines))
    return;
  const auto actor = grey_actor(*lines, grey, 2.5);
  lift(*actor, view, share);
  renderer.AddActor(actor);
}

/// A light strip with a dark upper edge, behind the bodies.
void add_ground(vtkRenderer &renderer, const Ground &ground, const SceneFrame &frame) {
  vtkNew<vtkPoints> points;
  for (const Vector &corner : ground_strip(ground, frame.bodies))
    points->InsertNextPoint(corner.data());
  vtkNew<vtkCellArray> face, edge;
  const std::array<vtkIdType, 4> corners = {0, 1, 2, 3};
  face->InsertNextCell(4, corners.data());
  edge->InsertNextCell(2, corners.data());
  vtkNew<vtkPolyData> strip, line;
  strip->SetPoints(points);
  strip->SetPolys(face);
  line->SetPoints(points);
  line->SetLines(edge);
  const auto below = grey_actor(*strip, 0.88, 1), above = grey_actor(*line, 0.2, 3);
  lift(*below, frame.view, -2e-3);
  lift(*above, frame.view, -1e-3);
  renderer.AddActor(below);
  renderer.AddActor(above);
}

/// Many arrows in a row stand close together; slimmer ones stay apart.
double slimness(const SceneFrame &frame) {
  const auto count = static_cast<double>(std::max<std::size_t>(frame.most_arrows, 1));
  return std::clamp(40. / (frame.view.is_plane() ? count : 3 * std::sqrt(count)), 0.3, 1.);
}

/// The shape of all arrows, of length one along x.
vtkSmartPointer<vtkArrowSource> arrow_shape(const double slim) {
  auto arrow = vtkSmartPointer<vtkArrowSource>::New();
  arrow->SetTipLength(0.3 * std::sqrt(slim));
  arrow->SetTipRadius(0.09 * slim);
  arrow->SetShaftRadius(0.025 * slim);
  return arrow;
}

void add_arrows(vtkRenderer &renderer, const Scene &scene, const SceneFrame &frame) {
  if (is_empty(scene.arrows))
    return;
  const auto arrow = arrow_shape(slimness(frame));
  vtkNew<vtkGlyph3D> glyphs;
  glyphs->SetInputData(scene.arrows);
  glyphs->SetSourceConnection(arrow->GetOutputPort());
  glyphs->SetInputArrayToProcess(1, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "arrow");
  glyphs->SetScaleModeToScaleByVector();
  glyphs->SetScaleFactor(1);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputConnection(glyphs->GetOutputPort());
  mapper->ScalarVisibilityOff();
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(213 / 255., 94 / 255., 0);
  actor->GetProperty()->LightingOff();
  lift(*actor, frame.view, 2e-2);
  renderer.AddActor(actor);
}

} // namespace

vtkBoundingBox box_of(const Scene &scene) {
  vtkBoundingBox box;
  for (vtkPolyData *part : {scene.body.Get(), scene.outline.Get(), scene.arrows.Get()})
    if (!is_empty(part))
      box.AddBounds(part->GetBounds());
  return box;
}

void add_arrow_key(vtkRenderer &renderer, const ArrowKey &key, const SceneFrame &frame,
                   const double size_of_pixel, const int text_size, const int x, const int y) {
  const double length = key.length / size_of_pixel, slim = slimness(frame);
  const double tip = length * (1 - 0.3 * std::sqrt(slim));
  const double thick = std::max(2., 0.025 * slim * length),
               wide = std::max(6., 0.09 * slim * length);
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> faces;
  for (const auto &[u, v] : {std::pair{0., -thick},
                             {tip, -thick},
                             {tip, thick},
                             {0., thick},
                             {tip, -wide},
                             {length, 0.},
                             {tip, wide}})
    points->InsertNextPoint(x + u, y + v, 0);
  const std::array<vtkIdType, 4> shaft = {0, 1, 2, 3};
  const std::array<vtkIdType, 3> head = {4, 5, 6};
  faces->InsertNextCell(4, shaft.data());
  faces->InsertNextCell(3, head.data());
  vtkNew<vtkPolyData> arrow;
  arrow->SetPoints(points);
  arrow->SetPolys(faces);
  vtkNew<vtkPolyDataMapper2D> mapper;
  mapper->SetInputData(arrow);
  vtkNew<vtkActor2D> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(213 / 255., 94 / 255., 0);
  renderer.AddActor2D(actor);
  add_text(renderer, key.text, text_size, false, x + static_cast<int>(length) + 16,
           y + text_size / 2 + 3);
}

void add_scene(vtkRenderer &renderer, const Scene &scene, const SceneFrame &frame,
               const Canvas &canvas) {
  const View &view = frame.view;
  const bool with_edges =
      !scene.field.empty() && shows_edges(*scene.body, size_of_pixel(view, canvas));
  for (const Ground &ground : scene.grounds)
    add_ground(renderer, ground, frame);
  add_body(renderer, scene, frame, with_edges);
  if (!with_edges && view.is_plane())
    add_outline(renderer, scene.deformed_outline, view, 0.15, 1e-3);
  add_outline(renderer, scene.outline, view, 0.55, 1e-3);
  add_outline(renderer, scene.rigid_outline, view, 0.15, 2e-3);
  add_arrows(renderer, scene, frame);
  aim(*renderer.GetActiveCamera(), view, canvas);
}

} // namespace percussion::report
