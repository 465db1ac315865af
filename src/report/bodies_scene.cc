#include "bodies_scene.h"

#include <percussion/base/error.h>
#include <percussion/report/axis.h>

#include <vtkCellData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace percussion::report {
namespace {
constexpr double tolerance = 1e-6; ///< of grounds, relative to the bodies and in directions

double finite(const double value, const Instant &instant, const std::string &field) {
  if (!std::isfinite(value))
    throw InputError(instant.frame.files.front().string() + ": '" + field +
                     "' holds a value that is not a finite number");
  return value;
}

/// Colours the moved mesh by the magnitudes of the instant's field.
void colour(const Instant &instant, const std::string &name, vtkUnstructuredGrid &moved) {
  const bool at_points = instant.mesh->GetPointData()->HasArray(name.c_str()) != 0;
  const auto data_of = [=](vtkUnstructuredGrid &mesh) -> vtkDataSetAttributes & {
    return at_points ? static_cast<vtkDataSetAttributes &>(*mesh.GetPointData())
                     : *mesh.GetCellData();
  };
  vtkDataArray *field = data_of(*instant.mesh).GetArray(name.c_str());
  if (field == nullptr)
    throw InputError(instant.frame.files.front().string() + ": has no field '" + name + "'");
  vtkNew<vtkDoubleArray> shown;
  shown->SetName(name.c_str());
  const bool scalar = field->GetNumberOfComponents() == 1;
  for (vtkIdType i = 0; i < field->GetNumberOfTuples(); ++i) {
    const double value = scalar ? field->GetComponent(i, 0) : length(vector_at(*field, i));
    shown->InsertNextValue(finite(value, instant, name));
  }
  data_of(moved).SetScalars(shown);
}

/// A copy of the mesh whose points have moved, without its fields.
Mesh moved_mesh(const Instant &instant, const Warp &warp, const Motion &motion) {
  vtkDataArray &displacement = instant.point_field("displacement");
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (vtkIdType i = 0; i < instant.mesh->GetNumberOfPoints(); ++i) {
    const double *x = instant.mesh->GetPoint(i);
    const Vector u = warped(warp, motion, vector_at(displacement, i));
    points->InsertNextPoint(finite(x[0] + u[0], instant, "displacement"),
                            finite(x[1] + u[1], instant, "displacement"), 0);
  }
  auto moved = Mesh::New();
  moved->CopyStructure(instant.mesh);
  moved->SetPoints(points);
  if (vtkDataArray *body = instant.mesh->GetCellData()->GetArray("body"))
    moved->GetCellData()->AddArray(body);
  return moved;
}

/// The contact points of the same instant; the bodies' own points where they were not written.
Instant contacts_of(const Instant &instant, const std::vector<Frame> &contacts) {
  if (contacts.empty())
    return instant;
  const Frame &frame = contacts[nearest_frame(contacts, instant.frame.time)];
  const Instant points = frame.time == instant.frame.time ? read_instant(frame) : instant;
  return points.mesh->GetPointData()->HasArray("percussion") != 0 ? points : instant;
}

/// The contact points that transmit something.
std::vector<Touch> touches_of(const Instant &contacts, const Warp &warp, const Motion &motion) {
  std::vector<Touch> touches;
  vtkDataArray *percussion = contacts.mesh->GetPointData()->GetArray("percussion");
  if (percussion == nullptr)
    return touches;
  double largest = 0;
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i)
    largest = std::max(largest, length(vector_at(*percussion, i)));
  vtkDataArray &displacement = contacts.point_field("displacement");
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i) {
    const Vector p = vector_at(*percussion, i), u = vector_at(displacement, i);
    const double *x = contacts.mesh->GetPoint(i);
    const Vector shown = warped(warp, motion, u);
    if (length(p) > 1e-6 * largest)
      touches.push_back({{x[0] + shown[0], x[1] + shown[1]}, p});
  }
  return touches;
}

double turn(const Vector &n, const Vector &m) { return length({n[0] - m[0], n[1] - m[1]}); }

