#include <percussion/base/error.h>
#include <percussion/report/image.h>

#include <vtkNew.h>
#include <vtkRenderWindow.h>

#include "bodies_scene.h"
#include <algorithm>
#include <fstream>

namespace percussion::report {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t most_runs = 4, fewest_frames = 12;
constexpr std::size_t largest_gif = 4'000'000; ///< bytes; in a page it takes a third more
constexpr double total_milliseconds = 6000;

/// A run that moves.
struct Show {
  const History *run;
  std::vector<Frame> series;
  Setting setting;
  std::vector<Scene> scenes; ///< of each frame
};

std::vector<Show> shows_of(const std::vector<History> &runs, const SceneOptions &options) {
  std::vector<Show> shows;
  bool elastic = false;
  for (const History &run : runs) {
    if (!fs::exists(run.folder / "solution.pvd") || shows.size() == most_runs)
      continue;
    Show show{&run, read_series(run.folder / "solution.pvd"), {}, {}};
    const bool is_elastic = has_cells(*read_instant(show.series.front()).mesh, false);
    if (show.series.size() < 2 || (!shows.empty() && is_elastic != elastic))
      continue;
    elastic = is_elastic;
    show.setting = setting_of(run, read_nearest(show.series, notable_times(run)), options);
    if (!shows.empty())
      show.setting.warp = shows.front().setting.warp;
    shows.push_back(std::move(show));
  }
  return shows;
}

/// Reads the scenes of all runs' frames, evenly spaced over the time of all runs.
void read_scenes(std::vector<Show> &shows, const int most) {
  double begin = shows.front().series.front().time, end = begin;
  std::size_t count = 0;
  for (const Show &show : shows) {
    begin = std::min(begin, show.series.front().time);
    end = std::max(end, show.series.back().time);
    count = std::max(count, show.series.size());
  }
  count = std::min(count, static_cast<std::size_t>(most));
  for (Show &show : shows) {
    for (std::size_t k = 0; k < count; ++k) {
      const double part = count == 1 ? 1. : static_cast<double>(k) / static_cast<double>(count - 1);
      const auto nearest = nearest_frame(show.series, begin + part * (end - begin));
      show.scenes.push_back(scene_of(read_instant(show.series[nearest]), show.setting));
    }
    keep_lasting_grounds(show.scenes);
  }
}

/// What all frames have in common, the scale of the arrows included: the usual largest percussion
/// of a frame has a tenth of the picture, the largest of all not much more.
Sheet common_sheet(std::vector<Show> &shows) {
  const Setting &setting = shows.front().setting;
  std::vector<double> largest;
  std::vector<Scene> all;
  vtkBoundingBox bodies;
  for (const Show &show : shows)
    for (const Scene &scene : show.scenes) {
      bodies.AddBox(box_of(scene));
      if (!scene.touches.empty())
        largest.push_back(largest_percussion(scene));
    }
  std::sort(largest.begin(), largest.end());
  const double longest = 0.12 * bodies.GetMaxLength();
  const double usual =
      largest.empty() ? 0 : std::max(largest[largest.size() / 2], largest.back() / 1.6);
  for (Show &show : shows)
    for (Scene &scene : show.scenes) {
      scene.title = shows.size() > 1 ? show.run->label : "";
      scene.arrow_scale = usual > 0 ? longest / usual : 0;
      all.push_back(scene);
    }
  Sheet sheet = sheet_for(all, setting, true);
  sheet.label_lines = shows.size() > 1 ? 1 : 0;
  sheet.arrow_length = usual > 0 ? longest : 0;
  sheet.arrow_text =
      "percussion of a contact point, " + number_with_unit(usual, setting.units.percussion);
  return sheet;
}

/// Frames of an earlier, longer animation would stay among those of this one.
void clear_frames(const fs::path &folder) {
  fs::create_directories(folder);
  std::vector<fs::path> old;
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().rfind("frame-", 0) == 0 &&
        entry.path().extension() == ".png")
      old.push_back(entry.path());
  for (const auto &file : old)
    fs::remove(file);
}

/// Draws frame after frame into one window; images of half the size.
std::vector<Image> draw_frames(const std::vector<Show> &shows, Sheet sheet,
                               const fs::path &folder) {
  clear_frames(folder);
  const Show &first = shows.front();
  std::vector<Image> images;
  vtkNew<vtkRenderWindow> window;
  for (std::size_t k = 0; k < first.scenes.size(); ++k) {
    std::vector<Scene> scenes;
    for (const Show &show : shows)
      scenes.push_back(show.scenes[k]);
    sheet.title = (shows.size() > 1 ? "" : first.run->label + ": ") +
                  "t = " + number_with_unit(first.scenes[k].time, first.setting.units.time, 4) +
                  warp_text(first.setting.warp);
    draw_sheet(*window, scenes, sheet);
    const Image image = rendered(*window);
    const std::string number = std::to_string(k);
    const std::string zeros(number.size() < 3 ? 3 - number.size() : 0, '0');
    // There are many, and none is mailed: little compression.
    write_png(image, folder / ("frame-" + zeros + number + ".png"), 4);
    images.push_back(halved(image));
  }
  return images;
}

/// Leaves out every other frame until the animation can be mailed.
std::string mailable_gif(std::vector<Image> images) {
  for (;;) {
    const double each = total_milliseconds / static_cast<double>(images.size());
    std::string gif = gif_of(images, static_cast<int>(std::clamp(each, 40., 250.)));
    if (gif.size() <= largest_gif || images.size() < 2 * fewest_frames)
      return gif;
    std::vector<Image> fewer;
    for (std::size_t k = (images.size() - 1) % 2; k < images.size(); k += 2)
      fewer.push_back(images[k]);
    images = std::move(fewer);
  }
}
} // namespace

std::vector<Picture> draw_animation(const std::vector<History> &runs, const SceneOptions &options,
                                    const fs::path &folder) {
  std::vector<Show> shows = shows_of(runs, options);
  if (shows.empty() || options.frames < 1)
    return {};
  read_scenes(shows, options.frames);
  const Sheet sheet = common_sheet(shows);
  const fs::path file = folder / "animation.gif";
  const std::string gif = mailable_gif(draw_frames(shows, sheet, folder / "frames"));
  std::ofstream out(file, std::ios::binary);
  out << gif << std::flush;
  if (!out)
    throw RunError(file.string() + ": cannot be written");

  std::string caption = "The bodies in motion" + warp_text(shows.front().setting.warp);
  if (sheet.arrow_length > 0)
    caption += "; arrows: contact percussions";
  caption += ". Colours and arrows have the same scale at all times.";
  if (shows.size() < runs.size())
    caption += " Not all of the runs are shown.";
  return {{file, caption, "Animation of the moving bodies.", Section::bodies, true}};
}

} // namespace percussion::report
