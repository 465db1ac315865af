#include <percussion/io/error.h>
#include <percussion/report/axis.h>
#include <percussion/report/scene.h>
#include <percussion/report/snapshots.h>

#include <vtkAppendPolyData.h>
#include <vtkBoundingBox.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include "ground.h"
#include "instant.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace percussion::report {
namespace {
namespace fs = std::filesystem;

/// Adds the scalar that colours the body, named as the field with " shown" behind it.
std::string add_shown_field(const Instant &instant, const std::string &name) {
  vtkDataSetAttributes *data = instant.mesh->GetPointData();
  vtkDataArray *field = data->GetArray(name.c_str());
  if (field == nullptr) {
    data = instant.mesh->GetCellData();
    field = data->GetArray(name.c_str());
  }
  if (field == nullptr)
    throw InputError(instant.frame.files.front().string() + ": has no field '" + name + "'");
  vtkNew<vtkDoubleArray> shown;
  shown->SetName((name + " shown").c_str());
  for (vtkIdType i = 0; i < field->GetNumberOfTuples(); ++i)
    shown->InsertNextValue(field->GetNumberOfComponents() == 1 ? field->GetComponent(i, 0)
                                                               : length(vector_at(*field, i)));
  data->AddArray(shown);
  return shown->GetName();
}

struct Arrows {
  vtkSmartPointer<vtkPolyData> data; ///< tails, and "arrow" from tail to tip
  double largest = 0;                ///< percussion of the longest arrow
};

/// Arrows that point at the deformed contact points: they press on the body from outside and hide
/// none of its colours.
Arrows percussion_arrows(const Instant &instant, const Warp &warp, const Motion &motion,
                         const double longest) {
  Arrows arrows;
  arrows.data = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> tails;
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetName("arrow");
  vectors->SetNumberOfComponents(3);
  arrows.data->SetPoints(tails);
  arrows.data->GetPointData()->AddArray(vectors);
  vtkDataArray *percussion = instant.mesh->GetPointData()->GetArray("percussion");
  if (percussion == nullptr)
    return arrows;
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i)
    arrows.largest = std::max(arrows.largest, length(vector_at(*percussion, i)));

