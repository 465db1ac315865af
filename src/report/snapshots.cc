#include <percussion/io/error.h>
#include <percussion/report/axis.h>
#include <percussion/report/frames.h>
#include <percussion/report/scene.h>
#include <percussion/report/snapshots.h>

#include <vtkCellData.h>
#include <vtkCleanPolyData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkDoubleArray.h>
#include <vtkFeatureEdges.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace percussion::report {
namespace {
namespace fs = std::filesystem;
using Mesh = vtkSmartPointer<vtkUnstructuredGrid>;

/// An instant and its mesh.
struct Loaded {
  Frame frame;
  Mesh mesh;
};

vtkDataArray &point_field(const Loaded &loaded, const char *name) {
  vtkDataArray *field = loaded.mesh->GetPointData()->GetArray(name);
  if (field == nullptr)
    throw InputError(loaded.frame.files.front().string() + ": has no point data '" + name + "'");
  return *field;
}

std::array<double, 3> vector_at(vtkDataArray &field, const vtkIdType index) {
  std::array<double, 3> value = {{0, 0, 0}};
  for (int c = 0; c < std::min(3, field.GetNumberOfComponents()); ++c)
    value[c] = field.GetComponent(index, c);
  return value;
}

double length(const std::array<double, 3> &v) { return std::hypot(v[0], v[1], v[2]); }

/// Adds the scalar that colours the body, named as the field with " shown" behind it.
std::string add_shown_field(const Loaded &loaded, const std::string &name) {
  vtkDataSetAttributes *data = loaded.mesh->GetPointData();
  vtkDataArray *field = data->GetArray(name.c_str());
  if (field == nullptr) {
    data = loaded.mesh->GetCellData();
    field = data->GetArray(name.c_str());
  }
  if (field == nullptr)
    throw InputError(loaded.frame.files.front().string() + ": has no field '" + name + "'");
  vtkNew<vtkDoubleArray> shown;
  shown->SetName((name + " shown").c_str());
  for (vtkIdType i = 0; i < field->GetNumberOfTuples(); ++i)
    shown->InsertNextValue(field->GetNumberOfComponents() == 1 ? field->GetComponent(i, 0)
                                                               : length(vector_at(*field, i)));
  data->AddArray(shown);
  return shown->GetName();
}

/// A copy of the mesh whose points have moved.
Mesh deformed(const Loaded &loaded, const Warp &warp, const Motion &motion) {
  vtkDataArray &displacement = point_field(loaded, "displacement");
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (vtkIdType i = 0; i < loaded.mesh->GetNumberOfPoints(); ++i) {
    std::array<double, 3> x{};
    loaded.mesh->GetPoint(i, x.data());
    const auto u = warped(warp, motion, vector_at(displacement, i));
    points->InsertNextPoint(x[0] + u[0], x[1] + u[1], x[2] + u[2]);
  }
  auto copy = Mesh::New();
  copy->ShallowCopy(loaded.mesh);
  copy->SetPoints(points);
  return copy;
}

vtkSmartPointer<vtkPolyData> surface_of(const Mesh &mesh) {
  vtkNew<vtkDataSetSurfaceFilter> surface;
  surface->SetInputData(mesh);
  surface->Update();
  return surface->GetOutput();
}

/// Boundary and sharp edges. Meshes whose cells share no points are common in written results and
/// would show each cell's edges, hence the merging of points.
vtkSmartPointer<vtkPolyData> outline_of(const Mesh &mesh) {
  vtkNew<vtkCleanPolyData> merged;
  merged->SetInputData(surface_of(mesh));
  merged->SetTolerance(1e-7);
  vtkNew<vtkFeatureEdges> edges;
  edges->SetInputConnection(merged->GetOutputPort());
  edges->ManifoldEdgesOff();
  edges->NonManifoldEdgesOff();
  edges->ColoringOff();
  edges->Update();
  return edges->GetOutput();
}

struct Arrows {
  vtkSmartPointer<vtkPolyData> data; ///< tails, and "arrow" from tail to tip
  double largest = 0;                ///< percussion of the longest arrow
};

/// Arrows that point at the deformed contact points: they press on the body from outside and hide
/// none of its colours.
Arrows percussion_arrows(const Loaded &loaded, const Warp &warp, const Motion &motion,
                         const double longest) {
  Arrows arrows;
  arrows.data = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> tails;
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetName("arrow");
  vectors->SetNumberOfComponents(3);
  arrows.data->SetPoints(tails);
  arrows.data->GetPointData()->AddArray(vectors);
  vtkDataArray *percussion = loaded.mesh->GetPointData()->GetArray("percussion");
  if (percussion == nullptr)
    return arrows;
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i)
    arrows.largest = std::max(arrows.largest, length(vector_at(*percussion, i)));