/// Whether it is the same straight ground seen from another point of it.
bool agrees(const Ground &ground, const Ground &other, const double size) {
  const double offset = (other.point[0] - ground.point[0]) * ground.normal[0] +
                        (other.point[1] - ground.point[1]) * ground.normal[1];
  return std::abs(offset) <= tolerance * size && turn(ground.normal, other.normal) <= tolerance &&
         length(other.normal) > 0.5;
}

/// The straight ones of the surfaces that contact points may touch, by the number of the contact.
///
/// A surface is straight where every contact point's nearest place on it, which is its gap away
/// against the normal, lies on one line. Gaps are exaggerated as displacements are; a line remains
/// where the undeformed body touches the ground all along, or nothing is exaggerated.
std::map<int, Ground> straight_grounds(const Instant &contacts, const Warp &warp,
                                       const Motion &motion, const double size) {
  vtkPointData &fields = *contacts.mesh->GetPointData();
  vtkDataArray *gap = fields.GetArray("gap"), *normal = fields.GetArray("normal");
  vtkDataArray *pair = fields.GetArray("pair"), *obstacle = fields.GetArray("obstacle");
  if (gap == nullptr || normal == nullptr || pair == nullptr || obstacle == nullptr)
    return {};
  vtkDataArray &displacement = contacts.point_field("displacement");
  std::map<int, Ground> grounds;
  std::set<int> curved;
  for (vtkIdType i = 0; i < contacts.mesh->GetNumberOfPoints(); ++i) {
    if (obstacle->GetComponent(i, 0) != 0)
      continue; // it may touch another body
    const Vector n = vector_at(*normal, i), u = warped(warp, motion, vector_at(displacement, i));
    const double *x = contacts.mesh->GetPoint(i), distance = warp.factor * gap->GetComponent(i, 0);
    const Ground seen{{x[0] + u[0] - distance * n[0], x[1] + u[1] - distance * n[1]}, n};
    const auto ground = grounds.insert({static_cast<int>(pair->GetComponent(i, 0)), seen}).first;
    if (!agrees(ground->second, seen, size))
      curved.insert(ground->first);
  }
  for (const int contact : curved)
    grounds.erase(contact);
  return grounds;
}

/// The field that colours the bodies unless the user names one.
std::string default_field(const Instant &instant) {
  if (!has_cells(*instant.mesh, false))
    return {};
  const bool stress = instant.mesh->GetPointData()->HasArray("von_mises") != 0 ||
                      instant.mesh->GetCellData()->HasArray("von_mises") != 0;
  return stress ? "von_mises" : "displacement";
}

/// One warp for all pictures of a run, so that they can be compared.
Warp common_warp(const std::vector<Instant> &instants) {
  // Exaggerated rotations would distort rigid bodies, and gaps would not fit.
  if (has_cells(*instants.front().mesh, true))
    return {};
  double deviation = 0, size = 0;
  Vector translation = {{0, 0}};
  for (const Instant &instant : instants) {
    const Motion motion = motion_of(instant.point_field("displacement"));
    deviation = std::max(deviation, motion.deviation);
    for (int c = 0; c < 2; ++c)
      translation[c] = std::max(translation[c], std::abs(motion.mean[c]));
    size = std::max(size, size_of(*instant.mesh));
  }
  return automatic_warp(deviation, translation, size);
}

/// Colours for all but the highest values, which a few cells have at a few instants and which would
/// leave no colours to the others.
void choose_colours(std::vector<double> &values, const Setting &setting, const bool clip,
                    Sheet &sheet) {
  const bool is_stress = setting.field == "von_mises", is_velocity = setting.field == "velocity";
  const std::string unit = is_stress     ? setting.units.stress
                           : is_velocity ? setting.units.velocity
                                         : setting.units.length;
  sheet.bar_title =
      with_unit(is_stress ? "von Mises\nstress" : setting.field + "\nmagnitude", unit);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double least = *low, most = *high;
  const auto limit =
      values.begin() + static_cast<long>(0.995 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), limit, values.end());
  const bool clipped = clip && *limit < 0.8 * most;
  // What is zero throughout has the colour of zero elsewhere.
  sheet.axis = least == 0 && most == 0 ? Axis{0, 1, {{0, "0"}}}
                                       : linear_axis(least, clipped ? *limit : most, 8);
  if (clipped)
    sheet.bar_title += "\ntop: up to " + number_with_unit(most, unit, 2);
}
} // namespace

