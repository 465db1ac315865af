#include <percussion/report/axis.h>

#include <vtkAppendPolyData.h>
#include <vtkNew.h>

#include "bodies_scene.h"

namespace percussion::report {
namespace {
namespace fs = std::filesystem;

/// Draws one instant.
Picture draw_snapshot(const History &run, const Instant &instant, const Setting &setting,
                      const fs::path &file) {
  Scene scene = scene_of(instant, setting);
  vtkNew<vtkAppendPolyData> undeformed;
  undeformed->AddInputData(outline_of(*instant.mesh, false));
  undeformed->AddInputData(outline_of(*instant.mesh, true));
  undeformed->Update();
  scene.undeformed = undeformed->GetOutput();
  const double largest = largest_percussion(scene);
  const double longest = largest > 0 ? 0.12 * size_of(*instant.mesh) : 0;
  scale_arrows(scene, longest);
  const std::string time = number_with_unit(scene.time, setting.units.time, 6);
  Sheet sheet = sheet_for({scene}, setting, false);
  sheet.title = run.label + ": time " + time + warp_text(setting.warp);
  sheet.arrow_length = longest;
  sheet.arrow_text = "percussion of a contact point, here " +
                     number_with_unit(largest, setting.units.percussion) + ", the largest";
  if (largest == 0)
    sheet.remark = "no contact transmits a percussion";
  draw_sheet({scene}, sheet, file);

  std::string caption = sheet.title + ". Grey: the undeformed outline";
  if (largest > 0)
    caption += "; arrows: contact percussions";
  if (scene.is_coloured)
    caption += "; colours: " + (setting.field == "von_mises" ? "von Mises stress" : setting.field);
  caption += ".";
  const std::string kept = kept_directions(setting.warp);
  if (!kept.empty())
    caption += " The mean displacement in " + kept + " is drawn as it is, not multiplied.";
  return {file, caption,
          "The deformed bodies of " + run.label + " at time " + time +
              ", with arrows for the percussions.",
          Section::bodies, true};
}

/// Draws successive positions of rigid bodies in one picture.
Picture draw_positions(const History &run, const std::vector<Instant> &instants,
                       const Setting &setting, const fs::path &file) {
  std::vector<Scene> scenes;
  for (const Instant &instant : instants)
    scenes.push_back(scene_of(instant, setting));
  keep_lasting_grounds(scenes);
  const double size = sheet_for(scenes, setting, false).bodies.GetMaxLength();
  int label_lines = 1;
  for (Scene &scene : scenes) {
    scale_arrows(scene, 0.15 * size);
    scene.title = "t = " + number_with_unit(scene.time, setting.units.time, 4);
    if (scene.touches.empty())
      continue;
    scene.remark = "p = " + number_with_unit(largest_percussion(scene), setting.units.percussion);
    label_lines = 2;
  }
  Sheet sheet = sheet_for(scenes, setting, false);
  sheet.label_lines = label_lines;
  sheet.title = run.label + ": successive positions" + warp_text(setting.warp);
  if (label_lines > 1)
    sheet.remark = "arrows: contact percussions; the longest of each instant is p";
  draw_sheet(scenes, sheet, file);
  return {file,
          run.label + ": successive positions of the rigid bodies" + warp_text(setting.warp) +
              (sheet.remark.empty() ? "." : "; " + sheet.remark + "."),
          "The rigid bodies of " + run.label + " at " + std::to_string(scenes.size()) +
              " instants, side by side.",
          Section::bodies, true};
}
} // namespace

std::vector<Picture> draw_snapshots(const History &run, const SceneOptions &options,
                                    const fs::path &folder, const std::string &prefix) {
  if (!fs::exists(run.folder / "solution.pvd"))
    return {};
  const auto series = read_series(run.folder / "solution.pvd");
  const bool elastic = has_cells(*read_instant(series.front()).mesh, false);
  std::vector<double> times = options.times;
  if (times.empty() && elastic)
    times = notable_times(run);
  constexpr int positions = 12;
  const double begin = series.front().time, end = series.back().time;
  for (int k = 0; k < positions && !elastic && options.times.empty(); ++k)
    times.push_back(begin + (end - begin) * k / (positions - 1));
  const auto instants = read_nearest(series, times);
  const Setting setting = setting_of(run, instants, options);
  if (!elastic)
    return {draw_positions(run, instants, setting, folder / (prefix + "positions.png"))};
  std::vector<Picture> pictures;
  for (const Instant &instant : instants) {
    const fs::path file = folder / (prefix + std::to_string(pictures.size()) + ".png");
    pictures.push_back(draw_snapshot(run, instant, setting, file));
  }
  return pictures;
}

} // namespace percussion::report