  std::set<std::array<double, 3>> seen;
  vtkDataArray &displacement = point_field(loaded, "displacement");
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i) {
    auto p = vector_at(*percussion, i);
    std::array<double, 3> x{};
    loaded.mesh->GetPoint(i, x.data());
    // Cells that share no points write a contact point several times.
    if (!(length(p) > 1e-6 * arrows.largest) || !seen.insert(x).second)
      continue;
    for (double &component : p)
      component *= longest / arrows.largest;
    const auto u = warped(warp, motion, vector_at(displacement, i));
    tails->InsertNextPoint(x[0] + u[0] - p[0], x[1] + u[1] - p[1], x[2] + u[2] - p[2]);
    vectors->InsertNextTuple(p.data());
  }
  return arrows;
}

/// The ground if it is straight: every contact point's nearest place on it, which is its gap away
/// against the normal, lies on one line. Gaps are exaggerated as displacements are; a line remains
/// where the undeformed body touches the ground all along, or nothing is exaggerated.
std::optional<Ground> straight_ground(const Loaded &contacts, const Warp &warp,
                                      const Motion &motion, const double body_size) {
  vtkPointData &fields = *contacts.mesh->GetPointData();
  vtkDataArray *gap = fields.GetArray("gap"), *normal = fields.GetArray("normal");
  vtkDataArray *displacement = fields.GetArray("displacement");
  if (gap == nullptr || normal == nullptr || displacement == nullptr)
    return {};
  std::optional<Ground> ground;
  for (vtkIdType i = 0; i < contacts.mesh->GetNumberOfPoints(); ++i) {
    const auto n = vector_at(*normal, i), u = warped(warp, motion, vector_at(*displacement, i));
    std::array<double, 3> foot{};
    contacts.mesh->GetPoint(i, foot.data());
    for (int c = 0; c < 3; ++c)
      foot[c] += u[c] - warp.factor * gap->GetComponent(i, 0) * n[c];
    if (!ground)
      ground = Ground{foot, n};
    double offset = 0, turn = 0;
    for (int c = 0; c < 3; ++c) {
      offset += (foot[c] - ground->point[c]) * ground->normal[c];
      turn += std::abs(n[c] - ground->normal[c]);
    }
    constexpr double tolerance = 1e-6;
    if (!(std::abs(offset) <= tolerance * body_size && turn <= tolerance && length(n) > 0.5))
      return {};
  }
  return ground;
}

std::vector<Loaded> load(const std::vector<Frame> &series, const std::vector<double> &times) {
  std::set<std::size_t> chosen;
  for (const double time : times)
    chosen.insert(nearest_frame(series, time));
  std::vector<Loaded> loaded;
  for (const std::size_t index : chosen)
    loaded.push_back({series[index], read_frame(series[index])});
  return loaded;
}

/// One warp for all pictures of a run, so that they can be compared.
Warp common_warp(const std::vector<Loaded> &instants) {
  double deviation = 0, size = 0;
  std::array<double, 3> translation = {{0, 0, 0}};
  for (const Loaded &loaded : instants) {
    const Motion motion = motion_of(point_field(loaded, "displacement"));
    deviation = std::max(deviation, motion.deviation);
    for (int c = 0; c < 3; ++c)
      translation[c] = std::max(translation[c], std::abs(motion.mean[c]));
    size = std::max(size, size_of(*loaded.mesh));
  }
  return automatic_warp(deviation, translation, size);
}

