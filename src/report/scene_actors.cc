#include <vtkActor.h>
#include <vtkArrowSource.h>
#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkGlyph3D.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include "scene.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace percussion::report {
namespace {

/// Whether the cells' shortest edges are long enough for lines that do not hide the colours.
bool shows_edges(vtkPolyData &body, const double pixel) {
  const vtkIdType n = body.GetNumberOfCells();
  if (n > 60000)
    return false; // they are not
  double sum = 0;
  for (vtkIdType i = 0; i < n; ++i) {
    vtkCell &cell = *body.GetCell(i);
    double shortest = cell.GetLength2();
    for (int e = 0; e < cell.GetNumberOfEdges(); ++e)
      shortest = std::min(shortest, cell.GetEdge(e)->GetLength2());
    sum += std::sqrt(shortest);
  }
  return sum > 8 * pixel * static_cast<double>(n);
}

/// Adds unlit data in one colour, `height` times the view's size in front of the bodies: in
/// parallel projection an invisible move, so that lines on a body are not lost in it.
vtkProperty &add_actor(vtkRenderer &renderer, vtkPolyData &data, const Sheet &sheet,
                       const double height) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(&data);
  mapper->ScalarVisibilityOff();
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->SetPosition(0, 0, height * sheet.view.GetMaxLength());
  actor->GetProperty()->LightingOff();
  renderer.AddActor(actor);
  return *actor->GetProperty();
}

void add_lines(vtkRenderer &renderer, vtkPolyData *lines, const Sheet &sheet, const double grey,
               const double height) {
  if (lines == nullptr || lines->GetNumberOfPoints() == 0)
    return;
  vtkProperty &property = add_actor(renderer, *lines, sheet, height);
  property.SetColor(grey, grey, grey);
  property.SetLineWidth(2.5);
}

void add_body(vtkRenderer &renderer, const Scene &scene, vtkLookupTable *table,
              const bool with_edges) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(scene.body);
  mapper->SetScalarVisibility(scene.is_coloured);
  mapper->SetLookupTable(table);
  mapper->UseLookupTableScalarRangeOn();
  mapper->InterpolateScalarsBeforeMappingOn();
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(0.77, 0.86, 0.93); // lines and arrows stand out from it
  actor->GetProperty()->LightingOff();
  actor->GetProperty()->SetEdgeVisibility(with_edges);
  actor->GetProperty()->SetEdgeColor(0.25, 0.25, 0.25);
  renderer.AddActor(actor);
}

/// A light strip with a dark upper edge, behind the bodies.
void add_ground(vtkRenderer &renderer, const Ground &ground, const Sheet &sheet) {
  vtkNew<vtkPoints> points;
  for (const auto &[x, y] : ground_strip(ground, sheet.bodies))
    points->InsertNextPoint(x, y, 0);
  vtkNew<vtkCellArray> face, edge;
  const std::array<vtkIdType, 4> corners = {0, 1, 2, 3};
  face->InsertNextCell(4, corners.data());
  edge->InsertNextCell(2, corners.data());
  vtkNew<vtkPolyData> strip, line;
  strip->SetPoints(points);
  strip->SetPolys(face);
  line->SetPoints(points);
  line->SetLines(edge);
  add_actor(renderer, *strip, sheet, -2e-3).SetColor(0.88, 0.88, 0.88);
  vtkProperty &property = add_actor(renderer, *line, sheet, -1e-3);
  property.SetColor(0.2, 0.2, 0.2);
  property.SetLineWidth(3);
}
} // namespace

vtkBoundingBox box_of(const Scene &scene) {
  vtkBoundingBox box(scene.body->GetBounds());
  if (scene.undeformed != nullptr)
    box.AddBounds(scene.undeformed->GetBounds());
  for (const auto &[point, p] : scene.touches)
    box.AddPoint(point[0] - scene.arrow_scale * p[0], point[1] - scene.arrow_scale * p[1], 0);
  return box;
}

std::vector<Vector> ground_strip(const Ground &ground, const vtkBoundingBox &box) {
  const Vector along = {ground.normal[1], -ground.normal[0]};
  double begin = std::numeric_limits<double>::infinity(), end = -begin;
  for (const int x : {0, 1})
    for (const int y : {2, 3}) {
      const double place = (box.GetBound(x) - ground.point[0]) * along[0] +
                           (box.GetBound(y) - ground.point[1]) * along[1];
      begin = std::min(begin, place);
      end = std::max(end, place);
    }
  const double room = 0.03 * box.GetMaxLength(), depth = 0.02 * box.GetMaxLength();
  std::vector<Vector> corners;
  for (const auto &[place, below] :
       {std::pair{begin - room, 0.}, {end + room, 0.}, {end + room, depth}, {begin - room, depth}})
    corners.push_back({ground.point[0] + place * along[0] - below * ground.normal[0],
                       ground.point[1] + place * along[1] - below * ground.normal[1]});
  return corners;
}

void add_arrows(vtkRenderer &renderer, const std::vector<Touch> &touches, const double scale,
                const Sheet &sheet) {
  if (touches.empty())
    return;
  vtkNew<vtkPoints> tails;
  tails->SetDataTypeToDouble();
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetNumberOfComponents(3);
  // The arrows end at the points: they hide none of the body's colours.
  for (const auto &[point, p] : touches) {
    tails->InsertNextPoint(point[0] - scale * p[0], point[1] - scale * p[1], 0);
    vectors->InsertNextTuple3(scale * p[0], scale * p[1], 0);
  }
  vtkNew<vtkPolyData> data;
  data->SetPoints(tails);
  data->GetPointData()->SetVectors(vectors);
  // Many arrows in a row stand close together; slimmer ones stay apart.
  const auto count = static_cast<double>(std::max<std::size_t>(sheet.most_arrows, 1));
  const double slim = std::clamp(40. / count, 0.3, 1.);
  vtkNew<vtkArrowSource> arrow;
  arrow->SetTipLength(0.3 * std::sqrt(slim));
  arrow->SetTipRadius(0.09 * slim);
  arrow->SetShaftRadius(0.025 * slim);
  vtkNew<vtkGlyph3D> glyphs;
  glyphs->SetInputData(data);
  glyphs->SetSourceConnection(arrow->GetOutputPort());
  glyphs->SetScaleModeToScaleByVector();
  glyphs->Update();
  add_actor(renderer, *glyphs->GetOutput(), sheet, 2e-2).SetColor(213 / 255., 94 / 255., 0);
}

void add_scene(vtkRenderer &renderer, const Scene &scene, const Sheet &sheet, vtkLookupTable *table,
               const double pixel) {
  const bool with_edges = scene.is_coloured && shows_edges(*scene.body, pixel);
  for (const auto &[contact, ground] : scene.grounds)
    add_ground(renderer, ground, sheet);
  add_body(renderer, scene, table, with_edges);
  if (!with_edges)
    add_lines(renderer, scene.elastic_outline, sheet, 0.15, 1e-3);
  add_lines(renderer, scene.undeformed, sheet, 0.55, 1e-3);
  add_lines(renderer, scene.rigid_outline, sheet, 0.15, 2e-3);
  add_arrows(renderer, scene.touches, scene.arrow_scale, sheet);
}

} // namespace percussion::report