Setting setting_of(const History &run, const std::vector<Instant> &instants,
                   const SceneOptions &options) {
  Setting setting;
  const std::filesystem::path contacts = run.folder / "contacts.pvd";
  if (std::filesystem::exists(contacts))
    setting.contacts = read_series(contacts);
  setting.warp = options.warp ? Warp{*options.warp, {}} : common_warp(instants);
  setting.units = run.units();
  setting.field = options.field.empty() ? default_field(instants.front()) : options.field;
  return setting;
}

std::string kept_directions(const Warp &warp) {
  const auto [x, y] = warp.about_mean;
  return x && y ? "x and y" : x ? "x" : y ? "y" : "";
}

std::string warp_text(const Warp &warp) {
  if (warp.factor == 1)
    return ", true to scale";
  const std::string text = ", displacement × " + short_number(warp.factor, 7);
  const std::string kept = kept_directions(warp);
  return kept.empty() ? text : text + ", in " + kept + " from its mean";
}

Scene scene_of(const Instant &instant, const Setting &setting) {
  const Motion motion = motion_of(instant.point_field("displacement"));
  const Mesh moved = moved_mesh(instant, setting.warp, motion);
  const Instant contacts = contacts_of(instant, setting.contacts);
  Scene scene;
  scene.time = instant.frame.time;
  scene.is_coloured = !setting.field.empty();
  if (scene.is_coloured)
    colour(instant, setting.field, *moved);
  scene.elastic_outline = outline_of(*moved, false);
  scene.rigid_outline = outline_of(*moved, true);
  scene.touches = touches_of(contacts, setting.warp, motion);
  scene.grounds = straight_grounds(contacts, setting.warp, motion, size_of(*instant.mesh));
  vtkNew<vtkDataSetSurfaceFilter> surface;
  surface->SetInputData(moved);
  surface->Update();
  scene.body = surface->GetOutput();
  return scene;
}

double largest_percussion(const Scene &scene) {
  double largest = 0;
  for (const Touch &touch : scene.touches)
    largest = std::max(largest, length(touch.percussion));
  return largest;
}

void scale_arrows(Scene &scene, const double longest) {
  scene.arrow_scale = scene.touches.empty() ? 0 : longest / largest_percussion(scene);
}

void keep_lasting_grounds(std::vector<Scene> &scenes) {
  const auto lasts = [&](const int contact, const Ground &ground) {
    return std::all_of(scenes.begin(), scenes.end(), [&](const Scene &scene) {
      const auto found = scene.grounds.find(contact);
      return found != scene.grounds.end() && turn(found->second.normal, ground.normal) <= tolerance;
    });
  };
  std::set<int> lasting;
  for (const auto &[contact, ground] : scenes.front().grounds)
    if (lasts(contact, ground))
      lasting.insert(contact);
  for (Scene &scene : scenes)
    for (auto it = scene.grounds.begin(); it != scene.grounds.end();)
      it = lasting.count(it->first) == 0 ? scene.grounds.erase(it) : std::next(it);
}

Sheet sheet_for(const std::vector<Scene> &scenes, const Setting &setting, const bool clip) {
  Sheet sheet;
  std::vector<double> values;
  for (const Scene &scene : scenes) {
    sheet.bodies.AddBox(box_of(scene));
    sheet.most_arrows = std::max(sheet.most_arrows, scene.touches.size());
    vtkDataArray *colours = scene.body->GetPointData()->GetScalars();
    if (colours == nullptr)
      colours = scene.body->GetCellData()->GetScalars();
    for (vtkIdType i = 0; scene.is_coloured && i < colours->GetNumberOfTuples(); ++i)
      values.push_back(colours->GetComponent(i, 0));
  }
  if (!values.empty())
    choose_colours(values, setting, clip, sheet);
  sheet.view = sheet.bodies;
  for (const Scene &scene : scenes)
    for (const auto &[contact, ground] : scene.grounds)
      for (const Vector &corner : ground_strip(ground, sheet.bodies))
        sheet.view.AddPoint(corner[0], corner[1], 0);
  return sheet;
}

} // namespace percussion::report