  std::set<std::array<double, 3>> seen;
  vtkDataArray &displacement = point_field(instant, "displacement");
  for (vtkIdType i = 0; i < percussion->GetNumberOfTuples(); ++i) {
    auto p = vector_at(*percussion, i);
    std::array<double, 3> x{};
    instant.mesh->GetPoint(i, x.data());
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

/// What the pictures of a run have in common.
struct Setting {
  std::vector<Instant> instants;
  std::vector<Frame> contacts; ///< may be empty
  Warp warp;
  std::string field; ///< none: plain
  Units units;
};

/// The bodies of an instant with its percussions; grounds are left to the caller. The longest arrow
/// is as long as `longest_arrow`.
Scene bodies_scene(const Instant &instant, const Instant &touching, const Setting &setting,
                   const double longest_arrow) {
  Scene scene;
  const Motion motion = motion_of(point_field(instant, "displacement"));
  if (!setting.field.empty()) {
    scene.bar_title = bar_title(setting.field, setting.units);
    scene.field = add_shown_field(instant, setting.field);
  }
  const auto moved = deformed(instant, setting.warp, motion);
  scene.body = surface_of(*moved);
  scene.deformed_outline = elastic_outline(*moved);
  scene.rigid_outline = rigid_outline(*moved);
  const Arrows arrows = percussion_arrows(touching, setting.warp, motion, longest_arrow);
  scene.arrows = arrows.data;
  if (arrows.largest > 0)
    scene.remark = number_with_unit(arrows.largest, setting.units.percussion);
  return scene;
}

vtkSmartPointer<vtkPolyData> undeformed_outline(const Instant &instant) {
  vtkNew<vtkAppendPolyData> both;
  both->AddInputData(elastic_outline(*instant.mesh));
  both->AddInputData(rigid_outline(*instant.mesh));
  both->Update();
  return both->GetOutput();
}

/// One picture of an instant.
Scene make_scene(const Instant &instant, const Setting &setting) {
  const double size = size_of(*instant.mesh);
  const Instant touching = contacts_of(instant, setting.contacts);
  Scene scene = bodies_scene(instant, touching, setting, 0.12 * size);
  scene.title = "time " + number_with_unit(instant.frame.time, setting.units.time, 6) +
                warp_text(setting.warp);
  scene.outline = undeformed_outline(instant);
  const Motion motion = motion_of(point_field(instant, "displacement"));
  for (const auto &[contact, ground] : straight_grounds(touching, setting.warp, motion, size))
    scene.grounds.push_back(ground);
  if (!scene.remark.empty())
    scene.remark = "arrows: contact percussions, largest " + scene.remark;
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

/// `count` times from the start of a series to its end.
std::vector<double> even_times(const std::vector<Frame> &series, const int count) {
  const double begin = series.front().time, end = series.back().time;
  std::vector<double> times;
  for (int k = 0; k < count; ++k)
    times.push_back(begin + (end - begin) * k / (count - 1));
  return times;
}

/// The largest side of the box that holds the bodies of all instants.
double common_size(const std::vector<Instant> &instants, const Warp &warp) {
  vtkBoundingBox box;
  for (const Instant &instant : instants)
    box.AddBounds(
        deformed(instant, warp, motion_of(point_field(instant, "displacement")))->GetBounds());
  return box.GetMaxLength();
}

/// Successive positions of rigid bodies in one picture.
Picture draw_positions(const History &run, const Setting &setting, const fs::path &file) {
  const double size = common_size(setting.instants, setting.warp);
  std::vector<Scene> scenes;
  std::vector<std::map<int, Ground>> grounds;
  bool any_arrows = false;
  for (const Instant &instant : setting.instants) {
    const Instant touching = contacts_of(instant, setting.contacts);
    Scene scene = bodies_scene(instant, touching, setting, 0.15 * size);
    scene.title = "t = " + number_with_unit(instant.frame.time, setting.units.time, 4);
    if (!scene.remark.empty())
      scene.remark = "p = " + scene.remark;
    any_arrows = any_arrows || !scene.remark.empty();
    const Motion motion = motion_of(point_field(instant, "displacement"));
    grounds.push_back(straight_grounds(touching, setting.warp, motion, size));
    scenes.push_back(std::move(scene));
  }
  const auto lasting_grounds = lasting(grounds);
  for (std::size_t k = 0; k < scenes.size(); ++k)
    scenes[k].grounds = lasting_grounds[k];
  const std::string remark =
      any_arrows ? "arrows: contact percussions; the longest of each instant is p" : "";
  draw_scenes(scenes, run.label + ": successive positions" + warp_text(setting.warp), remark, file);
  return {file, run.label + ": successive positions of the rigid bodies" + warp_text(setting.warp) +
                    (remark.empty() ? "." : "; " + remark + ".")};
}
} // namespace

std::vector<Picture> draw_snapshots(const History &run, const SnapshotOptions &options,
                                    const fs::path &folder, const std::string &prefix) {
  if (!fs::exists(run.folder / "solution.pvd"))
    return {};
  const auto series = read_series(run.folder / "solution.pvd");
  const Kinds kinds = kinds_of(*read_frame(series.front()));
  const auto chosen_times = [&] {
    if (!options.times.empty())
      return options.times;
    return kinds.elastic ? telling_times(run) : even_times(series, 12);
  };
  Setting setting;
  setting.instants = load(series, chosen_times());
  const fs::path contacts_file = run.folder / "contacts.pvd";
  if (fs::exists(contacts_file))
    setting.contacts = read_series(contacts_file);
  setting.warp = options.warp ? Warp{*options.warp, {}} : common_warp(setting.instants);
  setting.units = parse_units(run.remark("units"));
  setting.field = options.field.empty() && kinds.elastic ? "displacement" : options.field;

  if (!kinds.elastic)
    return {draw_positions(run, setting, folder / (prefix + "positions.png"))};
  std::vector<Picture> pictures;
  for (const Instant &instant : setting.instants) {
    Scene scene = make_scene(instant, setting);
    scene.title = run.label + ": " + scene.title;
    const fs::path file = folder / (prefix + std::to_string(pictures.size()) + ".png");
    pictures.push_back({file, caption_of(scene, setting.warp)});
    draw_scene(scene, file);
  }
  return pictures;
}

} // namespace percussion::report
