#include <percussion/base/error.h>
#include <percussion/report/animation.h>
#include <percussion/report/png.h>

#include <vtkNew.h>
#include <vtkRenderWindow.h>

#include "bodies_scene.h"
#include "ground.h"
#include "sheet.h"
#include <algorithm>
#include <fstream>

namespace percussion::report {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t most_runs = 4, fewest_frames = 12;
constexpr std::size_t largest_gif = 4'000'000; ///< bytes; in a page it takes a third more
constexpr double total_milliseconds = 6000;

/// One frame of one run: what is small enough to be kept from the first reading to the second.
struct Still {
  Frame frame;
  std::vector<Touch> touches;
  std::map<int, Ground> grounds;
  std::vector<Ground> shown_grounds;
};

/// A run that moves.
struct Show {
  const History *run;
  std::vector<Frame> series;
  Setting setting;
  std::vector<Still> stills;
};

std::vector<Show> shows_of(const std::vector<History> &runs, const SnapshotOptions &options) {
  std::vector<Show> shows;
  bool elastic = false;
  for (const History &run : runs) {
    if (!fs::exists(run.folder / "solution.pvd") || shows.size() == most_runs)
      continue;
    Show show{&run, read_series(run.folder / "solution.pvd"), {}, {}};
    const bool is_elastic = kinds_of(*read_frame(show.series.front())).elastic;
    if (show.series.size() < 2 || (!shows.empty() && is_elastic != elastic))
      continue;
    elastic = is_elastic;
    show.setting = setting_of(run, load(show.series, telling_times(run)), options);
    if (!shows.empty())
      show.setting.warp = shows.front().setting.warp;
    shows.push_back(std::move(show));
  }
  return shows;
}

/// Chooses the instants of all runs' frames at even distances over all of the time.
void choose_frames(std::vector<Show> &shows, const int most) {
  double begin = shows.front().series.front().time, end = begin;
  std::size_t count = 0;
  for (const Show &show : shows) {
    begin = std::min(begin, show.series.front().time);
    end = std::max(end, show.series.back().time);
    count = std::max(count, show.series.size());
  }
  count = std::min(count, static_cast<std::size_t>(most));
  for (std::size_t k = 0; k < count; ++k) {
    const double part = count == 1 ? 1. : static_cast<double>(k) / static_cast<double>(count - 1);
    for (Show &show : shows) {
      const auto nearest = nearest_frame(show.series, begin + part * (end - begin));
      show.stills.push_back({show.series[nearest], {}, {}, {}});
    }
  }
}

Scene scene_of(const Show &show, const Still &still, const double arrow_scale) {
  const Instant instant = load_instant(still.frame);
  Scene scene = bodies_scene(instant, still.touches, show.setting, arrow_scale);
  scene.grounds = still.shown_grounds;
  return scene;
}

/// What all frames have in common: room, colours and the scale of the arrows.
struct Common {
  Sheet sheet;
  double arrow_scale = 0;
};

/// Colours for all but the highest values, which a few cells have at a few instants and which would
/// leave no colours to the others.
void choose_colours(std::vector<double> &values, const std::string &unit, Sheet &sheet) {
  if (values.empty())
    return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double least = *low, most = *high;
  const auto limit =
      values.begin() + static_cast<long>(0.995 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), limit, values.end());
  const bool clipped = *limit < 0.8 * most;
  sheet.axis = linear_axis(least, clipped ? *limit : most, 8);
  if (clipped)
    sheet.bar_title += "\ntop: up to " + number_with_unit(most, unit, 2);
}

/// The usual largest percussion of a frame has a tenth of the picture, the largest of all not much
/// more.
void choose_arrows(std::vector<double> &largest, const std::string &unit, Common &common) {
  if (largest.empty())
    return;
  const double longest = 0.12 * common.sheet.frame.bodies.GetMaxLength();
  std::sort(largest.begin(), largest.end());
  const double usual = std::max(largest[largest.size() / 2], largest.back() / 1.6);
  common.arrow_scale = longest / usual;
  common.sheet.arrow_key = {longest,
                            "percussion of a contact point, " + number_with_unit(usual, unit)};
}

/// Reads everything once, for what the frames have in common.
Common survey(std::vector<Show> &shows) {
  Common common;
  SceneFrame &frame = common.sheet.frame;
  std::vector<double> values, percussions;
  for (Show &show : shows)
    for (Still &still : show.stills) {
      const Instant instant = load_instant(still.frame);
      const Instant touching = contacts_of(instant, show.setting.contacts);
      const Motion motion = motion_of(point_field(instant, "displacement"));
      still.touches = touches_of(touching, show.setting.warp, motion);
      still.grounds = straight_grounds(touching, show.setting.warp, motion, size_of(*instant.mesh));
      if (!still.touches.empty())
        percussions.push_back(largest_percussion(still.touches));
      frame.most_arrows = std::max(frame.most_arrows, still.touches.size());
      const Scene scene = bodies_scene(instant, {}, show.setting, 0);
      frame.bodies.AddBox(box_of(scene));
      add_values(scene, values);
      common.sheet.bar_title = scene.bar_title;
    }
  const Setting &setting = shows.front().setting;
  choose_colours(values, unit_of(setting.field, setting.units), common.sheet);
  choose_arrows(percussions, setting.units.percussion, common);
  return common;
}

