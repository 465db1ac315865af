#include "bodies_scene.h"

#include <percussion/base/error.h>
#include <percussion/report/axis.h>

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace percussion::report {
namespace {

/// The point or cell data of that name, or nothing.
vtkDataArray *find_field(vtkUnstructuredGrid &mesh, const std::string &name,
                         vtkDataSetAttributes *&data) {
  data = mesh.GetPointData();
  if (data->HasArray(name.c_str()) == 0)
    data = mesh.GetCellData();
  return data->GetArray(name.c_str());
}

/// Adds the scalar that colours the body, named as the field with " shown" behind it.
std::string add_shown_field(const Instant &instant, const std::string &name) {
  vtkDataSetAttributes *data = nullptr;
  vtkDataArray *field = find_field(*instant.mesh, name, data);
  if (field == nullptr)
    throw InputError(instant.frame.files.front().string() + ": has no field '" + name + "'");
  vtkNew<vtkDoubleArray> shown;
  shown->SetName((name + " shown").c_str());
  for (vtkIdType i = 0; i < field->GetNumberOfTuples(); ++i) {
    const double value = field->GetNumberOfComponents() == 1 ? field->GetComponent(i, 0)
                                                             : length(vector_at(*field, i));
    if (!std::isfinite(value))
      throw InputError(instant.frame.files.front().string() + ": '" + name +
                       "' holds a value that is not a finite number");
    shown->InsertNextValue(value);
  }
  data->AddArray(shown);
  return shown->GetName();
}

/// Arrows that point at the deformed contact points: they press on the body from outside and hide
/// none of its colours.
vtkSmartPointer<vtkPolyData> percussion_arrows(const std::vector<Touch> &touches,
                                               const double scale) {
  auto arrows = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> tails;
  tails->SetDataTypeToDouble();
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetName("arrow");
  vectors->SetNumberOfComponents(3);
  arrows->SetPoints(tails);
  arrows->GetPointData()->AddArray(vectors);
  for (const auto &[point, percussion] : touches) {
    auto p = percussion;
    for (double &component : p)
      component *= scale;
    tails->InsertNextPoint(point[0] - p[0], point[1] - p[1], point[2] - p[2]);
    vectors->InsertNextTuple(p.data());
  }
  return arrows;
}
/// The field that colours the bodies unless the user names one: von_mises if it was written, else
/// the displacement; none where all bodies are rigid.
std::string usual_field(const Instant &instant) {
  if (!kinds_of(*instant.mesh).elastic)
    return {};
  vtkDataSetAttributes *data = nullptr;
  return find_field(*instant.mesh, "von_mises", data) == nullptr ? "displacement" : "von_mises";
}

/// What stands above the colour bar, in two short lines.
std::string bar_title(const std::string &field, const Units &units) {
  const std::string what = field == "von_mises" ? "von Mises\nstress" : field + "\nmagnitude";
  return with_unit(what, unit_of(field, units));
}

/// One warp for all pictures of a run, so that they can be compared.
Warp common_warp(const std::vector<Instant> &instants) {
  // Exaggerated rotations would tear rigid bodies out of shape, and gaps would not fit.
  if (kinds_of(*instants.front().mesh).rigid)
    return {};
  double deviation = 0, size = 0;
  std::array<double, 3> translation = {{0, 0, 0}};
  for (const Instant &instant : instants) {
    const Motion motion = motion_of(point_field(instant, "displacement"));
    deviation = std::max(deviation, motion.deviation);
    for (int c = 0; c < 3; ++c)
      translation[c] = std::max(translation[c], std::abs(motion.mean[c]));
    size = std::max(size, size_of(*instant.mesh));
  }
  return automatic_warp(deviation, translation, size);
}

} // namespace

std::string unit_of(const std::string &field, const Units &units) {
  return field == "von_mises" ? units.stress : field == "velocity" ? units.velocity : units.length;
}

Setting setting_of(const History &run, const std::vector<Instant> &instants,
                   const SnapshotOptions &options) {
  Setting setting;
  const std::filesystem::path contacts = run.folder / "contacts.pvd";
  if (std::filesystem::exists(contacts))
    setting.contacts = read_series(contacts);
  setting.warp = options.warp ? Warp{*options.warp, {}} : common_warp(instants);
  setting.units = parse_units(run.remark("units"));
  setting.field = options.field.empty() ? usual_field(instants.front()) : options.field;
  return setting;
}

std::vector<Touch> touches_of(const Instant &touching, const Warp &warp, const Motion &motion) {
  std::vector<Touch> touches;
  vtkDataArray *percussion = touching.mesh->GetPointData()->GetArray("percussion");
  if (percussion == nullptr)
    return touches;
  double largest = 0;
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i)
    largest = std::max(largest, length(vector_at(*percussion, i)));
  std::set<std::array<std::array<double, 3>, 2>> seen;
  vtkDataArray &displacement = point_field(touching, "displacement");
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i) {
    const auto p = vector_at(*percussion, i);
    std::array<double, 3> x{};
    touching.mesh->GetPoint(i, x.data());
    // Cells that share no points write a contact point several times.
    if (!(length(p) > 1e-6 * largest) || !seen.insert({x, p}).second)
      continue;
    const auto u = warped(warp, motion, vector_at(displacement, i));
    touches.push_back({{x[0] + u[0], x[1] + u[1], x[2] + u[2]}, p});
  }
  return touches;
}

double largest_percussion(const std::vector<Touch> &touches) {
  double largest = 0;
  for (const Touch &touch : touches)
    largest = std::max(largest, length(touch.percussion));
  return largest;
}

std::string kept_directions(const Warp &warp) {
  std::string text;
  for (int c = 0; c < 3; ++c)
    if (warp.about_mean[c])
      text += (text.empty() ? "" : " and ") + std::string(1, "xyz"[c]);
  return text;
}

std::string warp_text(const Warp &warp) {
  if (warp.factor == 1)
    return ", true to scale";
  const std::string text = ", displacement × " + short_number(warp.factor, 7);
  const std::string kept = kept_directions(warp);
  return kept.empty() ? text : text + ", in " + kept + " from its mean";
}

Scene bodies_scene(const Instant &instant, const std::vector<Touch> &touches,
                   const Setting &setting, const double arrow_scale) {
  Scene scene;
  if (!setting.field.empty()) {
    scene.bar_title = bar_title(setting.field, setting.units);
    scene.field = add_shown_field(instant, setting.field);
  }
  const Motion motion = motion_of(point_field(instant, "displacement"));
  const auto moved = deformed(instant, setting.warp, motion);
  scene.body = surface_of(*moved);
  scene.deformed_outline = elastic_outline(*moved);
  scene.rigid_outline = rigid_outline(*moved);
  scene.arrows = percussion_arrows(touches, arrow_scale);
  return scene;
}

} // namespace percussion::report
