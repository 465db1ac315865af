#include <percussion/report/colour_bar.h>
#include <percussion/report/png.h>
#include <percussion/report/scene.h>

#include <vtkActor.h>
#include <vtkArrowSource.h>
#include <vtkBoundingBox.h>
#include <vtkCamera.h>
#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkGlyph3D.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace percussion::report {
namespace {
using Vector = std::array<double, 3>;

constexpr int title_size = 30, text_size = 26;
constexpr int title_band = 110, bar_band = 270, margin = 40;

/// Where the camera looks from, and what it has to show.
struct View {
  Vector toward, up, right, centre; ///< `toward` points from the scene to the eye
  double width, height, depth;
  bool is_plane() const { return depth < 1e-6 * width; }
};

double dot(const Vector &a, const Vector &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector &a, const Vector &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector unit(const Vector &a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

/// What the bodies fill. The arrows' tips are points of the deformed body, so its box holds them.
vtkBoundingBox box_of(const Scene &scene) {
  vtkBoundingBox box;
  for (vtkPolyData *part : {scene.body.Get(), scene.outline.Get(), scene.arrows.Get()})
    if (part->GetNumberOfPoints() > 0)
      box.AddBounds(part->GetBounds());
  return box;
}

/// The corners of a strip under the ground's edge, as long as the bodies' box and a little more:
/// the two ends of the edge, then those below.
std::vector<Vector> ground_strip(const Ground &ground, const vtkBoundingBox &box) {
  const Vector along = {ground.normal[1], -ground.normal[0], 0};
  double begin = std::numeric_limits<double>::infinity(), end = -begin;
  for (int corner = 0; corner < 4; ++corner) {
    Vector point{};
    box.GetCorner(corner, point.data());
    const double place =
        (point[0] - ground.point[0]) * along[0] + (point[1] - ground.point[1]) * along[1];
    begin = std::min(begin, place);
    end = std::max(end, place);
  }
  const double room = 0.03 * box.GetMaxLength(), depth = 0.02 * box.GetMaxLength();
  std::vector<Vector> corners;
  for (const auto &[place, below] :
       {std::pair{begin - room, 0.}, {end + room, 0.}, {end + room, depth}, {begin - room, depth}})
    corners.push_back({ground.point[0] + place * along[0] - below * ground.normal[0],
                       ground.point[1] + place * along[1] - below * ground.normal[1],
                       ground.point[2]});
  return corners;
}

/// Plane bodies are seen at a right angle, others from a corner with z upward.
View choose_view(const Scene &scene) {
  vtkBoundingBox box = box_of(scene);
  if (scene.ground)
    for (const Vector &corner : ground_strip(*scene.ground, box_of(scene)))
      box.AddPoint(corner[0], corner[1], corner[2]);
  View view{};
  const bool plane = box.GetLength(2) < 1e-9 * box.GetMaxLength();
  view.toward = plane ? Vector{0, 0, 1} : unit({0.55, -1, 0.5});
  view.right = unit(cross(plane ? Vector{0, 1, 0} : Vector{0, 0, 1}, view.toward));
  view.up = cross(view.toward, view.right);
  box.GetCenter(view.centre.data());
  for (int corner = 0; corner < 8; ++corner) {
    Vector point{};
    box.GetCorner(corner, point.data());
    for (int c = 0; c < 3; ++c)
      point[c] -= view.centre[c];
    view.width = std::max(view.width, 2 * std::abs(dot(point, view.right)));
    view.height = std::max(view.height, 2 * std::abs(dot(point, view.up)));
    view.depth = std::max(view.depth, 2 * std::abs(dot(point, view.toward)));
  }
  return view;
}

/// The picture's height that leaves the body no empty space, within reason.
int picture_height(const View &view) {
  const double body_width = picture_width - bar_band - 2 * margin;
  const double body_height = body_width * view.height / view.width;
  return std::clamp(static_cast<int>(body_height) + title_band + 2 * margin, 620, 1500);
}

/// Length units in a pixel.
double size_of_pixel(const View &view, const int width, const int height) {
  return std::max(view.width / (width - 2. * margin), view.height / (height - 2. * margin));
}

void aim(vtkCamera &camera, const View &view, const int width, const int height) {
  const double diameter = std::hypot(view.width, view.height, view.depth);
  Vector eye{};
  for (int c = 0; c < 3; ++c)
    eye[c] = view.centre[c] + 2 * diameter * view.toward[c];
  camera.ParallelProjectionOn();
  camera.SetFocalPoint(view.centre.data());
  camera.SetPosition(eye.data());
  camera.SetViewUp(view.up.data());
  camera.SetParallelScale(size_of_pixel(view, width, height) * height / 2);
  camera.SetClippingRange(0.5 * diameter, 4 * diameter);
}

/// Shifts an actor toward the eye, in parallel projection an invisible move, so that lines in the
/// plane of the body are not lost in it.
void lift(vtkActor &actor, const View &view, const double share) {
  const double distance = share * std::max(view.width, view.height);
  actor.SetPosition(distance * view.toward[0], distance * view.toward[1],
                    distance * view.toward[2]);
}

/// Whether the cells are large enough for edges that do not hide their colours.
bool shows_edges(vtkPolyData &body, const double pixel) {
  // Where there are so many, they are not.
  constexpr vtkIdType too_many = 60000;
  if (body.GetNumberOfCells() == 0 || body.GetNumberOfCells() > too_many)
    return false;
  double perimeter = 0, area = 0;
  for (vtkIdType i = 0; i < body.GetNumberOfCells(); ++i) {
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
      const Vector side = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, part = cross(a, b);
      perimeter += std::sqrt(dot(side, side));
      for (int c = 0; c < 3; ++c)
        twice_area[c] += part[c];
    }
    area += 0.5 * std::sqrt(dot(twice_area, twice_area));
  }
  // Area over perimeter is a measure of a cell's width between edges.
  constexpr double least_width = 1.4;
  return area / perimeter > least_width * pixel;
}

void add_body(vtkRenderer &renderer, const Scene &scene, const View &view, vtkLookupTable &table,
              const bool with_edges) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(scene.body);
  if (scene.body->GetPointData()->HasArray(scene.field.c_str()) != 0)
    mapper->SetScalarModeToUsePointFieldData();
  else
    mapper->SetScalarModeToUseCellFieldData();
  mapper->SelectColorArray(scene.field.c_str());
  mapper->SetLookupTable(&table);
  mapper->UseLookupTableScalarRangeOn();
  mapper->InterpolateScalarsBeforeMappingOn();
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  // Shading shows the shape of solids; on a plane it would only falsify the colours.
  actor->GetProperty()->SetLighting(!view.is_plane());
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

void add_outline(vtkRenderer &renderer, vtkPolyData &lines, const View &view, const double grey) {
  const auto actor = grey_actor(lines, grey, 2.5);
  lift(*actor, view, 1e-3);
  renderer.AddActor(actor);
}

/// A light strip with a dark upper edge, behind the bodies.
void add_ground(vtkRenderer &renderer, const Scene &scene, const View &view) {
  if (!scene.ground)
    return;
  vtkNew<vtkPoints> points;
  for (const Vector &corner : ground_strip(*scene.ground, box_of(scene)))
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
  lift(*below, view, -2e-3);
  lift(*above, view, -1e-3);
  renderer.AddActor(below);
  renderer.AddActor(above);
}

void add_arrows(vtkRenderer &renderer, const Scene &scene, const View &view) {
  if (scene.arrows->GetNumberOfPoints() == 0)
    return;
  // Many arrows in a row stand close together; slimmer ones stay apart.
  const auto count = static_cast<double>(scene.arrows->GetNumberOfPoints());
  const double slim = std::clamp(40. / (view.is_plane() ? count : 3 * std::sqrt(count)), 0.3, 1.);
  vtkNew<vtkArrowSource> arrow;
  arrow->SetTipLength(0.3 * std::sqrt(slim));
  arrow->SetTipRadius(0.09 * slim);
  arrow->SetShaftRadius(0.025 * slim);
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
  lift(*actor, view, 2e-2);
  renderer.AddActor(actor);
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
} // namespace

void draw_scene(const Scene &scene, const std::filesystem::path &file) {
  const View view = choose_view(scene);
  const int height = picture_height(view);
  const int body_width = picture_width - bar_band, body_height = height - title_band;
  vtkNew<vtkRenderWindow> window;
  prepare_picture(*window, picture_width, height);
  const auto body = add_renderer(*window, 0, 0, body_width, body_height);
  const auto side = add_renderer(*window, body_width, 0, picture_width, body_height);
  const auto head = add_renderer(*window, 0, body_height, picture_width, height);

  std::array<double, 2> range = {{0, 1}};
  vtkDataArray *values = scene.body->GetPointData()->GetArray(scene.field.c_str());
  if (values == nullptr)
    values = scene.body->GetCellData()->GetArray(scene.field.c_str());
  values->GetFiniteRange(range.data());
  const Axis axis = linear_axis(range[0], range[1], 8);
  const auto table = viridis(axis.low, axis.high);
  const bool with_edges = shows_edges(*scene.body, size_of_pixel(view, body_width, body_height));
  add_ground(*body, scene, view);
  add_body(*body, scene, view, *table, with_edges);
  if (!with_edges && view.is_plane())
    add_outline(*body, *scene.deformed_outline, view, 0.15);
  add_outline(*body, *scene.outline, view, 0.55);
  add_arrows(*body, scene, view);
  aim(*body->GetActiveCamera(), view, body_width, body_height);
  add_colour_bar(*side, *table, axis, scene.bar_title, body_height);
  add_text(*head, scene.title, title_size, true, margin, title_band - 16);
  add_text(*head, scene.remark, text_size, false, margin, title_band - 60);
  write_png(*window, file);
}

} // namespace percussion::report