/// Makes room for the arrows and grounds.
void add_surroundings(std::vector<Show> &shows, Common &common) {
  SceneFrame &frame = common.sheet.frame;
  std::vector<Ground> all;
  for (Show &show : shows) {
    std::vector<std::map<int, Ground>> grounds;
    for (const Still &still : show.stills) {
      grounds.push_back(still.grounds);
      for (const auto &[point, p] : still.touches)
        frame.bodies.AddPoint(point[0] - common.arrow_scale * p[0],
                              point[1] - common.arrow_scale * p[1],
                              point[2] - common.arrow_scale * p[2]);
    }
    const auto lasting_grounds = lasting(grounds);
    for (std::size_t k = 0; k < show.stills.size(); ++k) {
      show.stills[k].shown_grounds = lasting_grounds[k];
      all.insert(all.end(), lasting_grounds[k].begin(), lasting_grounds[k].end());
    }
  }
  frame.view = choose_view(with_grounds(frame.bodies, all));
}

/// Frames of an earlier, longer animation would stay among those of this one.
void clear_frames(const fs::path &folder) {
  fs::create_directories(folder);
  std::vector<fs::path> old;
  for (const auto &entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("frame-", 0) == 0 && entry.path().extension() == ".png")
      old.push_back(entry.path());
  }
  for (const auto &file : old)
    fs::remove(file);
}

fs::path frame_file(const fs::path &folder, const std::size_t k) {
  std::string number = std::to_string(k);
  number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
  return folder / ("frame-" + number + ".png");
}

/// Draws frame after frame into one window.
std::vector<Pixels> draw_frames(const std::vector<Show> &shows, Common &common,
                                const fs::path &folder) {
  clear_frames(folder);
  std::vector<Pixels> pictures;
  vtkNew<vtkRenderWindow> window;
  for (std::size_t k = 0; k < shows.front().stills.size(); ++k) {
    std::vector<Scene> scenes;
    for (const Show &show : shows) {
      scenes.push_back(scene_of(show, show.stills[k], common.arrow_scale));
      scenes.back().title = shows.size() > 1 ? show.run->label : "";
    }
    const Show &first = shows.front();
    common.sheet.title = (shows.size() > 1 ? "" : first.run->label + ": ") + "t = " +
                         number_with_unit(first.stills[k].frame.time, first.setting.units.time, 4) +
                         warp_text(first.setting.warp);
    draw_sheet(*window, scenes, common.sheet);
    const Pixels pixels = read_pixels(*window);
    write_png(pixels, frame_file(folder, k), 4); // there are many, and none is mailed
    pictures.push_back(halved(pixels));
  }
  return pictures;
}

/// Leaves out every other frame until the animation can be mailed.
std::string mailable_gif(std::vector<Pixels> pictures) {
  for (;;) {
    const double each = total_milliseconds / static_cast<double>(pictures.size());
    std::string gif = gif_of(pictures, static_cast<int>(std::clamp(each, 40., 250.)));
    if (gif.size() <= largest_gif || pictures.size() < 2 * fewest_frames)
      return gif;
    std::vector<Pixels> fewer;
    for (std::size_t k = (pictures.size() - 1) % 2; k < pictures.size(); k += 2)
      fewer.push_back(std::move(pictures[k]));
    pictures = std::move(fewer);
  }
}
} // namespace

std::vector<Picture> draw_animation(const std::vector<History> &runs,
                                    const AnimationOptions &options, const fs::path &folder) {
  std::vector<Show> shows = shows_of(runs, options.show);
  if (shows.empty() || options.frames < 1)
    return {};
  choose_frames(shows, options.frames);
  Common common = survey(shows);
  common.sheet.label_lines = shows.size() > 1 ? 1 : 0;
  add_surroundings(shows, common);
  const fs::path file = folder / "animation.gif";
  const std::string gif = mailable_gif(draw_frames(shows, common, folder / "frames"));
  std::ofstream out(file, std::ios::binary);
  out << gif;
  out.flush();
  if (!out)
    throw RunError(file.string() + ": cannot be written");

  std::string caption = "The bodies in motion" + warp_text(shows.front().setting.warp);
  if (common.arrow_scale > 0)
    caption += "; arrows: contact percussions";
  caption += ". Colours and arrows have the same scale at all times.";
  if (shows.size() < runs.size())
    caption += " Not all of the runs are shown.";
  return {{file, caption, "Animation of the moving bodies.", Section::bodies, true}};
}

} // namespace percussion::report