/// What stands above the scalar bar, in two short lines.
std::string bar_title(const std::string &field, const Units &units) {
  if (field == "von_mises")
    return with_unit("von Mises\nstress", units.stress);
  const std::string unit = field == "velocity" ? units.velocity : units.length;
  return with_unit(field + "\nmagnitude", unit);
}

/// The directions in which the mean displacement is kept: "x and z", or nothing.
std::string kept_directions(const Warp &warp) {
  std::string text;
  for (int c = 0; c < 3; ++c)
    if (warp.about_mean[c])
      text += (text.empty() ? "" : " and ") + std::string(1, "xyz"[c]);
  return text;
}

/// ", displacement × 100, in x from its mean"
std::string warp_text(const Warp &warp) {
  if (warp.factor == 1)
    return ", true to scale";
  const std::string text = ", displacement × " + short_number(warp.factor, 7);
  const std::string kept = kept_directions(warp);
  return kept.empty() ? text : text + ", in " + kept + " from its mean";
}

/// The contact points of the same instant; the body's own points where they were not written.
Loaded contacts_of(const Loaded &loaded, const std::vector<Frame> &contacts) {
  if (contacts.empty())
    return loaded;
  const Frame &frame = contacts[nearest_frame(contacts, loaded.frame.time)];
  if (frame.time != loaded.frame.time)
    return loaded;
  const Mesh points = read_frame(frame);
  const bool complete = points->GetPointData()->HasArray("percussion") != 0 &&
                        points->GetPointData()->HasArray("displacement") != 0;
  return complete ? Loaded{frame, points} : loaded;
}

Scene make_scene(const Loaded &loaded, const std::vector<Frame> &contacts, const Warp &warp,
                 const std::string &field, const Units &units) {
  Scene scene;
  scene.title = "time " + number_with_unit(loaded.frame.time, units.time, 6) + warp_text(warp);
  const Motion motion = motion_of(point_field(loaded, "displacement"));
  scene.bar_title = bar_title(field, units);
  scene.field = add_shown_field(loaded, field);
  const Mesh moved = deformed(loaded, warp, motion);
  scene.body = surface_of(moved);
  scene.outline = outline_of(loaded.mesh);
  scene.deformed_outline = outline_of(moved);

  const Loaded touching = contacts_of(loaded, contacts);
  const double size = size_of(*loaded.mesh);
  scene.ground = straight_ground(touching, warp, motion, size);
  const Arrows arrows = percussion_arrows(touching, warp, motion, 0.12 * size);
  scene.arrows = arrows.data;
  if (arrows.largest > 0)
    scene.remark = "arrows: contact percussions, largest " +
                   number_with_unit(arrows.largest, units.percussion);
  return scene;
}

std::string caption_of(const Scene &scene, const Warp &warp) {
  std::string caption = scene.title + ". Grey: the undeformed outline";
  if (!scene.remark.empty())
    caption += "; " + scene.remark;
  caption += ".";
  const std::string kept = kept_directions(warp);
  if (!kept.empty())
    caption += " The mean displacement in " + kept + " is drawn as it is, not multiplied.";
  return caption;
}
} // namespace

std::vector<Picture> draw_snapshots(const History &run, const SnapshotOptions &options,
                                    const fs::path &folder, const std::string &prefix) {
  if (!fs::exists(run.folder / "solution.pvd"))
    return {};
  const auto times = options.times.empty() ? telling_times(run) : options.times;
  const auto instants = load(read_series(run.folder / "solution.pvd"), times);
  const fs::path contacts_file = run.folder / "contacts.pvd";
  const auto contacts =
      fs::exists(contacts_file) ? read_series(contacts_file) : std::vector<Frame>();
  const Warp warp = options.warp ? Warp{*options.warp, {}} : common_warp(instants);
  const Units units = parse_units(run.remark("units"));

  std::vector<Picture> pictures;
  for (const Loaded &loaded : instants) {
    Scene scene = make_scene(loaded, contacts, warp, options.field, units);
    scene.title = run.label + ": " + scene.title;
    const fs::path file = folder / (prefix + std::to_string(pictures.size()) + ".png");
    pictures.push_back({file, caption_of(scene, warp)});
    draw_scene(scene, file);
  }
  return pictures;
}

} // namespace percussion::report
