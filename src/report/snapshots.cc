#include <percussion/report/axis.h>
#include <percussion/report/scene.h>
#include <percussion/report/snapshots.h>

#include <vtkAppendPolyData.h>
#include <vtkBoundingBox.h>
#include <vtkNew.h>

#include "bodies_scene.h"
#include "ground.h"
#include <algorithm>

namespace percussion::report {
namespace {
namespace fs = std::filesystem;

vtkSmartPointer<vtkPolyData> undeformed_outline(const Instant &instant) {
  vtkNew<vtkAppendPolyData> both;
  both->AddInputData(elastic_outline(*instant.mesh));
  both->AddInputData(rigid_outline(*instant.mesh));
  both->Update();
  return both->GetOutput();
}

/// One picture of an instant.
Scene make_scene(const Instant &instant, const Setting &setting) {
  const double size = size_of(*instant.mesh), longest = 0.12 * size;
  const Instant touching = contacts_of(instant, setting.contacts);
  const Motion motion = motion_of(point_field(instant, "displacement"));
  const auto touches = touches_of(touching, setting.warp, motion);
  const double largest = largest_percussion(touches);
  Scene scene = bodies_scene(instant, touches, setting, largest > 0 ? longest / largest : 0);
  scene.title = "time " + number_with_unit(instant.frame.time, setting.units.time, 6) +
                warp_text(setting.warp);
  scene.outline = undeformed_outline(instant);
  for (const auto &[contact, ground] : straight_grounds(touching, setting.warp, motion, size))
    scene.grounds.push_back(ground);
  if (largest > 0)
    scene.arrow_key = {longest, "percussion of a contact point, here " +
                                    number_with_unit(largest, setting.units.percussion) +
                                    ", the largest"};
  else
    scene.remark = "no contact bears anything";
  return scene;
}

std::string caption_of(const Scene &scene, const Setting &setting) {
  std::string caption = scene.title + ". Grey: the undeformed outline";
  if (scene.arrow_key.length > 0)
    caption += "; arrows: contact percussions";
  if (!setting.field.empty())
    caption += "; colours: " + (setting.field == "von_mises" ? "von Mises stress" : setting.field);
  caption += ".";
  const std::string kept = kept_directions(setting.warp);
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
Picture draw_positions(const History &run, const std::vector<Instant> &instants,
                       const Setting &setting, const fs::path &file) {
  const double size = common_size(instants, setting.warp), longest = 0.15 * size;
  std::vector<Scene> scenes;
  std::vector<std::map<int, Ground>> grounds;
  bool any_arrows = false;
  for (const Instant &instant : instants) {
    const Instant touching = contacts_of(instant, setting.contacts);
    const Motion motion = motion_of(point_field(instant, "displacement"));
    const auto touches = touches_of(touching, setting.warp, motion);
    const double largest = largest_percussion(touches);
    Scene scene = bodies_scene(instant, touches, setting, largest > 0 ? longest / largest : 0);
    scene.title = "t = " + number_with_unit(instant.frame.time, setting.units.time, 4);
    if (largest > 0)
      scene.remark = "p = " + number_with_unit(largest, setting.units.percussion);
    any_arrows = any_arrows || largest > 0;
    grounds.push_back(straight_grounds(touching, setting.warp, motion, size));
    scenes.push_back(std::move(scene));
  }
  const auto lasting_grounds = lasting(grounds);
  for (std::size_t k = 0; k < scenes.size(); ++k)
    scenes[k].grounds = lasting_grounds[k];
  const std::string remark =
      any_arrows ? "arrows: contact percussions; the longest of each instant is p" : "";
  draw_scenes(scenes, run.label + ": successive positions" + warp_text(setting.warp), remark, file);
  return {file,
          run.label + ": successive positions of the rigid bodies" + warp_text(setting.warp) +
              (remark.empty() ? "." : "; " + remark + "."),
          "The rigid bodies of " + run.label + " at " + std::to_string(scenes.size()) +
              " instants, side by side.",
          Section::bodies, true};
}
} // namespace

std::vector<Picture> draw_snapshots(const History &run, const SnapshotOptions &options,
                                    const fs::path &folder, const std::string &prefix) {
  if (!fs::exists(run.folder / "solution.pvd"))
    return {};
  const auto series = read_series(run.folder / "solution.pvd");
  const bool elastic = kinds_of(*read_frame(series.front())).elastic;
  const auto chosen_times = [&] {
    if (!options.times.empty())
      return options.times;
    return elastic ? telling_times(run) : even_times(series, 12);
  };
  const auto instants = load(series, chosen_times());
  const Setting setting = setting_of(run, instants, options);
  if (!elastic)
    return {draw_positions(run, instants, setting, folder / (prefix + "positions.png"))};
  std::vector<Picture> pictures;
  for (const Instant &instant : instants) {
    Scene scene = make_scene(instant, setting);
    scene.title = run.label + ": " + scene.title;
    const fs::path file = folder / (prefix + std::to_string(pictures.size()) + ".png");
    pictures.push_back({file, caption_of(scene, setting),
                        "The deformed bodies of " + run.label + " at time " +
                            number_with_unit(instant.frame.time, setting.units.time, 6) +
                            ", with arrows for the percussions.",
                        Section::bodies, true});
    draw_scene(scene, file);
  }
  return pictures;
}

} // namespace percussion::report
